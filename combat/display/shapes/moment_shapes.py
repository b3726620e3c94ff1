"""The shapes of a projector's moments, and of the end of a fight."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.audience.viewer import HealthView

from ..combatants.tokens import Look
from .chips import Chip
from .result_shapes import Face

OVER, DEATH, DOWN, CRITICAL = "over", "death", "down", "critical"
WEIGHTS = {CRITICAL: 1, DOWN: 2, DEATH: 3, OVER: 4}


class Someone(Shape, frozen=True):
    """A combatant in a moment: name, token, health and conditions, as far as spectators know them."""

    name: str
    look: Look
    health: HealthView
    chips: tuple[Chip, ...] = ()
    pc: bool = False
    given_up: bool = False


class Moment(Shape, frozen=True):
    """Something of a step that a projector shows large for a few seconds.

    `key` names the step, `kind` is one of `WEIGHTS`. `who` it happened to and `by` whom may be unknown;
    `what` did it, or is what was done with a critical result; `faces` are the dice. `words` are the large
    words.
    """

    key: str
    kind: str
    words: str
    who: Someone | None = None
    by: Someone | None = None
    what: str = ""
    faces: tuple[Face, ...] = ()

    @property
    def weight(self) -> float:
        """What it weighs against others of the same time: player characters a little more."""
        return WEIGHTS[self.kind] + (0.5 if self.who and self.who.pc else 0)

    @property
    def said(self) -> str:
        """The moment as a sentence."""
        name = self.who.name if self.who else ""
        if self.kind == CRITICAL:
            return f"{self.words} on {name}." if name else f"{self.words}."
        return f"{name} {self.words}.".strip()


class Moments(Shape, frozen=True):
    """The moments of the newest steps: the `keys` of all, and those to `show` unless someone is asked."""

    keys: tuple[str, ...] = ()
    show: tuple[Moment, ...] = ()


class Ending(Shape, frozen=True):
    """The end of a fight: how it went in a word, who stands and who is out, and its numbers with labels.

    `more` and `more_out` others are not listed.
    """

    title: str
    standing: tuple[Someone, ...]
    out: tuple[Someone, ...]
    numbers: tuple[tuple[str, str], ...]
    more: int = 0
    more_out: int = 0
