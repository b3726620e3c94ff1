"""Scenes that someone has drawn or uploaded: those of their other encounters, to be used once more."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from combat.models import Encounter
from combat.rules.core.basics.errors import Refused
from combat.rules.core.map.ends import has_ground
from combat.rules.core.space import Scene, map_of

from ..writing.encounter_service import read_state
from .pictures import keep_picture
from .ready import find_ready_scenes

MAX_OWN = 12  # that are offered
MAX_READ = 40  # encounters that are looked at, the newest


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
