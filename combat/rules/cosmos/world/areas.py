"""Who is inside what spreads over an area: blasts, gas, arcs."""

from __future__ import annotations

from combat.rules.core.bodies import body_of
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.areas import Shape, is_inside
from combat.rules.core.state.state import Combatant, State, has_condition, present

from .lines import find_grid


def is_stopped(state: State) -> bool:
    """Whether walls keep blasts out at this table.  RULING R50"""
    return state.options.get("walls_stop_blasts") is not False


def make_circle(state: State, centre: Point, radius: float) -> Shape:
    """Everything within so many metres of a place."""
    return Shape("circle", centre, radius, is_stopped=is_stopped(state))


def find_inside(state: State, shape: Shape) -> list[Combatant]:
    """Everybody inside a shape who is not dead, friend or foe."""
    battle_map, grid = map_of(state.scene), find_grid(state)
    return [
        fighter
        for fighter in present(state)
        if not has_condition(fighter, "dead") and is_inside(shape, battle_map, grid, body_of(fighter))
    ]
