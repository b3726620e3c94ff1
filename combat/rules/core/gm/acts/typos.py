"""Slips of the keyboard: a word that nobody knows is taken for a known one that is nearly the same.

What is English is never taken for something else. `english.txt` has its words without their forms; it is
made of the list `american-english-small` of SCOWL (see NOTICE).
"""

from __future__ import annotations

from collections.abc import Collection
from difflib import SequenceMatcher, get_close_matches
from functools import cache, lru_cache

from .lexicon import FOLDER, WORDS_KEPT, find_stems

SHORTEST = 4  # letters of a word that can be mistyped so that it is still known
NEAR, NEARLY = 0.74, 0.8  # how alike two words are, of 1: with the same letters, and without


@cache
def load_english() -> frozenset[str]:
    """English words, without those that are forms of others."""
    return frozenset((FOLDER / "english.txt").read_text(encoding="utf-8").split())


@lru_cache(WORDS_KEPT)
def is_english(word: str) -> bool:
    """Whether a word, or what it is a form of, is English."""
    return not load_english().isdisjoint(find_stems(word))


def repair(word: str, known: Collection[str], verbs: Collection[str] = ()) -> str:
    """The known word that is meant by a mistyped one, of two as near one of the `verbs`.

    The word itself if none is meant, or if it is English.
    """
    if len(word) < SHORTEST or not word.isalpha() or is_english(word):
        return word
    if not known_forms(word).isdisjoint(known):
        return word
    same = [one for one in known if one[0] == word[0]]
    found = get_close_matches(word, same, cutoff=NEAR)
    for near in sorted(found, key=lambda one: (sorted(one) != sorted(word), one not in verbs)):
        if sorted(near) == sorted(word) or SequenceMatcher(None, word, near).ratio() >= NEARLY:
            return near
    return word


def known_forms(word: str) -> frozenset[str]:
    """A word and what it may be a form of."""
    return frozenset(find_stems(word))
