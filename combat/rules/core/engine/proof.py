"""Check the dice of a log: every roll of the app has a number, and its opened secret gives the faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from ..basics.dice.dice import draw_faces, make_seal, name_roll
from ..basics.dice.requests import KEPT, Answer, key_of
from ..gm.player_dice import find_words
from ..state.events import FightEnded
from ..state.history import COMMAND, RENEWALS, SEAL, UNDO, Step, make_renewal
from ..state.state import State

Rolls = dict[tuple[str, str, str, int], tuple[int, ...]]  # faces by the key of their answer


class Seal(msgspec.Struct, frozen=True):
    """A seal of the log: the step that set it, its rolls, and the step that opened it, if any.

    A seal is `abandoned` if another follows before it is opened, as after an import or a restore.
    """

    seal: str
    step: int
    rolls: int = 0
    opened: int = 0
    abandoned: bool = False


class Proof(msgspec.Struct, frozen=True):
    """How many rolls are proven by an opened secret, still `sealed`, or `typed`.

    The secret of `abandoned` rolls is missing here: only the table or backup that sealed them can open it.
    Rolls of a `branch` that became real have other dice. Those `kept` are rolls of an undone step, whose
    action was done again when the GM overruled one of its rolls or one before it. `unsealed` rolls never had
    a seal: nothing can be said about them.
    """

    proven: int = 0
    sealed: int = 0
    typed: int = 0
    unsealed: int = 0
    branch: int = 0
    kept: int = 0
    abandoned: int = 0


class DiceCheck:
    """Follows a log step by step and finds the first roll that differs from its seal."""

    def __init__(self, steps: Iterable[Step]) -> None:
        self.steps = {step.number: step for step in steps}
        self.kept: dict[int, Rolls] = {}  # what the overruled action of a step may keep
        self.undone: Rolls = {}  # what the next one may
        self.secrets = {make_seal(step.opened): step.opened for step in self.steps.values() if step.opened}
        self.seal, self.proof = "", Proof()
        self.seals: list[Seal] = []
        self.rolled: Counter[str] = Counter()  # the last number of each series; "" is the public one

    def find_problem(self, step: Step, state: State) -> str:
        """What is wrong with the dice of the next step, which began in `state`; empty if nothing is."""
        is_first = not self.seal and bool(step.seal)
        if is_first:
            self._follow(step)
        if step.kind == COMMAND and step.target in self.steps:
            self.kept[step.number] = self._find_kept(step.target)
        elif step.command.get("overruled"):
            self.kept[step.number] = self.undone
        for problem in self._check_rolls(step, self.seal, find_words(state)):
            return problem
        if step.kind == UNDO and step.target in self.steps:
            self.undone = self._find_kept(step.target)
        if problem := self._check_seals(step, is_first):
            return problem
        if step.seal and not is_first:
            self._follow(step)
        return ""

    def _find_kept(self, number: int) -> Rolls:
        """The rolls of a step, and of those before it whose rolls it might keep."""
        return {**self.kept.get(number, {}), **_find_rolls(self.steps[number])}

    def _check_seals(self, step: Step, is_first: bool) -> str:
        """What is wrong with the seal that a step sets, or the secret that it opens."""
        if step.kind == SEAL:
            wanted = make_renewal(step.number, step.name, step.seal)
            is_whole = step.seal and step == msgspec.structs.replace(wanted, release=step.release)
            return "" if is_whole and step.name in RENEWALS else "begins new dice without telling so"
        if step.opened and (is_first or make_seal(step.opened) != self.seal):
            return "opens a secret that is not the sealed one"
        if is_first:
            return ""
        if self.seal and not step.opened and any(isinstance(fact.event, FightEnded) for fact in step.facts):
            return "ends the fight and does not open the secret of its dice"
        if step.opened and not step.seal:
            return "opens the secret of the dice and seals no new one"
        if step.seal and not step.opened:
            return "seals new dice before the old secret was opened"
        return ""

    def _follow(self, step: Step) -> None:
        """Continue with the seal that a step sets."""
        if self.seals:
            old = self.seals[-1]
            opened = step.number if step.opened else 0
            self.seals[-1] = msgspec.structs.replace(old, opened=opened, abandoned=not opened)
            if not opened:
                left = self.proof.abandoned + self.proof.sealed
                self.proof = msgspec.structs.replace(self.proof, abandoned=left, sealed=0)
        self.seal = step.seal
        self.seals.append(Seal(step.seal, step.number))

    def _check_rolls(self, step: Step, seal: str, words: str) -> Iterator[str]:
        rolls = [answer for answer in step.answers if answer.kind == "roll"]
        for answer in sorted(rolls, key=lambda answer: (answer.series, answer.number)):
            if answer.source != "app":
                yield from ["a roll that is not the app's has a number"] if answer.number else ()
                if (
                    answer.source == KEPT
                    and self.kept.get(step.number, {}).get(key_of(answer)) != answer.faces
                ):
                    yield "a kept roll shows other faces than the undone action"
                self._count(answer.source if answer.source in ("branch", KEPT) else "typed")
            elif not seal and not answer.number:
                self._count("unsealed")
            else:
                yield from self._check_sealed(answer, seal, words)

    def _check_sealed(self, answer: Answer, seal: str, words: str) -> Iterator[str]:
        self.rolled[answer.series] += 1
        due, name = self.rolled[answer.series], name_roll(answer.number, answer.series)
        if not seal:
            yield f"roll {name} was never sealed"
        if answer.number != due:
            told = name if answer.number else "a roll without a number"
            wanted = name_roll(due, answer.series)
            yield f"a roll is missing or out of order: roll {wanted} should follow, not {told}"
        if answer.words != words:
            yield f"roll {name} was made with other words than the players had given"
        self.seals[-1] = msgspec.structs.replace(self.seals[-1], rolls=self.seals[-1].rolls + 1)
        secret = self.secrets.get(seal)
        if secret is None:
            self._count("sealed")
        elif _draw(secret, answer) != answer.faces:
            yield f"roll {name} shows other faces than its secret gives"
        else:
            self._count("proven")

    def _count(self, kind: str) -> None:
        self.proof = msgspec.structs.replace(self.proof, **{kind: getattr(self.proof, kind) + 1})


def _find_rolls(step: Step) -> Rolls:
    return {key_of(answer): answer.faces for answer in step.answers if answer.kind == "roll"}


def _draw(secret: str, answer: Answer) -> tuple[int, ...]:
    try:
        return draw_faces(secret, name_roll(answer.number, answer.series), answer.words, answer.dice)
    except ValueError:
        return ()
