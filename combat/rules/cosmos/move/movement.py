"""Moving: paths, their cost, and every action that moves a combatant."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.commands.commands import Command, Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.commands.forms import name_goals, number_field
from combat.rules.core.gm.spots import find_middle
from combat.rules.core.map.bodies import (
    check_room,
    end_in_room,
    find_beside,
    find_free,
    find_spot,
    find_taken,
    is_clear,
    lead_round,
    lead_to_each,
    meters_of,
    nearest,
)
from combat.rules.core.space import (
    Point,
    Reach,
    Zone,
    check_zone,
    distance,
    find_turns,
    is_straight,
    name_zone,
    on_ground,
    path_length,
    read_points,
    squares_around,
    towards,
)
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    State,
    has_condition,
    replace,
)
from combat.rules.core.turn.turns import add_condition, remove_conditions, spend

from ..fight.overwatch import pass_watchers
from ..hazards.drift import find_hold, float_on, floats_on, steer
from ..hazards.ground import Course
from ..people.conditions import KINDS
from ..people.sheet import count_quick, find_speed, half_speed
from ..world.heights import SHORT_OF_WALL_M, check_heights, find_wall, span
from ..world.scene import find_held
from ..world.sight_lines import find_grid, stop_at_walls
from ..world.touch import in_meters
from .cost import (
    ARM_M,
    LOW_OBSTACLE_M,
    Pace,
    check_cost,
    is_difficult,
    make_way,
    meters_gained,
    movement_cost,
    shorten,
)

FINE_M = (
    6  # meters of movement within which squares of 1 m are marked; beyond, squares of 2 m, to keep them few
)


class Move(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A move to `to`: here, zone:ID, near:COMBATANT, away:COMBATANT or points "x,y; x,y" in meters.

    `low` counts low obstacles on the way; with `far` it covers as much as the movement allows.
    """

    to: str
    careful: bool = False
    low: int = 0
    far: bool = False


