"""Things that leave a sheet and come onto another: whole, a part of a pile, spare magazines, or money.

A thing on its way is plain data: an item as on a sheet. With `magazines` it is those alone, of such a weapon.
"""

from __future__ import annotations

from typing import Any

import msgspec

from combat.rules.core.basics.data import convert
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.loot import find_money
from combat.rules.core.sheets.catalogue import MAX_SPARES, Entry, new_thing
from combat.rules.core.sheets.sheets import MAX_ALIKE, MAX_THINGS, Carried

from ..display.sheet_view import read_items
from ..games import find_problems
from .item_service import catalogue_of, is_counted

SPARE = "+spare"  # after the id of a weapon: its spare magazines
MAGAZINES = "magazines"
GONE = "That is no longer on the sheet: choose again."
Sheet = dict[str, Any]
Thing = dict[str, Any]


def name_thing(system: System, thing: Thing) -> str:
    """The name of a thing on its way, without its number."""
    entry = catalogue_of(system).look_up(_read(thing))
    name = entry.name if entry else str(thing.get("entry") or thing.get("kind"))
    return f"{name} magazine" if MAGAZINES in thing else name


def count_thing(thing: Thing) -> int:
    """How many a thing on its way is."""
    return int(thing.get(MAGAZINES) or thing.get("count", 1))


def list_things(system: System, sheet: Sheet) -> list[tuple[str, str, int]]:
    """What can leave a sheet: its id, its name, how many there are."""
    if system.book.catalogue is None:
        return []
    found = []
    for item in read_items(sheet):
        entry = system.book.catalogue.look_up(item)
        if entry and not system.book.catalogue.is_built_in(item.kind, entry.record):
            found.append((item.id, entry.name, item.count))
            if item.spares:
                found.append((item.id + SPARE, f"{entry.name} magazine", item.spares))
    return found


def take_out(system: System, sheet: Sheet, item_id: str, count: int) -> tuple[Sheet, Thing]:
    """A sheet without so many of an item, and these; Refused if it has fewer."""
    items = list(read_items(sheet))
    place = next((n for n, one in enumerate(items) if one.id == item_id.removesuffix(SPARE)), None)
    if place is None:
        raise Refused("stale", GONE)
    item, thing = items[place], dict[str, Any](msgspec.to_builtins(items[place]))
    entry = catalogue_of(system).look_up(item)
    if entry and catalogue_of(system).is_built_in(item.kind, entry.record):
        raise Refused("not_allowed", f"{entry.name} is a part of its owner: choose another item.")
    most = item.spares if item_id.endswith(SPARE) else item.count
    if not 1 <= count <= most:
        raise Refused("bad_value", f"There are {most}: choose 1 to {most}." if most else GONE)
    if item_id.endswith(SPARE):
        items[place] = msgspec.structs.replace(item, spares=item.spares - count)
        thing = {**_bare(thing), MAGAZINES: count}
    elif count < item.count:
        items[place] = msgspec.structs.replace(item, count=item.count - count)
        thing["count"] = count
    else:
        del items[place]
    return {**sheet, "items": msgspec.to_builtins(items)}, thing


def put_in(system: System, sheet: Sheet, thing: Thing) -> tuple[Sheet, str]:
    """A sheet with a thing, and the id it has there: with its like, or on a line of its own, put away."""
    items, fresh = list(read_items(sheet)), _read(thing)
    if MAGAZINES in thing:
        return _load(system, sheet, items, thing)
    entry = catalogue_of(system).look_up(fresh)
    if entry is None:
        raise Refused("not_allowed", "The rules no longer know that item: it stays where it is.")
    same = next((one for one in items if _are_alike(one, fresh)), None)
    if same and is_counted(catalogue_of(system), entry) and same.count + fresh.count <= MAX_ALIKE:
        items[items.index(same)] = msgspec.structs.replace(same, count=same.count + fresh.count)
        return {**sheet, "items": msgspec.to_builtins(items)}, same.id
    if len(items) >= MAX_THINGS:
        raise Refused("not_allowed", f"A sheet holds at most {MAX_THINGS} items: remove some first.")
    taken = {one.id for one in items}
    number = next(n for n in range(1, MAX_THINGS + 2) if f"i{n}" not in taken)
    items.append(msgspec.structs.replace(fresh, id=f"i{number}", place="carried"))
    return {**sheet, "items": msgspec.to_builtins(items)}, f"i{number}"


