"""Doors of the battle map: a minor action, like other small actions."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.doors import Arm, UseDoor, check_any_door, check_door, form_of_doors, leave_door
from combat.rules.core.state.state import State

from ..body.moving import settle_place
from ..dice.focus import lose_aim
from ..world.economy import check_minor, pay_minor
from ..world.sight_lines import find_grid

ARM_M = 1.5  # the adjacent square, or an arm's length
RULE = "CE-MINOR-20"


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
    door = check_door(context.state, who, command.door, find_arm(context.state))
    check_minor(context.state, who, "A door")
    lose_aim(context, who, "why.does_something_else")
    pay_minor(context, who, "A door", RULE)
    leave_door(context, who, door.id, not door.open, RULE)
    settle_place(context, *context.state.combatants)


def check_door_now(state: State, actor: str) -> None:
    """Refuse without a door within reach or without a minor action left."""
    check_any_door(find_arm)(state, actor)
    check_minor(state, actor, "A door")


use_door_fields = form_of_doors(find_arm)
