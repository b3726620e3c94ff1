"""Erase the characters that were deleted more than 30 days ago."""

from typing import Any

from django.core.management.base import BaseCommand

from ...services.character_service import GRACE, purge


class Command(BaseCommand):
    """`manage.py purge_characters`, to run every night."""

    help = f"Erases characters deleted more than {GRACE.days} days ago. Deleting one does this too."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        """Remove them and say how many."""
        count = purge()
        self.stdout.write(f"{count} character{'s' if count != 1 else ''} erased.")
