"""All actions of the game, from the modules of their procedures."""

from __future__ import annotations

from tests.combat.rules.boarders import care, fight, grenades, move, turn
from tests.combat.rules.boarders.world import TABLE

ACTIONS = TABLE.collect(fight.ACTIONS, grenades.ACTIONS, care.ACTIONS, move.ACTIONS, turn.ACTIONS)
