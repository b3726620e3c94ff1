"""The places of zone names on the map: each in its own zone, none over another, none under a token.

If there is room, they leave things free too. They are never too small to read: a name without room is
shortened, and without any left out, since the list of zones has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from characters.display.shapes import Shape
from combat.rules.core.space import Spot

LETTER, TIGHT = 0.6, 0.53  # meters per letter at scale 1, with room and without
SHORT = "\N{HORIZONTAL ELLIPSIS}"  # after the rest of a shortened word
MARGIN, LINE, TOP = 0.5, 1.2, 0.35  # of a name: at its left, from line to line, above the first
HAIR = 0.15  # meters that a name may overlap at the sides: it has a margin itself
STEP = 0.4  # of a line: from one try to the next below it
DESCENT = 0.2  # meters at scale 1 below the letters of a line that may be outside of the zone
SIZES = (1.0, 0.8, 0.65)  # of the usual one: rather a small name than one over another
SIDES, BETWEEN = (0.0, 1.0), (0.5, 0.25, 0.75)  # shares of the free width at the left of a name
OUT = 6  # meters that a name can stick out of a small zone, at scale 1
FEWEST = 4  # letters of a shortened word that still say something
MAX_CACHED = 256
Box = tuple[float, float, float, float]  # left, top, right, low


class Name(Shape, frozen=True):
    """The name of a zone in lines: their corner, their size; `is_short` if it is shortened.

    Without lines it is left out.
    """

    lines: tuple[str, ...]
    spot: Spot
    scale: float
    is_short: bool = False

    @property
    def box(self) -> Box:
        """The area it covers."""
        (x, y), scale = self.spot, self.scale
        wide = max(map(width_of_name, self.lines), default=0.0) * scale
        return x, y + TOP * scale, x + wide, y + (TOP + LINE * len(self.lines)) * scale

    @property
    def says_little(self) -> bool:
        """Whether only a few letters of one of its words are left."""
        return any(line.endswith(SHORT) and len(line) <= FEWEST for line in self.lines)


class Named(NamedTuple):
    """A zone as its name needs it: its drawn corners, clockwise from the upper left.

    `over` are the areas of other zones that lie over it.
    """

    name: str
    corners: tuple[Spot, ...]
    over: tuple[Box, ...] = ()

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.corners[1][0] - self.corners[0][0]

    @property
    def depth(self) -> float:
        """How deep it is."""
        return self.corners[3][1] - self.corners[0][1]

    def meets(self, box: Box, more: float) -> bool:
        """Whether a box covers a part of the rectangle around it, extended by so much."""
        xs, (_, top), (_, low) = [x for x, _ in self.corners], self.corners[0], self.corners[3]
        left, right = min(xs) - more, max(xs) + more
        return box[0] < right and box[2] > left and box[1] < low + more and box[3] > top

    def find_left(self, down: float) -> float:
        """The x of its left side at a depth below its upper side: on a map of hexes the side leans."""
        (x, _), (low, _) = self.corners[0], self.corners[3]
        return x + (low - x) * down / self.depth


def width_of_name(line: str) -> float:
    """The width of a line of a name in meters at scale 1, including its margin."""
    return LETTER * len(line) + 2 * MARGIN


@lru_cache(maxsize=MAX_CACHED)
def place_names(
    zones: tuple[Named, ...],
    scale: float,
    least: float = 0.0,
    hidden: tuple[Box, ...] = (),
    things: tuple[Box, ...] = (),
    *,
    may_hide: bool = False,
) -> tuple[Name, ...]:
    """The names of zones, in their order, clear of what tokens hide, and of things, if there is room.

    Their size is `scale`, or smaller without room, down to `least`. Small zones choose first: large ones have
    room elsewhere. If they `may_hide`, those without room are left out.
    """
    placed: dict[int, Name] = {}
    for number in sorted(range(len(zones)), key=lambda n: zones[n].width * zones[n].depth):
        zone = zones[number]
        taken = [*zone.over, *(name.box for name in placed.values() if name.lines)]
        hard = (*taken, *((left + HAIR, top, right - HAIR, low) for left, top, right, low in hidden))
        nowhere = Name((), zone.corners[0], scale)
        placed[number] = (
            (nowhere if not zone.name else None)
            or _place(zone, (scale, least), (*hard, *things), may_hide)
            or (things and _place(zone, (scale, least), hard, may_hide))
            or _place(zone, (scale, least), hard, may_hide, in_one_line=True)
            or (not may_hide and _place(zone, (scale, least), tuple(taken), is_long=False))
            or nowhere
        )
    return tuple(placed[number] for number in range(len(zones)))


def clear_of(name: Name, hidden: tuple[Box, ...]) -> Name:
    """The name, or none if it lies on people or their names: the list of zones has it."""
    on = ((left + HAIR, top + HAIR, right - HAIR, low - HAIR) for left, top, right, low in hidden)
    return name if _is_free(name, on) else Name((), name.spot, name.scale)


def _place(
    zone: Named,
    sizes: tuple[float, float],
    taken: tuple[Box, ...],
    is_long: bool,
    *,
    in_one_line: bool = False,
) -> Name | None:
    """The first free place for a name in its zone; None if there is none.

    If it must be `is_long`, a form with only a few letters is none. Flat zones have room for one line only.
    """
    near = [box for box in taken if zone.meets(box, OUT * sizes[0])]
    forms = ((zone.name,),) if in_one_line else _find_forms(zone, sizes[0])
    free = (name for name in _find_places(zone, *sizes, forms=forms) if _is_free(name, near))
    return next((name for name in free if not (is_long and name.says_little)), None)


def _is_free(name: Name, taken: Iterable[Box]) -> bool:
    left, top, right, low = name.box
    return not [x for x, y, r, b in taken if left < r and x < right and top < b and y < low]


def _find_places(
    zone: Named, scale: float, least: float, forms: tuple[tuple[str, ...], ...]
) -> Iterator[Name]:
    """The places to try for a name in its zone, in each of its forms: from the corner down, then smaller."""
    fits = {lines: min(scale, zone.width / max(map(width_of_name, lines), default=1.0)) for lines in forms}
    sizes = ((lines, max(least, fits[lines] * share)) for share in SIZES for lines in forms)
    for lines, size in dict.fromkeys(sizes):
        short = _shorten(lines, zone.width / size)
        yield from _go_down(zone, short, size, SIDES)
        yield from _go_down(zone, short, size, BETWEEN)


def _find_forms(zone: Named, scale: float) -> tuple[tuple[str, ...], ...]:
    """The name as one line if its zone is wide enough, and word by word."""
    whole, broken = (zone.name,), tuple(zone.name.split())
    is_wide = width_of_name(zone.name) * scale <= zone.width
    return tuple(dict.fromkeys((whole, broken))) if is_wide else (broken,)


def _shorten(lines: tuple[str, ...], room: float) -> tuple[str, ...]:
    """Lines no wider than `room` at scale 1, shortened with an ellipsis."""
    most = int((room - MARGIN) / TIGHT + 1e-6)
    return tuple(line if len(line) <= most else line[: max(0, most - 1)].rstrip() + SHORT for line in lines)


def _go_down(zone: Named, lines: tuple[str, ...], size: float, shares: tuple[float, ...]) -> Iterator[Name]:
    """The places for a name of one size, row by row; `shares` of the free width are on its left."""
    wide, tall = max(map(width_of_name, lines), default=1.0) * size, (TOP + LINE * len(lines)) * size
    is_short, room = any(line.endswith(SHORT) for line in lines), zone.width - wide
    down, most = 0.0, zone.depth + DESCENT * size
    while down + tall <= most:
        left, y = zone.find_left(down), round(zone.corners[0][1] + down, 2)
        for share in shares if room > STEP else (0.0,):
            yield Name(lines, (round(left + room * share, 2), y), size, is_short)
        down += STEP * LINE * size
