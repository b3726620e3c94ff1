"""All actions of the game, from the modules of their procedures."""

from __future__ import annotations

from tests.combat.rules.tiny import fight, move, turn

ACTIONS = turn.TABLE.collect(fight.ACTIONS, move.ACTIONS, turn.ACTIONS)
