"""Copies of all that a table keeps, made while it runs, and the way back.

Everything is in the database, pictures too; the secret key is not, and stays out of every copy. So do the
secrets of the dice: a copy would tell the coming rolls. A restored table goes on with new ones.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from . import postgres, sqlite
from .manifest import Manifest, read_manifest
from .schema import check_schema
from .shared import BackupError, Migrations, SchemaMismatch, explain_errors, first_line

BACKENDS: dict[str, ModuleType] = {backend.KIND: backend for backend in (sqlite, postgres)}
NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def find_backend() -> ModuleType:
    """What copies and restores this table's kind of database."""
    if connection.vendor not in BACKENDS:
        raise BackupError(f"Backups are made of SQLite and PostgreSQL, not of {connection.display_name}.")
    return BACKENDS[connection.vendor]


def back_up(wanted: Path | None = None, word: str = "table") -> Path:
    """Write a consistent copy to a new file; returns where it is. Raises BackupError, with nothing written.

    `wanted` is a file that is not there yet, or a directory; without it, `backups` in the data directory.
    In a directory the copy is named after the moment, and numbered from the second of one second on.
    """
    backend = find_backend()
    with explain_errors("The table's data cannot be read"):
        if not find_applied():
            raise BackupError("There is nothing to back up yet: this table has never been opened.")
    with explain_errors("No backup can be written there"):
        file = _create_empty(_find_names(wanted, word, backend.SUFFIX))
    try:
        with explain_errors(f"{file} could not be written"):
            backend.write(file)
    except BaseException:
        for left in (file, file.with_name(f"{file.name}-journal")):
            with contextlib.suppress(OSError):
                left.unlink()
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


def _create_empty(files: Iterable[Path]) -> Path:
    """Make the first of these that is not there yet, empty and for its owner only."""
    for file in files:
        try:
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            continue
        except OSError as problem:
            raise BackupError(f"{file} cannot be written: {problem.strerror}.") from None
        return file
    raise BackupError(f"{file} is there already: choose another name.")


def restore(file: Path) -> Path | None:
    """Put a backup in place of the present data; returns where that is kept now, None if there was none.

    Raises BackupError, with nothing changed, if the file is no backup for this table.
    """
    backend = find_backend()
    with explain_errors(f"{file} cannot be read"):
        if not file.is_file():
            raise BackupError(f"There is no file {file}.")
        return _restore(backend, file)


def _restore(backend: ModuleType, file: Path) -> Path | None:
    """The same, of a file that is there."""
    manifest, length = check(file, backend.KIND)
    kept = _keep_aside()
    try:
        with explain_errors(f"{file} could not be put back, and nothing was changed"):
            backend.restore_file(file, manifest, length)
    except (SchemaMismatch, BackupError) as problem:
        if kept:
            kept.unlink()  # nothing has changed, so there is nothing to keep aside
        if isinstance(problem, BackupError):
            raise
        cause = first_line(problem)
        raise BackupError(
            f"{file} does not fit the tables of this release ({cause}): nothing was changed."
        ) from None
    connection.close()
    return kept


def check(file: Path, kind: str) -> tuple[Manifest, int]:
    """The manifest of a backup and the length of what is in it; BackupError if it is not for this table."""
    manifest, length = read_manifest(file)
    if manifest.kind != kind:
        other = NAMES.get(manifest.kind, manifest.kind)
        raise BackupError(
            f"{file} is a backup of a table on {other}; this one keeps its data in {NAMES[kind]}."
        )
    check_schema(file, manifest)
    return manifest, length


def _keep_aside() -> Path | None:
    """A copy of what there is before it is replaced."""
    try:
        with explain_errors("The present data cannot be read"):
            return back_up(word="before-restore") if find_applied() else None
    except BackupError as problem:
        name = connection.settings_dict["NAME"]
        moved = (
            f" If it is damaged, move {name} elsewhere, then restore."
            if connection.vendor == "sqlite"
            else ""
        )
        raise BackupError(
            f"What is there now cannot be kept aside, so nothing was changed. {problem}{moved}"
        ) from None


def find_applied() -> Migrations:
    """The migrations that the present database has seen; none where there is no database yet."""
    if not find_backend().database_exists():
        return []
    return sorted(MigrationRecorder(connection).applied_migrations())
