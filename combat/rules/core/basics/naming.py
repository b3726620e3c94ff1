"""Names of copies, and ids of what is new."""

from __future__ import annotations

import re
from collections.abc import Container
from hashlib import blake2b
from itertools import count

FEWEST, MOST = 10**8, 10**9  # of nine digits, so that no numbered id is among them
NUMBERED = re.compile(r"(?P<base>.*\S)\s+(?P<number>\d{1,4})")


def name_copy(name: str, taken: Container[str], most: int) -> str:
    """The name with the next free number, of at most `most` letters: “Bay” → “Bay 2” → “Bay 3”."""
    found = NUMBERED.fullmatch(name)
    base, number = (found["base"], int(found["number"])) if found else (name, 1)
    numbered = (f"{base[: most - 1 - len(str(n))]} {n}" for n in count(number + 1))
    return next(each for each in numbered if each not in taken)


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
