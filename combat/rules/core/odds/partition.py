"""The chances of one kind, stated so that they add up to one: each outcome of a command counts one time."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ..state import events as e
from ..state.state import replace

Mark = tuple[str, str, str]  # what was rolled, for or against whom, result
Chances = dict[Mark, Fraction]
NOT_ROLLED = "outcome.not_rolled"
NOTHING_EARNED = "0"


class Results:
    """What is known of the results of checks: which is better, and whether they are aimed at somebody."""

    def __init__(self) -> None:
        self._ranks: dict[tuple[str, str], tuple[bool, int]] = {}
        self._aimed: set[str] = set()

    def learn(self, check: e.Checked, what: str) -> None:
        """See a check that goes by the name `what`.

        A good result is better than a bad one, and one that takes a higher total.
        """
        key, rank = (what, check.outcome), (check.good, check.total)
        self._ranks[key] = max(rank, self._ranks.get(key, rank))
        if check.target:
            self._aimed.add(what)

    def pick(self, what: str, results: list[str]) -> str:
        """The one of several results that counts: the best of tries at somebody, the worst of what
        somebody has to withstand."""
        choose = max if what in self._aimed else min
        return choose(results, key=lambda result: self._ranks[what, result])


def join_sides(facts: Iterable[e.Fact]) -> list[e.Fact]:
    """The facts, with the two sides of an opposed check as one: whether whoever began it has won.

    The first side is told against no number, the second one right after it, against the first one's total.
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
    """The chance of each result of each kind of check, and of its not being rolled.

    An outcome is so many ways out of the `whole`, with its results.
    """
    ways_of: dict[tuple[Mark, ...], int] = {}
    for ways, marks in outcomes:
        ways_of[marks] = ways_of.get(marks, 0) + ways
    counts: dict[Mark, int] = {}
    groups = {(what, who) for marks in ways_of for what, who, _ in marks}
    for marks, ways in ways_of.items():
        for what, who in groups:
            rolled = [result for kind, whom, result in marks if (kind, whom) == (what, who)]
            mark = (what, who, results.pick(what, rolled) if rolled else NOT_ROLLED)
            counts[mark] = counts.get(mark, 0) + ways
    return {mark: Fraction(ways, whole) for mark, ways in counts.items()}


def part_earned(earned: Chances) -> Chances:
    """The chance of each number earned; where nothing is told of it, nothing is earned."""
    chances = dict(earned)
    for what, who in {mark[:2] for mark in earned}:
        told = sum((chance for mark, chance in earned.items() if mark[:2] == (what, who)), Fraction(0))
        nothing = (what, who, NOTHING_EARNED)
        if told < 1:
            chances[nothing] = chances.get(nothing, Fraction(0)) + 1 - told
    return chances
