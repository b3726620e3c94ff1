"""Stat blocks with other items in hand, from the game's catalogue, or with other HP."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import msgspec

from characters.games import find_problems, furnish_sheet, plan_of
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import Catalogue, Entry, new_thing

Things = Iterable[tuple[Entry, int]]


def arm(
    system: System, name: str, sheet: dict[str, Any], things: Things, lacks: Collection[str] = ()
) -> dict[str, Any]:
    """The sheet with these items: weapons and armor replace its own of that kind, others are added.

    Of the kinds that it `lacks` it keeps none. Refused if no sheet of the game can have them.
    """
    catalogue, things = system.book.catalogue, list(things)
    if catalogue is None or not (things or lacks):
        return sheet
    named_for, given = plan_of(system).named_for, {entry.kind for entry, _ in things}
    give = _carry if sheet.get("items") or not given.issubset(named_for) else _name
    changed = give(system, catalogue, sheet, things) if things else sheet
    if gone := {*lacks} - given:
        changed = furnish_sheet(system, changed)
        changed["items"] = [one for one in changed.get("items", ()) if one["kind"] not in gone]
    if find_problems(system, changed):
        items = ", ".join(entry.name for entry, _ in things)
        raise Refused("bad_value", f"{name} cannot have {items}: choose other items.")
    return changed


def give_health(system: System, name: str, sheet: dict[str, Any], now: int, most: int) -> dict[str, Any]:
    """The sheet with these HP; Refused if the game, or this sheet, cannot have them."""
    set_health = system.book.imports.set_health
    if set_health is None:
        raise Refused("bad_value", f"Health follows from the sheet in {system.name}.")
    changed = set_health(sheet, most)
    changed = {**changed, "tracks": {**changed.get("tracks", {}), system.characters.tracks[0].key: now}}
    if find_problems(system, changed):
        raise Refused("bad_value", f"{name} cannot have {most} HP.")
    return changed


def train(
    system: System, name: str, sheet: dict[str, Any], skills: Iterable[tuple[str, int]]
) -> dict[str, Any]:
    """The sheet with these skills; Refused if the game, or this sheet, cannot have them."""
    give = system.book.imports.train
    for words, level in skills:
        changed = give(sheet, words, level) if give else None
        if changed is None or find_problems(system, changed):
            raise Refused("bad_value", f"{name} cannot have {words} {level}.")
        sheet = changed
    return sheet


def _name(system: System, catalogue: Catalogue, sheet: dict[str, Any], things: Things) -> dict[str, Any]:
    """The sheet with the items named by their ids, as stat blocks have them: the game finds their places."""
    plan, changed = plan_of(system), dict(sheet)
    for kind_key in dict.fromkeys(entry.kind for entry, _ in things):
        kind, field = catalogue.find_kind(kind_key), plan.named_for[kind_key]
        fresh = [entry.id for entry, count in things if entry.kind == kind_key for _ in range(count)]
        old = {one.id for one in catalogue.find_entries() if one.kind == kind_key and kind and kind.ready}
        kept = [one for one in changed.get(field) or () if one not in old]
        changed[field] = fresh[-1] if isinstance(plan.named[field], str) else [*kept, *fresh]
    return changed


def _carry(system: System, catalogue: Catalogue, sheet: dict[str, Any], things: Things) -> dict[str, Any]:
    """The sheet with the items in its list; they take the places of those they replace."""
    changed = furnish_sheet(system, sheet)
    items = list(changed.get("items", ()))
    for kind_key in dict.fromkeys(entry.kind for entry, _ in things):
        kind, fresh = catalogue.find_kind(kind_key), [one for one in things if one[0].kind == kind_key]
        ready = kind.ready if kind else ""
        old = [one for one in items if one["kind"] == kind_key and ready and one.get("place") == ready]
        items = [one for one in items if one not in old]
        for place, (entry, count) in enumerate(fresh):
            thing = new_thing(catalogue, entry, {one["id"] for one in items})
            where = ready if ready and place < max(1, len(old)) else "carried"
            items.append(msgspec.to_builtins(msgspec.structs.replace(thing, count=count, place=where)))
    return {**changed, "items": items}
