"""What bounds a change of place on a map: its walls, the floors between its decks, and ground too high."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import msgspec

from ..space import LIFT, BattleMap, Point, Scene, map_of, plan_distance, stop_below
from ..space.decks import find_deck, find_hole, pass_hole
from ..space.grid import Grid
from ..space.paths import is_climbable, is_open, stop_short
from ..space.rays.sight import stop_flight

HOLE_M = 0.2  # meters within which a way ends in a hole where it is meant to


def is_walled(
    battle_map: BattleMap, grid: Grid, a: Point, b: Point, meters: float = 0.0, over: float = 0.0
) -> bool:
    """Whether something stops a body of some meters on the straight way between two places of a deck.

    It gets `over` obstacles of this height, and over fences from 1 m on; if that is infinite it flies, and
    only walls of full cover and shut doors stop it. Holes stop nobody here.
    """
    if over == inf:
        return stop_flight(battle_map, grid, a, b) != b
    if over:
        return not is_climbable(battle_map, grid, a, b, over, fences=over > LIFT, meters=meters)
    return not is_open(battle_map, grid, a, b, meters, floats=True)


def are_on_two_decks(battle_map: BattleMap, a: Point, b: Point) -> bool:
    """Whether two places lie on different decks."""
    here, there = find_deck(battle_map.decks, a.x, a.y), find_deck(battle_map.decks, b.x, b.y)
    return here is not None and there is not None and here != there


def is_floored(battle_map: BattleMap, grid: Grid, a: Point, b: Point, meters: float = 0.0) -> bool:
    """Whether a floor is between two places of different decks: no open hole leads straight through."""
    for way in battle_map.ways:
        spots = pass_hole(battle_map.decks, way, (a.x, a.y), (b.x, b.y))
        if spots is None:
            continue
        near, far = (Point(*spot) for spot in spots)
        if not (is_walled(battle_map, grid, a, near, meters) or is_walled(battle_map, grid, far, b, meters)):
            return False
    return True


class Straight(msgspec.Struct, frozen=True):
    """A straight way of a body of some meters: one that `flies` passes over holes, one `at_rims` stops there,
    and one that `climbs` rises as high as the ground."""

    grid: Grid
    meters: float = 0.0
    flies: bool = False
    at_rims: bool = False
    climbs: bool = False


def find_stop(scene: Scene, start: Point, goal: Point, way: Straight) -> Point:
    """The last place on a straight way to a goal on the same deck: before a wall, in the first open hole, and
    before ground over 1 m higher."""
    end = stop_short(map_of(scene), way.grid, start, goal, way.meters, way.flies, way.at_rims)
    if end != goal and plan_distance(end, goal) < HOLE_M and find_hole(map_of(scene).ways, goal.x, goal.y):
        end = goal  # it is in that hole
    return end if way.climbs else stop_below(scene, start, end)


def find_last(scene: Scene, steps: tuple[Point, ...], way: Straight) -> Point:
    """The same for a way from step to step: the last one that it reaches whole, or a hole between two."""
    for here, there in pairwise(steps):
        end = find_stop(scene, here, there, way)
        if end != there:
            return end if find_hole(map_of(scene).ways, end.x, end.y) else here
    return steps[-1]
