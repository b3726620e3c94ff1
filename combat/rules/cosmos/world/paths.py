"""How combatants walk around the walls of the battle map."""

from __future__ import annotations

from combat.rules.core.map.bodies import metres_of
from combat.rules.core.space.paths import Way, find_ground
from combat.rules.core.state.state import Combatant, State

from ..book.tables import TERRAIN
from .sight_lines import find_grid

# RULING R47: in zero gravity pushing replaces walking, so nothing costs double
DIFFICULT = frozenset(tag for tag, ground in TERRAIN.items() if ground.difficult and tag != "zero-g")
ARM_M = 1.0  # how near a path leads to another combatant


def make_way(state: State, combatant: Combatant) -> Way:
    """How a combatant walks the map: straight, or around difficult ground if shorter. [COS-TERR-02]"""
    return Way(find_grid(state), ground=find_ground(state.scene, DIFFICULT), metres=metres_of(combatant))
