"""Dice: the only source of chance, and the exact weights of every handful."""

from __future__ import annotations

import hmac
import random
import re
import secrets
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate, count, product

import msgspec

from ..errors import Refused
from ..numbers import plain_signs, say_whole
from ..words import Label

_NOTATION = re.compile(r"(?:(\d{0,4})d(\d{1,5}))?([+-]?\d{1,6})?")
ZERO_COUNTS_ON = (10, 100)  # sides
MAX_DICE = 100
MAX_SIDES = 1000
SEAL_DIGITS = 16  # of the seal; they separate the messages of different secrets


class Dice(msgspec.Struct, frozen=True):
    """A handful of equal dice plus a number, such as 2d10+3."""

    count: int
    sides: int
    plus: int = 0

    def __str__(self) -> str:
        handful = f"{self.count}d{self.sides}" if self.count else ""
        if not self.plus and handful:
            return handful
        return f"{handful}{self.plus:+d}" if handful else str(self.plus)

    @property
    def most(self) -> int:
        """The highest total in points."""
        return self.count * self.sides + self.plus


class Roll(msgspec.Struct, frozen=True):
    """A finished roll: its faces, its source, its roller and its rule.

    `source` is "app" (rolled by the server), "table" (typed by a person) or "odds"; `number` is that of a
    sealed roll in its `series`, 0 for others.
    """

    dice: str
    faces: tuple[int, ...]
    total: int
    source: str
    by: str
    rule: str
    why: Label
    number: int = 0
    series: str = ""

    @property
    def natural(self) -> int:
        """The sum of the faces alone."""
        return sum(self.faces)

    @property
    def plus(self) -> int:
        """The number of the notation that the faces lack to the total; 0 if the dice count another way."""
        lacks = self.total - self.natural
        return lacks if self.faces and lacks == parse_dice(self.dice).plus else 0


@lru_cache(4096)  # people type terms of their own
def parse_dice(notation: str) -> Dice:
    """Read "2d10+3", "d6", "1d8" or a plain number; raises ValueError otherwise."""
    found = _NOTATION.fullmatch(plain_signs(notation).replace(" ", ""))
    if not found or not notation.strip():
        raise ValueError(f"not a dice notation: {notation!r}; write it like 2d10+3")
    count, sides, plus = found.groups()
    dice = Dice(int(count or 1) if sides else 0, int(sides or 1), int(plus or 0))
    if dice.count > MAX_DICE or not 1 <= dice.sides <= MAX_SIDES:
        raise ValueError(f"too many or impossible dice: {notation!r}")
    return dice


def check_faces(notation: str, faces: tuple[int, ...]) -> None:
    """Refuse faces that these dice do not have."""
    dice = parse_dice(notation)
    if len(faces) != dice.count:
        needed = "1 die" if dice.count == 1 else f"{dice.count} dice"
        given = "1 was" if len(faces) == 1 else f"{len(faces)} were"
        raise Refused("bad_dice", f"{dice} needs {needed}, {given} given.")
    if faces and not 1 <= min(faces) <= max(faces) <= dice.sides:
        wrong = next(face for face in faces if not 1 <= face <= dice.sides)
        raise Refused("bad_dice", f"A d{dice.sides} shows 1 to {dice.sides}, not {say_whole(wrong)}.")


def read_zeros(notation: str, faces: tuple[int, ...]) -> tuple[int, ...]:
    """The faces as they count: a 0 on a real ten-sided die is 10, two of them 00 is 100."""
    sides = parse_dice(notation).sides
    return tuple(face or sides for face in faces) if sides in ZERO_COUNTS_ON else faces


def make_secret() -> str:
    """A new secret for sealed dice: 64 hexadecimal digits."""
    return secrets.token_hex(32)


def throw(notation: str, chance: random.Random | None = None) -> tuple[int, ...]:
    """Roll with the server's randomness, or with `chance` in forecasts and tests."""
    dice = parse_dice(notation)
    if chance is None:
        return tuple(secrets.randbelow(dice.sides) + 1 for _ in range(dice.count))
    return tuple(int(chance.random() * dice.sides) + 1 for _ in range(dice.count))


def count_sums(count: int, sides: int) -> dict[int, int]:
    """The number of throws, out of sides**count equally likely ones, for each sum."""
    weights = [1]  # of the totals, from `count` up
    for _ in range(count):
        below = [0, *accumulate(weights)]
        most = len(weights) + sides - 1
        weights = [below[min(i + 1, len(weights))] - below[max(0, i + 1 - sides)] for i in range(most)]
    return dict(enumerate(weights, count))


def faces_for_sum(count: int, total: int) -> tuple[int, ...]:
    """One throw with this sum, as even as possible; it stands for all of them."""
    if not count:
        return ()
    low, more = divmod(total, count)
    return (low,) * (count - more) + (low + 1,) * more


def find_outcomes(
    notation: str, look: str, cuts: tuple[int, ...] = (), equal_states: tuple[tuple[int, ...], ...] = ()
) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Every outcome that a rule can tell apart, with its integer weight out of sides**count.

    `look` is "sum" if the rule looks only at the sum of the faces, "faces" if at single dice, "set" if their
    order does not matter. With `cuts`, all sums between two neighboring cuts count as one outcome; otherwise
    so do the sums in each group of `equal_states`.
    """
    dice = parse_dice(notation)
    if look == "set":
        return tuple(Counter(tuple(sorted(faces)) for faces in _all_faces(dice)).items())
    if look != "sum":
        return tuple((faces, 1) for faces in _all_faces(dice))
    classes: dict[int, tuple[int, int]] = {}
    group_of = {total: group[0] for group in equal_states for total in group}
    cuts = tuple(sorted(cuts))
    for total, weight in count_sums(dice.count, dice.sides).items():
        name = bisect_right(cuts, total) if cuts else group_of.get(total, total)
        first, known = classes.get(name, (total, 0))
        classes[name] = (first, known + weight)
    return tuple((faces_for_sum(dice.count, s), w) for s, w in classes.values())


def _all_faces(dice: Dice) -> Iterator[tuple[int, ...]]:
    return product(range(1, dice.sides + 1), repeat=dice.count)


# Provable dice: every face follows from a secret whose digest was published before any roll.


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
