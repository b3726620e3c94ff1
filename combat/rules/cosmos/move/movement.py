"""Moving on foot: a Move Action, Full Move and Sprint; ways between decks; lying down and standing up."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Field, FindBrief, Preview, number_field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.ways import (
    Arm,
    TakeWay,
    check_any_way,
    check_trip,
    find_course,
    form_of_ways,
    has_ways,
)
from combat.rules.core.map.bodies import find_free, lead_to_each
from combat.rules.core.space import Point, Reach, find_turns, is_straight, map_of, path_length, squares_around
from combat.rules.core.space.decks import RIM_M, find_hole
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, has_condition, replace
from combat.rules.core.turn.turns import add_condition, remove_conditions, spend

from ..book.options import find_option
from ..characters.conditions import KINDS
from ..characters.sheet import find_speed, half_speed
from ..hazards.drift import floats_on
from ..world.acting import MOVE, TABLE, WHOLE, act, affords_cost
from ..world.sight_lines import find_grid
from .cost import (
    Pace,
    check_whole_turn,
    is_difficult,
    make_way,
    meters_gained,
    movement_cost,
    pay_move,
    pay_whole_turn,
)
from .moving import MOVER, Steps, check_free, note_move
from .paths import FAR, HERE, check_low, check_may_move, check_walk, find_goal, find_path, place_field, walk

FINE_M = (
    6  # meters of movement within which squares of 1 m are marked; beyond, squares of 2 m, to keep them few
)
ARM_M = 1.0  # the same as for picking things up


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
    return (
        find_path(state, who, command.to, allowed, far=command.far, low=command.low, pace=pace),
        allowed,
        pace,
    )


def check_way(state: State, who: str, to: str) -> None:
    """Refuse a Move Action, as the form starts with it, to a place where it does not lead."""
    path, allowed, pace = _find_way(state, Move(actor=who, to=to, far=True))
    check_walk(state, who, path, allowed, pace=pace)


def _step_over(context: RuleContext, who: str) -> None:
    """Step over an adjacent low obstacle, a free action; only standing (COS-COND-28). [COS-TERR-09]"""
    KINDS.check(context.state[who], "step_over")
    note_move(context, who)
    context.emit(e.Said("log.steps_over", who), "COS-TERR-09")


def full_move(context: RuleContext, command: Go) -> None:
    """Up to twice Speed [COS-MOVE-03], and nothing else this turn. [COS-MOVE-04]"""
    allowed = 2 * find_speed(context.state, context.state[command.actor])
    _run(context, command, allowed, "Full Move", rule="COS-MOVE-03")


def _run(context: RuleContext, command: Go, allowed: int, on: str, rule: str) -> None:
    who = command.actor
    check_low(command.low)
    check_free(context.state, context.state[who])
    path = find_path(context.state, who, command.to, allowed, far=command.far, low=command.low)
    pay_whole_turn(context, who, on, rule)
    if on == "Sprint":
        add_condition(context, who, "sprinting")
    how, way = ("how.runs", "walk") if on == "Full Move" else ("how.sprints", "sprint")
    walk(context, who, path, allowed, how=how, rule=rule, low=command.low, way=way)


def sprint(context: RuleContext, command: Go) -> None:
    """Up to three times Speed [COS-MOVE-05], straight [COS-MOVE-06], -2 Defense. [COS-MOVE-07]

    Not through difficult terrain [COS-TERR-03]; not while fatigued. [COS-COND-16]
    """
    who = command.actor
    allowed = 3 * find_speed(context.state, context.state[who])
    check_low(command.low)
    check_free(context.state, context.state[who])
    path = find_path(context.state, who, command.to, allowed, far=command.far, low=command.low)
    if not is_straight(path):
        raise Refused("not_allowed", "A sprint follows one straight line.")
    check_sprint_ground(context.state, who, path)
    _run(context, command, allowed, "Sprint", rule="COS-MOVE-05")


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
    spend(context, command.actor, {"quick": 1}, "Falling prone", rule="COS-ACT-16")
    add_condition(context, command.actor, "prone")


def check_standing(state: State, actor: str) -> None:
    """Refuse to drop prone to combatants who already are."""
    KINDS.check(state[actor], "fall")


def move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a Move Action."""
    speed = find_speed(state, state[actor])
    where = place_field(state, actor, f"up to {speed} m; difficult terrain counts double")
    stay = Choice(HERE, "nowhere else", "to step over one low obstacle")
    return (
        replace(where, options=(*where.options, stay)),
        FAR,
        Field("careful", "Careful: half Speed, no Defense penalty", "flag", rule="COS-MOVE-08"),
        number_field("low", "Low obstacles on the way", 0, 0, high=20, rule="COS-TERR-09"),
    )


