"""Writing items: a person's own into the database, any item onto a character's sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from django.contrib.auth.models import User

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import (
    OWN,
    Catalogue,
    Entry,
    find_fed,
    find_record_problems,
    new_thing,
)
from combat.rules.core.sheets.sheets import MAX_ALIKE, MAX_THINGS

from ..display.sheet_view import read_items
from ..games import find_game, find_problems
from ..models import Character
from ..services import character_service
from ..templatetags.sheets import in_text
from .models import OwnItem

MAX_OWN = 500
MAX_COUNT = 99
HELD = "held"


class RecordInvalid(Refused):
    """A record that does not fit the schema, with everything that is wrong."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("bad_value", " ".join(f"{problem}." for problem in problems[:20]))
        self.problems = problems


def catalogue_of(system: System) -> Catalogue:
    """The catalogue of a game; Refused("unknown") if it has none."""
    if system.book.catalogue is None:
        raise Refused("unknown", f"{system.name} has no catalogue yet.")
    return system.book.catalogue


def save_own(
    owner: User, system: System, kind: str, record: dict[str, Any], item: OwnItem | None = None
) -> OwnItem:
    """Make or change a person's own item; raises RecordInvalid, or Refused when there are too many."""
    if item is None and count_room(owner) < 1:
        raise Refused("not_allowed", f"You have {MAX_OWN} own items, the limit: delete one first.")
    saved = _fill(item or OwnItem(owner=owner), system, kind, record)
    saved.save()
    return saved


def put_back(item: OwnItem, record: dict[str, Any]) -> None:
    """Give an item the record that it had before, whatever the rules for records are now."""
    item.record, item.name = record, str(record.get("name", item.name))[:60]
    item.save(update_fields=["record", "name", "changed_at"])


def count_room(owner: User) -> int:
    """How many more own items a person may have."""
    return MAX_OWN - OwnItem.objects.filter(owner=owner).count()


def save_all(owner: User, system: System, wanted: Sequence[tuple[str, dict[str, Any]]]) -> list[OwnItem]:
    """Make a person's own items from records, all of them or none; raises like `save_own`."""
    free = count_room(owner)
    if len(wanted) > free:
        text = (
            f"The file has {len(wanted)} new items, and there is room for {free}: delete some of yours first."
        )
        raise Refused("not_allowed", text)
    made = [_fill(OwnItem(owner=owner), system, kind, record) for kind, record in wanted]
    return OwnItem.objects.bulk_create(made)


def _fill(item: OwnItem, system: System, kind: str, record: dict[str, Any]) -> OwnItem:
    """An unsaved item with the values of a record."""
    catalogue = catalogue_of(system)
    full = {**record, "id": OWN, "origin": OWN}
    problems = find_record_problems(catalogue, kind, full)
    if problems:
        raise RecordInvalid(problems)
    entry = catalogue.describe(kind, full)
    item.system, item.kind, item.name, item.record = system.slug, kind, entry.name, entry.record
    return item


def share(item: OwnItem, *, shared: bool) -> None:
    """Start or stop sharing an item with the people who have a seat at the owner's tables."""
    item.shared = shared
    item.save(update_fields=["shared"])


def add_to(
    character: Character, entry: Entry, count: int = 1, *, pay: bool = False, by: str = ""
) -> Character:
    """Put `count` of an item onto a sheet; with `pay`, for money. Raises Refused.

    Items that neither hold rounds nor wear out share one line with a count; others get a line each. The first
    of those goes into a free hand if it is used in hand.
    """
    if not 1 <= count <= MAX_COUNT:
        raise Refused("bad_value", f"Quantity out of range: add 1 to {MAX_COUNT} at a time.")
    system = find_game(character.system)
    catalogue = catalogue_of(system)
    sheet = {**character.sheet, "items": _with_item(catalogue, character.sheet, entry, count)}
    sheet = _with_item_in_hand(system, sheet, len(character.sheet.get("items", ())))
    what = f"{'Bought' if pay else 'Took'} {entry.name}" + (f" × {count}" if count > 1 else "")
    if pay:
        sheet = _paid(system, sheet, entry, count)
    return character_service.change(character.pk, what, by=by, version=character.version, sheet=sheet)


def _with_item(catalogue: Catalogue, sheet: dict[str, Any], entry: Entry, count: int) -> list[Any]:
    items = list(read_items(sheet))
    fed = find_fed(items, entry, count)
    if fed:
        items[items.index(fed)] = msgspec.structs.replace(fed, spares=fed.spares + count)
    elif is_counted(catalogue, entry):
        fresh = new_thing(catalogue, entry, {item.id for item in items})
        what = fresh.kind, fresh.entry, fresh.record
        same = next((one for one in items if (one.kind, one.entry, one.record) == what), None)
        if same:
            if same.count + count > MAX_ALIKE:
                text = f"A sheet counts at most {MAX_ALIKE} × {entry.name}, and has {same.count}: add fewer."
                raise Refused("not_allowed", text)
            items[items.index(same)] = msgspec.structs.replace(same, count=same.count + count)
        else:
            items.append(msgspec.structs.replace(fresh, count=count))
    else:
        for _ in range(count):
            items.append(new_thing(catalogue, entry, {item.id for item in items}))
    if len(items) > MAX_THINGS:
        text = f"A sheet holds at most {MAX_THINGS} items: add fewer, or remove some first."
        raise Refused("not_allowed", text)
    plain: list[Any] = msgspec.to_builtins(items)
    return plain


def _with_item_in_hand(system: System, sheet: dict[str, Any], place: int) -> dict[str, Any]:
    """The sheet with its item at this place in hand, if there is one that the free hands can hold."""
    items = list(read_items(sheet))
    new = items[place] if place < len(items) else None
    kind = catalogue_of(system).find_kind(new.kind) if new else None
    if new is None or kind is None or kind.ready != HELD:
        return sheet
    if kind.only and any(one.kind == new.kind and one.place == HELD for one in items):
        return sheet
    items[place] = msgspec.structs.replace(new, place=HELD)
    held = {**sheet, "items": msgspec.to_builtins(items)}
    return sheet if find_problems(system, held) else held


def is_counted(catalogue: Catalogue, entry: Entry) -> bool:
    """Whether several of an item share one line of the sheet."""
    kind = catalogue.find_kind(entry.kind)
    wears = kind is not None and bool(kind.find_wear(entry.record))
    return not (wears or (kind and kind.ready) or catalogue.capacity(entry.kind, entry.record) is not None)


def _paid(system: System, sheet: dict[str, Any], entry: Entry, count: int) -> dict[str, Any]:
    money = system.book.sheets.money if system.book.sheets else None
    if money is None or entry.price is None:
        raise Refused("not_allowed", f"{entry.name} has no price: take it without paying.")
    cost, have = entry.price * count, int(sheet.get(money.key, 0))
    if cost > have:
        text = (
            f"{entry.name} costs {cost:,}, you have {have:,} {in_text(money.label)}: take it without paying."
        )
        raise Refused("no_budget", text)
    return {**sheet, money.key: have - cost}
