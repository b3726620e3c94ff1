"""A line of the log, and the pen that writes in one game's words for one reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from ..basics.dice.dice import Roll
from ..basics.modifiers import Derived, Modifier, Modifiers, add_up
from ..basics.words import SOMEONE, Label, Phrase, capitalized, say_number
from ..commands.commands import Preview
from ..declaration.characters import Health
from ..declaration.system import System
from ..sheets.sheets import Budget
from ..state import events as e
from ..state.state import State

Names = Mapping[str, str]


class Line(msgspec.Struct, frozen=True):
    """One sentence of the log. `against_terms` explain the number the roll had to reach.

    `sum_label` names the total of the roll and its terms. `tone` is good, bad or plain; `to` says who reads
    the sentence; `correction` is the form that would correct it: "condition", or "mend" for the `points`
    that a `track` gained or lost; `look` is the kind of the event, for its icon, if it has one.
    `averts`: it tells of a defense that made an attack fail. `check` is the number of its check in its step,
    if the GM may overrule it now.
    """

    text: str
    rule: str = ""
    to: str = e.EVERYONE
    roll: Roll | None = None
    terms: Modifiers = ()
    total: int | None = None
    against: int | None = None
    against_label: str = ""
    against_terms: Modifiers = ()
    tone: str = "plain"
    kind: str = "line"
    who: str = ""
    correction: str = ""
    track: str = ""
    points: int = 0
    look: str = ""
    sum_label: str = "Total"
    averts: bool = False
    check: int | None = None

    @property
    def correction_query(self) -> str:
        """The address of the form that would correct it, after `row=`."""
        if self.track:
            return f"{self.correction}&track={self.track}&points={self.points}"
        return f"{self.correction}&mends=1" if self.correction in ("heal", "damage") else self.correction

    @property
    def sum(self) -> str:
        """The total of the terms and the dice of a check, in points."""
        return say_number(add_up(self.terms) if self.total is None else self.total)

    @property
    def thrown(self) -> int | None:
        """What the dice add to the sum; None if they count another way or are among the terms."""
        if self.roll is None or self.total is None or self.roll.total + add_up(self.terms) != self.total:
            return None
        return self.roll.total


def pen_of(system: System, state: State) -> Pen:
    """A pen for a reader who may know all of a state, such as a redacted one."""
    return Pen(system, {who: combatant.name for who, combatant in state.combatants.items()})


class Pen:
    """Writes sentences of one game for a reader who knows these names."""

    def __init__(self, system: System, names: Names) -> None:
        self.system = system
        self.names = names

    def draw(self, label: Label) -> str:
        """The words of a label."""
        return self.system.draw(label, self.names)

    def write(self, key: str, /, **args: Any) -> str:
        """The sentence of a key; labels among the arguments are drawn too."""
        return self.say(Phrase(f"log.{key}", args))

    def say(self, phrase: Phrase) -> str:
        """The sentence of a phrase, capitalized unless it begins with a name."""
        words = self.system.draw(phrase, self.names)
        return capitalized(words) if words.startswith(SOMEONE) else words

    def either(self, key: str, why: Label, /, **args: Any) -> str:
        """The sentence with its reason, or the shorter one if there is no reason."""
        return self.write(f"{key}_why", why=why, **args) if why else self.write(key, **args)

    def terms(self, terms: Modifiers) -> Modifiers:
        """Terms of a sum with their labels drawn."""
        return tuple(Modifier(self.system.draw(t.label, self.names), t.value, t.rule) for t in terms)

    def derived(self, numbers: Iterable[Derived]) -> tuple[Derived, ...]:
        """Numbers with the labels of their terms drawn."""
        return tuple(msgspec.structs.replace(n, terms=self.terms(n.terms)) for n in numbers)

    def budget(self, budget: Budget) -> Budget:
        """A budget of creation with the labels of its terms drawn."""
        return msgspec.structs.replace(budget, terms=self.terms(budget.terms))

    def health(self, health: Health) -> Health:
        """The health of a combatant, with its word drawn."""
        return msgspec.structs.replace(health, word=self.system.draw(health.word))

    def preview(self, preview: Preview) -> Preview:
        """The sums of a command with their words drawn."""
        return msgspec.structs.replace(
            preview,
            modifiers=self.terms(preview.modifiers),
            against=self.terms(preview.against),
            against_label=self.system.draw(preview.against_label, self.names),
            notes=tuple(self.system.draw(note, self.names) for note in preview.notes),
            stopped=self.system.draw(preview.stopped, self.names),
        )

    def outcome(self, check: e.Checked) -> str:
        """The outcome of a check; `told` has words for the outcome of one kind of check, if they differ."""
        own = f"told.{check.kind}_{check.outcome.removeprefix('outcome.')}"
        return self.draw(own if own in self.system.words else check.outcome)

    def roll(self, roll: Roll | None) -> Roll | None:
        """A roll with its reason drawn."""
        return msgspec.structs.replace(roll, why=self.system.draw(roll.why, self.names)) if roll else None
