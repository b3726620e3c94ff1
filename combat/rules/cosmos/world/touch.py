"""What can be reached by hand: near enough, and with no wall or shut door in between.  RULING R50

Every action by hand asks here: blows, holds, trips, first aid, drugs, pressure on a wound, picking things up.
"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.bodies import body_of, nearest
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.hands import check_hand, find_bar
from combat.rules.core.space.sight import Body
from combat.rules.core.state.state import Combatant, State

from .heights import span
from .lines import find_grid

ARM_M = 1  # what somebody reaches with a hand, in metres
SLACK_M = 0.01


def in_metres(metres: float) -> str:
    """A distance in words, to a tenth where it is not whole: "7 m", "1.4 m"."""
    return f"{round(metres, 1):g} m"


def is_within(state: State, one: Combatant, other: Combatant, metres: float = ARM_M) -> bool:
    """Whether one fighter reaches another by hand, or with a weapon that reaches so many metres."""
    if one.id == other.id:
        return True
    if span(*nearest(one, other)) > metres + SLACK_M:
        return False
    return find_bar(map_of(state.scene), find_grid(state), body_of(one), body_of(other)) is None


def check_within(state: State, one: Combatant, other: Combatant, what: str, metres: float = ARM_M) -> None:
    """Refused("out_of_range") where `what` does not reach: too far, or with a wall in between."""
    if one.id == other.id:
        return
    away = span(*nearest(one, other))
    if away > metres + SLACK_M:
        text = f"Out of reach: {what} reaches {metres:g} m, {other.name} is {in_metres(away)} away."
        raise Refused("out_of_range", text)
    names = (one.name, other.name)
    check_hand(map_of(state.scene), find_grid(state), body_of(one), body_of(other), names)


def check_place(state: State, fighter: Combatant, place: Point, name: str) -> None:
    """Refused("out_of_range") for a thing, by its name, that lies too far away or behind a wall."""
    away = span(fighter.at, place)
    if away > ARM_M + SLACK_M:
        raise Refused("out_of_range", f"Out of reach: {name} lies {in_metres(away)} away.")
    names = (fighter.name, name)
    check_hand(map_of(state.scene), find_grid(state), body_of(fighter), Body(place), names)
