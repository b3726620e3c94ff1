"""What the GM says about vehicles: their speed, their direction, their collisions."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.state.state import Combatant, State

from ..people import machinery
from ..people.values import is_vehicle
from ..world.order import mark
from .collisions import collide

FASTEST = 100_000  # km/h


class SetMotion(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The speed of a vehicle in km/h, and its direction in degrees clockwise from the top."""

    speed: int = 0
    facing: int = 0


class Crash(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A vehicle runs into a combatant (`struck`) or something else at a speed in km/h; `solid` things damage
    it."""

    struck: str = ""
    speed: int = 50
    solid: bool = True


def check_vehicle(state: State, who: str) -> Combatant:
    """Refuse anything but a vehicle."""
    if not is_vehicle(state[who]):
        raise Refused("bad_target", f"{state[who].name} is no vehicle: choose one.")
    return state[who]


def set_motion(context: RuleContext, command: SetMotion) -> None:
    """Set a vehicle's speed and direction. [CE-VEH-02]"""
    vehicle = check_vehicle(context.state, command.target)
    top = machinery.find_top_speed(context.state, vehicle)
    if not 0 <= command.speed <= top:
        raise Refused("bad_value", f"{vehicle.name} goes 0 to {top:g} km/h now, not {command.speed}.")
    overrule(context, "gm.motion", command, command.target, n=command.speed, facing=command.facing % 360)
    mark(context, vehicle.id, machinery.SPEED, command.speed or None, "CE-VEH-04")
    mark(context, vehicle.id, machinery.FACING, command.facing % 360, "CE-VEH-02")


def crash(context: RuleContext, command: Crash) -> Then | None:
    """Let a vehicle collide: with what, how fast, and whether that is solid. [CE-COLL-04]"""
    vehicle = check_vehicle(context.state, command.target)
    if command.struck == vehicle.id or (command.struck and context.state[command.struck].inside):
        raise Refused("bad_target", "Choose something else that it runs into, or nobody.")
    if not 1 <= command.speed <= FASTEST:
        raise Refused("bad_value", f"Speed: 1 to {FASTEST} km/h.")
    return collide(context, vehicle.id, command.struck, float(command.speed), command.solid, waits=False)
