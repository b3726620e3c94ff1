"""Paths over a map of squares or hexes of 1 m: cells, costs, ways around walls, and edges."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from combat.rules.core.basics.errors import Refused
from combat.rules.core.map.bodies import find_beside, go_near_body, meters_of
from combat.rules.core.space import (
    LIFT,
    Point,
    check_goal,
    find_rise,
    find_zone,
    map_of,
    on_ground,
    read_points,
)
from combat.rules.core.space.decks import find_hole
from combat.rules.core.space.grid import Cell, round_hex
from combat.rules.core.space.paths import (
    Way,
    find_cells_on,
    find_ground,
    find_paths,
    go_round,
    has_walls,
    is_open,
)
from combat.rules.core.state.state import Combatant, State, replace

from ..book.options import find_option
from ..book.tables import GRAVITIES
from ..characters.conditions import is_down
from .place import has_ground, has_hexes, is_map
from .sight_lines import find_grid

FARTHEST = 1000  # meters: a path is followed cell by cell
ARM = 1.0


def find_path(state: State, combatant: Combatant, to: str) -> tuple[Point, ...]:
    """The path from a combatant to the goal of a command: zone:ID, near:COMBATANT, away:COMBATANT, points."""
    kind, _, name = to.partition(":")
    if kind == "zone":
        zone = check_goal(state.scene, name)
        return (combatant.at, zone.centre)
    if kind == "near":
        other, hexes = state[name], has_hexes(state)
        if meters_of(combatant) or meters_of(other):
            return (combatant.at, find_beside(combatant, other, 1.0, hexes=hexes, snaps=True))
        cells = find_cells(state, (combatant.at, other.at))
        return (combatant.at, cells[-2] if len(cells) > 1 else combatant.at)
    if kind == "away":
        return (combatant.at, _far_from(combatant.at, state[name].at))
    return (combatant.at, *read_points(to, FARTHEST))


def _far_from(start: Point, danger: Point) -> Point:
    x, y = round(start.x - danger.x), round(start.y - danger.y)
    if not x and not y:
        x = 1
    return Point(float(round(start.x) + 20 * x), float(round(start.y) + 20 * y))


def find_cells(state: State, path: tuple[Point, ...]) -> tuple[Point, ...]:
    """Every cell of a path, including the first.  [SS-MAP-04]"""
    cells = [_cell(path[0])]
    for a, b in itertools.pairwise(path):
        cells += _line(state, a, b)
    return tuple(cells)


def _cell(place: Point) -> Point:
    return Point(float(round(place.x)), float(round(place.y)))


def _line(state: State, a: Point, b: Point) -> list[Point]:
    """The cells from a to b, without a itself."""
    a, b = _cell(a), _cell(b)
    hexes = has_hexes(state)
    dx, dy = b.x - a.x, b.y - a.y
    count = int((abs(dx) + abs(dy) + abs(dx + dy)) / 2 if hexes else max(abs(dx), abs(dy)))
    if hexes:
        hexes_on = (round_hex(a.x + dx * n / count, a.y + dy * n / count) for n in range(1, count + 1))
        return [Point(float(q), float(r)) for q, r in hexes_on]
    return [Point(a.x + _share(dx, n, count), a.y + _share(dy, n, count)) for n in range(1, count + 1)]


def _share(way: float, n: int, count: int) -> float:
    """`n` of `count` parts of a distance in whole meters; a half is rounded away from its start."""
    return math.copysign((2 * abs(way) * n + count) // (2 * count), way)


def count_cost(state: State, combatant: Combatant, path: tuple[Point, ...]) -> int:
    """The meters of the pool that a path takes.  [SS-MAP-05] [SS-OTHER-07]

    Difficult ground and crawling count double; diagonals as the table has it, RULING R45.
    """
    cells = find_cells(state, path)
    crawling = is_down(combatant) and find_option(state, "prone_crawl") == "in_zone"
    cost = diagonals = 0
    for a, b in itertools.pairwise(cells):
        step = 1
        if a.x != b.x and a.y != b.y and not has_hexes(state):
            diagonals += 1
            step += find_option(state, "diagonal") == "five_ten_alternate" and diagonals % 2 == 0
        double = has_ground(find_zone(state.scene, b), "difficult") or crawling
        cost += step * (2 if double else 1)
    return cost


def shorten(state: State, combatant: Combatant, path: tuple[Point, ...]) -> tuple[Point, ...]:
    """The first part of a path that the rest of the pool pays for."""
    return (path[0], find_paid(state, combatant, path)[-1])


def find_paid(state: State, combatant: Combatant, path: tuple[Point, ...]) -> tuple[Point, ...]:
    """The cells of a path that the rest of the pool pays for, including the first."""
    cells, left = find_cells(state, path), combatant.budget.get("metres", 0)
    most = max(
        (n for n in range(len(cells)) if count_cost(state, combatant, cells[: n + 1]) <= left), default=0
    )
    return cells[: most + 1]


# Paths around the walls of the battle map, from cell to cell.


def make_way(state: State, combatant: Combatant) -> Way:
    """Paths from cell to cell, counted as the table has it. [SS-MAP-04] [SS-MAP-05] [SS-OTHER-07]

    RULING R45
    """
    slant = 1.5 if find_option(state, "diagonal") == "five_ten_alternate" else 1.0
    ground = find_ground(state.scene, frozenset({"difficult"}))
    return Way(find_grid(state), True, slant, ground, meters=meters_of(combatant))


def are_in_the_way(state: State) -> bool:
    """Whether the fight is on a map with walls.  [SS-MAP-01]"""
    return is_map(state) and has_walls(map_of(state.scene))


def find_route(state: State, combatant: Combatant, to: str) -> tuple[Point, ...]:
    """The path to the goal of a command, around obstacles and edges; Refused if obstacles leave none."""
    path = _find_barred(state, combatant, to)
    return _go_round_edges(state, combatant, path) if is_over_edge(state, path) else path


def _go_round_edges(state: State, combatant: Combatant, path: tuple[Point, ...]) -> tuple[Point, ...]:
    """A path that leads down no edge; the same if there is none."""
    way = replace(make_way(state, combatant), knows=find_safe(state))
    found = [path[0]]
    for a, b in itertools.pairwise(path):
        cells = find_cells_on(map_of(state.scene), way, a, b) if is_over_edge(state, (a, b)) else (a, b)
        if cells is None:
            return path
        found += cells[1:]
    return tuple(found)


def _find_barred(state: State, combatant: Combatant, to: str) -> tuple[Point, ...]:
    """The path to the goal of a command, around obstacles alone."""
    path = find_path(state, combatant, to)
    if not are_in_the_way(state):
        return path
    if find_hole(map_of(state.scene).ways, path[-1].x, path[-1].y):
        raise Refused("out_of_range", "An open hole is there: go round it, or jump down.")
    way, (kind, _, name) = make_way(state, combatant), to.partition(":")
    other = state[name] if kind == "near" else None
    near = go_near_body(map_of(state.scene), way, combatant, other=other, gap=ARM) if other else None
    return near or go_round(map_of(state.scene), way, path)


def find_clear(
    state: State, combatant: Combatant, cells: tuple[Point, ...], floats: bool = False
) -> tuple[Point, ...]:
    """The first of these cells, up to what blocks a combatant who is pushed; who `floats` passes holes."""
    if not are_in_the_way(state):
        return cells
    kept, meters = [cells[0]], meters_of(combatant)
    for cell in cells[1:]:
        if not is_open(map_of(state.scene), find_grid(state), kept[-1], cell, meters, floats):
            break
        kept.append(cell)
    return tuple(kept)


def find_each(
    state: State, combatant: Combatant, goals: Iterable[Point], meters: int
) -> Iterator[tuple[Point, ...]]:
    """The paths of a combatant to each of the goals within `meters`."""
    return find_paths(map_of(state.scene), make_way(state, combatant), combatant.at, goals=goals, most=meters)


# Edges on a map: open holes in decks, and where the ground falls from one cell to the next. RULING R45 R46
# R50


def find_stretch(state: State) -> tuple[int, str]:
    """The meters for each die of a fall in this gravity, and the rule.  [SS-FALL-01] [SS-FALL-02]"""
    row = GRAVITIES[state.scene.settings.get("gravity", "mars_artigrav")]
    return row.metres, row.rule


def measure_drop(high: float, low: float) -> float:
    """Meters from one height down to another, below 0 up; to the millimeter, as decimals do not add up."""
    return round(high - low, 3)


def has_edges(state: State) -> bool:
    """Whether a map has ground from which one may fall: an open hole, or levels far enough apart."""
    built = map_of(state.scene)
    if not is_map(state):
        return False
    return _has_levels(state) or any(way.hole and way.open for way in built.ways)


def _has_levels(state: State) -> bool:
    """Whether the ground of some zones is more than a harmless stretch above or below other ground."""
    levels = [0.0, *(find_rise(state.scene, zone) for zone in state.scene.zones)]
    return max(levels) - min(levels) > find_stretch(state)[0]


def is_edge(state: State, here: Point, there: Point) -> bool:
    """Whether a step from ground to ground leads into a hole, or down more than what does no harm."""
    return here.shift != there.shift or measure_drop(here.z, there.z) > find_stretch(state)[0]


def find_grounds(state: State, path: tuple[Point, ...]) -> list[Point]:
    """The ground of each cell of a path; that of the deck below, over an open hole."""
    return [on_ground(state.scene, cell) for cell in find_cells(state, path)]


def is_over_edge(state: State, path: tuple[Point, ...]) -> bool:
    """Whether a path leads over an edge."""
    return has_edges(state) and any(is_edge(state, *step) for step in pairwise(find_grounds(state, path)))


def stop_before_edge(state: State, cells: tuple[Point, ...]) -> tuple[Point, ...]:
    """The first of these cells, up to the edge of a hole or of the ground."""
    if not has_edges(state):
        return cells
    grounds = find_grounds(state, cells)
    most = next((n for n, step in enumerate(pairwise(grounds), 1) if is_edge(state, *step)), len(cells))
    return cells[:most]


def find_safe(state: State) -> Callable[[Cell], bool]:
    """Which cells lie at the foot of no edge: paths over these alone lead down none."""
    grid, grounds = find_grid(state), dict[Cell, Point]()

    def find(cell: Cell) -> Point:
        if cell not in grounds:
            grounds[cell] = on_ground(state.scene, grid.find_middle(cell))
        return grounds[cell]

    return lambda cell: not any(is_edge(state, find(near), find(cell)) for near in grid.find_near(cell))


def find_landing_cells(state: State, cells: tuple[Point, ...]) -> tuple[Point, ...]:
    """The cells of a jump: up to the hole that it leads into, or to where the ground rises again after an
    edge; none if it leads over no edge of more than 1 m."""
    fallen = False
    for n, (here, there) in enumerate(pairwise(find_grounds(state, cells)), 1):
        if here.shift != there.shift:
            return cells[: n + 1]
        if fallen and there.z - here.z > LIFT:
            return cells[:n]
        fallen = fallen or measure_drop(here.z, there.z) > LIFT
    return cells if fallen else ()


def count_fall(state: State, path: tuple[Point, ...]) -> float:
    """The meters that someone falls along a path: on a map those of edges, each of more than 1 m.

    Between decks, and in zones, by height.
    """
    steps = []
    for start, end in pairwise(path):
        if not is_map(state) or start.shift != end.shift or (start.x, start.y) == (end.x, end.y):
            steps.append((start, end))
            continue
        steps += pairwise((start, *find_grounds(state, (start, end))[1:]))
    drops = (measure_drop(here.z, there.z) for here, there in steps)
    return round(sum(drop for drop in drops if drop > LIFT), 3)
