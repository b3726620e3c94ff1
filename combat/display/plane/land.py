"""The ground of a scene as drawn: what lies around it, its floors, hazards and smoke, night and rain; and the
icons of what matters in a zone.

The templates turn this into shapes. Zones with the same floor are one path, so a scene of forty rooms takes
few elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import groupby, product
from math import ceil, cos, pi, sin, sqrt
from operator import itemgetter
from typing import NamedTuple
from zlib import crc32

import msgspec

from characters.display.shapes import Shape
from combat.rules import find_system
from combat.rules.core.declaration.parts import Words
from combat.rules.core.declaration.system import System
from combat.rules.core.space import (
    DARK,
    FLOORS,
    HAZARDS,
    OUTDOORS,
    OUTSIDE,
    SMOKE,
    VOID,
    Obstacle,
    Piece,
    Scene,
    Spot,
    Zone,
    find_rise,
    map_of,
    plot,
)
from combat.rules.core.space.battle_map import THINGS
from combat.rules.core.space.lanes import has_lanes
from combat.rules.core.space.plane import piece_of

from .names import Box
from .plotting import write_line

# How things on a map are drawn: each kind from its own shapes, all things of a kind in one drawing. A shape
# is an SVG path in shares of a thing: 0 0 is its corner, 1 1 the opposite one, x runs along its long side.
# So a car 4 m long and a bed 2 m deep come from the same few lines.


CRATE, CONTAINER, TABLE, STALL, PILLAR = "crate", "container", "table", "stall", "pillar"
LONG = 4.0  # meters: a longer crate is a container
TALL = 1.6  # meters: a higher thing casts a long shade
ROUND = 1.4  # times as long as wide: a pillar up to this is round
BEND, RIM = 0.22, 0.13  # meters: the radius of the corners of a table, and the line along its edge
MOST = 12  # units drawn in one thing
PAIR = re.compile(r"(-?[\d.]+) (-?[\d.]+)")
WORDS = {  # parts of the names of things, and what they look like; the first one counts
    CONTAINER: "container, tank, silo, wagon",
    "barrel": "barrel, drum, keg, cask, cylinder, canister",
    "car": "car, truck, van, buggy, shuttle, speeder, vehicle, rover, tractor, bike, jeep, lorry, wreck",
    STALL: "stall, booth, awning, kiosk, market stand",
    "console": "console, terminal, computer, panel, control, screen, visit, counter, bar",
    TABLE: "table, bench, altar",
    "bed": "bed, bunk, cot, gurney, stretcher, pod",
    "seat": "seat, chair, sofa, couch, pew, stool",
    PILLAR: "pillar, column, pylon, mast, fountain, statue, well, obelisk",
    "tree": "tree, palm, trunk",
    "bush": "bush, hedge, plant, shrub, flower, crop, reed",
    "rock": "rock, boulder, stone, rubble, debris, asteroid, crater",
    "machine": "machine, engine, generator, reactor, pump, turbine, drive, locker, rack, shelf, shelves",
    "wall": "wall, barricade, sandbag, barrier, parapet",
}
UNITS = {"barrel": 0.8, "seat": 0.8, STALL: 4.0, "bush": 2.4}  # meters of one of several in a thing
ROCK = "M.1 .38L.3 .08L.68 .02L.95 .28L.98 .66L.76 .96L.34 .98L.04 .72z"
BODY = "M.06 .06Q0 .1 0 .3L0 .7Q0 .9 .06 .94L.72 1Q1 .96 1 .68L1 .32Q1 .04 .72 0z"  # a car, nose to the right
CROSS = "M.12 .12L.88 .88M.88 .12L.12 .88"
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
COUNTRY = re.compile(r"\b(road|highway)s?\b")


class ThingsView(Shape, frozen=True):
    """All things of a kind and height."""

    kind: str
    things: tuple[Obstacle, ...]
    is_tall: bool

    @property
    def look(self) -> str:
        """The class of their drawing."""
        return f"thing t-{self.kind}{' is-tall' if self.is_tall else ''}"

    @property
    def layers(self) -> tuple[tuple[str, str], ...]:
        """Their shapes as paths, the lowest first, each with its class; found only when they are drawn."""
        layers: dict[tuple[int, str], list[str]] = {}
        for thing in self.things:
            for number, (look, shape) in enumerate(_find_shapes(self.kind, thing)):
                paths = [lay(shape, *part) for part in split(self.kind, thing)]
                layers.setdefault((number, look), []).extend(paths)
        drawn = [(look, "".join(paths)) for (_, look), paths in sorted(layers.items())]
        shade = next(path for look, path in drawn if look.startswith("body"))
        return (("cast", shade), *drawn)


def box(left: float, top: float, right: float = 0, low: float = 0) -> str:
    """A rectangle in shares; without its other corner equally far from all sides."""
    right, low = right or 1 - left, low or 1 - top
    return f"M{left:g} {top:g}L{right:g} {top:g}L{right:g} {low:g}L{left:g} {low:g}z"


def round_box(edge: float, radius: float, long: float, short: float) -> str:
    """A rectangle with round corners, in shares; its distance from the edge and its radius in meters."""
    (x, left), (y, top) = (
        [round(min(at / side, 0.5), 3) for at in (edge, edge + radius)] for side in (long, short)
    )
    u, right, v, low = (round(1 - at, 3) for at in (x, left, y, top))
    upper = f"M{left:g} {y:g}L{right:g} {y:g}Q{u:g} {y:g} {u:g} {top:g}L{u:g} {low:g}"
    lower = f"Q{u:g} {v:g} {right:g} {v:g}L{left:g} {v:g}Q{x:g} {v:g} {x:g} {low:g}L{x:g} {top:g}"
    return f"{upper}{lower}Q{x:g} {y:g} {left:g} {y:g}z"


def ring(share: float) -> str:
    """A circle around the middle, in shares of the whole."""
    a, b, c, d = (round(0.5 + at * share / 2, 3) for at in (-1, -0.552, 0.552, 1))
    low = f"M{d} .5C{d} {c} {c} {d} .5 {d}C{b} {d} {a} {c} {a} .5"
    return f"{low}C{a} {b} {b} {a} .5 {a}C{c} {a} {d} {b} {d} .5z"


def lobes(share: float, count: int, turn: float = 0.0) -> str:
    """The outline of leaves around the middle."""
    inner, outer = 0.42 * share, 0.62 * share

    def spot(step: float, far: float) -> str:
        angle = 2 * pi * step / count + turn
        return f"{0.5 + far * cos(angle):.2f} {0.5 + far * sin(angle):.2f}"

    turns = "".join(f"Q{spot(n + 0.5, outer)} {spot(n + 1, inner)}" for n in range(count))
    return f"M{spot(0, inner)}{turns}z"


SHAPES: dict[str, tuple[tuple[str, str], ...]] = {
    CRATE: (("body", box(0, 0)), ("top", box(0.12, 0.12)), ("lines", CROSS)),
    CONTAINER: (
        ("body", box(0, 0)),
        ("lines", "".join(f"M{n / 14:.3f} .08L{n / 14:.3f} .92" for n in range(1, 14)) + box(0.03, 0.06)),
        ("tag", box(0.38, 0.36)),
    ),
    "console": (
        ("body", box(0, 0)),
        ("screen", box(0.1, 0.14, 0.9, 0.52)),
        ("keys", "M.14 .76L.86 .76"),
    ),
    "barrel": (("body", ring(0.94)), ("top", ring(0.62)), ("lines", ring(0.3))),
    PILLAR: (("body", ring(1)), ("top", ring(0.66)), ("lines", ring(0.84) + CROSS), ("core", ring(0.36))),
    "bed": (
        ("body", box(0, 0)),
        ("top", box(0.05, 0.14, 0.26, 0.86)),
        ("lines", "M.34 .04L.34 .96M.42 .04L.42 .96"),
    ),
    "seat": (("body", box(0.08, 0.08)), ("top", box(0.14, 0.3, 0.86, 0.88)), ("lines", "M.14 .24L.86 .24")),
    "tree": (("body leaf", lobes(1, 9)), ("leaf", lobes(0.66, 7, 0.3)), ("leaf", lobes(0.3, 5, 0.8))),
    "bush": (("body leaf", lobes(1, 8)), ("leaf", lobes(0.66, 6, 0.3)), ("leaf", lobes(0.3, 5, 0.8))),
    "rock": (
        ("body", ROCK),
        ("top", "M.24 .4L.38 .2L.66 .18L.8 .36L.7 .6L.36 .62z"),
        ("lines", "M.7 .6L.76 .96M.36 .62L.3 .96"),
    ),
    "car": (
        ("wheel", "".join(box(x, y, x + 0.16, y + 0.1) for x in (0.12, 0.7) for y in (-0.05, 0.95))),
        ("body", BODY),
        ("glass", "M.6 .16Q.74 .5 .6 .84L.7 .9Q.82 .5 .7 .1zM.16 .18Q.12 .5 .16 .82L.09 .86Q.05 .5 .09 .14z"),
        ("top", "M.2 .14L.57 .14Q.69 .5 .57 .86L.2 .86Q.16 .5 .2 .14z"),
        ("lights", "M.95 .14L.98 .24M.95 .86L.98 .76"),
    ),
    "machine": (
        ("body", box(0, 0)),
        ("top", box(0.08, 0.12)),
        ("lines", "M.2 .3L.8 .3M.2 .5L.5 .5M.2 .7L.5 .7"),
        ("screen", box(0.62, 0.48, 0.82, 0.76)),
    ),
    STALL: (
        ("body wood", box(0, 0)),
        ("awning", "".join(box(n / 7, 0, (n + 1) / 7, 1) for n in range(0, 7, 2))),
        ("lines wood", "M0 .5L1 .5"),
    ),
    "wall": (("body", box(0, 0)), ("lines", "M0 .5L1 .5")),
}
BLOCK = (("body", box(0, 0)), ("top", box(0.12, 0.12)), ("lines", CROSS))  # a pillar that is not round


def guess_thing(name: str) -> str:
    """What a thing looks like by its name; a crate if that says nothing."""
    words = name.lower()
    kinds = (kind for kind, parts in WORDS.items() for part in parts.split(", ") if _has(words, part))
    return next(kinds, CRATE)


def _has(words: str, part: str) -> bool:
    return re.search(rf"\b{part}(s|es)?\b", words) is not None


def find_kind(thing: Obstacle, under_sky: bool) -> str:
    """The kind of a thing as drawn: a long crate is a container, a table under the sky a stall."""
    kind = thing.kind or guess_thing(thing.name)
    if kind == CRATE and max(thing.width, thing.depth) > LONG:
        return CONTAINER
    return STALL if kind == TABLE and under_sky and not thing.kind else kind


def view_things(obstacles: tuple[Obstacle, ...], zones: tuple[Zone, ...]) -> tuple[ThingsView, ...]:
    """All things as drawn, low ones first."""
    found: dict[tuple[bool, int], list[Obstacle]] = {}
    for thing in obstacles:
        kind = find_kind(thing, _is_under_sky(thing, zones))
        is_tall = thing.blocks_sight or thing.height > TALL
        found.setdefault((is_tall, THINGS.index(kind)), []).append(thing)
    groups = sorted(found.items())
    return tuple([ThingsView(THINGS[kind], tuple(all_), is_tall) for (is_tall, kind), all_ in groups])


def _is_under_sky(thing: Obstacle, zones: tuple[Zone, ...]) -> bool:
    x, y = thing.x + thing.width / 2, thing.y + thing.depth / 2
    around = (z for z in reversed(zones) if 0 <= x - z.x <= z.width and 0 <= y - z.y <= z.depth)
    zone = next(around, None)
    return zone is not None and find_floor(zone, {}).is_open


def _find_shapes(kind: str, thing: Obstacle) -> tuple[tuple[str, str], ...]:
    short, long = sorted((thing.width, thing.depth))
    if kind == TABLE:
        edges = ((0.0, BEND), (RIM, BEND - RIM / 2))
        body, lines = (round_box(edge, radius, long, short) for edge, radius in edges)
        return ("body wood", body), ("lines wood", lines)
    return BLOCK if kind == PILLAR and long > ROUND * short else SHAPES[kind]


def split(kind: str, thing: Obstacle) -> Iterator[tuple[float, float, float, float]]:
    """The units of a thing: left, top, width, depth of each."""
    unit = UNITS.get(kind, 0.0)
    across, down = (
        max(1, min(MOST, round(side / unit))) if unit else 1 for side in (thing.width, thing.depth)
    )
    while across * down > MOST:
        across, down = max(1, across // 2), max(1, down // 2)
    width, depth = thing.width / across, thing.depth / down
    for row in range(down):
        for column in range(across):
            yield thing.x + column * width, thing.y + row * depth, width, depth


def lay(shape: str, x: float, y: float, width: float, depth: float) -> str:
    """A shape in shares as a path in meters, along the long side."""

    def place(found: re.Match[str]) -> str:
        along, over = float(found[1]), float(found[2])
        across, down = (along, over) if width >= depth else (over, along)
        return f"{round(x + across * width, 2):g} {round(y + down * depth, 2):g}"

    return PAIR.sub(place, shape)


# The words that a game's stat blocks are called by, such as pirate and captain: they name nobody.


@cache
def list_ranks(slug: str) -> frozenset[str]:
    """The words of the names of a game's stat blocks, in small letters, but for those of persons.

    Where a game writes “Pirate captain”, capital letters name a person, such as Zara Chen.
    """
    names = [block.name.split() for block in find_system(slug).book.find_blocks().values()]
    marks_persons = any(more[-1][:1].islower() for _, *more in names if more)
    ranks = (
        (first, *more)
        for first, *more in names
        if not (marks_persons and more and all(word[:1].isupper() for word in more))
    )
    return frozenset(word.casefold() for words in ranks for word in words)


Marks = tuple[tuple[str, str], ...]  # terrains of a game, each with the floor or hazard it looks like


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
PATTERNS = tuple((floor, re.compile(rf"\b({words.replace(', ', '|')})(s|es)?\b")) for floor, words in GUESSES)

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


def list_marks(system: System, scene: Scene, zone: Zone) -> Iterator[tuple[str, str]]:
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
    if rise := find_rise(scene, zone):
        yield "boost", f"{abs(rise):g} {system.space.unit} {'high' if rise > 0 else 'below'}"
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


ROAD = Floor(CONCRETE, True)  # what a road lies on


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
    if not (floor == ROAD and has_lanes(zone)):
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
