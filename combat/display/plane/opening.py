"""The part of a map that a page opens with: the people on it and what the acting ones can reach soon."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from combat.rules.core.space import Spot

from .crowd import NAMES_AT, TOKEN_METERS
from .names import Box

NEAR = 10.0  # meters around those who act: a usual move, and close range
LEAST = (16.0, 12.0)  # meters across and down: nearer than that, nobody sees where they are


class Seen(NamedTuple):
    """Someone on the map: where and how large they are drawn, whether they act, whether they are out."""

    spot: Spot
    scale: float
    acts: bool
    is_out: bool

    @property
    def box(self) -> Box:
        """What they cover with their name, and around those who act what is near, in meters."""
        (x, y), half = self.spot, TOKEN_METERS * self.scale
        low = max(half, (NAMES_AT[0] + 0.4) * self.scale)
        if self.acts:
            return x - max(half, NEAR), y - max(half, NEAR), x + max(half, NEAR), y + max(low, NEAR)
        return x - half, y - half, x + half, y + low


def find_opening(people: Iterable[Seen], whole: tuple[int, int, int, int]) -> tuple[float, ...]:
    """The part of a map to begin with: left, top, width, height in meters; the `whole` without people.

    The fallen count only if nobody else is there.
    """
    known = list(people)
    boxes = [one.box for one in known if not one.is_out] or [one.box for one in known]
    if not boxes:
        return whole
    lefts, tops, rights, lows = zip(*boxes, strict=True)
    left, top, width, height = whole
    x, wide = _hold(min(lefts), max(rights), LEAST[0], (left, width))
    y, tall = _hold(min(tops), max(lows), LEAST[1], (top, height))
    return x, y, wide, tall


def _hold(start: float, end: float, least: float, whole: tuple[float, float]) -> tuple[float, float]:
    """A stretch of at least so many meters within the whole one: where it starts, and how long it is."""
    first, most = whole
    start, end = max(start, first), min(end, first + most)
    long = min(most, max(least, end - start))
    middle = (start + end) / 2
    return round(min(max(first, middle - long / 2), first + most - long), 1), round(long, 1)
