"""The battle map: what stands between two fighters, where a fight is on a map."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label
from combat.rules.core.bodies import body_of
from combat.rules.core.space import map_of
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.sight import (
    NO_LINES,
    Lines,
    Sighting,
    describe_wall,
    draw_lines,
    find_points,
    say_lines,
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
    lines = find_lines(state, one, other)
    if not lines.are_seen:
        text = f"{describe_wall(lines)} stands between {one.name} and {other.name}: move to see them."
        raise Refused("bad_target", text)


def obstacle_terms(state: State, one: Combatant, other: Combatant) -> Modifiers:
    """[SS-ZONE-11] The points the GM gave an obstacle count as those of a zone's own property do."""
    points, found = find_points(find_lines(state, one, other))
    return (Modifier(say_lines("term.obstacle", found), -points, POINTS_RULE),) if points else ()


def look(state: State, one: Combatant, other: Combatant) -> Sighting:
    """What the map says of a fighter who looks at another."""
    lines = find_lines(state, one, other)
    _, found = find_points(lines)
    label: Label = say_lines("term.obstacle", found) if found.key else ""
    return Sighting(lines.are_seen, found.key, label, POINTS_RULE if found.key else "", found)
