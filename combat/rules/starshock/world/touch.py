"""Reach by hand: near enough, and on a map with no wall or shut door in between.  RULING R17

Every action by hand uses this: blows, medicine, doses, helping up, picking up.
"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.map.bodies import body_of, is_concealed_from
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.rays.hands import check_hand, find_bar
from combat.rules.core.space.rays.sight import Body
from combat.rules.core.state.state import Combatant, State, present, replace

from ..book.tables import TOUCH_METRES
from ..people.sheet import find_option, is_able
from .place import are_enemies, describe_distance, has_hexes, is_map, is_near, zone_id
from .sight_lines import find_grid


def is_within(state: State, one: Combatant, other: Combatant, metres: int = TOUCH_METRES) -> bool:
    """Whether a combatant reaches another by hand: in the same zone, or within `metres` on a map.

    [SS-OTHER-12] [SS-RANGE-01]
    """
    return is_near(state, one, other, metres) and _is_open(state, one, other)


def _is_open(state: State, one: Combatant, other: Combatant) -> bool:
    if one.id == other.id or not is_map(state):
        return True
    return find_bar(map_of(state.scene), find_grid(state), body_of(one), body_of(other)) is None


def check_within(state: State, one: Combatant, other: Combatant) -> None:
    """Refused("out_of_range") for a target out of reach, or behind a wall. [SS-OTHER-12]"""
    if not is_near(state, one, other):
        away = describe_distance(state, one, other)
        raise Refused("out_of_range", f"{other.name} is out of reach ({away}): move there first.")
    check_open(state, one, other)


def check_open(state: State, one: Combatant, other: Combatant) -> None:
    """Refused("out_of_range") with the barrier that blocks every hand; zones have none."""
    if one.id != other.id:
        _check_bar(state, one, body_of(other), other.name)


def check_place(state: State, combatant: Combatant, place: Point, name: str) -> None:
    """Refused("out_of_range") for a named item too far away or behind a wall. [SS-OTHER-02]"""
    if not is_near(state, combatant, replace(combatant, at=place)):
        raise Refused("out_of_range", f"{name} is too far away: move there first.")
    _check_bar(state, combatant, Body(place), name)


def _check_bar(state: State, combatant: Combatant, there: Body, name: str) -> None:
    if is_map(state):
        names = (combatant.name, name)
        check_hand(map_of(state.scene), find_grid(state), body_of(combatant), there, names)


def find_hostiles(state: State, combatant: Combatant) -> list[Combatant]:
    """The hostile combatants that a combatant would break away from. [SS-ZONE-07] [SS-ZONE-10]

    RULING R42: conscious enemies who can attack and are not hidden; unseen combatants need not break away,
    nor do those outside all zones. RULING R45: on a map only if the table has a check for it, within 1 m and
    not behind a wall.
    """
    if not (is_map(state) or zone_id(state, combatant)):
        return []
    if is_map(state) and find_option(state, "map_leave_check") == "off":
        return []
    return [
        other
        for other in present(state)
        if are_enemies(combatant, other)
        and is_able(other)
        and is_within(state, combatant, other)
        and not is_concealed_from(state, combatant, other, has_hexes(state))
        and not is_concealed_from(state, other, combatant, has_hexes(state))
    ]
