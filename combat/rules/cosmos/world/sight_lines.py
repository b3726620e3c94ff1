"""Lines on the battle map: sight and cover between two combatants, who is in an area, and reach by hand."""

from __future__ import annotations

from functools import partial

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import remember_each
from combat.rules.core.basics.words import Label
from combat.rules.core.map.bodies import (
    SIZE,
    body_of,
    check_open,
    check_open_to,
    is_unbarred,
    nearest,
    nearest_cells,
    stand_in,
)
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
from combat.rules.core.state import belongings
from combat.rules.core.state.belongings import Way
from combat.rules.core.state.state import Combatant, Scalar, State, has_condition, present

from ..book.options import find_option
from ..book.tables import COVER
from .heights import holds_up, span

CELL_M = 1.0
TOTAL = "total"
# RULING R50: a quarter of all lines is light cover, more than half heavy, and all of them total
LADDER = (Rung("light", 0.25, whole=True), Rung("heavy", 0.5), Rung(TOTAL, 1.0, whole=True))
RANK = ranked(tuple(rung.key for rung in LADDER))
COVER_TERMS = {"light": "term.light_cover", "heavy": "term.heavy_cover", TOTAL: "term.total_cover"}
ARM_M = 1  # the reach of a hand, in meters
SLACK_M = 0.01


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
    """The end of a throw, drag or drift from `start` towards `goal`: at most the next wall or deep hole.

    A combatant `meters` wide stops where there is still room for it.
    """
    floats = holds_up(state.scene)
    return stop_short(map_of(state.scene), find_grid(state), start, goal=goal, meters=meters, floats=floats)


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


# Reach by hand: near enough, with no wall or shut door in between; and items by place. RULING R50 All
# actions by hand use it: blows, holds, trips, first aid, drugs, pressure on a wound, picking things up.


def in_meters(meters: float) -> str:
    """A distance in words, rounded to a tenth: "7 m", "1.4 m"."""
    return f"{round(meters, 1):g} m"


def describe_far(state: State, one: Combatant, other: Combatant) -> str:
    """The distance to someone, in words."""
    return in_meters(span(*nearest(one, other)))


def is_within(state: State, one: Combatant, other: Combatant, meters: float = ARM_M) -> bool:
    """Whether one combatant reaches another by hand, or with a weapon that reaches `meters`."""
    if one.id == other.id:
        return True
    if find_between(state, one, other).meters > meters + SLACK_M:
        return False
    return is_unbarred(state, find_grid(state), one, other)


def check_within(state: State, one: Combatant, other: Combatant, what: str, meters: float = ARM_M) -> None:
    """Refused("out_of_range") if `what` does not reach: too far, or behind a wall."""
    if one.id == other.id:
        return
    away = find_between(state, one, other).meters
    if away > meters + SLACK_M:
        text = f"Out of reach: {what} reaches {meters:g} m, {other.name} is {in_meters(away)} away."
        raise Refused("out_of_range", text)
    check_open(state, find_grid(state), one, other)


def check_place(state: State, combatant: Combatant, place: Point, name: str) -> None:
    """Refused("out_of_range") for a named thing that lies too far away or behind a wall."""
    away = _count_to(combatant, place)
    if away > ARM_M + SLACK_M:
        raise Refused("out_of_range", f"Out of reach: {name} lies {in_meters(away)} away.")
    check_open_to(state, find_grid(state), combatant, place=place, name=name)


def _count_to(combatant: Combatant, place: Point) -> float:
    """The meters from the nearest square of a combatant to a place."""
    return span(*nearest(combatant, stand_in(combatant, place)))


def way_from(state: State, who: str) -> Way:
    """The distance of a place from a combatant, in words."""
    combatant = state[who]
    return lambda place: f"{in_meters(_count_to(combatant, place))} away"


find_thing = partial(belongings.find_thing, find_way=way_from)
fallen_choices = partial(belongings.fallen_choices, find_way=way_from)
