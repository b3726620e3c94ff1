"""Our library of scenes: one file each, in meters from the corner of the first square.

Each names a start for each side: a rectangle with room for twelve people.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from msgspec.structs import replace

from combat.models import Encounter
from combat.rules.core.basics.data import read_toml, settle
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.space import Piece, Scene, map_of
from combat.rules.core.space.blueprint import read_map, read_zones
from combat.rules.core.space.ground import has_ground

from ..writing.encounter_service import read_state
from .imported import keep_picture

FOLDER = Path(__file__).parent / "library"
HALF = 0.5  # places are the middles of squares: a square begins half a meter before
GROUPS = ("Ship", "Station", "Town", "Wild", "Road", "Interior")
MAX_OWN = 12  # that are offered
MAX_LAST = 5  # encounters among which the last scene is
MAX_READ = 40  # encounters that are looked at, the newest


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
    found = (_read(path) for path in FOLDER.rglob("*.toml"))
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


# Scenes that someone has drawn or uploaded: those of their other encounters, to be used once more.


@dataclass(frozen=True)
class OwnScene:
    """A scene of an encounter: the number and the name of that, and what it lays out."""

    encounter: int
    of: str
    scene: Scene


def find_own_scenes(person: User | AnonymousUser, encounter: Encounter) -> list[OwnScene]:
    """The own scenes of someone's other encounters of the same game, the newest first, each once."""
    known = {one.name for one in find_ready_scenes()}
    found: list[OwnScene] = []
    for other in _list_others(person, encounter).order_by("-changed")[:MAX_READ]:
        scene = read_state(other).scene
        is_new = all((scene.zones, scene.map) != (one.scene.zones, one.scene.map) for one in found)
        if scene.name not in known and has_ground(scene) and is_new:
            found.append(OwnScene(other.pk, other.name, scene))
        if len(found) == MAX_OWN:
            break
    return found


def find_last_scene(person: User, other_than: Encounter) -> OwnScene | None:
    """The scene of someone's encounter of the same game that changed last, of those that have one."""
    for other in _list_others(person, other_than).order_by("-changed")[:MAX_LAST]:
        scene = read_state(other).scene
        if has_ground(scene):
            return OwnScene(other.pk, other.name, scene)
    return None


def take_own_scene(person: User | AnonymousUser, encounter: Encounter, number: int) -> Scene:
    """The scene of another encounter of someone, whose picture is stored for this one too.

    Refused if that encounter is gone, is not theirs, or has no scene.
    """
    other = _list_others(person, encounter).filter(pk=number).first()
    scene = read_state(other).scene if other else None
    if other is None or scene is None or not has_ground(scene):
        raise Refused("unknown", "That scene is gone: choose another one.")
    picture = map_of(scene).picture
    for row in other.pictures.filter(digest=picture.digest) if picture else ():
        keep_picture(encounter, row)
    return scene


def _list_others(person: User | AnonymousUser, encounter: Encounter) -> QuerySet[Encounter]:
    mine = Encounter.objects.filter(owner_id=person.pk, system=encounter.system, demo=False, downtime=False)
    return mine.exclude(pk=encounter.pk)
