"""Doors of the map: objects to interact with."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.gm.doors import Arm, UseDoor, check_door, form_of_doors, leave_door
from combat.rules.core.state.state import State

from ..body.doses import burn
from ..fight.economy import pay
from ..world.place import is_map
from ..world.sight_lines import find_grid

ARM_M = 1.5  # an adjacent cell, also diagonally
RULE = "SS-OTHER-02"


def find_arm(state: State) -> Arm:
    """The reach for a door, in meters; none in zones.  [SS-MAP-01]"""
    return Arm(find_grid(state), ARM_M if is_map(state) else -1.0)


def use_door(context: RuleContext, command: UseDoor) -> Then | None:
    """Use a door as an object: an action [SS-OTHER-02], and the same one once a turn. [SS-OTHER-03]"""
    who = command.actor
    door = check_door(context.state, who, command.door, find_arm(context.state))
    pay(context, who, "interact", "A door", RULE, per=f"door {door.id}")
    leave_door(context, who, door.id, not door.open, RULE)
    return burn(context, who)


use_door_fields = form_of_doors(find_arm)
