"""The place of items: carried, or where they fell."""

from __future__ import annotations

from collections.abc import Callable

from ..basics.dice.requests import Choice
from ..basics.errors import Refused
from ..space import Point
from .state import Combatant, Item, State, find_item

WEAPON = "weapon"
Way = Callable[[Point], str]  # the words for the distance to a place
FindWay = Callable[[State, str], Way]  # those from a combatant, by id


def has_any(items: tuple[Item, ...], is_one: Callable[[Item], object]) -> bool:
    """Whether one of these items is of a kind."""
    return any(map(is_one, items))


def has_weapon(state: State, combatant: Combatant) -> bool:
    """Whether someone has anything to strike or shoot with, parts of the body included, or something lies
    there to be taken."""
    return any(item.kind == WEAPON for item in combatant.items) or any(
        item.kind == WEAPON for item in state.ground
    )


def find_fallen(state: State, who: str) -> tuple[Item, ...]:
    """A combatant's original items that are on the ground now; an item's id keeps its first owner."""
    if not state.ground:
        return ()
    return tuple(item for item in state.ground if item.at and item.id.startswith(f"{who}-"))


def tell_fallen(item: Item, way: Way) -> str:
    """Where a fallen item is, and what to do; `way` describes the distance."""
    assert item.at is not None
    return f"{item.name} lies on the ground {way(item.at)}: pick it up first."


def fallen_choices(
    state: State, who: str, fits: Callable[[Item], bool] = lambda item: True, *, find_way: FindWay
) -> tuple[Choice, ...]:
    """A combatant's own weapons that lie on the ground, each refused with its place."""
    fallen = [item for item in find_fallen(state, who) if item.kind == "weapon" and fits(item)]
    way = find_way(state, who)
    return tuple(Choice(item.id, item.name, "", tell_fallen(item, way)) for item in fallen)


def find_thing(state: State, who: str, item_id: str, find_way: FindWay) -> Item:
    """A combatant's item by id; Refused says where it is, or that they have no such item."""
    combatant = state[who]
    for item in combatant.items:
        if item.id == item_id:
            return item
    for item in find_fallen(state, who):
        if item.id == item_id:
            raise Refused("not_allowed", tell_fallen(item, find_way(state, who)))
    return find_item(combatant, item_id)


def check_anything_lies(state: State, actor: str) -> None:
    """Refuse if there is nothing on the ground to pick up."""
    if not any(item.at for item in state.ground):
        raise Refused("not_allowed", "Nothing lies on the ground.")
