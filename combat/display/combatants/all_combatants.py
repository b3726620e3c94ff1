"""What the row of each combatant takes from all of them: names, sides and faces."""

from __future__ import annotations

from typing import NamedTuple

from combat.play.notes.glossary import NEUTRAL
from combat.play.people.roster import find_side
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import State, present

from .namesakes import number_namesakes, tell_apart
from .tokens import assign_faces


class AllCombatants(NamedTuple):
    """The names of all combatants by id, those who left too, and what tells namesakes apart.

    `words` and `numbers` do that; `tones` are the CSS classes of the sides, `faces` those of combatants who
    chose none.
    """

    names: dict[str, str]
    words: dict[str, str]
    numbers: dict[str, str]
    tones: dict[str, str]
    faces: dict[str, str]


def find_all_combatants(system: System, state: State) -> AllCombatants:
    """What rows take from all the combatants."""
    names = {who: combatant.name for who, combatant in state.combatants.items()}
    numbers, faces = number_namesakes(state), assign_faces(system, state)
    return AllCombatants(names, tell_apart(state), numbers, find_tones(state), faces)


def find_tones(state: State) -> dict[str, str]:
    """The CSS class of each side; a single side counts as enemies. The neutral side is neither."""
    own = find_side(state)
    return {side: find_tone(side, own) for side in dict.fromkeys(f.side for f in present(state))}


def find_tone(side: str, own: str) -> str:
    """The CSS class of a side, for those on the side `own`."""
    return "is-ally" if side == own else "is-neutral" if side == NEUTRAL else "is-foe"
