"""Lines of sight on the battle map, in yards, and the obstacles between two combatants."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.memory import remember_each
from combat.rules.core.basics.modifiers import Modifiers
from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import Scene, map_of
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.rays.sight import (
    Body,
    Lines,
    Sighting,
    check_lines,
    draw_lines,
    point_terms,
    sight_by_points,
)
from combat.rules.core.state.state import Combatant, State

CELL_YARDS = 1.0
RULE = "CG-REF-11"  # the page does not mention walls: the GM decides


def find_grid(state: State) -> Grid:
    """The squares of the map, of 1 yard."""
    return make_grid(map_of(state.scene), CELL_YARDS, hexes=False)


def find_lines(state: State, one: Combatant, other: Combatant) -> Lines:
    """The lines from one combatant to another, and what they cross."""
    return draw_lines(map_of(state.scene), find_grid(state), body_of(one), body_of(other))


class Between(msgspec.Struct, frozen=True):
    """What lies between two bodies: whether they see each other, and the ranks that obstacles cost."""

    seen: bool
    terms: Modifiers


@remember_each
def _find_between(scene: Scene, one: Body, other: Body) -> Between:
    battle_map = map_of(scene)
    lines = draw_lines(battle_map, make_grid(battle_map, CELL_YARDS, hexes=False), one, other)
    return Between(lines.are_seen, point_terms(lines, RULE))


def check_seen(state: State, one: Combatant, other: Combatant) -> None:
    """Refuse a target behind a wall. [CG-REF-11]"""
    if not _find_between(state.scene, body_of(one), body_of(other)).seen:
        check_lines(find_lines(state, one, other), one.name, other.name)


def obstacle_terms(state: State, one: Combatant, other: Combatant) -> Modifiers:
    """The ranks that the GM gave an obstacle, taken off attacks across it. [CG-REF-11]"""
    return _find_between(state.scene, body_of(one), body_of(other)).terms


def look(state: State, one: Combatant, other: Combatant) -> Sighting:
    """What one combatant sees of another, by the map."""
    return sight_by_points(find_lines(state, one, other), RULE)
