"""Lines on the map: the obstacles between two combatants, their cover, and reach by hand."""

from __future__ import annotations

import math

import msgspec

from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.basics.memory import remember_each
from combat.rules.core.basics.words import say_number
from combat.rules.core.map.bodies import SIZE, check_open, check_open_to, is_unbarred, stand_in
from combat.rules.core.space import Point, Scene, find_zone, map_of, meters_inside
from combat.rules.core.space.barriers import Barrier
from combat.rules.core.space.battle_map import FULL
from combat.rules.core.space.battle_map import KINDS as BARRIERS
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.paths import stop_short
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
    stop_flight,
)
from combat.rules.core.state.state import Combatant, Scalar, State

from ..book.tables import COVERS, SQUARE_METERS
from ..characters.machinery import check_shell, find_shell
from .bands import CLOSE, PERSONAL, SQUARES, band_of, find_meters, is_beside, is_personal
from .scene import SOFT, WALL

KINDS = tuple(COVERS)  # from the least to the most
# RULING R14: cover counts against attacks that cross it: up to a quarter of all lines is quarter cover,
# up to half of them half cover, up to three quarters three-quarter cover, and more full cover
LADDER = tuple(Rung(key, place / len(KINDS)) for place, key in enumerate(KINDS))


def find_grid(state: State) -> Grid:
    """The squares of the map.  [CE-MINOR-16]"""
    return make_grid(map_of(state.scene), SQUARE_METERS, hexes=False)


def stop_at_walls(
    state: State,
    start: Point,
    goal: Point,
    meters: float = 0.0,
    floats: bool = False,
    at_rims: bool = False,
) -> Point:
    """The end of a throw, drag or drive along a line: no farther than the next wall.

    With a size in meters it stops where there is still room. An open hole in a deck is its end as well,
    unless it `floats`, or stops `at_rims`.
    """
    return stop_short(map_of(state.scene), find_grid(state), start, goal, meters, floats, at_rims)


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
    return _look_between(state.scene, one.at, one.marks.get(SIZE, 0), other.at, other.marks.get(SIZE, 0))


@remember_each
def _look_between(scene: Scene, here: Point, wide: Scalar, there: Point, large: Scalar) -> Between:
    is_clear = _is_clear(scene, here, there)
    if is_open(scene):
        return Between(NO_LINES, is_clear=is_clear)
    drawn, one, other = map_of(scene), Body(here, int(wide) / 10), Body(there, int(large) / 10)
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


# Reach by hand: near enough, and with no wall, shut door or closed vehicle in between. Every action by hand
# uses it: blows, holds, a coup de grace, first aid, drugs, picking things up, getting into vehicles,
# repairs. RULING R31


def is_within(state: State, one: Combatant, other: Combatant, *, closely: bool = False) -> bool:
    """Whether one combatant reaches another by hand: at Close range, or if `closely` at Personal range."""
    if one.id == other.id:
        return True
    if not (is_personal if closely else is_beside)(state, one, other) or why_refused(
        check_shell, state, one, other
    ):
        return False
    return is_unbarred(state, find_grid(state), one, other)


def reaches(state: State, one: Combatant, other: Combatant) -> bool:
    """Whether one combatant reaches another for anything done by hand: at Personal range.

    On squares Close range is enough: nobody has to step into another's square.
    """
    return is_within(state, one, other, closely=state.scene.settings.get("distances") != SQUARES)


def check_within(state: State, one: Combatant, other: Combatant, *, closely: bool = False) -> None:
    """Refused("out_of_range") if one combatant cannot reach another by hand: too far, or blocked.

    [CE-GRAP-02] `closely` requires Personal range, otherwise Close range.
    """
    if one.id == other.id:
        return
    if closely and not is_personal(state, one, other):
        on_grid = state.scene.settings.get("distances") == SQUARES
        how = "move into their square first" if on_grid else "move beside them first"
        raise Refused("out_of_range", f"{other.name} is not at Personal range: {how}.")
    if not closely and not is_beside(state, one, other):
        away = say_number(round(find_meters(state, one, other), 1))
        raise Refused("out_of_range", f"{other.name} is {away} m away: move next to them, to Close range.")
    check_free_way(state, one, other)


def check_free_way(state: State, one: Combatant, other: Combatant) -> None:
    """Refused("out_of_range") if a wall, a shut door or the body of a vehicle is between two."""
    check_shell(state, one, other)
    check_open(state, find_grid(state), one, other)


def check_place(state: State, combatant: Combatant, place: Point, name: str) -> None:
    """Refused("out_of_range") for an item, by its name, that is too far away or behind a wall."""
    if band_of(find_meters(state, combatant, stand_in(combatant, place))) not in (PERSONAL, CLOSE):
        raise Refused("out_of_range", f"{name} is too far away: go there first.")
    if shell := find_shell(state, combatant):
        raise Refused("out_of_range", f"{name} lies outside {shell.name}: get out first.")
    check_open_to(state, find_grid(state), combatant, place=place, name=name)
