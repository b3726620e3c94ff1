"""Who is inside the area of an action before it is done: allies first, since they matter most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Command, read_command
from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import map_of
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.rays.area_shapes import Shape, is_inside
from combat.rules.core.state.state import State, present
from combat.sharing.viewer_context import ViewerContext

from ..combatants.tokens import name_fully


def find_people(
    context: ViewerContext, state: State, action: Action, command: Command, shapes: tuple[Shape, ...]
) -> list[dict[str, Any]]:
    """Who is inside, by the rule itself; for harmless actions, who stands in the shapes."""
    caught = action.find_caught(state, command) if action.find_caught else ()
    if not caught:
        grid, battle_map = find_grid(context, state), map_of(state.scene)
        caught = tuple(
            combatant.id
            for combatant in present(state)
            if any(is_inside(shape, battle_map, grid, body_of(combatant)) for shape in shapes)
        )
    side = state[command.actor].side if command.actor else ""
    people = [_view_person(state, who, side) for who in caught if who in context.known_state.combatants]
    return sorted(people, key=lambda one: not one["ally"])


def find_grid(context: ViewerContext, state: State) -> Grid:
    """The grid of the map."""
    system = context.system
    return make_grid(map_of(state.scene), system.space.cell_meters, system.space.has_hexes(state))


def _view_person(state: State, who: str, side: str) -> dict[str, Any]:
    return {"id": who, "name": name_fully(state, state[who]), "ally": state[who].side == side}


@dataclass(frozen=True)
class BlastView:
    """The names of those inside: of allies, and of others."""

    allies: str = ""
    others: str = ""

    @property
    def words(self) -> str:
        """Who is inside, in words."""
        parts = {"Allies in the blast": self.allies, "In the blast": self.others}
        told = " ".join(f"{who}: {names}." for who, names in parts.items() if names)
        return told or "No one is in the blast."


def view_people(caught: list[dict[str, Any]]) -> BlastView:
    """The same people as their names."""
    named = (", ".join(one["name"] for one in caught if one["ally"] == ally) for ally in (True, False))
    return BlastView(*named)


def find_blast(
    context: ViewerContext, state: State, action: Action, fields: dict[str, Any]
) -> BlastView | None:
    """Who is inside the area of an action with these fields; None if it has none."""
    if action.find_area is None:
        return None
    try:
        command = read_command(action, fields, state)
        shapes = action.find_area(state, command)
        return view_people(find_people(context, state, action, command, shapes)) if shapes else None
    except Refused:
        return None
