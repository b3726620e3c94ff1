"""Reach by hand: near enough, with no wall or shut door in between.  RULING R50

All actions by hand use it: blows, holds, trips, first aid, drugs, pressure on a wound, picking things up.
"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.rays.hands import check_hand
from combat.rules.core.space.rays.sight import Body
from combat.rules.core.state.state import Combatant, State

from .heights import span
from .sight_lines import find_between, find_grid, is_barred

ARM_M = 1  # the reach of a hand, in meters
SLACK_M = 0.01


def in_metres(metres: float) -> str:
    """A distance in words, rounded to a tenth: "7 m", "1.4 m"."""
    return f"{round(metres, 1):g} m"


def is_within(state: State, one: Combatant, other: Combatant, metres: float = ARM_M) -> bool:
    """Whether one combatant reaches another by hand, or with a weapon that reaches `metres`."""
    if one.id == other.id:
        return True
    if find_between(state, one, other).span > metres + SLACK_M:
        return False
    return not is_barred(state, one, other)


def check_within(state: State, one: Combatant, other: Combatant, what: str, metres: float = ARM_M) -> None:
    """Refused("out_of_range") if `what` does not reach: too far, or behind a wall."""
    if one.id == other.id:
        return
    away = find_between(state, one, other).span
    if away > metres + SLACK_M:
        text = f"Out of reach: {what} reaches {metres:g} m, {other.name} is {in_metres(away)} away."
        raise Refused("out_of_range", text)
    if is_barred(state, one, other):
        names = (one.name, other.name)
        check_hand(map_of(state.scene), find_grid(state), body_of(one), body_of(other), names)


def check_place(state: State, combatant: Combatant, place: Point, name: str) -> None:
    """Refused("out_of_range") for a named thing that lies too far away or behind a wall."""
    away = span(combatant.at, place)
    if away > ARM_M + SLACK_M:
        raise Refused("out_of_range", f"Out of reach: {name} lies {in_metres(away)} away.")
    names = (combatant.name, name)
    check_hand(map_of(state.scene), find_grid(state), body_of(combatant), Body(place), names)
