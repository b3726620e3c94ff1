"""Driving: control of a vehicle, its facing, speed and path, and what is in its way."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator
from math import ceil
from typing import Literal, Unpack

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import say_number
from combat.rules.core.commands.commands import Action, Command, Field, Form, Precondition, Run
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import check_room, is_concealed, meters_of, nearest
from combat.rules.core.map.moving import Course
from combat.rules.core.passengers import leave
from combat.rules.core.space import (
    Point,
    Reach,
    Zone,
    away_from,
    find_zone,
    is_ground,
    meters_inside,
    on_ground,
    plan_distance,
    read_points,
    towards,
)
from combat.rules.core.space.ground import is_off_map
from combat.rules.core.space.lanes import find_heading
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, has_condition, present

from ..body.moving import MOVER, find_stop
from ..book.options import check_used, find_option
from ..book.tables import RANGE_BANDS, SQUARE_METERS
from ..characters import machinery
from ..characters.conditions import IMMOBILE
from ..characters.machinery import FACING
from ..characters.values import is_seriously_wounded, is_vehicle
from ..dice import lose_aim
from ..world.acting import TABLE
from ..world.economy import MINOR, check_minor, check_significant, pay_minor, pay_significant
from ..world.motion import forget_moved, has_moved_now
from ..world.order import mark
from ..world.scene import OBSTACLES, WALL
from ..world.sight_lines import is_wall_between
from .fields import FACINGS, choose, find_vehicles

PURSUES, MUST_WEAVE = "pursues", "must_weave"  # marks on a vehicle: its quarry; the number to match
SHAKEN_OFF = "shaken_off"  # a mark: the round in which it did not match a weave, and the quarry
COURSE, OBSTACLE, PURSUE = "course", "obstacles", "pursue"
AHEAD = "ahead"
STRETCHES = (5, 10, 25, 50, 100, 250, 500, 1000)  # meters between the places ahead that a driver is offered
MOST_STRETCHES = 6
MARK = 10  # meters: the side of such a place on a map, at most
TO_HELP = "ahead, or a place in meters: x,y"
DRIVE_HELP = "ahead (in pursuit: after them, never past them), or a place in meters: x,y"
WAYS = (
    Choice(COURSE, "an ordinary course", "a minor action"),
    Choice(OBSTACLE, "between obstacles", "the significant action"),
    Choice(PURSUE, "pursue someone", "the significant action"),
)
FRONT, RIGHT, REAR, LEFT = "front", "right", "rear", "left"
ARCS = (FRONT, RIGHT, REAR, LEFT)  # clockwise
ROUND, HALF_ARC, QUARTER = 360, 45, 90  # degrees
EDGE = 1e-6
EVERY_WAY = ("turret", "ring")
EXTRA_ARC = "extra_arc:"  # mark on a vehicle, with the id of a target: an extra arc it counts in this round
NAMES = {0: "up", 90: "right", 180: "down", 270: "left"}
ANYTHING = frozenset({OBSTACLES, WALL})  # terrain that stops ordinary courses and the uncontrolled
WALLS = frozenset({WALL})  # terrain that stops every vehicle
STEP = 0.01  # meters


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
        mark(context, vehicle.id, machinery.CONTROLLED, value=context.state.round, rule="CE-VEH-05")


def check_course(state: State, vehicle: Combatant, goal: Point) -> None:
    """Refuse a simple course that leaves the front arc or meets obstacles."""
    if goal != vehicle.at and turn_between(angle_off_nose(vehicle, goal), 0) > HALF_ARC:
        raise Refused("not_allowed", "That is no ordinary course: maneuver, or stay within 45 degrees ahead.")
    for found in find_obstacles(state, vehicle.at, goal):
        raise Refused(
            "not_allowed", f"{found.name} is in the way: drive around obstacles with a significant action."
        )


def find_goal(
    state: State, vehicle: Combatant, to: str, speed: int | None, *, keeps: bool = False
) -> tuple[Point, float]:
    """Where a vehicle will be, and its speed: as far as the speed takes it in a round, at most.

    Without a speed, or at the present one, it goes faster if the place needs it, unless it `keeps` that.
    """
    top, present = machinery.find_top_speed(state, vehicle), machinery.find_speed(state, vehicle)
    if speed == present and not keeps:
        speed = None
    if speed is not None and not 0 <= speed <= top:
        raise Refused("bad_value", f"{vehicle.name} goes 0 to {top:g} km/h now, not {speed}.")
    if is_ahead(to):
        now = float(speed) if speed is not None else present
        return move_ahead(vehicle, machinery.count_round_meters(now)), now
    goal = on_ground(state.scene, read_points(to)[-1])
    if goal != vehicle.at:
        check_room(state, vehicle, goal, SQUARE_METERS)
    meters = plan_distance(vehicle.at, goal)
    needed = meters / machinery.count_round_meters(1)
    now = float(speed) if speed is not None else max(needed, present)
    if needed > min(now, top) + STEP:
        raise Refused("out_of_range", explain_too_far(vehicle, meters, min(now, top), top))
    return goal, min(now, top)


def find_stretches(state: State, who: str) -> tuple[Reach, ...]:
    """Places straight ahead of a driver, an even stretch apart: those that an ordinary course can reach in
    this round, on the ground or beyond the end of the map, where the road goes on. In meters.
    [CE-VEH-04, CE-VEH-05]"""
    try:
        vehicle = check_driver(state, who)
        check_uncontrolled(state, vehicle)
    except Refused:
        return ()
    most = machinery.count_round_meters(machinery.find_top_speed(state, vehicle))
    step = next((one for one in STRETCHES if most <= one * MOST_STRETCHES), STRETCHES[-1])
    reach = []
    for meters in range(step, int(most) + 1, step)[:MOST_STRETCHES]:
        goal = on_ground(state.scene, move_ahead(vehicle, meters))
        is_road = is_ground(state.scene, goal) or is_off_map(state.scene, goal)
        if is_road and allows(_check_stretch, state, vehicle, goal):
            reach.append(Reach(goal, meters, side=min(step, MARK), left=most - meters))
    return tuple(reach)


def _check_stretch(state: State, vehicle: Combatant, goal: Point) -> None:
    """Refuse a place that an ordinary course does not reach."""
    check_room(state, vehicle, goal, SQUARE_METERS)
    check_course(state, vehicle, goal)
    if stop_before(state, vehicle, goal) != goal:
        raise Refused("not_allowed", "A wall or a hole is in the way: choose a nearer place.")


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


def travel(
    context: RuleContext, vehicle: str, goal: Point, speed: float, *, strikes: bool = False
) -> Then | None:
    """Move the vehicle there, nose first, at its speed; those inside go with it. It brakes before a wall and
    at the rim of a hole, unless it `strikes` someone who stands there.  RULING R46 R98"""
    machine = context.state[vehicle]
    end = stop_before(context.state, machine, goal)
    if goal != machine.at:
        mark(
            context,
            vehicle,
            machinery.FACING,
            value=round(bearing_between(machine.at, goal)),
            rule="CE-VEH-02",
        )
        move(context, vehicle, end, "how.drives")
    if end != goal and not strikes:
        told = "log.brakes_at_rim" if is_rim(context.state, machine, goal) else "log.brakes"
        context.emit(e.Said(told, vehicle), "CE-VEH-04")
    mark(
        context,
        vehicle,
        machinery.SPEED,
        value=(round(speed) if end == goal else 0) or None,
        rule="CE-VEH-04",
    )
    return None


def move(context: RuleContext, vehicle: str, goal: Point, how: str, way: str = "drive") -> None:
    """Move a vehicle in a straight line, out of a larger one.  RULING R49"""
    here = context.state[vehicle].at
    if goal == here:
        return
    if not has_moved_now(context.state, context.state[vehicle]):
        forget_moved(context, vehicle)
    leave(context, vehicle, "CE-VEH-04")
    MOVER.carry(context, Course(vehicle, (here, goal), way, "CE-VEH-04", how))


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
    """How far ahead, in meters, a wall or a hole stops a vehicle this round at its speed; None if none does.
    [CE-VEH-04]"""
    goal = find_place_ahead(state, vehicle)
    end = stop_before(state, vehicle, goal)
    return None if end == goal else plan_distance(vehicle.at, end)


def find_place_ahead(state: State, vehicle: Combatant) -> Point:
    """Where a vehicle comes to straight ahead in a round at its speed."""
    return move_ahead(vehicle, machinery.count_round_meters(machinery.find_speed(state, vehicle)))


def turn_to(context: RuleContext, vehicle: str, facing: int | None) -> None:
    """Face a direction, in degrees clockwise from the top of the map."""
    if facing is not None:
        mark(context, vehicle, machinery.FACING, value=facing % 360, rule="CE-VACT-11")


# ---------------------------------------------------------------- pursuit


def begin_pursuit(context: RuleContext, vehicle: Combatant, target: str) -> None:
    """Chase another vehicle: the pursuer has to match its weaves. [CE-VEH-06]  RULING R61"""
    check_used(context.state, "use_chases", "chases", "them")
    quarry = context.state[target] if target else None
    if quarry is None or quarry.id == vehicle.id or not is_vehicle(quarry):
        raise Refused("bad_target", "Pursue another vehicle: choose which.")
    check_pursuit(context.state, vehicle, quarry)
    if MUST_WEAVE in vehicle.marks:
        end_pursuit(context, vehicle.id)
    mark(context, vehicle.id, PURSUES, value=quarry.id, rule="CE-VEH-06")
    context.emit(e.Said("log.pursues", vehicle.id, quarry.id), "CE-VEH-06")


def check_pursuit(state: State, vehicle: Combatant, quarry: Combatant) -> None:
    """Refuse to follow a quarry whose weave has to be matched, or was not matched in this round: who breaks
    off tries again later. [CE-VACT-24] [CE-VACT-25]"""
    number = vehicle.marks.get(MUST_WEAVE)
    if number is not None and vehicle.marks.get(PURSUES) == quarry.id:
        raise Refused("not_allowed", f"The quarry wove with {number}: weave with that too, or break off.")
    if vehicle.marks.get(SHAKEN_OFF) == f"{state.round}:{quarry.id}":
        raise Refused("not_allowed", f"{quarry.name} got away: pursue again in the next round.")


def find_place_behind(state: State, vehicle: Combatant, quarry: Combatant, speed: float) -> Point:
    """Where a pursuer gets to at a speed in km/h: straight after the quarry, never past it, and behind anyone
    already there whom the GM does not conceal. [CE-VEH-06]"""
    gap = RANGE_BANDS["close"].to_m
    meters = plan_distance(*nearest(vehicle, quarry)) - gap
    meters = max(0.0, min(meters, machinery.count_round_meters(speed)))
    own = (vehicle.id, quarry.id)
    others = (other for other in present(state) if not (other.inside or is_concealed(state, other)))
    taken = [other.at for other in others if other.id not in own]
    while meters and any(
        plan_distance(towards(vehicle.at, quarry.at, meters), place) < gap for place in taken
    ):
        meters = max(0.0, meters - gap)
    return towards(vehicle.at, quarry.at, meters)


def end_pursuit(context: RuleContext, vehicle: str) -> None:
    """End a chase: nothing has to be matched any longer. A quarry that wove has got away for this round."""
    marks = context.state[vehicle].marks
    if MUST_WEAVE in marks:
        lost = f"{context.state.round}:{marks.get(PURSUES, '')}"
        mark(context, vehicle, SHAKEN_OFF, value=lost, rule="CE-VACT-25")
    mark(context, vehicle, PURSUES, value=None, rule="CE-VACT-25")
    mark(context, vehicle, MUST_WEAVE, value=None, rule="CE-VACT-25")


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


# ---------------------------------------------------------------- forms


def may_drive(state: State, actor: str) -> None:
    """Refuse unless at the controls, with an action left and no driving yet this round."""
    check_uncontrolled(state, check_driver(state, actor))
    if not allows(check_minor, state, actor, "driving"):
        check_significant(state, actor, "driving")


def may_drive_hard(state: State, actor: str) -> None:
    """Refuse unless at the controls, with a significant action left and no driving yet this round."""
    check_uncontrolled(state, check_driver(state, actor))
    check_significant(state, actor, "this")


def find_speeds(state: State, actor: str) -> tuple[int, int]:
    """How fast the driver's vehicle goes now, and how fast it can go, in km/h."""
    vehicle = machinery.find_vehicle(state, actor)
    if vehicle is None:
        return 0, 0
    return round(machinery.find_speed(state, vehicle)), int(machinery.find_top_speed(state, vehicle))


