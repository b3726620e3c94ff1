"""SQLite: the copy is a database of its own, made by VACUUM INTO while others read and write."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from django.db import connection

from .shared import OURS, Migrations, Unusable

SUFFIX = ".sqlite3"
MAGIC = b"SQLite format 3\x00"
GZIP = b"\x1f\x8b"
APPLIED = "SELECT app, name FROM django_migrations ORDER BY app, name"


def write(file: Path) -> None:
    """Copy the database as it is at one moment into a file that is empty."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(file)])


def check(file: Path) -> Migrations:
    """The migrations a backup has seen; Unusable if it is not one, or damaged."""
    with file.open("rb") as opened:
        start = opened.read(len(MAGIC))
    if start.startswith(GZIP):
        raise Unusable(
            f"{file} looks like a backup of a table on PostgreSQL; this one keeps its data in SQLite."
        )
    if start != MAGIC:
        raise Unusable(f"{file} is no backup of a table: `manage.py backup` makes one.")
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as copy:
            (verdict,) = copy.execute("PRAGMA quick_check").fetchone()
            seen = [(str(app), str(name)) for app, name in copy.execute(APPLIED)]
    except sqlite3.Error:
        verdict, seen = "", []
    if verdict != "ok" or OURS not in seen:
        raise Unusable(f"{file} is damaged, or no backup of a table: nothing was changed.")
    return seen


def put_back(file: Path, migrations: Migrations) -> None:
    """Put a checked backup in the place of the database. Unusable while the table runs."""
    place = Path(connection.settings_dict["NAME"])
    connection.close()
    if place.exists():
        _come_alone(place)
    fresh = place.with_name(f"{place.name}.restoring")
    shutil.copyfile(file, fresh)
    fresh.chmod(0o600)
    fresh.replace(place)


def _come_alone(place: Path) -> None:
    """See that nobody else has the database open; leaves no journal beside it."""
    with closing(sqlite3.connect(place, timeout=1, isolation_level=None)) as opened:
        try:
            (mode,) = opened.execute("PRAGMA journal_mode = DELETE").fetchone()
        except sqlite3.OperationalError:
            mode = "busy"
    if mode != "delete":
        raise Unusable("The table is running: stop it first (Ctrl-C), then restore.")
