"""Our library of scenes: one file each, in metres from the corner of the first square."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import BattleMap, Light, Obstacle, Scene, Wall, Zone
from combat.rules.core.space.battle_map import DOOR, FENCE, WINDOW

FOLDER = Path(__file__).parent / "library"
HALF = 0.5  # places are the middles of squares: a square begins half a metre before


@dataclass(frozen=True)
class ReadyScene:
    """A scene of the library: its key, its name, a description, and what it lays out."""

    key: str
    name: str
    about: str
    scene: Scene


@cache
def find_ready_scenes() -> tuple[ReadyScene, ...]:
    """All scenes of the library, by name."""
    return tuple(sorted((_read(path) for path in FOLDER.glob("*.toml")), key=lambda one: one.name))


def find_ready_scene(key: str) -> ReadyScene:
    """A scene of the library; Refused if there is none with this key."""
    found = next((one for one in find_ready_scenes() if one.key == key), None)
    if found is None:
        raise Refused("unknown", "There is no such scene: choose one from the list.")
    return found


def _read(path: Path) -> ReadyScene:
    data = tomllib.loads(path.read_text())
    zones = tuple(
        Zone(f"zone{number}", name, x - HALF, y - HALF, width, depth)
        for number, (name, x, y, width, depth) in enumerate(data["zones"], 1)
    )
    drawn = BattleMap(_read_walls(data), _read_things(data), _read_lights(data))
    return ReadyScene(path.stem, data["name"], data["about"], Scene(data["name"], zones, map=drawn))


def _read_walls(data: dict[str, Any]) -> tuple[Wall, ...]:
    """Chains of walls and fences, then doors and windows."""
    found: list[tuple[tuple[float, ...], dict[str, Any]]] = []
    through: dict[str, Any] = {"blocks_sight": False, "cover": ""}
    for key, look in (("walls", {}), ("fences", {"kind": FENCE, **through})):
        found += [((*a, *b), look) for chain in data.get(key, ()) for a, b in pairwise(chain)]
    found += [(tuple(ends), {"kind": DOOR, "name": name}) for name, *ends in data.get("doors", ())]
    found += [(tuple(ends), {"kind": WINDOW, **through}) for ends in data.get("windows", ())]
    return tuple(_make_wall(f"w{number}", ends, look) for number, (ends, look) in enumerate(found, 1))


def _make_wall(name: str, ends: tuple[float, ...], look: dict[str, Any]) -> Wall:
    x1, y1, x2, y2 = (end - HALF for end in ends)
    return Wall(name, x1, y1, x2, y2, **look)


def _read_things(data: dict[str, Any]) -> tuple[Obstacle, ...]:
    numbered = enumerate(data.get("things", ()), 1)
    return tuple(
        Obstacle(f"o{n}", name, x - HALF, y - HALF, width, depth)
        for n, (name, x, y, width, depth) in numbered
    )


def _read_lights(data: dict[str, Any]) -> tuple[Light, ...]:
    numbered = enumerate(data.get("lights", ()), 1)
    return tuple(Light(f"l{n}", x - HALF, y - HALF, radius) for n, (x, y, radius) in numbered)
