"""The direction a vehicle faces, and the fire arcs a target is in."""

from __future__ import annotations

import math

from combat.rules.core.space import Point
from combat.rules.core.state.state import Combatant, Item, State

from ..characters.machinery import FACING

FRONT, RIGHT, REAR, LEFT = "front", "right", "rear", "left"
ARCS = (FRONT, RIGHT, REAR, LEFT)  # clockwise
ROUND, HALF_ARC, QUARTER = 360, 45, 90  # degrees
EDGE = 1e-6
EVERY_WAY = ("turret", "ring")
EXTRA_ARC = "extra_arc:"  # mark on a vehicle, with the id of a target: an extra arc it counts in this round
NAMES = {0: "up", 90: "right", 180: "down", 270: "left"}


def find_facing(vehicle: Combatant) -> float:
    """Degrees clockwise from the top of the map. [CE-VEH-02]"""
    return float(vehicle.marks.get(FACING, 0))


def bearing_between(here: Point, there: Point) -> float:
    """The direction from one place to another in degrees clockwise from the top of the map."""
    return math.degrees(math.atan2(there.x - here.x, here.y - there.y)) % ROUND


def angle_off_nose(vehicle: Combatant, at: Point) -> float:
    """The angle of a place off the nose, in degrees clockwise, 0 to 360."""
    return (bearing_between(vehicle.at, at) - find_facing(vehicle)) % ROUND


def find_arcs(vehicle: Combatant, at: Point) -> tuple[str, ...]:
    """The arcs of 90 degrees that a place is in; on a border both. [CE-VMOUNT-02]

    RULING R26. At the same spot all.
    """
    if at == vehicle.at:
        return ARCS
    angle = angle_off_nose(vehicle, at)
    return tuple(arc for n, arc in enumerate(ARCS) if turn_between(angle, n * QUARTER) <= HALF_ARC + EDGE)


def turn_between(one: float, other: float) -> float:
    """The smaller angle between two directions, in degrees."""
    apart = abs(one - other) % ROUND
    return min(apart, ROUND - apart)


def find_arcs_of(state: State, vehicle: Combatant, target: Combatant) -> tuple[str, ...]:
    """The arcs a target is in, plus the one that a stunt added for this round.  [CE-VACT-16]"""
    found = find_arcs(vehicle, target.at)
    told = str(vehicle.marks.get(EXTRA_ARC + target.id, ""))
    number, _, arc = told.partition(":")
    return (*found, arc) if number == str(state.round) and arc not in found else found


def find_mount_arcs(item: Item) -> tuple[str, ...]:
    """The arcs a mounted weapon fires into: a turret into all, a fixed one ahead. [CE-VMOUNT-01]
    [CE-VMOUNT-03]

    RULING R26
    """
    mount = str(item.marks.get("mount", FRONT))
    if mount in EVERY_WAY:
        return ARCS
    return (mount,) if mount in ARCS else (FRONT,)


def move_ahead(vehicle: Combatant, meters: float) -> Point:
    """The place of a vehicle after n meters straight on."""
    turn = math.radians(find_facing(vehicle))
    x, y = vehicle.at.x + meters * math.sin(turn), vehicle.at.y - meters * math.cos(turn)
    return Point(round(x, 3), round(y, 3), vehicle.at.z, vehicle.at.shift)


def describe_arcs(arcs: tuple[str, ...]) -> str:
    """The arcs in words."""
    return " and ".join(arcs)
