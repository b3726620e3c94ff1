"""Names: those that people confuse, names of copies, and ids of what is new."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable
from hashlib import blake2b
from itertools import count

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
FEWEST, MOST = 10**8, 10**9  # of nine digits, so that no numbered id is among them
NUMBERED = re.compile(r"(?P<base>.*\S)\s+(?P<number>\d{1,4})")
MARKED = re.compile(r"(?P<base>.*\S)\s+\(copy(?: (?P<number>\d{1,4}))?\)")


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


# Names of copies, and ids of what is new.


def name_copy(name: str, taken: Container[str], most: int) -> str:
    """The name with the next free number, of at most `most` letters: “Bay” → “Bay 2” → “Bay 3”."""
    found = NUMBERED.fullmatch(name)
    base, number = (found["base"], int(found["number"])) if found else (name, 1)
    numbered = (f"{base[: most - 1 - len(str(n))]} {n}" for n in count(number + 1))
    return next(each for each in numbered if each not in taken)


def mark_copy(name: str, taken: Container[str], most: int) -> str:
    """The name with the next free mark of a copy, of at most `most` letters; its own number stays.

    “Berth 3” → “Berth 3 (copy)” → “Berth 3 (copy 2)”.
    """
    found = MARKED.fullmatch(name)
    base, number = (found["base"], int(found["number"] or 1)) if found else (name, 0)
    marks = (f" (copy {n})" if n > 1 else " (copy)" for n in count(number + 1))
    marked = (f"{base[: most - len(mark)].rstrip()}{mark}" for mark in marks)
    return next(each for each in marked if each not in taken)


def number_name(name: str, taken: Container[str], most: int, first: int = 1) -> str:
    """The name with the first free number from `first`, of at most `most` letters; 0: without one if free."""
    numbered = (f"{name[: most - 1 - len(str(n))]} {n}" if n else name for n in count(first))
    return next(each for each in numbered if each not in taken)


def make_id(kind: str, seed: str, number: int, taken: Container[str]) -> str:
    """A new id from the seed of a command; without a seed, the one with this number."""
    fresh = f"{kind}{_scatter(seed, number) if seed else number}"
    return make_id(kind, seed, number + 1, taken) if fresh in taken else fresh


def _scatter(seed: str, number: int) -> int:
    digest = blake2b(f"{seed}.{number}".encode(), digest_size=8).digest()
    return FEWEST + int.from_bytes(digest) % (MOST - FEWEST)
