"""The drawing of a hex map: row by row, each half a hex farther to the right; a hex is 1 m wide.

A place is named by its hex: x counts along the row, y from row to row (axial coordinates).
"""

from __future__ import annotations

from math import sqrt

ROW = sqrt(3) / 2  # from the middle of one row of hexes to the next, in widths of a hex
CORNER = 1 / sqrt(3)  # from the middle of a hex to a corner, in widths of a hex
Spot = tuple[float, float]


def plot(x: float, y: float, hexes: bool) -> Spot:
    """The drawn position of a place, in meters of the picture."""
    return (x + y / 2, y * ROW) if hexes else (x, y)


def unplot(x: float, y: float) -> Spot:
    """The place on a hex map drawn at a spot of the picture."""
    row = y / ROW
    return round(x - row / 2, 3), round(row, 3)
