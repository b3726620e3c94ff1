"""Copies of all that a table keeps, made while it runs, and the way back.

Everything is in the database, pictures too. No copy holds the secret key, which is not there, nor the
secrets of the dice, which would tell the coming rolls. A restored table goes on with new ones. Nor does it
hold what opens a table by itself (schema.py). A copy names the release that last opened the data: that
one and every later one restore it.
"""

from __future__ import annotations

from datetime import UTC
from functools import partial
from pathlib import Path
from types import ModuleType

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from combat.models import DataRelease
from combat.rules.core.basics.release import RELEASE

from . import postgres, sqlite
from .copies import (
    Copy,
    keep_upload,
    list_files,
    make_folder,
    name_copy,
    prune,
    take_name,
    write_aside,
)
from .manifest import (
    BEFORE_RESTORE,
    BY_HAND,
    BackupError,
    Manifest,
    Migrations,
    Origin,
    Reason,
    SchemaMismatch,
    explain_errors,
    first_line,
    read_manifest,
)
from .schema import check_schema, read_access, settle_access

BACKENDS: dict[str, ModuleType] = {backend.KIND: backend for backend in (sqlite, postgres)}
MISFIT = "{} does not fit the tables of this release ({}): nothing was changed."
NAMES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def find_backend() -> ModuleType:
    """The module that copies and restores this table's kind of database."""
    if connection.vendor not in BACKENDS:
        raise BackupError(f"Backups are made of SQLite and PostgreSQL, not of {connection.display_name}.")
    return BACKENDS[connection.vendor]


def back_up(wanted: Path | None = None, reason: Reason = BY_HAND, update: str | None = None) -> Path:
    """Write a consistent copy to a new file; return where it is. Raises BackupError, with nothing written.

    `wanted` is a new file or a directory; by default `backups` in the data directory. In a directory the
    copy is named after its reason and time, with a number if another copy has the same second. Before an
    update, `update` is the release to come.
    """
    backend, now = find_backend(), timezone.now()
    with explain_errors("The table's data cannot be read"):
        if not find_applied():
            raise BackupError("There is nothing to back up yet: this table has never been opened.")
        made = f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
        origin = Origin(release=find_release(), made=made, reason=reason, update=update)
    with explain_errors("No backup can be written there"):
        if wanted and not wanted.is_dir():
            file = take_name([wanted])
        else:
            file = take_name(list_files(wanted or make_folder(), name_copy(origin), backend.SUFFIX, now))
    with explain_errors(f"{file} could not be written"), write_aside(file) as part:
        backend.write(part, origin)
    return file


def restore(file: Path) -> Path | None:
    """Put a backup in place of the present data; return where that is kept now, None if there was none.

    Raises BackupError, with nothing changed, if the file is no backup for this table.
    """
    backend = find_backend()
    with explain_errors(f"{file} cannot be read"):
        if not file.is_file():
            raise BackupError(f"There is no file {file}.")
        return _restore(backend, file)


def _restore(backend: ModuleType, file: Path) -> Path | None:
    """The same, for an existing file."""
    manifest, length = check(file, backend.KIND)
    kept = _keep_aside()
    try:
        with explain_errors(f"{file} could not be put back, and nothing was changed"):
            now = read_access() if kept else None
            backend.restore_file(file, manifest, length, partial(settle_access, now))
    except (SchemaMismatch, BackupError) as problem:
        if kept:
            kept.unlink()  # nothing has changed, so the copy is not needed
        if isinstance(problem, BackupError):
            raise
        cause = first_line(problem)
        raise BackupError(MISFIT.format(file, cause)) from None
    connection.close()
    if kept:
        prune(BEFORE_RESTORE, kept.parent, spared=file)
    return kept


def check(file: Path, kind: str) -> tuple[Manifest, int]:
    """The manifest of a backup and the length of its content; BackupError if it is not for this table."""
    manifest, length = read_manifest(file)
    if manifest.kind != kind:
        other = NAMES.get(manifest.kind, manifest.kind)
        raise BackupError(
            f"{file} is a backup of a table on {other}; this one keeps its data in {NAMES[kind]}, and "
            "nothing was changed: export fights, characters and packs there, and import them here."
        )
    check_schema(file, manifest)
    return manifest, length


def examine(file: Path) -> None:
    """Check a copy to its last byte, as a restore does first. BackupError says what is wrong."""
    backend = find_backend()
    with explain_errors(f"{file} cannot be read"):
        manifest, length = check(file, backend.KIND)
        try:
            backend.examine(file, manifest, length)
        except SchemaMismatch as problem:
            raise BackupError(MISFIT.format(file, first_line(problem))) from None


def add_upload(sent: str, name: str) -> Copy:
    """Keep an uploaded file among the copies if it can be restored here; else BackupError with this name."""
    file, backend = Path(sent), find_backend()
    try:
        examine(file)
        with explain_errors("The backup cannot be kept"):
            return keep_upload(file, backend.SUFFIX)
    except BackupError as problem:
        raise BackupError(str(problem).replace(sent, name)) from None


def _keep_aside() -> Path | None:
    """A copy of the present data before it is replaced."""
    try:
        with explain_errors("The present data cannot be read"):
            return back_up(reason=BEFORE_RESTORE) if find_applied() else None
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
    """The migrations of the present database; none if there is no database yet."""
    if not find_backend().database_exists():
        return []
    return sorted(MigrationRecorder(connection).applied_migrations())


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
