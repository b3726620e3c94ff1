"""How combatants walk round the walls of the battle map."""

from __future__ import annotations

from combat.rules.core.bodies import metres_of
from combat.rules.core.space.ways import Way, find_ground
from combat.rules.core.state.state import Combatant, State

from ..book.tables import TERRAIN
from .lines import find_grid

# RULING R47: in zero gravity pushing replaces walking, so nothing costs double
DIFFICULT = frozenset(tag for tag, ground in TERRAIN.items() if ground.difficult and tag != "zero-g")
ARM_M = 1.0  # how near one goes to somebody


def make_way(state: State, fighter: Combatant) -> Way:
    """[COS-TERR-02] How fighters walk the map: straight, and round difficult ground where that is shorter."""
    return Way(find_grid(state), ground=find_ground(state.scene, DIFFICULT), metres=metres_of(fighter))
