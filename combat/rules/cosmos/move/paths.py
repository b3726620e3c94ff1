"""Paths: where they lead, who may walk them, and walking; the fields for a destination."""

from __future__ import annotations

from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.commands.forms import name_goals
from combat.rules.core.gm.spots import find_middle
from combat.rules.core.map.bodies import (
    check_room,
    end_in_room,
    find_beside,
    find_spot,
    find_taken,
    is_clear,
    lead_round,
    meters_of,
    nearest,
)
from combat.rules.core.space import (
    Point,
    Zone,
    check_zone,
    distance,
    name_zone,
    on_ground,
    path_length,
    plan_distance,
    read_points,
    towards,
)
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition
from combat.rules.core.turn.turns import add_condition

from ..characters.conditions import KINDS
from ..characters.sheet import find_speed
from ..fight.overwatch import pass_watchers
from ..hazards.drift import find_hold, float_on, floats_on, steer
from ..hazards.ground import Course
from ..world.heights import SHORT_OF_WALL_M, check_heights, find_wall, span
from ..world.reach import in_meters
from ..world.scene import find_held
from ..world.sight_lines import find_grid, stop_at_walls
from .cost import ARM_M, LOW_OBSTACLE_M, Pace, check_cost, is_difficult, make_way, movement_cost, shorten


def find_goal(state: State, actor: str, to: str) -> tuple[Point, ...]:
    """The path from the combatant to the destination of a command."""
    combatant = state[actor]
    kind, _, name = to.partition(":")
    if to == HERE:
        return (combatant.at, combatant.at)
    if kind == "zone":
        zone = check_zone(state.scene, name)
        return (combatant.at, find_spot(state, combatant, _find_middle(state, combatant, zone), 2))
    if kind == "near":
        return (combatant.at, _spot_near(state, combatant, state[name]))
    if kind == "away":
        there = _far_from(combatant.at, state[name].at)
        there = stop_at_walls(state, combatant.at, there, meters_of(combatant))
        return (combatant.at, on_ground(state.scene, there))
    return (combatant.at, *(on_ground(state.scene, point) for point in read_points(to)))


def _find_middle(state: State, combatant: Combatant, zone: Zone) -> Point:
    return find_middle(state.scene, zone, find_grid(state), meters_of(combatant))


def _spot_near(state: State, combatant: Combatant, other: Combatant) -> Point:
    """The place 1 m short of `other`, or a free one on the same ground if that is lower or higher."""
    near = on_ground(state.scene, find_beside(combatant, other, 1.0))
    if meters_of(combatant) or meters_of(other) or span(near, other.at) <= 1.01:
        return near
    taken = find_taken(state, combatant)
    ring = [
        Point(other.at.x + x, other.at.y + y, other.at.z, other.at.shift)
        for x in (0, 1, -1)
        for y in (0, 1, -1)
    ]
    level = (spot for spot in ring if on_ground(state.scene, spot) == spot)
    free = [spot for spot in level if is_clear(spot, taken)]
    return min(free, key=lambda spot: plan_distance(combatant.at, spot), default=near)


def _far_from(start: Point, danger: Point) -> Point:
    whole = plan_distance(start, danger)
    if whole < 0.01:
        return Point(start.x + 100, start.y)
    scale = 100 / whole
    x, y = start.x + (start.x - danger.x) * scale, start.y + (start.y - danger.y) * scale
    return Point(round(x, 3), round(y, 3))


def walk(
    context: RuleContext,
    who: str,
    path: tuple[Point, ...],
    allowed: int,
    *,
    how: str,
    rule: str,
    low: int = 0,
    careful: bool = False,
    pace: Pace = find_speed,
) -> float:
    """Walk along a path for at most `allowed` meters of movement; returns the meters covered.

    [COS-MOVE-02] [COS-TERR-06]
    """
    state = context.state
    check_walk(state, who, path, allowed, low=low, pace=pace)
    lows = iter((low,))

    def tell(part: tuple[Point, ...]) -> None:
        meters, cost = round(path_length(part), 3), movement_cost(state, who, part, next(lows, 0), pace=pace)
        context.emit(e.Moved(who, part, meters, cost, how=how, zone=name_zone(state.scene, part[-1])), rule)

    course = Course(context, who, steer(context, who, path), tell)
    return round(path_length(follow(context, course, careful)), 3)


def follow(context: RuleContext, course: Course, careful: bool = False) -> tuple[Point, ...]:
    """Walk along a course past watchers and over any ground; returns the path covered.

    [COS-MANV-17] [COS-TERR-04] The ground covered so far hampers a mover who is shot at.
    """
    state, who = context.state, course.who

    def hamper(gone: tuple[Point, ...]) -> None:
        known = has_condition(context.state.combatants[who], "rough_going")
        if not careful and not known and is_rough(state, who, gone):
            add_condition(context, who, "rough_going")

    gone = pass_watchers(context, course, hamper)
    note_move(context, who)
    hamper(gone)
    float_on(context, who, gone)
    return gone


