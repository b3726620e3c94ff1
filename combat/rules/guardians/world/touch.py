"""Reach by hand: near enough, with no wall or shut door in between.  RULING R37

Every action by hand uses this: blows, First Aid, painkillers, picking up. The page does not mention walls, so
the rules of the core apply.
"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.map.bodies import body_of
from combat.rules.core.space import Point, distance, map_of
from combat.rules.core.space.rays.hands import check_hand
from combat.rules.core.space.rays.sight import Body
from combat.rules.core.state.state import Combatant, State

from .place import NEAR, describe_distance, is_near
from .sight_lines import find_grid


def check_within(state: State, combatant: Combatant, target: Combatant) -> None:
    """Refused("out_of_range") for a target who is not adjacent, or behind a wall.  [CG-BLEED-03]"""
    if not is_near(combatant, target):
        away = describe_distance(state, combatant, target)
        raise Refused("out_of_range", f"{target.name} is {away} away: go next to them first.")
    check_open(state, combatant, target)


def check_open(state: State, combatant: Combatant, target: Combatant) -> None:
    """Refused("out_of_range") with the barrier that blocks every hand. [CG-REF-11]"""
    if combatant.id != target.id:
        _check_bar(state, combatant, body_of(target), target.name)


def check_place(state: State, combatant: Combatant, place: Point, name: str) -> None:
    """Refused("out_of_range") for a named item too far away or behind a wall."""
    away = distance(combatant.at, place)
    if away > NEAR:
        raise Refused("out_of_range", f"{name} lies {away:.0f} yd away: go there first.")
    _check_bar(state, combatant, Body(place), name)


def _check_bar(state: State, combatant: Combatant, there: Body, name: str) -> None:
    names = (combatant.name, name)
    check_hand(map_of(state.scene), find_grid(state), body_of(combatant), there, names)
