"""The length of a movement action, and recent movement."""

from __future__ import annotations

import itertools

from msgspec import UNSET

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.space import Point, map_of, meters_through, plan_distance
from combat.rules.core.space.plane import holds
from combat.rules.core.state.state import Combatant, State

from ..characters.conditions import crawls, creeps, limps
from .bands import measure
from .order import mark
from .scene import DIFFICULT

MOVED_M = "moved_m"  # mark: meters moved since the last own turn began, as words
MOVED_ROUND = "moved_round"  # mark: the last round in which someone moved
CRAWL_METERS = 1.5  # RULING R35
WOUNDED_METERS = 1.5  # a round, RULING R35
ROUGH = frozenset((DIFFICULT,))


def find_step(combatant: Combatant) -> float:
    """Meters of one movement action.

    [CE-MINOR-15] [CE-MINOR-17] 6 m, which are four squares. [CE-MINOR-19] [CE-STANCE-03] Half that if
    crouching. RULING R35: the prone crawl 1.5 m.
    """
    if crawls(combatant):
        return CRAWL_METERS
    meters = float(combatant.sheet["move_m"])
    return meters / 2 if creeps(combatant) else meters


def allowed_meters(combatant: Combatant, actions: int = 1) -> float:
    """The length of n movement actions, in meters.

    [CE-INJ-04] The seriously wounded limp 1.5 m, RULING R35: in a whole round.
    """
    meters = find_step(combatant) * actions
    if limps(combatant):
        return max(0.0, min(meters, WOUNDED_METERS - count_moved(combatant)))
    return meters


def movement_cost(state: State, path: tuple[Point, ...]) -> float:
    """The meters of movement that a path takes.

    [CE-MINOR-18] Difficult terrain counts double. [CE-MINOR-16] On a grid squares of 1.5 m are counted.
    On a deck it is as long as on its plan.
    """
    if map_of(state.scene).decks:
        path = tuple(Point(place.x, place.y) for place in path)
    legs = itertools.pairwise(path)
    return round(sum(measure(state, a, b) * (1 + _rough_share(state, a, b)) for a, b in legs), 3)


def is_rough(state: State, at: Point) -> bool:
    """Whether a place lies in difficult terrain. [CE-MINOR-18]"""
    return any(ROUGH.intersection(zone.terrain) and holds(zone, at.x, at.y) for zone in state.scene.zones)


def _rough_share(state: State, a: Point, b: Point) -> float:
    """The share of a straight line in difficult terrain, 0 to 1."""
    whole = plan_distance(a, b)
    return meters_through(state.scene, (a, b), ROUGH) / whole if whole > 0.01 else 0.0


def count_moved(combatant: Combatant) -> float:
    """Meters moved since the own last turn began.  [CE-MOD-06] RULING R49"""
    return float(combatant.marks.get(MOVED_M, 0))


def find_mover(state: State, combatant: Combatant) -> Combatant:
    """The combatant whose movement counts: the vehicle for those inside one.  RULING R80"""
    if combatant.berth is UNSET:
        return combatant  # as most
    return state.combatants.get(combatant.inside, combatant)


def note_moved(context: RuleContext, who: str, meters: float) -> None:
    """Remember meters that someone has moved or was driven.  [CE-MOD-06] [CE-COMMS-12] [CE-XRANGE-05]"""
    if meters <= 0:
        return
    mark(context, who, MOVED_M, value=f"{count_moved(context.state[who]) + meters:.2f}", rule="CE-MOD-06")
    mark(context, who, MOVED_ROUND, value=context.state.round, rule="CE-XRANGE-05")


def forget_moved(context: RuleContext, who: str) -> None:
    """Forget earlier movement when a turn begins: it no longer affects shots."""
    if MOVED_M in context.state.combatants[who].marks:
        mark(context, who, MOVED_M, value=None, rule="CE-MOD-06")


def has_stood_still(state: State, combatant: Combatant) -> bool:
    """Whether someone has moved neither in this round nor in the last one.  [CE-XRANGE-05] RULING R44"""
    last = combatant.marks.get(MOVED_ROUND)
    return last is None or int(last) < state.round - 1


def has_moved_now(state: State, combatant: Combatant) -> bool:
    """Whether someone has moved in this round.  [CE-SENS-09]"""
    return combatant.marks.get(MOVED_ROUND) == state.round
