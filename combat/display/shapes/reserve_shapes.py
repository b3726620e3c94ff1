"""The shapes of those who arrive later, for templates."""

from __future__ import annotations

from characters.display.shapes import Shape


class ReserveView(Shape, frozen=True):
    """Combatants who arrive together: their names in one line, how many, when, and where."""

    id: str
    names: str
    count: int
    when: str
    where: str
