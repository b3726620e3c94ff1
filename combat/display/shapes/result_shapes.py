"""The shapes of a result card: dice, what was rolled, whom it changed."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.audience.viewer import HealthView
from combat.rules.core.basics.words import say_number
from combat.rules.core.wording import Line

from ..combatants.tokens import Look

MOST_TOLD = 2  # sentences about one person on the card of a low phone
MAX_IN_FULL = 3  # with more people, a card only says how each is now


class Face(Shape, frozen=True):
    """A die as it lies: its shape, its number, and whether that is its highest."""

    shape: str
    value: int
    best: bool

    @property
    def wide(self) -> bool:
        """Whether its number has two digits or more."""
        return self.value > 9


class Rolled(Shape, frozen=True):
    """One roll: who rolled what against whom, the faces, the sum, the number to reach, and the outcome.

    Dice of damage and free dice have neither a number to reach nor an outcome.
    `added` is what modifiers and the number of the dice add to the faces; None if the viewer does not know
    them. `summed`: the faces add up.
    `deed` says what is done: "Zara attacks Pirate". `words` add the sum: "Zara attacks Pirate (14 vs
    Defense 10)".
    `is_defended`: it succeeded, but a defense made it fail; then `verdict` says which.
    `number` counts the checks of its step from 0. `overrule` is what the GM may say of it instead.
    """

    what: str
    faces: tuple[Face, ...]
    total: int | None
    source: str
    who: str = ""
    target: str = ""
    against: int | None = None
    against_label: str = ""
    verdict: str = ""
    tone: str = "is-plain"
    added: int | None = None
    summed: bool = False
    number: int = -1
    overrule: str = ""
    deed: str = ""
    words: str = ""
    is_defended: bool = False

    @property
    def addition(self) -> str:
        """What is added to the faces, as in a sum: "+ 8"; empty if nothing or if unknown."""
        return f"{'−' if self.added < 0 else '+'} {abs(self.added)}" if self.added else ""

    @property
    def sum(self) -> str:
        """The total in digits; "" if unknown."""
        return "" if self.total is None else say_number(self.total)

    @property
    def adds_up(self) -> bool:
        """Whether the dice and what is added, as shown, make the total."""
        return self.summed and self.added is not None and (len(self.faces) > 1 or self.added != 0)

    @property
    def margin(self) -> int:
        """By how much the total is over or under the number to reach; 0 if unknown or of no effect."""
        if self.total is None or self.against is None or self.is_defended:
            return 0
        return abs(self.total - self.against)

    @property
    def result(self) -> str:
        """The outcome of the roll; its number first, if there was no number to reach."""
        if self.verdict and self.against is None and (self.total or 0) > 0:
            return f"{self.sum} {self.verdict}"
        return self.verdict or self.sum


class Change(Shape, frozen=True):
    """What a roll did to someone: sentences, each with its kind, and their health now."""

    name: str
    look: Look
    told: tuple[tuple[str, str], ...]
    health: HealthView | None

    @property
    def words(self) -> tuple[str, ...]:
        """The sentences without their kinds."""
        return tuple(words for _, words in self.told)

    @property
    def brief(self) -> str:
        """Their health in a word; what happened to them, if health is not shown."""
        shown = self.health is not None and self.health.shown and self.health.word
        return self.health.word if self.health and shown else " ".join(self.words)


class ResultView(Shape, frozen=True):
    """A result card. `key` names its step, `look` the kind of its action; `why` are lines that explain it.

    `waits` says for whom its deferred effects wait, if others act at the same time. `item` is what was used.
    `is_free`: dice that no rule asked for, beside the last result. `is_past`: a turn has passed
    since, or it began the fight. `is_own`: someone of the viewer's own acted.
    """

    key: str
    main: Rolled
    others: tuple[Rolled, ...]
    changes: tuple[Change, ...]
    why: tuple[Line, ...]
    look: str = ""
    waits: str = ""
    item: str = ""
    is_free: bool = False
    is_past: bool = False
    is_own: bool = False

    @property
    def is_crowded(self) -> bool:
        """Whether too many were changed: then the card only says how each is now."""
        return len(self.changes) > MAX_IN_FULL

    @property
    def folds(self) -> int:
        """How many sentences a low phone leaves to Why: all but the first about each, if there are many."""
        told = [0] if self.is_crowded else [len(change.told) for change in self.changes]
        return sum(told) - len(told) if max(told, default=0) > MOST_TOLD else 0
