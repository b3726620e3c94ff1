"""Writing things: one's own into the database, any of them onto a character's sheet."""

from __future__ import annotations

from typing import Any

import msgspec
from django.contrib.auth.models import User

from characters import keeping
from characters.games import find_game
from characters.models import Character
from characters.viewing import read_things
from combat.rules.core.checking import Problem
from combat.rules.core.errors import Refused
from combat.rules.core.shelf import OWN, Catalogue, Entry, find_record_problems, new_thing
from combat.rules.core.system import System

from .models import OwnItem

MOST_OWN = 500
MOST_COUNT = 99


class Unfit(Refused):
    """A record that does not fit the schema: everything that is wrong with it."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("bad_value", " ".join(f"{problem}." for problem in problems[:20]))
        self.problems = problems


def catalogue_of(system: System) -> Catalogue:
    """The catalogue of a game; Refused("unknown") if it has none."""
    if system.catalogue is None:
        raise Refused("unknown", f"{system.name} has no catalogue yet.")
    return system.catalogue


def save_own(
    owner: User, system: System, kind: str, record: dict[str, Any], item: OwnItem | None = None
) -> OwnItem:
    """Make a thing of one's own, or change one; raises Unfit, or Refused when there are too many."""
    if item is None and OwnItem.objects.filter(owner=owner).count() >= MOST_OWN:
        raise Refused("not_allowed", f"You have {MOST_OWN} things of your own; delete one first.")
    catalogue = catalogue_of(system)
    full = {**record, "id": OWN, "origin": OWN}
    problems = find_record_problems(catalogue, kind, full)
    if problems:
        raise Unfit(problems)
    entry = catalogue.describe(kind, full)
    saved = item or OwnItem(owner=owner)
    saved.system, saved.kind, saved.name, saved.record = system.slug, kind, entry.name, entry.record
    saved.save()
    return saved


def share(item: OwnItem, *, shared: bool) -> None:
    """Let those who have a seat at one's tables take a thing, or nobody any more."""
    item.shared = shared
    item.save(update_fields=["shared"])


def add_to(
    character: Character, entry: Entry, count: int = 1, *, pay: bool = False, by: str = ""
) -> Character:
    """Put a thing onto a sheet, as many times as wanted; with `pay`, for money. Raises Refused.

    What neither holds rounds nor wears out is counted in one line, the rest lies there one by one.
    """
    if not 1 <= count <= MOST_COUNT:
        raise Refused("bad_value", f"Take 1 to {MOST_COUNT} at a time.")
    system = find_game(character.system)
    catalogue = catalogue_of(system)
    sheet = {**character.sheet, "items": _with_thing(catalogue, character.sheet, entry, count)}
    what = f"{'Bought' if pay else 'Took'} {entry.name}" + (f" × {count}" if count > 1 else "")
    if pay:
        sheet = _paid(system, sheet, entry, count)
    return keeping.change(character.pk, what, by=by, version=character.version, sheet=sheet)


def _with_thing(catalogue: Catalogue, sheet: dict[str, Any], entry: Entry, count: int) -> list[Any]:
    things = list(read_things(sheet))
    if is_counted(catalogue, entry):
        fresh = new_thing(catalogue, entry, {thing.id for thing in things})
        same = next((t for t in things if (t.kind, t.entry, t.record) == _what(fresh)), None)
        if same:
            more = msgspec.structs.replace(same, count=min(999, same.count + count))
            things[things.index(same)] = more
        else:
            things.append(msgspec.structs.replace(fresh, count=count))
    else:
        for _ in range(count):
            things.append(new_thing(catalogue, entry, {thing.id for thing in things}))
    plain: list[Any] = msgspec.to_builtins(things)
    return plain


def _what(thing: Any) -> tuple[str, str, dict[str, Any]]:
    return thing.kind, thing.entry, thing.record


def is_counted(catalogue: Catalogue, entry: Entry) -> bool:
    """Whether several of a thing are one line of the sheet."""
    kind = catalogue.find_kind(entry.kind)
    wears = kind is not None and bool(kind.find_wear(entry.record))
    return not (wears or (kind and kind.ready) or catalogue.capacity(entry.kind, entry.record) is not None)


def _paid(system: System, sheet: dict[str, Any], entry: Entry, count: int) -> dict[str, Any]:
    money = system.sheets.money if system.sheets else None
    if money is None or entry.price is None:
        raise Refused("not_allowed", f"{entry.name} has no price: take it without paying.")
    cost, have = entry.price * count, int(sheet.get(money.key, 0))
    if cost > have:
        text = (
            f"{entry.name} costs {cost:,}, there are {have:,} {money.label.lower()}. Take it without paying."
        )
        raise Refused("no_budget", text)
    return {**sheet, money.key: have - cost}
