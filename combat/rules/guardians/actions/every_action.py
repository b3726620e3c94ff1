"""All actions of the game, from the modules of their procedures."""

from __future__ import annotations

from .. import care, move, time
from ..fight import attack
from ..turn import deeds, hands, rounds
from ..world.acting import TABLE
from . import rulings

ACTIONS = TABLE.collect(
    *(
        attack.ACTIONS,
        move.ACTIONS,
        care.ACTIONS,
        deeds.ACTIONS,
        hands.ACTIONS,
    ),
    *(rounds.ACTIONS, time.ACTIONS),
    *(rulings.ACTIONS,),
)
