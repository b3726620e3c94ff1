"""Paths on a battle map: what stops a step, the shortest path around walls, and what is within reach.

A path is a chain of places with a clear straight line between neighbors. Games count its cost as for any
path; this module knows only walls, shut doors and obstacles, and the factor of the ground.
"""

from __future__ import annotations

import heapq
import itertools
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator

import msgspec

from ..basics.errors import Refused
from .barriers import MAX_CACHED_LINES, Barriers, barriers_of
from .battle_map import DOOR, FENCE, WINDOW, BattleMap, Wall, is_hidden_at
from .decks import fall_in
from .grid import PULLED_IN, Cell, Grid
from .plane import Piece, Point, Scene, Spot, beside, holds, plan_distance, towards
from .rays.sight import Box, meets

MAX_CELLS = 16_000  # checked for one path: all of a map of 120 by 120
ENCLOSED = (400, 1_600, 6_400)  # after so many, as many around the goal, to find that walls enclose it
TOO_FAR = "No way there is short enough to be found: go part of it first."
Path = tuple[Point, ...]
Steps = tuple[tuple[Cell, float], ...]  # the next cells, with the cost of each step


class Patch(msgspec.Struct, frozen=True):
    """A rectangle of ground, in meters, with the factor for a step on it."""

    x: float
    y: float
    width: float
    depth: float
    times: float = 1.0
    upright: bool | msgspec.UnsetType = msgspec.UNSET
    parts: tuple[Piece, ...] | msgspec.UnsetType = msgspec.UNSET


class Ground(msgspec.Struct, frozen=True):
    """Ground with higher cost; if patches overlap, the later one counts."""

    patches: tuple[Patch, ...]

    def weigh(self, place: Point) -> float:
        """The cost factor of the ground at a place."""
        return next((patch.times for patch in reversed(self.patches) if holds(patch, place.x, place.y)), 1.0)


def find_ground(scene: Scene, tags: frozenset[str]) -> Ground | None:
    """The ground of a scene with double cost for its terrain; None if there is none."""
    if not any(tags.intersection(zone.terrain) for zone in scene.zones):
        return None
    rough = ((zone, 2.0 if tags.intersection(zone.terrain) else 1.0) for zone in scene.zones)
    return Ground(
        tuple(
            Patch(z.x, z.y, z.width, z.depth, times=times, upright=z.upright, parts=z.parts)
            for z, times in rough
        )
    )


class Way(msgspec.Struct, frozen=True):
    """How someone walks a map: its grid, and the cost of a diagonal step between squares.

    A way that `snaps` goes from cell to cell, any other straight between turns. `ground` says where steps
    cost more. `knows`, if set, says which cells the walker knows. Someone who covers several cells needs
    `meters` of room, and one who `floats` passes over open holes.
    """

    grid: Grid
    snaps: bool = False
    slant: float = math.sqrt(2)
    ground: Ground | None = None
    knows: Callable[[Cell], bool] | None = None
    meters: float = 0.0
    floats: bool = False


def has_walls(battle_map: BattleMap) -> bool:
    """Whether the map has any barriers."""
    return bool(battle_map.walls or battle_map.obstacles or battle_map.decks)


def is_open(
    battle_map: BattleMap, grid: Grid, a: Point, b: Point, meters: float = 0.0, floats: bool = False
) -> bool:
    """Whether a straight step from a to b is clear, for a body of this size."""
    if not has_walls(battle_map):
        return True
    plan, key = barriers_of(battle_map), ("open", grid, a, b, meters, floats)
    kept: bool | None = plan.kept.get(key)
    return kept if kept is not None else plan.keep(key, not _find_stops(plan, grid, a, b, meters, floats))


def is_climbable(
    battle_map: BattleMap,
    grid: Grid,
    a: Point,
    b: Point,
    height: float,
    fences: bool = False,
    meters: float = 0.0,
) -> bool:
    """Whether a climber of some meters gets from a to b: over lower obstacles, and optionally over fences.

    Walls, windows and shut doors reach up to the ceiling.
    """
    plan = barriers_of(battle_map)
    stops = _find_stops(plan, grid, a, b, meters=meters)
    climbed = [n for n in stops if _rises_to(plan, n, fences) - a.z <= height]
    return len(climbed) == len(stops)


