"""The decks of a scene, as templates draw them; all in meters of the plane."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.rules.core.space import Spot


class DeckView(Shape, frozen=True):
    """A deck: its number from below, its name and rectangle, and the people on it who can still act."""

    number: int
    name: str
    box: tuple[float, float, float, float]
    people: tuple[str, ...]
    pc: bool = False
    acts: bool = False


class WayEnd(Shape, frozen=True):
    """One end of a way: what it is, and the deck that it leads up or down to; `state` is shut or locked."""

    id: str
    kind: str
    name: str
    spot: Spot
    leads: str
    up: bool
    state: str = ""


class HoleView(Shape, frozen=True):
    """An open hole: on the upper deck the opening itself, on the lower one what lies under it."""

    x: float
    y: float
    width: float
    depth: float
    upper: bool


class DeckGhost(Shape, frozen=True):
    """Someone on another deck, drawn pale where they are above (`up`) or below."""

    name: str
    deck: str
    spot: Spot
    up: bool