def go_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a Full Move or Sprint."""
    speed = find_speed(state, state[actor])
    return (
        place_field(state, actor, f"Speed {speed} m: Full Move {2 * speed} m, Sprint {3 * speed} m"),
        FAR,
        number_field("low", "Low obstacles on the way", 0, 0, high=20),
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
        ways = map_of(state.scene).ways
        floor = (at for at in around if find_hole(ways, at.x, at.y, RIM_M) is None) if ways else around
        free = find_free(state, state[who], floor)
        paths = lead_to_each(state, state[who], make_way(state, state[who]), free, meters=farthest)
        fit = (way for way in paths if not (smooth and not _is_smooth(state, who, way)))
        costs = ((way, _find_cost(state, who, way, allowed)) for way in fit)
        return tuple(
            Reach(way[-1], cost, side, find_turns(way), left=allowed - cost)
            for way, cost in costs
            if cost is not None
        )

    return find_reach


def _find_cost(state: State, who: str, way: tuple[Point, ...], allowed: int) -> float | None:
    """The movement that a path costs; None if it is refused."""
    try:
        return check_walk(state, who, way, allowed)
    except Refused:
        return None


def _is_smooth(state: State, who: str, way: tuple[Point, ...]) -> bool:
    """Whether a path allows a sprint: straight, over no difficult ground. [COS-MOVE-06] [COS-TERR-03]"""
    return is_straight(way) and allows(check_sprint_ground, state, who, way)


def _walk(times: int) -> FindBrief:
    return lambda words, state, combatant: words.format(metres=times * find_speed(state, combatant))


ALONG_PATHS = (
    act("move", move, check_may_move, fields=move_fields, reach=reach_of(1), brief=_walk(1)),
    act(
        "full_move",
        full_move,
        check_may_move,
        check_whole_turn,
        fields=go_fields,
        reach=reach_of(2),
        brief=_walk(2),
    ),
    act(
        "sprint",
        sprint,
        check_may_move,
        check_sprint,
        check_whole_turn,
        fields=go_fields,
        reach=reach_of(3, smooth=True),
        brief=_walk(3),
    ),
)

# Ways between decks: stairs, ladders and lifts are movement of their length. RULING R60


def find_arm(state: State) -> Arm:
    """The reach of a combatant for a door or a way, in meters."""
    return Arm(find_grid(state), ARM_M)


def find_way(state: State, who: str, way: str) -> Steps:
    """The course of someone who takes a way: to its foot or its top, and out at the other end.

    It costs its length, with the meters to it. Refused if it cannot be taken now.
    """
    check_free(state, state[who])
    trip = check_trip(state, who, way, find_arm(state))
    course, at = find_course(state, who, trip, "COS-ACT-08"), state[who].at
    to_it = () if at == trip.start else (trip.start,)
    cost = round(trip.meters + movement_cost(state, who, (at, *to_it)), 3)
    found = Steps(who, (at, *to_it, trip.end), course.way, course.rule, course.how, cost=cost)
    MOVER.check(state, found)
    if course.way != "lift" and find_speed(state, state[who]) < 1:
        raise Refused("out_of_range", f"{state[who].name} cannot move: Speed 0 m.")
    return found


def takes_whole_turn(state: State, course: Steps) -> bool:
    """Whether a way is longer than a Move Action; by table option whether it is climbed."""
    is_slow = course.way == "ladder" and bool(find_option(state, "slow_ladders"))
    return is_slow or course.cost > find_speed(state, state[course.who]) + 0.01


def check_deck_way(state: State, who: str, way: str) -> Steps:
    """The course by a way; Refused if it cannot be taken, or what is left of the turn does not pay for it."""
    course = find_way(state, who, way)
    whole = takes_whole_turn(state, course)
    if whole:
        check_whole_turn(state, who)
    affords_cost(WHOLE if whole else MOVE, TABLE.rows["way"].label)(state, who)
    return course


def take_way(context: RuleContext, command: TakeWay) -> None:
    """Take stairs, a ladder or a lift to another deck: a Move Action, or the whole turn if it is longer.

    [COS-ACT-08] [COS-TERR-10]  RULING R60
    """
    state, who = context.state, command.actor
    course = check_deck_way(state, who, command.way)
    if takes_whole_turn(state, course):
        pay_whole_turn(context, who, "Taking a way", "COS-ACT-08")
    else:
        pay_move(context, who, "Taking a way", "COS-ACT-08")
    MOVER.carry(context, course)


def preview_way(state: State, command: TakeWay) -> Preview:
    """The movement that a way takes."""
    course = check_deck_way(state, command.actor, command.way)
    key = "note.way_whole_turn" if takes_whole_turn(state, course) else "note.way"
    return Preview(notes=(say(key, metres=course.cost),))


_check_any_way = check_any_way(find_arm)


def check_ways(state: State, actor: str) -> None:
    """Refuse a way to those who are held, and if none is within reach."""
    check_free(state, state[actor])
    _check_any_way(state, actor)


ACTIONS = (
    act("stand", stand, check_prone),
    act("fall_prone", fall_prone, check_standing),
    act(
        "way",
        take_way,
        check_ways,
        fields=form_of_ways(find_arm, check_deck_way),
        preview=preview_way,
        has_place=has_ways,
    ),
)
