"""The battle map: what stands between two combatants, and the cover it gives."""

from __future__ import annotations

from combat.rules.core.basics.words import Label
from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.paths import stop_short
from combat.rules.core.space.rays.sight import (
    NO_COVER,
    NO_LINES,
    Grade,
    Lines,
    Rung,
    Sighting,
    draw_lines,
    grade,
    is_open,
    ranked,
    say_lines,
)
from combat.rules.core.space.rays.sight import describe_between as _describe_between
from combat.rules.core.state.state import Combatant, State

from ..book.tables import COVER

CELL_M = 1.0
TOTAL = "total"
# RULING R50: a quarter of all lines is light cover, more than half heavy, and all of them total
LADDER = (Rung("light", 0.25, whole=True), Rung("heavy", 0.5), Rung(TOTAL, 1.0, whole=True))
RANK = ranked(tuple(rung.key for rung in LADDER))
COVER_TERMS = {"light": "term.light_cover", "heavy": "term.heavy_cover", TOTAL: "term.total_cover"}


def find_grid(state: State) -> Grid:
    """The squares of the map."""
    return make_grid(map_of(state.scene), CELL_M, hexes=False)


def stop_at_walls(state: State, start: Point, goal: Point, metres: float = 0.0) -> Point:
    """The end of a throw, drag or drift from `start` towards `goal`: at most the next wall.

    A combatant `metres` wide stops where there is still room for it.
    """
    return stop_short(map_of(state.scene), find_grid(state), start, goal, metres)


def find_lines(state: State, one: Combatant, other: Combatant) -> Lines:
    """The lines from one combatant to another, and the things they cross."""
    if is_open(state.scene):
        return NO_LINES
    return draw_lines(map_of(state.scene), find_grid(state), body_of(one), body_of(other))


def find_map_cover(state: State, attacker: Combatant, target: Combatant, melee: bool = False) -> Grade:
    """[COS-COVER-01] [COS-COVER-03] [COS-COVER-05] Cover by the share of lines crossed.  RULING R50

    An obstacle never gives more than its own cover. In melee an obstacle counts only if it blocks every line.
    """
    if is_open(state.scene):
        return NO_COVER
    found = grade(find_lines(state, attacker, target), LADDER, RANK)
    return Grade() if melee and found.key != TOTAL else found


def is_out_of_sight(state: State, one: Combatant, other: Combatant) -> bool:
    """[COS-COVER-10] Whether no line of sight is clear."""
    return not is_open(state.scene) and not find_lines(state, one, other).are_seen


def say_cover(state: State, attacker: Combatant, target: Combatant, level: str) -> Label:
    """The words for a level of cover, with its lines if it comes from the map."""
    found = find_map_cover(state, attacker, target)
    term = COVER_TERMS[level]
    return say_lines(term, found) if found.key == level else term


def look(state: State, one: Combatant, other: Combatant) -> Sighting:
    """What a combatant sees of another by the map."""
    lines, found = find_lines(state, one, other), find_map_cover(state, one, other)
    label: Label = say_lines(COVER_TERMS[found.key], found) if found.key else ""
    return Sighting(lines.are_seen, found.key, label, COVER[found.key].rule if found.key else "", found)


def describe_between(state: State, one: Combatant, other: Combatant) -> str:
    """Why no attack reaches a target: the things in the way."""
    lines = find_lines(state, one, other)
    if lines.are_seen:
        return f"{other.name} is in total cover"
    return _describe_between(lines, one.name, other.name)
