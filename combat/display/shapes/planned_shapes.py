"""The shapes of planned turns: what waits for someone's turn, what is offered in it, and the form."""

from __future__ import annotations

from characters.display.shapes import Shape

from ..combatants.tokens import Look


class PlannedWay(Shape, frozen=True):
    """One thing that can be done now: what its button says, its chance, and the fields that do it.

    `name` and `look` are its target's, `note` what is done with or why it ends early.
    """

    words: str
    fields: tuple[tuple[str, str], ...]
    chance: str = ""
    price: str = ""
    name: str = ""
    look: Look | None = None
    note: str = ""
    parts: tuple[tuple[str, str], ...] = ()
    reaction: str = ""


class PlannedView(Shape, frozen=True):
    """A plan, or the way to make one. While others act it `waits`, in words.

    In the turn `ways` are what can be done of it, the best first: what was planned, or in its place other
    targets or the standing word. `why` is what has changed since.
    """

    who: str
    name: str
    acts: bool = False
    waits: str = ""
    steps: tuple[str, ...] = ()
    chance: str = ""
    look: Look | None = None
    why: str = ""
    ways: tuple[PlannedWay, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether something of it can be done now."""
        return bool(self.ways)

    @property
    def is_kept(self) -> bool:
        """Whether there is a plan."""
        return bool(self.waits)


class AheadChoice(Shape, frozen=True):
    """An attack that can be planned: its value in the form, whom, with what, its chance and price."""

    value: str
    name: str
    weapon: str
    chance: str
    price: str
    look: Look | None = None
    words: str = ""

    @property
    def said(self) -> str:
        """All of it in a line, for those who see no face."""
        chance = f"{self.chance}%" if self.chance else ""
        return ", ".join(filter(None, (self.name, self.weapon, self.words, chance, self.price)))


class AheadForm(Shape, frozen=True):
    """The form of a plan: attacks, places to move to first, and what is done if nobody is in reach."""

    who: str
    name: str
    attacks: tuple[AheadChoice, ...] = ()
    places: tuple[tuple[str, str], ...] = ()
    others: tuple[tuple[str, str], ...] = ()
    chosen: str = ""
    to: str = ""
    otherwise: str = ""
