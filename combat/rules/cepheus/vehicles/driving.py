"""Driving: control of a vehicle, its speed and path, and loss of control."""

from __future__ import annotations

from math import ceil
from typing import Literal

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import say_number
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import check_room, is_concealed, nearest
from combat.rules.core.people import leave
from combat.rules.core.space import Point, distance, on_ground, read_points, towards
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, present
from combat.rules.core.turn.turns import remove_conditions

from ..body.moving import go
from ..book.options import check_used, find_option
from ..book.tables import RANGE_BANDS, SQUARE_METERS
from ..dice.focus import lose_aim
from ..people import machinery
from ..people.conditions import IMMOBILE, KINDS
from ..people.values import is_seriously_wounded, is_vehicle
from ..world.economy import MINOR, pay_minor, pay_significant
from ..world.motion import forget_moved, has_moved_now
from ..world.order import mark
from .collisions import collide, is_solid
from .facing import HALF_ARC, angle_off_nose, bearing_between, move_ahead, turn_between
from .ways import ANYTHING, STEP, find_obstacles, find_struck, stop_before

PURSUES, MUST_WEAVE = "pursues", "must_weave"  # marks on a vehicle: its quarry; the number to match
COURSE, OBSTACLE, PURSUE = "course", "obstacles", "pursue"
AHEAD = "ahead"


