"""The squares a fighter can go to now: what the map marks while a form asks where to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.basics.errors import Refused
from combat.rules.core.bodies import find_free, lead_to_each
from combat.rules.core.space import (
    Point,
    Reach,
    find_turns,
    is_straight,
    squares_around,
)
from combat.rules.core.state.state import State

from ..people.sheet import find_speed
from ..world.ways import make_way
from .cost import find_cost, find_gain
from .movement import check_sprint_ground, check_walk

FINE_M = (
    6  # metres of movement up to which squares of 1 m are marked; farther ones of 2 m, so that they stay few
)


def reach_of(speeds: int, smooth: bool = False) -> Callable[[State, str], tuple[Reach, ...]]:
    """Finds the squares within so many times Speed; `smooth` ways cross no difficult terrain.

    [COS-MOVE-02] [COS-MOVE-03] [COS-MOVE-05]
    """

    def find_reach(state: State, who: str) -> tuple[Reach, ...]:
        start, allowed = state[who].at, speeds * find_speed(state, state[who])
        farthest = allowed * find_gain(state, state[who])
        side = 1 if allowed <= FINE_M and farthest <= 2 * FINE_M else 2
        around = squares_around(state.scene, start, farthest, side)
        free = find_free(state, state[who], around)
        ways = lead_to_each(state, state[who], make_way(state, state[who]), free, farthest)
        fit = (way for way in ways if not (smooth and not _is_smooth(state, who, way)))
        legal = (way for way in fit if _allows(check_walk, state, who, way, allowed))
        costs = ((way, find_cost(state, who, way)) for way in legal)
        return tuple(Reach(way[-1], cost, side, find_turns(way), allowed - cost) for way, cost in costs)

    return find_reach


def _is_smooth(state: State, who: str, way: tuple[Point, ...]) -> bool:
    """[COS-MOVE-06] [COS-TERR-03] Whether one can sprint along a way: straight, over no difficult ground."""
    return is_straight(way) and _allows(check_sprint_ground, state, who, way)


def _allows(check: Callable[..., None], *given: Any) -> bool:
    try:
        check(*given)
    except Refused:
        return False
    return True
