"""Places with better cover for a combatant, for the tactics."""

from __future__ import annotations

from collections.abc import Sequence

from combat.rules.core.map.bodies import SIZE
from combat.rules.core.space import Point, Scene, distance
from combat.rules.core.state.state import Combatant, Item, Scalar, State

from ..book.tables import COVER
from ..environment.patches import SEPARATOR
from ..people.sheet import find_speed
from ..world.scene import find_range, is_hazardous, look_at

MAX_FOES = 4
Body = tuple[Point, Scalar]  # a place, and the size of who stands there in tenths of a meter


def find_shelter(state: State, combatant: Combatant, foes: list[Combatant], armed: list[Item]) -> list[str]:
    """Places within Speed with better cover than here and in range for a weapon, best first.

    Places with total cover do not count: they allow no shots.
    """
    scene, here, nearest = state.scene, combatant.at, foes[:MAX_FOES]
    near = _find_near(scene, here, find_speed(state, combatant)) if armed else []
    if not near:
        return []
    reach = max(find_range(here, nearest[0].at, weapon) for weapon in armed)
    against, size = [(foe.at, foe.marks.get(SIZE, 0)) for foe in nearest], combatant.marks.get(SIZE, 0)
    now = rate_cover(scene, here, size, against)
    gained = [
        (rate_cover(scene, spot, size, against) - now, f"zone:{zone}")
        for zone, spot in near
        if distance(spot, nearest[0].at) <= reach
    ]
    return [place for gain, place in sorted(gained, reverse=True) if gain > 0]


def rate_cover(scene: Scene, here: Point, size: Scalar, foes: Sequence[Body]) -> float:
    """The average bonus of cover to Defense, in points, against shots at a place."""
    points = 0
    for there, theirs in foes:
        aspect = look_at(scene, there, here, (theirs, size), False)
        points += min(COVER[aspect.cover].value or 0, 4)
    return points / len(foes)


def _find_near(scene: Scene, here: Point, meters: float) -> list[tuple[str, Point]]:
    """Those of these places that are no farther than so many meters."""
    return [(zone, spot) for zone, spot in _find_spots(scene) if distance(here, spot) <= meters]


def _find_spots(scene: Scene) -> list[tuple[str, Point]]:
    """The ids and middles of the zones where someone may look for cover; none if no zone gives any."""
    if not any(zone.cover or zone.terrain for zone in scene.zones):
        return []
    return [
        (zone.id, zone.centre)
        for zone in scene.zones
        if SEPARATOR not in zone.id and not is_hazardous(zone) and zone.cover != "total"
    ]
