"""Where the sides begin: each in a start of its own, the player characters in the first."""

from __future__ import annotations

from msgspec import UNSET

from ..space import Scene, Zone, on_ground, plan_distance
from ..space.plane import VOID, holds
from ..state.state import Combatant, State, present, replace
from .bodies import is_concealed
from .ends import find_ends


def find_start(
    state: State, placed: State, combatant: Combatant, hexes: bool, *, ends: bool = False
) -> Zone | None:
    """The start of someone's side; None in a scene without starts.

    With `ends`, those of a scene that names none are the far ends of its ground; None if it has no ground.

    It is the one where most of the side stand among those who are `placed`, else the first that no other side
    holds: from the last one backwards for sides without player characters, so that those find the first one
    free. If others hold all, it is the zone farthest from them. Concealed combatants hold none: the place of
    others must not give them away.
    """
    starts = list_starts(state, hexes, combatant.side) if state.scene.starts or ends else ()
    if not starts:
        return None
    others = [
        one for one in present(placed) if one.id != combatant.id and not is_concealed(placed, one, hexes)
    ]
    allies = [one for one in others if one.side == combatant.side]
    enemies = [one for one in others if one.side != combatant.side]
    most = max(starts, key=lambda start: _count(start, allies))
    if _count(most, allies):
        return most
    is_played = combatant.pc or any(one.pc and one.side == combatant.side for one in present(state))
    free = [start for start in starts if not _count(start, enemies)]
    return next(iter(free if is_played else reversed(free)), None) or _find_farthest(state.scene, starts)


def list_starts(state: State, hexes: bool, side: str = "") -> tuple[Zone, ...]:
    """The starts that the scene names, as zones that lie as its own do; else the ends of its ground.

    There are two ends, or four for more than two sides; `side` is one that may not be there yet.
    """
    scene = state.scene
    if not scene.starts:
        sides = {one.side for one in present(state)} | ({side} if side else set())
        return find_ends(scene, hexes, len(sides))
    upright = scene.zones[0].upright if scene.zones else UNSET
    starts = (
        Zone("", "", s.x, y=s.y, width=s.width, depth=s.depth, upright=upright) for s in scene.starts or ()
    )
    return tuple(replace(start, height=on_ground(scene, start.centre).z) for start in starts)


def _count(start: Zone, combatants: list[Combatant]) -> int:
    return sum(holds(start, one.at.x, one.at.y) for one in combatants)


def _find_farthest(scene: Scene, starts: tuple[Zone, ...]) -> Zone | None:
    """The zone whose middle is farthest from the starts."""
    zones = [zone for zone in scene.zones if zone.floor != VOID]
    gap = {zone.id: min(plan_distance(zone.centre, start.centre) for start in starts) for zone in zones}
    return max(zones, key=lambda zone: gap[zone.id], default=None)


def list_near(scene: Scene, place: Zone) -> list[Zone]:
    """The zones of a scene, the nearest to a place first: for those who find no room there."""
    zones = (zone for zone in scene.zones if zone.floor != VOID)
    return sorted(zones, key=lambda zone: plan_distance(zone.centre, place.centre))
