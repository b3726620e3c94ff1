"""A restore that someone asks for on a page: `play` stops for it and starts again with the restored data.

The new process restores before it opens, so nobody reads or writes meanwhile and no memory of the replaced
data is left. What it has to do comes with its start alone: if that fails, nothing has changed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
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
    """Where pages and the process that serves them meet. `stop` is missing where nobody could restart."""

    def __init__(self) -> None:
        self.stop: Callable[[], object] | None = None
        self.wanted: Handover | None = None
        self.outcome: Outcome | None = None
        self._lock = threading.Lock()

    def ask(self, wanted: Handover) -> bool:
        """Stop the table for a restore; False if another one is asked for already, or it cannot be done."""
        with self._lock:
            if self.wanted or self.stop is None:
                return False
            self.wanted = wanted
        self.stop()
        return True


restarter = Restarter()  # one for the process
