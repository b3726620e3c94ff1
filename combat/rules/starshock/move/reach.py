"""The squares or hexes a Move leads to: what the map marks while a form asks where to."""

from __future__ import annotations

from combat.rules.core.space import Point, Reach, distance, squares_around
from combat.rules.core.state.state import State, present

from ..book.tables import POOL_METRES
from ..world.paths import count_cost
from ..world.place import is_map
from ..world.ways import find_each


def find_reach(state: State, who: str) -> tuple[Reach, ...]:
    """[SS-MAP-04] [SS-MAP-05] [SS-MAP-08] What the pool pays for once an action has added its metres."""
    if not is_map(state):
        return ()
    fighter = state[who]
    left = fighter.budget.get("metres", 0) + POOL_METRES
    middle = Point(float(round(fighter.at.x)), float(round(fighter.at.y)))
    taken = [f.at for f in present(state) if not f.hidden]
    around = squares_around(state.scene, middle, 1.5 * left)
    free = (p for p in around if all(distance(p, other) >= 1 for other in taken))
    costs = ((way, count_cost(state, fighter, way)) for way in find_each(state, middle, free, left))
    return tuple(Reach(way[-1], float(cost)) for way, cost in costs if cost <= left)
