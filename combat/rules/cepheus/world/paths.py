"""Paths of combatants around the walls of the battle map."""

from __future__ import annotations

import math

from combat.rules.core.map.bodies import metres_of
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.paths import Way, find_ground
from combat.rules.core.state.state import Combatant, State

from ..book.tables import SQUARE_METRES
from .bands import is_grid
from .scene import DIFFICULT
from .sight_lines import find_grid


def make_way(state: State, combatant: Combatant) -> Way:
    """A path: from square to square on a grid, diagonals as one; else straight. [CE-MINOR-16] [CE-MINOR-18]

    RULING R31
    """
    squares = is_grid(state)
    ground = find_ground(state.scene, frozenset({DIFFICULT}))
    grid = Grid(SQUARE_METRES) if squares else find_grid(state)
    slant = 1.0 if squares else math.sqrt(2)
    return Way(grid, squares, slant, ground, metres=metres_of(combatant))
