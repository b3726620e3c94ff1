"""The ranges of a combatant's weapons, for the map."""

from __future__ import annotations

from collections.abc import Iterator

from combat.rules.core.space.rings import Ring
from combat.rules.core.state.state import Combatant, Item, State

from ..book.tables import RANGE_STEPS
from ..world.scene import find_reach, is_melee
from .weapons import weapon_choices


def find_rings(state: State, combatant: Combatant) -> tuple[Ring, ...]:
    """Reach, listed range and what is beyond, in meters; ready weapons first. [COS-ATK-05] [COS-ATK-09]"""
    known = {item.id: item for item in combatant.items}
    weapons = [known[choice.value] for choice in weapon_choices(state, combatant) if choice.value in known]
    return tuple(ring for item in weapons for ring in _find_rings(state, combatant, item))


def _find_rings(state: State, combatant: Combatant, item: Item) -> Iterator[Ring]:
    if is_melee(item):
        reach = find_reach(combatant, item)
        yield Ring(item.id, reach, f"{item.name}: reach {reach} m")
        return
    listed = int(item.data.get("range_m") or 0)
    short = item.data["mode"] == "thrown" or state.options.get("range_bands") is False
    for step in RANGE_STEPS[:1] if short else RANGE_STEPS:
        meters = step.times * listed
        cost = f": {step.modifier}".replace("-", "\N{MINUS SIGN}") if step.modifier else ""
        yield Ring(item.id, meters, f"{item.name}: {meters} m" if not cost else f"{meters} m{cost}")