def speed_field(state: State, actor: str) -> Field:
    """The speed, at first the present one if it is whole; that and blank grow if the place needs it."""
    vehicle = machinery.find_vehicle(state, actor)
    present = machinery.find_speed(state, vehicle) if vehicle else 0.0
    now, top = find_speeds(state, actor)
    far = round(machinery.count_round_meters(top))
    return Field(
        "speed",
        "Speed, km/h",
        "number",
        low=0,
        high=top,
        value=str(now) if present.is_integer() else "",
        help=f"0 to {top}, {far} m a round; as now ({now}): faster if the place needs it",
        rule="CE-VEH-04",
        required=False,
    )


def to_field(state: State, actor: str, told: str = TO_HELP) -> Field:
    """The place; its help says if a wall ahead would stop the vehicle, whose speed is then gone."""
    vehicle = machinery.find_vehicle(state, actor)
    meters = find_wall_ahead(state, vehicle) if vehicle else None
    if vehicle and meters is not None:
        bar = "the rim of a hole" if is_rim(state, vehicle, find_place_ahead(state, vehicle)) else "a wall"
        told += f"; straight ahead {bar} stops it after {say_number(meters)} m"
    return Field("to", "Where to", "text", value=AHEAD, help=told, rule="CE-VEH-04", required=False)


