"""The scene of the made-up game for its tables of pairs."""

from __future__ import annotations

from tests.combat.rules.core.pairs import Pairs, Try, name_zone
from tests.combat.rules.stage import Stage
from tests.combat.rules.tiny import SYSTEM


def make() -> Stage:
    """Ada on her turn, Bo a metre from her."""
    stage = Stage(SYSTEM)
    stage.add("Ada", "heroes", (0, 0), {"skill": 3, "hits": 8}, pc=True)
    stage.add("Bo", "foes", (1, 0), {"skill": 1, "hits": 6})
    stage.begin()
    return stage


PAIRS = Pairs(SYSTEM, make, moves=(Try("move"),), name_place=name_zone)
