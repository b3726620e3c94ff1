"""Turn items of a combatant, or those that a stat block names by id, into items on a sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Any

import msgspec

from ..state.state import Item
from .catalogue import OWN, Catalogue, find_record_problems
from .sheets import Carried


def furnish(
    catalogue: Catalogue,
    named: Mapping[str, Any],
    make: Callable[[dict[str, Any]], Iterable[Item]],
    sheet: dict[str, Any],
) -> dict[str, Any]:
    """The sheet of a stat block, with its named items as items that can be stowed or spent.

    `named` are the fields that name items, with their empty values; `make` returns the items of a sheet's
    combatant. What everyone has, such as bare hands, is no item. If a sheet already has items in hand or
    worn, the named ones are stowed. The sheet must be valid.
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
    """Whether a sheet names items by id in one of these fields."""
    return any(sheet.get(key, empty) not in (empty, [], ()) for key, empty in named.items())


def _carry(catalogue: Catalogue, item: Item, thing_id: str, stowed: bool) -> Carried:
    """An item of a combatant as an item on a sheet."""
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


def carry_home(catalogue: Catalogue, item: Item, thing_id: str) -> dict[str, Any] | None:
    """An item that a combatant got in a fight as an item of their sheet; None if no sheet can hold it."""
    kind = catalogue.find_kind(item.kind)
    if kind is None:
        return None
    entry = catalogue.find_entry(item.kind, str(item.data.get("id", "")))
    is_own = item.data.get("origin") == OWN or entry is None
    if is_own and find_record_problems(catalogue, item.kind, item.data):
        return None
    what: dict[str, Any] = {"record": item.data} if is_own or entry is None else {"entry": entry.id}
    wear = {one.key: int(item.marks.get(one.key) or 0) for one in kind.find_wear(item.data)}
    return {
        "id": thing_id,
        "kind": item.kind,
        **what,
        "place": "carried",
        "loaded": item.loaded,
        "spares": item.spares,
        "count": item.count,
        "wear": {key: points for key, points in wear.items() if points},
    }
