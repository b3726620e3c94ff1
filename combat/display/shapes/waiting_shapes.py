"""What a seat sees until its turn."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.audience.viewer import HealthView

from ..combatants.tokens import Look
from .chips import Chip


class InLine(Shape, frozen=True):
    """Someone in the turn order: their token, and their name, or "now" or "you"."""

    label: str
    look: Look
    is_own: bool


class Helper(Shape, frozen=True):
    """An ally who can help: with which actions, from how far, in how many turns (0: now).

    `look` is their token, `obstacle` is what they must do first.
    """

    name: str
    look: Look
    actions: tuple[str, ...]
    distance: str
    turns: int | None
    obstacle: str


class Down(Shape, frozen=True):
    """A viewer's own combatant who is out of the fight: their health and conditions, and who can help.

    `sheet` is the number of their character sheet, if there is one.
    """

    id: str
    name: str
    look: Look
    health: HealthView
    helpers: tuple[Helper, ...]
    dead: bool = False
    chips: tuple[Chip, ...] = ()
    sheet: int | None = None


class Waiting(Shape, frozen=True):
    """The time until the viewer's next turn: who acts, how many turns are left, what happened since the last.

    `kept`: the viewer has a delayed turn of this round, to take at any time. `line` begins with the active
    combatant. The viewer's own who are `down` get no turn.
    """

    acts: str
    turns: int | None
    since: tuple[str, ...]
    kept: bool = False
    line: tuple[InLine, ...] = ()
    down: tuple[Down, ...] = ()
