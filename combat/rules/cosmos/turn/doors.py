"""Doors: those on the battle map open and shut, others are only logged."""

from __future__ import annotations

from combat.rules.core.commands.commands import Field, Words
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.doors import Arm, check_door, door_fields, find_doors, leave_door
from combat.rules.core.state.state import State
from combat.rules.core.turn.turns import say_words

from ..move.movement import pay_move
from ..world.sight_lines import find_grid

ARM_M = 1.0  # the same as for picking things up
RULE = "COS-ACT-11"


class Door(Words, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A door of the map by its id; without one, a description of any door for the log."""

    door: str = ""


def find_arm(state: State) -> Arm:
    """The reach of a combatant for a door, in meters."""
    return Arm(find_grid(state), ARM_M)


def use_door(context: RuleContext, command: Door) -> None:
    """Open a door, a Move Action. [COS-ACT-11] The text does not mention shutting: we treat it the same."""
    who = command.actor
    if command.door:
        door = check_door(context.state, who, command.door, find_arm(context.state))
        pay_move(context, who, "Shutting a door" if door.open else "Opening a door", RULE)
        leave_door(context, who, door.id, not door.open, RULE)
        return
    pay_move(context, who, "Opening a door", RULE)
    say_words(context, command, "log.opens_door", "log.opens_door_so", RULE)


def use_door_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The doors of the map within reach, or else a text field."""
    if find_doors(state, actor, find_arm(state)):
        return door_fields(state, actor, find_arm(state))
    return (Field("what", "What", "text", required=False),)
