"""Which side is drawn as allies, which as enemies, and which as neither."""

from __future__ import annotations

from combat.play.notes.glossary import NEUTRAL
from combat.play.people.roster import find_side
from combat.rules.core.state.state import State, present


def find_tones(state: State) -> dict[str, str]:
    """The CSS class of each side; a single side counts as enemies. The neutral side is neither."""
    own = find_side(state)
    return {side: find_tone(side, own) for side in dict.fromkeys(f.side for f in present(state))}


def find_tone(side: str, own: str) -> str:
    """The CSS class of a side, for those on the side `own`."""
    return "is-ally" if side == own else "is-neutral" if side == NEUTRAL else "is-foe"
