"""What a search offers, and how well it fits the words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from characters.models import Character
from combat.display.combatants.tokens import Look

MOST = 12  # shown of each kind


@dataclass(frozen=True)
class Hit:
    """Something to find: its name, its address, and a few words about it.

    `also` is searched and not shown. `is_rule`: a page that has the rulebook beside it opens it there. What
    it is: the short name of its `game`, the `look` of a combatant, a `character` with a face.
    """

    name: str
    address: str
    about: str = ""
    also: str = ""
    is_rule: bool = False
    game: str = ""
    look: Look | None = None
    character: Character | None = None


@dataclass(frozen=True)
class Kind:
    """What was found of one kind, the best first; `more` were left out."""

    title: str
    hits: tuple[Hit, ...]
    more: int = 0


def choose(title: str, words: Sequence[str], offered: Iterable[Hit]) -> Kind:
    """The hits that have every word, in any order; `words` are casefolded.

    Words that begin a word of the name come first, then those that begin one beside it, then those inside.
    """
    rated = [(rate, hit) for hit in offered if (rate := _rate(hit, words)) is not None]
    rated.sort(key=lambda one: one[0])
    return Kind(title, tuple([hit for _, hit in rated[:MOST]]), max(0, len(rated) - MOST))


def _rate(hit: Hit, words: Sequence[str]) -> int | None:
    """How far the words are from the beginnings of the name's: 0 is best; None if one is missing."""
    name, everything = hit.name.casefold(), f"{hit.name} {hit.about} {hit.also}".casefold()
    if not all(word in everything for word in words):
        return None
    return sum(0 if _begins(word, name) else 1 if _begins(word, everything) else 2 for word in words)


def _begins(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}", text) is not None
