"""What a seat is shown until its turn."""

from __future__ import annotations

from dataclasses import dataclass

from .tokens import Look


@dataclass(frozen=True)
class InLine:
    """Somebody in the turn order: their token, and their name, or "now" or "you"."""

    label: str
    look: Look
    is_own: bool


@dataclass(frozen=True)
class Waiting:
    """Until one's own turn: who acts, how many turns yet, and what happened to oneself since the last one.

    A turn of this round that is `kept` may be taken up at any time. `line` begins with whoever acts.
    """

    acts: str
    turns: int | None
    since: tuple[str, ...]
    kept: bool = False
    line: tuple[InLine, ...] = ()
