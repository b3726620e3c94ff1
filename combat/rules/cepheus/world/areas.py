"""What explosions reach over: rings around a place, and what walls keep out of them."""

from __future__ import annotations

from functools import partial

from combat.rules.core.bodies import body_of
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.areas import Shape, is_inside, is_reached, make_rings
from combat.rules.core.state.state import Combatant, State

from ..book.options import find_option
from .bands import measure
from .lines import find_grid


def find_shapes(state: State, at: Point, edges: tuple[float, ...]) -> tuple[Shape, ...]:
    """[CE-EXPL-01] The rings around a place, by the metres each reaches to.  RULING R84 R93"""
    return make_rings(at, edges, bool(find_option(state, "walls_stop_blasts")))


def find_ring(state: State, shapes: tuple[Shape, ...], fighter: Combatant) -> int | None:
    """The number of the shape that somebody is caught in; None outside of all, or behind a wall."""
    battle_map, grid, body = map_of(state.scene), find_grid(state), body_of(fighter)
    count = partial(measure, state)
    inside = (n for n, shape in enumerate(shapes) if is_inside(shape, battle_map, grid, body, count))
    return next(inside, None)


def is_open_to(state: State, at: Point, fighter: Combatant) -> bool:
    """Whether no wall stands between an explosion at a place and somebody.  RULING R93"""
    if not find_option(state, "walls_stop_blasts"):
        return True
    return is_reached(map_of(state.scene), find_grid(state), at, body_of(fighter))
