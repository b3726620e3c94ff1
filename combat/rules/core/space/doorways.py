"""Doors in walls: a door drawn on a wall, a window or a fence cuts it, so an open door is a gap.

The stored wall stays whole; moving or deleting the door closes the gap.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import hypot
from operator import itemgetter

from .battle_map import DOOR, Wall
from .plane import Spot

ON_WALL = 0.25  # meters: a door with both ends this near to the line of a wall is in it
LEAN = 0.5  # of a door's length: how far it may lean away from the line of its wall
SAME = 1e-6  # meters: nearer spots are the same place
Edge = tuple[float, float, float, float]
Gap = tuple[float, float, Spot | None, Spot | None]  # meters along a wall, and the ends of the door there


def cut_walls(walls: Sequence[Wall]) -> list[tuple[Edge, ...]]:
    """The edges of each wall without its doors, with jambs to doors beside its line."""
    edges = ((wall.x1, wall.y1, wall.x2, wall.y2) for wall in walls)
    return [
        _leave(edge, sorted((gap for _, gap in found), key=itemgetter(0, 1))) if found else (edge,)
        for edge, found in zip(edges, find_gaps(walls), strict=True)
    ]


def find_hosts(walls: Sequence[Wall]) -> dict[str, Wall]:
    """The wall that contains each door, by door id; a door that fills a gap has none."""
    return {
        door.id: wall
        for wall, found in zip(walls, find_gaps(walls), strict=True)
        for door, gap in found
        if gap[2] and gap[3]
    }


def find_gaps(walls: Sequence[Wall]) -> list[list[tuple[Wall, Gap]]]:
    """The doors in each wall and the gaps they make; empty for doors themselves."""
    doors = [wall for wall in walls if wall.kind == DOOR]
    rows = (_Row(doors, 0), _Row(doors, 1)) if doors else ()
    return [_find_doors_in(wall, rows) if rows and wall.kind != DOOR else [] for wall in walls]


def _find_doors_in(wall: Wall, rows: tuple[_Row, ...]) -> list[tuple[Wall, Gap]]:
    near = min((row.find(wall) for row in rows), key=len)
    return [(door, gap) for door in near if (gap := find_gap(wall, door))]


class _Row:
    """The doors of a map by their middles, from left to right or from the top down."""

    def __init__(self, doors: list[Wall], axis: int) -> None:
        self.axis = axis
        middles = [((door.x1 + door.x2) / 2, (door.y1 + door.y2) / 2)[axis] for door in doors]
        pairs = sorted(zip(middles, doors, strict=True), key=itemgetter(0))
        self.places, self.doors = [place for place, _ in pairs], [door for _, door in pairs]

    def find(self, wall: Wall) -> list[Wall]:
        """The doors that may be in a wall."""
        low, high = sorted((wall.x1, wall.x2) if self.axis == 0 else (wall.y1, wall.y2))
        return self.doors[bisect_left(self.places, low - ON_WALL) : bisect_right(self.places, high + ON_WALL)]


def find_gap(wall: Wall, door: Wall) -> Gap | None:
    """The gap of a door in a wall; None if the door is not in it. An end beyond the wall's is None."""
    across, down = wall.x2 - wall.x1, wall.y2 - wall.y1
    long, wide = hypot(across, down), hypot(door.x2 - door.x1, door.y2 - door.y1)
    if long < SAME or wide < SAME:
        return None
    right, low = across / long, down / long
    ends = []
    for x, y in ((door.x1, door.y1), (door.x2, door.y2)):
        off = (x - wall.x1) * low - (y - wall.y1) * right
        if abs(off) > ON_WALL:
            return None
        ends.append(((x - wall.x1) * right + (y - wall.y1) * low, off, (x, y)))
    (start, off, one), (end, other_off, other) = sorted(ends)
    if not 0 <= (start + end) / 2 <= long or abs(off - other_off) > LEAN * wide:
        return None
    return (
        max(start, 0.0),
        min(end, long),
        one if start >= -SAME else None,
        other if end <= long + SAME else None,
    )


def _leave(edge: Edge, gaps: list[Gap]) -> tuple[Edge, ...]:
    """The rest of an edge between gaps, which are in order, with jambs to doors beside its line."""
    x1, y1, x2, y2 = edge
    long = hypot(x2 - x1, y2 - y1)

    def place(at: float) -> Spot:
        return x1 + (x2 - x1) * at / long, y1 + (y2 - y1) * at / long

    kept: list[Edge] = []
    at, jamb = 0.0, None
    for start, end, one, other in gaps:
        if start > at + SAME:
            kept += [*_join(place(at), jamb), (*place(at), *place(start)), *_join(place(start), one)]
        if end >= at:
            at, jamb = end, other
    if at < long - SAME:
        kept += [*_join(place(at), jamb), (*place(at), x2, y2)]
    return tuple(kept)


def _join(spot: Spot, jamb: Spot | None) -> tuple[Edge, ...]:
    """The short wall from a gap to the end of its door, if the door is beside the line."""
    if jamb is None or hypot(spot[0] - jamb[0], spot[1] - jamb[1]) < SAME:
        return ()
    return ((*spot, *jamb),)
