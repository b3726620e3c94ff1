"""What an NPC carries: the items of a sheet, those that can be given, and what is in hand."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.contrib.auth.models import User

from characters.display.sheet_view import read_items
from characters.games import find_problems
from characters.gear.catalogue import find_items
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import Entry, new_thing
from combat.rules.core.sheets.sheets import Carried

CARRIED = "carried"


@dataclass(frozen=True)
class Offer:
    """An item that can be given: its key, its kind in words, and whether the GM made it."""

    key: str
    entry: Entry
    kind: str
    is_own: bool


def find_offers(user: User, system: System) -> list[Offer]:
    """The items that a GM can give, their own and those shared with them first."""
    return [
        Offer(one.key, one.entry, "Your own" if one.own else one.kind.plural, is_own=bool(one.own))
        for one in find_items(user, [system])
    ]


def list_carried(system: System, sheet: dict[str, Any]) -> list[tuple[Carried, Entry]]:
    """The items of a valid sheet that the catalogue knows."""
    catalogue = system.book.catalogue
    if catalogue is None or "items" not in sheet:
        return []
    found = ((item, catalogue.look_up(item)) for item in read_items(sheet))
    return [(item, entry) for item, entry in found if entry]


def arrange(
    system: System, sheet: dict[str, Any], keep: Collection[str], given: Sequence[Entry]
) -> dict[str, Any]:
    """The sheet with the items that stay and those that are given.

    What is given is in use where the game allows it, for example with a free hand, and stowed otherwise.
    Of some kinds, such as armor, only one is worn at a time: the new one replaces it.
    """
    catalogue = system.book.catalogue
    if catalogue is None or "items" not in sheet:
        return sheet
    items = [item for item in read_items(sheet) if item.id in keep]
    for entry in given:
        thing, kind = new_thing(catalogue, entry, {one.id for one in items}), catalogue.find_kind(entry.kind)
        ready = kind.ready if kind else ""
        others = [_stow(one) if kind and kind.only and one.kind == kind.key else one for one in items]
        used = _with_items(sheet, [*others, msgspec.structs.replace(thing, place=ready)])
        if ready and not find_problems(system, used):
            items = list(read_items(used))
        else:
            items.append(thing)
    return _with_items(sheet, items)


def _with_items(sheet: dict[str, Any], items: Sequence[Carried]) -> dict[str, Any]:
    return {**sheet, "items": msgspec.to_builtins(items)}


def _stow(item: Carried) -> Carried:
    return msgspec.structs.replace(item, place=CARRIED)