def facing_field(state: State, actor: str) -> Field:
    """The direction to face, at first the present one. [CE-VACT-11]"""
    vehicle = machinery.find_vehicle(state, actor)
    now = str(round(find_facing(vehicle))) if vehicle else "0"
    known = FACINGS if any(option.value == now for option in FACINGS) else (*FACINGS, Choice(now, f"{now}°"))
    return Field("facing", "Facing", "choice", options=known, value=now, rule="CE-VACT-11")


def drive_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The kind of course, the place, the speed, and the quarry."""
    vehicle = machinery.find_vehicle(state, actor)
    others = [f for f in find_vehicles(state) if vehicle is None or f.id != vehicle.id]
    if not find_option(state, "use_chases"):
        how = Field("why", "How", "choice", options=WAYS[:-1], value=COURSE, rule="CE-VEH-05")
        return (how, to_field(state, actor), speed_field(state, actor))
    return (
        Field("why", "How", "choice", options=WAYS, value=COURSE, rule="CE-VEH-05"),
        to_field(state, actor, DRIVE_HELP),
        speed_field(state, actor),
        choose(
            state,
            "target",
            "After whom",
            others,
            rule="CE-VEH-06",
            required=False,
            check=_check_quarry(vehicle),
        ),
    )


def _check_quarry(vehicle: Combatant | None) -> Callable[[State, str], object] | None:
    """The check of those whom a vehicle may pursue."""
    return (lambda state, who: check_pursuit(state, vehicle, state[who])) if vehicle else None


def maneuver_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The place, the speed, and the direction to face."""
    return (to_field(state, actor), speed_field(state, actor), facing_field(state, actor))


