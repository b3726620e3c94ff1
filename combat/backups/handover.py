"""A restore that someone asks for on a page: `play` stops for it and starts again with the restored data.

The new process restores before it opens, so nobody reads or writes meanwhile and no memory of the replaced
data is left. What it has to do comes with its start alone: if that fails, nothing has changed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

VARIABLE = "COSMOS_RESTORE"  # in the environment of the new process


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
    """

    def __init__(self) -> None:
        self.stop: Callable[[], object] | None = None
        self.wanted: Handover | None = None
        self.outcome: Outcome | None = None
        self.closed = False
        self._lock = threading.Lock()

    @contextmanager
    def asking(self) -> Iterator[bool]:
        """Close the table to writes in this block, and for good if it asks for a restore.

        False if another one is asked for already, or nobody could restart.
        """
        with self._lock:
            is_first = not self.closed and self.stop is not None
            self.closed = self.closed or is_first
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


restarter = Restarter()  # one for the process
