"""Items of twodsix for Foundry VTT outside of actors, one or a list, as new catalogue entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from combat.rules.core.basics.checking import Problem
from combat.rules.core.sheets.asking import Asker
from combat.rules.core.sheets.catalogue import OWN
from combat.rules.core.sheets.foreign import ForeignItem, ItemReader, limit_remarks

from . import arms, goods
from .thing import Thing

MAX_LISTED = 200
UNPLACED = ("augment", "career", "psiAbility", "ship_position", "skills", "species", "spell", "trait")
KINDS = (arms.WEAPON, arms.ARMOR, goods.COMPONENT, *goods.GEAR, *UNPLACED)
TEXT = (
    "In Foundry, open the menu of an item and choose “Export Data”: weapons, armor, gear and weapons of "
    "vehicles are read, one or a list of them, such as the items of a folder or of a compendium."
)


def list_items(data: Any) -> list[Any]:
    """The items of a document: its `items` if they belong to no actor, a list, or the document itself."""
    if isinstance(data, dict) and isinstance(data.get("items"), list) and _table_of(data) is None:
        return list(data["items"])
    return data if isinstance(data, list) else [data]


def recognizes(data: Any) -> bool:
    """Whether a document looks like an item or a list of items."""
    return any(is_item(one) for one in list_items(data)[:MAX_LISTED])


def is_item(data: Any) -> bool:
    """Whether a value looks like an item."""
    is_known = isinstance(data, dict) and data.get("type") in KINDS and _table_of(data) is not None
    return is_known and not is_of_another_system(data)


def is_of_another_system(data: dict[str, Any]) -> bool:
    """Whether a document of Foundry VTT names a game system other than twodsix."""
    stats = data.get("_stats")
    return isinstance(stats, dict) and stats.get("systemId") not in (None, "", "twodsix")


def _table_of(data: dict[str, Any]) -> dict[str, Any] | None:
    found = data.get("system", data.get("data"))
    return found if isinstance(found, dict) else None


def read(data: Any, answers: Mapping[str, str]) -> tuple[ForeignItem, ...]:
    """The items of a document, each with its problems."""
    return read_all(list_items(data), answers, read_item)


def read_all(
    items: list[Any],
    answers: Mapping[str, str],
    read_one: Callable[[Any, str, Mapping[str, str]], ForeignItem],
) -> tuple[ForeignItem, ...]:
    """Each of some items by a function that reads one; a problem if they are too many."""
    places = [f"items[{n}]" for n in range(len(items))] if len(items) > 1 else [""]
    found = tuple(
        read_one(item, place, answers) for item, place in zip(items[:MAX_LISTED], places, strict=False)
    )
    if len(items) <= MAX_LISTED:
        return found
    text = f"has {len(items)} items; at most {MAX_LISTED} are read at once"
    return (*found, ForeignItem(name="", problems=(Problem("the document", text),)))


def read_item(data: Any, place: str, answers: Mapping[str, str]) -> ForeignItem:
    """One item, as an entry of the catalogue or a new record, with its problems."""
    if not is_item(data):
        return ForeignItem(name="", problems=(Problem(place, "must be an item with type and system"),))
    thing, asker = Thing(data, place, {}), Asker(answers)
    entry = goods.read_thing(thing, asker)
    thing.source.pass_over("equipped", "quantity")  # one piece goes into the catalogue, without an owner
    if thing.count > 1:
        thing.source.remark("quantity", f"{thing.count}: not imported")
    thing.list_rest(goods.BOOKKEEPING)
    is_own = entry is not None and entry.record.get("id") == OWN
    return ForeignItem(
        name=entry.name if entry else thing.name,
        kind=entry.kind if entry else "",
        record=entry.record if entry else {},
        known=entry.name if entry and not is_own else "",
        remarks=limit_remarks([*asker.remarks, *thing.source.remarks]),
        problems=tuple(thing.source.problems),
        questions=asker.list_questions(),
    )


ITEMS = ItemReader(
    key="twodsix-items",
    label="Items of twodsix for Foundry VTT (JSON)",
    text=TEXT,
    recognizes=recognizes,
    read=read,
)