def _rises_to(plan: Barriers, number: int, fences: bool) -> float:
    """The height of a barrier in meters; 0 for a fence that can be climbed."""
    walls = plan.battle_map.walls
    is_fence = number < len(walls) and walls[number].kind == FENCE
    return 0.0 if is_fence and fences else plan.index.barriers[number].top


def _find_stops(
    plan: Barriers, grid: Grid, a: Point, b: Point, meters: float = 0.0, floats: bool = False
) -> list[int]:
    """The numbers of the barriers that stop a step: crossed or at its end, but not at its start.

    A hole stops a step that leads over more than its rim, unless the walker floats.
    """
    here, there = grid.plot(a), grid.plot(b)
    found = [*plan.index.cross(here, there, plan.free | plan.pits), *_find_below(plan, there)]
    if meters > grid.cell and here != there:
        found += _find_wide(plan, here, there, meters * PULLED_IN / 2, step=grid.cell / 2)
    if plan.holes:
        found = [number for number in found if number not in plan.pits or not floats]
        found += [] if floats else _find_holes(plan, here, there)
    if not found:
        return found
    left = {*_find_below(plan, here), *_find_holes(plan, here, here)}
    return [number for number in found if number not in left]


def _find_holes(plan: Barriers, here: Spot, there: Spot) -> list[int]:
    """The numbers of the holes that a straight step leads over."""
    return [number for number, inside in plan.holes if meets((*here, *there), inside)]


def _find_wide(plan: Barriers, here: Spot, there: Spot, half: float, step: float) -> list[int]:
    """Those that a body of `half` meters to each side meets, checked every few meters of the step, but for
    those it stands at."""
    found = [plan.index.edges[place] for place in sorted(plan.index.find_near(here, there, half))]
    edges = [(number, (x1, y1, x2, y2)) for number, x1, y1, x2, y2, *_ in found if number not in plan.free]
    if not edges:
        return []
    left = {number for number, edge in edges if meets(edge, _box_around(here, half))}
    many = math.ceil(math.dist(here, there) / step)
    spots = [
        (here[0] + (there[0] - here[0]) * n / many, here[1] + (there[1] - here[1]) * n / many)
        for n in range(1, many + 1)
    ]
    boxes = [_box_around(spot, half) for spot in spots]
    return [n for n, edge in edges if n not in left and any(meets(edge, box) for box in boxes)]


def _box_around(spot: Spot, half: float) -> Box:
    return spot[0] - half, spot[1] - half, spot[0] + half, spot[1] + half


def _find_below(plan: Barriers, spot: Spot) -> list[int]:
    """The numbers of the barriers that stop a step, at a spot."""
    found = [number for number in plan.find_under(spot) if number not in plan.free]
    return [*found, *plan.find_hulls(spot)] if plan.hulls else found


def find_rooms(
    battle_map: BattleMap, grid: Grid, places: tuple[Point, ...], step: float, meters: float = 0.0
) -> list[list[Point]]:
    """The places where a body of this size touches no barrier, in the given order, by room.

    Places are `step` meters apart; straight steps between neighbors connect the places of one room.
    """
    plan, key = barriers_of(battle_map), ("rooms", grid, places, meters)
    kept: list[list[Point]] | None = plan.kept.get(key)
    if kept is not None:
        return kept
    left = [place for place in places if not is_filled(battle_map, grid, place, meters)]
    rooms = []
    while left:
        room = _find_room(plan, grid, left, step * 1.5, meters=meters)
        rooms.append([place for place in left if place in room])
        left = [place for place in left if place not in room]
    return plan.keep(key, rooms)


def find_exits(
    battle_map: BattleMap, grid: Grid, edges: tuple[tuple[Point, Point], ...], meters: float = 0.0
) -> frozenset[Point]:
    """The places from which a body of this size can step to the one beyond, given as pairs."""
    plan, key = barriers_of(battle_map), ("exits", grid, edges, meters)
    kept: frozenset[Point] | None = plan.kept.get(key)
    out = (one for one, beyond in edges if not _find_stops(plan, grid, one, beyond, meters=meters))
    return kept if kept is not None else plan.keep(key, frozenset(out))


