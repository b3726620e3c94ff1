"""A combatant's items by place: on them, or on the ground and how far away."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.space import Point
from combat.rules.core.state import belongings
from combat.rules.core.state.belongings import Way
from combat.rules.core.state.state import Item, State, replace

from .place import describe_way_to


def way_from(state: State, who: str) -> Way:
    """The distance from a combatant to a place, in words."""
    combatant = state[who]

    def describe(place: Point) -> str:
        return describe_way_to(state, combatant, replace(combatant, at=place))

    return describe


def find_thing(state: State, who: str, item_id: str) -> Item:
    """A combatant's item; Refused says how far away it lies, or that they have no such item."""
    return belongings.find_thing(state, who, item_id, way_from)


def fallen_choices(state: State, who: str) -> tuple[Choice, ...]:
    """A combatant's own weapons that lie on the ground, each refused with its place."""
    fallen = [item for item in belongings.find_fallen(state, who) if item.kind == "weapon"]
    way = way_from(state, who)
    return tuple(Choice(i.id, i.name, "", belongings.tell_fallen(i, way)) for i in fallen)
