"""Lines on the map: sight, the obstacles between two combatants, and reach by hand."""

from __future__ import annotations

from functools import partial

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.gm.ways import Arm
from combat.rules.core.map import bodies
from combat.rules.core.map.bodies import body_of, check_open_to, is_concealed_from, is_unbarred
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.rays.sight import (
    NO_LINES,
    Lines,
    Sighting,
    check_lines,
    draw_lines,
    point_terms,
    sight_by_points,
)
from combat.rules.core.state import belongings
from combat.rules.core.state.belongings import Way
from combat.rules.core.state.state import Combatant, State, present

from ..book.options import find_option
from ..book.tables import TOUCH_METERS
from ..characters.sheet import is_able
from .place import are_enemies, describe_distance, describe_way_to, has_hexes, is_map, is_near, zone_id

CELL_M = 1.0
ARM_M = 1.5  # an adjacent cell, also diagonally
POINTS_RULE = "SS-ZONE-11"


def find_grid(state: State) -> Grid:
    """The squares or hexes of the map, of 1 m.  [SS-MAP-04]"""
    return make_grid(map_of(state.scene), CELL_M, has_hexes(state))


def find_arm(state: State) -> Arm:
    """The reach for a door, in meters; none in zones.  [SS-MAP-01]"""
    return Arm(find_grid(state), ARM_M if is_map(state) else -1.0)


def find_lines(state: State, one: Combatant, other: Combatant) -> Lines:
    """The lines from one combatant to another and what they cross; none in zones.  [SS-MAP-01]"""
    if not is_map(state):
        return NO_LINES
    return draw_lines(map_of(state.scene), find_grid(state), body_of(one), body_of(other))


def check_seen(state: State, one: Combatant, other: Combatant) -> None:
    """Refuse a target behind a wall. [SS-MAP-01]"""
    check_lines(find_lines(state, one, other), one.name, other.name)


def obstacle_terms(state: State, one: Combatant, other: Combatant) -> Modifiers:
    """The GM's points for an obstacle, which count like a zone's own property. [SS-ZONE-11]"""
    return point_terms(find_lines(state, one, other), POINTS_RULE)


def look(state: State, one: Combatant, other: Combatant) -> Sighting:
    """What one combatant sees of another, by the map."""
    return sight_by_points(find_lines(state, one, other), POINTS_RULE)


# Reach by hand: near enough, and on a map with no wall or shut door between; items by place. RULING R17
# Every action by hand uses this: blows, medicine, doses, helping up, picking up.


def is_within(state: State, one: Combatant, other: Combatant, meters: int = TOUCH_METERS) -> bool:
    """Whether a combatant reaches another by hand: in the same zone, or within `meters` on a map.

    [SS-OTHER-12] [SS-RANGE-01]
    """
    if not is_near(state, one, other, meters):
        return False
    return not is_map(state) or is_unbarred(state, find_grid(state), one, other)


def check_within(state: State, one: Combatant, other: Combatant) -> None:
    """Refused("out_of_range") for a target out of reach, or behind a wall. [SS-OTHER-12]"""
    if not is_near(state, one, other):
        away = describe_distance(state, one, other)
        raise Refused("out_of_range", f"{other.name} is out of reach ({away}): move there first.")
    check_open(state, one, other)


def check_open(state: State, one: Combatant, other: Combatant) -> None:
    """Refused("out_of_range") with the barrier that blocks every hand; zones have none."""
    if is_map(state):
        bodies.check_open(state, find_grid(state), one, other)


def check_place(state: State, combatant: Combatant, place: Point, name: str) -> None:
    """Refused("out_of_range") for a named item too far away or behind a wall. [SS-OTHER-02]"""
    if not is_near(state, combatant, bodies.stand_in(combatant, place)):
        raise Refused("out_of_range", f"{name} is too far away: move there first.")
    if is_map(state):
        check_open_to(state, find_grid(state), combatant, place=place, name=name)


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


def way_from(state: State, who: str) -> Way:
    """The distance from a combatant to a place, in words."""
    combatant = state[who]

    def describe(place: Point) -> str:
        return describe_way_to(state, combatant, bodies.stand_in(combatant, place))

    return describe


find_thing = partial(belongings.find_thing, find_way=way_from)
fallen_choices = partial(belongings.fallen_choices, find_way=way_from)
