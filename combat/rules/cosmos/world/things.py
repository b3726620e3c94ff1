"""A combatant's things by where they are: on them, or on the ground and how far away."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.requests import Choice
from combat.rules.core.space import distance
from combat.rules.core.state import belongings
from combat.rules.core.state.belongings import Way
from combat.rules.core.state.state import Item, State, find_item

from .touch import in_metres


def way_from(state: State, who: str) -> Way:
    """How far a place is from a combatant, in words."""
    at = state[who].at
    return lambda place: f"{in_metres(distance(at, place))} away"


def find_thing(state: State, who: str, item_id: str) -> Item:
    """A combatant's item; Refused says how far away it lies, or that they have none such."""
    if not state.ground:
        return find_item(state[who], item_id)
    return belongings.find_thing(state, who, item_id, way_from(state, who))


def fallen_choices(
    state: State, who: str, fits: Callable[[Item], bool] = lambda item: True
) -> tuple[Choice, ...]:
    """The weapons a combatant came with that lie on the ground, refused with where that is."""
    fallen = [item for item in belongings.find_fallen(state, who) if item.kind == "weapon" and fits(item)]
    way = way_from(state, who)
    return tuple(Choice(i.id, i.name, "", belongings.tell_fallen(i, way)) for i in fallen)
