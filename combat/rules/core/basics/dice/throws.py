"""Dice as the trade writes them: 2d6+1d4, 3d6kh2, d66. Each handful is a sealed roll of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import comb

import msgspec

from ..numbers import plain_signs
from .dice import Dice, count_sums, parse_dice

MAX_PARTS = 4  # handfuls of one throw
MAX_KEPT_FROM, MAX_KEPT_SIDES = 20, 100  # dice of which some are kept, and their sides
TENS = ("d66", "1d66")
KEPT = re.compile(r"(\d{0,3}d\d{1,4})k([hl]?)(\d{0,2})([+-]\d{1,4})?", re.ASCII)
NUMBER = re.compile(r"[+-]?\d{1,4}", re.ASCII)
PART = re.compile(r"[+-]?[^+-]+")


class Throw(msgspec.Struct, frozen=True):
    """Some handfuls of dice. Of one with `keep` the highest dice count, or the `lowest`; the first of two
    with `tens` is the tens.
    """

    parts: tuple[Dice, ...]
    keep: int = 0
    lowest: bool = False
    tens: bool = False

    def __str__(self) -> str:
        first, *rest = self.parts
        if self.tens:
            return "d66"
        if self.keep:
            plus = f"{first.plus:+d}" if first.plus else ""
            return f"{first.count}d{first.sides}k{'l' if self.lowest else 'h'}{self.keep}{plus}"
        handfuls = [f"{one.count}d{one.sides}" for one in rest]
        plus = f"{first.plus:+d}" if first.plus and rest else ""
        head = str(msgspec.structs.replace(first, plus=0)) if rest else str(first)
        return "+".join([head, *handfuls]) + plus

    @property
    def is_plain(self) -> bool:
        """Whether it is one handful of equal dice that all count."""
        return len(self.parts) == 1 and not self.keep and not self.tens

    @property
    def least(self) -> int:
        """The lowest total of what is added up."""
        return (
            (self.keep or self.parts[0].count) + self.parts[0].plus + sum(one.count for one in self.parts[1:])
        )

    @property
    def most(self) -> int:
        """The highest total of what is added up."""
        first, *rest = self.parts
        return (self.keep or first.count) * first.sides + first.plus + sum(one.most for one in rest)

    def choose(self, faces: Sequence[int]) -> list[int]:
        """The faces that count, of the first handful."""
        return sorted(faces, reverse=not self.lowest)[: self.keep] if self.keep else list(faces)

    def add_up(self, rolled: Sequence[Sequence[int]]) -> int:
        """The total of the faces of each handful."""
        first, *rest = rolled
        if self.tens:
            return 10 * first[0] + first[1]
        return sum(self.choose(first)) + sum(map(sum, rest)) + self.parts[0].plus

    def count_ways(self) -> dict[int, int]:
        """In how many ways each total comes up."""
        first, *rest = self.parts
        if self.tens:
            return {10 * tens + ones: 1 for tens in range(1, 7) for ones in range(1, 7)}
        kept = _count_kept(first, self.keep, lowest=self.lowest) if self.keep else None
        ways = {total + first.plus: times for total, times in (kept or _count(first)).items()}
        for one in rest:
            added, other = Counter[int](), _count(one)
            for total, times in ways.items():
                for more, again in other.items():
                    added[total + more] += times * again
            ways = dict(added)
        return ways


def _count(dice: Dice) -> dict[int, int]:
    return dict(count_sums(dice.count, dice.sides))


def _count_kept(dice: Dice, keep: int, *, lowest: bool) -> dict[int, int]:
    """In how many ways the kept dice of a handful have each sum: face by face, those first that are kept."""
    faces = range(1, dice.sides + 1) if lowest else range(dice.sides, 0, -1)
    states = Counter({(dice.count, 0): 1})  # how many dice have no face yet, the sum of those kept
    for face in faces:
        after = Counter[tuple[int, int]]()
        for (left, total), ways in states.items():
            room = max(0, keep - (dice.count - left))
            for shown in range(left + 1):
                after[left - shown, total + face * min(shown, room)] += ways * comb(left, shown)
        states = after
    return {total: ways for (left, total), ways in states.items() if not left}


def parse_throw(term: str) -> Throw:
    """Read "2d6+1d4+2", "3d6kh2", "2d20kl1", "d66", or dice as `parse_dice` does; raises ValueError else."""
    plain = plain_signs(term).replace(" ", "").lower()
    if plain in TENS:
        return Throw((Dice(2, 6),), tens=True)
    if found := KEPT.fullmatch(plain):
        dice, keep = parse_dice(found[1]), int(found[3] or 1)
        if not 1 <= keep <= dice.count <= MAX_KEPT_FROM or dice.sides > MAX_KEPT_SIDES:
            raise ValueError(f"too many dice to keep: {term!r}")
        return Throw((msgspec.structs.replace(dice, plus=int(found[4] or 0)),), keep, found[2] == "l")
    if plain.count("d") < 2:
        return Throw((parse_dice(plain),))
    parts = PART.findall(plain)
    handfuls = [parse_dice(one.removeprefix("+")) for one in parts if "d" in one and one[0] != "-"]
    plus = [int(one) for one in parts if NUMBER.fullmatch(one)]
    is_whole = len(handfuls) + len(plus) == len(parts) and "".join(parts) == plain
    if not is_whole or len(handfuls) > MAX_PARTS or not all(one.count for one in handfuls):
        raise ValueError(f"no dice: {term!r}")
    first, *rest = handfuls
    return Throw((msgspec.structs.replace(first, plus=sum(plus)), *rest))
