"""How somebody's dice fell: the dice alone, which lie open to all, against what they come to usually."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..basics.dice.dice import Dice, Roll, parse_dice
from ..basics.words import say_number


class FallenDice(msgspec.Struct, frozen=True):
    """The dice that were rolled most, such as 2d10: how many times, their mean, and what is usual."""

    dice: str
    count: int
    mean: str
    expected: str
    difference: str


def measure_dice(rolls: Iterable[Roll]) -> FallenDice | None:
    """The figure of the dice that were rolled most, of those whose faces are added up; None without any."""
    whole = [roll for roll in rolls if roll.natural + roll.plus == roll.total]
    kinds = [_find_dice(roll) for roll in whole]
    if not kinds:
        return None
    dice = max(dict.fromkeys(kinds), key=kinds.count)
    sums = [roll.natural for roll, kind in zip(whole, kinds, strict=True) if kind == dice]
    mean, expected = sum(sums) / len(sums), dice.count * (dice.sides + 1) / 2
    return FallenDice(
        str(dice),
        len(sums),
        mean=say_number(mean),
        expected=say_number(expected),
        difference=say_number(mean - expected, signed=True),
    )


def _find_dice(roll: Roll) -> Dice:
    """The dice of a roll, without the number behind them."""
    return msgspec.structs.replace(parse_dice(roll.dice), plus=0)
