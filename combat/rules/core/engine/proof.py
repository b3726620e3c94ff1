"""Checks the dice of a log: every roll of the app has its number, and what its opened secret gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ..basics.requests import Answer
from ..basics.sealed import draw_faces, make_seal
from ..gm.dice_words import find_words
from ..state.events import FightEnded
from ..state.history import Step
from ..state.state import State


class Proof(msgspec.Struct, frozen=True):
    """How many rolls were proven, by a secret that has been opened, are still `sealed`, or were `typed`.

    Those of a `branch` that was made real have other dice. Those `unsealed` came
    with an import from another table: nothing can be said of them.
    """

    proven: int = 0
    sealed: int = 0
    typed: int = 0
    unsealed: int = 0
    branch: int = 0


class DiceCheck:
    """Follows a log, step by step, and finds the first roll that is not what was sealed."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self.secrets = {make_seal(step.opened): step.opened for step in steps if step.opened}
        self.seal, self.rolled, self.proof = "", 0, Proof()

    def find_problem(self, step: Step, state: State) -> str:
        """What is wrong with the dice of the next step, which began in `state`; or nothing."""
        seal = self.seal or step.seal
        for problem in self._check_rolls(step, seal, find_words(state)):
            return problem
        if step.opened and make_seal(step.opened) != seal:
            return "opens a secret that is not the sealed one"
        if self.seal and not step.opened and _ends_fight(step):
            return "ends the fight and does not open the secret of its dice"
        if step.opened and not step.seal:
            return "opens the secret of the dice and seals no new one"
        if step.seal and self.seal and not step.opened:
            return "seals new dice before the old secret was opened"
        self.seal = step.seal or seal
        return ""

    def _check_rolls(self, step: Step, seal: str, words: str) -> Iterator[str]:
        rolls = [answer for answer in step.answers if answer.kind == "roll"]
        for answer in sorted(rolls, key=lambda answer: answer.number):
            if answer.source != "app":
                yield from ["a roll that is not the app's has a number"] if answer.number else ()
                self._count("branch" if answer.source == "branch" else "typed")
            elif not seal and not answer.number:
                self._count("unsealed")
            else:
                yield from self._check_sealed(answer, seal, words)

    def _check_sealed(self, answer: Answer, seal: str, words: str) -> Iterator[str]:
        self.rolled += 1
        if not seal:
            yield f"roll {answer.number} was never sealed"
        if answer.number != self.rolled:
            number = answer.number or "without a number"
            yield f"a roll is missing or out of order: roll {self.rolled} should follow, not {number}"
        if answer.words != words:
            yield f"roll {answer.number} was made with other words than the players had given"
        secret = self.secrets.get(seal)
        if secret is None:
            self._count("sealed")
        elif _draw(secret, answer) != answer.faces:
            yield f"roll {answer.number} shows other faces than its secret gives"
        else:
            self._count("proven")

    def _count(self, kind: str) -> None:
        self.proof = msgspec.structs.replace(self.proof, **{kind: getattr(self.proof, kind) + 1})


def _ends_fight(step: Step) -> bool:
    return any(isinstance(fact.event, FightEnded) for fact in step.facts)


def _draw(secret: str, answer: Answer) -> tuple[int, ...]:
    try:
        return draw_faces(secret, answer.number, answer.words, answer.dice)
    except ValueError:
        return ()
