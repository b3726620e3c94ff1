"""Up and down: how far apart two places are in three dimensions, and what on a way has to be climbed."""

from __future__ import annotations

from itertools import accumulate

from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Point, Scene, distance, find_stretches, ground_changes
from combat.rules.core.state.state import Combatant, State, replace

from ..environment.surroundings import is_weightless

NEAR_M = 0.02  # so near to the edge of a piece of ground a place counts as on it
SHORT_OF_WALL_M = 0.1  # this much before what cannot be passed a way ends
FREE_STEP_M = 0.5  # up to here it is a step, not an obstacle
LOW_M, MEDIUM_M, HIGH_M = 1, 2, 3  # COS-TERR-08, COS-TERR-10, COS-TERR-12
FALL_M = 3  # COS-HAZ-01: from here on a drop hurts


def span(here: Point, there: Point) -> float:
    """[COS-ATK-05] Metres between two places for arms and hands: along or up, whichever is more."""
    return max(distance(here, there), abs(here.z - there.z))


def count_low(scene: Scene, path: tuple[Point, ...]) -> int:
    """[COS-TERR-09] The rises of up to 1 m on a way, each a low obstacle.  RULING R49."""
    return sum(FREE_STEP_M < rise <= LOW_M for _, rise in ground_changes(scene, path))


def find_wall(state: State, fighter: Combatant, path: tuple[Point, ...]) -> tuple[float, float] | None:
    """The first place of a way that cannot be walked: metres to it, and its rise (below 0: a drop).

    [COS-TERR-10] [COS-TERR-12] More than 1 m up is climbed. [COS-HAZ-01] 3 m and more down too.
    RULING R49. Where there is no gravity before or behind it, nothing is climbed.
    """
    changes = ground_changes(state.scene, path)
    walls = ((at, rise) for at, rise in changes if rise > LOW_M or rise <= -FALL_M)
    return next((wall for wall in walls if not _floats_at(state, fighter, path, wall[0])), None)


def _floats_at(state: State, fighter: Combatant, path: tuple[Point, ...], metres: float) -> bool:
    """Whether zero gravity carries a fighter on the ground around a place so many metres along a way."""
    around = [
        s
        for s in find_stretches(state.scene, path)
        if s.begin - NEAR_M <= metres <= s.begin + s.metres + NEAR_M
    ]
    return any(is_weightless(state, replace(fighter, at=stretch.middle)) for stretch in around)


def find_rise(scene: Scene, path: tuple[Point, ...]) -> float | None:
    """Metres along a way to the first ground more than 1 m above where it starts, where a throw ends."""
    heights = accumulate(ground_changes(scene, path), lambda was, now: (now[0], was[1] + now[1]))
    return next((at for at, height in heights if height > LOW_M), None)


def check_heights(state: State, fighter: Combatant, path: tuple[Point, ...]) -> None:
    """Refuse to walk up a wall, or over an edge that one does not step down from."""
    wall = find_wall(state, fighter, path)
    if wall is None:
        return
    rise = wall[1]
    if rise > 0:
        raise Refused("out_of_range", f"The way leads {rise:g} m up: climb ({name_obstacle(rise)}).")
    raise Refused("out_of_range", f"The way drops {-rise:g} m: climb down ({name_obstacle(-rise)}).")


def name_obstacle(metres: float) -> str:
    """Which obstacle of the book is so many metres high.  [COS-TERR-08] [COS-TERR-10] [COS-TERR-12]"""
    return "low" if metres <= LOW_M else "medium" if metres <= MEDIUM_M else "high"


def find_highest(state: State, path: tuple[Point, ...]) -> float:
    """The most metres up or down between the start of a way and the ground on it."""
    heights = accumulate(rise for _, rise in ground_changes(state.scene, path))
    return max((abs(height) for height in heights), default=0.0)
