"""Reach by hand: near enough, with no wall or shut door in between; and items by place.  RULING R50

All actions by hand use it: blows, holds, trips, first aid, drugs, pressure on a wound, picking things up.
"""

from __future__ import annotations

from functools import partial

from combat.rules.core.basics.errors import Refused
from combat.rules.core.map.bodies import check_open, check_open_to, is_unbarred, nearest, stand_in
from combat.rules.core.space import Point
from combat.rules.core.state import belongings
from combat.rules.core.state.belongings import Way
from combat.rules.core.state.state import Combatant, State

from .heights import span
from .sight_lines import find_between, find_grid

ARM_M = 1  # the reach of a hand, in meters
SLACK_M = 0.01


def in_meters(meters: float) -> str:
    """A distance in words, rounded to a tenth: "7 m", "1.4 m"."""
    return f"{round(meters, 1):g} m"


def describe_far(state: State, one: Combatant, other: Combatant) -> str:
    """The distance to someone, in words."""
    return in_meters(span(*nearest(one, other)))


def is_within(state: State, one: Combatant, other: Combatant, meters: float = ARM_M) -> bool:
    """Whether one combatant reaches another by hand, or with a weapon that reaches `meters`."""
    if one.id == other.id:
        return True
    if find_between(state, one, other).meters > meters + SLACK_M:
        return False
    return is_unbarred(state, find_grid(state), one, other)


def check_within(state: State, one: Combatant, other: Combatant, what: str, meters: float = ARM_M) -> None:
    """Refused("out_of_range") if `what` does not reach: too far, or behind a wall."""
    if one.id == other.id:
        return
    away = find_between(state, one, other).meters
    if away > meters + SLACK_M:
        text = f"Out of reach: {what} reaches {meters:g} m, {other.name} is {in_meters(away)} away."
        raise Refused("out_of_range", text)
    check_open(state, find_grid(state), one, other)


def check_place(state: State, combatant: Combatant, place: Point, name: str) -> None:
    """Refused("out_of_range") for a named thing that lies too far away or behind a wall."""
    away = _count_to(combatant, place)
    if away > ARM_M + SLACK_M:
        raise Refused("out_of_range", f"Out of reach: {name} lies {in_meters(away)} away.")
    check_open_to(state, find_grid(state), combatant, place=place, name=name)


def _count_to(combatant: Combatant, place: Point) -> float:
    """The meters from the nearest square of a combatant to a place."""
    return span(*nearest(combatant, stand_in(combatant, place)))


def way_from(state: State, who: str) -> Way:
    """The distance of a place from a combatant, in words."""
    combatant = state[who]
    return lambda place: f"{in_meters(_count_to(combatant, place))} away"


find_thing = partial(belongings.find_thing, find_way=way_from)
fallen_choices = partial(belongings.fallen_choices, find_way=way_from)
