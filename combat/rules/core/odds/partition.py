"""The chances of one kind of result, adding up to 1: each outcome of a command counts once."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ..state import events as e
from ..state.state import replace

Mark = tuple[str, str, str]  # the check, its roller or target, result
Chances = dict[Mark, Fraction]
NOT_ROLLED = "outcome.not_rolled"
NOTHING_EARNED = "0"


class Results:
    """What is known about check results: which is better, and whether the checks have targets."""

    def __init__(self) -> None:
        self._ranks: dict[tuple[str, str], tuple[bool, int]] = {}
        self._aimed: set[str] = set()

    def learn(self, check: e.Checked, what: str) -> None:
        """Record a check under the name `what`.

        A good result is better than a bad one, and so is one with a higher total.
        """
        key, rank = (what, check.outcome), (check.good, check.total)
        self._ranks[key] = max(rank, self._ranks.get(key, rank))
        if check.target:
            self._aimed.add(what)

    def pick(self, what: str, results: list[str]) -> str:
        """The one of several results that counts.

        For attempts on a target, the best; for checks a combatant must withstand, the worst.
        """
        choose = max if what in self._aimed else min
        return choose(results, key=lambda result: self._ranks[what, result])


def join_sides(facts: Iterable[e.Fact]) -> list[e.Fact]:
    """The facts, with the two sides of an opposed check as one: whether the initiator won.

    The first side has no number to reach; the second follows at once, against the total of the first.
    """
    joined: list[e.Fact] = []
    for fact in facts:
        one, other = joined[-1].event if joined else None, fact.event
        if isinstance(other, e.Checked) and isinstance(one, e.Checked) and _answers(one, other):
            outcome = "outcome.lost" if other.good else "outcome.won"
            joined[-1] = replace(joined[-1], event=replace(one, outcome=outcome, good=not other.good))
        else:
            joined.append(fact)
    return joined


def _answers(one: e.Checked, other: e.Checked) -> bool:
    """Whether the second of two checks is the other side of the first."""
    sides = (other.who, other.target, other.what, other.against)
    return one.against is None and sides == (one.target, one.who, one.what, one.total)


def part_checks(outcomes: Iterable[tuple[int, tuple[Mark, ...]]], whole: int, results: Results) -> Chances:
    """The chance of each result of each kind of check, and of no roll.

    An outcome is a weight out of the `whole`, with its results.
    """
    weight_of: dict[tuple[Mark, ...], int] = {}
    for paths, marks in outcomes:
        weight_of[marks] = weight_of.get(marks, 0) + paths
    counts: dict[Mark, int] = {}
    groups = {(what, who) for marks in weight_of for what, who, _ in marks}
    for marks, paths in weight_of.items():
        for what, who in groups:
            rolled = [result for kind, whom, result in marks if (kind, whom) == (what, who)]
            mark = (what, who, results.pick(what, rolled) if rolled else NOT_ROLLED)
            counts[mark] = counts.get(mark, 0) + paths
    return {mark: Fraction(paths, whole) for mark, paths in counts.items()}


def part_earned(earned: Chances) -> Chances:
    """The chance of each number earned; an outcome that mentions none earns nothing."""
    chances = dict(earned)
    for what, who in {mark[:2] for mark in earned}:
        told = sum((chance for mark, chance in earned.items() if mark[:2] == (what, who)), Fraction(0))
        nothing = (what, who, NOTHING_EARNED)
        if told < 1:
            chances[nothing] = chances.get(nothing, Fraction(0)) + 1 - told
    return chances
