"""The shapes of questions to people: dice to type in, choices, points to divide."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.rules.core.basics.dice.splits import Place
from combat.rules.core.wording import Line

from ..combatants.tokens import Look
from .result_shapes import Rolled


class Die(Shape, frozen=True):
    """A field for one die: its sides, and what was typed there."""

    side: int
    word: str = ""


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

    With `parts` it is `total` points to divide: places, each with the suggested number. `look` is the token
    of who decides.
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
    parts: tuple[tuple[Place, int], ...] = ()
    look: Look | None = None


class Decider(Shape, frozen=True):
    """Someone who is asked elsewhere: their name, their token, and whether they roll or choose.

    `by_gm`: nobody plays them from a seat.
    """

    name: str
    looks: tuple[Look, ...]
    rolls: bool
    by_gm: bool = False


class Prompt(Shape, frozen=True):
    """The open command: its name, its questions, and what has happened so far.

    `deed` says who does that, to whom and with what. `deciders` are the people asked elsewhere, as far as the
    viewer knows them; `rolled` are the dice so far. `seconds` are left until an
    open choice takes its default; None if it waits for ever. To those who act, `chance` is that of success
    in percent while nothing has been rolled yet.
    """

    label: str
    questions: tuple[Question, ...]
    lines: tuple[Line, ...]
    seconds: int | None = None
    chance: str = ""
    deed: str = ""
    deciders: tuple[Decider, ...] = ()
    rolled: tuple[Rolled, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of the people asked elsewhere, each once."""
        return tuple(dict.fromkeys(one.name for one in self.deciders))

    @property
    def focus(self) -> str:
        """The key of the roll to focus: the first with a problem, else the first."""
        wrong = (question.key for question in self.rolls if question.problem)
        return next(wrong, self.rolls[0].key if self.rolls else "")

    @property
    def dice(self) -> tuple[Die, ...]:
        """The fields for dice, of all questions."""
        return tuple(die for question in self.rolls for die in question.fields)

    @property
    def rolls(self) -> tuple[Question, ...]:
        """The questions for dice."""
        return tuple(question for question in self.questions if question.kind == "roll")

    @property
    def choices(self) -> tuple[Question, ...]:
        """The questions for choices."""
        return tuple(question for question in self.questions if question.kind != "roll")
