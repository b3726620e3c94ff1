"""Everything that notes can name at one table: stat blocks, own NPCs, items, sides, zones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from combat.rules.core.basics.checking import plain_quotes
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.aliases import real_name
from combat.rules.core.passengers import find_aboard
from combat.rules.core.sheets.catalogue import Entry
from combat.rules.core.sheets.sheets import ME
from combat.rules.core.state.state import State, is_played, present

from .pieces import FOE, NOBODY, OWN, TITLES_OF, is_plain_name

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
class Carrier:
    """Someone here whom others can be inside, such as a vehicle, with room for some more."""

    id: str
    name: str
    side: str
    room: int


@dataclass(frozen=True)
class Glossary:
    """The names that notes can use: `sides` and `zones` by the words for them.

    `there` are the sides so far, which people can be named like; `players` is how many player characters
    are there, `carriers` are those whom others can be inside.
    """

    system: System
    sources: dict[str, Source]
    people: tuple[Named, ...]
    items: tuple[Named, ...]
    entries: dict[str, Entry]
    sides: dict[str, str]
    zones: dict[str, str]
    there: tuple[str, ...] = ()
    players: int = 0
    carriers: tuple[Carrier, ...] = ()

    @cached_property
    def _common(self) -> frozenset[tuple[str, ...]]:
        return frozenset(find_stems(word) for word in self.system.book.imports.people_names)

    @cached_property
    def _item_names(self) -> dict[tuple[str, ...], str]:
        return {find_stems(word): name for word, name in self.system.book.imports.item_names.items()}

    def name_side(self, means: str) -> str:
        """The side of this table that the players, their enemies or nobody is on; "" for anything else."""
        words = {OWN: OWN_WORDS[0], FOE: FOE_WORDS[0], NOBODY: NEUTRAL_WORDS[0]}
        return self.sides[words[means]] if means in words else ""

    def has_kind(self, kind: str) -> bool:
        """Whether the catalogue has things of a kind."""
        return any(entry.kind == kind for entry in self.entries.values())

    def find_items(self, words: str, *, usual: bool = False) -> tuple[Entry, ...]:
        """The items that words may mean; with `usual` the one that a common word of the game means."""
        common = self._item_names.get(find_stems(words), "")
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

    def find_who(self, words: str) -> Named | None:
        """The one whom words mean, by their whole or their end."""
        known = self.find_people(words)
        if len(known) == 1:
            return known[0]
        return None if known else self.find_end(words)

    def find_end(self, words: str) -> Named | None:
        """Whom the last words of a name mean, or a common word at either end: “Captain Vox”."""
        said = words.split()
        if not is_plain_name(said):
            return None
        if tail := find_tail(words, self.people):
            return tail
        if not said:
            return None
        if start := self._find_start(said):
            return start
        first = said[0].strip(".").casefold()
        titled = all(word[0].isupper() or not word[0].isalpha() for word in said)
        tried = [said[-1], TITLES_OF.get(first, said[0])] if titled else said[-1:]
        common = self._common
        meant = (self.find_people(word) for word in tried if len(said) > 1 and find_stems(word) in common)
        return next((found[0] for found in meant if len(found) == 1), None)

    def _find_start(self, said: list[str]) -> Named | None:
        """Whom the first words mean, before a name with capitals: “Pirate captain Oda Brenn”."""
        for length in range(len(said) - 1, 0, -1):
            stems = find_stems(" ".join(said[:length]))
            named = all(word[0].isupper() for word in said[length:])
            if found := next((one for one in self.people if named and one.stems == stems), None):
                return found
            if named and length == 1 and said[0].islower() and stems in self._common:  # “boss Vex”
                return next(iter(self.find_people(said[0])), None)
        return None

    def find_carrier(self, words: str) -> Source | None:
        """The stat block that words mean, if others can be inside what it makes."""
        found = self.find_people(words) if self.system.actions.aboard else ()
        if len(found) != 1:
            return None
        source = self.sources[found[0].key]
        made = self.system.characters.make_combatant(
            ME, source.name, "", dict(source.sheet), self.system.begin().options
        )
        return source if self.system.actions.carries(made) else None

    def find_carriers(self, words: str) -> tuple[Carrier, ...]:
        """Those here whom others can be inside and words may mean."""
        return tuple(one for one in self.carriers if self.is_named(one.name, words))

    def is_named(self, name: str, words: str) -> bool:
        """Whether words are a name, or the end of it: “the car” is the Black car, or Ground Car 2."""
        said, stems = find_stems(words), find_stems(name)
        bare = stems[:-1] if stems[-1:] and stems[-1].isdecimal() else stems
        return bool(said) and any(one[-len(said) :] == said for one in (stems, bare))

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
    players = sum(is_played(state, one) for one in present(state))
    return Glossary(
        system,
        sources,
        people,
        items=items,
        entries=entries,
        sides=sides,
        zones=zones,
        there=there,
        players=players,
        carriers=_find_carriers(system, state),
    )


def _find_carriers(system: System, state: State) -> tuple[Carrier, ...]:
    """Those at a table whom others can be inside, each with how many more it has places for."""
    aboard = system.actions.aboard
    return tuple(
        Carrier(one.id, real_name(one), one.side, aboard.count_places(one) - len(find_aboard(state, one.id)))
        for one in present(state)
        if aboard and system.actions.carries(one)
    )


def _find_entries(system: System) -> dict[str, Entry]:
    """The items of a game's catalogue by kind and id."""
    entries = system.book.catalogue.find_entries() if system.book.catalogue else ()
    return {f"{one.kind}/{one.id}": one for one in entries if one.kind not in UNUSED_KINDS}