def is_rough(state: State, who: str, path: tuple[Point, ...]) -> bool:
    """Whether a path costs Defense; in zero gravity every path does. [COS-TERR-04]  RULING R47."""
    return floats_on(state, state.combatants[who], path) or is_difficult(state.scene, path)


def note_move(context: RuleContext, who: str) -> None:
    """Record the move until the end of the turn: it rules out an aimed shot."""
    if not has_condition(context.state.combatants[who], "moved"):
        add_condition(context, who, "moved")


def check_walk(
    state: State,
    who: str,
    path: tuple[Point, ...],
    allowed: int,
    low: int = 0,
    pace: Pace = find_speed,
) -> None:
    """Refuse a path too long or nearer to a feared enemy, or of a combatant held or holding."""
    combatant = state[who]
    check_free(state, combatant)
    check_cost(state, who, path, allowed, low=low, pace=pace)
    check_heights(state, combatant, path)
    check_fear(state, combatant, path)
    check_room(state, combatant, path[-1])


def check_may_move(state: State, actor: str) -> None:
    """Refuse movement to the held and the holding, to gray out an action."""
    check_free(state, state[actor])


def check_free(state: State, combatant: Combatant) -> None:
    """Refuse to move a held combatant, or one adrift. [COS-COND-22] [COS-ZG-05]"""
    check_unheld(state, combatant)
    adrift = find_hold(state, combatant)
    if adrift:
        raise Refused("not_allowed", adrift)


def check_unheld(state: State, combatant: Combatant) -> None:
    """Refuse to leave a hold. [COS-COND-22]  RULING R32: nor does the holder leave."""
    KINDS.check(combatant, "move")
    held = find_held(state, combatant.id)
    if held:
        names = ", ".join(other.name for other in held)
        raise Refused("not_allowed", f"{combatant.name} holds {names}: let go first, that is free.")


def check_fear(state: State, combatant: Combatant, path: tuple[Point, ...]) -> None:
    """Refuse a frightened combatant any move but away from what it fears. [COS-COND-19] [COS-COND-20]"""
    if path_length(path) < 0.01:
        return
    for fear, row in KINDS.find_active(combatant):
        source = state.combatants.get(fear.by) if "approach" in row.loses else None
        if source is None or source.gone:
            continue
        if distance(path[-1], source.at) < distance(path[0], source.at) + 0.01:
            text = f"Frightened: a move has to lead away from {source.name}."
            raise Refused("not_allowed", text)


def check_low(low: int) -> None:
    """Refuse impossible numbers of obstacles."""
    if not 0 <= low <= 20:
        raise Refused("bad_value", "Cross 0 to 20 low obstacles at a time.")


def find_path(
    state: State,
    who: str,
    to: str,
    allowed: int,
    far: bool = False,
    low: int = 0,
    pace: Pace = find_speed,
) -> tuple[Point, ...]:
    """The path to a destination, with `far` as much as the movement allows; Refused if there is none."""
    name = state[who].name
    if allowed < 1:
        raise Refused("out_of_range", f"{name} cannot move: Speed {allowed} m.")
    path = find_goal(state, who, to)
    if path_length(path) < 0.01:
        raise Refused("bad_value", f"{name} is there already: choose another place.")
    kind, _, other = to.partition(":")
    path = lead_round(
        state, state[who], path, make_way, other=state[other] if kind == "near" else None, gap=ARM_M
    )
    if not far and kind != "away":
        return path
    path = shorten(state, who, stop_at_wall(state, who, path), allowed - LOW_OBSTACLE_M * low, pace=pace)
    return end_in_room(state, state[who], path)


def stop_at_wall(state: State, who: str, path: tuple[Point, ...]) -> tuple[Point, ...]:
    """A straight path up to the first thing to climb; the whole path if that is at its start."""
    wall = find_wall(state, state[who], path)
    if wall is None or len(path) != 2 or wall[0] <= SHORT_OF_WALL_M:
        return path
    return (path[0], on_ground(state.scene, towards(*path, wall[0] - SHORT_OF_WALL_M)))


def places(state: State, actor: str) -> tuple[Choice, ...]:
    """The likely destinations of a combatant, with the meters to each."""
    combatant = state[actor]
    middle = partial(_find_middle, state, combatant)
    return name_goals(
        state,
        combatant,
        lambda place: in_meters(plan_distance(combatant.at, place)),
        middle,
        describe_other=lambda other: in_meters(plan_distance(*nearest(combatant, other))),
    )


HERE = "here"


FAR = Field("far", "Go as far as it takes", "flag", value="true")


def place_field(state: State, actor: str, hint: str = "", required: bool = True) -> Field:
    """The form field for a destination."""
    options = places(state, actor)
    value = options[0].value if options and required else ""
    return Field("to", "Where to", "place", options, value=value, help=hint, required=required)
