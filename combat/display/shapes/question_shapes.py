"""The shapes of questions to people: dice to type in, choices, points to divide."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.rules.core.wording import Line

from ..combatants.tokens import Look


class Die(Shape, frozen=True):
    """A field for one die: its sides, and what was typed there."""

    side: int
    word: str = ""


class PartField(Shape, frozen=True):
    """A field for the points of one place: its label, its limits, and the typed value."""

    key: str
    label: str
    detail: str
    least: int
    most: int
    word: str


class AnswerView(Shape, frozen=True):
    """An answer to choose, with what it leads to; `was` is the chance of a hit without it, where it helps."""

    value: str
    label: str
    detail: str = ""
    refused: str = ""
    was: str = ""


class Threat(Shape, frozen=True):
    """What someone is asked to react to: who acts on them, how, and with which item, as far as that is known.

    `chance` is that of a hit without a reaction, in percent; empty if no reaction changes it. `is_sure`: it
    has hit unless they react.
    """

    name: str
    look: Look
    what: str
    item: str = ""
    chance: str = ""
    is_sure: bool = False


class Question(Shape, frozen=True):
    """Something an open command waits for; `problem` is what is wrong with its typed dice.

    With `parts` it is `total` points to divide.
    """

    ordinal: int
    kind: str
    who: str
    text: str
    rule: str
    dice: str = ""
    fields: tuple[Die, ...] = ()
    problem: str = ""
    options: tuple[AnswerView, ...] = ()
    threat: Threat | None = None
    default: str = ""
    can_stand: bool = False
    key: str = ""
    total: int = 0
    parts: tuple[PartField, ...] = ()


class Prompt(Shape, frozen=True):
    """The open command: its name, its questions, and what has happened so far.

    `missing` are the people asked elsewhere, as far as the viewer knows them. `seconds` are left until an
    open choice takes its default; None if it waits for ever. To those who act, `chance` is that of success
    in percent while nothing has been rolled yet.
    """

    label: str
    questions: tuple[Question, ...]
    lines: tuple[Line, ...]
    seconds: int | None = None
    missing: tuple[str, ...] = ()
    chance: str = ""

    @property
    def focus(self) -> str:
        """The key of the roll to focus: the first with a problem, else the first."""
        wrong = (question.key for question in self.rolls if question.problem)
        return next(wrong, self.rolls[0].key if self.rolls else "")

    @property
    def rolls(self) -> tuple[Question, ...]:
        """The questions for dice."""
        return tuple(question for question in self.questions if question.kind == "roll")

    @property
    def choices(self) -> tuple[Question, ...]:
        """The questions for choices."""
        return tuple(question for question in self.questions if question.kind != "roll")
