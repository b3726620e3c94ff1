"""The ground of a scene as drawn: what lies around it, its floors, hazards and smoke, night and rain; and the
icons of what matters in a zone.

The templates turn this into shapes. Zones with the same floor are one path, so a scene of forty rooms takes
few elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, product
from math import ceil, sqrt
from operator import itemgetter
from typing import NamedTuple
from zlib import crc32

import msgspec

from characters.display.shapes import Shape
from combat.rules.core.declaration.space import Words
from combat.rules.core.declaration.system import System
from combat.rules.core.space import (
    DARK,
    FLOORS,
    HAZARDS,
    OUTDOORS,
    OUTSIDE,
    SMOKE,
    VOID,
    Piece,
    Scene,
    Spot,
    Zone,
    map_of,
    plot,
)
from combat.rules.core.space.battle_map import THINGS
from combat.rules.core.space.pieces import piece_of

from .names import Box
from .plotting import write_line

Marks = tuple[tuple[str, str], ...]  # terrains of a game, each with the floor or hazard it looks like
DECK, CONCRETE, WATER = "deck", "concrete", "water"
SHIP = frozenset((DECK, "grating", VOID))  # floors of places with nothing around them
PUFF, PUFFS = 2.4, 40  # meters between the puffs of smoke at least; of one cloud at most
PLATE = 0.6  # meters: half of the plate of a hazard
CORNER = 0.75  # meters from the corner of a zone to the plate of its hazard
FINE = 60  # meters: across a wider scene textures are coarser
ICONS = {
    "fire": "fire",
    "gas": "toxic",
    "acid": "hazard",
    "vacuum": "air",
    "radiation": "radiation",
    "electric": "shock",
    SMOKE: "smoke",
}
POOR = ("dim", "dark", "low")  # parts of the keys of little light


class FloorView(Shape, frozen=True):
    """Zones with the same floor, under the open sky or not, as one path."""

    look: str
    is_open: bool
    path: str


class HazardView(Shape, frozen=True):
    """A hazard on the ground: its kind, its outline, its icon and where the plate with it is.

    Smoke has puffs around some spots.
    """

    look: str
    path: str
    icon: str
    spot: Spot
    puffs: tuple[Spot, ...] = ()

    @property
    def box(self) -> Box:
        """What its plate covers."""
        x, y = self.spot
        return x - PLATE, y - PLATE, x + PLATE, y + PLATE


class LandView(Shape, frozen=True):
    """The ground of a scene.

    `key` begins the ids of its patterns. `base` is the floor around all zones; `rooms` and `zones` are the
    outlines of those indoors and of all, `dark` of those without light, `dim` of those with little. `size` is
    that of textures, `paint` the lines between the lanes of roads.
    """

    key: str = "g"
    base: str = ""
    rooms: str = ""
    zones: str = ""
    floors: tuple[FloorView, ...] = ()
    hazards: tuple[HazardView, ...] = ()
    clouds: tuple[HazardView, ...] = ()
    dark: str = ""
    sky: str = ""
    weather: str = ""
    size: float = 1.0
    dim: str = ""
    paint: str = ""

    @property
    def textures(self) -> tuple[str, ...]:
        """The patterns it needs, each once."""
        looks = (self.base, *(floor.look for floor in self.floors), *(one.look for one in self.hazards))
        return tuple(dict.fromkeys(look for look in (*looks, self.weather) if look))

    @property
    def signs(self) -> tuple[HazardView, ...]:
        """Everything that has a plate with an icon."""
        return (*self.hazards, *self.clouds)

    @property
    def grain(self) -> float:
        """The scale of textures, which are drawn in tenths of a meter."""
        return self.size / 10

    @property
    def has_night(self) -> bool:
        """Whether anything is dark."""
        return bool(self.sky or self.dark or self.dim)


NO_LAND = LandView()


class _Lying:
    """The zones of a scene, the largest first, with their outlines and floors; and what lies on them."""

    def __init__(self, scene: Scene, outlines: tuple[str, ...], marks: Marks, hexes: bool) -> None:
        self.looks = dict(marks)
        self.floors: list[tuple[Floor, str, Zone]] = []
        self.hazards: list[HazardView] = []
        for number, (zone, path) in enumerate(zip(scene.zones, outlines, strict=True)):
            kinds = find_hazards(zone, self.looks)
            self.hazards += [_view_hazard(kind, zone, path, hexes) for kind in kinds]
            if not (kinds and _lies_on(zone, scene.zones[:number])):
                self.floors.append((find_floor(zone, self.looks), path, zone))
        self.paint = "".join(self._draw_lane(floor, zone, hexes) for floor, _, zone in self.floors)
        self.floors.sort(key=lambda one: -one[2].width * one[2].depth)

    def _draw_lane(self, floor: Floor, zone: Zone, hexes: bool) -> str:
        """The line between the lanes of a road; "" for all other zones."""
        lane, leans = find_lane(zone, floor), hexes and zone.upright is not True
        return write_line(tuple(plot(x, y, leans) for x, y in lane)) if lane else ""

    def join(self, zones: Iterable[tuple[Floor, str, Zone]]) -> str:
        """The outlines of zones as one path."""
        return "".join(path for _, path, _ in zones)

    def view_floors(self) -> tuple[FloorView, ...]:
        """The floors from below; equal ones that follow one another are one."""
        return tuple(
            FloorView(floor.look, floor.is_open, self.join(zones))
            for floor, zones in groupby(self.floors, itemgetter(0))
        )

    def find_base(self) -> str:
        """The floor around all zones: the largest under the sky, else space around a ship, else concrete."""
        areas: dict[Floor, float] = {}
        for floor, _, zone in self.floors:
            if not leads_through(zone):
                areas[floor] = areas.get(floor, 0) + zone.width * zone.depth
        around = [floor for floor in areas if floor.is_open and floor.look not in (WATER, VOID)]
        if around:
            return max(around, key=lambda floor: areas[floor]).look
        largest = max(areas, key=lambda floor: areas[floor], default=None)
        if largest is None:
            return ""
        return VOID if largest.look in SHIP else CONCRETE


def view_land(
    scene: Scene, outlines: tuple[str, ...], marks: Marks, width: float, hexes: bool, dim: str = ""
) -> LandView:
    """The ground of a scene `width` meters wide, whose zones have these outlines.

    `dim` is the game's key of the light between bright and dark, if it has one.
    """
    drawn, lying = map_of(scene), _Lying(scene, outlines, marks, hexes)
    return LandView(
        _make_key(scene, width),
        "" if drawn.picture else lying.find_base(),
        lying.join(one for one in lying.floors if not one[0].is_open),
        zones=lying.join(lying.floors),
        floors=lying.view_floors(),
        hazards=tuple(one for one in lying.hazards if one.look != SMOKE),
        clouds=tuple(one for one in lying.hazards if one.look == SMOKE),
        dark=lying.join(one for one in lying.floors if one[2].light == DARK),
        sky=drawn.sky,
        weather=drawn.weather,
        size=max(1.0, round(width / FINE)),
        dim=lying.join(one for one in lying.floors if dim and one[2].light == dim),
        paint=lying.paint,
    )


def _make_key(scene: Scene, width: float) -> str:
    """The same for equal drawings: several of them can be in one page."""
    drawn = map_of(scene)
    parts = (scene.zones, drawn.walls, drawn.obstacles, drawn.lights, drawn.grid, drawn.sky, width)
    return f"g{crc32(msgspec.json.encode(parts)):x}"


def _lies_on(zone: Zone, before: tuple[Zone, ...]) -> bool:
    """Whether a zone is only something on the floor of another, such as smoke or flames."""
    if zone.floor or zone.kind:
        return False
    return bool(zone.parts) or any(
        other.x <= zone.x
        and other.y <= zone.y
        and zone.x + zone.width <= other.x + other.width
        and zone.y + zone.depth <= other.y + other.depth
        for other in before
    )


def _view_hazard(kind: str, zone: Zone, path: str, hexes: bool) -> HazardView:
    leans = hexes and zone.upright is not True

    def place(x: float, y: float) -> Spot:
        across, down = plot(x, y, leans)
        return round(across, 2), round(down, 2)

    puffs = tuple(place(*spot) for spot in _find_puffs(zone)) if kind == SMOKE else ()
    return HazardView(
        kind, path, ICONS[kind], spot=place(zone.x + zone.width - CORNER, zone.y + CORNER), puffs=puffs
    )


def _find_puffs(zone: Zone) -> list[Spot]:
    """The middles of the puffs of smoke in a zone."""
    boxes = zone.parts or (piece_of(zone),)
    apart = max(PUFF, sqrt(sum(box.width * box.depth for box in boxes) / PUFFS))
    return [spot for box in boxes for spot in _spread(box, apart)][:PUFFS]


def _spread(box: Piece, apart: float) -> Iterator[Spot]:
    """Spots in a box about so far apart, each row shifted a little."""
    columns, rows = ceil(box.width / apart), ceil(box.depth / apart)
    for row, column in product(range(rows), range(columns)):
        across = (column + 0.5 + 0.2 * (-1) ** row) / columns
        yield box.x + across * box.width, box.y + (row + 0.5) * box.depth / rows


def list_marks(system: System, zone: Zone) -> Iterator[tuple[str, str]]:
    """The kind and the words of each property of a zone."""
    looks = dict(system.kinds.ground)
    if zone.cover and zone.cover != "none":
        yield "guard", f"{_say(system.space.covers, zone.cover)} cover"
    if zone.light:
        yield "dark" if zone.light.startswith(POOR) else "look", say_light(system, zone.light)
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
