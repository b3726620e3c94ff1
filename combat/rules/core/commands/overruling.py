"""A roll that the GM overrules: it counts with the points that change its verdict."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..basics.dice.dice import Roll
from ..basics.modifiers import Modifier
from ..state import events as e

OVERRULED = ("log.overruled", "log.overruled_back")  # sentences of the log: with points, and without


class Overruling(msgspec.Struct, frozen=True, omit_defaults=True):
    """One overruled roll of a command.

    `rule`, `who` and `ordinal` name it as its answer does. `points` are added to its total; 0 lets it count
    as it fell. `outcome` is the key of its new verdict.
    """

    rule: str
    who: str
    ordinal: int
    points: int = 0
    outcome: str = ""

    @property
    def key(self) -> tuple[str, str, int]:
        """The name of the roll in its command."""
        return self.rule, self.who, self.ordinal


class OverruledRolls:
    """The overruled rolls of one run of a command: changes each roll, and tells so beside its check."""

    def __init__(self, overruled: Iterable[Overruling] = ()) -> None:
        self.left = {one.key: one for one in overruled}
        self.rolled: dict[Roll, tuple[Roll, Overruling]] = {}

    def count(self, roll: Roll, ordinal: int) -> Roll:
        """The roll as it counts: with the GM's points, if it is overruled."""
        found = self.left.pop((roll.rule, roll.by, ordinal), None)
        if found is None:
            return roll
        counted = msgspec.structs.replace(roll, total=roll.total + found.points)
        self.rolled[counted] = roll, found
        return counted

    def tell(self, check: e.Checked) -> tuple[e.Said, e.Checked] | None:
        """A sentence about an overruled check, and the check with the GM's points; None for others."""
        roll, found = self.rolled.pop(check.roll, (None, None))
        if roll is None or found is None:
            return None
        said = e.Said(
            OVERRULED[not found.points],
            check.who,
            check.target,
            {"what": check.what, "outcome": found.outcome},
        )
        if not found.points:
            return said, check
        terms = (*check.modifiers, Modifier("term.overruled", found.points))
        return said, msgspec.structs.replace(check, roll=roll, modifiers=terms)


def without_points(check: e.Checked, told: e.Checked) -> e.Checked:
    """The twin of an overruled check: the points would give away a number that the twin keeps secret."""
    if check.against is not None:
        return msgspec.structs.replace(check, roll=told.roll, modifiers=told.modifiers)
    points = told.modifiers[-1].value if told.roll != check.roll else 0
    return msgspec.structs.replace(check, roll=told.roll, total=check.total - points)
