"""The cells of a battle map: squares or hexes, where each lies on the plane, and its corners.

A square's middle lies on whole multiples of its side. On a map of hexes a place is named by its hex: x counts
along the row, y from row to row (axial coordinates).
"""

from __future__ import annotations

from math import ceil, floor

import msgspec

from .battle_map import BattleMap
from .hexes import CORNER, Spot, plot
from .plane import Point

PULLED_IN = 0.98  # corners lie a little inside their cell, so that a wall along its edge is in the way
Cell = tuple[int, int]


class Grid(msgspec.Struct, frozen=True):
    """How places of a scene are counted: the side of a cell in metres, and whether places are hexes."""

    cell: float = 1.0
    hexes: bool = False

    def plot(self, at: Point) -> Spot:
        """Where a place lies on the plane as it is drawn, in metres."""
        return plot(at.x, at.y, self.hexes)

    def find_cell(self, at: Point) -> Cell:
        """The cell that a place lies in."""
        if self.hexes:
            return round_hex(at.x, at.y)
        return floor(at.x / self.cell + 0.5), floor(at.y / self.cell + 0.5)

    def find_middle(self, cell: Cell) -> Point:
        """The place in the middle of a cell."""
        if self.hexes:
            return Point(float(cell[0]), float(cell[1]))
        return Point(round(cell[0] * self.cell, 6), round(cell[1] * self.cell, 6))

    def find_near(self, cell: Cell) -> tuple[Cell, ...]:
        """The cells next to one, those across a side first."""
        x, y = cell
        steps = HEX_STEPS if self.hexes else SQUARE_STEPS
        return tuple((x + dx, y + dy) for dx, dy in steps)

    def find_covered(self, at: Point, metres: float = 0.0) -> tuple[Point, ...]:
        """The middles of the cells of somebody who stands at a place and takes up so many metres; 0: one."""
        if metres <= self.cell:
            return (at,)
        if self.hexes:
            far = range(-round((metres - 1) / 2), round((metres - 1) / 2) + 1)
            return tuple(Point(at.x + q, at.y + r, at.z) for q in far for r in far if abs(q + r) <= far[-1])
        many = ceil(metres / self.cell - 1e-9)
        steps = [(metres - self.cell) * (step / (many - 1) - 0.5) for step in range(many)]
        return tuple(Point(at.x + x, at.y + y, at.z) for y in steps for x in steps)

    def find_corners(self, at: Point, metres: float = 0.0) -> tuple[Spot, ...]:
        """The corners of somebody who stands at a place and takes up so many metres; 0: one cell."""
        x, y = self.plot(at)
        size = (metres or self.cell) * PULLED_IN
        turns = HEX_TURNS if self.hexes else SQUARE_TURNS
        return tuple((x + size * right, y + size * down) for right, down in turns)


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


def round_hex(q: float, r: float) -> Cell:
    """The hex a point of axial coordinates lies in."""
    rq, rr, rs = round(q), round(r), round(-q - r)
    off_q, off_r, off_s = abs(rq - q), abs(rr - r), abs(rs + q + r)
    if off_q > off_r and off_q > off_s:
        rq = -rr - rs
    elif off_r > off_s:
        rr = -rq - rs
    return rq, rr


def make_grid(battle_map: BattleMap, cell: float, hexes: bool) -> Grid:
    """The grid of a map in a game whose own cells have so many metres."""
    return Grid(1.0 if hexes else battle_map.cell or cell, hexes)
