"""The cells of a battle map: squares or hexes, their position on the plane, and their corners.

The middle of a square is at whole multiples of its side. On a map of hexes a place is named by its hex: x
counts along the row, y from row to row (axial coordinates).
"""

from __future__ import annotations

from math import ceil, floor

import msgspec

from .battle_map import BattleMap
from .plane import CORNER, Point, Spot, plot

PULLED_IN = 0.98  # corners are slightly inside their cell, so that a wall along its edge is in the way
Cell = tuple[int, int]

SQUARE_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
HEX_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
SQUARE_TURNS = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
HEX_TURNS = (
    (0.0, -CORNER),
    (0.5, -CORNER / 2),
    (0.5, CORNER / 2),
    (0.0, CORNER),
    (-0.5, CORNER / 2),
    (-0.5, -CORNER / 2),
)


class Grid(msgspec.Struct, frozen=True):
    """The grid of a scene: the side of a cell in meters, and whether places are hexes."""

    cell: float = 1.0
    hexes: bool = False

    def plot(self, at: Point) -> Spot:
        """The drawn position of a place on the plane, in meters."""
        return plot(at.x, at.y, self.hexes)

    def find_cell(self, at: Point) -> Cell:
        """The cell of a place."""
        if self.hexes:
            return round_hex(at.x, at.y)
        return floor(at.x / self.cell + 0.5), floor(at.y / self.cell + 0.5)

    def find_middle(self, cell: Cell) -> Point:
        """The place in the middle of a cell."""
        if self.hexes:
            return Point(float(cell[0]), float(cell[1]))
        return Point(round(cell[0] * self.cell, 6), round(cell[1] * self.cell, 6))

    def find_near(self, cell: Cell) -> tuple[Cell, ...]:
        """The neighbors of a cell, those across a side first."""
        x, y = cell
        steps = HEX_STEPS if self.hexes else SQUARE_STEPS
        return tuple((x + dx, y + dy) for dx, dy in steps)

    def find_covered(self, at: Point, meters: float = 0.0) -> tuple[Point, ...]:
        """The middles of the cells under a body of some meters at a place; 0: one."""
        if meters <= self.cell:
            return (at,)
        if self.hexes:
            far = range(-round((meters - 1) / 2), round((meters - 1) / 2) + 1)
            return tuple(
                Point(at.x + q, at.y + r, at.z, at.shift) for q in far for r in far if abs(q + r) <= far[-1]
            )
        many = max(2, ceil(meters / self.cell - 1e-9))
        steps = [(meters - self.cell) * (step / (many - 1) - 0.5) for step in range(many)]
        return tuple(Point(at.x + x, at.y + y, at.z, at.shift) for y in steps for x in steps)

    def find_corners(self, at: Point, meters: float = 0.0) -> tuple[Spot, ...]:
        """The corners of a body of some meters at a place; 0: one cell."""
        x, y = self.plot(at)
        size = (meters or self.cell) * PULLED_IN
        turns = HEX_TURNS if self.hexes else SQUARE_TURNS
        return tuple((x + size * right, y + size * down) for right, down in turns)


def round_hex(q: float, r: float) -> Cell:
    """The hex at axial coordinates."""
    rq, rr, rs = round(q), round(r), round(-q - r)
    off_q, off_r, off_s = abs(rq - q), abs(rr - r), abs(rs + q + r)
    if off_q > off_r and off_q > off_s:
        rq = -rr - rs
    elif off_r > off_s:
        rr = -rq - rs
    return rq, rr


def make_grid(battle_map: BattleMap, cell: float, hexes: bool) -> Grid:
    """The grid of a map in a game whose own cells have this many meters."""
    return Grid(1.0 if hexes else battle_map.cell or cell, hexes)
