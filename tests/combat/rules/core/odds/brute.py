"""A dumb count of the odds: every face of every roll, each path run from the start, no merging.

It plays through `engine.run` as people do, and knows no steps, no cuts and no shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec

from combat.rules.core.basics.dice.dice import count_sums, find_outcomes, parse_dice
from combat.rules.core.basics.dice.requests import (
    Answer,
    ChoiceRequest,
    Request,
    RollRequest,
    answer_choice,
    answer_roll,
    follow_standing,
)
from combat.rules.core.commands.commands import Action, Command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System, system_of
from combat.rules.core.engine.engine import TryDriver, Waiting, find_order, run
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, replace
from combat.rules.core.turn.turns import DEFERRED

Mark = tuple[str, str, str]
Marks = tuple[Mark, ...]
Ends = dict[tuple[bytes, Marks], Fraction]


LOOK, FAR_TOO_MANY = 100, 3  # every 100 runs: give up what three times their rate would not finish


class TooMany(Exception):
    """More paths than the test may walk."""


class _ByPolicy(TryDriver):
    """Chooses as the game's policy does and leaves every roll open. The test does not compare their texts.

    As a trial run, it counts on no reinforcements and lets no clock act, like the odds.
    """

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        if isinstance(request, ChoiceRequest):
            order = follow_standing(request, find_order(context.state, request))
            return answer_choice(request, order or system_of(context).tactics.decide(request), "policy")
        return None


def name_end(state: State, marks: Marks, forget: bool = False) -> tuple[bytes, Marks]:
    """What tells one end from another; `forget` leaves out what still waits, and its dice."""
    if forget:
        state = replace(state, marks={k: v for k, v in state.marks.items() if not k.startswith(DEFERRED)})
    return msgspec.json.encode(state, order="deterministic"), tuple(sorted(marks))


def walk_all(
    system: System,
    state: State,
    action: Action,
    command: Command,
    most: int,
    by_sum: bool = False,
    by_cut: bool = False,
    forget: bool = False,
) -> Ends:
    """Every end of a command with its exact chance, after at most `most` runs.

    Raise TooMany if there are more, or if the runs so far show that there will be far more.
    With `by_sum`, a roll whose rule looks only at the sum is walked sum by sum, still without cuts and
    without merging. With `by_cut` it is walked by the cuts that its rule declares: percentile dice have too
    many sums.
    """
    counts: Counter[tuple[tuple[bytes, Marks], int, int]] = Counter()
    open_paths: list[tuple[int, int, tuple[Answer, ...]]] = [(1, 1, ())]
    runs, settled, looked = 0, 0.0, 0.0
    while open_paths:
        weight, whole, answers = open_paths.pop()
        if runs and runs % LOOK == 0:
            if settled + FAR_TOO_MANY * (settled - looked) * (most - runs) / LOOK < 1:
                raise TooMany
            looked = settled
        if runs + len(open_paths) >= most:
            raise TooMany
        runs += 1
        result = run(system, state, action, command, _ByPolicy(), answers)
        if isinstance(result, Waiting):
            (request,) = result.requests
            assert isinstance(request, RollRequest)
            dice = parse_dice(request.dice)
            for faces, share in _outcomes(request, by_sum, by_cut):
                given = (*result.answers, answer_roll(request, faces, "brute"))
                open_paths.append((weight * share, whole * dice.sides**dice.count, given))
        else:
            marks = tuple(_find_marks(system, state, [fact.event for fact in result.facts]))
            counts[name_end(result.state, marks, forget), whole, 0] += weight
            settled += weight / whole
    found: Ends = {}
    for (end, whole, _), weight in counts.items():
        found[end] = found.get(end, Fraction(0)) + Fraction(weight, whole)
    return found


def _outcomes(request: RollRequest, by_sum: bool, by_cut: bool) -> list[tuple[tuple[int, ...], int]]:
    dice = parse_dice(request.dice)
    cut = list(find_outcomes(request.dice, request.look, request.cuts, request.equal_states))
    if by_cut or len(cut) == 1:  # by its rule nothing depends on it, such as where a thrown stone comes down
        return cut
    if not by_sum or request.look != "sum":
        return [(faces, 1) for faces in product(range(1, dice.sides + 1), repeat=dice.count)]
    found = []
    for total, weight in count_sums(dice.count, dice.sides).items():
        faces = [1] * dice.count
        for place in range(dice.count):
            faces[place] = min(dice.sides, 1 + total - sum(faces))
        found.append((tuple(faces), weight))
    return found


def _find_marks(system: System, state: State, events: list[Any]) -> Iterator[Mark]:
    """The result of each check, by the words of its kind.

    An opposed check, two rolls in a row against each other, is one result of its first side.
    """
    names = {who: combatant.name for who, combatant in state.combatants.items()}
    first: Any = None
    for event in [*events, None]:
        is_second = _is_opposed(first, event)
        if isinstance(first, e.Checked):
            what = first.what if isinstance(first.what, str) else system.draw(first.what, names)
            result = ("outcome.won", "outcome.lost")[event.good] if is_second else first.outcome
            yield what, first.target or first.who, result
        first = None if is_second else event


def _is_opposed(first: Any, second: Any) -> bool:
    return (
        isinstance(first, e.Checked)
        and isinstance(second, e.Checked)
        and first.against is None
        and (first.who, first.target, first.total) == (second.target, second.who, second.against)
    )
