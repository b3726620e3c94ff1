"""The areas of explosions: rings around a place, limited by walls."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.rays.area_shapes import Shape, find_ring, is_reached, make_rings
from combat.rules.core.state.state import Combatant, State

from ..book.options import find_option
from .bands import measure
from .sight_lines import find_grid


def find_shapes(state: State, at: Point, edges: tuple[float, ...]) -> tuple[Shape, ...]:
    """The rings around a place, by outer edge in meters. [CE-EXPL-01]  RULING R84 R93"""
    return make_rings(at, edges, bool(find_option(state, "walls_stop_blasts")))


def find_inside(
    state: State, at: Point, edges: tuple[float, ...], people: Iterable[Combatant]
) -> list[tuple[str, int]]:
    """Those of some people whom the rings around a place catch, with the number of their ring; the others are
    outside of all, or behind a wall."""
    rings, battle_map, grid = find_shapes(state, at, edges), map_of(state.scene), find_grid(state)
    count, found = partial(measure, state), []
    for combatant in people:
        ring = find_ring(rings, battle_map, grid, body=body_of(combatant), measure=count)
        if ring is not None:
            found.append((combatant.id, ring))
    return found


def is_open_to(state: State, at: Point, combatant: Combatant) -> bool:
    """Whether someone is free of walls towards an explosion at a place.  RULING R93"""
    if not find_option(state, "walls_stop_blasts"):
        return True
    return is_reached(map_of(state.scene), find_grid(state), at, body_of(combatant))
