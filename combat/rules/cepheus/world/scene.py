"""The properties of places: the words for cover, light and ground of zones."""

from __future__ import annotations

from combat.rules.core.basics.memory import Seen, remember, remember_by
from combat.rules.core.space import Point, Scene, Zone, find_zone, map_of, metres_inside
from combat.rules.core.space.grid import make_grid
from combat.rules.core.space.rays.lights import find_brightest
from combat.rules.core.state.state import Combatant, State

from ..book.options import CLEAR, DARK, LIGHT, LOW_LIGHT, SMOKE, THICK_SMOKE, find_setting
from ..book.tables import COVERS, SQUARE_METRES

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
_LIGHTS = (LIGHT, LOW_LIGHT, DARK)
_SMOKES = (CLEAR, SMOKE, THICK_SMOKE)


def find_light(state: State, at: Point) -> str:
    """The light at a place: that of its zone, else of the scene; a lamp of the map may add to it.

    [CE-COND-01] [CE-COND-02]
    """
    zone, drawn = find_zone(state.scene, at), map_of(state.scene)
    around = zone.light if zone and zone.light else find_setting(state, "light")
    if not drawn.lights:
        return around
    grid = make_grid(drawn, SQUARE_METRES, hexes=False)
    return find_brightest(drawn, grid, at, around, _LIGHTS[::-1], LIGHT)


def find_smoke(state: State, a: Point, b: Point) -> str:
    """The thickest smoke on the line between two places, or of the whole scene.

    [CE-COND-04] [CE-COND-05] RULING R45: smoke and thick smoke do not add up.
    """
    return _find_smoke(state, a, b) if _has_smoke(state.scene) else find_setting(state, "smoke")


@remember
def _has_smoke(scene: Scene) -> bool:
    return any(tag in (SMOKE, THICK_SMOKE) for zone in scene.zones for tag in zone.terrain)


def _look_along(state: State, a: Point, b: Point) -> Seen:
    return (state.scene, a, b), None


@remember_by(_look_along)
def _find_smoke(state: State, a: Point, b: Point) -> str:
    tags = {tag for zone in find_crossed(state, a, b) for tag in zone.terrain}
    found = [find_setting(state, "smoke"), *(tag for tag in (SMOKE, THICK_SMOKE) if tag in tags)]
    return max(found, key=_SMOKES.index)


def find_crossed(state: State, a: Point, b: Point) -> list[Zone]:
    """The zones that the line between two places touches, those at its ends included."""
    ends = {zone.id for zone in (find_zone(state.scene, a), find_zone(state.scene, b)) if zone}
    return [z for z in state.scene.zones if z.id in ends or metres_inside(z, a, b) > 0.01]


def has_terrain(state: State, combatant: Combatant, tag: str) -> bool:
    """Whether someone is on ground of a kind."""
    zone = find_zone(state.scene, combatant.at)
    return bool(zone and tag in zone.terrain)
