"""Doors, and ways to another deck."""

from __future__ import annotations

from math import ceil

from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm import ways
from combat.rules.core.gm.ways import (
    Arm,
    TakeWay,
    Trip,
    UseDoor,
    check_any_door,
    check_any_way,
    check_door,
    check_trip,
    find_trips,
    form_of_doors,
    form_of_ways,
    has_ways,
    leave_door,
)
from combat.rules.core.map.moving import Course
from combat.rules.core.space.decks import LIFT_WAY
from combat.rules.core.state.state import State, present, replace

from ..body.moving import EDGE, MOVER, check_free_to_move, check_free_to_ride, settle_place
from ..book.options import find_option
from ..characters.machinery import check_limbs
from ..dice import lose_aim
from ..world.acting import act
from ..world.economy import check_minor, check_whole_turn, count_in_turn, pay_minor, pay_whole_turn
from ..world.motion import find_step, is_rough
from ..world.sight_lines import find_grid
from .movement import is_free

ARM_M = 1.5  # the adjacent square, or an arm's length
DOOR_RULE, WAY_RULE = "CE-MINOR-20", "CE-MINOR-15"


def find_arm(state: State) -> Arm:
    """How far someone reaches for a door, in meters."""
    return Arm(find_grid(state), ARM_M)


def use_door(context: RuleContext, command: UseDoor) -> None:
    """Open or close a door: a minor action, since it needs neither full attention nor complex movement.
    [CE-MINOR-20]

    The text names no doors; the GM may ask for a check instead. A shut door ends holds and aims through it.
    RULING R8
    """
    who = command.actor
    check_limbs(context.state, context.state[who])
    door = check_door(context.state, who, command.door, find_arm(context.state))
    check_minor(context.state, who, "A door")
    lose_aim(context, who, "why.does_something_else")
    pay_minor(context, who, "A door", DOOR_RULE)
    leave_door(context, who, door.id, is_open=not door.open, rule=DOOR_RULE)
    settle_place(context, *[combatant.id for combatant in present(context.state)])


# ---------------------------------------------------------------- ways to another deck


def find_course(state: State, who: str, trip: Trip) -> Course:
    """The course of someone by a way: it costs its length, twice on difficult ground. [CE-MINOR-18]

    RULING R98
    """
    course = ways.find_course(state, who, trip, WAY_RULE)
    rough = is_rough(state, trip.start) or is_rough(state, trip.end)
    return replace(course, cost=trip.meters * 2) if rough else course


def count_actions(state: State, course: Course) -> int:
    """The minor actions that a way takes. [CE-MINOR-15] By table option twice as many where one climbs.
    RULING R98"""
    combatant = state[course.who]
    if is_free(state, combatant):
        return 0
    needed = max(1, ceil((course.cost - EDGE) / find_step(combatant)))
    return needed * 2 if course.way == "ladder" and find_option(state, "slow_ladders") else needed


def check_way(state: State, who: str, way: str) -> Course:
    """The course of someone by a way within reach; Refused if it is shut or blocked, if they cannot take it,
    or if too little is left of their turn."""
    course = find_course(state, who, check_trip(state, who, way, find_arm(state)))
    MOVER.check(state, course)
    needed = count_actions(state, course)
    if needed > count_in_turn(state, who):
        check_whole_turn(state, who, "That way")
    elif needed:
        check_minor(state, who, "A way", needed)
    return course


def take_way(context: RuleContext, command: TakeWay) -> None:
    """Take stairs, a ladder or a lift to another deck: a minor action for each 6 m of its length.
    [CE-MINOR-15]

    A way that needs more than a turn has takes the whole turn, and arrives.  RULING R98
    """
    who = command.actor
    course = check_way(context.state, who, command.way)
    needed = count_actions(context.state, course)
    if needed > count_in_turn(context.state, who):
        pay_whole_turn(context, who, "A way", WAY_RULE)
    elif needed:
        pay_minor(context, who, "A way", WAY_RULE, needed)
    lose_aim(context, who, "why.moves")
    MOVER.carry(context, course)


def check_way_now(state: State, actor: str) -> None:
    """Refuse without a way within reach or without a minor action left."""
    check_any_way(find_arm)(state, actor)
    has_lift = any(trip.way.kind == LIFT_WAY for trip in find_trips(state, actor, find_arm(state)))
    (check_free_to_ride if has_lift else check_free_to_move)(state, actor)
    if not is_free(state, state[actor]):
        check_minor(state, actor, "A way")


def describe_price(state: State, who: str, trip: Trip) -> str:
    """What a way costs, if that is more than a minor action."""
    needed = count_actions(state, find_course(state, who, trip))
    if needed > count_in_turn(state, who):
        return "the whole turn"
    return f"{needed} minor actions" if needed > 1 else ""


find_ways = form_of_ways(find_arm, check_way)


def take_way_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: the ways within reach, where they lead, how long they are, and what they cost."""
    (field,) = find_ways(state, actor)
    trips = find_trips(state, actor, find_arm(state))
    priced = zip(field.options, (describe_price(state, actor, trip) for trip in trips), strict=True)
    options = (replace(way, detail=f"{way.detail}, {price}") if price else way for way, price in priced)
    return (replace(field, options=tuple(options)),)


def check_door_now(state: State, actor: str) -> None:
    """Refuse without a door within reach or without a minor action left."""
    check_any_door(find_arm)(state, actor)
    check_minor(state, actor, "A door")


use_door_fields = form_of_doors(find_arm)


ACTIONS = (
    act("door", use_door, check_door_now, fields=use_door_fields, has_odds=False),
    act("way", take_way, check_way_now, fields=take_way_fields, has_odds=False, has_place=has_ways),
)
