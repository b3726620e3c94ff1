"""How combatants walk around the walls of the battle map."""

from __future__ import annotations

from combat.rules.core.map.bodies import metres_of
from combat.rules.core.space import Point, Scene, metres_through
from combat.rules.core.space.paths import Way, find_ground
from combat.rules.core.state.state import Combatant, State

from ..book.tables import TERRAIN
from .sight_lines import find_grid

ROUGH = frozenset(tag for tag, ground in TERRAIN.items() if ground.difficult and tag != "zero-g")
# RULING R47 R48: pushing replaces walking in zero gravity, and half movement the double cost under water
DIFFICULT = ROUGH - {"underwater"}
ARM_M = 1.0  # how near a path leads to another combatant


def is_difficult(scene: Scene, path: tuple[Point, ...]) -> bool:
    """Whether a path crosses difficult terrain, or lies under water. [COS-TERR-01] [COS-XENV-01]"""
    return scene.settings.get("water") == "underwater" or metres_through(scene, path, ROUGH) > 0


def make_way(state: State, combatant: Combatant) -> Way:
    """How a combatant walks the map: straight, or around difficult ground if shorter. [COS-TERR-02]"""
    return Way(find_grid(state), ground=find_ground(state.scene, DIFFICULT), metres=metres_of(combatant))
