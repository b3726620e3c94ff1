"""Distances for the map: between places, and the ranges of weapons."""

from __future__ import annotations

import msgspec

from .plane import Point, Spot, plot

ROUND, SQUARE, OCTAGON, HEXAGON = "round", "square", "octagon", "hexagon"


class Measured(msgspec.Struct, frozen=True):
    """The distance between two places, in words, and the points it is measured between."""

    words: str
    start: Point
    end: Point


class Ring(msgspec.Struct, frozen=True):
    """All places within some meters of someone, in words, for one weapon by id.

    `shape` is how the game counts: straight; diagonals as 1; every second diagonal as 2; in hexes.
    """

    item: str
    meters: float
    words: str
    shape: str = ROUND


def outline_ring(ring: Ring, cell: float) -> tuple[Spot, ...]:
    """The corners of a ring around the middle of the plane; none for a round one.

    A ring of cells includes the last cell, so it is half a cell wider.
    """
    far = ring.meters + cell / 2
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
