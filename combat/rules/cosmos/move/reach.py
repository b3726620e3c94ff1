"""The squares a combatant can move to now: the map marks them while a form asks for a destination."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.errors import allows
from combat.rules.core.map.bodies import find_free, lead_to_each
from combat.rules.core.space import (
    Point,
    Reach,
    find_turns,
    is_straight,
    squares_around,
)
from combat.rules.core.state.state import State

from ..people.sheet import find_speed
from .cost import make_way, meters_gained, movement_cost
from .movement import check_sprint_ground, check_walk

FINE_M = (
    6  # meters of movement within which squares of 1 m are marked; beyond, squares of 2 m, to keep them few
)


def reach_of(speeds: int, smooth: bool = False) -> Callable[[State, str], tuple[Reach, ...]]:
    """A function that finds the squares within `speeds` times Speed.

    `smooth` paths cross no difficult terrain.  [COS-MOVE-02] [COS-MOVE-03] [COS-MOVE-05]
    """

    def find_reach(state: State, who: str) -> tuple[Reach, ...]:
        start, allowed = state[who].at, speeds * find_speed(state, state[who])
        farthest = allowed * meters_gained(state, state[who])
        side = 1 if allowed <= FINE_M and farthest <= 2 * FINE_M else 2
        around = squares_around(state.scene, start, farthest, side)
        free = find_free(state, state[who], around)
        paths = lead_to_each(state, state[who], make_way(state, state[who]), free, farthest)
        fit = (way for way in paths if not (smooth and not _is_smooth(state, who, way)))
        legal = (way for way in fit if allows(check_walk, state, who, way, allowed))
        costs = ((way, movement_cost(state, who, way)) for way in legal)
        return tuple(Reach(way[-1], cost, side, find_turns(way), allowed - cost) for way, cost in costs)

    return find_reach


def _is_smooth(state: State, who: str, way: tuple[Point, ...]) -> bool:
    """Whether a path allows a sprint: straight, over no difficult ground. [COS-MOVE-06] [COS-TERR-03]"""
    return is_straight(way) and allows(check_sprint_ground, state, who, way)
