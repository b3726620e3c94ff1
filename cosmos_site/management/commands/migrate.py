"""Django's `migrate`, after a copy of what the table keeps."""

from typing import Any

from django.core.checks import Tags
from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as Migrate
from django.db import DEFAULT_DB_ALIAS

from combat.backups.handover import keep_copy
from combat.backups.manifest import BackupError
from combat.backups.schema import find_waiting, tell_other_tables
from combat.play.writing.renewal import settle_all_players


class Command(Migrate):
    """`manage.py migrate`"""

    help = f"{Migrate.help} If there is something to apply, a copy of all data is made first."
    requires_system_checks = (Tags.models, Tags.database)  # those of the pages would import all of them

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate; a failure names the copy and says what to do."""
        if options["database"] != DEFAULT_DB_ALIAS or options["plan"] or options["check_unapplied"]:
            super().handle(*args, **options)
            return
        try:
            with keep_copy():
                super().handle(*args, **options)
                if odd := tell_other_tables():
                    raise BackupError(odd)
        except BackupError as problem:
            raise CommandError(str(problem)) from problem
        if not find_waiting():
            settle_all_players()
