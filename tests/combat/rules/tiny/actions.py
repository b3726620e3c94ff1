"""All actions of the game, from the modules of their procedures."""

from __future__ import annotations

from tests.combat.rules.tiny import fight, move, turn
from tests.combat.rules.tiny.world import TABLE

ACTIONS = TABLE.collect(fight.ACTIONS, move.ACTIONS, turn.ACTIONS)
