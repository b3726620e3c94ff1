"""Items of mgt2e for Foundry VTT outside of actors, one or a list, as new catalogue entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import structs

from combat.rules.core.basics.checking import Problem, tidy
from combat.rules.core.sheets.foreign import ForeignItem, ItemReader, limit_remarks

from . import items, mongoose

TEXT = (
    "In Foundry, open the menu of an item and choose “Export Data”: weapons, armor and other items are read, "
    "one or a list of them. Augments, software, terms and the like are listed and left out."
)


def recognizes(data: Any) -> bool:
    """Whether a document looks like an item of mgt2e or a list of them."""
    return any(mongoose.is_item(one) for one in items.list_items(data)[: items.MAX_LISTED])


def read(data: Any, answers: Mapping[str, str]) -> tuple[ForeignItem, ...]:
    """The items of a document, each with its problems."""
    return items.read_all(items.list_items(data), answers, _read_item)


def _read_item(data: Any, place: str, answers: Mapping[str, str]) -> ForeignItem:
    if not mongoose.is_item(data):
        where = Problem(place, "must be an item of mgt2e with type and system")
        return ForeignItem(name="", problems=(where,))
    at = f"{place} " if place else ""
    if data["type"] not in mongoose.KINDS:
        name, kind = tidy(str(data.get("name")))[:40], data["type"][:30]
        left = Problem(f"{at}“{name}”", f"{kind}: items of this kind have no place here")
        return ForeignItem(name=name, remarks=(left,))
    converted, remarks = mongoose.convert_item(data, at)
    found = items.read_item(converted, place, answers)
    return structs.replace(found, remarks=limit_remarks([*found.remarks, *(remarks if found.kind else [])]))


MONGOOSE_ITEMS = ItemReader(
    key="mgt2e-items",
    label="Items of mgt2e for Foundry VTT (JSON)",
    text=TEXT,
    recognizes=recognizes,
    read=read,
)
