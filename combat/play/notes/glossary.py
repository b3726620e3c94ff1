"""Everything that notes can name at one table: stat blocks, own NPCs, items, sides, zones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from characters.games import make_combatant
from combat.rules.core.basics.checking import plain_quotes
from combat.rules.core.basics.folding import fold_text
from combat.rules.core.basics.memory import remember
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.aliases import real_name
from combat.rules.core.passengers import find_aboard
from combat.rules.core.sheets.catalogue import Entry
from combat.rules.core.state.state import State, is_played, present

from .pieces import is_plain_name, is_titled
from .words import DOES, FOE, GATHERINGS, NOBODY, OWN, PLACES, SIDES, TITLES_OF

# The usual sides: of enemies, of player characters, of nobody. The core joins enemies by default
ENEMIES, ALLIES, NEUTRAL = "enemies", "allies", "neutral"
UNUSED_KINDS = ("ammo", "mount")  # what nobody is armed with
MAX_COMPARED = 60  # characters of a name that are compared
MAX_WORDS = 6  # of a name that are compared one by one
MIN_SLIP = 5  # letters of a word that may have a slip
MAX_NEAR = 4  # names that are suggested
CLOSE, CLOSE_WORD = 0.65, 0.75  # how much alike names and words are
ARTICLES = ("a", "an", "the", "of")  # words that name nothing
BRACKETS = re.compile(r"\([^()]*\)")
WORD = re.compile(r"[^\W_]+")


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
    title: str
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
    def _common(self) -> dict[tuple[str, ...], str]:
        names = self.system.book.imports.people_names
        return {find_stems(word): key for word, key in names.items()}

    @cached_property
    def places(self) -> dict[str, str]:
        """The zones by their names, and by the end of a name that no other has: “hold” is the Cargo hold."""
        ends: dict[str, set[str]] = {}
        for name, zone in self.zones.items():
            words = name.split()
            for at in range(1, len(words)):
                if not words[-1].isdecimal():
                    ends.setdefault(" ".join(words[at:]), set()).add(zone)
        return {end: min(zones) for end, zones in ends.items() if len(zones) == 1} | self.zones

    def has_word(self, word: str) -> bool:
        """Whether a word alone means someone."""
        stems = find_stems(word)
        return stems in self._common or any(one.stems == stems for one in self.people)

    def name_side(self, means: str) -> str:
        """The side of this table that the players, their enemies or nobody is on; "" for anything else."""
        return self.sides[SIDES[means][0]] if means in SIDES else ""

    def has_kind(self, kind: str) -> bool:
        """Whether the catalogue has things of a kind."""
        return any(entry.kind == kind for entry in self.entries.values())

    def find_items(self, words: str, *, usual: bool = False) -> tuple[Entry, ...]:
        """The items that words may mean; with `usual` the one that a common word of the game means."""
        names = self.system.book.imports.item_names.items()
        common = next((name for word, name in names if find_stems(word) == find_stems(words)), "")
        tried = (common,) if usual else (words, words.removesuffix(" armor"), common)
        found: tuple[Named, ...] = next(filter(None, (find_named(one, self.items) for one in tried)), ())
        if len(found) == 1 and not common and found[0].stems[-1] not in ("armor", *find_stems(words)):
            return ()  # “long range” is no communicator
        return tuple(self.entries[one.key] for one in found)

    def find_people(self, words: str) -> tuple[Named, ...]:
        """Those whom words may mean: by their name, else by a common word of the game."""
        found = find_named(words, self.people)
        if words.casefold() in PLACES and not any(one.name.casefold() == words.casefold() for one in found):
            return ()  # “5 thugs, street”
        if len(found) == 1:
            return found
        block = self._common.get(find_stems(words), "")
        return tuple(one for one in self.people if one.key == block) or found

    def find_who(self, words: str) -> Named | None:
        """The one whom words mean, by their whole or their end."""
        known = self.find_people(words)
        if len(known) == 1:
            return known[0]
        return None if known else self.find_end(words)

    def is_own_name(self, words: str) -> bool:
        """Whether words can only be someone's name."""
        is_like = words[:1].isupper() and is_plain_name(words.split())
        return is_like and not self.find_who(words) and not self.find_items(words)

    def find_end(self, words: str) -> Named | None:
        """Whom the last words of a name mean, or a common word at either end: “Captain Vox”."""
        said = words.split()
        if not said or not is_plain_name(said):
            return self.find_start(words)
        if one := find_tail(words, self.people) or self.find_start(words):
            return one
        titled = all(word[0].isupper() or not word[0].isalpha() for word in said)
        first = TITLES_OF.get(said[0].strip(".").casefold(), said[0])
        tried = [said[-1], first] if titled else said[-1:]
        common = [one for one in tried if len(said) > 1 and find_stems(one) in self._common]
        if said[-1].casefold() in GATHERINGS:  # “Pirate crew”
            common.append(" ".join(said[:-1]))
        return next((found[0] for one in common if len(found := self.find_people(one)) == 1), None)

    def find_start(self, words: str) -> Named | None:
        """Whom the first words mean, before a name with capitals: “Pirate captain Oda Brenn”, “boss Vex”."""
        said = words.split()
        for length in range(len(said) - 1, 0, -1):
            if not is_titled(" ".join(said[length:])) or not is_plain_name(said[length:]):
                return None
            stems = find_stems(" ".join(said[:length]))
            if found := next((one for one in self.people if one.stems == stems), None):
                return found
        is_common = len(said) > 1 and said[0].islower() and find_stems(said[0]) in self._common
        return next(iter(self.find_people(said[0])), None) if is_common else None

    def repair(self, words: str, *, is_item: bool = False) -> str:
        """Words for people, or an item, with their slips of the pen mended; "" without any, or a meaning."""
        known = _find_words(self.items if is_item else self.people)
        mended = " ".join(_repair_word(word, known) for word in words.split())
        found = self.find_items(mended) if is_item else self.find_people(mended)
        return mended if mended != " ".join(words.split()) and len(found) == 1 else ""

    def find_carrier(self, words: str) -> Source | None:
        """The stat block that words mean, if others can be inside what it makes."""
        found = self.find_people(words) if self.system.actions.aboard else ()
        if len(found) != 1:
            return None
        source = self.sources[found[0].key]
        made = make_combatant(self.system, source.name, dict(source.sheet))
        return source if self.system.actions.carries(made) else None

    def find_carriers(self, words: str) -> tuple[Carrier, ...]:
        """Those here whom others can be inside and words may mean."""
        return tuple(one for one in self.carriers if self.is_named(one.title, words))

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
    listed = system.book.catalogue.find_entries() if system.book.catalogue else ()
    entries = {f"{one.kind}/{one.id}": one for one in listed if one.kind not in UNUSED_KINDS}
    items = tuple(name_it(key, entry.name) for key, entry in entries.items())
    called = {OWN: own_side, FOE: enemies, NOBODY: next(iter(system.tactics.neutral), NEUTRAL)}
    sides = {word: called[means] for means, words in SIDES.items() for word in words}
    there = tuple(dict.fromkeys(one.side for one in present(state)))
    sides |= {fold_text(side).casefold(): side for side in there}
    zones = {fold_text(zone.name).lower(): zone.id for zone in state.scene.zones}
    players = sum(is_played(state, one) for one in present(state))
    carriers = _find_carriers(system, state)
    return Glossary(system, sources, people, items, entries, sides, zones, there, players, carriers)


