"""What can be reached by hand: near enough, and on a map with no wall or shut door in between.  RULING R17

Every action by hand asks here: blows, medicine, doses, helping up, picking things up.
"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.bodies import body_of, is_concealed_from
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.hands import check_hand, find_bar
from combat.rules.core.space.sight import Body
from combat.rules.core.state.state import Combatant, State, present, replace

from ..book.tables import TOUCH_METRES
from ..people.sheet import find_option, is_able
from .lines import find_grid
from .place import are_enemies, describe_distance, has_hexes, is_map, is_near, zone_id


def is_within(state: State, one: Combatant, other: Combatant, metres: int = TOUCH_METRES) -> bool:
    """Whether a combatant reaches another by hand: in the same zone, or so many metres away on a map.

    [SS-OTHER-12] [SS-RANGE-01]
    """
    return is_near(state, one, other, metres) and _is_open(state, one, other)


def _is_open(state: State, one: Combatant, other: Combatant) -> bool:
    if one.id == other.id or not is_map(state):
        return True
    return find_bar(map_of(state.scene), find_grid(state), body_of(one), body_of(other)) is None


def check_within(state: State, one: Combatant, other: Combatant) -> None:
    """[SS-OTHER-12] Refused("out_of_range") for somebody out of reach, or behind a wall."""
    if not is_near(state, one, other):
        away = describe_distance(state, one, other)
        raise Refused("out_of_range", f"{other.name} is out of reach ({away}): move there first.")
    check_open(state, one, other)


def check_open(state: State, one: Combatant, other: Combatant) -> None:
    """Refused("out_of_range") names the barrier that no hand gets past; in play by zones there is none."""
    if one.id != other.id:
        _check_bar(state, one, body_of(other), other.name)


def check_place(state: State, fighter: Combatant, place: Point, name: str) -> None:
    """[SS-OTHER-02] Refused("out_of_range") for a thing, by its name, too far away or behind a wall."""
    if not is_near(state, fighter, replace(fighter, at=place)):
        raise Refused("out_of_range", f"{name} is too far away: move there first.")
    _check_bar(state, fighter, Body(place), name)


def _check_bar(state: State, fighter: Combatant, there: Body, name: str) -> None:
    if is_map(state):
        names = (fighter.name, name)
        check_hand(map_of(state.scene), find_grid(state), body_of(fighter), there, names)


def find_hostiles(state: State, fighter: Combatant) -> list[Combatant]:
    """[SS-ZONE-07] [SS-ZONE-10] The hostile combatants a fighter would break away from.

    RULING R42: conscious enemies able to attack, and not hidden; nobody breaks away unseen, or from
    outside of all zones. RULING R45: on a map only where the table has a check for it, within 1 m
    and not behind a wall.
    """
    if not (is_map(state) or zone_id(state, fighter)):
        return []
    if is_map(state) and find_option(state, "map_leave_check") == "off":
        return []
    return [
        other
        for other in present(state)
        if are_enemies(fighter, other)
        and is_able(other)
        and is_within(state, fighter, other)
        and not is_concealed_from(state, fighter, other, has_hexes(state))
        and not is_concealed_from(state, other, fighter, has_hexes(state))
    ]
