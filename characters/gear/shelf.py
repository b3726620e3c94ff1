"""Looking through the catalogues: every game's things and one's own, searched, filtered, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from characters.games import find_games
from combat.rules.core.shelf import Catalogue, Column, Entry, Kind, find_record_problems, value_of
from combat.rules.core.system import System

from .access import find_visible
from .models import OwnItem

MOST_COMPARED = 3


@dataclass(frozen=True)
class Thing:
    """An entry of a game's catalogue, or somebody's own (`own`); `lender` is who else shares it."""

    system: System
    entry: Entry
    own: OwnItem | None = None
    lender: str = ""

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue it belongs to."""
        assert self.system.catalogue is not None
        return self.system.catalogue

    @property
    def kind(self) -> Kind:
        """What kind of thing it is."""
        found = self.catalogue.find_kind(self.entry.kind)
        assert found is not None
        return found

    @property
    def is_mine(self) -> bool:
        """Whether the viewer made it."""
        return self.own is not None and not self.lender

    @property
    def key(self) -> str:
        """What names it in addresses and forms."""
        return f"own-{self.own.pk}" if self.own else f"{self.system.slug}-{self.entry.kind}-{self.entry.id}"


@dataclass(frozen=True)
class Filters:
    """What a search asks for."""

    q: str = ""
    game: str = ""
    kind: str = ""
    age: str = ""
    trait: str = ""
    most: int | None = None
    own: bool = False


def find_shelves() -> list[System]:
    """The games that have a catalogue."""
    return [system for system in find_games() if system.catalogue]


def find_things(owner: User, systems: Iterable[System]) -> list[Thing]:
    """Everything of these games: one's own and what one's GMs share first."""
    known = {system.slug: system for system in systems}
    rows = find_visible(owner).filter(system__in=known)
    made = [thing for item in rows if (thing := as_thing(known[item.system], item, owner))]
    return made + [
        Thing(s, entry) for s in known.values() if s.catalogue for entry in s.catalogue.find_entries()
    ]


def as_thing(system: System, item: OwnItem, viewer: User) -> Thing | None:
    """Somebody's own item as a thing; None if its record fits the schema no more."""
    catalogue = system.catalogue
    if catalogue is None or find_record_problems(catalogue, item.kind, item.record):
        return None
    lender = "" if item.owner_id == viewer.pk else item.owner.get_username()
    return Thing(system, catalogue.describe(item.kind, item.record), item, lender)


def find_thing(owner: User, key: str) -> Thing | None:
    """The thing a key names, if this person may see it."""
    word, _, rest = key.partition("-")
    systems = {system.slug: system for system in find_shelves()}
    if word == "own" and rest.isdecimal() and len(rest) < 15:
        item = find_visible(owner).filter(pk=int(rest)).first()
        return as_thing(systems[item.system], item, owner) if item and item.system in systems else None
    kind, _, entry_id = rest.partition("-")
    system = systems.get(word)
    entry = system.catalogue.find_entry(kind, entry_id) if system and system.catalogue else None
    return Thing(system, entry) if system and entry else None


def search(things: Iterable[Thing], filters: Filters) -> list[Thing]:
    """The things that match every word and every filter."""
    words = filters.q.casefold().split()
    return [thing for thing in things if _fits(thing, filters) and _has_all(thing, words)]


def _fits(thing: Thing, filters: Filters) -> bool:
    entry = thing.entry
    return (
        (not filters.own or thing.is_mine)
        and filters.game in ("", thing.system.slug)
        and filters.kind in ("", entry.kind)
        and filters.age in ("", entry.age)
        and (not filters.trait or filters.trait in entry.traits)
        and (filters.most is None or (entry.price is not None and entry.price <= filters.most))
    )


def _has_all(thing: Thing, words: list[str]) -> bool:
    entry = thing.entry
    text = f"{entry.name} {thing.kind.label} {entry.age} {' '.join(entry.traits)} {entry.summary}".casefold()
    return all(word in text for word in words)


def compare(things: list[Thing]) -> list[tuple[Column, list[Any], bool]]:
    """Column by column the figures side by side, and whether they differ; what none has is left out."""
    columns: dict[str, Column] = {}
    for thing in things:
        for column in thing.kind.columns:
            columns.setdefault(column.key, column)
    rows = []
    for column in columns.values():
        values = [value_of(thing.entry.record, column.key) for thing in things]
        if any(value not in (None, "", 0, False, [], ()) for value in values):
            rows.append((column, values, any(value != values[0] for value in values)))
    return rows
