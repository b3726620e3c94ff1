"""The battle map, in yards: what stands between two combatants."""

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
    is_open,
    say_lines,
)
from combat.rules.core.state.state import Combatant, State

CELL_YARDS = 1.0
RULE = "CG-REF-11"  # the page says nothing of walls: that is for the GM


def find_grid(state: State) -> Grid:
    """The squares of the map, of 1 yard."""
    return make_grid(map_of(state.scene), CELL_YARDS, hexes=False)


def find_lines(state: State, one: Combatant, other: Combatant) -> Lines:
    """The lines from one combatant to another, and what they cross."""
    if is_open(state.scene):
        return NO_LINES
    return draw_lines(map_of(state.scene), find_grid(state), body_of(one), body_of(other))


def check_seen(state: State, one: Combatant, other: Combatant) -> None:
    """[CG-REF-11] Refuse to attack somebody behind a wall."""
    lines = find_lines(state, one, other)
    if not lines.are_seen:
        text = f"{describe_wall(lines)} stands between {one.name} and {other.name}: move to see them."
        raise Refused("bad_target", text)


def obstacle_terms(state: State, one: Combatant, other: Combatant) -> Modifiers:
    """[CG-REF-11] What the GM gave an obstacle takes ranks off attacks across it."""
    ranks, found = find_points(find_lines(state, one, other))
    return (Modifier(say_lines("term.obstacle", found), -ranks, RULE),) if ranks else ()


def look(state: State, one: Combatant, other: Combatant) -> Sighting:
    """What the map says of a combatant who looks at another."""
    lines = find_lines(state, one, other)
    _, found = find_points(lines)
    label: Label = say_lines("term.obstacle", found) if found.key else ""
    return Sighting(lines.are_seen, found.key, label, RULE if found.key else "", found)
