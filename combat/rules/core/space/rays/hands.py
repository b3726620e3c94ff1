"""Barriers to hands and missiles: walls, shut doors and full cover.

Every game uses this for each action by hand: blows, holds, first aid, drugs, picking items up. The game sets
the reach of a hand; this module checks the barriers for all of them.
"""

from __future__ import annotations

import math
from bisect import bisect_left

from ...basics.errors import Refused
from ..barriers import Barrier, plan_of
from ..battle_map import FULL, KINDS, BattleMap
from ..grid import Grid
from ..plane import Point, plan_distance, towards
from .sight import Body, find_corners, sees


def find_bar(battle_map: BattleMap, grid: Grid, one: Body, other: Body) -> Barrier | None:
    """The barrier that every line from corner to corner crosses, so no hand gets past; None without one.

    Walls, windows, fences and shut doors stop hands. So does an obstacle that gives full cover and rises
    above the ground under both people.
    """
    if not battle_map.walls and not battle_map.obstacles and not battle_map.decks:
        return None
    plan = plan_of(battle_map)
    key = ("hand", grid, one, other)
    if key in plan.kept:
        found: Barrier | None = plan.kept[key]
        return found
    return plan.keep(key, _find_bar(battle_map, grid, one, other))


def _find_bar(battle_map: BattleMap, grid: Grid, one: Body, other: Body) -> Barrier | None:
    plan, height = plan_of(battle_map), max(one.at.z, other.at.z)
    mine, theirs = find_corners(plan, grid, one), find_corners(plan, grid, other)
    a, b = grid.plot(one.at), grid.plot(other.at)
    wide = max(math.dist(middle, corner) for middle, body in ((a, mine), (b, theirs)) for corner in body)
    barriers = plan.index.barriers
    near = sorted(plan.index.find_near(a, b, wide))
    numbers = {plan.index.edges[place][0] for place in near}
    passed = frozenset(number for number in numbers if not _stops_hands(barriers[number], height))
    rays = plan.index.cross_each(mine, theirs, plan.absent | passed, near)
    return barriers[rays[0][0]] if all(rays) else None


def _stops_hands(barrier: Barrier, height: float) -> bool:
    """Whether it stops all hands through and over it; the higher person stands at `height` meters."""
    if barrier.top == math.inf:
        return barrier.blocks_way or barrier.cover == FULL
    return barrier.cover == FULL and barrier.top > height


def check_hand(battle_map: BattleMap, grid: Grid, one: Body, other: Body, names: tuple[str, str]) -> None:
    """Refuse an action by hand between two named people; Refused("out_of_range") names the barrier."""
    if bar := find_bar(battle_map, grid, one, other):
        thing = f"A {bar.name.lower()}" if bar.name in KINDS else bar.name or "Something"
        raise Refused("out_of_range", f"{thing} stands between {names[0]} and {names[1]}: go round it.")


def stop_flight(battle_map: BattleMap, grid: Grid, start: Point, goal: Point) -> Point:
    """The last place on the straight line to a goal before a wall of full cover, in half meters.

    Missiles at a place fly through open doors and windows, and over obstacles.
    """
    if not (battle_map.walls or battle_map.decks) or _is_clear(battle_map, grid, start, goal):
        return goal
    steps = range(int(plan_distance(start, goal) * 2) + 1)
    first = bisect_left(
        steps, True, key=lambda n: not _is_clear(battle_map, grid, start, towards(start, goal, n / 2))
    )
    return towards(start, goal, max(0, first - 1) / 2)


def _is_clear(battle_map: BattleMap, grid: Grid, start: Point, goal: Point) -> bool:
    plan, there = plan_of(battle_map), grid.plot(goal)
    if start.shift != goal.shift:
        return sees(battle_map, grid, Body(start), Body(goal))
    met = plan.index.meet(grid.plot(start), there) - plan.absent
    barriers = plan.index.barriers
    return not any(barriers[n].cover == FULL and barriers[n].top == math.inf for n in met)
