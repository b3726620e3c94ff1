"""The battle map: what stands between two fighters, where a fight is on a map."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.bodies import body_of
from combat.rules.core.space import map_of
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.sight import (
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
POINTS_RULE = "SS-ZONE-11"


def find_grid(state: State) -> Grid:
    """The squares or hexes of the map, of 1 m.  [SS-MAP-04]"""
    return make_grid(map_of(state.scene), CELL_M, has_hexes(state))


def find_lines(state: State, one: Combatant, other: Combatant) -> Lines:
    """The lines from one fighter to another, and what they cross; in zones there are none.  [SS-MAP-01]"""
    if not is_map(state):
        return NO_LINES
    return draw_lines(map_of(state.scene), find_grid(state), body_of(one), body_of(other))


def check_seen(state: State, one: Combatant, other: Combatant) -> None:
    """[SS-MAP-01] Refuse to attack somebody behind a wall."""
    check_lines(find_lines(state, one, other), one.name, other.name)


def obstacle_terms(state: State, one: Combatant, other: Combatant) -> Modifiers:
    """[SS-ZONE-11] The points the GM gave an obstacle count as those of a zone's own property do."""
    return point_terms(find_lines(state, one, other), POINTS_RULE)


def look(state: State, one: Combatant, other: Combatant) -> Sighting:
    """What the map says of a fighter who looks at another."""
    return sight_by_points(find_lines(state, one, other), POINTS_RULE)
