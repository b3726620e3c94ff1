"""How the plane is drawn: as it is or, on a map of hexes, row by row, each half a hex farther to the right.

A place on a map of hexes is named by its hex: x counts along the row, y from row to row (axial
coordinates). Here such places become points of the picture; a hex is 1 m from side to side.
"""

from __future__ import annotations

from combat.rules.core.space.hexes import CORNER, Spot, plot

INSET = 0.9  # how much of its hex a marked one fills
PATTERN = (  # the sides of the hexes in a tile of 1 by 2 rows, from the middle of a hex
    f"M.5 0V{CORNER / 2:.3f}L0 {CORNER:.3f}V{2 * CORNER:.3f}L.5 {2.5 * CORNER:.3f}V{3 * CORNER:.3f}"
    f"M.5 {CORNER / 2:.3f} 1 {CORNER:.3f}V{2 * CORNER:.3f}L.5 {2.5 * CORNER:.3f}"
)


def outline_area(x: float, y: float, width: float, depth: float, hexes: bool) -> tuple[Spot, ...]:
    """The corners of a zone as drawn: on a map of hexes it leans."""
    corners = ((x, y), (x + width, y), (x + width, y + depth), (x, y + depth))
    return tuple(plot(*corner, hexes) for corner in corners)


def outline_cell(x: float, y: float, side: float, hexes: bool) -> tuple[Spot, ...]:
    """The corners of a marked square or hex around the middle of one, a little inside it."""
    if not hexes:
        half = side / 2 - 0.06
        return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    left, top = plot(x, y, hexes)
    tall, wide = INSET * CORNER, INSET / 2
    turns = (
        (0, -tall),
        (wide, -tall / 2),
        (wide, tall / 2),
        (0, tall),
        (-wide, tall / 2),
        (-wide, -tall / 2),
    )
    return tuple((left + right, top + down) for right, down in turns)


def write_outline(corners: tuple[Spot, ...]) -> str:
    """Corners as a path of SVG."""
    return write_line(corners) + "z"


def write_line(spots: tuple[Spot, ...]) -> str:
    """A line from spot to spot as a path of SVG."""
    return "M" + "L".join(f"{round(x, 2):g} {round(y, 2):g}" for x, y in spots)
