"""Heights: distances in three dimensions, climbs and drops on a path, and open holes in decks."""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import hypot

from msgspec import UNSET

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say_number
from combat.rules.core.declaration.parts import Measured
from combat.rules.core.space import (
    Point,
    Scene,
    Zone,
    find_stretches,
    ground_changes,
    map_of,
    on_ground,
    over_ground,
    plan_distance,
    ship_distance,
)
from combat.rules.core.space.decks import find_deck, pass_hole
from combat.rules.core.state.state import Combatant, State, replace

from ..environment import find_around, has_zero_gravity, is_weightless

NEAR_M = 0.02  # a place this near to the edge of a piece of ground counts as on it
SHORT_OF_WALL_M = 0.1  # a path ends this far before an impassable obstacle
FREE_STEP_M = 0.5  # up to here it is a step, not an obstacle
LOW_M, MEDIUM_M, HIGH_M = 1, 2, 3  # COS-TERR-08, COS-TERR-10, COS-TERR-12
FALL_M = 3  # COS-HAZ-01: from here on a drop hurts
NO_WAY = "No way leads there: choose a place that can be reached."  # whatever may lie on another deck


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


# Open holes in decks: who floats over them, the way through one, and the parts of a path on one deck each.
# RULING R60


Path = tuple[Point, ...]


def _find_holes(scene: Scene) -> list[Point]:
    """The middles of the open holes."""
    if scene.map is UNSET or not scene.map.ways:
        return []
    return [
        Point(way.hole[0] + way.hole[2] / 2, way.hole[1] + way.hole[3] / 2)
        for way in map_of(scene).ways
        if way.hole and way.open
    ]


def holds_up(scene: Scene) -> bool:
    """Whether nothing falls through the open holes of a scene: none has gravity. [COS-ENV-03]"""
    holes = _find_holes(scene)
    return bool(holes) and all(find_around(scene, hole).gravity == "zero" for hole in holes)


def can_cross(state: State, combatant: Combatant) -> bool:
    """Whether a combatant floats over open holes and through them; boots on metal walk round. [COS-ZG-04]"""
    holes = _find_holes(state.scene)
    return bool(holes) and all(is_weightless(state, replace(combatant, at=hole)) for hole in holes)


def settle(scene: Scene, place: Point) -> Point:
    """Where someone or something comes to rest: on the ground, over a hole without gravity. [COS-ENV-03]"""
    below = on_ground(scene, place)
    if scene.map is UNSET or not scene.map.ways or not has_zero_gravity(scene):
        return below
    above = over_ground(scene, place)
    return above if find_around(scene, above).gravity == "zero" else below


def rest_at(scene: Scene, place: Point) -> Path:
    """The end of the path of someone who is flung to a place; over a hole, that place and the one below."""
    ground = settle(scene, place)
    return (ground,) if ground.shift == place.shift else (place, ground)


def go_through(scene: Scene, path: Path) -> Path:
    """A path with its steps to another deck: through the nearest open hole that joins both, if any does."""
    if scene.map is UNSET or not scene.map.ways:
        return path
    battle_map = scene.map
    found = [path[0]]
    for a, b in pairwise(path):
        joined = (pass_hole(battle_map.decks, way, (a.x, a.y), (b.x, b.y)) for way in battle_map.ways)
        steps = [[over_ground(scene, Point(*spot)) for spot in spots] for spots in joined if spots]
        found += [*min(steps, key=lambda step: plan_distance(a, step[0]), default=()), b]
    return tuple(place for n, place in enumerate(found) if n == 0 or place != found[n - 1])


def part_at_decks(scene: Scene, path: Path) -> tuple[Path, ...]:
    """The parts of a path that lie on one deck each; the whole path on a map without decks."""
    if scene.map is UNSET or not scene.map.decks:
        return (path,)
    decks = [find_deck(scene.map.decks, place.x, place.y) for place in path]
    if decks.count(decks[0]) == len(decks):
        return (path,)
    starts = [n for n, deck in enumerate(decks) if n == 0 or deck is not decks[n - 1]]
    return tuple(path[start:end] for start, end in zip(starts, [*starts[1:], len(path)], strict=True))


def passage_length(a: Point, b: Point) -> float:
    """The meters from a place on one deck to one on another: along the plan of the ship, and up or down."""
    return round(hypot(ship_distance(a, b), a.z - b.z), 3)


def check_passages(state: State, combatant: Combatant, parts: tuple[Path, ...]) -> None:
    """Refuse to go through a hole in gravity: it is climbed down from beside it.  RULING R60"""
    if len(parts) == 1:
        return
    is_joined = all(ship_distance(one[-1], other[0]) < 0.01 for one, other in pairwise(parts))
    if is_joined and can_cross(state, combatant):
        return
    drop = parts[0][-1].z - parts[1][0].z
    if is_joined and drop > 0 and parts[1][0] == parts[-1][-1]:
        raise Refused("out_of_range", f"The way drops {say_number(drop)} m: climb down (high).")
    raise Refused("out_of_range", NO_WAY)
