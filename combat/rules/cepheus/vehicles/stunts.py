"""Actions of a driver with a check: evasive action, stunts, weaving between obstacles."""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Command, Field, Preview, adjusted, folded_field, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, present
from combat.rules.core.turn.turns import add_condition, is_shared

from ..body.hits import Onward, chain, put_off
from ..book.options import check_used
from ..book.tables import EXCEPTIONAL
from ..characters import machinery
from ..characters.values import is_vehicle
from ..dice import DICE, Matters, modifiers_for_check, roll_check
from ..world.economy import check_significant
from ..world.order import mark
from ..world.scene import OBSTACLES, has_terrain
from .collisions import collide, count_dice
from .driving import (
    AHEAD,
    ARCS,
    DRIVE_HELP,
    EXTRA_ARC,
    MUST_WEAVE,
    PURSUES,
    TO_HELP,
    act_aboard,
    check_driver,
    check_uncontrolled,
    control_terms,
    facing_field,
    find_goal,
    find_place_behind,
    is_ahead,
    may_drive_hard,
    pay_control,
    speed_field,
    to_field,
    travel,
    turn_to,
)
from .fields import choose

KPH_A_WEAVE = 20
ARC, CHAIN, MANEUVERS, SHOW = "arc", "chain", "maneuvers", "show"
TASK_DMS = ((EXCEPTIONAL, 2), (0, 1), (1 - EXCEPTIONAL, -1))  # the least Effect, DM; below them -2
AIMS = (
    Choice(SHOW, "show off, or something else"),
    Choice(ARC, "a target into one more arc"),
    Choice(CHAIN, "set up someone's next check"),
    Choice(MANEUVERS, "up to three maneuvers"),
)


