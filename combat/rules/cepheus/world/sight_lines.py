"""The battle map: the obstacles between two combatants, and their cover."""

from __future__ import annotations

import math

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import Seen, remember, remember_by
from combat.rules.core.map.bodies import SIZE, body_of
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.barriers import Barrier
from combat.rules.core.space.battle_map import FULL
from combat.rules.core.space.battle_map import KINDS as BARRIERS
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.paths import stop_short
from combat.rules.core.space.rays.hands import stop_flight
from combat.rules.core.space.rays.sight import (
    NO_COVER,
    NO_LINES,
    Grade,
    Lines,
    Rung,
    draw_lines,
    grade,
    is_open,
)
from combat.rules.core.state.state import Combatant, State

from ..book.tables import COVERS, SQUARE_METRES
from .scene import SOFT

KINDS = tuple(COVERS)  # from the least to the most
# RULING R14: cover counts against attacks that cross it: up to a quarter of all lines is quarter cover,
# up to half of them half cover, up to three quarters three-quarter cover, and more full cover
LADDER = tuple(Rung(key, place / len(KINDS)) for place, key in enumerate(KINDS))


def find_grid(state: State) -> Grid:
    """The squares of the map.  [CE-MINOR-16]"""
    return make_grid(map_of(state.scene), SQUARE_METRES, hexes=False)


def stop_at_walls(state: State, start: Point, goal: Point, metres: float = 0.0) -> Point:
    """The end of a throw, drag or drift along a line: no farther than the next wall.

    With a size in meters it stops where there is still room.
    """
    return stop_short(map_of(state.scene), find_grid(state), start, goal, metres)


def _look_along(state: State, one: Point, other: Point) -> Seen:
    return (state.scene, one, other), None


def is_wall_between(state: State, one: Point, other: Point) -> bool:
    """Whether a wall of full cover or a shut door is on the straight line between two places."""
    return not is_open(state.scene) and _is_wall_between(state, one, other)


@remember_by(_look_along)
def _is_wall_between(state: State, one: Point, other: Point) -> bool:
    return stop_flight(map_of(state.scene), find_grid(state), one, other) != other


def look_between(state: State, one: Combatant, other: Combatant) -> Seen:
    """What the lines between two combatants depend on: the map, their places and sizes."""
    return (state.scene, one.at, other.at), (one.marks.get(SIZE), other.marks.get(SIZE))


@remember_by(look_between)
def find_lines(state: State, one: Combatant, other: Combatant) -> Lines:
    """The lines from one combatant to another, with the obstacles they cross."""
    if is_open(state.scene):
        return NO_LINES
    return draw_lines(map_of(state.scene), find_grid(state), body_of(one), body_of(other))


def find_map_cover(state: State, attacker: Combatant, target: Combatant) -> tuple[str, Grade]:
    """The kind of cover that the map gives, hard if hard obstacles give as much, and its lines.

    [CE-COVER-06] [CE-COVER-07] [CE-COVER-08] [CE-COVER-09] [CE-COVER-01]
    """
    lines = find_lines(state, attacker, target)
    return ("", NO_COVER) if lines is NO_LINES else _grade(lines)


@remember
def _grade(lines: Lines) -> tuple[str, Grade]:
    found, hard = grade(lines, LADDER, _rank), grade(lines, LADDER, _rank_hard)
    if not found.key:
        return "", found
    return (found.key if hard.key == found.key else found.key + SOFT), found


def _rank(cover: str) -> int:
    key = cover.removesuffix(SOFT)
    return KINDS.index(key) if key in KINDS else -1


def _rank_hard(cover: str) -> int:
    return -1 if cover.endswith(SOFT) else _rank(cover)


def is_walled_off(lines: Lines) -> bool:
    """Whether every line meets an obstacle that stops shots."""
    return lines is not NO_LINES and lines.count(lambda barrier: barrier.cover == KINDS[-1]) == lines.total


def check_no_wall(state: State, one: Combatant, other: Combatant) -> None:
    """Refused("bad_target") if a wall or a shut door stops every line, so that no shot comes near."""
    lines = find_lines(state, one, other)
    if lines is NO_LINES or lines.count(_stops_shots) < lines.total:
        return
    wall = lines.name(_stops_shots)
    thing = f"A {wall.lower()}" if wall in BARRIERS else wall
    raise Refused("bad_target", f"{thing} stands between {one.name} and {other.name}: no shot comes near.")


def _stops_shots(barrier: Barrier) -> bool:
    """Whether an obstacle stops shots, through it and over it."""
    return barrier.cover == FULL and barrier.top == math.inf