def _find_carriers(system: System, state: State) -> tuple[Carrier, ...]:
    """Those at a table whom others can be inside, each with how many more it has places for."""
    aboard = system.actions.aboard
    return tuple(
        Carrier(one.id, real_name(one), one.side, aboard.count_places(one) - len(find_aboard(state, one.id)))
        for one in present(state)
        if aboard and system.actions.carries(one)
    )


# Names as people write them: plurals, parts of a name, near misses.


@dataclass(frozen=True)
class Named:
    """Something with a name: its key, its name, and the stems of the name's words."""

    key: str
    name: str
    stems: tuple[str, ...]


def name_it(key: str, name: str) -> Named:
    """A thing that can be found by its name; words in brackets are not part of it."""
    return Named(key, name, find_stems(fold_text(BRACKETS.sub("", name))))


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


@remember
def _find_words(named: tuple[Named, ...]) -> tuple[str, ...]:
    """The words of some names, as they are written and without the endings of plurals."""
    said = {word.casefold() for one in named for word in WORD.findall(BRACKETS.sub("", one.name))}
    return tuple(sorted(said | {find_stem(word) for word in said}))


def _repair_word(word: str, known: Sequence[str]) -> str:
    """The known word that a misspelled one means; the word itself if none is near, or if several are."""
    forms = {word.casefold(), find_stem(word)}
    if len(word) < MIN_SLIP or not forms.isdisjoint(known) or word.casefold() in DOES:
        return word
    near = [one for one in known if len(one) >= MIN_SLIP - 1 and any(_is_slip(form, one) for form in forms)]
    return near[0] if len({find_stem(one) for one in near}) == 1 else word


def _is_slip(word: str, other: str) -> bool:
    """Whether words differ by a letter too many, too few or wrong, or two that swapped, but not the first."""
    same = [one == two for one, two in zip(word, other, strict=False)]
    start = [*same, False].index(False)
    one, two = word[start:], other[start:]
    swapped = one[:2] == two[1::-1] and one[2:] == two[2:]
    return bool(start) and (swapped or one[1:] in (two, two[1:]) or one == two[1:])


def find_tail(words: str, named: Sequence[Named]) -> Named | None:
    """What the last words of a name mean exactly: "drunk pirates" are pirates."""
    said = find_stems(words)[-MAX_WORDS:]
    tails = (said[at:] for at in range(1, len(said)))
    return next((one for tail in tails for one in named if one.stems == tail), None)


def find_near(words: str, named: Sequence[Named]) -> tuple[Named, ...]:
    """The names that someone may have meant, the nearest first."""
    said = find_stems(words[:MAX_COMPARED])[:MAX_WORDS]
    by_name = {" ".join(one.stems): one for one in named}
    found = [by_name[name] for name in get_close_matches(" ".join(said), by_name, n=MAX_NEAR, cutoff=CLOSE)]
    known = {stem for one in named for stem in one.stems}
    for word in reversed(said):
        near = get_close_matches(word, known, n=2, cutoff=CLOSE_WORD) if len(word) > 2 else []
        near = [one for one in near if one[0] == word[0]]
        found += [one for one in named if {*one.stems} & {*near}]
        found += [
            one for one in named if one.stems and len(one.stems[-1]) > 3 and word.endswith(one.stems[-1])
        ]
    return tuple({one.key: one for one in found}.values())[:MAX_NEAR]


def has_own_name(words: str, one: Named) -> bool:
    """Whether someone has a name besides that of a stat block: "Captain Vox" for a pirate captain."""
    said = [word for word in WORD.findall(words[:MAX_COMPARED]) if word[0].isupper()][:MAX_WORDS]
    return any(not get_close_matches(find_stem(word), one.stems, n=1, cutoff=CLOSE_WORD) for word in said)
