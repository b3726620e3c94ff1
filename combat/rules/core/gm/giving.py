"""The GM gives a combatant something new: an item of the catalogue, or one of their own."""

from __future__ import annotations

from typing import Any

from ..basics.checking import tidy
from ..basics.errors import Refused
from ..basics.naming import make_id
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..sheets.catalogue import Catalogue, Entry, find_record_problems
from ..sheets.sheets import MAX_ALIKE
from ..state import events as e
from ..state.state import Item
from .decisions import Target

MAX_CARRIED = 200  # items of one combatant


class GiveItem(Target, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Give a new item to a combatant, put away: `entry` is its kind and its id, such as weapon/club.

    An own item has a `record` in place of the id. The `seed` makes its id (basics/fresh_ids.py).
    """

    entry: str
    record: dict[str, Any] = {}
    count: int = 1
    seed: str = ""


def give_item(context: RuleContext, command: GiveItem) -> None:
    """Give someone a new item. What an NPC gets, only the GM and the NPC's player learn."""
    one, catalogue = context.state[command.target], system_of(context).book.catalogue
    if catalogue is None:
        raise Refused("not_allowed", f"{system_of(context).name} has no items to give.")
    if not 1 <= command.count <= MAX_ALIKE:
        raise Refused("bad_value", f"Give 1 to {MAX_ALIKE} at a time.")
    if len(one.items) >= MAX_CARRIED:
        raise Refused("not_allowed", f"{one.name} carries {MAX_CARRIED} items: take some away first.")
    found = _find_entry(catalogue, command)
    fresh = make_id(f"{one.id}-n", command.seed, context.state.made + 1, {item.id for item in one.items})
    loaded = catalogue.capacity(found.kind, found.record)
    item = Item(fresh, found.kind, found.name, found.record, loaded=loaded, count=command.count)
    name = f"{found.name} × {command.count}" if command.count > 1 else found.name
    to = e.EVERYONE if one.pc else e.for_seat(one.id)
    context.emit(e.ItemGained(one.id, item), to=to)
    context.emit(e.Said("log.gets_item", one.id, args={"item": name}), to=to)


def _find_entry(catalogue: Catalogue, command: GiveItem) -> Entry:
    kind, _, key = tidy(command.entry).partition("/")
    if not command.record:
        entry = catalogue.find_entry(kind, key)
        if entry is None or catalogue.is_built_in(kind, entry.record):
            raise Refused("unknown", "That item is not in the catalogue: choose one from the list.")
        return entry
    problems = find_record_problems(catalogue, kind, command.record)
    if problems:
        raise Refused("bad_value", f"That item does not fit the rules: {problems[0]}.")
    return catalogue.describe(kind, command.record)
