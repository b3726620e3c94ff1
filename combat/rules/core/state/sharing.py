"""Let equal parts of two states be the same objects.

Caches compare identity (`core/basics/memory.py`). A step leaves most of a state as it is, and the state it
makes shares those parts with the one before. A state that was read from its bytes, or made for one viewer,
shares nothing: these functions give it the parts of a state that is known already.
"""

from __future__ import annotations

from operator import is_
from typing import Any

import msgspec

from .state import State


def share_with(state: State, known: State) -> State:
    """The state with the objects of a known one wherever both say the same; it encodes to the same bytes."""
    shared: State = _share(state, known)
    return shared


def _share(new: Any, old: Any) -> Any:
    """A value with the parts of another, as far as they are equal and written alike."""
    if new is old or type(new) is not type(old):
        return new
    if new == old and _is_written_alike(new, old):
        return old
    if isinstance(new, msgspec.Struct):
        return msgspec.structs.replace(new, **_share_fields(new, old))
    if isinstance(new, dict):
        return {key: _share(value, old.get(key)) for key, value in new.items()}
    return _share_each(new, old) if isinstance(new, tuple) else new


def _is_written_alike(new: Any, old: Any) -> bool:
    """Whether equal values encode to the same bytes: true equals 1, and a dictionary has an order.

    A value made of the very same parts needs no encoding, as most of what is made for a viewer.
    """
    if isinstance(new, tuple) and all(map(is_, new, old)):
        return True
    if isinstance(new, dict) and all(map(is_, new.values(), old.values())) and [*new] == [*old]:
        return True
    return msgspec.json.encode(new) == msgspec.json.encode(old)


def _share_fields(new: msgspec.Struct, old: msgspec.Struct) -> dict[str, Any]:
    """The fields that are not the same object in both already."""
    return {
        name: _share(mine, known)
        for name in new.__struct_fields__
        if (mine := getattr(new, name)) is not (known := getattr(old, name))
    }


def _share_each(new: tuple[Any, ...], old: tuple[Any, ...]) -> tuple[Any, ...]:
    """A tuple with the parts of another: those with the same id, else those at the same place."""
    known = {each.id: each for each in old if hasattr(each, "id")}
    places = [*old, *[None] * len(new)]
    pairs = zip(new, places, strict=False)
    return tuple([_share(mine, known.get(getattr(mine, "id", None), at_place)) for mine, at_place in pairs])