def act_aboard(name: str, run: Run, check: Precondition, **form: Unpack[Form]) -> Action:
    """A driver's action; most people are in no vehicle, which is asked once for all of them."""
    return TABLE.act(name, run, check_aboard, check, **form)


# The direction a vehicle faces, and the fire arcs a target is in.


def find_facing(vehicle: Combatant) -> float:
    """Degrees clockwise from the top of the map. [CE-VEH-02]"""
    return float(vehicle.marks.get(FACING, 0))


def find_course(state: State, vehicle: Combatant) -> float:
    """The direction a vehicle faces; one that nobody has turned faces along the road it stands on."""
    zone = None if FACING in vehicle.marks else find_zone(state.scene, vehicle.at)
    heading = find_heading(zone) if zone else None
    return find_facing(vehicle) if heading is None else heading


def face_along(context: RuleContext, who: str) -> None:
    """Let a vehicle that nobody has turned face along its road as the fight begins for it. [CE-VEH-02]"""
    one = context.state[who]
    if is_vehicle(one) and (course := find_course(context.state, one)) != find_facing(one):
        mark(context, who, FACING, value=round(course), rule="CE-VEH-02")


def bearing_between(here: Point, there: Point) -> float:
    """The direction from one place to another in degrees clockwise from the top of the map."""
    return math.degrees(math.atan2(there.x - here.x, here.y - there.y)) % ROUND


