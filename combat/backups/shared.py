"""What the kinds of backups share."""

from __future__ import annotations

Migrations = list[tuple[str, str]]  # app and name of each that had been applied
OURS = ("combat", "0001_initial")


class Unusable(Exception):
    """A backup that cannot be made or restored; the message says what would be right."""
