"""The cost of a way in movement, piece of ground by piece of ground, and how far the movement leads."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import partial

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import remember_each
from combat.rules.core.space import (
    FARTHEST,
    Point,
    Scene,
    distance,
    find_stretches,
    map_of,
    metres_through,
    on_ground,
    path_length,
    towards,
)
from combat.rules.core.space.ways import cut_short, has_walls
from combat.rules.core.state.state import Combatant, State, replace

from ..people.sheet import find_speed
from ..world.heights import count_low
from ..world.ways import DIFFICULT

LOW_OBSTACLE_M = 2  # COS-TERR-09
SLOWING = frozenset(("zero-g", "underwater"))  # ground on which Speed itself is another
IMPASSABLE = 10_000  # metres of movement for a metre of ground on which Speed is 0

Path = tuple[Point, ...]
Cost = Callable[[Path], float]
Pace = Callable[[State, Combatant], int]  # metres of a Move Action: Speed, or half of it


def find_cost(state: State, who: str, path: Path, low: int = 0, pace: Pace = find_speed) -> float:
    """Movement in metres that a path takes.  [COS-TERR-02] [COS-TERR-06] [COS-TERR-09]

    [COS-ZG-02] [COS-XENV-01] Each piece counts by the Speed there, against the one where the fighter stands.
    RULING R2 R47.
    """
    plain = _cost_on(state.scene, path, low)
    return round(plain + _slow_down(state, state[who], path, pace), 3) if _slows(state.scene) else plain


@remember_each
def _cost_on(scene: Scene, path: Path, low: int) -> float:
    rough = metres_through(scene, path, DIFFICULT)
    return round(path_length(path) + rough + LOW_OBSTACLE_M * (low + count_low(scene, path)), 3)


@remember_each
def _slows(scene: Scene) -> bool:
    """Whether Speed differs from zone to zone; boots hold on some of a weightless scene."""
    weightless = scene.settings.get("gravity") == "zero" and bool(scene.zones)
    return weightless or any(SLOWING.intersection(zone.terrain) for zone in scene.zones)


def _slow_down(state: State, fighter: Combatant, path: Path, pace: Pace) -> float:
    """The metres that a path takes more, or less, than it would at the Speed where the fighter stands."""
    usual, more = pace(state, fighter), 0.0
    for stretch in find_stretches(state.scene, path):
        there = pace(state, replace(fighter, at=stretch.middle))
        if there != usual:
            times = usual / there if there else IMPASSABLE
            rough = metres_through(state.scene, (stretch.start, stretch.end), DIFFICULT)
            more += (times - 1) * (stretch.metres + rough)
    return more


def find_gain(state: State, fighter: Combatant, pace: Pace = find_speed) -> float:
    """How many metres of the fastest ground a metre of movement pays for, at least 1."""
    usual = pace(state, fighter)
    if not usual or not _slows(state.scene):
        return 1.0
    places = (Point(FARTHEST, FARTHEST), *(zone.centre for zone in state.scene.zones))
    return max(1.0, *(pace(state, replace(fighter, at=place)) / usual for place in places))


def check_cost(
    state: State, who: str, path: Path, allowed: float, low: int = 0, pace: Pace = find_speed
) -> None:
    """Refuse a way that takes more movement than there is."""
    cost = find_cost(state, who, path, low, pace)
    if cost >= IMPASSABLE:
        raise Refused("out_of_range", f"{state[who].name} is too slow for that ground: choose another way.")
    if cost > allowed + 0.01:
        text = f"Too far: that way takes {cost:g} m of movement, {state[who].name} has {allowed:g} m."
        raise Refused("out_of_range", text)


def shorten(state: State, who: str, path: Path, allowed: float, pace: Pace = find_speed) -> Path:
    """The first part of a path that the movement pays for, in tenths of a metre: of a straight one, or of
    one round walls."""
    if not _slows(state.scene):
        return _shorten_on(state.scene, path, allowed)
    cost = partial(_paced_cost, state, who, pace)
    return _shorten(state.scene, cost, find_gain(state, state[who], pace), path, allowed)


def _paced_cost(state: State, who: str, pace: Pace, path: Path) -> float:
    return find_cost(state, who, path, 0, pace)


def _plain_cost(scene: Scene, path: Path) -> float:
    return _cost_on(scene, path, 0)


@remember_each
def _shorten_on(scene: Scene, path: Path, allowed: float) -> Path:
    return _shorten(scene, partial(_plain_cost, scene), 1.0, path, allowed)


def _shorten(scene: Scene, cost: Cost, gain: float, path: Path, allowed: float) -> Path:
    whole = cost(path)
    if whole <= allowed or (len(path) != 2 and not has_walls(map_of(scene))):
        return path
    if len(path) != 2:
        return cut_short(path, cost, partial(_shorten, scene, cost, gain), allowed)
    start, goal = path

    def count(tenths: int) -> float:
        return cost((start, towards(start, goal, tenths / 10)))

    long = path_length(path)
    most = min(int(long * 10), int(allowed * gain * 10) + 1) + 1  # no ground costs less than that
    even = gain == 1 and whole == round(long, 3)  # and open ground no more than its length
    found = bisect_right(range(most), allowed, max(0, most - 3) if even else 0, key=count) - 1
    end = on_ground(scene, towards(start, goal, max(0, found) / 10))
    return (start, end) if distance(start, end) < long else path