def _find_room(plan: Barriers, grid: Grid, places: list[Point], far: float, meters: float) -> set[Point]:
    """The places within steps of at most this length from the first place."""
    spots = {place: grid.plot(place) for place in places}
    found, waiting = {places[0]}, [places[0]]
    while waiting:
        here = waiting.pop()
        near = [p for p, spot in spots.items() if p not in found and math.dist(spots[here], spot) <= far]
        reached = [there for there in near if not _find_stops(plan, grid, here, there, meters=meters)]
        found.update(reached)
        waiting += reached
    return found


def is_filled(battle_map: BattleMap, grid: Grid, place: Point, meters: float = 0.0) -> bool:
    """Whether a body of this size would stand in an impassable obstacle, or over an open hole."""
    plan, spot = barriers_of(battle_map), grid.plot(place)
    below = _find_below(plan, spot) or _find_holes(plan, spot, spot)
    return bool(below or _find_met(plan, spot, max(meters, grid.cell / 2)))


def is_in_opening(battle_map: BattleMap, place: Point, near: float) -> bool:
    """Whether someone stands in a door, shut or open, or in a window: not in the wall beside it."""
    box = _box_around((place.x, place.y), near)
    openings = (wall for wall in battle_map.walls if wall.kind in (DOOR, WINDOW))
    return any(meets((wall.x1, wall.y1, wall.x2, wall.y2), box) for wall in openings)


def _find_met(plan: Barriers, spot: Spot, meters: float) -> set[int]:
    """The numbers of the barriers that a body of some meters touches at a spot."""
    half = meters * PULLED_IN / 2
    box = _box_around(spot, half)
    edges = (plan.index.edges[place] for place in plan.index.find_near(spot, spot, half))
    return {n for n, x1, y1, x2, y2, *_ in edges if n not in plan.free and meets((x1, y1, x2, y2), box)}


def go_round(battle_map: BattleMap, way: Way, path: Path) -> Path:
    """The path with detours around barriers; the same path if there are none.

    Refused("out_of_range") if no path leads around.
    """
    if not has_walls(battle_map):
        return path
    found = [path[0]]
    for a, b in itertools.pairwise(path):
        found += find_way(battle_map, way, a, b)[1:]
    return tuple(found)


def go_near(battle_map: BattleMap, way: Way, start: Point, other: Point, gap: float) -> Path | None:
    """The path to `gap` meters from another, around barriers; None if there are none."""
    if is_open(battle_map, way.grid, start, other, way.meters, way.floats):
        return None
    *path, last = find_way(battle_map, way, start, other)
    end = beside(path[-1], last, gap)
    return tuple(path) if plan_distance(path[-1], end) < 0.01 else (*path, end)


def find_way(battle_map: BattleMap, way: Way, start: Point, goal: Point) -> Path:
    """The shortest path from one place to another; Refused if there is none, or none is found."""
    if is_open(battle_map, way.grid, start, goal, way.meters, way.floats):
        return (start, goal)
    found, is_cut_off = _find_detour(barriers_of(battle_map), way, start, goal)
    if found is None:
        stops = _find_stops(barriers_of(battle_map), way.grid, start, goal, way.meters, way.floats)
        shut = None if battle_map.fog else find_shut_door(battle_map, way, start, goal)
        raise Refused("out_of_range", describe_stop(battle_map, stops[0], shut, is_cut_off))
    return found


def find_cells_on(battle_map: BattleMap, way: Way, start: Point, goal: Point) -> Path | None:
    """The shortest path with every cell on it, for a way that snaps; None if there is none."""
    return _find_detour(barriers_of(battle_map), way, start, goal)[0]


def _find_detour(plan: Barriers, way: Way, start: Point, goal: Point) -> tuple[Path | None, bool]:
    """The shortest path around barriers, None if there is none, and whether the search was cut off.

    Cached, since every page of a turn needs it.
    """
    key = ("detour", way, start, goal)
    kept: tuple[Path | None, bool] | None = None if way.knows else plan.kept.get(key)
    if kept:
        return kept
    found, is_cut_off = _search(plan, way, start, goal)
    if found and not way.snaps:
        found = pull_straight(plan, way, found)
    return (found, is_cut_off) if way.knows else plan.keep(key, (found, is_cut_off))


