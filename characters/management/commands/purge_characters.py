"""Remove for good the characters that were deleted more than 30 days ago."""

from typing import Any

from django.core.management.base import BaseCommand

from characters.keeping import GRACE, purge


class Command(BaseCommand):
    """`manage.py purge_characters`, for those who want it done every night."""

    help = f"Removes characters that were deleted more than {GRACE.days} days ago. Deleting does this, too."

    def handle(self, **options: Any) -> None:
        """Remove them and say how many."""
        count = purge()
        self.stdout.write(f"{count} character{'s' if count != 1 else ''} removed for good.")
