"""What the waiting room shows: the people at a table, and what the GM shows them."""

from __future__ import annotations

from characters.display.shapes import Shape

from ..combatants.tokens import Look


class Person(Shape, frozen=True):
    """A player: their name, the character they play as far as the viewer knows it, and their face."""

    name: str
    character: str
    look: Look | None
    face: str
    ready: bool
    is_you: bool


class Showing(Shape, frozen=True):
    """The handout that the GM showed last."""

    pk: int
    title: str
    text: str
    digest: str
    width: int
    height: int


class WaitingRoom(Shape, frozen=True):
    """The players at a table, the viewer first; `others` more are not listed.

    `ready` of `total` are ready. In a fight nobody is asked: `asks` is false.
    """

    gm: str
    people: tuple[Person, ...]
    others: int
    ready: int
    total: int
    asks: bool
    you: Person | None = None
    showing: Showing | None = None

    @property
    def all_ready(self) -> bool:
        """Whether nobody is missing."""
        return bool(self.total) and self.ready == self.total
