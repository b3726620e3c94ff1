"""Which release has last opened the data: a copy names it, since that release can restore it."""

from __future__ import annotations

from django.db import connection

from combat.models import DataRelease
from combat.rules.core.basics.release import RELEASE


def find_release() -> str:
    """The release that last opened the data; this one if none is noted."""
    last = DataRelease.objects.first() if _is_noted() else None
    return last.release if last else RELEASE


def note_release() -> None:
    """Note that this release has opened the data, unless the tables are gone."""
    if _is_noted() and (not DataRelease.objects.exists() or find_release() != RELEASE):
        DataRelease.objects.create(release=RELEASE)


def _is_noted() -> bool:
    """Whether the table of releases is there."""
    return DataRelease._meta.db_table in connection.introspection.table_names()
