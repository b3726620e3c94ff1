"""The range of a combatant's weapons on a map."""

from __future__ import annotations

from collections.abc import Iterator

from combat.rules.core.space.rings import HEXAGON, OCTAGON, SQUARE, Ring
from combat.rules.core.state.state import Combatant, Item, State

from ..book.tables import ZONE_METERS
from ..people.sheet import find_option, read_weapon
from ..world.place import has_hexes, is_map, melee_reach
from .aim import weapon_choices

MAX_STEPS = 6  # rings of one weapon


def find_rings(state: State, combatant: Combatant) -> tuple[Ring, ...]:
    """Melee reach and each step of range on a map, in meters. [SS-RANGE-01] [SS-RANGE-04]"""
    if not is_map(state):
        return ()
    known = {item.id: item for item in combatant.items}
    weapons = [known[choice.value] for choice in weapon_choices(state, combatant) if choice.value in known]
    return tuple(ring for item in weapons for ring in _find_rings(state, item))


def _find_rings(state: State, item: Item) -> Iterator[Ring]:
    weapon, shape = read_weapon(item), find_shape(state)
    if "melee" in weapon.modes:
        reach = melee_reach(state)
        yield Ring(item.id, reach, f"{item.name}: reach {reach} m", shape)
    if not {"ranged", "thrown"} & set(weapon.modes):
        return
    each, up = ZONE_METERS * weapon.zones_per_penalty, find_option(state, "range_rounding") == "up"
    limits = [
        n for n in (find_option(state, "max_range_zones"), weapon.max_zones) if isinstance(n, int) and n
    ]
    most = min([(limit + 1 - up) * ZONE_METERS - (not up) for limit in limits], default=MAX_STEPS * each)
    for step in range(MAX_STEPS):
        meters = (step + 1) * each - (not up)
        cost = step + up
        words = f"{meters} m: \N{MINUS SIGN}{cost}" if cost else f"{item.name}: {meters} m"
        if meters <= most:
            yield Ring(item.id, meters, words, shape)


def find_shape(state: State) -> str:
    """The shape of all places within a distance. [SS-MAP-04] [SS-MAP-05]"""
    if has_hexes(state):
        return HEXAGON
    return OCTAGON if find_option(state, "diagonal") == "five_ten_alternate" else SQUARE
