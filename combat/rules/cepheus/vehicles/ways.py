"""What is in the way of a vehicle: walls of the map, zones, and those who stand there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from combat.rules.core.map.bodies import is_concealed, meters_of
from combat.rules.core.space import (
    Point,
    Zone,
    away_from,
    find_zone,
    meters_inside,
    on_ground,
    plan_distance,
    towards,
)
from combat.rules.core.state.state import Combatant, State, has_condition, present

from ..book.tables import SQUARE_METERS
from ..characters import machinery
from ..characters.values import is_vehicle
from ..world.scene import OBSTACLES, WALL
from ..world.sight_lines import is_wall_between, stop_at_walls

ANYTHING = frozenset({OBSTACLES, WALL})  # terrain that stops ordinary courses and the uncontrolled
WALLS = frozenset({WALL})  # terrain that stops every vehicle
STEP = 0.01  # meters


def find_obstacles(
    state: State, here: Point, there: Point, terrain: frozenset[str] = ANYTHING
) -> Iterator[Zone]:
    """The zones of a terrain on a straight path, but not one that a vehicle is in. [CE-VACT-09]"""
    own = find_zone(state.scene, here)
    if own is not find_zone(state.scene, away_from(here, there, STEP)):
        own = None  # at its edge
    for zone in state.scene.zones:
        if zone is not own and terrain & set(zone.terrain) and meters_inside(zone, here, there) > STEP:
            yield zone


def stop_before(state: State, vehicle: Combatant, goal: Point, terrain: frozenset[str] = WALLS) -> Point:
    """The last free place on the straight way to a goal: before a wall of the map or a zone of a terrain."""
    here = vehicle.at
    free = stop_at_walls(state, here, goal, meters_of(vehicle))
    halves = int(plan_distance(here, free) * 2) + 1
    for zone in tuple(find_obstacles(state, here, free, terrain)):
        entered = bisect_right(
            range(halves), STEP, key=lambda n: meters_inside(zone, here, towards(here, goal, n / 2))
        )
        halves = min(halves, entered)
        free = towards(here, goal, max(0, halves - 1) / 2)
    return free


def find_struck(
    state: State, vehicle: Combatant, goal: Point, passed: tuple[str, ...]
) -> tuple[Point, str] | None:
    """The first who stands on the straight way of an uncontrolled vehicle, and where it hits them: a person,
    a robot, a parked vehicle; none of those it has `passed`.  RULING R46"""
    here, length = vehicle.at, plan_distance(vehicle.at, goal)
    found = []
    for other in present(state):
        if other.inside or other.id in (vehicle.id, *passed) or not _stands(state, other):
            continue
        reach = (max(meters_of(vehicle), SQUARE_METERS) + max(meters_of(other), SQUARE_METERS)) / 2
        x, y = other.at.x - here.x, other.at.y - here.y
        ahead = (x * (goal.x - here.x) + y * (goal.y - here.y)) / length if length else 0.0
        aside = abs(x * (goal.y - here.y) - y * (goal.x - here.x)) / length if length else 0.0
        is_met = 0 < ahead < length + reach and aside < reach - STEP
        is_met = is_met and abs(_find_ground(state, here, goal, ahead) - other.at.z) < reach
        if is_met and not is_wall_between(state, here, other.at):
            found.append((max(0.0, ahead - reach), other.id))
    if not found:
        return None
    meters, who = min(found)
    return towards(here, goal, meters), who


def _find_ground(state: State, here: Point, goal: Point, meters: float) -> float:
    """The height of the ground so many meters along a straight way."""
    return on_ground(state.scene, towards(here, goal, meters)).z


def _stands(state: State, other: Combatant) -> bool:
    """Whether someone is struck by what comes: drivers who move keep clear, and those whom the GM conceals
    take no room."""
    if is_concealed(state, other) or has_condition(other, "dead", "destroyed"):
        return False
    return not is_vehicle(other) or machinery.find_speed(state, other) <= 0