def angle_off_nose(vehicle: Combatant, at: Point) -> float:
    """The angle of a place off the nose, in degrees clockwise, 0 to 360."""
    return (bearing_between(vehicle.at, at) - find_facing(vehicle)) % ROUND


def find_arcs(vehicle: Combatant, at: Point) -> tuple[str, ...]:
    """The arcs of 90 degrees that a place is in; on a border both. [CE-VMOUNT-02]

    RULING R26. At the same spot all.
    """
    if at == vehicle.at:
        return ARCS
    angle = angle_off_nose(vehicle, at)
    return tuple(arc for n, arc in enumerate(ARCS) if turn_between(angle, n * QUARTER) <= HALF_ARC + EDGE)


def turn_between(one: float, other: float) -> float:
    """The smaller angle between two directions, in degrees."""
    apart = abs(one - other) % ROUND
    return min(apart, ROUND - apart)


def find_arcs_of(state: State, vehicle: Combatant, target: Combatant) -> tuple[str, ...]:
    """The arcs a target is in, plus the one that a stunt added for this round.  [CE-VACT-16]"""
    found = find_arcs(vehicle, target.at)
    told = str(vehicle.marks.get(EXTRA_ARC + target.id, ""))
    number, _, arc = told.partition(":")
    return (*found, arc) if number == str(state.round) and arc not in found else found


def find_mount_arcs(item: Item) -> tuple[str, ...]:
    """The arcs a mounted weapon fires into: a turret into all, a fixed one ahead. [CE-VMOUNT-01]
    [CE-VMOUNT-03]

    RULING R26
    """
    mount = str(item.marks.get("mount", FRONT))
    if mount in EVERY_WAY:
        return ARCS
    return (mount,) if mount in ARCS else (FRONT,)


def move_ahead(vehicle: Combatant, meters: float) -> Point:
    """The place of a vehicle after n meters straight on."""
    turn = math.radians(find_facing(vehicle))
    x, y = vehicle.at.x + meters * math.sin(turn), vehicle.at.y - meters * math.cos(turn)
    return Point(round(x, 3), round(y, 3), vehicle.at.z, vehicle.at.shift)


def describe_arcs(arcs: tuple[str, ...]) -> str:
    """The arcs in words."""
    return " and ".join(arcs)


