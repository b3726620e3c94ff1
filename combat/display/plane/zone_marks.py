"""What matters in a zone: cover, light, ground, height and what the GM made up, each with an icon."""

from __future__ import annotations

from collections.abc import Iterator

from combat.rules.core.declaration.space import Words
from combat.rules.core.declaration.system import System
from combat.rules.core.space import HAZARDS, Zone
from combat.rules.core.space.battle_map import THINGS

from .land import ICONS

POOR = ("dim", "dark", "low")  # parts of the keys of little light


def list_marks(system: System, zone: Zone) -> Iterator[tuple[str, str]]:
    """The kind and the words of each property of a zone."""
    looks = dict(system.kinds.ground)
    if zone.cover and zone.cover != "none":
        yield "guard", f"{_say(system.space.covers, zone.cover)} cover"
    if zone.light:
        yield _find_light(zone.light), say_light(system, zone.light)
    for terrain in zone.terrain:
        look = looks.get(terrain, "")
        yield (
            ICONS[look] if look in HAZARDS else "guard" if look in THINGS else "hazard",
            _say(system.space.terrains, terrain),
        )
    if zone.height:
        yield "boost", f"{zone.height:g} {system.space.unit} high"
    for made_up in zone.properties:
        yield "ruling", made_up.name


def say_light(system: System, light: str) -> str:
    """The light of a zone; a game without rules of light says that the zone only looks like that."""
    words = _say(system.space.zone_lights, light)
    return words if system.space.lights else f"looks {words}"


def _say(words: Words, key: str) -> str:
    """The label of a key within a list of properties: in small letters."""
    label = dict(words).get(key, key)
    return label[:1].lower() + label[1:]


def _find_light(light: str) -> str:
    return "dark" if light.startswith(POOR) else "look"
