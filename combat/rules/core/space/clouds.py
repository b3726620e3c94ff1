"""The area that smoke and gas fill: they spread from a place as far as walls let them, around corners too.

The barriers that block sight contain them, like blasts: walls, shut doors, and obstacles higher than the
ground they rise from. Windows, fences and low obstacles do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import ceil, floor

from .barriers import Plan, plan_of
from .battle_map import BattleMap
from .grid import Cell, Grid
from .paths import has_walls
from .pieces import MIN_METERS
from .plane import Piece, Point, Spot

MAX_ACROSS = 100  # cells along each side of a cloud
APART = 0.05  # meters from a wall to a grid line that makes separate cells
NUDGES = 0.000_37, 0.000_59  # meters beside the middle of a cell: no wall runs exactly there
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def fill(battle_map: BattleMap, grid: Grid, centre: Point, half: float) -> tuple[Piece, ...]:
    """The filled pieces of a square of `half` meters to each side of a place: all of it without walls."""
    if not has_walls(battle_map):
        return (Piece(centre.x - half, centre.y - half, 2 * half, 2 * half),)
    plan, key = plan_of(battle_map), ("cloud", grid, centre, half)
    found: tuple[Piece, ...] | None = plan.kept.get(key)
    return found if found is not None else plan.keep(key, _fill(plan, grid, centre, half))


def _fill(plan: Plan, grid: Grid, centre: Point, half: float) -> tuple[Piece, ...]:
    flood = _Flood(plan, grid, centre, half)
    return tuple(flood.join(flood.run()))


class _Flood:
    """Cells of half a square each, cut off at the edge of the cloud, and which of them smoke reaches."""

    def __init__(self, plan: Plan, grid: Grid, centre: Point, half: float) -> None:
        side = grid.cell / 2
        while 2 * half / side > MAX_ACROSS:
            side *= 2
        self.index = plan.index
        passed = (n for n, barrier in enumerate(plan.index.barriers) if barrier.top <= centre.z)
        self.free = plan.dark.union(passed)
        self.centre = (centre.x, centre.y)
        shift, (upright, level) = grid.cell / 2, self._find_straight(half)
        self.across = _find_edges(centre.x - half, centre.x + half, side, shift, upright)
        self.down = _find_edges(centre.y - half, centre.y + half, side, shift, level)

    def _find_straight(self, half: float) -> tuple[set[float], set[float]]:
        """The positions of walls that run straight down or across: cells end at them."""
        found = (self.index.edges[place] for place in self.index.find_near(self.centre, self.centre, half))
        there = [edge for number, *edge in found if number not in self.free]
        upright = {x1 for x1, _, x2, *_ in there if x1 == x2}
        return upright, {y1 for _, y1, _, y2, *_ in there if y1 == y2}

    def run(self) -> set[Cell]:
        """The cells that a chain of clear steps reaches."""
        around = self._find_first()
        clear = [cell for cell in around if self._is_clear(self.centre, self._find_middle(cell))]
        waiting = clear or around[:1]
        found = set(waiting)
        while waiting:
            here = waiting.pop()
            for there in self._find_near(here):
                if there not in found and self._is_clear(self._find_middle(here), self._find_middle(there)):
                    found.add(there)
                    waiting.append(there)
        return found

    def _find_first(self) -> list[Cell]:
        """The first cells, around the start."""
        columns, rows = (
            [
                n
                for n, (low, high) in enumerate(pairwise(edges))
                if low - MIN_METERS <= at <= high + MIN_METERS
            ]
            for edges, at in ((self.across, self.centre[0]), (self.down, self.centre[1]))
        )
        return [(column, row) for row in rows for column in columns]

    def _find_near(self, cell: Cell) -> Iterator[Cell]:
        for right, low in STEPS:
            column, row = cell[0] + right, cell[1] + low
            if 0 <= column < len(self.across) - 1 and 0 <= row < len(self.down) - 1:
                yield column, row

    def _find_middle(self, cell: Cell) -> Spot:
        column, row = cell
        across, down = self.across[column : column + 2], self.down[row : row + 2]
        return sum(across) / 2 + NUDGES[0], sum(down) / 2 + NUDGES[1]

    def _is_clear(self, a: Spot, b: Spot) -> bool:
        near = self.index.find_near(a, b)
        return not near or not self.index.cross_each((a,), (b,), self.free, near)[0]

    def join(self, cells: Iterable[Cell]) -> Iterator[Piece]:
        """The cells as few rectangles: runs of a row, merged with equal runs below."""
        rows: dict[int, list[int]] = {}
        for column, row in cells:
            rows.setdefault(row, []).append(column)
        open_runs: dict[tuple[int, int], int] = {}  # the first row of each run
        for row in range(len(self.down)):
            runs = set(_find_runs(sorted(rows.get(row, ()))))
            for run in [run for run in open_runs if run not in runs]:
                yield self._make_piece(run, open_runs.pop(run), row)
            for run in sorted(runs - open_runs.keys()):
                open_runs[run] = row

    def _make_piece(self, run: tuple[int, int], top: int, low: int) -> Piece:
        x, y = self.across[run[0]], self.down[top]
        width, depth = self.across[run[1]] - x, self.down[low] - y
        return Piece(round(x, 3), round(y, 3), round(width, 3), round(depth, 3))


def _find_edges(low: float, high: float, side: float, shift: float, walls: set[float]) -> list[float]:
    """The starts of cells from low to high: grid lines and walls between, and both ends."""
    first, last = ceil((low - shift) / side - MIN_METERS), floor((high - shift) / side + MIN_METERS)
    lines = {round(shift + side * n, 6) for n in range(first, last + 1)}
    far = {line for line in lines if all(abs(line - wall) > APART for wall in walls)}
    found = [low]
    for line in sorted(far | walls):
        if found[-1] + MIN_METERS < line < high - MIN_METERS:
            found.append(line)
    return [*found, high]


def _find_runs(columns: list[int]) -> Iterator[tuple[int, int]]:
    """The runs of consecutive columns; the second number is one past the last."""
    starts = [n for n, column in enumerate(columns) if not n or columns[n - 1] != column - 1]
    for start, end in pairwise([*starts, len(columns)]):
        yield columns[start], columns[end - 1] + 1