def put_back(system: System, sheet: Sheet, thing: Thing, item_id: str) -> Sheet:
    """A sheet with a thing where it was before it left: in its pile, or on its line if that still fits."""
    items, fresh = list(read_items(sheet)), _read(thing)
    there = next((n for n, one in enumerate(items) if one.id == item_id.removesuffix(SPARE)), None)
    if there is None:
        if MAGAZINES in thing:
            return put_in(system, sheet, thing)[0]
        back = {**sheet, "items": msgspec.to_builtins([*items, fresh])}
        return put_in(system, sheet, thing)[0] if find_problems(system, back) else back
    old = items[there]
    if MAGAZINES in thing:
        items[there] = msgspec.structs.replace(old, spares=min(MAX_SPARES, old.spares + count_thing(thing)))
    elif _are_alike(old, fresh) and old.count + fresh.count <= MAX_ALIKE:
        items[there] = msgspec.structs.replace(old, count=old.count + fresh.count)
    else:
        return put_in(system, sheet, thing)[0]
    return {**sheet, "items": msgspec.to_builtins(items)}


def make_thing(system: System, entry: Entry, count: int) -> Thing:
    """So many of an entry of the catalogue on their way, whole and full."""
    fresh = msgspec.structs.replace(new_thing(catalogue_of(system), entry, set()), count=count)
    thing: Thing = msgspec.to_builtins(fresh)
    return thing


def add_money(system: System, sheet: Sheet, change: int) -> Sheet:
    """A sheet with more money, or less; Refused if it keeps none, has too little or could not hold it."""
    money = find_money(system, sheet)
    if money is None:
        raise Refused("not_allowed", "This sheet keeps no money.")
    have = int(sheet[money.key])
    if have + change < 0:
        raise Refused("no_budget", f"There are {have:,} {money.label}: choose at most that.")
    if have + change > money.most:
        raise Refused("bad_value", f"A sheet holds at most {money.most:,} {money.label}.")
    return {**sheet, money.key: have + change}


def _load(system: System, sheet: Sheet, items: list[Carried], thing: Thing) -> tuple[Sheet, str]:
    """Magazines go to a weapon of the same make."""
    count, what = count_thing(thing), (thing["kind"], thing.get("entry", ""), thing.get("record", {}))
    for place, one in enumerate(items):
        if (one.kind, one.entry, one.record) == what and one.spares + count <= MAX_SPARES:
            items[place] = msgspec.structs.replace(one, spares=one.spares + count)
            return {**sheet, "items": msgspec.to_builtins(items)}, one.id + SPARE
    name = name_thing(system, {key: value for key, value in thing.items() if key != MAGAZINES})
    raise Refused("not_allowed", f"Only who has a {name} loads that: choose someone else.")


def is_pile(system: System, thing: Thing) -> bool:
    """Whether several of a thing are one line: what neither holds rounds nor wears out, and magazines."""
    entry = None if MAGAZINES in thing else catalogue_of(system).look_up(_read(thing))
    return MAGAZINES in thing or (entry is not None and is_counted(catalogue_of(system), entry))


def is_same(one: Thing, other: Thing) -> bool:
    """Whether two things on their way are the same, and as many, wherever they were kept."""
    first, second = (msgspec.structs.replace(_read(each), id="i", place="carried") for each in (one, other))
    return first == second and one.get(MAGAZINES) == other.get(MAGAZINES)


def _are_alike(one: Carried, other: Carried) -> bool:
    """Whether two items are the same but for place and number: then they share a line."""
    return msgspec.structs.replace(one, id="i", place="carried", count=1) == msgspec.structs.replace(
        other, id="i", place="carried", count=1
    )


def _bare(thing: Thing) -> Thing:
    """What names the make of an item, without its rounds and its wear."""
    return {key: thing[key] for key in ("id", "kind", "entry", "record") if key in thing}


def _read(thing: Thing) -> Carried:
    return convert({key: value for key, value in thing.items() if key != MAGAZINES}, Carried)
