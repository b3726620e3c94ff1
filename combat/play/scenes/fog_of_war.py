"""Fog of war, as the GM sets it at the table: fog, its memory, hidden areas."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Scene, map_of, with_map

from . import drawing

MAX_LENGTH = 60
FOG, HIDE, REVEAL = "fog", "hide_area", "reveal_area"


def set_fog(scene: Scene, posted: Mapping[str, str]) -> Scene:
    """The scene with or without fog, and with or without memory of explored parts."""
    fog, remembers = posted.get("fog") == "true", posted.get("remembers") == "true"
    return with_map(scene, replace(map_of(scene), fog=fog, remembers=remembers))


def hide_area(scene: Scene, posted: Mapping[str, str]) -> Scene:
    """The scene with one more area that players do not see."""
    points = drawing.read_corners(posted.get("points", ""))
    name = " ".join(posted.get("name", "").split())[:MAX_LENGTH]
    return drawing.draw(scene, "area", points, name)[0]


def reveal_area(scene: Scene, posted: Mapping[str, str]) -> Scene:
    """The scene without one of its hidden areas."""
    return drawing.remove(scene, "hidden", posted.get("area", "")[:MAX_LENGTH])


CHANGES = {FOG: set_fog, HIDE: hide_area, REVEAL: reveal_area}


def find_changes(scene: Scene, do: str, posted: Mapping[str, str]) -> dict[str, object]:
    """The fields of the command for the change; Refused if there is nothing to change."""
    after = CHANGES[do](scene, posted)
    found = drawing.find_map_changes(map_of(scene), map_of(after))
    if not found:
        raise Refused("bad_value", "Nothing on the map would change: choose something else.")
    return found
