"""Fights of the made-up game that are stored: one by its first rules, one that moves on to its second."""

from __future__ import annotations

import random

from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import replace
from tests.combat.rules.every_game.wild.wild import Log


def play_versions(system: System, chance: random.Random, rules: int, moves: bool) -> Log:
    """A fight begun under a version, with everybody near; moved or not before anybody is scared."""
    log = Log(system, replace(system.begin(), rules=rules))
    for step in system.demo.make_first().setup:
        near = {"zone": log.state.scene.zones[0].id} if step.name == "join" else {}
        log.do(step.name, {**step.command, **near}, chance)
    log.do("start", {}, chance)
    if moves:
        log.do("move_rules", {"to": 2}, chance)
    log.do("scare", {"actor": log.state.active}, chance)
    return log


FIGHTS = {
    "older": lambda system, chance: play_versions(system, chance, 1, moves=False),
    "moved": lambda system, chance: play_versions(system, chance, 1, moves=True),
}
