"""The squares a fighter can go to now: what the map marks while a form asks where to."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.errors import Refused
from combat.rules.core.bodies import find_free, lead_to_each
from combat.rules.core.space import (
    Point,
    Reach,
    find_turns,
    is_straight,
    metres_through,
    squares_around,
)
from combat.rules.core.state.state import State

from ..people.sheet import find_speed
from ..world.ways import DIFFICULT, make_way
from .movement import check_walk, find_cost

FINE_M = 6  # beyond this many metres squares of 2 m are marked, so that they stay few


def reach_of(speeds: int, smooth: bool = False) -> Callable[[State, str], tuple[Reach, ...]]:
    """Finds the squares within so many times Speed; `smooth` ways cross no difficult terrain.

    [COS-MOVE-02] [COS-MOVE-03] [COS-MOVE-05]
    """

    def find_reach(state: State, who: str) -> tuple[Reach, ...]:
        start, allowed = state[who].at, speeds * find_speed(state, state[who])
        side = 1 if allowed <= FINE_M else 2
        around = squares_around(state.scene, start, allowed, side)
        free = find_free(state, state[who], around)
        ways = lead_to_each(state, state[who], make_way(state, state[who]), free, allowed)
        fit = (way for way in ways if not (smooth and not _is_smooth(state, way)))
        legal = (way for way in fit if _can_go(state, who, way, allowed))
        costs = ((way, find_cost(state, way)) for way in legal)
        return tuple(Reach(way[-1], cost, side, find_turns(way), allowed - cost) for way, cost in costs)

    return find_reach


def _is_smooth(state: State, way: tuple[Point, ...]) -> bool:
    """[COS-MOVE-06] [COS-TERR-03] Whether one can sprint along a way: straight, over no difficult ground."""
    return is_straight(way) and not metres_through(state.scene, way, DIFFICULT)


def _can_go(state: State, who: str, way: tuple[Point, ...], allowed: int) -> bool:
    try:
        check_walk(state, who, way, allowed)
    except Refused:
        return False
    return True
