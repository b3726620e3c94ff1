"""How long an answer waits for its database: a few seconds, so that one that hangs holds no page for long."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

SECONDS = 5.0  # for all that an answer waits for
SHORTEST = 1.0  # what a single wait has even then: not every long answer waits for a database that hangs

_until: ContextVar[float | None] = ContextVar("until", default=None)


@contextmanager
def patience() -> Iterator[None]:
    """In the block, each wait for the database ends soon. Commands, and copies of all data, have no limit."""
    token = _until.set(time.monotonic() + SECONDS)
    try:
        yield
    finally:
        _until.reset(token)


def find_left() -> float | None:
    """The seconds that a wait which begins now may take; None without a limit."""
    until = _until.get()
    return None if until is None else max(SHORTEST, until - time.monotonic())
