"""How the plane is drawn: unchanged or, on a map of hexes, in rows, each half a hex farther to the right.

A place on a map of hexes is named by its hex: x counts along the row, y from row to row (axial
coordinates). Here such places become points of the picture; a hex is 1 m from side to side.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import ceil

from combat.rules.core.space import CORNER, Piece, Spot, plot

from .crowd import TOKEN_METERS

SHEET = (30, 16)  # minimum of squares across and down to draw on
PLOT_MARGIN = 0.15  # around them, as a share of the content
GRID_STEPS = (1, 2, 5, 10, 20, 50, 100, 1000, 10_000)  # meters between grid lines
INSET = 0.9  # how much of its hex a mark fills
PATTERN = (  # the sides of the hexes in a tile of 1 by 2 rows, from the middle of a hex
    f"M.5 0V{CORNER / 2:.3f}L0 {CORNER:.3f}V{2 * CORNER:.3f}L.5 {2.5 * CORNER:.3f}V{3 * CORNER:.3f}"
    f"M.5 {CORNER / 2:.3f} 1 {CORNER:.3f}V{2 * CORNER:.3f}L.5 {2.5 * CORNER:.3f}"
)


def outline_area(x: float, y: float, width: float, depth: float, hexes: bool) -> tuple[Spot, ...]:
    """The corners of a zone as drawn: on a map of hexes it leans."""
    corners = ((x, y), (x + width, y), (x + width, y + depth), (x, y + depth))
    return tuple([plot(*corner, hexes) for corner in corners]) if hexes else corners


def outline_cell(x: float, y: float, side: float, hexes: bool) -> tuple[Spot, ...]:
    """The corners of a mark on a square or hex, a little inside it."""
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
    """Corners as an SVG path."""
    return write_line(corners) + "z"


def write_line(spots: tuple[Spot, ...]) -> str:
    """A line from spot to spot as an SVG path."""
    return "M" + "L".join(f"{round(x, 2):g} {round(y, 2):g}" for x, y in spots)


def outline_pieces(pieces: tuple[Piece, ...]) -> str:
    """The outline of adjoining rectangles as one SVG path, without lines between them."""
    xs = sorted({round(x, 2) for piece in pieces for x in (piece.x, piece.x + piece.width)})
    ys = sorted({round(y, 2) for piece in pieces for y in (piece.y, piece.y + piece.depth)})
    ahead: dict[Spot, list[Spot]] = {}
    for left, right in pairwise(xs):
        for top, low in pairwise(ys):
            if any(_covers(piece, (left + right) / 2, (top + low) / 2) for piece in pieces):
                _add_sides(ahead, ((left, top), (right, top), (right, low), (left, low)))
    return "".join(map(write_outline, _follow(ahead)))


def _covers(piece: Piece, x: float, y: float) -> bool:
    return piece.x < x < piece.x + piece.width and piece.y < y < piece.y + piece.depth


def _add_sides(ahead: dict[Spot, list[Spot]], corners: tuple[Spot, ...]) -> None:
    """Add the sides of a rectangle; opposite sides lie between two rectangles and cancel out."""
    for start, end in pairwise((*corners, corners[0])):
        if start in ahead.get(end, ()):
            ahead[end].remove(start)
        else:
            ahead.setdefault(start, []).append(end)


def _follow(ahead: dict[Spot, list[Spot]]) -> Iterable[tuple[Spot, ...]]:
    """The closed lines made of these sides, without points on straight lines."""
    for start in list(ahead):
        while ahead[start]:
            line = [start]
            while not (len(line) > 1 and line[-1] == start):
                line.append(ahead[line[-1]].pop())
            ends = [line[-2], *line]
            corners = zip(ends, ends[1:], ends[2:], strict=False)
            yield tuple(b for a, b, c in corners if not _is_between(a, b, c))


def _is_between(a: Spot, b: Spot, c: Spot) -> bool:
    return a[0] == b[0] == c[0] or a[1] == b[1] == c[1]


def find_box(spots: list[Spot]) -> tuple[int, int, int, int]:
    """The part of the plane that contains all these spots: left, top, width, height."""
    if not spots:
        return 0, 0, 20, 10
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    left, top = int(min(xs)) - 1, int(min(ys)) - 1
    return left, top, int(max(xs)) - left + 2, int(max(ys)) - top + 2


def hold_tokens(box: tuple[int, int, int, int], meters: int) -> tuple[int, int, int, int]:
    """The part of the plane, widened so that tokens at its edge fit.

    Tokens have their usual size if the result is `meters` wide.
    """
    left, top, width, height = box
    half = TOKEN_METERS / 2 / meters  # as a share of the final width
    more = max(0, ceil((half * width - 1) / (1 - 2 * half)))  # find_box has added one meter
    return left - more, top - more, width + 2 * more, height + 2 * more


def make_room(box: tuple[int, int, int, int], cell: float) -> tuple[int, int, int, int]:
    """The part of the plane with margins to draw in, never smaller than a sheet of squares."""
    left, top, width, height = box
    margin = ceil(max(width, height) * PLOT_MARGIN)
    wide, tall = (
        max(ceil(cells * cell), long + 2 * margin) for cells, long in zip(SHEET, box[2:], strict=True)
    )
    return left - (wide - width) // 2, top - (tall - height) // 2, wide, tall


def find_step(box: tuple[int, int, int, int], cell: float, most: int) -> float:
    """The distance of grid lines in meters that gives at most `most` lines."""
    return next(cell * step for step in GRID_STEPS if max(box[2:]) <= cell * step * most)
