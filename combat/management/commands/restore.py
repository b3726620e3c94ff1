"""Put a backup in place of what the table keeps."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from combat.backups import restore
from combat.backups.manifest import BackupError
from combat.play.writing.renewal import renew_all_dice
from cosmos_site.base.data_lock import AlreadyInUse, lock_data_directory


class Command(BaseCommand):
    """`manage.py restore FILE`"""

    help = "Replaces the current data by a backup; a copy of it is kept. Stop the table first."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file and the options."""
        parser.add_argument("file", type=Path, metavar="FILE", help="a file made by backup")
        parser.add_argument("--data", metavar="DIR", help="the data directory, as for play")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Check the backup, restore it, and print where the former data is."""
        try:
            with lock_data_directory(settings.COSMOS_DATA):
                kept = restore(file.expanduser())
                renew_all_dice()
        except AlreadyInUse:
            raise CommandError("The table is running: stop it first (Ctrl-C), then restore.") from None
        except BackupError as problem:
            raise CommandError(str(problem)) from None
        self.stdout.write(
            f"The table is as it was in {file}. Its fights go on with new dice; their logs tell the seals."
        )
        if kept:
            self.stdout.write(f"What was there before is kept in {kept}.")
