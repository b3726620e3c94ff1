"""Let equal parts of two states be the same objects.

Caches compare identity (`core/basics/memory.py`). A step leaves most of a state as it is, and the state it
makes shares those parts with the one before. A state that was read from its bytes, or made for one viewer,
shares nothing: these functions give it the parts of a state that is known already.
"""

from __future__ import annotations

from typing import Any

import msgspec

from .state import State, encode


def share_with(state: State, known: State) -> State:
    """The state with the objects of a known one wherever both say the same; it encodes to the same bytes."""
    shared: State = _share(state, known)
    return shared if encode(shared) == encode(state) else state  # true equals 1, but is written differently


def _share(new: Any, old: Any) -> Any:
    """A value with the parts of another, as far as they are equal."""
    if type(new) is not type(old):
        return new
    if new == old:
        return old
    if isinstance(new, msgspec.Struct):
        return msgspec.structs.replace(new, **_share_fields(new, old))
    if isinstance(new, dict):
        return {key: _share(value, old.get(key)) for key, value in new.items()}
    return _share_each(new, old) if isinstance(new, tuple) else new


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
