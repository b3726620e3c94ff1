"""Our library of scenes: one file each, in meters from the corner of the first square.

Each names a start for each side: a rectangle with room for twelve people.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from combat.rules.core.basics.data import find_toml, read_toml
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.typed import settle
from combat.rules.core.declaration.system import System
from combat.rules.core.space import Piece, Scene
from combat.rules.core.space.blueprint import read_map, read_zones

FOLDER = Path(__file__).parent / "library"
HALF = 0.5  # places are the middles of squares: a square begins half a meter before
GROUPS = ("Ship", "Station", "Town", "Wild", "Road", "Interior")


@dataclass(frozen=True)
class ReadyScene:
    """A scene of the library: its key, its group, its name, a description, and what it lays out.

    `weightless` are the names of its zones without gravity.
    """

    key: str
    group: str
    name: str
    about: str
    scene: Scene
    weightless: frozenset[str] = frozenset()

    def lay_out(self, system: System) -> Scene:
        """The scene for a game: without gravity where it is weightless, if the game's text has that."""
        tag = system.space.zones.weightless
        if not tag or not self.weightless:
            return self.scene
        zones = tuple(
            replace(zone, terrain=(*zone.terrain, tag)) if zone.name in self.weightless else zone
            for zone in self.scene.zones
        )
        return replace(self.scene, zones=zones)


@cache
def find_ready_scenes() -> tuple[ReadyScene, ...]:
    """All scenes of the library, by group and name."""
    found = (_read(path) for path in find_toml(FOLDER))
    return tuple(sorted(found, key=lambda one: (GROUPS.index(one.group), one.name)))


def find_ready_scene(key: str) -> ReadyScene:
    """A scene of the library; Refused if there is none with this key."""
    found = next((one for one in find_ready_scenes() if one.key == key), None)
    if found is None:
        raise Refused("unknown", "There is no such scene: choose one from the list.")
    return found


def _read(path: Path) -> ReadyScene:
    data = read_toml(path)
    starts = tuple(Piece(x - HALF, y - HALF, width, depth) for x, y, width, depth in data["starts"])
    scene = settle(Scene(data["name"], read_zones(data, HALF), map=read_map(data, HALF), starts=starts))
    weightless = frozenset(data.get("weightless", ()))
    return ReadyScene(
        path.stem, data["group"], data["name"], about=data["about"], scene=scene, weightless=weightless
    )
