"""The areas of explosions: rings around a place, limited by walls."""

from __future__ import annotations

from functools import partial

from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.rays.area_shapes import Shape, is_inside, is_reached, make_rings
from combat.rules.core.state.state import Combatant, State

from ..book.options import find_option
from .bands import measure
from .sight_lines import find_grid


def find_shapes(state: State, at: Point, edges: tuple[float, ...]) -> tuple[Shape, ...]:
    """[CE-EXPL-01] The rings around a place, by outer edge in meters.  RULING R84 R93"""
    return make_rings(at, edges, bool(find_option(state, "walls_stop_blasts")))


def find_ring(state: State, shapes: tuple[Shape, ...], combatant: Combatant) -> int | None:
    """The number of the shape that catches someone; None outside of all, or behind a wall."""
    battle_map, grid, body = map_of(state.scene), find_grid(state), body_of(combatant)
    count = partial(measure, state)
    for n, shape in enumerate(shapes):  # asked for everyone at every throw: no generator
        if is_inside(shape, battle_map, grid, body, count):
            return n
    return None


def is_open_to(state: State, at: Point, combatant: Combatant) -> bool:
    """Whether someone is free of walls towards an explosion at a place.  RULING R93"""
    if not find_option(state, "walls_stop_blasts"):
        return True
    return is_reached(map_of(state.scene), find_grid(state), at, body_of(combatant))
