"""All actions of the game, from the modules of their procedures."""

from __future__ import annotations

from .. import care, move, time
from ..fight import attack
from ..turn import deeds, hands, holding, rounds, stance
from ..world.acting import TABLE
from . import conditions, damage, items

ACTIONS = TABLE.collect(
    *(attack.ACTIONS, move.ACTIONS, care.ACTIONS, stance.ACTIONS, hands.ACTIONS, deeds.ACTIONS),
    *(rounds.ACTIONS, holding.ACTIONS, time.ACTIONS),
    *(damage.ACTIONS, conditions.ACTIONS, items.ACTIONS),
)
