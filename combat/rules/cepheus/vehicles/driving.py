"""Driving: keeping a vehicle under control, its speed and way, and what happens when nobody does."""

from __future__ import annotations

from math import ceil
from typing import Literal

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.bodies import metres_of, nearest
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Point, Zone, distance, find_zone, metres_inside, read_points, towards
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, present

from ..book.options import find_option
from ..book.tables import RANGE_BANDS
from ..dice.focus import lose_aim
from ..people import machinery
from ..people.values import is_seriously_wounded, is_vehicle
from ..world.economy import pay_minor, pay_significant
from ..world.lines import stop_at_walls
from ..world.motion import forget_moved, has_moved_now, note_moved
from ..world.order import mark
from ..world.scene import OBSTACLES, WALL
from .collisions import collide
from .facing import HALF_ARC, find_angle, find_bearing, find_facing, move_ahead, turn_between

CONTROLLED = "controlled"  # mark on a vehicle: the round in which its driver has kept it under control
PURSUES, MUST_WEAVE = "pursues", "must_weave"  # marks on a vehicle: whom it chases; the number to match
COURSE, OBSTACLE, PURSUE = "course", "obstacles", "pursue"
AHEAD = "ahead"
STEP = 0.01  # metres


class Drive(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Keep a vehicle under control: to a place, or straight on, at a speed in km/h.

    `why` is what is done: an ordinary course, a way between obstacles, or a pursuit of `target`.
    """

    why: Literal["course", "obstacles", "pursue"] = "course"
    to: str = ""
    speed: int | None = None
    target: str = ""


class Maneuver(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Drive somewhere with full attention, and face where one likes afterwards, in degrees from the top."""

    to: str = ""
    speed: int | None = None
    facing: int | None = None


# ---------------------------------------------------------------- who drives


def check_driver(state: State, who: str) -> Combatant:
    """[CE-VACT-01] Only whoever is at the controls drives; the vehicle has to work."""
    vehicle = machinery.find_vehicle(state, who)
    if vehicle is None:
        raise Refused("not_allowed", f"{state[who].name} is in no vehicle: get in first.")
    driver = machinery.find_driver(state, vehicle.id)
    if driver is None or driver.id != who:
        raise Refused("not_allowed", f"{state[who].name} is not at the controls: change places first.")
    if has_condition(vehicle, "wreck", "destroyed", "disabled"):
        raise Refused("not_allowed", f"{vehicle.name} no longer moves: get out.")
    if machinery.is_stalled(state, vehicle):
        raise Refused("not_allowed", f"{vehicle.name} has no power this round.")
    return vehicle


def check_uncontrolled(state: State, vehicle: Combatant) -> None:
    """Once a round is enough."""
    if vehicle.marks.get(CONTROLLED) == state.round:
        raise Refused("not_allowed", f"{vehicle.name} has been driven this round: wait for the next.")


def control_terms(state: State, vehicle: Combatant) -> Modifiers:
    """[CE-VACT-04] The vehicle's Agility, [CE-VLOC-22] [CE-VLOC-23] and what a damaged drive takes off.

    RULING R46 R47
    """
    hit = machinery.find_state_of(state, vehicle, machinery.DRIVE)
    terms = [Modifier("term.agility", int(vehicle.sheet.get("agility", 0)), "CE-VACT-04")]
    terms.append(Modifier("term.drive_damaged", hit.control, hit.rule))
    return tuple(term for term in terms if term.value)


# ---------------------------------------------------------------- keeping control


def drive(context: RuleContext, command: Drive) -> Then | None:
    """[CE-VEH-05] A minor action keeps an ordinary course; [CE-VEH-06] obstacles and pursuit take the
    significant one instead. [CE-VEH-04] The vehicle moves now, on its driver's turn."""
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
    """Spend what control takes this round.

    RULING R46: the significant action is spent instead of the minor one, unless the table wants both;
    a driver without a minor action uses it for any course.
    """
    no_minor = is_seriously_wounded(context.state[who])
    if attentive or no_minor:
        pay_significant(context, who, "Driving", "CE-VEH-06")
        if find_option(context.state, "control_minor") == "as_well" and not no_minor:
            pay_minor(context, who, "Driving", "CE-VEH-06")
    else:
        pay_minor(context, who, "Driving", "CE-VEH-05")
    lose_aim(context, who, "why.does_something_else")
    vehicle = machinery.find_vehicle(context.state, who)
    if vehicle is not None:
        mark(context, vehicle.id, CONTROLLED, context.state.round, "CE-VEH-05")


def check_course(state: State, vehicle: Combatant, goal: Point) -> None:
    """A simple course stays in the front arc and keeps clear of obstacles."""
    if goal != vehicle.at and turn_between(find_angle(vehicle, goal), 0) > HALF_ARC:
        raise Refused("not_allowed", "That is no ordinary course: maneuver, or stay within 45 degrees ahead.")
    found = find_obstacle_between(state, vehicle.at, goal)
    if found is not None:
        raise Refused(
            "not_allowed", f"{found.name} is in the way: drive around obstacles with a significant action."
        )


def find_obstacle_between(state: State, here: Point, there: Point) -> Zone | None:
    """[CE-VACT-09] The first zone full of obstacles, or walled, on a straight way."""
    crossed = (
        zone
        for zone in state.scene.zones
        if {OBSTACLES, WALL} & set(zone.terrain) and metres_inside(zone, here, there) > STEP
    )
    own = find_zone(state.scene, here)
    return next((zone for zone in crossed if own is None or zone.id != own.id), None)


def find_goal(state: State, vehicle: Combatant, to: str, speed: int | None) -> tuple[Point, float]:
    """Where a vehicle will be and how fast it goes: as far as its speed takes it in a round, at most."""
    top = machinery.find_top_speed(state, vehicle)
    if speed is not None and not 0 <= speed <= top:
        raise Refused("bad_value", f"{vehicle.name} goes 0 to {top:g} km/h now, not {speed}.")
    if is_ahead(to):
        now = float(speed) if speed is not None else machinery.find_speed(state, vehicle)
        return move_ahead(vehicle, machinery.count_round_metres(now)), now
    goal = read_points(to)[-1]
    metres = distance(vehicle.at, goal)
    needed = metres / machinery.count_round_metres(1)
    now = float(speed) if speed is not None else max(needed, machinery.find_speed(state, vehicle))
    if needed > min(now, top) + STEP:
        raise Refused("out_of_range", explain_too_far(vehicle, metres, min(now, top), top))
    return goal, min(now, top)


def is_ahead(to: str) -> bool:
    """Whether no place is named."""
    return to in ("", AHEAD)


def explain_too_far(vehicle: Combatant, metres: float, speed: float, top: float) -> str:
    """Why a place cannot be reached in a round, and what would."""
    far, farthest = machinery.count_round_metres(speed), machinery.count_round_metres(top)
    text = f"{metres:.0f} m are too far: at {speed:g} km/h {vehicle.name} goes {far:.0f} m a round"
    if metres > farthest:
        return f"{text}, {farthest:.0f} m at its top speed: choose a nearer place."
    needed = ceil(round(metres / machinery.count_round_metres(1), 6))
    return f"{text}; raise the speed to {needed} km/h or more."


def travel(context: RuleContext, vehicle: str, goal: Point, speed: float) -> Then | None:
    """The vehicle goes there, nose ahead, and keeps its speed; those inside go with it."""
    machine = context.state[vehicle]
    if goal != machine.at:
        mark(context, vehicle, machinery.FACING, round(find_bearing(machine.at, goal)), "CE-VEH-02")
        move(context, vehicle, goal, "how.drives")
    mark(context, vehicle, machinery.SPEED, round(speed) or None, "CE-VEH-04")
    return None


def move(context: RuleContext, vehicle: str, goal: Point, how: str) -> None:
    """Move a vehicle in a straight line, all that it moves in this round.  RULING R49"""
    if not has_moved_now(context.state, context.state[vehicle]):
        forget_moved(context, vehicle)
    here = context.state[vehicle].at
    metres = distance(here, goal)
    zone = find_zone(context.state.scene, goal)
    context.emit(e.Moved(vehicle, (here, goal), metres, 0.0, how, zone.name if zone else ""), "CE-VEH-04")
    note_moved(context, vehicle, metres)


def maneuver(context: RuleContext, command: Maneuver) -> Then | None:
    """[CE-VACT-08] A significant action without a check: [CE-VACT-09] around large obstacles, to where one
    wants to be; [CE-VACT-10] out of an arc of somebody else, [CE-VACT-11] or somebody into another
    of one's own."""
    state = context.state
    vehicle = check_driver(state, command.actor)
    check_uncontrolled(state, vehicle)
    goal, speed = find_goal(state, vehicle, command.to or f"{vehicle.at.x},{vehicle.at.y}", command.speed)
    pay_control(context, command.actor, attentive=True)
    context.emit(e.Said("log.maneuvers", command.actor), "CE-VACT-08")
    travel(context, vehicle.id, goal, speed)
    turn_to(context, vehicle.id, command.facing)
    return None


def turn_to(context: RuleContext, vehicle: str, facing: int | None) -> None:
    """Face a way, in degrees clockwise from the top of the map."""
    if facing is not None:
        mark(context, vehicle, machinery.FACING, facing % 360, "CE-VACT-11")


# ---------------------------------------------------------------- pursuit


def begin_pursuit(context: RuleContext, vehicle: Combatant, target: str) -> None:
    """[CE-VEH-06] Chase another vehicle: what that one weaves around, this one has to as well."""
    quarry = context.state[target] if target else None
    if quarry is None or quarry.id == vehicle.id or not is_vehicle(quarry):
        raise Refused("bad_target", "Pursue another vehicle: choose which.")
    mark(context, vehicle.id, PURSUES, quarry.id, "CE-VEH-06")
    context.emit(e.Said("log.pursues", vehicle.id, quarry.id), "CE-VEH-06")


def find_place_behind(state: State, vehicle: Combatant, quarry: Combatant, speed: float) -> Point:
    """[CE-VEH-06] Where who pursues gets to at a speed in km/h: straight after the quarry, never past it, and
    behind whoever is there already."""
    gap = RANGE_BANDS["close"].to_m
    metres = distance(*nearest(vehicle, quarry)) - gap
    metres = max(0.0, min(metres, machinery.count_round_metres(speed)))
    own = (vehicle.id, quarry.id)
    taken = [other.at for other in present(state) if not other.inside and other.id not in own]
    while metres and any(distance(towards(vehicle.at, quarry.at, metres), place) < gap for place in taken):
        metres = max(0.0, metres - gap)
    return stop_at_walls(state, vehicle.at, towards(vehicle.at, quarry.at, metres), metres_of(vehicle))


def end_pursuit(context: RuleContext, vehicle: str) -> None:
    """The chase is over, and nothing has to be matched any more."""
    mark(context, vehicle, PURSUES, None, "CE-VACT-25")
    mark(context, vehicle, MUST_WEAVE, None, "CE-VACT-25")


def break_off(context: RuleContext, command: Command) -> None:
    """[CE-VACT-25] Give up a pursuit: no check, no crash.  RULING R90"""
    vehicle = check_pursuing(context.state, command.actor)
    context.emit(e.Said("log.breaks_off", command.actor), "CE-VACT-25")
    end_pursuit(context, vehicle.id)


def check_pursuing(state: State, who: str) -> Combatant:
    """Only who chases somebody can give it up."""
    vehicle = check_driver(state, who)
    if not vehicle.marks.get(PURSUES):
        raise Refused("not_allowed", f"{vehicle.name} pursues nobody.")
    return vehicle


# ---------------------------------------------------------------- the turn of a driver


def begin_turn(context: RuleContext, who: str) -> None:
    """When a driver's turn begins, what the vehicle did in the last one no longer tells on shots at it."""
    vehicle = machinery.find_vehicle(context.state, who)
    if vehicle is not None and _is_driver(context.state, who, vehicle):
        forget_moved(context, vehicle.id)


def _is_driver(state: State, who: str, vehicle: Combatant) -> bool:
    driver = machinery.find_driver(state, vehicle.id)
    return driver is not None and driver.id == who


def end_turn(context: RuleContext, who: str) -> Then | None:
    """[CE-VEH-05] A vehicle that nobody has kept under control this round goes straight on at its speed.

    RULING R46. RULING R90: a pursuer who has not matched a weave has lost the quarry.
    """
    vehicle = machinery.find_vehicle(context.state, who)
    if vehicle is None or not _is_driver(context.state, who, vehicle):
        return None
    if vehicle.marks.get(MUST_WEAVE):
        context.emit(e.Said("log.breaks_off", who), "CE-VACT-25")
        end_pursuit(context, vehicle.id)
    if vehicle.marks.get(CONTROLLED) == context.state.round:
        return None
    return coast(context, vehicle.id)


def find_uncontrolled(state: State) -> tuple[str, ...]:
    """The vehicles that no turn has moved this round: nobody drives them, or the driver has let it go by."""
    return tuple(
        vehicle.id
        for vehicle in present(state)
        if is_vehicle(vehicle) and vehicle.marks.get(CONTROLLED) != state.round
    )


def coast_on(context: RuleContext, vehicle: str) -> Then | None:
    """[CE-VEH-05] The end of the round is the turn of a vehicle that has had none. [CE-MOD-06] What it moved
    before no longer tells on shots at it.  RULING R46 R49"""
    forget_moved(context, vehicle)
    if machinery.find_speed(context.state, context.state[vehicle]) <= 0:
        return None
    return coast(context, vehicle)


def coast(context: RuleContext, vehicle: str) -> Then | None:
    """Straight on, out of control; into whatever stands in the way."""
    machine = context.state[vehicle]
    speed = machinery.find_speed(context.state, machine)
    mark(context, vehicle, CONTROLLED, context.state.round, "CE-VEH-05")
    if speed <= 0:
        return None
    context.emit(e.Said("log.out_of_control", vehicle), "CE-VEH-05")
    goal = move_ahead(machine, machinery.count_round_metres(speed))
    obstacle = find_obstacle_between(context.state, machine.at, goal)
    if obstacle is None:
        move(context, vehicle, goal, "how.rolls_on")
        return None
    return Then(collide, vehicle, "", speed, True)


def name_facing(vehicle: Combatant) -> int:
    """The direction a vehicle faces, for forms."""
    return round(find_facing(vehicle))
