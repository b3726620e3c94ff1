"""The viewer, and what they may see of a fact or of someone's health."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from combat.rules.core.state import events as e


@dataclass(frozen=True)
class Viewer:
    """A viewer: the GM, someone at a seat with combatants of their own, or a spectator."""

    role: str = "spectator"
    seats: frozenset[str] = frozenset()

    @property
    def is_gm(self) -> bool:
        """Whether this viewer runs the table."""
        return self.role == "gm"

    @property
    def is_seated(self) -> bool:
        """Whether this viewer has a seat to play from."""
        return self.role == "seat"

    @property
    def is_spectator(self) -> bool:
        """Whether this viewer only watches."""
        return self.role == "spectator"

    def may_see(self, audience: str) -> bool:
        """Whether a fact with this audience is for this viewer."""
        if self.is_gm or audience == e.EVERYONE:
            return True
        return not self.seats.isdisjoint(e.seats_of(audience))

    def select(self, facts: Iterable[e.Fact]) -> list[e.Fact]:
        """The facts for this viewer: a secret one is replaced by its redacted event, if it has one."""
        if self.is_gm:
            return list(facts)
        seen = []
        for fact in facts:
            if fact.to == e.EVERYONE or self.may_see(fact.to):
                seen.append(fact)
            elif redacted := self.find_redacted(fact):
                seen.append(e.Fact(redacted, fact.rule))
        return seen

    def find_redacted(self, fact: e.Fact) -> e.Event | None:
        """What this viewer may know of a fact that is not for them."""
        return fact.redacted if self.may_see(fact.redacted_to or e.EVERYONE) else None

    def plays(self, who: str) -> bool:
        """Whether this viewer may act for a combatant."""
        return self.is_gm or who in self.seats


GM = Viewer("gm")


@dataclass(frozen=True)
class HealthView:
    """Health as bar, word and number, without what is secret.

    `percent` of the bar are full: what is left, also where harm is counted up (`rises`).
    """

    word: str
    percent: int
    tone: str
    number: str = ""
    unit: str = ""
    rises: bool = False
    shown: bool = True

    @property
    def spoken(self) -> str:
        """The bar in words, for bars without a word beside them."""
        return f"about {self.percent}% left" if self.rises else f"about {self.percent}% {self.unit} left"

    @property
    def unsaid(self) -> str:
        """The unit, if the number does not say it."""
        return "" if self.rises or not self.number else self.unit
