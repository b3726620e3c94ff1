"""The squares or hexes a Move leads to: what the map marks while a form asks where to."""

from __future__ import annotations

from combat.rules.core.bodies import find_free
from combat.rules.core.space import Point, Reach, find_turns, squares_around
from combat.rules.core.state.state import State, replace

from ..book.tables import POOL_METRES
from ..world.paths import count_cost
from ..world.place import has_hexes, is_map
from ..world.ways import find_each


def find_reach(state: State, who: str) -> tuple[Reach, ...]:
    """[SS-MAP-04] [SS-MAP-05] [SS-MAP-08] What the pool pays for once an action has added its metres."""
    if not is_map(state):
        return ()
    fighter = state[who]
    left = fighter.budget.get("metres", 0) + POOL_METRES
    middle = Point(float(round(fighter.at.x)), float(round(fighter.at.y)))
    around = squares_around(state.scene, middle, 1.5 * left)
    free = find_free(state, fighter, around, hexes=has_hexes(state))
    ways = find_each(state, replace(fighter, at=middle), free, left)
    costs = ((way, count_cost(state, fighter, way)) for way in ways)
    return tuple(
        Reach(way[-1], float(cost), turns=find_turns(way), left=left - cost)
        for way, cost in costs
        if cost <= left
    )
