"""Places with better cover for a combatant, for the tactics."""

from __future__ import annotations

from combat.rules.core.space import distance
from combat.rules.core.state.state import Combatant, Item, State, replace

from ..book.tables import COVER
from ..environment.patches import SEPARATOR
from ..people.sheet import find_speed
from ..world.scene import find_cover, find_range, is_hazardous

MAX_FOES = 4


def rate_cover(state: State, combatant: Combatant, foes: list[Combatant]) -> float:
    """The average bonus of cover to Defense, in points, against shots at a combatant's place."""
    levels = [COVER[find_cover(state, foe, combatant, melee=False)] for foe in foes]
    return sum([min(level.value or 0, 4) for level in levels]) / len(levels)


def find_shelter(state: State, combatant: Combatant, foes: list[Combatant], armed: list[Item]) -> list[str]:
    """Places within Speed with better cover than here and in range for a weapon, best first.

    Places with total cover do not count: they allow no shots.
    """
    nearest = foes[:MAX_FOES]
    reach = max((find_range(combatant.at, nearest[0].at, weapon) for weapon in armed), default=0)
    if not reach or not any(zone.cover or zone.terrain for zone in state.scene.zones):
        return []
    now, speed = rate_cover(state, combatant, nearest), find_speed(state, combatant)
    found = []
    for zone in state.scene.zones:
        spot = zone.centre
        near = distance(combatant.at, spot) <= speed and distance(spot, nearest[0].at) <= reach
        if not near or SEPARATOR in zone.id or is_hazardous(zone) or zone.cover == "total":
            continue
        gained = rate_cover(state, replace(combatant, at=spot), nearest) - now
        if gained > 0:
            found.append((gained, f"zone:{zone.id}"))
    return [place for _, place in sorted(found, reverse=True)]
