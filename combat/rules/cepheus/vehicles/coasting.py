"""The turn of a driver, and vehicles that nobody controls: they go straight on."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, present
from combat.rules.core.turn.turns import remove_conditions

from ..characters import machinery
from ..characters.conditions import KINDS
from ..characters.values import is_vehicle
from ..world.motion import forget_moved
from ..world.order import mark
from .collisions import collide, is_solid
from .driving import MUST_WEAVE, end_pursuit, move
from .facing import move_ahead
from .ways import ANYTHING, find_struck, stop_before


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
    mark(context, vehicle, machinery.CONTROLLED, value=context.state.round, rule="CE-VEH-05")
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
