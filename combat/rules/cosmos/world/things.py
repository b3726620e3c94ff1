"""A combatant's items by place: carried, or on the ground with the distance."""

from __future__ import annotations

from collections.abc import Callable

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.space import distance
from combat.rules.core.state import belongings
from combat.rules.core.state.belongings import Way
from combat.rules.core.state.state import Item, State, find_item

from .touch import in_metres


def way_from(state: State, who: str) -> Way:
    """The distance of a place from a combatant, in words."""
    at = state[who].at
    return lambda place: f"{in_metres(distance(at, place))} away"


def find_thing(state: State, who: str, item_id: str) -> Item:
    """A combatant's item; Refused with the distance if it lies away, or if they do not have it."""
    if not state.ground:
        return find_item(state[who], item_id)
    return belongings.find_thing(state, who, item_id, way_from)


def fallen_choices(
    state: State, who: str, fits: Callable[[Item], bool] = lambda item: True
) -> tuple[Choice, ...]:
    """The weapons of a combatant that lie on the ground, each refused with its place."""
    fallen = [item for item in belongings.find_fallen(state, who) if item.kind == "weapon" and fits(item)]
    way = way_from(state, who)
    return tuple(Choice(i.id, i.name, "", belongings.tell_fallen(i, way)) for i in fallen)
