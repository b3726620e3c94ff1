"""Which side is drawn as allies, and which as enemies."""

from __future__ import annotations

from combat.play.after.downtime import SIDE
from combat.play.notes.glossary import ENEMIES
from combat.rules.core.state.state import State, present


def find_tones(state: State) -> dict[str, str]:
    """The CSS class of each side: the side of the first player character is allied.

    Before there is one, it is the usual side of players; else, of several sides, the first that is not the
    usual one of enemies. A single side counts as enemies.
    """
    sides = list(dict.fromkeys(f.side for f in present(state)))
    others = [side for side in sides if side != ENEMIES] if len(sides) > 1 else []
    usual = SIDE if SIDE in sides else next(iter(others), "")
    own = next((f.side for f in present(state) if f.pc), usual)
    return {side: "is-ally" if side == own else "is-foe" for side in sides}