# What is in the way of a vehicle: walls of the map, zones, and those who stand there.


def find_obstacles(
    state: State, here: Point, there: Point, terrain: frozenset[str] = ANYTHING
) -> Iterator[Zone]:
    """The zones of a terrain on a straight path, but not one that a vehicle is in. [CE-VACT-09]"""
    own = find_zone(state.scene, here)
    if own is not find_zone(state.scene, away_from(here, there, STEP)):
        own = None  # at its edge
    for zone in state.scene.zones:
        if zone is not own and terrain & set(zone.terrain) and meters_inside(zone, here, there) > STEP:
            yield zone


def stop_before(
    state: State, vehicle: Combatant, goal: Point, terrain: frozenset[str] = WALLS, way: str = "drive"
) -> Point:
    """The last free place on the straight way to a goal: before a wall of the map or a zone of a terrain.

    Driven, it stops at the rim of an open hole; it may `coast` into one.  RULING R98
    """
    here = vehicle.at
    free = find_stop(state, vehicle, goal, way)
    halves = int(plan_distance(here, free) * 2) + 1
    for zone in tuple(find_obstacles(state, here, free, terrain)):
        entered = bisect_right(
            range(halves), STEP, key=lambda n: meters_inside(zone, here, towards(here, goal, n / 2))
        )
        halves = min(halves, entered)
        free = towards(here, goal, max(0, halves - 1) / 2)
    return free


def is_rim(state: State, vehicle: Combatant, goal: Point) -> bool:
    """Whether it is the rim of an open hole that stops a driven vehicle on the way to a goal."""
    return stop_before(state, vehicle, goal, way="coast") != stop_before(state, vehicle, goal)


def find_struck(
    state: State, vehicle: Combatant, goal: Point, passed: tuple[str, ...]
) -> tuple[Point, str] | None:
    """The first who stands on the straight way of an uncontrolled vehicle, and where it hits them: a person,
    a robot, a parked vehicle; none of those it has `passed`.  RULING R46"""
    here, length = vehicle.at, plan_distance(vehicle.at, goal)
    found = []
    for other in present(state):
        if other.inside or other.id in (vehicle.id, *passed) or not _stands(state, other):
            continue
        reach = (max(meters_of(vehicle), SQUARE_METERS) + max(meters_of(other), SQUARE_METERS)) / 2
        x, y = other.at.x - here.x, other.at.y - here.y
        ahead = (x * (goal.x - here.x) + y * (goal.y - here.y)) / length if length else 0.0
        aside = abs(x * (goal.y - here.y) - y * (goal.x - here.x)) / length if length else 0.0
        is_met = 0 < ahead < length + reach and aside < reach - STEP
        is_met = is_met and abs(_find_ground(state, here, goal, ahead) - other.at.z) < reach
        if is_met and not is_wall_between(state, here, other.at):
            found.append((max(0.0, ahead - reach), other.id))
    if not found:
        return None
    meters, who = min(found)
    return towards(here, goal, meters), who


def _find_ground(state: State, here: Point, goal: Point, meters: float) -> float:
    """The height of the ground so many meters along a straight way."""
    return on_ground(state.scene, towards(here, goal, meters)).z


def _stands(state: State, other: Combatant) -> bool:
    """Whether someone is struck by what comes: drivers who move keep clear, and those whom the GM conceals
    take no room."""
    if is_concealed(state, other) or has_condition(other, "dead", "destroyed"):
        return False
    return not is_vehicle(other) or machinery.find_speed(state, other) <= 0


ACTIONS = (
    act_aboard("drive", drive, may_drive, fields=drive_fields, reach=find_stretches, has_odds=False),
    act_aboard("maneuver", maneuver, may_drive_hard, fields=maneuver_fields, has_odds=False),
    act_aboard("break_off", break_off, check_pursuing, has_odds=False),
)
