"""manage.py schema: the JSON Schema of exported data, for authors of other programs."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import msgspec
from django.core.management.base import BaseCommand

from characters.exchange import documents
from combat.pages.report import shapes as report_view
from combat.pages.report.replay import Story
from combat.pages.sharing.open_state import Hello, OpenState
from combat.play.packs import documents as packs
from combat.rules import SYSTEMS, find_system
from combat.rules.core.engine.document import Document
from cosmos_site.base.errors import OpenProblem

TYPES = {
    "encounter": Document,
    "log": Story,
    "report": report_view.Report,
    "characters": documents.Document,
    "pack": packs.Document,
    "state": OpenState,
    "problem": OpenProblem,
    "hello": Hello,
}
KINDS = (*TYPES, *(f"sheet:{slug}" for slug in SYSTEMS))
DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Command(BaseCommand):
    """`manage.py schema KIND`"""

    help = (
        "Prints the JSON Schema of an exported document, of what other programs read (state, problem, "
        "hello), or of a game's character sheet."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the kind."""
        parser.add_argument("kind", choices=KINDS, metavar="KIND", help=", ".join(KINDS))

    def handle(self, *args: Any, kind: str, **options: Any) -> None:
        """Print the schema."""
        self.stdout.write(msgspec.json.format(msgspec.json.encode(find_schema(kind)), indent=1).decode())


def find_schema(kind: str) -> dict[str, Any]:
    """The schema of one of KINDS, as plain values."""
    slug = kind.removeprefix("sheet:")
    schema = msgspec.json.schema(TYPES[kind] if kind in TYPES else find_system(slug).characters.sheet)
    if kind == "report":
        _add_head(schema["$defs"]["Report"], report_view.FORMAT, report_view.VERSION)
    if kind == "pack":
        head = {"format": {"const": packs.FORMAT}, "version": {"const": packs.VERSION}}
        schema["$defs"]["Document"]["properties"] |= head
    return {"$schema": DIALECT, "title": f"Cosmos Table {kind}", **schema}


def _add_head(schema: dict[str, Any], name: str, version: int) -> None:
    """Put format and version at the beginning of a document's schema; data shown on a page has none."""
    schema["properties"] |= {"format": {"const": name}, "version": {"const": version}}
    schema["required"] += ["format", "version"]
