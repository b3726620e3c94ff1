"""Which side is drawn as the allies', and which as enemies."""

from __future__ import annotations

from combat.play.downtime import SIDE
from combat.rules.core.state.state import State, present

ENEMIES = "foes"  # the side of those whom the GM adds without another word


def find_tones(state: State) -> dict[str, str]:
    """Colour and shape of the sides: that of the first player character is the allies'.

    Before one is there, it is the side that players usually have; else, of several, the first one that is not
    what enemies usually are called. One side alone is the enemies'.
    """
    sides = list(dict.fromkeys(f.side for f in present(state)))
    others = [side for side in sides if side != ENEMIES] if len(sides) > 1 else []
    usual = SIDE if SIDE in sides else next(iter(others), "")
    own = next((f.side for f in present(state) if f.pc), usual)
    return {side: "is-ally" if side == own else "is-foe" for side in sides}
