"""The shapes of zones and of their board: who is in them, stages, and the ways between them."""

from __future__ import annotations

from dataclasses import dataclass

from combat.audience.viewer import HealthView
from combat.rules.core.space.hexes import Spot

from ..combatants.tokens import Look
from ..plane.land import NO_LAND, LandView
from ..plane.things import ThingsView

RIGHT, DOWN, FAR = "right", "down", "far"


@dataclass(frozen=True)
class Person:
    """Someone in a zone, reduced to what is drawn of them there, so that few changes draw it again."""

    id: str
    name: str
    full_name: str
    opens: bool
    look: Look
    health: HealthView


@dataclass(frozen=True)
class Way:
    """A way to another zone: its name, the distance in words, and where it is drawn on the board."""

    to: str
    words: str
    side: str


@dataclass(frozen=True)
class Mark:
    """What matters in a zone: a kind for its icon, and the words."""

    look: str
    words: str


@dataclass(frozen=True)
class Stand:
    """The place of a combatant on a stage; `scale` is the size of its token, `label` its name if it fits."""

    spot: Spot
    scale: float
    label: str


@dataclass(frozen=True)
class Stage:
    """A zone on the board: its column and row from 1, its floor, where its people stand, and its ways.

    `land` are its hazards, `things` what gives cover there.
    """

    column: int
    row: int
    floor: str
    marks: tuple[Mark, ...]
    stands: tuple[Stand, ...]
    ways: tuple[Way, ...]
    land: LandView = NO_LAND
    things: tuple[ThingsView, ...] = ()

    @property
    def is_covered(self) -> bool:
        """Whether anything lies on its floor."""
        return bool(self.things or self.land.signs)
