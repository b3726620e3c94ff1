"""Pages that no stream reaches: they ask every few seconds. What they missed, and how many there are.

Like the streams, this knows only what its own process hears and answers.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field

ASK_SECONDS = 2  # a page asks less often, so each ask within this time is of another page
VISIT_SECONDS = 120  # from one note that someone is here to the next
POINT_SECONDS = 5  # how long a page may ask for a point: two of its pauses
MAX_POINTS = 40  # of an encounter: newer ones replace the oldest
Right = tuple[int, int, int, int]  # an encounter, and a seat, a link, a token or the owner
Word = tuple[str, str]  # an event, and its data


@dataclass(frozen=True)
class Point:
    """A point, a line or other news: when (microseconds since 1970), and for which kinds of pages.

    It may be for those of one `seat` alone.
    """

    at: int
    kinds: tuple[str, ...]
    word: Word
    seat: int = 0


@dataclass
class Askers:
    """The pages of one right: when they asked, and when their person was last noted as here."""

    asks: deque[float] = field(default_factory=deque)
    noted: float = 0.0


_points: dict[int, deque[Point]] = {}
_askers: dict[Right, Askers] = {}


def keep_point(encounter: int, point: Point) -> None:
    """Keep a point for the pages that ask soon; safe from any thread."""
    oldest = point.at - POINT_SECONDS * 1_000_000
    for other, kept in tuple(_points.items()):
        if kept[-1].at < oldest:
            _points.pop(other, None)
    _points.setdefault(encounter, deque(maxlen=MAX_POINTS)).append(point)


def find_points(encounter: int, kind: str, since: int, seat: int = 0) -> tuple[list[Word], int]:
    """The points since a moment that a page of a kind and a seat may see, and the moment of the last one."""
    oldest = time.time_ns() // 1000 - POINT_SECONDS * 1_000_000
    after = max(since, oldest)
    fresh = [point for point in tuple(_points.get(encounter, ())) if point.at > after]
    found = [point for point in fresh if kind in point.kinds and point.seat in (0, seat)]
    return [point.word for point in found], max((point.at for point in found), default=since)


def count_askers(right: Right) -> int:
    """The number of pages with this right that ask now."""
    asks = _askers[right].asks if right in _askers else ()
    return sum(ask > time.monotonic() - ASK_SECONDS for ask in asks)


def note_ask(right: Right) -> bool:
    """Count a page that asks; return whether it is time to note that its person is here."""
    now = time.monotonic()
    if right not in _askers:
        _forget_old(now)
    askers = _askers.setdefault(right, Askers(noted=now))
    askers.asks.append(now)
    while askers.asks[0] <= now - ASK_SECONDS:
        askers.asks.popleft()
    is_due = now - askers.noted >= VISIT_SECONDS
    askers.noted = now if is_due else askers.noted
    return is_due


def _forget_old(now: float) -> None:
    for right, askers in tuple(_askers.items()):
        if askers.asks[-1] < now - VISIT_SECONDS:
            del _askers[right]
