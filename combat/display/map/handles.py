"""Doors that the acting combatant can use: those that the game's own action offers within reach."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.rules.core.commands.commands import Action, find_refusal
from combat.rules.core.declaration.system import System
from combat.rules.core.space import map_of
from combat.rules.core.state.state import State, is_acting

DOOR = "door"  # the field of a game's action that names a door of the map


class Handle(Shape, frozen=True):
    """A door within reach: whether it would be opened, and why not now."""

    door: str
    opens: bool
    refused: str


class HandlesView(Shape, frozen=True):
    """The doors that someone can reach in their turn, with the action for them and its cost."""

    combatant: str
    name: str
    action: str
    cost: str
    doors: tuple[Handle, ...]


def view_handles(system: System, state: State, who: str) -> HandlesView | None:
    """The doors within reach of a combatant; None if it is not their turn or there are none."""
    if not is_acting(state, who):
        return None
    for action in system.actions.by_name.values():
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
