"""Luck: the exact chance of every check before the dice fell, and the sum over many of them.

The chance comes from the procedure: it runs again for every result of that one roll, with all earlier answers
fixed. Luck compares successes with expected successes, never an average of pips: a high roll that was not
needed is no luck.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import msgspec

from ..basics.dice.dice import find_outcomes, parse_dice
from ..basics.dice.requests import Answer, Request, RollRequest, answer_roll, key_of
from ..basics.errors import Drift, Refused
from ..commands.commands import Action, Command, read_command
from ..declaration.system import System
from ..engine.engine import Done, ReplayDriver, Waiting, find_action, run
from ..odds.enumeration import GiveUp, TooMany, never
from ..state import events as e
from ..state.history import Step
from ..state.state import State

MAX_OUTCOMES = 2_000  # of one roll; bigger handfuls whose single dice count are left out


class RollChance(msgspec.Struct, frozen=True):
    """A check with its rule, and its chance, from 0 to 1, to end well for its roller."""

    check: e.Checked
    rule: str
    chance: float

    @property
    def rarity(self) -> float:
        """The chance of the actual result."""
        return self.chance if self.check.good else 1 - self.chance


class Luck(msgspec.Struct, frozen=True):
    """Of a number of `rolls`: successes, expected successes, and the share of all fights with fewer.

    `percentile` counts half of the fights with as many: 0.5 is neither lucky nor unlucky.
    """

    rolls: int
    good: int
    expected: float
    percentile: float


def find_chance(
    system: System, state: State, step: Step, place: int, give_up: GiveUp = never
) -> RollChance | None:
    """The check that one answer of a step decided; None if it cannot be counted.

    Raises TooMany once told to give up.
    """
    answer = step.answers[place]
    if answer.kind != "roll" or not answer.faces:
        return None
    try:
        action = find_action(system, step.name)
        command = read_command(action, step.command)
    except Refused:
        return None
    return _measure(
        system, state, action, command=command, before=step.answers[:place], answer=answer, give_up=give_up
    )


def _measure(
    system: System,
    state: State,
    action: Action,
    command: Command,
    before: tuple[Answer, ...],
    answer: Answer,
    give_up: GiveUp,
) -> RollChance | None:
    asked = _find_request(_play(system, state, action, command=command, answers=before), answer)
    if asked is None or not _is_countable(asked):
        return None
    known, lucky, whole = None, 0, 0
    for faces, weight in find_outcomes(asked.dice, asked.look, asked.cuts, asked.equal_states):
        if give_up():
            raise TooMany
        other = answer_roll(asked, faces, "odds")
        check = _find_check(
            _play(system, state, action, command=command, answers=(*before, other)), asked, faces
        )
        if check is None:
            return None
        whole, lucky = whole + weight, lucky + weight * check.event.good
    real = _find_check(
        _play(system, state, action, command=command, answers=(*before, answer)), asked, answer.faces
    )
    if real is not None and not (real.event.against is None and lucky in (0, whole)):
        known = RollChance(real.event, real.rule, float(Fraction(lucky, whole)))
    return known


class _Check(msgspec.Struct, frozen=True):
    event: e.Checked
    rule: str


def _play(
    system: System, state: State, action: Action, command: Command, answers: tuple[Answer, ...]
) -> Done | Waiting | None:
    """The command with the first of these answers; None if it cannot be played."""
    try:
        return run(system, state, action, command=command, driver=ReplayDriver(), answers=answers)
    except (Refused, Drift):
        return None


def _find_request(played: Done | Waiting | None, answer: Answer) -> RollRequest | None:
    asked: tuple[Request, ...] = played.requests if isinstance(played, Waiting) else ()
    rolls = (request for request in asked if isinstance(request, RollRequest))
    return next((request for request in rolls if key_of(request) == key_of(answer)), None)


def _is_countable(request: RollRequest) -> bool:
    dice = parse_dice(request.dice)
    return request.look == "sum" or dice.sides**dice.count <= MAX_OUTCOMES


def _find_check(played: Done | Waiting | None, asked: RollRequest, faces: tuple[int, ...]) -> _Check | None:
    """The check that this roll decided, if any."""
    for fact in played.facts if played else ():
        event = fact.event
        if isinstance(event, e.Checked) and _is_of(event, asked, faces):
            return _Check(event, fact.rule)
    return None


def _is_of(event: e.Checked, asked: RollRequest, faces: tuple[int, ...]) -> bool:
    roll = event.roll
    return (roll.rule, roll.by, roll.dice, roll.faces) == (asked.rule, asked.who, asked.dice, faces)


def add_up(chances: Iterable[RollChance]) -> Luck:
    """The luck of several rolls."""
    rolls = list(chances)
    good = sum(roll.check.good for roll in rolls)
    spread = count_successes(roll.chance for roll in rolls)
    percentile = sum(spread[:good]) + spread[good] / 2
    return Luck(len(rolls), good, sum(roll.chance for roll in rolls), percentile)


def count_successes(chances: Iterable[float]) -> list[float]:
    """The chance of each number of successes, from none to all, if every roll has its own chance."""
    spread = [1.0]
    for chance in chances:
        more = [0.0, *(share * chance for share in spread)]
        spread = [share * (1 - chance) + add for share, add in zip([*spread, 0.0], more, strict=True)]
    return spread
