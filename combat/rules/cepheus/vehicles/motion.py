"""What the GM says about vehicles: their speed, their direction, their collisions."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import number_field
from combat.rules.core.gm.decisions import Target, overrule
from combat.rules.core.state.state import Combatant, State

from ..characters import machinery
from ..characters.values import is_vehicle
from ..world.acting import gm
from ..world.order import mark
from .collisions import collide
from .fields import FACINGS, any_vehicle, choose, find_vehicles

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
    mark(context, vehicle.id, machinery.SPEED, value=command.speed or None, rule="CE-VEH-04")
    mark(context, vehicle.id, machinery.FACING, value=command.facing % 360, rule="CE-VEH-02")


def crash(context: RuleContext, command: Crash) -> Then | None:
    """Let a vehicle collide: with what, how fast, and whether that is solid. [CE-COLL-04]"""
    vehicle = check_vehicle(context.state, command.target)
    if command.struck == vehicle.id or (command.struck and context.state[command.struck].inside):
        raise Refused("bad_target", "Choose something else that it runs into, or nobody.")
    if not 1 <= command.speed <= FASTEST:
        raise Refused("bad_value", f"Speed: 1 to {FASTEST} km/h.")
    return collide(
        context, vehicle.id, command.struck, speed=float(command.speed), solid=command.solid, waits=False
    )


def motion_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The vehicle, its speed, and its direction."""
    return (
        choose(state, "target", "Vehicle", find_vehicles(state)),
        number_field("speed", "Speed, km/h", 0, low=0, high=100_000, rule="CE-VEH-04"),
        Field("facing", "Facing", "choice", options=FACINGS, value="0", rule="CE-VEH-02"),
    )


ACTIONS = (gm("set_motion", set_motion, any_vehicle, fields=motion_fields),)
