"""Copies of all that a table keeps, made while it runs, and the way back.

Everything is in the database, pictures too; the secret key is not, and stays out of every copy.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from . import postgres, sqlite
from .shared import Migrations, Unusable

KEEPERS: dict[str, ModuleType] = {"sqlite": sqlite, "postgresql": postgres}


def find_keeper() -> ModuleType:
    """What copies and restores this table's kind of database."""
    if connection.vendor not in KEEPERS:
        raise Unusable(f"Backups are made of SQLite and PostgreSQL, not of {connection.display_name}.")
    return KEEPERS[connection.vendor]


def back_up(wanted: Path | None = None, word: str = "table") -> Path:
    """Write a consistent copy to a new file; returns where it is. Raises Unusable, with nothing written.

    `wanted` is a file that is not there yet, or a directory; without it, `backups` in the data directory.
    In a directory the copy is named after the moment, and numbered from the second of one second on.
    """
    keeper = find_keeper()
    if not find_applied():
        raise Unusable("There is nothing to back up yet: this table has never been opened.")
    file = _claim(_find_names(wanted, word, keeper.SUFFIX))
    try:
        keeper.write(file)
    except BaseException:
        file.unlink()
        raise
    return file


def _find_names(wanted: Path | None, word: str, suffix: str) -> Iterator[Path]:
    """The names a copy may have, best first."""
    if wanted and not wanted.is_dir():
        yield wanted
        return
    folder = wanted or Path(settings.COSMOS_DATA) / "backups"
    if wanted is None:
        folder.mkdir(mode=0o700, exist_ok=True)
    name = f"{word}-{timezone.now():%Y-%m-%d-%H%M%S}"
    yield folder / f"{name}{suffix}"
    yield from (folder / f"{name}-{number}{suffix}" for number in range(2, 100))


def _claim(files: Iterable[Path]) -> Path:
    """Make the first of these that is not there yet, empty and for its owner only."""
    for file in files:
        try:
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            continue
        except OSError as problem:
            raise Unusable(f"{file} cannot be written: {problem.strerror}.") from None
        return file
    raise Unusable(f"{file} is there already: choose another name.")


def restore(file: Path) -> Path | None:
    """Put a backup in place of the present data; returns where that is kept now, None if there was none.

    Raises Unusable, with nothing changed, if the file is no backup for this table.
    """
    keeper = find_keeper()
    if not file.is_file():
        raise Unusable(f"There is no file {file}.")
    migrations = keeper.check(file)
    check_age(file, migrations)
    kept = back_up(word="before-restore") if find_applied() else None
    try:
        keeper.put_back(file, migrations)
    except Unusable:
        if kept:
            kept.unlink()  # nothing has changed, so there is nothing to keep aside
        raise
    connection.close()
    call_command("migrate", verbosity=0, interactive=False)
    return kept


def find_applied() -> Migrations:
    """The migrations that the present database has seen; none where there is no database yet."""
    return sorted(MigrationRecorder(connection).applied_migrations())


def check_age(file: Path, migrations: Iterable[tuple[str, str]]) -> None:
    """Raise Unusable for a backup that this version of the program is too old for."""
    known = MigrationLoader(None).disk_migrations
    unknown = [f"{app} {name}" for app, name in migrations if (app, name) not in known]
    if unknown:
        raise Unusable(
            f"{file} was made by a newer version of Cosmos Table ({unknown[0]} is unknown here): "
            "update the program, then restore."
        )
