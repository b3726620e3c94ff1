"""Ways round the walls of the battle map."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from combat.rules.core.bodies import go_near_body, metres_of
from combat.rules.core.space import Point, map_of, on_ground
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.ways import Way, find_ground, find_ways, go_round, has_walls
from combat.rules.core.state.state import Combatant, State

from ..book.tables import SQUARE_METRES
from .bands import is_grid
from .lines import find_grid
from .scene import DIFFICULT


def make_way(state: State, fighter: Combatant) -> Way:
    """[CE-MINOR-16] [CE-MINOR-18] From square to square on a grid, diagonals as one; else straight.

    RULING R31
    """
    squares = is_grid(state)
    ground = find_ground(state.scene, frozenset({DIFFICULT}))
    grid = Grid(SQUARE_METRES) if squares else find_grid(state)
    slant = 1.0 if squares else math.sqrt(2)
    return Way(grid, squares, slant, ground, metres=metres_of(fighter))


def route(
    state: State,
    fighter: Combatant,
    path: tuple[Point, ...],
    beside: Combatant | None = None,
    gap: float = 0.0,
) -> tuple[Point, ...]:
    """The path of a combatant round what stands in its way; to somebody `beside` up to a gap in metres.

    Refused("out_of_range") where no way leads round it.
    """
    battle_map = map_of(state.scene)
    if not has_walls(battle_map):
        return path
    way = make_way(state, fighter)
    near = go_near_body(battle_map, way, fighter, beside, gap) if beside and len(path) == 2 else None
    found = near or go_round(battle_map, way, path)
    return (found[0], *(on_ground(state.scene, place) for place in found[1:]))


def route_each(
    state: State, fighter: Combatant, goals: Iterable[Point], allowed: float
) -> Iterator[tuple[Point, ...]]:
    """The ways of a combatant to each of some places that so much movement could lead to."""
    way = make_way(state, fighter)
    return find_ways(map_of(state.scene), way, fighter.at, goals, allowed / way.grid.cell)
