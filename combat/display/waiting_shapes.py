"""What a seat is shown until its turn."""

from __future__ import annotations

from dataclasses import dataclass

from combat.audience.viewer import HealthView

from .tokens import Look


@dataclass(frozen=True)
class InLine:
    """Somebody in the turn order: their token, and their name, or "now" or "you"."""

    label: str
    look: Look
    is_own: bool


@dataclass(frozen=True)
class Helper:
    """An ally who can help: with which actions, from how far, in how many turns (0: they act now).

    `obstacle` is what they have to do first.
    """

    name: str
    actions: tuple[str, ...]
    distance: str
    turns: int | None
    obstacle: str


@dataclass(frozen=True)
class Down:
    """A viewer's own combatant who is out of the fight: how they are, and who can help."""

    id: str
    name: str
    look: Look
    health: HealthView
    helpers: tuple[Helper, ...]
    dead: bool = False


@dataclass(frozen=True)
class Waiting:
    """Until one's own turn: who acts, how many turns yet, and what happened to oneself since the last one.

    A turn of this round that is `kept` may be taken up at any time. `line` begins with whoever acts. Those of
    one's own who are `down` get no turn.
    """

    acts: str
    turns: int | None
    since: tuple[str, ...]
    kept: bool = False
    line: tuple[InLine, ...] = ()
    down: tuple[Down, ...] = ()
