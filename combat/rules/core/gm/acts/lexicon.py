"""The words that an act is read by: classes of things, and what says which kind of sentence it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path

from ...basics.data import read_toml

FOLDER = Path(__file__).parent
ENDINGS = ("es", "ed", "ing")
WORDS_KEPT = 5000  # what was typed is remembered for a while, not for ever
SIZES = ("light", "usual", "heavy", "huge")  # of things, and of what they do


@cache
def load_words(table: str) -> Mapping[str, frozenset[str]]:
    """The classes of one table of the lexicon, each with its words."""
    content = read_toml(FOLDER / "lexicon.toml")
    return {name: frozenset(words.split()) for name, words in content[table].items()}


@cache
def load_things() -> Mapping[str, frozenset[str]]:
    """The classes of things by name; `thing` is whatever has a size, `big` what is more than light."""
    things = dict(load_words("things"))
    things["bystanders"] = load_words("sentence")["bystanders"]
    big = things["usual"] | things["heavy"] | things["huge"] | things["blast"]
    return {**things, "big": big, "thing": big | things["light"]}


@cache
def load_all_things() -> frozenset[str]:
    """The words of all classes of things."""
    return frozenset().union(*load_things().values())


@cache
def load_short() -> Mapping[str, str]:
    """What is written short in a hurry, and the word for it."""
    return dict(one.split("=") for one in load_words("sentence")["short"])


@cache
def load_compounds() -> Mapping[tuple[str, ...], str]:
    """All that is written in several words, by them: each joined by hyphens, such as "as-soon-as"."""
    tables = (load_words("things"), load_words("sentence"))
    words = {word for table in tables for each in table.values() for word in each}
    return {tuple(word.split("-")): word for word in words if "-" in word and "=" not in word}


def says(kind: str, words: Iterable[str]) -> bool:
    """Whether one of the words says that a sentence is of this kind."""
    return not load_words("sentence")[kind].isdisjoint(words)


@lru_cache(WORDS_KEPT)
def find_size(word: str) -> str:
    """How big the thing of a word is; "" for what is no thing."""
    sizes, things = load_words("sizes"), load_things()
    return next((size for size in reversed(SIZES) if any(word in things[kind] for kind in sizes[size])), "")


@lru_cache(WORDS_KEPT)
def find_stems(word: str) -> tuple[str, ...]:
    """A word, and what it may be a form of: "throws", "throwing", "grabbed", "tries"."""
    return tuple(dict.fromkeys(_list_stems(word)))


def _list_stems(word: str) -> Iterator[str]:
    yield word
    if word.endswith("s") and (len(word) > 2 or word[0].isdigit()):  # "thug 2s gun"
        yield word[:-1]
    for ending in ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 1:
            yield stem
            yield f"{stem}e"
            if stem[-1] == stem[-2:-1]:
                yield stem[:-1]
    if word.endswith(("ies", "ied")):
        yield f"{word[:-3]}y"
    if "-" in word:
        yield from _list_stems(word.rpartition("-")[2])  # a judo-throw is a throw
