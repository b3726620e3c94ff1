"""What an action covers on the map, and who is inside: shown before anything is rolled.

Everything comes from the game's own functions, run on what the viewer knows.
"""

from __future__ import annotations

from typing import Any

from combat.audience.secrecy import mask_names
from combat.display.combatants.namesakes import name_fully
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Command, read_command
from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import map_of
from combat.rules.core.space.grid import Grid, make_grid
from combat.rules.core.space.rays.area_shapes import Shape, draw_shape, is_inside
from combat.rules.core.state.state import State, present
from combat.sharing.viewer_context import ViewerContext


def find_area(context: ViewerContext, action: Action, fields: dict[str, Any]) -> dict[str, Any]:
    """The shapes of an action as paths in meters, and who is inside, allies first; or why it is refused."""
    state = context.obscured_state
    try:
        command = read_command(action, fields)
        shapes = action.find_area(state, command) if action.find_area else ()
        caught = find_people(context, action, command, shapes)
    except Refused as refused:
        return refuse(mask_names(refused.message, context.secret_names))
    drawn = [_view_shape(shape, _find_grid(context, state)) for shape in shapes]
    return {"shapes": drawn, "inside": caught, "words": _say(caught) if shapes else "", "refused": ""}


def refuse(message: str) -> dict[str, Any]:
    """An answer without an area, with the reason."""
    return {"shapes": [], "inside": [], "words": "", "refused": message}


def _find_grid(context: ViewerContext, state: State) -> Grid:
    system = context.system
    return make_grid(map_of(state.scene), system.space.cell_meters, system.space.has_hexes(state))


def _view_shape(shape: Shape, grid: Grid) -> dict[str, Any]:
    x, y = grid.plot(shape.at)
    return {
        "kind": shape.kind,
        "path": draw_shape(shape, grid),
        "x": round(x, 2),
        "y": round(y, 2),
        "metres": shape.meters,
        "inner": shape.inner,
    }


def find_people(
    context: ViewerContext, action: Action, command: Command, shapes: tuple[Shape, ...]
) -> list[dict[str, Any]]:
    """Who is inside, by the rule itself; for harmless actions, who stands in the shapes."""
    state = context.obscured_state
    caught = action.find_caught(state, command) if action.find_caught else ()
    if not caught:
        grid, battle_map = _find_grid(context, state), map_of(state.scene)
        caught = tuple(
            combatant.id
            for combatant in present(state)
            if any(is_inside(shape, battle_map, grid, body_of(combatant)) for shape in shapes)
        )
    side = state[command.actor].side if command.actor else ""
    people = [_view_person(state, who, side) for who in caught if who in context.known_state.combatants]
    return sorted(people, key=lambda one: not one["ally"])


def _view_person(state: State, who: str, side: str) -> dict[str, Any]:
    return {"id": who, "name": name_fully(state, state[who]), "ally": state[who].side == side}


def _say(caught: list[dict[str, Any]]) -> str:
    """Who is inside, in words: allies first, since they matter most."""
    allies, others = (
        ", ".join(one["name"] for one in caught if one["ally"] == is_ally) for is_ally in (True, False)
    )
    parts = {"Allies in the blast": allies, "In the blast": others}
    return " ".join(f"{who}: {names}." for who, names in parts.items() if names) or "No one is in the blast."
