"""Doors: those of the battle map open and shut, others are only told of."""

from __future__ import annotations

from combat.rules.core.commands.commands import Command, Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.doors import Arm, check_door, door_fields, find_doors, leave_door
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State

from ..move.movement import pay_move
from ..world.lines import find_grid

ARM_M = 1.0  # as far as somebody picks something up
RULE = "COS-ACT-11"


class Door(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A door of the map by its id; without one, any door in a few words for the log."""

    door: str = ""
    what: str = ""


def find_arm(state: State) -> Arm:
    """How far somebody reaches for a door, in metres."""
    return Arm(find_grid(state), ARM_M)


def use_door(context: RuleContext, command: Door) -> None:
    """[COS-ACT-11] Opening a door is a Move Action. The text says nothing of shutting one: it is the same."""
    who = command.actor
    if command.door:
        door = check_door(context.state, who, command.door, find_arm(context.state))
        pay_move(context, who, "Shutting a door" if door.open else "Opening a door", RULE)
        leave_door(context, who, door.id, not door.open, RULE)
        return
    pay_move(context, who, "Opening a door", RULE)
    words = " ".join(command.what.split())[:200]
    told = e.Said("log.opens_door_so", who, args={"words": words}) if words else e.Said("log.opens_door", who)
    context.emit(told, RULE)


def use_door_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The doors of the map within reach; where there are none, a few words."""
    if find_doors(state, actor, find_arm(state)):
        return door_fields(state, actor, find_arm(state))
    return (Field("what", "What", "text", required=False),)
