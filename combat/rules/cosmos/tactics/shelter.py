"""Places with better cover for a combatant, for the tactics."""

from __future__ import annotations

from combat.rules.core.basics.memory import remember, remember_each
from combat.rules.core.space import Point, Scene, distance
from combat.rules.core.state.state import Combatant, Item, State, replace

from ..book.tables import COVER
from ..environment.patches import SEPARATOR
from ..people.sheet import find_speed
from ..world.scene import find_aspect, find_range, is_hazardous

MAX_FOES = 4


def rate_cover(state: State, combatant: Combatant, foes: list[Combatant]) -> float:
    """The average bonus of cover to Defense, in points, against shots at a combatant's place."""
    points = 0
    for foe in foes:  # asked for every place in reach
        points += min(COVER[find_aspect(state, foe, combatant, melee=False).cover].value or 0, 4)
    return points / len(foes)


def find_shelter(state: State, combatant: Combatant, foes: list[Combatant], armed: list[Item]) -> list[str]:
    """Places within Speed with better cover than here and in range for a weapon, best first.

    Places with total cover do not count: they allow no shots.
    """
    nearest = foes[:MAX_FOES]
    spots = _find_spots(state.scene) if armed else []
    if not spots:
        return []
    reach = max([find_range(combatant.at, nearest[0].at, weapon) for weapon in armed])
    near = _find_near(state.scene, combatant.at, find_speed(state, combatant))
    now, found = rate_cover(state, combatant, nearest) if near else 0.0, []
    for zone, spot in near:
        if distance(spot, nearest[0].at) > reach:
            continue
        gained = rate_cover(state, replace(combatant, at=spot), nearest) - now
        if gained > 0:
            found.append((gained, f"zone:{zone}"))
    return [place for _, place in sorted(found, reverse=True)]


@remember_each
def _find_near(scene: Scene, here: Point, metres: float) -> list[tuple[str, Point]]:
    """Those of these places that are no farther than so many meters."""
    return [(zone, spot) for zone, spot in _find_spots(scene) if distance(here, spot) <= metres]


@remember
def _find_spots(scene: Scene) -> list[tuple[str, Point]]:
    """The ids and middles of the zones where someone may look for cover; none if no zone gives any."""
    if not any(zone.cover or zone.terrain for zone in scene.zones):
        return []
    return [
        (zone.id, zone.centre)
        for zone in scene.zones
        if SEPARATOR not in zone.id and not is_hazardous(zone) and zone.cover != "total"
    ]
