"""The actions of the game, room by room: each room's module lists its own.

The first actions of each group lead the page. Driving comes early, because a driver has to do it.
"""

from __future__ import annotations

from . import body, care, fight, move, time, turn, vehicles, world

ACTIONS = (
    *fight.ATTACKS,
    *vehicles.DRIVER,
    *fight.HANDLING,
    *fight.CHARGES,
    *body.ACTIONS,
    *care.ACTIONS,
    *time.ACTIONS,
    *move.ACTIONS,
    *world.ACTIONS,
    *turn.ACTIONS,
    *vehicles.ACTIONS,
)
