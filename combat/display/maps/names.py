"""Where the names of zones stand on the map: each in its own zone, none over another, and under no token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from combat.rules.core.space.hexes import Spot

LETTER = 0.6  # how many metres wide a letter of a name is at scale 1
MARGIN, LINE, TOP = 0.5, 1.2, 0.35  # of a name: left of it, from line to line, and above the first one
STEP = 0.4  # of a line: how much lower the next place is that is tried
SIZES = (1.0, 0.8, 0.65)  # of the usual one: a small name is better than one over another
MIN_SCALE = 0.05  # of scale 1
MAX_KEPT = 256
Box = tuple[float, float, float, float]  # left, top, right, low


@dataclass(frozen=True)
class Name:
    """The name of a zone in lines: its corner as they are drawn from it, and its size."""

    lines: tuple[str, ...]
    spot: Spot
    scale: float

    @property
    def box(self) -> Box:
        """What it covers."""
        (x, y), scale = self.spot, self.scale
        wide = max(map(find_width, self.lines), default=0.0) * scale
        return x, y + TOP * scale, x + wide, y + (TOP + LINE * len(self.lines)) * scale


class Named(NamedTuple):
    """A zone as far as its name looks at it: its corners as drawn, from the upper left one clockwise."""

    name: str
    corners: tuple[Spot, ...]

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.corners[1][0] - self.corners[0][0]

    @property
    def depth(self) -> float:
        """How deep it is."""
        return self.corners[3][1] - self.corners[0][1]

    def find_left(self, down: float) -> float:
        """Where its left side is, so far below its upper side: on a map of hexes it leans."""
        (x, _), (low, _) = self.corners[0], self.corners[3]
        return x + (low - x) * down / self.depth


def find_width(line: str) -> float:
    """How many metres a line of a name takes at scale 1, its margin included."""
    return LETTER * len(line) + 2 * MARGIN


@lru_cache(maxsize=MAX_KEPT)
def place_names(zones: tuple[Named, ...], scale: float, hidden: tuple[Box, ...] = ()) -> tuple[Name, ...]:
    """The names of zones, in their order, clear of what tokens hide as far as there is room for that.

    Small zones come first: large ones have room elsewhere.
    """
    placed: dict[int, Name] = {}
    for number in sorted(range(len(zones)), key=lambda n: zones[n].width * zones[n].depth):
        taken = [name.box for name in placed.values()]
        placed[number] = _place(zones[number], scale, taken, hidden)
    return tuple(placed[number] for number in range(len(zones)))


def _place(zone: Named, scale: float, taken: list[Box], hidden: tuple[Box, ...]) -> Name:
    inside = (name for name in _find_places(zone, scale, below=False) if _is_free(name, (*taken, *hidden)))
    anywhere = (name for name in _find_places(zone, scale) if _is_free(name, taken))
    return next(inside, None) or next(anywhere)


def _is_free(name: Name, taken: Iterable[Box]) -> bool:
    left, top, right, low = name.box
    return not any(left < r and x < right and top < b and y < low for x, y, r, b in taken)


def _find_places(zone: Named, scale: float, *, below: bool = True) -> Iterator[Name]:
    """Where a name may stand: in its zone from the corner downwards, smaller, at last below its zone."""
    lines = (zone.name,) if find_width(zone.name) * scale <= zone.width else tuple(zone.name.split())
    widest = max(map(find_width, lines), default=1.0)
    usual = max(MIN_SCALE, min(scale, zone.width / widest))
    for share in SIZES:
        yield from _go_down(zone, lines, usual * share, zone.depth)
    if below:
        yield from _go_down(zone, lines, usual, float("inf"))


def _go_down(zone: Named, lines: tuple[str, ...], size: float, most: float) -> Iterator[Name]:
    """The places of a name of one size, row by row: at the left side and at the right one."""
    wide, tall = max(map(find_width, lines), default=1.0) * size, (TOP + LINE * len(lines)) * size
    down = 0.0
    while down == 0 or down + tall <= most:
        left = zone.find_left(down)
        y = round(zone.corners[0][1] + down, 2)
        yield Name(lines, (round(left, 2), y), size)
        if zone.width - wide > STEP:
            yield Name(lines, (round(left + zone.width - wide, 2), y), size)
        down += STEP * LINE * size