class Stunt(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A feat at the controls: a target in an extra arc, help for a later check, three maneuvers, or another.

    `target` and `arc` are for an arc, `target` alone is the one to help; `facing` is for maneuvers, `to` and
    `speed` for the movement meanwhile; `why` describes another feat.
    """

    aim: Literal["arc", "chain", "maneuvers", "show"] = "show"
    target: str = ""
    arc: str = ""
    to: str = ""
    speed: int | None = None
    facing: int | None = None
    why: str = ""


class Evade(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Evasive action, on the way to a place or straight ahead, at a speed in km/h."""

    to: str = ""
    speed: int | None = None


class Weave(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Weave between obstacles, to a place or straight ahead; a pursuer takes the quarry's number, the default
    for them, as 1 is for others."""

    number: int | None = None
    to: str = ""


def roll_control(
    context: RuleContext,
    who: str,
    what: Label,
    rule: str,
    terms: Modifiers = (),
    matters: Matters = "all",
    target: str = "",
) -> int:
    """Roll the vehicle's driving skill with Dexterity and Agility; returns the Effect. [CE-VACT-04]

    RULING R46
    """
    vehicle = check_driver(context.state, who)
    return roll_check(
        context,
        who,
        what=what,
        skill=str(vehicle.sheet.get("drives_by", "")),
        characteristic="dex",
        terms=(*control_terms(context.state, vehicle), *terms),
        rule=rule,
        target=target,
        matters=matters,
    )


def preview_control(state: State, command: Command) -> Preview:
    """The sums of a check at the controls."""
    vehicle = check_driver(state, command.actor)
    skill = str(vehicle.sheet.get("drives_by", ""))
    own = modifiers_for_check(state, command.actor, skill, "dex")
    terms = [*own, *control_terms(state, vehicle)]
    notes: tuple[Label, ...] = ()
    if isinstance(command, Weave):
        terms.append(Modifier("term.weave", -find_number(vehicle, command), "CE-VACT-22"))
        notes = describe_crash(count_dice(state, machinery.find_speed(state, vehicle)), vehicle.id)
    return Preview(adjusted(command, tuple(terms)), (), "against.eight", dice=DICE, notes=notes)


def describe_crash(dice: int, vehicle: str) -> tuple[Label, ...]:
    """The damage to a vehicle that runs into something. [CE-COLL-02]"""
    return (say("note.crash", dice=f"{dice}D6", who=vehicle),) if dice else ()


# ---------------------------------------------------------------- evasive action


def evade(context: RuleContext, command: Evade) -> None:
    """Evade as a significant action with a check: its Effect counts on all attacks at the vehicle and from
    it. [CE-VACT-03]

    It lasts until the driver's next action, in a later turn. [CE-VACT-07] A failure counts as 0; nothing adds
    up.  RULING R46 R73
    """
    vehicle = check_driver(context.state, command.actor)
    goal, speed = find_goal(context.state, vehicle, command.to, command.speed)
    pay_control(context, command.actor, attentive=True)
    terms = adjusted(command, ())
    effect = roll_control(
        context, command.actor, "check.evasive", rule="CE-VACT-04", terms=terms, matters="success"
    )
    if effect > 0:
        add_condition(context, vehicle.id, "evading", level=effect, rule="CE-VACT-05")
    travel(context, vehicle.id, goal, speed)


# ---------------------------------------------------------------- stunts


def check_stunt(state: State, command: Stunt) -> Combatant:
    """Refuse a stunt without the fields it needs."""
    vehicle = check_driver(state, command.actor)
    if command.aim in (ARC, CHAIN) and command.target not in state.combatants:
        raise Refused("bad_value", "Choose who the stunt is for.")
    if command.aim == ARC and command.arc not in ARCS:
        raise Refused("bad_value", f"Choose an arc: {', '.join(ARCS)}.")
    if command.aim == MANEUVERS:
        find_goal(state, vehicle, command.to or AHEAD, command.speed)
    return vehicle


def stunt(context: RuleContext, command: Stunt) -> None:
    """Try nearly any feat as a significant action with a check. [CE-VACT-15]

    A target in an extra arc for this round [CE-VACT-16]; a DM on someone's next check [CE-VACT-17]; up to
    three maneuvers at once. [CE-VACT-19]
    """
    vehicle = check_stunt(context.state, command)
    way = find_way(context.state, vehicle, command)
    pay_control(context, command.actor, attentive=True)
    terms = adjusted(command, ())
    effect = roll_control(context, command.actor, "check.stunt", rule="CE-VACT-15", terms=terms)
    if command.why:
        context.emit(e.Said("log.stunt", command.actor, args={"text": command.why[:200]}), "CE-VACT-15")
    if command.aim == CHAIN:
        set_up(context, command.actor, SetUp(command.target, effect))
    elif effect >= 0 and command.aim == ARC:
        told = f"{context.state.round}:{command.arc}"
        mark(context, vehicle.id, EXTRA_ARC + command.target, value=told, rule="CE-VACT-16")
        told_of = e.Said("log.extra_arc", vehicle.id, command.target, {"arc": f"arc.{command.arc}"})
        context.emit(told_of, "CE-VACT-16")
    elif effect >= 0 and command.aim == MANEUVERS:
        goal, speed = find_goal(context.state, vehicle, command.to or AHEAD, command.speed)
        travel(context, vehicle.id, goal, speed)
        turn_to(context, vehicle.id, command.facing)
        return
    travel(context, vehicle.id, *way)


def find_way(state: State, vehicle: Combatant, command: Stunt) -> tuple[Point, float]:
    """Where a vehicle goes during a stunt, unless the stunt is about the movement."""
    if command.aim == MANEUVERS:
        return find_goal(state, vehicle, AHEAD, None)
    return find_goal(state, vehicle, command.to or AHEAD, command.speed)


def task_dm(effect: int) -> int:
    """The DM of a check on the one that depends on it: +2, +1, -1 or -2. [CE-VACT-17]  RULING R46"""
    return next((points for least, points in TASK_DMS if effect >= least), -2)


class SetUp(msgspec.Struct, frozen=True, tag=True):
    """The person a stunt helps, and the Effect of its check."""

    target: str
    effect: int


def set_up(context: RuleContext, by: str, found: SetUp) -> None:
    """Make someone's next turn easier or harder, from the end of a shared count on.  RULING R33"""
    if is_shared(context.state):
        put_off(context, by, found)
    else:
        take_set_up(context, found)


def take_set_up(context: RuleContext, found: SetUp, onward: Onward = ()) -> Then | None:
    """Give a DM on someone's checks until the end of their next turn. [CE-VACT-17] [CE-ROUND-05]"""
    marks = {"checks": task_dm(found.effect)}
    add_condition(context, found.target, "set_up", rule="CE-VACT-17", marks=marks)
    return chain(None, onward)


# ---------------------------------------------------------------- weaving


def find_most(state: State, vehicle: Combatant) -> int:
    """The highest number at this speed: one for each 20 km/h, rounded up. [CE-VACT-21]"""
    return math.ceil(round(machinery.find_speed(state, vehicle), 3) / KPH_A_WEAVE)


def find_number(vehicle: Combatant, command: Weave) -> int:
    """The number of a weave: the one chosen, else that of the quarry, else 1."""
    return int(vehicle.marks.get(MUST_WEAVE, 1)) if command.number is None else command.number


def check_number(state: State, vehicle: Combatant, command: Weave) -> None:
    """Refuse numbers beyond what the speed allows [CE-VACT-21]; for a pursuer all but the quarry's.
    [CE-VACT-24]"""
    needed, number = vehicle.marks.get(MUST_WEAVE), find_number(vehicle, command)
    most = find_most(state, vehicle)
    if needed is not None and number != needed:
        raise Refused("bad_value", f"The quarry wove with {needed}: weave with that too, or break off.")
    if needed is None and not most:
        raise Refused("not_allowed", f"{vehicle.name} stands still: drive this round, weave in the next.")
    if needed is None and not 1 <= number <= most:
        raise Refused("bad_value", f"At this speed the weaving number is 1 to {most}, not {number}.")


def check_weave(state: State, command: Weave) -> Combatant:
    """Refuse a weave without obstacles, unless a pursuer has to match one. [CE-VACT-20]"""
    vehicle = check_driver(state, command.actor)
    check_uncontrolled(state, vehicle)
    check_used(state, "use_chases", "chases", "them")
    if MUST_WEAVE not in vehicle.marks and not has_terrain(state, vehicle, OBSTACLES):
        raise Refused("not_allowed", "Too few obstacles to weave around: drive where there are many.")
    check_number(state, vehicle, command)
    return vehicle


def find_way_of_weave(state: State, vehicle: Combatant, to: str) -> tuple[Point, float]:
    """The destination of a weave at its starting speed: without a place, a pursuer follows the quarry and
    everyone else goes straight ahead."""
    goal, speed = find_goal(state, vehicle, to, round(machinery.find_speed(state, vehicle)), keeps=True)
    quarry = state.combatants.get(str(vehicle.marks.get(PURSUES, "")))
    if MUST_WEAVE in vehicle.marks and quarry is not None and is_ahead(to):
        goal = find_place_behind(state, vehicle, quarry, speed)
    return goal, speed


def weave(context: RuleContext, command: Weave) -> Then | None:
    """Weave with a check at the number as penalty [CE-VACT-22]; a failure is a crash into an obstacle at full
    speed. [CE-VACT-23]

    After a success pursuers have to do the same on their turn. [CE-VACT-24]  RULING R90
    """
    vehicle = check_weave(context.state, command)
    number = find_number(vehicle, command)
    goal, speed = find_way_of_weave(context.state, vehicle, command.to)
    pay_control(context, command.actor, attentive=True)
    terms = adjusted(command, (Modifier("term.weave", -number, "CE-VACT-22"),))
    effect = roll_control(
        context, command.actor, "check.weave", rule="CE-VACT-22", terms=terms, matters="none"
    )
    mark(context, vehicle.id, MUST_WEAVE, value=None, rule="CE-VACT-24")
    if effect < 0:
        speed = machinery.find_speed(context.state, context.state[vehicle.id])
        return Then(collide, vehicle.id, "", speed, True)
    travel(context, vehicle.id, goal, speed)
    for other in present(context.state):
        can_follow = is_vehicle(other) and machinery.find_top_speed(context.state, other) > 0
        if can_follow and other.marks.get(PURSUES) == vehicle.id:
            mark(context, other.id, MUST_WEAVE, value=number, rule="CE-VACT-24")
            context.emit(e.Said("log.has_to_weave", other.id, vehicle.id, {"n": number}), "CE-VACT-24")
    return None


# ---------------------------------------------------------------- forms


def may_weave(state: State, actor: str) -> None:
    """Refuse a weave without obstacles or a weave to match."""
    check_weave(state, Weave(actor=actor))
    check_significant(state, actor, "weaving")


def evade_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The place and the speed meanwhile."""
    return (to_field(state, actor), speed_field(state, actor))


def stunt_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The purpose, and the other combatant in it."""
    arcs = tuple(Choice(arc, arc) for arc in ARCS)
    return (
        Field("aim", "For what", "choice", options=AIMS, value=SHOW, rule="CE-VACT-15"),
        choose(state, "target", "For whom or at whom", present(state), rule="CE-VACT-16", required=False),
        Field(
            "arc",
            "Arc",
            "choice",
            options=(Choice("", "none"), *arcs),
            value="",
            rule="CE-VACT-16",
            required=False,
        ),
        to_field(state, actor),
        speed_field(state, actor),
        facing_field(state, actor),
        folded_field("why", "What it looks like", "text"),
    )


def weave_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The number; a pursuer has to take the quarry's."""
    vehicle = machinery.find_vehicle(state, actor)
    low, high = 1, max(1, find_most(state, vehicle)) if vehicle else 1
    told, to = f"1 to {high}: one for every 20 km/h", TO_HELP
    if vehicle and MUST_WEAVE in vehicle.marks:
        low = high = find_number(vehicle, Weave(actor=actor))
        told, to = f"{low}, as the quarry", DRIVE_HELP
    number = number_field("number", "Weaving number", low, low=low, high=high, help=told, rule="CE-VACT-21")
    return (number, to_field(state, actor, to))


ACTIONS = (
    act_aboard("evade", evade, may_drive_hard, fields=evade_fields, preview=preview_control),
    act_aboard("stunt", stunt, may_drive_hard, fields=stunt_fields, preview=preview_control),
)
