"""The combatants inside an area of effect: blasts, gas, arcs."""

from __future__ import annotations

from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.rays.area_shapes import Shape, is_inside
from combat.rules.core.state.state import Combatant, State, has_condition, present

from .sight_lines import find_grid


def is_stopped(state: State) -> bool:
    """Whether walls stop blasts at this table.  RULING R50"""
    return state.options.get("walls_stop_blasts") is not False


def make_circle(state: State, centre: Point, radius: float) -> Shape:
    """The circle of `radius` meters around a place."""
    return Shape("circle", centre, radius, is_stopped=is_stopped(state))


def find_inside(state: State, shape: Shape) -> list[Combatant]:
    """Everyone inside a shape who is not dead, friend or foe."""
    battle_map, grid = map_of(state.scene), find_grid(state)
    return [
        combatant
        for combatant in present(state)
        if not has_condition(combatant, "dead") and is_inside(shape, battle_map, grid, body_of(combatant))
    ]
