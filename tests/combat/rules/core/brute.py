"""A dumb twin of the odds: every face of every roll, each path run from the start, nothing merged.

It plays through `engine.run` as people do, and knows of no steps, no cuts and no shares.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec

from combat.rules.core.basics.dice import count_sums, find_outcomes, parse_dice
from combat.rules.core.basics.requests import (
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
from combat.rules.core.engine.engine import Waiting, find_order, run
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, replace
from combat.rules.core.system import System
from combat.rules.core.turns import DEFERRED

Marks = tuple[tuple[str, str, str], ...]
Ends = dict[tuple[bytes, Marks], Fraction]


class TooMany(Exception):
    """More paths than the test is ready to walk."""


class _ByPolicy:
    """Chooses as the game's policy does and leaves every roll open. What is told of it is not compared."""

    tells = False

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        if isinstance(request, ChoiceRequest):
            order = follow_standing(request, find_order(context.state, request))
            return answer_choice(request, order or context.system.decide(request), "policy")
        return None


def name_end(state: State, marks: Marks, forget: bool = False) -> tuple[bytes, Marks]:
    """What tells one end from another; to `forget` leaves out what still waits, and with which dice."""
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

    With `by_sum`, rolls of which the rule says that it looks at the sum alone are walked sum by
    sum, which is still without cuts and without merging. With `by_cut` they are walked by what the
    rule says is alike: percentile dice have too many sums.
    """
    counts: Counter[tuple[tuple[bytes, Marks], int, int]] = Counter()
    open_paths: list[tuple[int, int, tuple[Answer, ...]]] = [(1, 1, ())]
    runs = 0
    while open_paths:
        weight, whole, answers = open_paths.pop()
        runs += 1
        if runs + len(open_paths) > most:
            raise TooMany
        result = run(system, state, action, command, _ByPolicy(), answers)
        if isinstance(result, Waiting):
            (request,) = result.requests
            assert isinstance(request, RollRequest)
            dice = parse_dice(request.dice)
            for faces, share in _outcomes(request, by_sum, by_cut):
                given = (*result.answers, answer_roll(request, faces, "brute"))
                open_paths.append((weight * share, whole * dice.sides**dice.count, given))
        else:
            marks = tuple(mark for fact in result.facts for mark in _mark(system, state, fact.event))
            counts[name_end(result.state, marks, forget), whole, 0] += weight
    found: Ends = {}
    for (end, whole, _), weight in counts.items():
        found[end] = found.get(end, Fraction(0)) + Fraction(weight, whole)
    return found


def _outcomes(request: RollRequest, by_sum: bool, by_cut: bool) -> list[tuple[tuple[int, ...], int]]:
    dice = parse_dice(request.dice)
    if by_cut:
        return list(find_outcomes(request.dice, request.look, request.cuts, request.alike))
    if not by_sum or request.look != "sum":
        return [(faces, 1) for faces in product(range(1, dice.sides + 1), repeat=dice.count)]
    found = []
    for total, weight in count_sums(dice.count, dice.sides).items():
        faces = [1] * dice.count
        for place in range(dice.count):
            faces[place] = min(dice.sides, 1 + total - sum(faces))
        found.append((tuple(faces), weight))
    return found


def _mark(system: System, state: State, event: Any) -> Marks:
    """The result of a check, by the words that its kind goes by."""
    if not isinstance(event, e.Checked):
        return ()
    names = {who: fighter.name for who, fighter in state.combatants.items()}
    what = event.what if isinstance(event.what, str) else system.draw(event.what, names)
    return ((what, event.target or event.who, event.outcome),)
