"""The squares or hexes a Move reaches, which the map marks while a form asks for the goal."""

from __future__ import annotations

from combat.rules.core.map.bodies import find_free
from combat.rules.core.space import Point, Reach, find_turns, squares_around
from combat.rules.core.state.state import State, replace

from ..book.tables import POOL_METRES
from ..world.paths import count_cost
from ..world.place import has_hexes, is_map
from ..world.wall_paths import find_each


def find_reach(state: State, who: str) -> tuple[Reach, ...]:
    """The cells that the pool pays for with an action's meters. [SS-MAP-04] [SS-MAP-05] [SS-MAP-08]"""
    if not is_map(state):
        return ()
    combatant = state[who]
    left = combatant.budget.get("metres", 0) + POOL_METRES
    middle = Point(float(round(combatant.at.x)), float(round(combatant.at.y)))
    around = squares_around(state.scene, middle, 1.5 * left)
    free = find_free(state, combatant, around, hexes=has_hexes(state))
    paths = find_each(state, replace(combatant, at=middle), free, left)
    costs = ((way, count_cost(state, combatant, way)) for way in paths)
    return tuple(
        Reach(way[-1], float(cost), turns=find_turns(way), left=left - cost)
        for way, cost in costs
        if cost <= left
    )
