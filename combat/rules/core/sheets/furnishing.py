"""The things of a stat block, which names them by their ids, one by one on a sheet of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Any

import msgspec

from ..state.state import Item
from .catalogue import Catalogue
from .sheets import Carried


def furnish(
    catalogue: Catalogue,
    named: Mapping[str, Any],
    make: Callable[[dict[str, Any]], Iterable[Item]],
    sheet: dict[str, Any],
) -> dict[str, Any]:
    """The sheet of a stat block with what it names as things that can be put away or spent.

    `named` are the fields that name things, with what leaves them empty; `make` gives the items of a
    sheet's fighter. What everybody has, such as bare hands, is no thing. Those of a sheet that has others
    in hand or on already are stowed. The sheet must be sound.
    """
    if not names_things(named, sheet):
        return dict(sheet)
    bare = {**sheet, **named, "items": []}
    given = {item.name for item in make(bare)}
    listed = list(sheet.get("items", ()))
    free = (word for n in count(1) if (word := f"i{n}") not in {thing["id"] for thing in listed})
    made = [
        _carry(catalogue, item, next(free), bool(listed))
        for item in make({**sheet, "items": []})
        if item.name not in given
    ]
    return {**bare, "items": listed + [msgspec.to_builtins(thing) for thing in made]}


def names_things(named: Mapping[str, Any], sheet: Mapping[str, Any]) -> bool:
    """Whether a sheet names things by their ids in one of these fields."""
    return any(sheet.get(key, empty) not in (empty, [], ()) for key, empty in named.items())


def _carry(catalogue: Catalogue, item: Item, thing_id: str, stowed: bool) -> Carried:
    """An item of a fighter as a thing on a sheet."""
    entry = catalogue.find_entry(item.kind, item.data["id"])
    assert entry is not None, item
    return Carried(
        id=thing_id,
        kind=item.kind,
        entry=entry.id,
        place="carried" if stowed else item.place,
        loaded=item.loaded,
        spares=item.spares,
        count=item.count,
    )
