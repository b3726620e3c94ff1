"""Compares what a form shows before a roll with what is then rolled: terms, number to reach, dice."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from combat.rules.core.basics.dice.dice import parse_dice
from combat.rules.core.basics.dice.requests import Answer, ChoiceRequest, Request
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifiers, add_up, without_zeros
from combat.rules.core.basics.words import Phrase
from combat.rules.core.commands.commands import Action, Command, Preview
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, run
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, replace

FIXED = {"against.eight": 8}  # the numbers that a form need not add up
THROWN = "term.dice"  # the dice of an opponent, among the terms of the number to reach
HIGH, LOW = 0.99, 0.0
ROLL, PLAIN, REFUSED = "roll", "plain", "refused"


class Noting(AutoDriver):
    """Answers everything, with high or low dice, and notes what it is asked."""

    def __init__(self, share: float) -> None:
        super().__init__(Loaded(share))
        self.asked: list[Request] = []

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        self.asked.append(request)
        return super().answer(context, request)

    def find_dice(self) -> list[str]:
        """The dice of all rolls."""
        return [request.dice for request in self.asked if not isinstance(request, ChoiceRequest)]


class Loaded(random.Random):
    """Dice that fall the same way most of the time; each tenth is near the middle, so that no tie lasts.

    Were it the other end, a die rolled again until it is no 1 would always be a 12, which breaks a weapon.
    """

    def __init__(self, share: float) -> None:
        super().__init__(0)
        self.share, self.thrown = share, 0

    def random(self) -> float:
        self.thrown += 1
        return self.share if self.thrown % 10 else abs(self.share - 0.3)


def compare(system: System, state: State, action: Action, command: Command) -> str:
    """ROLL if a roll was shown and made as shown, PLAIN if none was shown, REFUSED if neither could be.

    AssertionError if the roll is another one than the form said.
    """
    found = REFUSED
    for share in (HIGH, LOW):
        driver = Noting(share)
        try:
            assert action.preview is not None
            shown = action.preview(state, command)
            done = run(system, state, action, command, driver)
        except Refused:
            continue
        assert isinstance(done, Done)
        checks = [fact.event for fact in done.facts if isinstance(fact.event, e.Checked)]
        if not shown.dice:
            found = PLAIN
        elif checks:
            others = action.find_caught is not None and action.caught_rolls
            _compare_first(shown, checks[0], driver, others)
            _compare_notes(shown, checks, driver)
            found = ROLL
    return found


def _compare_first(shown: Preview, check: e.Checked, driver: Noting, others: bool) -> None:
    """Compare the first roll. Where `others` roll, as in a blast, the form has the number to reach alone."""
    assert shown.dice == check.roll.dice
    assert str(shown.against_label) == str(check.against_label) or not shown.against_label
    reacted = isinstance(driver.asked[0], ChoiceRequest)  # a reaction, which no form knows
    if not reacted and not others:
        assert _count(shown.modifiers) == _count(check.modifiers)
    if shown.against:
        thrown = [term.value for term in check.against_terms if _name(term.label) == THROWN]
        assert add_up(shown.against) + sum(thrown) == check.against
        own = tuple(term for term in check.against_terms if _name(term.label) != THROWN)
        assert not own or _count(shown.against) == _count(own)
    else:
        assert check.against in (None, FIXED.get(str(shown.against_label)))


def _compare_notes(shown: Preview, checks: list[e.Checked], driver: Noting) -> None:
    """Compare what the form says besides: the damage dice of a hit, and the sum of an opponent."""
    stopped = any(check.good and check.who != checks[0].who for check in checks)  # by a defense
    for note in shown.notes:
        if not isinstance(note, Phrase):
            continue
        if (
            note.key == "note.damage"
            and checks[0].good
            and not stopped
            and parse_dice(str(note.args["dice"])).count
        ):
            dice = str(note.args["dice"])
            bare = str(replace(parse_dice(dice), plus=0))  # where the rest are terms of the wound
            assert {dice, bare} & {*driver.find_dice()}, note
        if note.key == "note.opposed":
            assert note.args["n"] == add_up(checks[1].modifiers)


def _count(terms: Modifiers) -> Counter[tuple[int, str, str]]:
    return Counter((term.value, term.rule, str(term.label)) for term in without_zeros(terms))


def _name(label: Any) -> str:
    return str(getattr(label, "key", label))
