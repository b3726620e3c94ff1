"""Put a backup in place of what the table keeps."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from combat.backups import restore
from combat.backups.shared import Unusable


class Command(BaseCommand):
    """`manage.py restore FILE`"""

    help = "Puts a backup in place of the present data, of which a copy is kept. Stop the table first."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which, and where to."""
        parser.add_argument("file", type=Path, metavar="FILE", help="what manage.py backup made")
        parser.add_argument("--data", metavar="DIR", help="the data directory, as for play")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Check it, put it back, say where the former data is."""
        try:
            kept = restore(file.expanduser())
        except Unusable as problem:
            raise CommandError(str(problem)) from None
        self.stdout.write(f"The table is as it was in {file}.")
        if kept:
            self.stdout.write(f"What was there before is kept in {kept}.")
