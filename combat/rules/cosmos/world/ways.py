"""Ways round the walls of the battle map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from combat.rules.core.bodies import go_near_body, metres_of
from combat.rules.core.space import Point, map_of, on_ground
from combat.rules.core.space.ways import Way, find_ground, find_ways, go_round, has_walls
from combat.rules.core.state.state import Combatant, State

from ..book.tables import TERRAIN
from .lines import find_grid

# RULING R47: in zero gravity pushing replaces walking, so nothing costs double
DIFFICULT = frozenset(tag for tag, ground in TERRAIN.items() if ground.difficult and tag != "zero-g")
ARM_M = 1.0  # how near one goes to somebody


def make_way(state: State, fighter: Combatant) -> Way:
    """[COS-TERR-02] How fighters walk the map: straight, and round difficult ground where that is shorter."""
    return Way(find_grid(state), ground=find_ground(state.scene, DIFFICULT), metres=metres_of(fighter))


def route(
    state: State, fighter: Combatant, path: tuple[Point, ...], beside: Combatant | None = None
) -> tuple[Point, ...]:
    """The path of a fighter round what stands in its way; `beside` is somebody it leads next to.

    Refused("out_of_range") where no way leads round it.
    """
    battle_map = map_of(state.scene)
    if not has_walls(battle_map):
        return path
    way = make_way(state, fighter)
    near = go_near_body(battle_map, way, fighter, beside, ARM_M) if beside and len(path) == 2 else None
    found = near or go_round(battle_map, way, path)
    return (found[0], *(on_ground(state.scene, place) for place in found[1:]))


def route_each(
    state: State, fighter: Combatant, goals: Iterable[Point], allowed: float
) -> Iterator[tuple[Point, ...]]:
    """The ways of a fighter to each of some places that so much movement could lead to."""
    way = make_way(state, fighter)
    return find_ways(map_of(state.scene), way, fighter.at, goals, allowed / way.grid.cell)