def describe_stop(battle_map: BattleMap, number: int, shut: Wall | None, is_cut_off: bool = False) -> str:
    """Why no path leads on, and what would help, without the secrets of fog and hidden areas.

    `shut` is the first shut door on the path once all doors are open. After a cut-off search there may be a
    path.
    """
    unknown = TOO_FAR if is_cut_off else "No way leads there: choose a place that can be reached."
    if shut:
        doors = (wall for wall in battle_map.walls if wall.kind == DOOR and _is_known(battle_map, wall))
        numbers = {door.id: n for n, door in enumerate(doors, 1)}
        return describe_shut(shut.name or f"Door {numbers[shut.id]}", shut.locked, is_cut_off)
    if battle_map.fog or number >= len(battle_map.walls):
        return unknown
    wall = battle_map.walls[number]
    if is_hidden_at(battle_map.hidden, (wall.x1 + wall.x2) / 2, (wall.y1 + wall.y2) / 2):
        return unknown
    return TOO_FAR if is_cut_off else "A wall is in the way, and no way leads round it: choose another place."


def describe_shut(name: str, is_locked: bool, is_cut_off: bool = False) -> str:
    """Why no path leads on: a door, and what would help."""
    round_it = "the way round it is too long" if is_cut_off else "no way leads round it"
    if is_locked:
        return f"{name} is locked, and {round_it}: the GM can unlock it."
    return f"{name} is shut, and {round_it}: open it first."


def _is_known(battle_map: BattleMap, door: Wall) -> bool:
    """Whether players know a door as one: it is not secret and shut, nor in a hidden area."""
    middle = (door.x1 + door.x2) / 2, (door.y1 + door.y2) / 2
    return (door.open or not door.secret) and not is_hidden_at(battle_map.hidden, *middle)


def find_shut_door(battle_map: BattleMap, way: Way, start: Point, goal: Point) -> Wall | None:
    """The first shut door on the shortest path once all known doors are open, those that are locked only if
    need be; None without such a path."""
    plan, key = barriers_of(battle_map), ("shut", battle_map.hidden, way, start, goal)
    if key in plan.kept and way.knows is None:
        kept: Wall | None = plan.kept[key]
        return kept
    found = None
    for with_locked in (False, True):
        if found is None and (opened := open_doors(battle_map, with_locked)):
            step = find_shut_step(battle_map, opened, way, start, goal)
            found = _find_crossed(battle_map, way, *step) if step else None
    return plan.keep(key, found) if way.knows is None else found


def open_doors(battle_map: BattleMap, with_locked: bool = False) -> BattleMap | None:
    """The map with all known doors open, `with_locked` also the locked ones; None if none of them is shut."""
    shut = [
        wall
        for wall in battle_map.walls
        if wall.kind == DOOR and not wall.open and _is_known(battle_map, wall)
    ]
    opened = {wall.id for wall in shut if with_locked or not wall.locked}
    walls = (
        msgspec.structs.replace(wall, open=True) if wall.id in opened else wall for wall in battle_map.walls
    )
    return msgspec.structs.replace(battle_map, walls=tuple(walls)) if opened else None


def find_shut_step(
    battle_map: BattleMap, opened: BattleMap, way: Way, start: Point, goal: Point
) -> tuple[Point, Point] | None:
    """The first step on the shortest path of an opened map that is stopped on the map as it is."""
    if is_open(opened, way.grid, start, goal, meters=way.meters):
        path: Path | None = (start, goal)
    else:
        path = find_cells_on(opened, way, start, goal)
    steps = itertools.pairwise(path or ())
    return next((step for step in steps if not is_open(battle_map, way.grid, *step, meters=way.meters)), None)


def _find_crossed(battle_map: BattleMap, way: Way, a: Point, b: Point) -> Wall | None:
    """The first shut door that stops a step."""
    walls = battle_map.walls
    stops = (
        n for n in _find_stops(barriers_of(battle_map), way.grid, a, b, meters=way.meters) if n < len(walls)
    )
    doors = (walls[n] for n in stops if walls[n].kind == DOOR)
    return next((door for door in doors if _is_known(battle_map, door)), None)


