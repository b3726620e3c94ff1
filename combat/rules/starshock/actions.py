"""All actions of the game, from the modules of their procedures."""

from __future__ import annotations

from . import care, hazards, time
from .fight import attack
from .move import free_move, movement
from .turn import assist, checks, deeds, hands, rounds, seating_order, stance
from .world.acting import TABLE

ACTIONS = TABLE.collect(
    *(attack.ACTIONS, movement.ACTIONS, free_move.ACTIONS, care.ACTIONS, hazards.ACTIONS, time.ACTIONS),
    *(rounds.ACTIONS, seating_order.ACTIONS, stance.ACTIONS, hands.ACTIONS, deeds.ACTIONS),
    *(checks.ACTIONS, assist.ACTIONS),
)
