"""A restore that someone asks for on a page: `play` stops for it and starts again with the restored data.

The new process restores before it opens, so nobody reads or writes meanwhile and no memory of the replaced
data is left. What it has to do comes with its start alone: if that fails, nothing has changed.
"""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec
from django.apps import apps
from django.db import connection, transaction
from django.db.models.signals import pre_migrate

from combat.rules.core.basics.release import PROGRAM, RELEASE

from . import back_up, find_applied, find_backend, note_release
from .copies import make_folder, prune
from .manifest import BEFORE_UPDATE, BackupError, explain_errors, first_line, glance

VARIABLE = "COSMOS_RESTORE"  # in the environment of the new process
ADDRESS = re.compile(r"/copies/[^/]+/restore/")
PATIENCE = 5  # seconds that a write waits until it is known whether a press restores
SPARE_BYTES = 10_000_000


class Handover(msgspec.Struct, frozen=True):
    """What the new process does first: restore a file, and keep this session for its host."""

    file: str
    session: str = ""

    @property
    def path(self) -> Path:
        """The copy to restore."""
        return Path(self.file)


class Outcome(msgspec.Struct, frozen=True):
    """What became of it, for the page: a sentence, and whether the data was replaced."""

    sentence: str
    done: bool


class Restarter:
    """Where pages and the process that serves them meet. `stop` is missing where nobody could restart.

    From the press on the table is `closed`: a write that is confirmed then would be lost with the old data.
    Until it is known whose press it is, writes are done, but not confirmed.
    """

    def __init__(self) -> None:
        self.stop: Callable[[], object] | None = None
        self.wanted: Handover | None = None
        self.outcome: Outcome | None = None
        self.closed = False
        self._heard = 0  # presses that are not known yet
        self._news = threading.Condition()

    @contextmanager
    def hearing(self) -> Iterator[None]:
        """Let writes wait for their answer in this block, in which a press turns out to restore or not."""
        self._count(1)
        try:
            yield
        finally:
            self._count(-1)

    def _count(self, more: int) -> None:
        with self._news:
            self._heard += more
            self._news.notify_all()

    def wait_for_press(self) -> None:
        """Wait until every press that was heard is known, or closes the table."""
        with self._news:
            self._news.wait_for(lambda: self.closed or not self._heard, PATIENCE)

    @contextmanager
    def asking(self) -> Iterator[bool]:
        """Close the table to writes in this block, and for good if it asks for a restore.

        False if another one is asked for already, or nobody could restart.
        """
        with self._news:
            is_first = not self.closed and self.stop is not None
            self.closed = self.closed or is_first
            self._news.notify_all()
        try:
            yield is_first
        finally:
            if is_first and self.wanted is None:
                self.closed = False

    def ask(self, wanted: Handover) -> None:
        """Stop the table for a restore."""
        assert self.stop
        self.wanted = wanted
        self.stop()


def is_press(method: str | None, path: str) -> bool:
    """Whether a request may restore a copy, if the host sends it."""
    return method == "POST" and bool(ADDRESS.fullmatch(path))


restarter = Restarter()  # one for the process

# Before an update changes the tables, a copy is made; if the update fails, nothing is lost.


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