def stop_short(
    battle_map: BattleMap,
    grid: Grid,
    start: Point,
    goal: Point,
    meters: float = 0.0,
    floats: bool = False,
    at_rims: bool = False,
) -> Point:
    """The last place on the straight line to a goal before a barrier, in half meters, for this body that is
    thrown or pushed: an open hole in a deck ends its way, unless it floats. Those who go by their own will
    stop `at_rims` of holes."""
    if not has_walls(battle_map):
        return goal
    plan, key = barriers_of(battle_map), ("stop", grid, start, goal, meters, floats, at_rims)
    kept: Point | None = plan.kept.get(key)
    if kept is None:
        kept = plan.keep(key, _stop_short(plan, grid, start, goal, meters, floats, at_rims))
    return kept


def _stop_short(
    plan: Barriers, grid: Grid, start: Point, goal: Point, meters: float, floats: bool, at_rims: bool
) -> Point:
    passed = frozenset() if at_rims else plan.pits

    def is_shut(there: Point) -> bool:
        return not passed.issuperset(_find_stops(plan, grid, start, there, meters, floats))

    end = goal
    if is_shut(goal):
        steps = range(int(plan_distance(start, goal) * 2) + 1)
        first = bisect_left(steps, True, key=lambda n: is_shut(towards(start, goal, n / 2)))
        end = towards(start, goal, max(0, first - 1) / 2)
    holes = plan.pits and not floats
    hole = fall_in(plan.battle_map.ways, (start.x, start.y), (end.x, end.y)) if holes else None
    return Point(*hole, start.z, start.shift) if hole else end


def pull_straight(plan: Barriers, way: Way, path: Path) -> Path:
    """The path without unneeded corners; corners on ground with higher cost stay."""
    if way.ground is not None and any(way.ground.weigh(place) > 1 for place in path):
        return path
    kept = [path[0]]
    for place, following in itertools.pairwise(path[1:]):
        if _find_stops(plan, way.grid, kept[-1], following, way.meters, way.floats):
            kept.append(place)
    return (*kept, path[-1])


def cut_short(
    path: Path, cost: Callable[[Path], float], shorten: Callable[[Path, float], Path], allowed: float
) -> Path:
    """The part of a detour that the movement can pay: whole legs, then part of one.

    `shorten` cuts a straight path to a movement. A whole path never costs less than its part.
    """
    paid = bisect_right(range(2, len(path) + 1), allowed + 1e-9, key=lambda legs: cost(path[:legs]))
    head = path[: paid + 1]
    if len(head) == len(path):
        return path
    left = allowed - (cost(head) if len(head) > 1 else 0.0)
    tail = shorten((head[-1], path[len(head)]), left)[1:]
    return (*head, *(place for place in tail if plan_distance(place, head[-1]) > 0.01))


def find_cached_steps(plan: Barriers, way: Way) -> dict[Point | Cell, Steps]:
    """The cached steps to middles of cells for such a walker, by start: a place, or the middle of a cell."""
    key = ("steps", way.grid, way.slant, way.meters, way.ground, way.floats)
    found: dict[Point | Cell, Steps] | None = plan.kept.get(key)
    return plan.keep(key, {}) if found is None or len(found) >= MAX_CACHED_LINES else found


