"""manage.py schema: the JSON Schema of what is exported, for those who write programs of their own."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import msgspec
from django.core.management.base import BaseCommand

from characters.exchange import documents
from combat.display.report_view import Report
from combat.rules import SYSTEMS, find_system
from combat.rules.core.engine.document import Document

KINDS = ("encounter", "characters", "report", *(f"sheet:{slug}" for slug in SYSTEMS))
DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Command(BaseCommand):
    """`manage.py schema KIND`"""

    help = "Prints the JSON Schema of an exported document, or of a game's character sheet inside one."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Of what."""
        parser.add_argument("kind", choices=KINDS, metavar="KIND", help=", ".join(KINDS))

    def handle(self, *args: Any, kind: str, **options: Any) -> None:
        """Print it."""
        self.stdout.write(msgspec.json.format(msgspec.json.encode(find_schema(kind)), indent=1).decode())


def find_schema(kind: str) -> dict[str, Any]:
    """The schema of one of KINDS, as plain values."""
    return {"$schema": DIALECT, "title": f"Cosmos Table {kind}", **msgspec.json.schema(_find_type(kind))}


def _find_type(kind: str) -> Any:
    if kind.startswith("sheet:"):
        return find_system(kind.removeprefix("sheet:")).sheet
    return {"encounter": Document, "characters": documents.Document, "report": Report}[kind]
