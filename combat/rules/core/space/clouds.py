"""The area that smoke and gas fill: they spread from a place as far as walls let them, around corners too.

The barriers that block sight contain them, like blasts: walls, shut doors, and obstacles higher than the
ground they rise from. Windows, fences and low obstacles do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import ceil, floor

from .barriers import Barriers, Edge, barriers_of
from .battle_map import BattleMap
from .grid import Cell, Grid
from .ground import read_ground
from .paths import has_walls
from .plane import (
    MIN_METERS,
    SHORTEST,
    Piece,
    Point,
    Scene,
    Spot,
    Zone,
    cut_out,
    find_height,
    map_of,
    overlap,
    parts_inside,
    piece_of,
    plan_distance,
)
from .rays.sight import meets

MAX_ACROSS = 100  # cells along each side of a cloud
APART = 0.05  # meters from a wall to a grid line that makes separate cells
NUDGES = 0.000_37, 0.000_59  # meters beside the middle of a cell: no wall runs exactly there
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))
FINE = 4  # parts along each side of a cell where a slanting wall crosses one
MAX_FINE = 200  # parts along each side of a cloud; a larger one loses the whole of such cells


def fill(battle_map: BattleMap, grid: Grid, centre: Point, half: float) -> tuple[Piece, ...]:
    """The filled pieces of a square of `half` meters to each side of a place: all of it without walls."""
    if not has_walls(battle_map):
        return (Piece(centre.x - half, centre.y - half, 2 * half, 2 * half),)
    plan, key = barriers_of(battle_map), ("cloud", grid, centre, half)
    found: tuple[Piece, ...] | None = plan.kept.get(key)
    return found if found is not None else plan.keep(key, _fill(plan, grid, centre, half))


def _fill(plan: Barriers, grid: Grid, centre: Point, half: float) -> tuple[Piece, ...]:
    flood = _Flood(plan, grid, centre, half)
    return tuple(flood.join(flood.cut(flood.run())))


def keep_level(scene: Scene, pieces: tuple[Piece, ...], centre: Point, meters: float) -> tuple[Piece, ...]:
    """The parts of some rectangles whose ground is at most so many meters higher or lower than a place.

    They end just before an edge that belongs to other ground.
    """
    grounds = _list_grounds(scene)
    if all(abs(height - centre.z) <= meters for height in (0.0, *(height for _, height in grounds))):
        return pieces
    left = list(pieces) if abs(centre.z) <= meters else []
    for ground, height in grounds:
        left = cut_out(left, map(_widen, ground))
        if abs(height - centre.z) <= meters:
            left += [part for mine in pieces for piece in ground if (part := overlap(mine, piece))]
    return tuple(left)


def _list_grounds(scene: Scene) -> list[tuple[tuple[Piece, ...], float]]:
    """The decks and zones of a scene with their heights; where several lie, the last one counts."""
    decks = [((piece_of(deck),), deck.height) for deck in map_of(scene).decks]
    zones = read_ground(scene).zones
    return [*decks, *((zone.parts or (piece_of(zone),), find_height(scene, zone)) for zone in zones)]


def _widen(piece: Piece) -> Piece:
    more = 2 * MIN_METERS
    return Piece(piece.x - MIN_METERS, piece.y - MIN_METERS, piece.width + more, piece.depth + more)


def is_crossed(scene: Scene, zone: Zone, a: Point, b: Point) -> bool:
    """Whether the straight line between two places goes through what fills a zone, or grows there.

    That reaches as far above and below its ground as the zone is wide.
    """
    whole, high = plan_distance(a, b), max(zone.width, zone.depth)
    ground = find_height(scene, zone)
    for share, end in parts_inside(zone, a, b):
        first, last = (a.z + (b.z - a.z) * at - ground for at in (share, end))
        if (end - share) * whole > SHORTEST and min(first, last) <= high and max(first, last) >= -high:
            return True
    return False


class _Flood:
    """Cells of half a square each, cut off at the edge of the cloud, and which of them smoke reaches."""

    def __init__(self, plan: Barriers, grid: Grid, centre: Point, half: float) -> None:
        side = grid.cell / 2
        while 2 * half / side > MAX_ACROSS:
            side *= 2
        self.index = plan.index
        passed = (n for n, barrier in enumerate(plan.index.barriers) if barrier.top <= centre.z)
        self.free = plan.dark.union(passed)
        self.centre = (centre.x, centre.y)
        shift, (upright, level) = grid.cell / 2, self._find_straight(half)
        self.slanting = [edge for edge in self._find_edges(half) if edge[0] != edge[2] and edge[1] != edge[3]]
        self.across = _find_edges(centre.x - half, centre.x + half, side, shift=shift, walls=upright)
        self.down = _find_edges(centre.y - half, centre.y + half, side, shift=shift, walls=level)

    def _find_straight(self, half: float) -> tuple[set[float], set[float]]:
        """The positions of walls that run straight down or across: cells end at them."""
        there = self._find_edges(half)
        upright = {x1 for x1, _, x2, _ in there if x1 == x2}
        return upright, {y1 for _, y1, _, y2 in there if y1 == y2}

    def _find_edges(self, half: float) -> list[Edge]:
        """The edges near the cloud that contain it."""
        found = (self.index.edges[place] for place in self.index.find_near(self.centre, self.centre, half))
        return [(x1, y1, x2, y2) for number, x1, y1, x2, y2, *_ in found if number not in self.free]

    def run(self) -> set[Cell]:
        """The cells that a chain of clear steps reaches."""
        around = self._find_first()
        beside = (each for cell in around for each in self._find_near(cell))
        waiting = self._find_clear(around) or self._find_clear(beside) or around[: 0 if self.slanting else 1]
        found = set(waiting)
        while waiting:
            here = waiting.pop()
            for there in self._find_near(here):
                if there not in found and self._is_clear(self._find_middle(here), self._find_middle(there)):
                    found.add(there)
                    waiting.append(there)
        return found

    def cut(self, cells: set[Cell]) -> set[Cell]:
        """The cells without what slanting walls cut off: on a finer grid if any wall crosses a cell here."""
        around = self._find_first()
        near = {each for cell in (*cells, *around) for each in (cell, *self._find_near(cell))}
        split = {cell for cell in near if self._is_crossed(cell)}
        if not split:
            return cells
        starts = {
            cell: [self._find_middle(each) for each in (cell, *self._find_near(cell)) if each in cells]
            for cell in split
        }
        for cell in split.intersection(around):
            starts[cell].append(self.centre)
        fine = FINE if FINE * max(len(self.across), len(self.down)) <= MAX_FINE else 1
        self.across, self.down = _split(self.across, fine), _split(self.down, fine)
        found = {part for cell in cells - split for part in _find_parts(cell, fine)}
        for cell, spots in starts.items():
            found.update(part for part in _find_parts(cell, fine) if self._is_filled(part, spots))
        return found or {next(_find_parts(around[0], fine))}

    def _is_filled(self, part: Cell, spots: Iterable[Spot]) -> bool:
        """Whether no wall crosses a part of a cell, or stands between it and all of some filled spots."""
        middle = self._find_middle(part)
        return not self._is_crossed(part) and any(self._is_clear(spot, middle) for spot in spots)

    def _is_crossed(self, cell: Cell) -> bool:
        """Whether a slanting wall runs through a cell."""
        if not self.slanting:
            return False
        column, row = cell
        box = self.across[column], self.down[row], self.across[column + 1], self.down[row + 1]
        return any(meets(edge, box) for edge in self.slanting)

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

    def _find_clear(self, cells: Iterable[Cell]) -> list[Cell]:
        """Those of some cells to whose middle the way from the start is clear."""
        return [cell for cell in cells if self._is_clear(self.centre, self._find_middle(cell))]

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


def _split(edges: list[float], fine: int) -> list[float]:
    """The starts of cells, and the end, with each cell divided into so many parts."""
    parts = [low + (high - low) * n / fine for low, high in pairwise(edges) for n in range(fine)]
    return [*parts, edges[-1]]


def _find_parts(cell: Cell, fine: int) -> Iterator[Cell]:
    """The parts of a cell after such a split."""
    column, row = cell
    for number in range(fine * fine):
        yield fine * column + number % fine, fine * row + number // fine


def _find_runs(columns: list[int]) -> Iterator[tuple[int, int]]:
    """The runs of consecutive columns; the second number is one past the last."""
    starts = [n for n, column in enumerate(columns) if not n or columns[n - 1] != column - 1]
    for start, end in pairwise([*starts, len(columns)]):
        yield columns[start], columns[end - 1] + 1
