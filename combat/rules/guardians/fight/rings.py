"""The range of a combatant's weapons, in yards: a unit of the scene is a yard."""

from __future__ import annotations

from collections.abc import Iterator

from combat.rules.core.space.rings import Ring
from combat.rules.core.state.state import Combatant, Item, State

from ..book.options import find_option
from ..book.tables import RANGE_RANKS
from ..people.sheet import read_weapon
from ..world.place import find_reach_yards
from .aim import weapon_choices

MAX_STEPS = 4  # rings of one weapon


def find_rings(state: State, combatant: Combatant) -> tuple[Ring, ...]:
    """Melee reach and, if the table lets range count, each step of range.  RULING R35"""
    known = {item.id: item for item in combatant.items}
    weapons = [known[choice.value] for choice in weapon_choices(state, combatant) if choice.value in known]
    return tuple(ring for item in weapons for ring in _find_rings(state, item))


def _find_rings(state: State, item: Item) -> Iterator[Ring]:
    weapon = read_weapon(item)
    if not weapon.range_yards:
        reach = find_reach_yards(weapon)
        yield Ring(item.id, reach, f"{item.name}: reach {reach:g} yd")
        return
    counts = find_option(state, "range_penalty") != "off"
    for step in range(MAX_STEPS if counts else 1):
        yards, cost = (step + 1) * weapon.range_yards, -RANGE_RANKS * step
        words = f"{yards} yd: \N{MINUS SIGN}{cost} ranks" if cost else f"{item.name}: {yards} yd"
        yield Ring(item.id, yards, words)
