"""Items in words, such as “2 x Medkit” or “Rifle (held)”, and back again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import msgspec

from combat.rules.core.basics.checking import plain_quotes, tidy
from combat.rules.core.sheets.catalogue import Catalogue, Entry, new_thing
from combat.rules.core.sheets.sheets import Carried

from ..display.sheet_view import read_items
from .reading import Reading

ITEMS = "Items"
OWN_THING = "own"
THING = re.compile(
    r"(?:(?P<count>\d{1,3})\s*[x×]\s+)?(?P<name>.+?)(?:\s+\((?P<place>held|worn|carried|own)\))?"
)
MAX_COUNT, MAX_THINGS = 999, 200
MAX_HINTS = 5  # characters of one name: finding the nearest name takes long


# ---------------------------------------------------------------- out


def write_items(catalogue: Catalogue | None, sheet: dict[str, Any]) -> str:
    """All items of a sheet, separated by semicolons."""
    if catalogue is None:
        return ""
    return "; ".join(_write_item(catalogue, item) for item in read_items(sheet))


def _write_item(catalogue: Catalogue, item: Carried) -> str:
    entry = catalogue.look_up(item)
    assert entry is not None, item
    return write_thing(entry.name, item.count, OWN_THING if item.record else item.place)


def write_thing(name: str, count: int, place: str) -> str:
    """An item in words: its number and name, and its place unless it is stowed."""
    many = f"{count} x " if count != 1 else ""
    return f"{many}{name}" + (f" ({place})" if place != "carried" else "")


# ---------------------------------------------------------------- in


def read_item_words(catalogue: Catalogue | None, said: str, reading: Reading) -> list[dict[str, Any]]:
    """The catalogue items that the words name; unknown ones get a remark, all of them without a catalogue."""
    items: list[dict[str, Any]] = []
    parts = re.split(r"[;\n\r\v]", said)
    if len(parts) > MAX_THINGS:
        reading.fail(ITEMS, f"lists {len(parts):,} things: at most {MAX_THINGS} are read")
        return items
    entries = catalogue.find_entries() if catalogue else ()
    names = {plain_quotes(entry.name).casefold(): entry for entry in entries}
    for word in map(str.strip, parts):
        found = THING.fullmatch(plain_quotes(tidy(word))) if len(word) < 200 else None
        if not word:
            continue
        entry = names.get(found["name"].casefold()) if found else None
        if catalogue is None or found is None or entry is None or found["place"] == OWN_THING:
            reading.say(ITEMS, _say_unknown(word, names if len(reading.remarks) < MAX_HINTS else {}))
        else:
            items.append(_make_item(catalogue, entry, found, number=len(items), reading=reading))
    return items


def _make_item(
    catalogue: Catalogue, entry: Entry, found: re.Match[str], number: int, reading: Reading
) -> dict[str, Any]:
    thing = new_thing(catalogue, entry, {f"i{n + 1}" for n in range(number)})
    kind = catalogue.find_kind(entry.kind)
    place = found["place"] or "carried"
    if kind is None or place not in ("carried", kind.ready):
        reading.say(ITEMS, f"{entry.name} cannot be {place}: stowed")
        place = "carried"
    count = int(found["count"] or 1)
    if not 1 <= count <= MAX_COUNT:
        reading.fail(ITEMS, f"{entry.name}: there can be 1 to {MAX_COUNT}")
        count = 1
    plain: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(thing, place=place, count=count))
    return plain


def _say_unknown(word: str, names: Mapping[str, Entry]) -> str:
    near = get_close_matches(word[:60].casefold(), names, n=1)
    hint = f": perhaps {names[near[0]].name}" if near and not word.endswith(f"({OWN_THING})") else ""
    return f"“{word[:60]}” is not in the catalogue, left out{hint}"
