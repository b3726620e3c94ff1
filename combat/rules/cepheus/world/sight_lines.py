"""The battle map: the obstacles between two combatants, and their cover."""

from __future__ import annotations

import math

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import remember_each
from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import Point, Scene, find_zone, map_of, meters_inside
from combat.rules.core.space.barriers import Barrier
from combat.rules.core.space.battle_map import FULL
from combat.rules.core.space.battle_map import KINDS as BARRIERS
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.paths import stop_short
from combat.rules.core.space.rays.hands import stop_flight
from combat.rules.core.space.rays.sight import (
    NO_COVER,
    NO_LINES,
    Body,
    Grade,
    Lines,
    Rung,
    draw_lines,
    grade,
    is_open,
)
from combat.rules.core.state.state import Combatant, State

from ..book.tables import COVERS, SQUARE_METERS
from .scene import SOFT, WALL

KINDS = tuple(COVERS)  # from the least to the most
# RULING R14: cover counts against attacks that cross it: up to a quarter of all lines is quarter cover,
# up to half of them half cover, up to three quarters three-quarter cover, and more full cover
LADDER = tuple(Rung(key, place / len(KINDS)) for place, key in enumerate(KINDS))


def find_grid(state: State) -> Grid:
    """The squares of the map.  [CE-MINOR-16]"""
    return make_grid(map_of(state.scene), SQUARE_METERS, hexes=False)


def stop_at_walls(state: State, start: Point, goal: Point, meters: float = 0.0) -> Point:
    """The end of a throw, drag or drift along a line: no farther than the next wall.

    With a size in meters it stops where there is still room.
    """
    return stop_short(map_of(state.scene), find_grid(state), start, goal=goal, meters=meters)


def is_wall_between(state: State, one: Point, other: Point) -> bool:
    """Whether a wall of full cover or a shut door is on the straight line between two places."""
    return stop_flight(map_of(state.scene), find_grid(state), one, other) != other


def find_lines(state: State, one: Combatant, other: Combatant) -> Lines:
    """The lines from one combatant to another, with the obstacles they cross."""
    return look_between(state, one, other).lines


class Between(msgspec.Struct, frozen=True):
    """What is between two combatants: the lines, and the cover that they give, with that of hard obstacles
    alone.

    [CE-COVER-06] [CE-COVER-07] [CE-COVER-08] [CE-COVER-09] [CE-COVER-01] It is `seen` if a line is free,
    `clear` if no zone blocks the view; walled off if walls stop all shots.
    """

    lines: Lines
    is_seen: bool = True
    is_clear: bool = True
    is_walled_off: bool = False
    grade: Grade = NO_COVER
    hard: Grade = NO_COVER

    def find_cover(self, sees_heat: bool) -> tuple[str, Grade]:
        """The kind of cover for an observer, with its grade. [CE-SENS-03]

        It is hard if hard obstacles give as much; soft ones are nothing to who `sees_heat`.
        """
        if sees_heat or self.hard.key == self.grade.key:
            return self.hard.key, self.hard
        return self.grade.key + SOFT, self.grade


def look_between(state: State, one: Combatant, other: Combatant) -> Between:
    """What is between two combatants on the map."""
    return _look_between(state.scene, body_of(one), body_of(other))


@remember_each
def _look_between(scene: Scene, one: Body, other: Body) -> Between:
    is_clear = _is_clear(scene, one.at, other.at)
    if is_open(scene):
        return Between(NO_LINES, is_clear=is_clear)
    drawn = map_of(scene)
    lines = draw_lines(drawn, make_grid(drawn, SQUARE_METERS, hexes=False), one, other)
    found = grade(lines, LADDER, _rank)
    hard = grade(lines, LADDER, lambda cover: -1 if cover.endswith(SOFT) else _rank(cover))
    stopped = lines.count(lambda barrier: barrier.cover == KINDS[-1])
    is_walled_off = lines is not NO_LINES and stopped == lines.total
    return Between(lines, lines.are_seen, is_clear, is_walled_off=is_walled_off, grade=found, hard=hard)


def _is_clear(scene: Scene, a: Point, b: Point) -> bool:
    """Whether no zone that blocks sight is on a line, but for those at its ends."""
    walls = [zone for zone in scene.zones if WALL in zone.terrain and meters_inside(zone, a, b) > 0.01]
    return all(zone in (find_zone(scene, a), find_zone(scene, b)) for zone in walls)


def _rank(cover: str) -> int:
    key = cover.removesuffix(SOFT)
    return KINDS.index(key) if key in KINDS else -1


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
