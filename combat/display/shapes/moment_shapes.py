"""The shapes of a projector's moments, and of the end of a fight."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.audience.viewer import HealthView
from combat.rules.core.basics.words import possessive

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
    words. `helper` is a sentence on who can help.
    """

    key: str
    kind: str
    words: str
    who: Someone | None = None
    by: Someone | None = None
    what: str = ""
    faces: tuple[Face, ...] = ()
    helper: str = ""

    @property
    def cause(self) -> str:
        """Whose weapon or deed it was, as far as known: "Pirate's Pistol"."""
        if self.by and self.what:
            return f"{possessive(self.by.name)} {self.what}"
        return self.by.name if self.by else self.what

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
        because = f": {self.cause}" if self.cause else ""
        return f"{name} {self.words}{because}. {self.helper}".strip()


class Moments(Shape, frozen=True):
    """The moments of the newest steps: the `keys` of all, and those to `show` unless someone is asked."""

    keys: tuple[str, ...] = ()
    show: tuple[Moment, ...] = ()


class Ending(Shape, frozen=True):
    """The end of the fight `name`: how it went in a word, who stands, who is out, and numbers with labels.

    `more` and `more_out` others are not listed.
    """

    title: str
    standing: tuple[Someone, ...]
    out: tuple[Someone, ...]
    numbers: tuple[tuple[str, str], ...]
    more: int = 0
    more_out: int = 0
    name: str = ""


class Urgent(Shape, frozen=True):
    """A dying friend, how far they are, and the words and the address of the help that is possible."""

    who: Someone
    far: str
    label: str = ""
    query: str = ""


class Finish(Shape, frozen=True):
    """The end of a fight for the GM: a headline, who stands and who is out with what became of them.

    `sides` are the sides, each with how many stand and how many it has. `closed`: nothing is left to do.
    """

    title: str
    place: str
    standing: tuple[Someone, ...]
    out: tuple[Someone, ...]
    sides: tuple[tuple[str, int, int], ...]
    closed: bool = False


class MyEnd(Shape, frozen=True):
    """How a fight went for a player: in two words, with their own combatant, and who cannot wait."""

    title: str
    me: Someone
    urgent: tuple[Urgent, ...] = ()
