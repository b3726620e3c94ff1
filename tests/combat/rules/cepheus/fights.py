"""Stored fights of Cepheus besides those of every game."""

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
    "attributes": {"str": 9, "dex": 8, "end": 9, "int": 7, "edu": 6, "soc": 5},
    "skills": {"athletics": 2},
    "armor": ["mesh"],
    "gear": ["grenade_smoke"],
}
SMOKE = (
    DemoStep("set_scene", {"scene": {"name": "Two rooms", "zones": ZONES}}),
    DemoStep("change_map", {"walls": [{"id": "w1", "x1": 16.5, "y1": -20, "x2": 16.5, "y2": 30}]}),
    DemoStep("join", {"sheet": THROWER, "name": "Ada", "side": "a", "zone": "west"}),
    DemoStep("join", {"sheet": THROWER, "name": "Bo", "side": "b", "zone": "west"}),
    DemoStep("start", {}, ((6, 6), (1, 2))),
    DemoStep("ready", {"actor": "f1", "weapon": "f1-3"}),
    DemoStep("lob", {"actor": "f1", "weapon": "f1-3", "to": "15,6"}, ((5, 6), (1,))),
    DemoStep("next_turn"),
    DemoStep("next_turn"),
    DemoStep("next_turn"),
)
TOWN = {"id": "town", "name": "Old town", "width": 900, "depth": 200, "terrain": ["obstacles"]}
SARN = {
    "attributes": {"str": 7, "dex": 8, "end": 10, "int": 8, "edu": 8, "soc": 7},
    "skills": {"wheeled_vehicle": 2, "mechanics": 2},
    "weapons": ["auto_pistol"],
    "armor": ["cloth"],
}
PELL = {
    "attributes": {"str": 7, "dex": 9, "end": 8, "int": 8, "edu": 7, "soc": 7},
    "skills": {"slug_rifle": 2},
    "weapons": ["assault_rifle"],
    "armor": ["cloth"],
}
CAR, SARN_ID, PELL_ID, OTHER, DRIVER, GUNMAN = "f1", "f2", "f3", "f4", "f5", "f6"
ABOARD = (
    DemoStep("set_scene", {"scene": {"name": "Coast road", "zones": [TOWN]}}),
    DemoStep("join", {"block": "core_ground_car", "name": "Courier car", "side": "couriers", "zone": "town"}),
    DemoStep("join", {"sheet": SARN, "name": "Sarn", "side": "couriers", "zone": "town", "pc": True}),
    DemoStep("join", {"sheet": PELL, "name": "Pell", "side": "couriers", "zone": "town", "pc": True}),
    DemoStep("join", {"block": "core_ground_car", "name": "Black car", "side": "raiders", "zone": "town"}),
    DemoStep("join", {"block": "vehicle_driver", "name": "Driver", "side": "raiders", "zone": "town"}),
    DemoStep("join", {"block": "infantry_soldier", "name": "Gunman", "side": "raiders", "zone": "town"}),
    DemoStep("place", {"target": CAR, "x": 60, "y": 6}),
    DemoStep("place", {"target": OTHER, "x": 30, "y": 6}),
    DemoStep("seat", {"target": SARN_ID, "vehicle": CAR, "station": "driver"}),
    DemoStep("seat", {"target": PELL_ID, "vehicle": CAR}),
    DemoStep("seat", {"target": DRIVER, "vehicle": OTHER, "station": "driver"}),
    DemoStep("seat", {"target": GUNMAN, "vehicle": OTHER}),
    DemoStep("set_motion", {"target": CAR, "speed": 60, "facing": 90}),
    DemoStep("set_motion", {"target": OTHER, "speed": 60, "facing": 90}),
)
NEXT = DemoStep("next_turn")
CHASE = (
    DemoStep("start", {}, ((6, 6), (5, 2), (5, 5), (1, 1))),
    DemoStep("evade", {"actor": SARN_ID}, ((1, 1),)),
    NEXT,
    DemoStep("drive", {"actor": DRIVER, "why": "pursue", "target": CAR}),
    *(NEXT,) * 3,
    DemoStep("stunt", {"actor": SARN_ID, "why": "on two wheels"}, ((6, 3),)),
    *(NEXT,) * 4,
    DemoStep("weave", {"actor": SARN_ID}, ((5, 1),)),
    DemoStep("crash", {"target": OTHER, "speed": 30}, ((2, 3, 3), (2, 2))),
    DemoStep("spare_parts", {"target": OTHER, "parts": 3}),
    DemoStep("end_fight", {"reason": "over"}),
    DemoStep("rig", {"target": OTHER, "by": SARN_ID, "part": "drive"}, ((2,), (3, 2))),
    DemoStep("repair", {"target": OTHER, "by": SARN_ID, "part": "drive"}, ((1,), (6, 4))),
)


def make_smoke(system: System, chance: random.Random) -> Log:
    """Smoke beside the wall between two rooms."""
    log = Log(system)
    log.play(SMOKE, chance)
    return log


def make_chase(system: System, chance: random.Random) -> Log:
    """One car after another through a town, until one is a wreck and is repaired."""
    log = Log(system)
    log.play((*ABOARD, *CHASE), chance)
    return log


FIGHTS = {"smoke": make_smoke, "chase": make_chase}
