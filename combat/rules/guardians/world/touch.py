"""What can be reached by hand: near enough, with no wall or shut door in between.  RULING R37

Every action by hand asks here: blows, First Aid, painkillers, picking things up. The page says nothing of
walls, so they are judged as in every game.
"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.bodies import body_of
from combat.rules.core.space import Point, distance, map_of
from combat.rules.core.space.hands import check_hand
from combat.rules.core.space.sight import Body
from combat.rules.core.state.state import Combatant, State

from .lines import find_grid
from .place import NEAR, describe_distance, is_near


def check_within(state: State, fighter: Combatant, target: Combatant) -> None:
    """Refused("out_of_range") for somebody who is not next to them, or behind a wall.  [CG-BLEED-03]"""
    if not is_near(fighter, target):
        away = describe_distance(state, fighter, target)
        raise Refused("out_of_range", f"{target.name} is {away} away: go next to them first.")
    check_open(state, fighter, target)


def check_open(state: State, fighter: Combatant, target: Combatant) -> None:
    """[CG-REF-11] Refused("out_of_range") names the barrier that no hand gets past."""
    if fighter.id != target.id:
        _check_bar(state, fighter, body_of(target), target.name)


def check_place(state: State, fighter: Combatant, place: Point, name: str) -> None:
    """Refused("out_of_range") for a thing, by its name, that lies too far away or behind a wall."""
    away = distance(fighter.at, place)
    if away > NEAR:
        raise Refused("out_of_range", f"{name} lies {away:.0f} yd away: go there first.")
    _check_bar(state, fighter, Body(place), name)


def _check_bar(state: State, fighter: Combatant, there: Body, name: str) -> None:
    names = (fighter.name, name)
    check_hand(map_of(state.scene), find_grid(state), body_of(fighter), there, names)
