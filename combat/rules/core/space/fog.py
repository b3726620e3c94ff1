"""What is seen of a map from a place: its cells in rows of bits, without those in the shadow of a wall.

A cell is seen where nothing that blocks sight crosses the line from the eye to its middle. Cells are squares
of the plane as it is drawn, also on a map of hexes.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from math import atan2, ceil, floor, hypot, inf, pi
from typing import NamedTuple

import msgspec

from .barriers import Edge, Plan
from .battle_map import Area, BattleMap, is_hidden_at
from .grid import Cell, Spot, plot
from .plane import Zone

MARGIN = 2  # cells around what is drawn
MAX_SIDE = 200  # cells
TINY = 1e-7
Rows = dict[int, int]


class Window(msgspec.Struct, frozen=True):
    """The part of the plane that is looked at, in cells: the first column and row, and how many."""

    cell: float
    left: int
    top: int
    columns: int
    rows: int

    def find_cell(self, spot: Spot) -> Cell:
        """The cell that a spot of the plane lies in."""
        return floor(spot[0] / self.cell + 0.5), floor(spot[1] / self.cell + 0.5)

    @property
    def whole(self) -> int:
        """A row of which every cell is meant."""
        return (1 << self.columns) - 1


def make_window(
    battle_map: BattleMap, zones: Iterable[Zone], spots: Iterable[Spot], cell: float, hexes: bool
) -> Window:
    """The cells around everything that is drawn, and around some spots."""
    corners = [spot for wall in battle_map.walls for spot in ((wall.x1, wall.y1), (wall.x2, wall.y2))]
    boxes = [
        *battle_map.obstacles,
        *battle_map.hidden,
        *((battle_map.picture,) if battle_map.picture else ()),
    ]
    corners += [spot for box in boxes for spot in ((box.x, box.y), (box.x + box.width, box.y + box.depth))]
    corners += [plot(x, y, hexes) for z in zones for x in (z.x, z.x + z.width) for y in (z.y, z.y + z.depth)]
    corners += spots
    xs, ys = [x / cell for x, _ in corners] or [0.0], [y / cell for _, y in corners] or [0.0]
    left, top = floor(min(xs)) - MARGIN, floor(min(ys)) - MARGIN
    columns, rows = ceil(max(xs)) + MARGIN - left + 1, ceil(max(ys)) + MARGIN - top + 1
    return Window(cell, left, top, min(columns, MAX_SIDE), min(rows, MAX_SIDE))


def find_visible(plan: Plan, window: Window, eye: Spot) -> Rows:
    """The cells seen from a spot, row by row: bit n of a row is the cell in column n."""
    key = ("visible", window, eye)
    found = plan.kept.get(key)
    return found if found is not None else plan.keep(key, _cast(plan, window, eye))


def _cast(plan: Plan, window: Window, eye: Spot) -> Rows:
    """Shade the cells behind each wall, the nearest first; who is wholly behind others shades nothing."""
    dark = [0] * window.rows
    hidden = _Hidden()
    for screen in sorted(_find_screens(plan, window, eye)):
        if not hidden.covers(screen):
            _shade(dark, window, eye, screen.edge)
            hidden.add(screen)
    whole = window.whole
    return {window.top + n: whole & ~row for n, row in enumerate(dark) if row != whole}


class Screen(NamedTuple):
    """An edge as seen from the eye: how near its nearest point is, its farthest, and its angles."""

    near: float
    far: float
    first: float
    last: float
    edge: Edge


def _find_screens(plan: Plan, window: Window, eye: Spot) -> Iterator[Screen]:
    """The edges that block sight and lie in the window, as seen from the eye."""
    cell, (ex, ey) = window.cell, eye
    left, top = (window.left - 1) * cell - ex, (window.top - 1) * cell - ey
    right, low = (window.left + window.columns) * cell - ex, (window.top + window.rows) * cell - ey
    for number, x1, y1, x2, y2, dx, dy in plan.index.edges:
        ax, ay, bx, by = x1 - ex, y1 - ey, x2 - ex, y2 - ey
        outside = max(ax, bx) < left or min(ax, bx) > right or max(ay, by) < top or min(ay, by) > low
        if outside or number in plan.dark or abs(ax * by - ay * bx) <= TINY * (abs(dx) + abs(dy)):
            continue
        share = min(1.0, max(0.0, -(ax * dx + ay * dy) / (dx * dx + dy * dy)))
        near = hypot(ax + share * dx, ay + share * dy)
        first, last = sorted((atan2(ay, ax), atan2(by, bx)))
        yield Screen(near, max(hypot(ax, ay), hypot(bx, by)), first, last, (ax, ay, bx, by))


class _Hidden:
    """The angles that nearer walls cover, as spans that do not overlap, and the walls still to count."""

    def __init__(self) -> None:
        self.spans: list[tuple[float, float]] = []
        self.waiting: list[tuple[float, float, float]] = []

    def add(self, screen: Screen) -> None:
        """Count a wall for those that lie wholly beyond it. One across the back counts for nobody."""
        if screen.last - screen.first < pi:
            heapq.heappush(self.waiting, (screen.far, screen.first, screen.last))

    def covers(self, screen: Screen) -> bool:
        """Whether walls wholly nearer than this one cover all of it."""
        while self.waiting and self.waiting[0][0] <= screen.near:
            self._join(*heapq.heappop(self.waiting)[1:])
        if screen.last - screen.first >= pi:
            return False
        place = bisect_right(self.spans, (screen.first, inf)) - 1
        return place >= 0 and self.spans[place][1] >= screen.last

    def _join(self, first: float, last: float) -> None:
        start = bisect_left(self.spans, (first, -inf))
        if start and self.spans[start - 1][1] >= first:
            start -= 1
        end = start
        while end < len(self.spans) and self.spans[end][0] <= last:
            first, last = min(first, self.spans[end][0]), max(last, self.spans[end][1])
            end += 1
        self.spans[start:end] = [(first, last)]


def _shade(dark: list[int], window: Window, eye: Spot, edge: Edge) -> None:
    """Darken the cells whose middle lies behind an edge: in the wedge from the eye, and beyond it."""
    ax, ay, bx, by = edge
    if ax * by - ay * bx < 0:
        ax, ay, bx, by = bx, by, ax, ay
    cell, whole = window.cell, window.whole
    first_x, first_y = window.left - eye[0] / cell, window.top * cell - eye[1]
    # (slope, k, c): slope * x + k * y + c >= 0 past one end, before the other, and farther than the edge
    beyond = -(ax * by - ay * bx) - TINY * (abs(bx - ax) + abs(by - ay))
    sides = (
        (-ay, ax, TINY * (abs(ax) + abs(ay))),
        (by, -bx, TINY * (abs(bx) + abs(by))),
        (by - ay, ax - bx, beyond),
    )
    lows = [(-k / s / cell, -c / s / cell - first_x) for s, k, c in sides if s > 0]
    highs = [(-k / s / cell, -c / s / cell - first_x) for s, k, c in sides if s < 0]
    flat = [(k, c) for s, k, c in sides if s == 0]
    first = floor((min(ay, by) - first_y) / cell) if min(ay, by) > 0 else 0
    last = ceil((max(ay, by) - first_y) / cell) + 1 if max(ay, by) < 0 else window.rows
    for n in range(max(0, first), min(window.rows, last)):
        y = first_y + n * cell
        if dark[n] == whole or (flat and any(k * y + c < 0 for k, c in flat)):
            continue
        low = max([m * y + b for m, b in lows], default=0.0)
        high = min([m * y + b for m, b in highs], default=window.columns - 1.0)
        start, end = max(0, ceil(low)), min(window.columns - 1, floor(high))
        if start <= end:
            dark[n] |= ((1 << (end - start + 1)) - 1) << start


# ---------------------------------------------------------------- sets of cells


def unite(several: Iterable[Rows]) -> Rows:
    """All cells of several sets."""
    found: Rows = {}
    for rows in several:
        for y, row in rows.items():
            found[y] = found.get(y, 0) | row
    return found


def holds(window: Window, rows: Rows, cell: Cell) -> bool:
    """Whether a cell is in a set."""
    column = cell[0] - window.left
    return 0 <= column < window.columns and bool(rows.get(cell[1], 0) >> column & 1)


def find_cells(window: Window, rows: Rows) -> Iterator[Cell]:
    """The cells of a set."""
    for y, row in rows.items():
        for column in range(window.columns):
            if row >> column & 1:
                yield window.left + column, y


def write_cells(window: Window, rows: Rows) -> str:
    """A set of cells as a short text: "3:0-12,15;4:0-9" are runs of columns by row."""
    return ";".join(f"{y}:{_write_runs(window, row)}" for y, row in sorted(rows.items()) if row)


def _write_runs(window: Window, row: int) -> str:
    runs, column = [], 0
    while row >> column:
        if row >> column & 1:
            long = 1
            while row >> (column + long) & 1:
                long += 1
            first = window.left + column
            runs.append(f"{first}" if long == 1 else f"{first}_{first + long - 1}")
            column += long
        else:
            column += 1
    return ",".join(runs)


def read_cells(window: Window, text: str) -> Rows:
    """The cells of such a text that lie in the window."""
    found: Rows = {}
    for line in filter(None, text.split(";")):
        y, _, runs = line.partition(":")
        for run in runs.split(","):
            first, _, last = run.partition("_")
            start = max(0, int(first) - window.left)
            end = min(window.columns - 1, int(last or first) - window.left)
            if start <= end:
                found[int(y)] = found.get(int(y), 0) | ((1 << (end - start + 1)) - 1) << start
    return found


def without_areas(window: Window, rows: Rows, areas: tuple[Area, ...]) -> Rows:
    """A set of cells without those whose middle lies in an area that the GM has not revealed."""
    if not areas:
        return rows
    kept: Rows = {}
    for x, y in find_cells(window, rows):
        if not is_hidden_at(areas, x * window.cell, y * window.cell):
            kept[y] = kept.get(y, 0) | 1 << (x - window.left)
    return kept
