"""Paths over a map of squares or hexes of 1 m: cells, costs, and the goals of commands."""

from __future__ import annotations

import itertools
import math

from combat.rules.core.map.bodies import find_beside, meters_of
from combat.rules.core.space import Point, check_zone, find_zone, read_points
from combat.rules.core.space.grid import round_hex
from combat.rules.core.state.state import Combatant, State

from ..book.options import find_option
from ..characters.conditions import is_down
from .place import has_ground, has_hexes

FARTHEST = 1000  # meters: a path is followed cell by cell


def find_path(state: State, combatant: Combatant, to: str) -> tuple[Point, ...]:
    """The path from a combatant to the goal of a command: zone:ID, near:COMBATANT, away:COMBATANT, points."""
    kind, _, name = to.partition(":")
    if kind == "zone":
        zone = check_zone(state.scene, name)
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
