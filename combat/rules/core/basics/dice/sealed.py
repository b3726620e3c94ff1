"""Provable dice: every face follows from a secret whose digest was published before any roll.

The seal is the SHA-256 of the secret (64 hexadecimal digits, as text). The bytes of a roll are HMAC-SHA256,
with the secret as text for its key, over "SEAL:ROLL:BLOCK:WORDS": the first 16 digits of the seal, the name
of the roll, 0 for the first 32 bytes, 1 for the next and so on, and the players' own words. The name is the
roll's number; rolls that some may not see have their own series, whose name comes first ("f3.7"), so public
numbers have no gaps; so do free dice ("dice.1"), which are public. A die of up to 256 sides takes the next
byte, a bigger one the next two; values at or above the highest multiple of its sides are skipped, so that all
faces are equally likely.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import count

import msgspec

from .dice import parse_dice

SEAL_DIGITS = 16  # of the seal; they separate the messages of different secrets


class Drawn(msgspec.Struct, frozen=True):
    """The faces of a sealed handful, and its number in its series."""

    faces: tuple[int, ...]
    number: int
    series: str = ""


class SealedDice:
    """The dice of one secret, for one command: `words` are the players' words at its start.

    `rolled` is the number of the last public roll, `secret_rolls` that of each other series; they only grow.
    """

    def __init__(
        self, secret: str, rolled: int, words: str = "", secret_rolls: Mapping[str, int] | None = None
    ) -> None:
        self.secret = secret
        self.rolled = rolled
        self.words = words
        self.secret_rolls = dict(secret_rolls or {})

    def throw(self, notation: str, series: str = "") -> Drawn:
        """The next handful of a series; of the public one if it has no name."""
        if series:
            number = self.secret_rolls[series] = self.secret_rolls.get(series, 0) + 1
        else:
            number = self.rolled = self.rolled + 1
        return Drawn(draw_faces(self.secret, name_roll(number, series), self.words, notation), number, series)


def name_roll(number: int, series: str = "") -> str:
    """The unique name of a roll of one secret: its number, after the name of a secret series."""
    return f"{series}.{number}" if series else str(number)


def make_seal(secret: str) -> str:
    """The seal to publish before the first roll: the SHA-256 of a secret, in hexadecimal digits."""
    return sha256(secret.encode()).hexdigest()


def make_message(seal: str, roll: int | str, words: str, block: int = 0) -> str:
    """The text whose HMAC is the bytes of a roll."""
    return f"{seal[:SEAL_DIGITS]}:{roll}:{block}:{words}"


def draw_faces(secret: str, roll: int | str, words: str, notation: str) -> tuple[int, ...]:
    """The faces of the roll with this name; ValueError for invalid dice notation."""
    dice, seal = parse_dice(notation), make_seal(secret)
    drawn = _draw_bytes(secret, seal, roll, words)
    return tuple(_draw_face(drawn, dice.sides) for _ in range(dice.count))


def _draw_bytes(secret: str, seal: str, roll: int | str, words: str) -> Iterator[int]:
    for block in count():
        message = make_message(seal, roll, words, block)
        yield from hmac.digest(secret.encode(), message.encode(), "sha256")


def _draw_face(drawn: Iterator[int], sides: int) -> int:
    span = 256 if sides <= 256 else 65_536
    for first in drawn:
        value = first if span == 256 else first * 256 + next(drawn)
        if value < span - span % sides:
            return value % sides + 1
    raise AssertionError("the bytes never end")
