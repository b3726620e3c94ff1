"""Small shapes: a condition on a row, a further target of an attack, counters, and actions left as dots."""

from __future__ import annotations

from characters.display.shapes import Shape

from ..combatants.tokens import Look


class Chip(Shape, frozen=True):
    """A condition: its label, what it does, what ends it, its rule, and its kind.

    `count` is its level, or the turns left; empty if there is one of it. Letters before that tell it from
    another one with its sign.
    """

    id: str
    label: str
    ends: str
    text: str
    rule: str
    look: str = ""
    count: str = ""


class OtherTarget(Shape, frozen=True):
    """Someone else whom an attack can name, and the chance in percent; `look` is their token, if known."""

    id: str
    name: str
    chance: str
    look: Look | None = None


class Pips(Shape, frozen=True):
    """A pool of actions: how many are left of how many; `main` if few leave one of it unspent."""

    label: str
    left: int
    most: int
    main: bool = False

    @property
    def row(self) -> list[bool]:
        """True for each one left, then False for each one spent."""
        return [n < self.left for n in range(self.most)]


class CounterView(Pips, frozen=True, kw_only=True):
    """A counter of a combatant. `refills` is when, as a key, `filled` in words; `secret`: for the GM."""

    id: str
    refills: str
    filled: str
    secret: bool
