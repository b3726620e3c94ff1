"""Copy all that the table keeps."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from combat.backups import back_up
from combat.backups.manifest import BackupError


class Command(BaseCommand):
    """`manage.py backup [FILE]`"""

    help = "Copies all data to a new file, even while the table runs. The secret key is not included."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file to write."""
        place = "a new file or a directory; without it, `backups` in the data directory"
        parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help=place)
        parser.add_argument("--data", metavar="DIR", help="the data directory, as for play")

    def handle(self, *args: Any, file: Path | None, **options: Any) -> None:
        """Write the copy and print its place."""
        try:
            made = back_up(file.expanduser() if file else None)
        except BackupError as problem:
            raise CommandError(str(problem)) from None
        size = made.stat().st_size / 1_000_000
        self.stdout.write(f"Everything is copied to {made} ({size:.1f} MB).")
