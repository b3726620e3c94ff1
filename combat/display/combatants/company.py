"""What the row of each combatant takes from all of them: names, sides and faces. Few turns change it."""

from __future__ import annotations

from typing import NamedTuple

from combat.rules.core.basics.memory import Seen, remember_by
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.decisions import FACE
from combat.rules.core.state.state import State

from .namesakes import number_namesakes, tell_apart
from .tokens import assign_faces
from .tones import find_tones


class Company(NamedTuple):
    """The names of all combatants by id, those who left too, and what tells namesakes apart.

    `words` and `numbers` do that; `tones` are the CSS classes of the sides, `faces` those of combatants who
    chose none.
    """

    names: dict[str, str]
    words: dict[str, str]
    numbers: dict[str, str]
    tones: dict[str, str]
    faces: dict[str, str]


def _look_at_all(system: System, state: State) -> Seen:
    everyone = state.combatants.values()
    told = [
        (one.id, one.name, one.side, one.pc, one.hidden, one.gone, one.berth, one.marks.get(FACE))
        for one in everyone
    ]
    return (system, *[one.sheet for one in everyone]), (*told, *tell_apart(state).items())


@remember_by(_look_at_all)
def find_company(system: System, state: State) -> Company:
    """What rows take from all the combatants; the same object until one of them changes in it.

    It also stands for who is inside whom: rows show that too.
    """
    names = {who: combatant.name for who, combatant in state.combatants.items()}
    numbers, faces = number_namesakes(state), assign_faces(system, state)
    return Company(names, tell_apart(state), numbers, find_tones(state), faces)
