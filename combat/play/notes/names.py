"""Names as people write them: plurals, parts of a name, near misses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from combat.rules.core.basics.checking import plain_quotes

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
    return word


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
