"""Lines of sight on the map, and the obstacles between two combatants."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.gm.doors import Arm
from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import map_of
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
from combat.rules.core.state.state import Combatant, State

from .place import has_hexes, is_map

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
