"""The properties of places: the words for cover, light and ground of zones."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.memory import remember_each
from combat.rules.core.space import Point, Scene, Zone, find_zone, map_of
from combat.rules.core.space.clouds import is_crossed
from combat.rules.core.space.grid import make_grid
from combat.rules.core.space.rays.lights import find_brightest
from combat.rules.core.state.state import Combatant, State

from ..book.options import (
    CLEAR,
    COMMS,
    CONDITIONS,
    DARK,
    LIGHT,
    LOW_LIGHT,
    SMOKE,
    THICK_SMOKE,
    find_setting,
    find_setting_of,
)
from ..book.tables import COVERS, SQUARE_METERS

SOFT = "_soft"  # the ending of the keys of cover that infra-red sees through
STOPS_SHOTS = {
    "quarter": "corner, rock",
    "half": "low wall, crate",
    "three_quarter": "trench",
    "full": "pillbox",
}
ONLY_HIDES = {"quarter": "undergrowth", "half": "forest, bodywork", "three_quarter": "jungle"}
COVER_CHOICES = (
    *((key, f"{row.name}, hard ({STOPS_SHOTS[key]})") for key, row in COVERS.items()),
    *((key + SOFT, f"{COVERS[key].name}, soft ({what})") for key, what in ONLY_HIDES.items()),
)
WALL_CHOICES = tuple(choice for choice in COVER_CHOICES if choice[0] != "full")  # on every map
LIGHT_CHOICES = ((LIGHT, "Light"), (LOW_LIGHT, "Low light"), (DARK, "Complete darkness"))
DIFFICULT, WALL, OBSTACLES = "difficult", "wall", "obstacles"
PATHOGEN, CHEMICAL, WEIGHTLESS, HOT = "pathogen", "chemical", "weightless", "hot"
AEROSOL = "aerosol"
TERRAIN_CHOICES = (
    (DIFFICULT, "Difficult terrain"),
    (WALL, "Blocks sight"),
    (SMOKE, "Smoke or fog"),
    (THICK_SMOKE, "Thick smoke"),
    (OBSTACLES, "Many obstacles"),
    (PATHOGEN, "Airborne pathogen"),
    (CHEMICAL, "Dangerous chemicals"),
    (WEIGHTLESS, "Zero gravity"),
    (HOT, "Strong heat source"),
    (AEROSOL, "Aerosol against lasers"),
)
TERRAIN_OPTIONS = {
    **dict.fromkeys((SMOKE, THICK_SMOKE), (*CONDITIONS, *COMMS)),  # as of the whole scene
    **dict.fromkeys((PATHOGEN, CHEMICAL, HOT), CONDITIONS),
    WEIGHTLESS: ("use_zero_gravity",),
}
_LIGHTS = (LIGHT, LOW_LIGHT, DARK)
_SMOKES = (CLEAR, SMOKE, THICK_SMOKE)


class Surroundings(msgspec.Struct, frozen=True):
    """What is at a place: its zone, if any, and its light."""

    zone: Zone | None
    light: str


def find_surroundings(state: State, at: Point) -> Surroundings:
    """What is at a place of the scene."""
    return _find_surroundings(state.scene, at)


@remember_each
def _find_surroundings(scene: Scene, at: Point) -> Surroundings:
    zone, drawn = find_zone(scene, at), map_of(scene)
    around = zone.light if zone and zone.light else find_setting_of(scene, "light")
    grid = make_grid(drawn, SQUARE_METERS, hexes=False)
    return Surroundings(
        zone, find_brightest(scene, grid, at, around=around, ladder=_LIGHTS[::-1], usual=LIGHT)
    )


def find_light(state: State, at: Point) -> str:
    """The light at a place: that of its zone, else of the scene; a lamp of the map may add to it.

    [CE-COND-01] [CE-COND-02]
    """
    return find_surroundings(state, at).light


def find_smoke(state: State, a: Point, b: Point) -> str:
    """The thickest smoke on the line between two places, or of the whole scene.

    [CE-COND-04] [CE-COND-05] RULING R45: smoke and thick smoke do not add up.
    """
    found = [tag for tag in (SMOKE, THICK_SMOKE) if find_crossed(state, a, b, tag)]
    return max((find_setting(state, "smoke"), *found), key=_SMOKES.index)


def find_crossed(state: State, a: Point, b: Point, tag: str) -> list[Zone]:
    """The zones of a terrain that the line between two places touches, those at its ends included."""
    zones = [zone for zone in state.scene.zones if tag in zone.terrain]
    if not zones:
        return []
    ends = find_zone(state.scene, a), find_zone(state.scene, b)
    return [zone for zone in zones if zone in ends or is_crossed(state.scene, zone, a, b)]


def has_terrain(state: State, combatant: Combatant, tag: str) -> bool:
    """Whether someone is on ground of a kind."""
    zone = find_surroundings(state, combatant.at).zone
    return bool(zone and tag in zone.terrain)
