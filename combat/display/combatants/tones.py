"""Which side is drawn as allies, which as enemies, and which as neither."""

from __future__ import annotations

from combat.play.after.downtime import SIDE
from combat.play.notes.glossary import ENEMIES, NEUTRAL
from combat.rules.core.state.state import State, present


def find_tones(state: State) -> dict[str, str]:
    """The CSS class of each side: the side of the first player character is allied.

    Before there is one, it is the usual side of players; else, of several sides, the first that is not the
    usual one of enemies. A single side counts as enemies. The neutral side is neither.
    """
    sides = list(dict.fromkeys(f.side for f in present(state)))
    others = [side for side in sides if side not in (ENEMIES, NEUTRAL)] if len(sides) > 1 else []
    usual = SIDE if SIDE in sides else next(iter(others), "")
    own = next((f.side for f in present(state) if f.pc), usual)
    return {side: find_tone(side, own) for side in sides}


def find_tone(side: str, own: str) -> str:
    """The CSS class of a side, for those on the side `own`."""
    return "is-ally" if side == own else "is-neutral" if side == NEUTRAL else "is-foe"