class Go(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A Full Move or a Sprint."""

    to: str
    low: int = 0
    far: bool = False


HERE = "here"
FAR = Field("far", "Go as far as it takes", "flag", value="true")


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
    ring = [Point(other.at.x + x, other.at.y + y, other.at.z) for x in (0, 1, -1) for y in (0, 1, -1)]
    level = (spot for spot in ring if on_ground(state.scene, spot) == spot)
    free = [spot for spot in level if is_clear(spot, taken)]
    return min(free, key=lambda spot: distance(combatant.at, spot), default=near)


def _far_from(start: Point, danger: Point) -> Point:
    whole = distance(start, danger)
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
    check_walk(state, who, path, allowed, low, pace)
    lows = iter((low,))

    def tell(part: tuple[Point, ...]) -> None:
        meters, cost = round(path_length(part), 3), movement_cost(state, who, part, next(lows, 0), pace)
        context.emit(e.Moved(who, part, meters, cost, how, name_zone(state.scene, part[-1])), rule)

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
    check_cost(state, who, path, allowed, low, pace)
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


def move(context: RuleContext, command: Move) -> None:
    """A Move Action up to Speed [COS-ACT-08]; careful at half. [COS-MOVE-08] [COS-MOVE-09]"""
    state, who = context.state, command.actor
    check_low(command.low)
    check_free(state, state[who])
    if command.low == 1 and path_length(find_goal(state, who, command.to)) < 0.01:
        _step_over(context, who)
        return
    path, allowed, pace = _find_way(state, command)
    pay_move(context, who, "Moving", "COS-ACT-08")
    how = "how.moves_carefully" if command.careful else "how.moves"
    rule = "COS-MOVE-08" if command.careful else "COS-MOVE-02"
    low, careful = command.low, command.careful
    walk(context, who, path, allowed, how=how, rule=rule, low=low, careful=careful, pace=pace)


def _find_way(state: State, command: Move) -> tuple[tuple[Point, ...], int, Pace]:
    """The path of a Move Action, the meters of movement it may take, and its pace."""
    pace, who = half_speed if command.careful else find_speed, command.actor
    allowed = pace(state, state[who])
    return find_path(state, who, command.to, allowed, command.far, command.low, pace), allowed, pace


def check_way(state: State, who: str, to: str) -> None:
    """Refuse a Move Action, as the form starts with it, to a place where it does not lead."""
    path, allowed, pace = _find_way(state, Move(actor=who, to=to, far=True))
    check_walk(state, who, path, allowed, pace=pace)


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
    path = lead_round(state, state[who], path, make_way, state[other] if kind == "near" else None, ARM_M)
    if not far and kind != "away":
        return path
    path = shorten(state, who, stop_at_wall(state, who, path), allowed - LOW_OBSTACLE_M * low, pace)
    return end_in_room(state, state[who], path)


def stop_at_wall(state: State, who: str, path: tuple[Point, ...]) -> tuple[Point, ...]:
    """A straight path up to the first thing to climb; the whole path if that is at its start."""
    wall = find_wall(state, state[who], path)
    if wall is None or len(path) != 2 or wall[0] <= SHORT_OF_WALL_M:
        return path
    return (path[0], on_ground(state.scene, towards(*path, wall[0] - SHORT_OF_WALL_M)))


def _step_over(context: RuleContext, who: str) -> None:
    """Step over an adjacent low obstacle, a free action; only standing (COS-COND-28). [COS-TERR-09]"""
    KINDS.check(context.state[who], "step_over")
    note_move(context, who)
    context.emit(e.Said("log.steps_over", who), "COS-TERR-09")


def pay_move(context: RuleContext, who: str, on: str, rule: str) -> None:
    """Spend a Move Action, or a Standard Action in its place.  RULING R24."""
    instead = ("standard",) if context.option("trade_standard_for_move") else ()
    spend(context, who, {"move": 1}, on, rule, move=instead)


def pay_whole_turn(context: RuleContext, who: str, on: str, rule: str) -> None:
    """Spend Standard and Move; no Quick Action before or after.  RULING R24."""
    check_whole_turn(context.state, who)
    quick = context.state[who].budget.get("quick", 0)
    spend(context, who, {"standard": 1, "move": 1}, on, rule)
    if quick:
        context.emit(e.BudgetSpent(who, {"quick": quick}), rule)


def check_whole_turn(state: State, who: str) -> None:
    """Refuse to run in a turn with other actions. [COS-MOVE-03]  RULING R24."""
    combatant = state[who]
    if combatant.budget.get("quick", 0) < count_quick(combatant):
        raise Refused("no_budget", "That takes the whole turn; a Quick Action has been taken already.")


def full_move(context: RuleContext, command: Go) -> None:
    """Up to twice Speed [COS-MOVE-03], and nothing else this turn. [COS-MOVE-04]"""
    allowed = 2 * find_speed(context.state, context.state[command.actor])
    _run(context, command, allowed, "Full Move", "COS-MOVE-03")


def _run(context: RuleContext, command: Go, allowed: int, on: str, rule: str) -> None:
    who = command.actor
    check_low(command.low)
    check_free(context.state, context.state[who])
    path = find_path(context.state, who, command.to, allowed, command.far, command.low)
    pay_whole_turn(context, who, on, rule)
    if on == "Sprint":
        add_condition(context, who, "sprinting")
    how = "how.runs" if on == "Full Move" else "how.sprints"
    walk(context, who, path, allowed, how=how, rule=rule, low=command.low)


def sprint(context: RuleContext, command: Go) -> None:
    """Up to three times Speed [COS-MOVE-05], straight [COS-MOVE-06], -2 Defense. [COS-MOVE-07]

    Not through difficult terrain [COS-TERR-03]; not while fatigued. [COS-COND-16]
    """
    who = command.actor
    allowed = 3 * find_speed(context.state, context.state[who])
    check_low(command.low)
    check_free(context.state, context.state[who])
    path = find_path(context.state, who, command.to, allowed, command.far, command.low)
    if not is_straight(path):
        raise Refused("not_allowed", "A sprint follows one straight line.")
    check_sprint_ground(context.state, who, path)
    _run(context, command, allowed, "Sprint", "COS-MOVE-05")


def check_sprint(state: State, who: str) -> None:
    """Refuse a sprint to the fatigued, to the prone, and after a fighting retreat."""
    combatant = state[who]
    KINDS.check(combatant, "sprint")
    check_sprint_ground(state, who, (combatant.at,))


def check_sprint_ground(state: State, who: str, path: tuple[Point, ...]) -> None:
    """Refuse a sprint over difficult ground, or through zero gravity. [COS-TERR-03]  RULING R47."""
    if floats_on(state, state[who], path):
        raise Refused("not_allowed", "No sprinting without gravity: push off instead.")
    if is_difficult(state.scene, path):
        raise Refused("not_allowed", "No sprinting through difficult terrain.")


def stand(context: RuleContext, command: Command) -> None:
    """Stand up from prone. [COS-ACT-09] [COS-COND-29]"""
    pay_move(context, command.actor, "Standing up", "COS-ACT-09")
    remove_conditions(context, command.actor, "prone", why="why.stands_up", rule="COS-COND-29")


def check_prone(state: State, actor: str) -> None:
    """Refuse to stand up to combatants who are not prone."""
    if not has_condition(state[actor], "prone"):
        raise Refused("not_allowed", f"{state[actor].name} is already standing.")


def fall_prone(context: RuleContext, command: Command) -> None:
    """Drop prone as a Quick Action. [COS-ACT-16] [COS-COND-25]"""
    spend(context, command.actor, {"quick": 1}, "Falling prone", "COS-ACT-16")
    add_condition(context, command.actor, "prone")


def check_standing(state: State, actor: str) -> None:
    """Refuse to drop prone to combatants who already are."""
    KINDS.check(state[actor], "fall")


def places(state: State, actor: str) -> tuple[Choice, ...]:
    """The likely destinations of a combatant, with the meters to each."""
    combatant = state[actor]
    middle = partial(_find_middle, state, combatant)
    return name_goals(
        state,
        combatant,
        lambda place: in_meters(distance(combatant.at, place)),
        middle,
        lambda other: in_meters(distance(*nearest(combatant, other))),
    )


def place_field(state: State, actor: str, hint: str = "", required: bool = True) -> Field:
    """The form field for a destination."""
    options = places(state, actor)
    value = options[0].value if options and required else ""
    return Field("to", "Where to", "place", options, value, hint, required=required)


def move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a Move Action."""
    speed = find_speed(state, state[actor])
    where = place_field(state, actor, f"up to {speed} m; difficult terrain counts double")
    stay = Choice(HERE, "nowhere else", "to step over one low obstacle")
    return (
        replace(where, options=(*where.options, stay)),
        FAR,
        Field("careful", "Careful: half Speed, no Defense penalty", "flag", rule="COS-MOVE-08"),
        number_field("low", "Low obstacles on the way", 0, 0, 20, rule="COS-TERR-09"),
    )


def go_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a Full Move or Sprint."""
    speed = find_speed(state, state[actor])
    return (
        place_field(state, actor, f"Speed {speed} m: Full Move {2 * speed} m, Sprint {3 * speed} m"),
        FAR,
        number_field("low", "Low obstacles on the way", 0, 0, 20),
    )


def reach_of(speeds: int, smooth: bool = False) -> Callable[[State, str], tuple[Reach, ...]]:
    """A function that finds the squares within `speeds` times Speed.

    `smooth` paths cross no difficult terrain.  [COS-MOVE-02] [COS-MOVE-03] [COS-MOVE-05]
    """

    def find_reach(state: State, who: str) -> tuple[Reach, ...]:
        start, allowed = state[who].at, speeds * find_speed(state, state[who])
        farthest = allowed * meters_gained(state, state[who])
        side = 1 if allowed <= FINE_M and farthest <= 2 * FINE_M else 2
        around = squares_around(state.scene, start, farthest, side)
        free = find_free(state, state[who], around)
        paths = lead_to_each(state, state[who], make_way(state, state[who]), free, farthest)
        fit = (way for way in paths if not (smooth and not _is_smooth(state, who, way)))
        legal = (way for way in fit if allows(check_walk, state, who, way, allowed))
        costs = ((way, movement_cost(state, who, way)) for way in legal)
        return tuple(Reach(way[-1], cost, side, find_turns(way), allowed - cost) for way, cost in costs)

    return find_reach


def _is_smooth(state: State, who: str, way: tuple[Point, ...]) -> bool:
    """Whether a path allows a sprint: straight, over no difficult ground. [COS-MOVE-06] [COS-TERR-03]"""
    return is_straight(way) and allows(check_sprint_ground, state, who, way)
