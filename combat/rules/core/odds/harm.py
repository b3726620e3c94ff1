"""What an attack may do to its target, exactly: the door through which the tactics of every game weigh one.

It adds up the same dice as the odds do, for one check and one handful of damage, so that a forecast can ask
at every step.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import msgspec

from ..basics.dice.dice import count_sums, parse_dice

ENOUGH = 9999  # points that nobody has: all of a hit count
Keep = Callable[[int], int]


class Hit(msgspec.Struct, frozen=True, gc=False):
    """A way to hit: its chance (0 to 1), the points that its margin adds, and the least that it does."""

    chance: float
    added: int = 0
    least: int = 0


class Harm(msgspec.Struct, frozen=True, gc=False):
    """What an attack may do: its chance to hit, and that to take at least a point; the mean of the points it
    takes; the chance that these are all that are left."""

    hits: float
    some: float
    mean: float
    ends: float


NONE = Harm(0.0, 0.0, 0.0, 0.0)


@lru_cache(4096)
def weigh(
    hits: tuple[Hit, ...], dice: str, plus: int = 0, left: int = ENOUGH, keep: Keep | None = None
) -> Harm:
    """What one attack does with these ways to hit and this handful of damage.

    `keep` says how many of the points of the dice and the margin meet what protects, all of them without it;
    `plus` is what adds to these or, below 0, takes off them. No more points count than are `left`.
    """
    sums = find_sums(dice)
    chance = some = mean = ends = 0.0
    for hit in hits:
        chance += hit.chance
        for total, share in sums:
            rolled = total + hit.added
            points = min(left, max(hit.least, (keep(rolled) if keep else rolled) + plus))
            if points > 0:
                part = hit.chance * share
                some += part
                mean += part * points
                ends += part if points == left else 0.0
    return Harm(chance, some, mean, ends)


def find_sums(dice: str) -> tuple[tuple[int, float], ...]:
    """The sums of a handful of dice, each with its chance."""
    parsed = parse_dice(dice)
    whole = parsed.sides**parsed.count
    sums = count_sums(parsed.count, parsed.sides)
    return tuple([(total + parsed.plus, weight / whole) for total, weight in sums.items()])