# Names as people write them: plurals, parts of a name, near misses.


MAX_COMPARED = 60  # characters of a name that are compared
MAX_WORDS = 6  # of a name that are compared one by one
MAX_NEAR = 4  # names that are suggested
CLOSE, CLOSE_WORD = 0.65, 0.75  # how much alike names and words are
ARTICLES = ("a", "an", "the")
BRACKETS = re.compile(r"\([^()]*\)")
WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Named:
    """Something with a name: its key, its name, and the stems of the name's words."""

    key: str
    name: str
    stems: tuple[str, ...]


def name_it(key: str, name: str) -> Named:
    """A thing that can be found by its name; words in brackets are not part of it."""
    return Named(key, name, find_stems(BRACKETS.sub("", name)))


def find_stem(word: str) -> str:
    """A word without the endings of plurals, the same for "knife" and "knives"."""
    word = word.casefold().replace("armour", "armor")
    if word.endswith("men"):
        word = f"{word[:-3]}man"
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if len(word) > 2 and word.endswith("e"):
        word = word[:-1]
    if len(word) > 2 and word[-1] in "yv":
        word = word[:-1] + {"y": "i", "v": "f"}[word[-1]]
    return word[:-1] if word.endswith("ff") else word  # “staff” and “staves”


def find_stems(words: str) -> tuple[str, ...]:
    """The stems of all words of a name, without articles."""
    said = WORD.findall(plain_quotes(words).casefold().replace("'", ""))
    return tuple(find_stem(word) for word in said if word not in ARTICLES)


def find_named(words: str, named: Sequence[Named]) -> tuple[Named, ...]:
    """What a name means: the one with just these words, else all whose names contain them.

    Of these, those that end in the last word go first, so "guard" is no "guard dog".
    """
    said = find_stems(words)
    if not said:
        return ()
    full = " ".join(plain_quotes(words).casefold().split())
    exact = [one for one in named if plain_quotes(one.name).casefold() == full] or [
        o for o in named if o.stems == said
    ]
    if exact:
        return tuple(exact[:1])
    holding = [one for one in named if set(said) <= set(one.stems)]
    return tuple([one for one in holding if one.stems[-1] == said[-1]] or holding)


def find_tail(words: str, named: Sequence[Named]) -> Named | None:
    """What the last words of a name mean exactly: "drunk pirates" are pirates."""
    said = find_stems(words)[-MAX_WORDS:]
    tails = (said[at:] for at in range(1, len(said)))
    return next((one for tail in tails for one in named if one.stems == tail), None)


def find_near(words: str, named: Sequence[Named]) -> tuple[Named, ...]:
    """The names that someone may have meant, the nearest first."""
    said = find_stems(words[:MAX_COMPARED])[:MAX_WORDS]
    by_name = {" ".join(one.stems): one for one in named}
    names = get_close_matches(" ".join(said), by_name, n=MAX_NEAR, cutoff=CLOSE)
    found = [by_name[name] for name in names]
    known = {stem for one in named for stem in one.stems}
    for word in reversed(said):
        for near in get_close_matches(word, known, n=2, cutoff=CLOSE_WORD) if len(word) > 2 else ():
            found += [one for one in named if near in one.stems]
        found += [
            one for one in named if one.stems and word.endswith(one.stems[-1]) and len(one.stems[-1]) > 3
        ]
    return tuple(_once(found))[:MAX_NEAR]


def has_own_name(words: str, one: Named) -> bool:
    """Whether someone has a name besides that of a stat block: "Captain Vox" for a pirate captain."""
    said = [word for word in WORD.findall(words[:MAX_COMPARED]) if word[0].isupper()][:MAX_WORDS]
    return any(not get_close_matches(find_stem(word), one.stems, n=1, cutoff=CLOSE_WORD) for word in said)


def _once(found: Iterable[Named]) -> Iterable[Named]:
    return {one.key: one for one in found}.values()