class _Search:
    """One search over the cells of a map, from a start anywhere in its cell."""

    def __init__(
        self,
        plan: Barriers,
        way: Way,
        start: Point,
        goal: Point | None = None,
        box: tuple[int, int, int, int] | None = None,
    ) -> None:
        """With a `goal` it goes there first, with a `box` around several cells of squares to that."""
        self.plan, self.way, self.grid = plan, way, way.grid
        self.first = self.grid.find_cell(start)
        self.last = self.grid.find_cell(goal) if goal else None
        self.box = box
        self.places = {self.first: start} | ({self.last: goal} if goal and self.last else {})
        self.odd = self._find_odd()
        self.before: dict[Cell, Cell] = {self.first: self.first}
        self.steps = find_cached_steps(plan, way)
        self.is_cut_off = False

    def place(self, cell: Cell) -> Point:
        """The place in a cell: its middle, except for start and goal."""
        return self.places.get(cell) or self.grid.find_middle(cell)

    def run(self, most: float = math.inf, cells: int = MAX_CELLS) -> Iterator[Cell]:
        """The cells in order of cost, up to `most` widths of a cell.

        It `is_cut_off` beyond `cells` cells.
        """
        best, done, before, guess = {self.first: 0.0}, set[Cell](), self.before, self.find_guess()
        waiting = [(guess(self.first), 0.0, self.first)]
        limit = most + 1e-9
        while waiting:
            if len(done) >= cells:
                self.is_cut_off = True
                return
            _, cost, here = heapq.heappop(waiting)
            if here in done:
                continue
            done.add(here)
            yield here
            for there, step in self.find_steps(here):
                price = cost + step
                if price <= limit and (there not in best or price < best[there] - 1e-9):
                    best[there], before[there] = price, here
                    heapq.heappush(waiting, (price + guess(there), price, there))

    def _find_odd(self) -> frozenset[Cell]:
        """The cells with a possible step to a goal that is not in the middle of its cell."""
        last = self.last
        if last is None or self.place(last) == self.grid.find_middle(last):
            return frozenset()
        return frozenset((last, *self.grid.find_near(last)))

    def find_steps(self, here: Cell) -> Steps:
        """The cells reached by one step, with the cost in widths of a cell."""
        begin = self.places.get(here, here)
        found = self._measure(here, self.place) if here in self.odd else self.steps.get(begin)
        if found is None:
            found = self.steps[begin] = self._measure(here, self.grid.find_middle)
        knows = self.way.knows
        return found if knows is None else tuple(step for step in found if knows(step[0]))

    def _measure(self, here: Cell, place: Callable[[Cell], Point]) -> Steps:
        """Work out the steps from a cell; `place` returns the place in a neighboring cell.

        No path returns to its start, so that can be anywhere.
        """
        slant, ground = self.way.slant, self.way.ground
        return tuple(
            (
                there,
                (slant if not self.grid.hexes and here[0] != there[0] and here[1] != there[1] else 1.0)
                * (ground.weigh(place(there)) if ground else 1.0),
            )
            for there in self._find_clear(here, place)
        )

    def _find_clear(self, here: Cell, place: Callable[[Cell], Point]) -> tuple[Cell, ...]:
        a, index, near = self.place(here), self.plan.index, self.grid.find_near(here)
        spot = self.grid.plot(a)
        wide, floats = self.way.meters, self.way.floats
        if not index.find_near(spot, spot, 2 * self.grid.cell + wide / 2):
            return near
        return tuple(
            there for there in near if not _find_stops(self.plan, self.grid, a, place(there), wide, floats)
        )

    def find_guess(self) -> Callable[[Cell], float]:
        """A lower bound for the cost of the rest of the path from a cell."""
        if self.box is not None:
            return self._find_guess_to(*self.box)
        if self.last is None:
            return lambda _: 0.0
        (x, y), slanting = self.last, self.way.slant - 1

        def guess(cell: Cell) -> float:
            dx, dy = abs(x - cell[0]), abs(y - cell[1])
            return dx + slanting * dy if dx > dy else dy + slanting * dx

        def guess_hexes(cell: Cell) -> float:
            dx, dy = x - cell[0], y - cell[1]
            return (abs(dx) + abs(dy) + abs(dx + dy)) / 2

        return guess_hexes if self.grid.hexes else guess

    def _find_guess_to(self, west: int, east: int, north: int, south: int) -> Callable[[Cell], float]:
        slanting = self.way.slant - 1

        def guess(cell: Cell) -> float:
            dx = max(west - cell[0], 0, cell[0] - east)
            dy = max(north - cell[1], 0, cell[1] - south)
            return dx + slanting * dy if dx > dy else dy + slanting * dx

        return guess

    def walk_back(self, cell: Cell) -> Path:
        """The path to a cell that was found."""
        cells = [cell]
        while cells[-1] != self.first:
            cells.append(self.before[cells[-1]])
        return tuple(self.place(each) for each in reversed(cells))


