"""Paths around walls and difficult ground, their movement cost by parts, and how far it reaches."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say_needed
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.map.bodies import meters_of
from combat.rules.core.space import (
    FARTHEST,
    Point,
    Scene,
    find_stretches,
    map_of,
    meters_through,
    on_ground,
    path_length,
    plan_distance,
    towards,
)
from combat.rules.core.space.paths import Way, cut_short, find_ground, has_walls
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, replace
from combat.rules.core.turn.turns import spend

from ..book.tables import TERRAIN
from ..characters.sheet import count_quick, find_speed
from ..world.heights import can_cross, count_low, part_at_decks
from ..world.sight_lines import find_grid

ROUGH = frozenset(tag for tag, ground in TERRAIN.items() if ground.difficult and tag != "zero-g")
# RULING R47 R48: pushing replaces walking in zero gravity, and half movement the double cost under water
DIFFICULT = ROUGH - {"underwater"}
ARM_M = 1.0  # how near a path leads to another combatant
LOW_OBSTACLE_M = 2  # COS-TERR-09
SLOWING = frozenset(("zero-g", "underwater"))  # ground that changes Speed itself
IMPASSABLE = 10_000  # meters of movement per meter of ground where Speed is 0

Path = tuple[Point, ...]
Cost = Callable[[Path], float]
Pace = Callable[[State, Combatant], int]  # meters of a Move Action: Speed, or half of it


def movement_cost(state: State, who: str, path: Path, low: int = 0, pace: Pace = find_speed) -> float:
    """The movement in meters that a path costs.  [COS-TERR-02] [COS-TERR-06] [COS-TERR-09]

    [COS-ZG-02] [COS-XENV-01] Each part counts by the Speed there, relative to Speed at the combatant's place.
    RULING R2 R47. A push through a hole counts the greater of its meters along and up. RULING R28 R60
    """
    parts = part_at_decks(state.scene, path)
    if len(parts) > 1:
        along = sum(movement_cost(state, who, part, pace=pace) for part in parts)
        up = sum(abs(one[-1].z - other[0].z) for one, other in pairwise(parts))
        return round(max(along, up) + LOW_OBSTACLE_M * low, 3)
    plain = _cost_on(state.scene, path, low)
    return round(plain + _slow_down(state, state[who], path, pace), 3) if _slows(state.scene) else plain


def _cost_on(scene: Scene, path: Path, low: int) -> float:
    rough = meters_through(scene, path, DIFFICULT)
    return round(path_length(path) + rough + LOW_OBSTACLE_M * (low + count_low(scene, path)), 3)


def _slows(scene: Scene) -> bool:
    """Whether Speed differs between zones; boots hold in parts of a weightless scene."""
    weightless = scene.settings.get("gravity") == "zero" and bool(scene.zones)
    return weightless or any(SLOWING.intersection(zone.terrain) for zone in scene.zones)


def _slow_down(state: State, combatant: Combatant, path: Path, pace: Pace) -> float:
    """The extra meters of a path against the Speed at the combatant's place; may be negative."""
    usual, more = pace(state, combatant), 0.0
    for stretch in find_stretches(state.scene, path):
        there = pace(state, replace(combatant, at=stretch.middle))
        if there != usual:
            times = usual / there if there else IMPASSABLE
            rough = meters_through(state.scene, (stretch.start, stretch.end), DIFFICULT)
            more += (times - 1) * (stretch.meters + rough)
    return more


def meters_gained(state: State, combatant: Combatant, pace: Pace = find_speed) -> float:
    """The meters of the fastest ground per meter of movement, at least 1."""
    usual = pace(state, combatant)
    if not usual or not _slows(state.scene):
        return 1.0
    places = (Point(FARTHEST, FARTHEST), *(zone.centre for zone in state.scene.zones))
    return max(1.0, *(pace(state, replace(combatant, at=place)) / usual for place in places))


def check_cost(
    state: State, who: str, path: Path, allowed: float, low: int = 0, pace: Pace = find_speed
) -> float:
    """The movement in meters that a path costs; Refused if it is more than is left."""
    cost = movement_cost(state, who, path, low=low, pace=pace)
    if cost >= IMPASSABLE:
        raise Refused("out_of_range", f"{state[who].name} is too slow for that ground: choose another way.")
    if cost > allowed + 0.01:
        needed = say_needed(cost)
        text = f"Too far: that way takes {needed} m of movement, {state[who].name} has {allowed:g} m."
        raise Refused("out_of_range", text)
    return cost


def shorten(state: State, who: str, path: Path, allowed: float, pace: Pace = find_speed) -> Path:
    """The first part of a path that the movement pays for, in steps of 0.1 m; also around walls."""
    if not _slows(state.scene):
        return _shorten(
            state.scene, lambda path: _cost_on(state.scene, path, 0), 1.0, path=path, allowed=allowed
        )
    gain = meters_gained(state, state[who], pace)
    return _shorten(
        state.scene,
        lambda path: movement_cost(state, who, path, low=0, pace=pace),
        gain,
        path=path,
        allowed=allowed,
    )


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
    most = min(int(long * 10), int(allowed * gain * 10) + 1) + 1  # the least cost of any ground
    even = gain == 1 and whole == round(long, 3)  # open ground costs at most its length
    found = bisect_right(range(most), allowed, max(0, most - 3) if even else 0, key=count) - 1
    end = on_ground(scene, towards(start, goal, max(0, found) / 10))
    return (start, end) if plan_distance(start, end) < long else path


def is_difficult(scene: Scene, path: tuple[Point, ...]) -> bool:
    """Whether a path crosses difficult terrain, or lies under water. [COS-TERR-01] [COS-XENV-01]"""
    return scene.settings.get("water") == "underwater" or meters_through(scene, path, ROUGH) > 0


def make_way(state: State, combatant: Combatant) -> Way:
    """How a combatant walks the map: straight, or around difficult ground if shorter. [COS-TERR-02]"""
    ground, large = find_ground(state.scene, DIFFICULT), meters_of(combatant)
    return Way(find_grid(state), ground=ground, meters=large, floats=can_cross(state, combatant))


def pay_move(context: RuleContext, who: str, on: str, rule: str) -> None:
    """Spend a Move Action, or a Standard Action in its place.  RULING R24."""
    instead = ("standard",) if context.option("trade_standard_for_move") else ()
    spend(context, who, {"move": 1}, on, rule=rule, move=instead)


def pay_whole_turn(context: RuleContext, who: str, on: str, rule: str) -> None:
    """Spend Standard and Move; no Quick Action before or after.  RULING R24."""
    check_whole_turn(context.state, who)
    quick = context.state[who].budget.get("quick", 0)
    spend(context, who, {"standard": 1, "move": 1}, on, rule=rule)
    if quick:
        context.emit(e.BudgetSpent(who, {"quick": quick}), rule)


def check_whole_turn(state: State, who: str) -> None:
    """Refuse to run in a turn with other actions. [COS-MOVE-03]  RULING R24."""
    combatant = state[who]
    if combatant.budget.get("quick", 0) < count_quick(combatant):
        raise Refused("no_budget", "That takes the whole turn; a Quick Action has been taken already.")
