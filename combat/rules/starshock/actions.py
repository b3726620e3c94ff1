"""All actions of the game, from the modules of their procedures."""

from __future__ import annotations

from . import care, hazards, time
from .fight import attack
from .move import movement
from .turn import checks, deeds, hands, rounds, stance
from .world.acting import TABLE

ACTIONS = TABLE.collect(
    *(attack.ACTIONS, movement.ACTIONS, care.ACTIONS, hazards.ACTIONS, time.ACTIONS),
    *(rounds.ACTIONS, stance.ACTIONS, hands.ACTIONS, deeds.ACTIONS),
    *(checks.ACTIONS,),
)
