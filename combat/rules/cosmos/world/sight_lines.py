"""The battle map: what stands between two combatants, the cover it gives, and who is inside an area."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.memory import remember_each
from combat.rules.core.basics.words import Label
from combat.rules.core.map.bodies import SIZE, body_of, nearest_cells
from combat.rules.core.space import Point, Scene, map_of
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.paths import stop_short
from combat.rules.core.space.rays.area_shapes import Shape, is_inside
from combat.rules.core.space.rays.sight import (
    Body,
    Grade,
    Lines,
    Rung,
    Sighting,
    draw_lines,
    grade,
    ranked,
    say_lines,
)
from combat.rules.core.space.rays.sight import describe_between as _describe_between
from combat.rules.core.state.state import Combatant, Scalar, State, has_condition, present

from ..book.options import find_option
from ..book.tables import COVER
from .heights import span

CELL_M = 1.0
TOTAL = "total"
# RULING R50: a quarter of all lines is light cover, more than half heavy, and all of them total
LADDER = (Rung("light", 0.25, whole=True), Rung("heavy", 0.5), Rung(TOTAL, 1.0, whole=True))
RANK = ranked(tuple(rung.key for rung in LADDER))
COVER_TERMS = {"light": "term.light_cover", "heavy": "term.heavy_cover", TOTAL: "term.total_cover"}


class Between(msgspec.Struct, frozen=True):
    """What lies between two places of a scene: the lines of sight and the cover of the map along them.

    `meters` runs from edge to edge, along the ground or up, the greater of the two.
    """

    lines: Lines
    cover: Grade
    seen: bool
    meters: float


def find_between(state: State, one: Combatant, other: Combatant) -> Between:
    """What lies between two combatants."""
    return lie_between(state.scene, one.at, one.marks.get(SIZE, 0), other.at, other.marks.get(SIZE, 0))


@remember_each
def lie_between(scene: Scene, here: Point, tenths: Scalar, there: Point, others: Scalar) -> Between:
    """What lies between two places, with the sizes of the combatants there, in tenths of a meter."""
    one, other = Body(here, int(tenths) / 10), Body(there, int(others) / 10)
    lines = draw_lines(map_of(scene), make_grid(map_of(scene), CELL_M, hexes=False), one, other)
    meters = span(*nearest_cells(one, other))
    return Between(lines, grade(lines, LADDER, RANK), lines.are_seen, meters)


def find_grid(state: State) -> Grid:
    """The squares of the map."""
    return make_grid(map_of(state.scene), CELL_M, hexes=False)


def stop_at_walls(state: State, start: Point, goal: Point, meters: float = 0.0) -> Point:
    """The end of a throw, drag or drift from `start` towards `goal`: at most the next wall.

    A combatant `meters` wide stops where there is still room for it.
    """
    return stop_short(map_of(state.scene), find_grid(state), start, goal=goal, meters=meters)


def find_lines(state: State, one: Combatant, other: Combatant) -> Lines:
    """The lines from one combatant to another, and the things they cross."""
    return find_between(state, one, other).lines


def say_cover(state: State, attacker: Combatant, target: Combatant, level: str) -> Label:
    """The words for a level of cover, with its lines if it comes from the map.

    Cover is the share of lines crossed. [COS-COVER-01] [COS-COVER-03] [COS-COVER-05]  RULING R50: an obstacle
    never gives more than its own cover.
    """
    found = find_between(state, attacker, target).cover
    term = COVER_TERMS[level]
    return say_lines(term, found) if found.key == level else term


def look(state: State, one: Combatant, other: Combatant) -> Sighting:
    """What a combatant sees of another by the map."""
    between = find_between(state, one, other)
    found = between.cover
    label: Label = say_lines(COVER_TERMS[found.key], found) if found.key else ""
    return Sighting(
        between.seen, found.key, label, rule=COVER[found.key].rule if found.key else "", grade=found
    )


def describe_between(state: State, one: Combatant, other: Combatant) -> str:
    """Why no attack reaches a target: the things in the way."""
    lines = find_lines(state, one, other)
    if lines.are_seen:
        return f"{other.name} is in total cover"
    return _describe_between(lines, one.name, other.name)


def is_stopped(state: State) -> bool:
    """Whether walls stop blasts at this table.  RULING R50"""
    return bool(find_option(state, "walls_stop_blasts"))


def make_circle(state: State, centre: Point, radius: float) -> Shape:
    """The circle of `radius` meters around a place."""
    return Shape("circle", centre, radius, is_stopped=is_stopped(state))


def find_inside(state: State, shape: Shape) -> list[Combatant]:
    """Everyone inside a shape who is not dead, friend or foe.

    RULING R28: a meter up counts as a meter along.
    """
    battle_map, grid = map_of(state.scene), find_grid(state)
    return [
        combatant
        for combatant in present(state)
        if not has_condition(combatant, "dead")
        and is_inside(shape, battle_map, grid, body=body_of(combatant), measure=span)
    ]
