"""Names that people confuse: same but for capitals, accents, invisible signs, or similar characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# Characters that look like a Latin one; capital and small Greek or Cyrillic may look like different ones
_TAKEN_FOR = {
    "a": "аАαΑɑ",
    "b": "вВβΒЬь",
    "c": "сСϲϹ",
    "d": "ԁԀ",
    "e": "еЕεΕєЄ",
    "g": "ԍԌɡ",
    "h": "нНΗһҺ",
    "j": "јЈϳ",
    "k": "кКκΚ",
    "l": "iI1|!іІΙιӏӀїıƖ",
    "m": "мМΜ",
    "n": "Νηп",
    "o": "0оОοΟσөՕօ",
    "p": "рРρΡ",
    "q": "ԛԚ",
    "r": "гɾ",
    "s": "ѕЅ5$",
    "t": "тТτΤ",
    "u": "υμ",
    "v": "νѵѴ",
    "w": "ԝԜωшШ",
    "x": "хХχΧ",
    "y": "уУγΥүҮ",
    "z": "ζΖ",
}
_LETTERS = {ord(sign): letter for letter, signs in _TAKEN_FOR.items() for sign in signs}
_WORD = re.compile(r"[\W_]+")
OF_THE_GM = ("GM", "co-GM", "game master", "gamemaster")


def find_looks(name: str) -> frozenset[str]:
    """The looks of a name, as typed, in capitals and in lower case; two names that share one look alike.

    The long s ſ is an s, and looks like an f.
    """
    plain = unicodedata.normalize("NFKC", name)
    with_f = unicodedata.normalize("NFD", name).replace("ſ", "f")
    every = (plain, plain.upper(), plain.casefold(), with_f)
    return frozenset(look for each in every if (look := _fold(each)))


def _fold(text: str) -> str:
    """The letters and digits of a text, each as the plain Latin one it looks like."""
    plain = unicodedata.normalize("NFKD", text).translate(_LETTERS)
    bare = "".join(sign for sign in plain if unicodedata.category(sign)[0] in "LN")
    return bare.casefold().translate(_LETTERS)


def is_alike(name: str, others: Iterable[str]) -> bool:
    """Whether a name looks like one of these."""
    looks = find_looks(name)
    return any(looks & find_looks(other) for other in others)


def claims_gm(name: str) -> bool:
    """Whether a name, or a word of it, claims to be the game master."""
    words = _WORD.split(unicodedata.normalize("NFKC", name))
    return is_alike(name, OF_THE_GM) or any(is_alike(word, OF_THE_GM) for word in words if word)
