"""Heights: distances in three dimensions, and the climbs and drops on a path."""

from __future__ import annotations

from itertools import accumulate

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say_number
from combat.rules.core.space import Point, Scene, Zone, find_stretches, ground_changes, ship_distance
from combat.rules.core.space.rings import Measured
from combat.rules.core.state.state import Combatant, State, replace

from ..environment import is_weightless

NEAR_M = 0.02  # a place this near to the edge of a piece of ground counts as on it
SHORT_OF_WALL_M = 0.1  # a path ends this far before an impassable obstacle
FREE_STEP_M = 0.5  # up to here it is a step, not an obstacle
LOW_M, MEDIUM_M, HIGH_M = 1, 2, 3  # COS-TERR-08, COS-TERR-10, COS-TERR-12
FALL_M = 3  # COS-HAZ-01: from here on a drop hurts


def span(here: Point, there: Point) -> float:
    """The meters between two places for all that is reach or range: along or up, the greater of the two.

    [COS-ATK-05] RULING R28
    """
    return max(ship_distance(here, there), abs(here.z - there.z))


def describe_way(state: State, combatant: Combatant, zone: Zone) -> str:
    """The distance from a combatant to the middle of a zone, in words."""
    return measure(state, combatant.at, zone.centre).words


def measure(state: State, here: Point, there: Point) -> Measured:
    """The meters between two places, in words."""
    return Measured(f"{say_number(span(here, there))} m", here, there)


def count_low(scene: Scene, path: tuple[Point, ...]) -> int:
    """The number of rises of up to 1 m on a path, each a low obstacle. [COS-TERR-09]  RULING R49."""
    return sum(FREE_STEP_M < rise <= LOW_M for _, rise in ground_changes(scene, path))


def find_wall(state: State, combatant: Combatant, path: tuple[Point, ...]) -> tuple[float, float] | None:
    """The first place of a path that cannot be walked: meters to it, and its rise (below 0: a drop).

    [COS-TERR-10] [COS-TERR-12] A rise over 1 m is climbed, [COS-HAZ-01] as is a drop of 3 m or more. RULING
    R49. Without gravity before or behind it, nothing is climbed.
    """
    for at, rise in ground_changes(state.scene, path):
        if (rise > LOW_M or rise <= -FALL_M) and not _floats_at(state, combatant, path, at):
            return at, rise
    return None


def _floats_at(state: State, combatant: Combatant, path: tuple[Point, ...], meters: float) -> bool:
    """Whether zero gravity carries a combatant on the ground around a place `meters` along a path."""
    around = [
        s
        for s in find_stretches(state.scene, path)
        if s.begin - NEAR_M <= meters <= s.begin + s.meters + NEAR_M
    ]
    return any(is_weightless(state, replace(combatant, at=stretch.middle)) for stretch in around)


def check_heights(state: State, combatant: Combatant, path: tuple[Point, ...]) -> None:
    """Refuse to walk up a wall, or over an edge too high to step down."""
    wall = find_wall(state, combatant, path)
    if wall is None:
        return
    rise = wall[1]
    if rise > 0:
        raise Refused("out_of_range", f"The way leads {rise:g} m up: climb ({name_obstacle(rise)}).")
    raise Refused("out_of_range", f"The way drops {-rise:g} m: climb down ({name_obstacle(-rise)}).")


def name_obstacle(meters: float) -> str:
    """The name of an obstacle `meters` high.  [COS-TERR-08] [COS-TERR-10] [COS-TERR-12]"""
    return "low" if meters <= LOW_M else "medium" if meters <= MEDIUM_M else "high"


def greatest_height(state: State, path: tuple[Point, ...]) -> float:
    """The greatest difference in height between the start of a path and the ground on it, in meters."""
    heights = accumulate(rise for _, rise in ground_changes(state.scene, path))
    return max((abs(height) for height in heights), default=0.0)
