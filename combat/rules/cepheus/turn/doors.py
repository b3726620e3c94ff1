"""Doors of the battle map: a minor action, as other small acts are."""

from __future__ import annotations

from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.doors import Arm, UseDoor, check_any_door, check_door, door_fields, leave_door
from combat.rules.core.state.state import State

from ..dice.focus import lose_aim
from ..world.economy import check_minor, pay_minor
from ..world.lines import find_grid

ARM_M = 1.5  # the next square, or an arm's length
RULE = "CE-MINOR-20"


def find_arm(state: State) -> Arm:
    """How far somebody reaches for a door, in metres."""
    return Arm(find_grid(state), ARM_M)


def use_door(context: RuleContext, command: UseDoor) -> None:
    """[CE-MINOR-20] A door is an act that needs neither full attention nor complex movement: a minor action.

    The text names no doors; whoever runs the table may ask for a check instead.
    """
    who = command.actor
    door = check_door(context.state, who, command.door, find_arm(context.state))
    check_minor(context.state, who, "A door")
    lose_aim(context, who, "why.does_something_else")
    pay_minor(context, who, "A door", RULE)
    leave_door(context, who, door.id, not door.open, RULE)


def find_obstacle_door(state: State, actor: str) -> None:
    """A door has to be within reach, and a minor action left."""
    check_any_door(find_arm)(state, actor)
    check_minor(state, actor, "A door")


def use_door_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The doors within reach."""
    return door_fields(state, actor, find_arm(state))
