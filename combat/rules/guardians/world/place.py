"""Positions in yards: distances, reach, sides. A unit of the scene is a yard."""

from __future__ import annotations

from combat.rules.core.basics.words import say_number
from combat.rules.core.map.bodies import nearest
from combat.rules.core.space import Point, Zone, distance
from combat.rules.core.space.rings import Measured
from combat.rules.core.state.state import Combatant, State

from ..book.options import find_option
from ..book.records import Weapon
from ..book.tables import RANGE_RANKS, REACH_YARDS

NEUTRAL = "neutral"  # a side without enemies
NEAR = 1.5  # yards: next to someone, also diagonally
SLACK = 0.01  # yards: places are rounded, so a way cut to so many yards may be a little longer


def count_yards(one: Combatant, other: Combatant) -> float:
    """Yards between two combatants, height included: for blows, shots and hands.  RULING R35"""
    return distance(*nearest(one, other))


def is_near(one: Combatant, other: Combatant) -> bool:
    """Whether two combatants are next to each other."""
    return one.id == other.id or count_yards(one, other) <= NEAR


def count_approach(one: Combatant, other: Combatant, reach: float) -> float:
    """Yards to go until a blow reaches someone; 0 within reach. [CG-MOVE-03]"""
    away = count_yards(one, other)
    return 0.0 if away <= max(reach, NEAR) else away - (reach - REACH_YARDS)


def count_range_ranks(state: State, one: Combatant, other: Combatant, weapon: Weapon) -> int:
    """The cost of range in ranks, if the table has it: each step beyond the first.  RULING R35"""
    if find_option(state, "range_penalty") == "off" or not weapon.range_yards:
        return 0
    steps = max(1, -(-round(count_yards(one, other)) // weapon.range_yards))
    return RANGE_RANKS * (steps - 1)


def in_yards(yards: float) -> str:
    """A distance in words, rounded to a tenth: "5 yd", "5.1 yd"."""
    return f"{say_number(yards)} yd"


def describe_distance(state: State, one: Combatant, other: Combatant) -> str:
    """The distance to someone, in words."""
    return in_yards(count_yards(one, other))


def describe_way(state: State, combatant: Combatant, zone: Zone) -> str:
    """The distance to the middle of a zone, in words."""
    return in_yards(distance(combatant.at, zone.centre))


def measure(state: State, a: Point, b: Point) -> Measured:
    """Yards along a straight line."""
    return Measured(in_yards(distance(a, b)), a, b)


def are_enemies(one: Combatant, other: Combatant) -> bool:
    """Whether two combatants are on sides that fight each other."""
    return one.side != other.side and NEUTRAL not in (one.side, other.side)
