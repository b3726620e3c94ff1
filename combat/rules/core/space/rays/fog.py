"""The visible cells of a map from a place, in rows of bits, without those in the shadow of a wall.

A cell is visible if no barrier that blocks sight crosses the line from the eye to its middle. Cells are
squares of the drawn plane, also on a map of hexes.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from math import atan2, ceil, floor, inf

import msgspec

from ..barriers import Barriers, Edge
from ..battle_map import SEEN_EDGE, Area, BattleMap, Obstacle
from ..decks import Deck
from ..grid import Cell
from ..plane import Piece, Spot, Zone, plot

MARGIN = 2  # cells around the drawn map
MAX_SIDE = 200  # cells
TINY = 1e-7
SAME = 1e-9  # cells: anything nearer to the border of a rectangle is on it
Rows = dict[int, int]


class Window(msgspec.Struct, frozen=True):
    """The part of the plane in use, in cells: the first column and row, and the numbers of both."""

    cell: float
    left: int
    top: int
    columns: int
    rows: int

    def find_cell(self, spot: Spot) -> Cell:
        """The cell of a spot on the plane."""
        return floor(spot[0] / self.cell + 0.5), floor(spot[1] / self.cell + 0.5)

    @property
    def whole(self) -> int:
        """A row with all of its cells."""
        return (1 << self.columns) - 1


def make_window(
    battle_map: BattleMap, zones: Iterable[Zone], spots: Iterable[Spot], cell: float, hexes: bool
) -> Window:
    """The cells around everything drawn, and around some spots."""
    corners = (*_find_corners(battle_map, tuple(zones), hexes), *spots)
    xs, ys = [x / cell for x, _ in corners] or [0.0], [y / cell for _, y in corners] or [0.0]
    left, top = floor(min(xs)) - MARGIN, floor(min(ys)) - MARGIN
    columns, rows = ceil(max(xs)) + MARGIN - left + 1, ceil(max(ys)) + MARGIN - top + 1
    return Window(cell, left, top, columns=min(columns, MAX_SIDE), rows=min(rows, MAX_SIDE))


def _find_corners(battle_map: BattleMap, zones: tuple[Zone, ...], hexes: bool) -> tuple[Spot, ...]:
    """Two corners with everything drawn between them; none for an empty map."""
    corners = [spot for wall in battle_map.walls for spot in ((wall.x1, wall.y1), (wall.x2, wall.y2))]
    boxes = [
        *battle_map.obstacles,
        *battle_map.hidden,
        *battle_map.decks,
        *((battle_map.picture,) if battle_map.picture else ()),
    ]
    corners += [spot for box in boxes for spot in ((box.x, box.y), (box.x + box.width, box.y + box.depth))]
    corners += [
        plot(x, y, hexes and not z.upright)
        for z in zones
        for x in (z.x, z.x + z.width)
        for y in (z.y, z.y + z.depth)
    ]
    if not corners:
        return ()
    xs, ys = zip(*corners, strict=True)
    return (min(xs), min(ys)), (max(xs), max(ys))


def find_visible(plan: Barriers, window: Window, eye: Spot) -> Rows:
    """The cells visible from a spot, row by row: bit n of a row is the cell in column n."""
    key = ("visible", window, eye)
    found = plan.kept.get(key)
    return found if found is not None else plan.keep(key, _cast(plan, window, eye))


def _cast(plan: Barriers, window: Window, eye: Spot) -> Rows:
    """Shade the cells behind each wall, nearest first; walls fully behind others shade nothing."""
    dark = [0] * window.rows
    hidden = _Hidden()
    for screen in sorted(_find_screens(plan, window, eye)):
        if not hidden.covers(screen):
            _shade(dark, window, eye, screen[4])
            hidden.add(screen)
    whole = window.whole
    return {window.top + n: whole & ~row for n, row in enumerate(dark) if row != whole}


# An edge from the eye, counterclockwise: the squared distances of its nearest and farthest point,
# its angles, the last below the first if it is across the back, and its ends
Screen = tuple[float, float, float, float, Edge]


def _find_screens(plan: Barriers, window: Window, eye: Spot) -> list[Screen]:
    """The edges that block sight, from the eye, except those it looks along."""
    ex, ey = eye
    found = []
    for x1, y1, x2, y2, dx, dy, long, tiny in _find_edges(plan, window):
        ax, ay, bx, by = x1 - ex, y1 - ey, x2 - ex, y2 - ey
        turn = ax * by - ay * bx
        if -tiny <= turn <= tiny:
            continue
        one, other = ax * ax + ay * ay, bx * bx + by * by
        along = -(ax * dx + ay * dy)
        near = one if along <= 0 else other if along >= long else turn * turn / long
        first, last, far = atan2(ay, ax), atan2(by, bx), one if one > other else other
        if turn > 0:
            found.append((near, far, first, last, (ax, ay, bx, by)))
        else:
            found.append((near, far, last, first, (bx, by, ax, ay)))
    return found


def _find_edges(plan: Barriers, window: Window) -> list[tuple[float, ...]]:
    """The edges that block sight in the window: ends, vector, its square, and the tolerance."""
    key = ("edges", window)
    found: list[tuple[float, ...]] | None = plan.kept.get(key)
    if found is not None:
        return found
    cell = window.cell
    left, top = (window.left - 1) * cell, (window.top - 1) * cell
    right, low = (window.left + window.columns) * cell, (window.top + window.rows) * cell
    return plan.keep(
        key,
        [
            (x1, y1, x2, y2, dx, dy, dx * dx + dy * dy, TINY * (abs(dx) + abs(dy)))
            for number, x1, y1, x2, y2, dx, dy in plan.index.edges
            if number not in plan.dark
            and not (max(x1, x2) < left or min(x1, x2) > right or max(y1, y2) < top or min(y1, y2) > low)
        ],
    )


class _Hidden:
    """The angles that nearer walls cover, as separate spans, and the walls still to count."""

    def __init__(self) -> None:
        self.spans: list[tuple[float, float]] = []
        self.waiting: list[tuple[float, float, float]] = []

    def add(self, screen: Screen) -> None:
        """Count a wall for those fully beyond it. A wall across the back does not count."""
        _, far, first, last, _ = screen
        if first <= last:
            heapq.heappush(self.waiting, (far, first, last))

    def covers(self, screen: Screen) -> bool:
        """Whether fully nearer walls cover all of this one."""
        near, _, first, last, _ = screen
        while self.waiting and self.waiting[0][0] <= near:
            self._join(*heapq.heappop(self.waiting)[1:])
        if first > last:
            return False
        place = bisect_right(self.spans, (first, inf)) - 1
        return place >= 0 and self.spans[place][1] >= last

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
    """Darken the cells whose middle is behind an edge: in the wedge from the eye, and beyond it."""
    ax, ay, bx, by = edge
    cell, whole, most = window.cell, window.whole, window.columns - 1
    first_x, first_y = window.left - eye[0] / cell, window.top * cell - eye[1]
    # (slope, k, c): slope * x + k * y + c >= 0 past one end, before the other, and beyond the edge
    sides = (
        (-ay, ax, TINY * (abs(ax) + abs(ay))),
        (by, -bx, TINY * (abs(bx) + abs(by))),
        (by - ay, ax - bx, ay * bx - ax * by - TINY * (abs(bx - ax) + abs(by - ay))),
    )
    # (p, q): the column of row n is at least, or at most, p * n + q
    lows = [(-k / s, -(k * first_y + c) / s / cell - first_x) for s, k, c in sides if s > 0]
    highs = [(-k / s, -(k * first_y + c) / s / cell - first_x) for s, k, c in sides if s < 0]
    flat = [(k, c) for s, k, c in sides if s == 0]
    for n in _find_rows(window, eye, edge):
        if dark[n] == whole or (flat and any(k * (first_y + n * cell) + c < 0 for k, c in flat)):
            continue
        low, high = 0.0, float(most)
        for p, q in lows:
            column = p * n + q
            if column > low:
                low = column
        for p, q in highs:
            column = p * n + q
            if column < high:
                high = column
        start, end = ceil(low), floor(high)
        if start <= end:
            dark[n] |= ((1 << (end - start + 1)) - 1) << start


def _find_rows(window: Window, eye: Spot, edge: Edge) -> range:
    """The rows of the window that the shadow of an edge can reach."""
    ax, ay, bx, by = edge
    cell, first_y = window.cell, window.top * window.cell - eye[1]
    low, high = (ay, by) if ay < by else (by, ay)
    if ax > 0 and bx > 0:
        far = max(ax, bx, (window.left + window.columns) * cell - eye[0])
        low, high = min(low, ay * far / ax), max(high, by * far / bx)
    elif ax < 0 and bx < 0:
        far = min(ax, bx, (window.left - 1) * cell - eye[0])
        low, high = min(low, by * far / bx), max(high, ay * far / ax)
    else:
        low, high = (low if low > 0 else -inf), (high if high < 0 else inf)
    most = float(window.rows)
    first = min(most, max(0.0, (low - first_y) / cell - 1))
    last = min(most, max(0.0, (high - first_y) / cell + 2))
    return range(int(first), ceil(last))


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
    """The cells of a set, row by row."""
    for y, row in rows.items():
        while row:
            lowest = row & -row
            yield window.left + lowest.bit_length() - 1, y
            row -= lowest


def find_strips(window: Window, rows: Rows) -> Iterator[Area]:
    """A set of cells as rectangles in meters: one for each run of a row."""
    cell = window.cell
    for y, row in sorted(rows.items()):
        column = 0
        while row >> column:
            if not row >> column & 1:
                column += 1
                continue
            start = column
            while row >> column & 1:
                column += 1
            left, top = (window.left + start - 0.5) * cell, (y - 0.5) * cell
            yield Area("", left, top, width=(column - start) * cell, depth=cell)


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
    """The cells of such a text inside the window."""
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


def find_within(
    window: Window, rows: Rows, box: Piece | Area | Zone | Obstacle | Deck, edge: float = 0.0
) -> Rows:
    """The cells of a set whose middle is in a rectangle, at least `edge` meters from its border."""
    cell = window.cell
    first = max(0, ceil((box.x + edge) / cell - SAME) - window.left)
    last = min(window.columns - 1, floor((box.x + box.width - edge) / cell + SAME) - window.left)
    top = max(window.top, ceil((box.y + edge) / cell - SAME))
    low = min(window.top + window.rows - 1, floor((box.y + box.depth - edge) / cell + SAME))
    if first > last:
        return {}
    mask = ((1 << (last - first + 1)) - 1) << first
    return {y: rows[y] & mask for y in range(top, low + 1) if rows.get(y, 0) & mask}


def find_bounds(window: Window, rows: Rows) -> tuple[int, int, int, int] | None:
    """The first column and row of a set of cells, and the last ones; None for an empty set."""
    kept = [y for y, row in rows.items() if row]
    if not kept:
        return None
    whole = 0
    for y in kept:
        whole |= rows[y]
    first, last = (whole & -whole).bit_length() - 1, whole.bit_length() - 1
    return window.left + first, min(kept), window.left + last, max(kept)


def without_areas(window: Window, rows: Rows, areas: tuple[Area, ...]) -> Rows:
    """A set of cells without those whose middle is in an area that the GM has not revealed."""
    kept = dict(rows)
    for area in areas:
        for y, row in find_within(window, kept, area, SEEN_EDGE).items():
            kept[y] &= ~row
    return {y: row for y, row in kept.items() if row} if areas else rows
