"""Distances for the map: from place to place, and how far a weapon reaches until its range gets worse."""

from __future__ import annotations

import msgspec

from .hexes import Spot, plot
from .plane import Point

ROUND, SQUARE, OCTAGON, HEXAGON = "round", "square", "octagon", "hexagon"


class Measured(msgspec.Struct, frozen=True):
    """How far it is from one place to another, in words, and from where to where the game counts that."""

    words: str
    start: Point
    end: Point


class Ring(msgspec.Struct, frozen=True):
    """All places within so many metres of somebody, in words, for one weapon by its id.

    `shape` is how the game counts: straight; diagonals as one; every second of them as two; in hexes.
    """

    item: str
    metres: float
    words: str
    shape: str = ROUND


def outline_ring(ring: Ring, cell: float) -> tuple[Spot, ...]:
    """The corners of a ring around the middle of the plane; none for a round one.

    Where cells are counted the last of them lies inside, so it is half a cell wider.
    """
    far = ring.metres + cell / 2
    if ring.shape == SQUARE:
        return (-far, -far), (far, -far), (far, far), (-far, far)
    if ring.shape == OCTAGON:
        near = far * 2 / 3
        quarter = ((0.0, -far), (near, -near), (far, 0.0), (near, near))
        return (*quarter, *((-x, -y) for x, y in quarter))
    if ring.shape == HEXAGON:
        ends = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
        return tuple(plot(far * x, far * y, True) for x, y in ends)
    return ()


def no_rings(state: object, fighter: object) -> tuple[Ring, ...]:
    """No distance matters more than another."""
    return ()
