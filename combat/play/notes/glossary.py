"""Everything that notes can name at one table: stat blocks, own NPCs, items, sides, zones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from combat.rules.core.declaration.system import System
from combat.rules.core.sheets.catalogue import Entry
from combat.rules.core.state.state import State, present

from .names import Named, find_named, find_stems, find_tail, name_it

# The usual sides: of enemies, of player characters, of nobody. The core joins enemies by default
ENEMIES, ALLIES, NEUTRAL = "enemies", "allies", "neutral"
# The words that people write for a side, by what they mean
OWN_WORDS = (
    "ally",
    "allies",
    "allied",
    "friends",
    "friendly",
    "friendlies",
    "heroes",
    "party",
    "ours",
    "crew",
)
FOE_WORDS = ("foe", "foes", "enemy", "enemies", "hostile", "hostiles", "opponents", "opposition", "theirs")
NEUTRAL_WORDS = ("neutral", "neutrals", "neither side", "bystanders", "nobody's side")
UNUSED_KINDS = ("ammo", "mount")  # what nobody is armed with


@dataclass(frozen=True)
class Source:
    """What someone can be made from: a stat block of the game, or an NPC of the GM's own.

    `mark` is the mark of an own NPC's combatants.
    """

    key: str
    name: str
    summary: str
    sheet: Mapping[str, Any] = field(hash=False)
    mark: str = ""


@dataclass(frozen=True)
class Glossary:
    """The names that notes can use: `sides` and `zones` by the words for them.

    `there` are the sides so far, which people can be named like.
    """

    system: System
    sources: dict[str, Source]
    people: tuple[Named, ...]
    items: tuple[Named, ...]
    entries: dict[str, Entry]
    sides: dict[str, str]
    zones: dict[str, str]
    there: tuple[str, ...] = ()

    def find_items(self, words: str, *, usual: bool = False) -> tuple[Entry, ...]:
        """The items that words may mean; with `usual` the one that a common word of the game means."""
        said = " ".join(words.casefold().replace("-", " ").split())
        names = self.system.book.imports.item_names
        common = names.get(said) or names.get(said.removesuffix("s")) or ""
        tried = (common,) if usual else (words, words.removesuffix(" armor"), common)
        found: tuple[Named, ...] = next(filter(None, (find_named(one, self.items) for one in tried)), ())
        return tuple(self.entries[one.key] for one in found)

    def find_people(self, words: str) -> tuple[Named, ...]:
        """Those whom words may mean: by their name, else by a common word of the game."""
        found = find_named(words, self.people)
        if len(found) == 1:
            return found
        meant = self.system.book.imports.people_names
        said = find_stems(words)
        block = next((key for word, key in meant.items() if find_stems(word) == said), "")
        return tuple(one for one in self.people if one.key == block) or found

    def find_end(self, words: str) -> Named | None:
        """Whom the last words of a name mean, or a common word at either end: “Captain Vox”."""
        if tail := find_tail(words, self.people):
            return tail
        said = words.split()
        if not said:
            return None
        tried = [said[-1], said[0]] if all(word[0].isupper() for word in said) else said[-1:]
        common = {find_stems(word) for word in self.system.book.imports.people_names}
        meant = (self.find_people(word) for word in tried if len(said) > 1 and find_stems(word) in common)
        return next((found[0] for found in meant if len(found) == 1), None)

    def find_side_of(self, words: str) -> str:
        """The side that is called like these people: “8 criminals” join the criminals; else none."""
        return next((side for side in self.there if find_stems(side) == find_stems(words)), "")


def make_glossary(
    system: System, state: State, own_side: str, npcs: Iterable[Source] = (), enemies: str = ENEMIES
) -> Glossary:
    """The names of a table; own NPCs go before stat blocks of the same name."""
    blocks = (
        Source(block.id, block.name, f"{block.tier}: {block.summary}", block.sheet)
        for block in system.book.find_blocks().values()
        if not block.option or system.option(state, block.option)
    )
    sources = {one.key: one for one in (*npcs, *blocks)}
    people = tuple(name_it(one.key, one.name) for one in sources.values())
    entries = _find_entries(system)
    items = tuple(name_it(key, entry.name) for key, entry in entries.items())
    sides = dict.fromkeys(OWN_WORDS, own_side) | dict.fromkeys(FOE_WORDS, enemies)
    sides |= dict.fromkeys(NEUTRAL_WORDS, next(iter(system.tactics.neutral), NEUTRAL))
    there = tuple(dict.fromkeys(one.side for one in present(state)))
    sides |= {side.casefold(): side for side in there}
    zones = {zone.name.casefold(): zone.id for zone in state.scene.zones}
    return Glossary(
        system, sources, people, items=items, entries=entries, sides=sides, zones=zones, there=there
    )


def _find_entries(system: System) -> dict[str, Entry]:
    """The items of a game's catalogue by kind and id."""
    entries = system.book.catalogue.find_entries() if system.book.catalogue else ()
    return {f"{one.kind}/{one.id}": one for one in entries if one.kind not in UNUSED_KINDS}