def _search(plan: Barriers, way: Way, start: Point, goal: Point) -> tuple[Path | None, bool]:
    """The shortest path from cell to cell (A*), None if none is found, and whether more cells were left."""
    search = _Search(plan, way, start, goal)
    if search.first == search.last or _is_in_wall(search, start, goal):
        return None, False
    for number, cell in enumerate(search.run()):
        if cell == search.last:
            return search.walk_back(cell), False
        if number in ENCLOSED and _is_enclosed(search, goal, number):
            return None, False
    return None, search.is_cut_off


def _is_in_wall(found: _Search, *ends: Point) -> bool:
    """Whether a goal is in a barrier that the start is not in: no step leads there."""
    plan, meters = found.plan, found.way.meters
    spots = [found.grid.plot(end) for end in ends]
    holes = [set() if found.way.floats else set(_find_holes(plan, spot, spot)) for spot in spots]
    start, goal = (set(_find_below(plan, spot)) | hole for spot, hole in zip(spots, holes, strict=True))
    if meters > found.grid.cell:
        start, goal = (_find_met(plan, spot, meters) for spot in spots)
    return not goal <= start


def _is_enclosed(found: _Search, goal: Point, cells: int) -> bool:
    """Whether walls enclose a goal so tightly that so many cells around it show that no path leads there."""
    # Someone in a wall can leave it, though no step leads there: so the cells next to the start count for it.
    search, near = _Search(found.plan, found.way, goal), {found.first, *found.grid.find_near(found.first)}
    return near.isdisjoint(search.run(cells=cells)) and not search.is_cut_off


def find_reached(battle_map: BattleMap, way: Way, start: Point, goals: Iterable[Point]) -> frozenset[Point]:
    """Those of several goals that a path around barriers leads to, by one search for all of them.

    A goal beside a barrier may be left out although a search for it alone finds a path.
    """
    plan, left, reached = barriers_of(battle_map), dict[Cell, set[Point]](), set[Point]()
    for goal in goals:
        left.setdefault(way.grid.find_cell(goal), set()).add(goal)
    search = _Search(plan, way, start, box=_box_of(left) if left and not way.grid.hexes else None)
    for number, cell in enumerate(search.run() if left else ()):
        middle = way.grid.find_middle(cell)
        for goal in left.pop(cell, ()):
            if is_open(battle_map, way.grid, middle, goal, way.meters, way.floats):
                reached.add(goal)
        if number in ENCLOSED:
            left = _drop_enclosed(search, left, number)
        if not left:
            break
    return frozenset(reached)


def _box_of(cells: Iterable[Cell]) -> tuple[int, int, int, int]:
    """The least and the most of the first and of the second number of some cells."""
    first, second = zip(*cells, strict=True)
    return min(first), max(first), min(second), max(second)


def _drop_enclosed(found: _Search, left: dict[Cell, set[Point]], cells: int) -> dict[Cell, set[Point]]:
    """The goals left but for those that walls enclose; neighbors are looked at together."""
    near, kept, seen = (
        {found.first, *found.grid.find_near(found.first)},
        dict[Cell, set[Point]](),
        set[Cell](),
    )
    for cell, ends in left.items():
        if cell in seen:
            continue
        search = _Search(found.plan, found.way, next(iter(ends)))
        around = set(search.run(cells=cells))
        seen |= around
        if search.is_cut_off or not near.isdisjoint(around):
            kept |= {other: goals for other, goals in left.items() if other in around or other == cell}
    return kept


def find_paths(
    battle_map: BattleMap, way: Way, start: Point, goals: Iterable[Point], most: float
) -> Iterator[Path]:
    """The paths to each of some goals, but for detours that cost more than `most` widths of a cell."""
    if not has_walls(battle_map):
        yield from ((start, goal) for goal in goals)
        return
    plan, search = barriers_of(battle_map), _Search(barriers_of(battle_map), way, start)
    reached: set[Cell] | None = None
    for goal in goals:
        if not _find_stops(plan, way.grid, start, goal, way.meters, way.floats):
            yield (start, goal)
            continue
        reached = set(search.run(most)) if reached is None else reached
        cell = way.grid.find_cell(goal)
        middle = way.grid.find_middle(cell)
        if cell in reached and is_open(battle_map, way.grid, middle, goal, way.meters, way.floats):
            path = (*search.walk_back(cell)[:-1], goal)
            yield path if way.snaps else pull_straight(plan, way, path)
