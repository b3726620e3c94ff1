"""A bounded share of the machine for counting odds: limited time per panel, few panels at once.

A new request replaces the last one of the same asker, whose page no longer needs it. The threads that
answer pages do not notice when a browser is gone, so the time limit bounds the rest.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from combat.rules.core.basics.errors import Refused

MAX_SECONDS = 0.25  # of processor, for everything one panel shows
MAX_AT_ONCE = 2
MAX_WAIT = 0.3  # seconds until someone has to try again
BUSY = "Odds are being calculated for others: try again in a moment."
REPLACED = "Newer odds are on their way."


class Count:
    """One panel's share: until when it may count, and whether its asker has made a newer request."""

    def __init__(self, clock: Callable[[], float], seconds: float) -> None:
        self.clock = clock
        self.seconds = seconds
        self.ends = 0.0
        self.replaced = False

    def begin(self) -> None:
        """Start the clock."""
        self.ends = self.clock() + self.seconds

    def give_up(self) -> bool:
        """Whether to stop counting."""
        return self.replaced or self.clock() >= self.ends


class Counter:
    """Lets a few count at once, and only the newest request of each asker."""

    def __init__(
        self,
        most: int = MAX_AT_ONCE,
        seconds: float = MAX_SECONDS,
        wait: float = MAX_WAIT,
        clock: Callable[[], float] = time.thread_time,
    ) -> None:
        self.most, self.seconds, self.wait, self.clock = most, seconds, wait, clock
        self.running = 0
        self.newest: dict[str, Count] = {}
        self.changed = threading.Condition()

    @contextmanager
    def count(self, asker: str) -> Iterator[Count]:
        """A share of the machine for an asker; Refused("busy") if none is free now."""
        mine = Count(self.clock, self.seconds)
        with self.changed:
            if asker in self.newest:
                self.newest[asker].replaced = True
                self.changed.notify_all()
            self.newest[asker] = mine
        try:
            self._wait_for_room(mine)
            try:
                mine.begin()
                yield mine
            finally:
                with self.changed:
                    self.running -= 1
                    self.changed.notify_all()
        finally:
            with self.changed:
                if self.newest.get(asker) is mine:
                    del self.newest[asker]

    def _wait_for_room(self, mine: Count) -> None:
        with self.changed:
            self.changed.wait_for(lambda: mine.replaced or self.running < self.most, self.wait)
            if mine.replaced:
                raise Refused("busy", REPLACED)
            if self.running >= self.most:
                raise Refused("busy", BUSY)
            self.running += 1


COUNTER = Counter()
