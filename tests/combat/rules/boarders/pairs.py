"""A scene for the tables of pairs: what each condition, barrier and ground does to each action."""

from __future__ import annotations

from tests.combat.rules.boarders import SYSTEM
from tests.combat.rules.every_game.pairs.pairs import Pairs, Try, name_zone
from tests.combat.rules.stage import Stage


def make() -> Stage:
    """Ada on her turn, Bo a meter from her and hurt."""
    stage = Stage(SYSTEM)
    stage.add("Ada", "allies", (0, 0), {"hits": 12, "grenades": 2}, pc=True)
    stage.add("Bo", "enemies", (1, 0), {"hits": 8})
    stage.set_track("f2", hits=7)
    return stage.begin()


PAIRS = Pairs(SYSTEM, make, moves=(Try("move"),), name_place=name_zone)
