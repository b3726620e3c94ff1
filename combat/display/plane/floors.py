"""The floor of a zone as drawn: as it says, else as its terrain or its name suggests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from combat.rules.core.space import FLOORS, HAZARDS, OUTDOORS, OUTSIDE, Spot, Zone

DECK, CONCRETE, WATER = "deck", "concrete", "water"


class Floor(NamedTuple):
    """A floor, and whether it lies under the open sky."""

    look: str
    is_open: bool


GUESSES = (  # the floor that parts of the names of zones suggest; the first one counts
    (Floor(WATER, True), "river, lake, pond, pool, sea, canal, puddle, stream, water"),
    (Floor("grass", True), "grass, garden, park, meadow, forest, wood, jungle, verge, field, lawn, clearing"),
    (Floor("soil", True), "soil, sand, beach, desert, dune, trail, path, plain, hill, crater, ruin, bazaar"),
    (
        Floor(CONCRETE, True),
        "street, road, highway, yard, forecourt, square, plaza, alley, roof, rooftop, pier, lane, parking",
    ),
    (Floor("grating", False), "catwalk, gantry, engine, engine room, airlock, ramp, stair, reactor"),
    (
        Floor("tile", False),
        "mess, cabin, office, lab, bar, kitchen, galley, ward, sick bay, shop, lobby, hall",
    ),
    (Floor(CONCRETE, False), "warehouse, hangar, garage, bunker, cellar, vault, dock"),
)
ROAD, TWO_LANES = Floor(CONCRETE, True), 5.0  # what a road lies on; meters: a narrower one has no lanes
ROADS = re.compile(r"\b(road|street|bridge|highway)s?\b")
COUNTRY = re.compile(r"\b(road|highway)s?\b")
PATTERNS = tuple((floor, re.compile(rf"\b({words.replace(', ', '|')})(s|es)?\b")) for floor, words in GUESSES)


def find_floor(zone: Zone, looks: Mapping[str, str]) -> Floor:
    """The floor of a zone; `looks` are a game's terrains, each with the floor or hazard it looks like."""
    look = zone.floor or next((looks[tag] for tag in zone.terrain if looks.get(tag) in FLOORS), "")
    guess = _guess(zone.name)
    found = Floor(look, look in OUTSIDE or guess == (look, True)) if look else guess
    if not zone.kind:
        return found or Floor(DECK, False)
    is_open = zone.kind == OUTDOORS
    suits = found and (look or found.is_open == is_open)
    return Floor(found.look if found and suits else CONCRETE if is_open else DECK, is_open)


def leads_through(zone: Zone) -> bool:
    """Whether a zone is a road through land that goes on at its sides; streets are lined by houses."""
    return COUNTRY.search(zone.name.lower()) is not None


def find_lane(zone: Zone, floor: Floor) -> tuple[Spot, Spot] | None:
    """The ends of the line between the lanes of a road, in meters; None if a zone is none."""
    short, long = sorted((zone.width, zone.depth))
    if not (floor == ROAD and ROADS.search(zone.name.lower()) and TWO_LANES <= short < long):
        return None
    middle = zone.x + zone.width / 2, zone.y + zone.depth / 2
    if zone.width > zone.depth:
        return (zone.x, middle[1]), (zone.x + zone.width, middle[1])
    return (middle[0], zone.y), (middle[0], zone.y + zone.depth)


def _guess(name: str) -> Floor | None:
    words = name.lower()
    return next((floor for floor, pattern in PATTERNS if pattern.search(words)), None)


def find_hazards(zone: Zone, looks: Mapping[str, str]) -> tuple[str, ...]:
    """The hazards of a zone: those of its terrains, and those that its own properties are named after."""
    named = (kind for made_up in zone.properties for kind in HAZARDS if kind in made_up.name.lower())
    found = (looks.get(tag, "") for tag in zone.terrain)
    return tuple(dict.fromkeys(kind for kind in (*found, *named) if kind in HAZARDS))