class Drive(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Keep a vehicle under control: to a place, or straight on, at a speed in km/h.

    `why` is the kind of course: ordinary, between obstacles, or a pursuit of `target`.
    """

    why: Literal["course", "obstacles", "pursue"] = "course"
    to: str = ""
    speed: int | None = None
    target: str = ""


class Maneuver(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Drive somewhere with full attention, and then face any direction, in degrees from the top."""

    to: str = ""
    speed: int | None = None
    facing: int | None = None


# ---------------------------------------------------------------- drivers


def check_aboard(state: State, who: str) -> Combatant:
    """The vehicle someone is in; Refused outside of one. The first guard of every driver's action."""
    vehicle = machinery.find_vehicle(state, who)
    if vehicle is None:
        raise Refused("not_allowed", f"{state[who].name} is in no vehicle: get in first.")
    return vehicle


def check_driver(state: State, who: str) -> Combatant:
    """The vehicle of a driver; Refused away from the controls or if it does not work. [CE-VACT-01]"""
    vehicle = check_aboard(state, who)
    driver = machinery.find_driver(state, vehicle.id)
    if driver is None or driver.id != who:
        raise Refused("not_allowed", f"{state[who].name} is not at the controls: change places first.")
    check_running(state, vehicle)
    return vehicle


def check_running(state: State, vehicle: Combatant) -> None:
    """Refuse to drive a vehicle that no longer works, or has no power now. [CE-VLOC-24]"""
    if has_condition(vehicle, *IMMOBILE):
        raise Refused("not_allowed", f"{vehicle.name} no longer moves: get out.")
    if not machinery.find_state_of(state, vehicle, machinery.DRIVE).speed:
        raise Refused("not_allowed", f"The drive of {vehicle.name} is disabled: repair it first.")
    if machinery.is_stalled(state, vehicle):
        raise Refused("not_allowed", f"{vehicle.name} has no power this round.")


def check_uncontrolled(state: State, vehicle: Combatant) -> None:
    """Refuse to control a vehicle a second time in a round."""
    if vehicle.marks.get(machinery.CONTROLLED) == state.round:
        raise Refused("not_allowed", f"{vehicle.name} has been driven this round: wait for the next.")


def control_terms(state: State, vehicle: Combatant) -> Modifiers:
    """The vehicle's Agility [CE-VLOC-22] [CE-VLOC-23] and the penalty of a damaged drive. [CE-VACT-04]

    RULING R46 R47
    """
    hit = machinery.find_state_of(state, vehicle, machinery.DRIVE)
    terms = [Modifier("term.agility", int(vehicle.sheet.get("agility", 0)), "CE-VACT-04")]
    terms.append(Modifier("term.drive_damaged", hit.control, hit.rule))
    return tuple(term for term in terms if term.value)


# ---------------------------------------------------------------- control


def drive(context: RuleContext, command: Drive) -> Then | None:
    """Keep an ordinary course with a minor action [CE-VEH-05]; obstacles and pursuit take the significant one
    instead. [CE-VEH-06] The vehicle moves now, on its driver's turn. [CE-VEH-04]"""
    state = context.state
    vehicle = check_driver(state, command.actor)
    check_uncontrolled(state, vehicle)
    goal, speed = find_goal(state, vehicle, command.to, command.speed)
    if command.why == COURSE:
        check_course(state, vehicle, goal)
    if command.why == PURSUE:
        begin_pursuit(context, vehicle, command.target)
        if is_ahead(command.to):
            goal = find_place_behind(state, vehicle, state[command.target], speed)
    pay_control(context, command.actor, command.why != COURSE)
    return travel(context, vehicle.id, goal, speed)


def pay_control(context: RuleContext, who: str, attentive: bool) -> None:
    """Spend the action that control takes this round.

    RULING R46: the significant action is spent instead of the minor one, unless the table wants both; the
    seriously wounded use it for any course, unless they have exchanged it.  RULING R10
    """
    driver = context.state[who]
    no_minor = is_seriously_wounded(driver) and not driver.budget.get(MINOR)
    if attentive or no_minor:
        pay_significant(context, who, "Driving", "CE-VEH-06")
        if find_option(context.state, "control_minor") == "as_well" and not no_minor:
            pay_minor(context, who, "Driving", "CE-VEH-06")
    else:
        pay_minor(context, who, "Driving", "CE-VEH-05")
    lose_aim(context, who, "why.does_something_else")
    vehicle = machinery.find_vehicle(context.state, who)
    if vehicle is not None:
        mark(context, vehicle.id, machinery.CONTROLLED, context.state.round, "CE-VEH-05")


def check_course(state: State, vehicle: Combatant, goal: Point) -> None:
    """Refuse a simple course that leaves the front arc or meets obstacles."""
    if goal != vehicle.at and turn_between(angle_off_nose(vehicle, goal), 0) > HALF_ARC:
        raise Refused("not_allowed", "That is no ordinary course: maneuver, or stay within 45 degrees ahead.")
    for found in find_obstacles(state, vehicle.at, goal):
        raise Refused(
            "not_allowed", f"{found.name} is in the way: drive around obstacles with a significant action."
        )


def find_goal(state: State, vehicle: Combatant, to: str, speed: int | None) -> tuple[Point, float]:
    """Where a vehicle will be, and its speed: as far as the speed takes it in a round, at most."""
    top = machinery.find_top_speed(state, vehicle)
    if speed is not None and not 0 <= speed <= top:
        raise Refused("bad_value", f"{vehicle.name} goes 0 to {top:g} km/h now, not {speed}.")
    if is_ahead(to):
        now = float(speed) if speed is not None else machinery.find_speed(state, vehicle)
        return move_ahead(vehicle, machinery.count_round_meters(now)), now
    goal = on_ground(state.scene, read_points(to)[-1])
    if goal != vehicle.at:
        check_room(state, vehicle, goal, SQUARE_METERS)
    meters = distance(vehicle.at, goal)
    needed = meters / machinery.count_round_meters(1)
    now = float(speed) if speed is not None else max(needed, machinery.find_speed(state, vehicle))
    if needed > min(now, top) + STEP:
        raise Refused("out_of_range", explain_too_far(vehicle, meters, min(now, top), top))
    return goal, min(now, top)


def is_ahead(to: str) -> bool:
    """Whether the command names no place."""
    return to in ("", AHEAD)


def explain_too_far(vehicle: Combatant, meters: float, speed: float, top: float) -> str:
    """The reason why a place is too far for a round, and a speed that would do."""
    far, farthest = machinery.count_round_meters(speed), machinery.count_round_meters(top)
    pace = f"at {speed:g} km/h {vehicle.name} goes {say_number(far)} m a round"
    text = f"{say_number(meters)} m are too far: {pace}"
    if meters > farthest:
        return f"{text}, {say_number(farthest)} m at its top speed: choose a nearer place."
    needed = ceil(round(meters / machinery.count_round_meters(1), 6))
    return f"{text}; raise the speed to {needed} km/h or more."


def travel(context: RuleContext, vehicle: str, goal: Point, speed: float) -> Then | None:
    """Move the vehicle there, nose first, at its speed; those inside go with it. It stops before a wall."""
    machine = context.state[vehicle]
    end = stop_before(context.state, machine, goal)
    if goal != machine.at:
        mark(context, vehicle, machinery.FACING, round(bearing_between(machine.at, goal)), "CE-VEH-02")
        move(context, vehicle, end, "how.drives")
    mark(context, vehicle, machinery.SPEED, (round(speed) if end == goal else 0) or None, "CE-VEH-04")
    return None


def move(context: RuleContext, vehicle: str, goal: Point, how: str) -> None:
    """Move a vehicle in a straight line, out of a larger one.  RULING R49"""
    here = context.state[vehicle].at
    if goal == here:
        return
    if not has_moved_now(context.state, context.state[vehicle]):
        forget_moved(context, vehicle)
    leave(context, vehicle, "CE-VEH-04")
    go(context, vehicle, (here, goal), how, "CE-VEH-04")


def maneuver(context: RuleContext, command: Maneuver) -> Then | None:
    """Maneuver as a significant action without a check [CE-VACT-08]: around large obstacles, to a place of
    choice [CE-VACT-09]; out of someone's arc [CE-VACT-10], or so that someone is in an own arc.
    [CE-VACT-11]"""
    state = context.state
    vehicle = check_driver(state, command.actor)
    check_uncontrolled(state, vehicle)
    goal, speed = find_goal(state, vehicle, command.to or f"{vehicle.at.x},{vehicle.at.y}", command.speed)
    pay_control(context, command.actor, attentive=True)
    context.emit(e.Said("log.maneuvers", command.actor), "CE-VACT-08")
    travel(context, vehicle.id, goal, speed)
    turn_to(context, vehicle.id, command.facing)
    return None


def find_wall_ahead(state: State, vehicle: Combatant) -> float | None:
    """How far ahead, in meters, a wall stops a vehicle this round at its speed; None if none does.
    [CE-VEH-04]"""
    goal = move_ahead(vehicle, machinery.count_round_meters(machinery.find_speed(state, vehicle)))
    end = stop_before(state, vehicle, goal)
    return None if end == goal else distance(vehicle.at, end)


def turn_to(context: RuleContext, vehicle: str, facing: int | None) -> None:
    """Face a direction, in degrees clockwise from the top of the map."""
    if facing is not None:
        mark(context, vehicle, machinery.FACING, facing % 360, "CE-VACT-11")


# ---------------------------------------------------------------- pursuit


def begin_pursuit(context: RuleContext, vehicle: Combatant, target: str) -> None:
    """Chase another vehicle: the pursuer has to match its weaves. [CE-VEH-06]  RULING R61"""
    check_used(context.state, "use_chases", "chases", "them")
    quarry = context.state[target] if target else None
    if quarry is None or quarry.id == vehicle.id or not is_vehicle(quarry):
        raise Refused("bad_target", "Pursue another vehicle: choose which.")
    mark(context, vehicle.id, PURSUES, quarry.id, "CE-VEH-06")
    context.emit(e.Said("log.pursues", vehicle.id, quarry.id), "CE-VEH-06")


def find_place_behind(state: State, vehicle: Combatant, quarry: Combatant, speed: float) -> Point:
    """Where a pursuer gets to at a speed in km/h: straight after the quarry, never past it, and behind anyone
    already there whom the GM does not conceal. [CE-VEH-06]"""
    gap = RANGE_BANDS["close"].to_m
    meters = distance(*nearest(vehicle, quarry)) - gap
    meters = max(0.0, min(meters, machinery.count_round_meters(speed)))
    own = (vehicle.id, quarry.id)
    others = (other for other in present(state) if not (other.inside or is_concealed(state, other)))
    taken = [other.at for other in others if other.id not in own]
    while meters and any(distance(towards(vehicle.at, quarry.at, meters), place) < gap for place in taken):
        meters = max(0.0, meters - gap)
    return towards(vehicle.at, quarry.at, meters)


def end_pursuit(context: RuleContext, vehicle: str) -> None:
    """End a chase: nothing has to be matched any longer."""
    mark(context, vehicle, PURSUES, None, "CE-VACT-25")
    mark(context, vehicle, MUST_WEAVE, None, "CE-VACT-25")


def break_off(context: RuleContext, command: Command) -> None:
    """Give up a pursuit: no check, no crash. [CE-VACT-25]  RULING R90"""
    vehicle = check_pursuing(context.state, command.actor)
    context.emit(e.Said("log.breaks_off", command.actor), "CE-VACT-25")
    end_pursuit(context, vehicle.id)


def check_pursuing(state: State, who: str) -> Combatant:
    """Refuse to give up without a chase."""
    vehicle = check_driver(state, who)
    if not vehicle.marks.get(PURSUES):
        raise Refused("not_allowed", f"{vehicle.name} pursues nobody.")
    return vehicle


# ---------------------------------------------------------------- the turn of a driver


def begin_turn(context: RuleContext, who: str) -> None:
    """End the effect of the vehicle's last movement on shots at it, when its driver's turn begins."""
    vehicle = machinery.find_driven(context.state, who)
    if vehicle is not None:
        forget_moved(context, vehicle.id)


def end_turn(context: RuleContext, who: str) -> Then | None:
    """Let a vehicle that was not controlled this round go straight on at its speed. [CE-VEH-05]

    RULING R46. RULING R90: a pursuer who did not match a weave loses the quarry.
    """
    vehicle = machinery.find_driven(context.state, who)
    if vehicle is None:
        return None
    if vehicle.marks.get(MUST_WEAVE):
        context.emit(e.Said("log.breaks_off", who), "CE-VACT-25")
        end_pursuit(context, vehicle.id)
    if vehicle.marks.get(machinery.CONTROLLED) == context.state.round:
        return None
    return coast(context, vehicle.id)


def find_uncontrolled(state: State) -> tuple[str, ...]:
    """The vehicles that have not moved this round: without a driver, or after a turn without driving."""
    return tuple(
        vehicle.id
        for vehicle in present(state)
        if is_vehicle(vehicle) and vehicle.marks.get(machinery.CONTROLLED) != state.round
    )


def coast_on(context: RuleContext, vehicle: str) -> Then | None:
    """Give a vehicle without a turn this round one at its end. [CE-VEH-05] Its earlier movement no longer
    affects shots at it. [CE-MOD-06]  RULING R46 R49"""
    forget_moved(context, vehicle)
    return coast(context, vehicle)


def coast(context: RuleContext, vehicle: str) -> Then | None:
    """Move straight on, out of control; evasive action is over. [CE-VEH-05] [CE-VACT-07]"""
    machine = context.state[vehicle]
    speed = machinery.find_speed(context.state, machine)
    mark(context, vehicle, machinery.CONTROLLED, context.state.round, "CE-VEH-05")
    remove_conditions(context, vehicle, *KINDS.ended_by("driver's action"), rule="CE-VACT-07")
    if speed <= 0:
        return None
    context.emit(e.Said("log.out_of_control", vehicle), "CE-VEH-05")
    return Then(roll_on, vehicle, move_ahead(machine, machinery.count_round_meters(speed)), ())


def roll_on(context: RuleContext, vehicle: str, goal: Point, passed: tuple[str, ...]) -> Then | None:
    """Move to the first thing in the way, and crash into it [CE-COLL-01]; over people it goes on.
    [CE-COLL-04]

    RULING R46
    """
    state, machine = context.state, context.state[vehicle]
    speed = machinery.find_speed(state, machine)
    if speed <= 0:
        return None
    end = stop_before(state, machine, goal, ANYTHING)
    met = find_struck(state, machine, end, passed)
    move(context, vehicle, met[0] if met else end, "how.rolls_on")
    if met is None:
        return Then(collide, vehicle, "", speed, True) if end != goal else None
    struck = met[1]
    if is_solid(machine, state[struck]):
        return Then(collide, vehicle, struck, speed, True)
    return Then(collide, vehicle, struck, speed, False, True, (roll_on, vehicle, goal, (*passed, struck)))
