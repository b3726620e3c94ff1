"""Stored fights of Cosmos Engine besides those of every game."""

from __future__ import annotations

import random

from combat.rules.core.declaration.book import DemoStep
from combat.rules.core.declaration.system import System
from tests.combat.rules.every_game.wild.wild import Log

ZONES = [
    {"id": "west", "name": "West", "x": 0, "y": 0, "width": 16.5, "depth": 12},
    {"id": "east", "name": "East", "x": 16.5, "y": 0, "width": 16.5, "depth": 12},
]
THROWER = {
    "attributes": {"PRE": 3, "RES": 3, "INT": 3, "MIG": 4, "AWA": 3, "COO": 3},
    "skills": {"Combat": 1, "Athletics": 1},
    "weapons": ["smoke_grenade", "pistol"],
}
SMOKE = (
    DemoStep("set_scene", {"scene": {"name": "Two rooms", "zones": ZONES}}),
    DemoStep("change_map", {"walls": [{"id": "w1", "x1": 16.5, "y1": -20, "x2": 16.5, "y2": 30}]}),
    DemoStep("join", {"sheet": THROWER, "name": "Ada", "side": "a", "zone": "west"}),
    DemoStep("join", {"sheet": THROWER, "name": "Bo", "side": "b", "zone": "west"}),
    DemoStep("start", {}, ((8,), (7,))),
    DemoStep("blast", {"actor": "f1", "weapon": "f1-1", "at": "14,6"}),
    DemoStep("next_turn"),
    DemoStep("next_turn"),
    DemoStep("next_turn"),
)


def make_smoke(system: System, chance: random.Random) -> Log:
    """Smoke beside the wall between two rooms."""
    log = Log(system)
    log.play(SMOKE, chance)
    return log


FIGHTS = {"smoke": make_smoke}
