"""Doors in the hands of whoever acts: what the game's own action does to those within reach."""

from __future__ import annotations

from dataclasses import dataclass

from combat.rules.core.commands.commands import Action, find_refusal
from combat.rules.core.space import map_of
from combat.rules.core.state.state import State, is_acting
from combat.rules.core.system import System

DOOR = "door"  # the field by which an action of a game names a door of the map


@dataclass(frozen=True)
class Handle:
    """A door within reach: whether it would be opened, and why that is not possible now."""

    door: str
    opens: bool
    refused: str


@dataclass(frozen=True)
class HandlesView:
    """The doors that somebody reaches in their turn, by which action, and what that costs."""

    fighter: str
    name: str
    action: str
    cost: str
    doors: tuple[Handle, ...]


def view_handles(system: System, state: State, who: str) -> HandlesView | None:
    """The doors within the reach of whoever acts; None where it is not their turn or there are none."""
    if not is_acting(state, who):
        return None
    for action in system.actions.values():
        if action.who != "gm" and DOOR in action.type.__struct_fields__:
            doors = _find_handles(action, state, who)
            name = state.combatants[who].name
            return HandlesView(who, name, action.name, action.cost, doors) if doors else None
    return None


def _find_handles(action: Action, state: State, who: str) -> tuple[Handle, ...]:
    against = find_refusal(action, state, who)
    open_doors = {wall.id for wall in map_of(state.scene).walls if wall.open}
    return tuple(
        Handle(option.value, option.value not in open_doors, against.message if against else option.refused)
        for field in action.find_fields(state, who)
        if field.name == DOOR
        for option in field.options
    )
