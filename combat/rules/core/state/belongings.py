"""Where somebody's things are: carried, or lying where they fell."""

from __future__ import annotations

from collections.abc import Callable

from ..basics.errors import Refused
from ..space import Point
from .state import Item, State, find_item

Way = Callable[[Point], str]


def find_fallen(state: State, who: str) -> tuple[Item, ...]:
    """What a fighter came with that lies on the ground now; things keep the number of who brought them."""
    if not state.ground:
        return ()
    return tuple(item for item in state.ground if item.at and item.id.startswith(f"{who}-"))


def tell_fallen(item: Item, way: Way) -> str:
    """Where a fallen thing lies, and what to do; `way` says how far a place is."""
    assert item.at is not None
    return f"{item.name} lies on the ground {way(item.at)}: pick it up first."


def find_thing(state: State, who: str, item_id: str, way: Way) -> Item:
    """A fighter's item by its id; Refused says where it lies, or that they have none such."""
    for item in find_fallen(state, who):
        if item.id == item_id:
            raise Refused("not_allowed", tell_fallen(item, way))
    return find_item(state[who], item_id)


def check_anything_lies(state: State, actor: str) -> None:
    """Nothing on the ground, nothing to pick up."""
    if not any(item.at for item in state.ground):
        raise Refused("not_allowed", "Nothing lies on the ground.")
