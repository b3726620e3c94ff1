"""Before an update changes the tables, a copy is made; if the update fails, nothing is lost."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import connection, transaction
from django.db.models.signals import pre_migrate

from combat.rules.core.basics.release import PROGRAM, RELEASE

from . import back_up, find_applied, find_backend, note_release
from .copies import make_folder, prune
from .manifest import BEFORE_UPDATE, glance
from .shared import BackupError, explain_errors, first_line

SPARE_BYTES = 10_000_000


@contextmanager
def keep_copy() -> Iterator[None]:
    """Around `migrate`: make a copy once there is something to apply, and note the release at the end.

    Raises BackupError before anything is touched if there is no room for a copy, and after a failed update,
    with what is true then and which copy to restore.
    """
    made: list[Path] = []
    with ExitStack() as update:

        def prepare(plan: list[Any], **_: Any) -> None:
            if plan and not made and find_applied():
                made.append(_make_copy())
                update.enter_context(_explain_failure(made[0]))
                update.enter_context(_all_or_nothing())

        pre_migrate.connect(prepare, sender=apps.get_app_config("combat"), weak=False)
        update.callback(pre_migrate.disconnect, prepare, sender=apps.get_app_config("combat"))
        yield
        note_release()


def _make_copy() -> Path:
    """A copy from before the update, and at most four older ones beside it."""
    try:
        with explain_errors("The data cannot be copied"):
            _require_room()
            file = back_up(reason=BEFORE_UPDATE, update=RELEASE)
            prune(BEFORE_UPDATE, file.parent)
    except BackupError as problem:
        raise BackupError(f"The update to {RELEASE} has not begun, nothing was changed. {problem}") from None
    return file


def _require_room() -> None:
    """Raise BackupError unless a copy and rewritten tables fit on the disk."""
    needed = 2 * find_backend().measure() + SPARE_BYTES
    folder = make_folder()
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise BackupError(
            f"It needs {needed / 1e6:.0f} MB for a copy first, and {folder} has {free / 1e6:.0f} MB left: "
            "make room, then start again."
        )


@contextmanager
def _all_or_nothing() -> Iterator[None]:
    """Make all migrations one transaction, where the engine can do that: in SQLite."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.disable_constraint_checking()  # migrations check; not possible later
    try:
        with transaction.atomic():
            yield
            connection.check_constraints()
    finally:
        connection.enable_constraint_checking()


@contextmanager
def _explain_failure(copy: Path) -> Iterator[None]:
    """Turn any error of an update into the way back."""
    try:
        yield
    except Exception as problem:
        release = glance(copy).release
        whole = "your data is as it was" if connection.vendor == "sqlite" else "your data is in the copy"
        raise BackupError(
            f"The update to {RELEASE} failed ({first_line(problem)}). Nothing was lost: {whole}. Go on with "
            f"{PROGRAM} {release}; if it misses anything, restore {copy} with it (manage.py restore FILE)."
        ) from problem
