"""The actions of the game, room by room: each room's module lists its own."""

from __future__ import annotations

from . import body, care, fight, move, time, turn, vehicles, world

ACTIONS = (
    *fight.ACTIONS,
    *body.ACTIONS,
    *care.ACTIONS,
    *time.ACTIONS,
    *move.ACTIONS,
    *world.ACTIONS,
    *turn.ACTIONS,
    *vehicles.ACTIONS,
)
