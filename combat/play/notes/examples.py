"""The example of notes that a page prints: made of the blocks and items of the game it is about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import remember
from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import Entry
from combat.rules.core.sheets.sheets import ME

from .arming import arm
from .glossary import Glossary, Source, find_named, make_glossary

ARMS = 2  # items in the example


@remember
def make_example(system: System) -> str:
    """Such as “4 pirates with sword and pistol, 1 captain; 2 marines (allies)”."""
    glossary = make_glossary(system, system.begin(), "")
    many, one, two = _list_plain(glossary)
    arms = " and ".join(entry.name.lower() for entry in _find_arms(glossary, many))
    having = f" with {arms}" * bool(arms)
    return f"4 {many.name.lower()}s{having}, 1 {one.name.lower()}; 2 {two.name.lower()}s (allies)"


def make_short_example(system: System) -> str:
    """Such as “4 pirates, 1 captain”."""
    many, one, _ = _list_plain(make_glossary(system, system.begin(), ""))
    return f"4 {many.name.lower()}s, 1 {one.name.lower()}"


def _list_plain(glossary: Glossary) -> list[Source]:
    """Three blocks with simple names, those of one word first: no name could mean another block."""
    plain = [one for one in glossary.sources.values() if one.name.replace(" ", "").isalpha()]
    known = glossary.people
    meant = [one for one in plain if [named.key for named in find_named(f"{one.name}s", known)] == [one.key]]
    return (sorted(meant, key=lambda one: len(one.name.split())) * 3)[:3]


def _find_arms(glossary: Glossary, source: Source) -> list[Entry]:
    """Items of other blocks that this one can have."""
    found: list[Entry] = []
    for entry in _list_items(glossary, source):
        with suppress(Refused):
            arm(glossary.system, source.name, dict(source.sheet), [(one, 1) for one in (*found, entry)])
            found.append(entry)
        if len(found) == ARMS:
            break
    return found


def _list_items(glossary: Glossary, source: Source) -> Iterator[Entry]:
    """The items of the other blocks, each once, as far as a catalogue has them under a name of their own."""
    system, seen = glossary.system, set()
    for other in glossary.sources.values():
        made = system.characters.make_combatant(ME, other.name, "", dict(other.sheet), system.begin().options)
        for item in made.items:
            named = glossary.find_items(item.name.lower()) if item.name.replace(" ", "").isalpha() else ()
            if other != source and len(named) == 1 and item.name not in seen:
                seen.add(item.name)
                yield named[0]
