"""Positions on a plane in meters, zones and their looks, distances, lines and the cost of movement."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterable
from typing import Protocol

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ..basics.errors import Refused
from ..basics.numbers import read_decimal
from .battle_map import NO_MAP, Area, BattleMap
from .decks import GALLERY, Deck, find_deck, find_ends, find_floor, fit_height

EPSILON = 1e-6
SHORTEST = 0.01  # meters: shorter parts of a path are ignored
FARTHEST = 10_000  # meters from the middle of the plane
MAX_TEXT = 20_000  # characters of points
LIFT = 1.0  # meters that people and things rise at most when they are thrown, pushed or dragged
SHORT_OF_FOOT = 0.1  # meters from where they stop to the foot of higher ground

# A map of hexes is drawn row by row, each half a hex farther to the right; a hex is 1 m wide. A place is
# named by its hex: x counts along the row, y from row to row (axial coordinates).
ROW = math.sqrt(3) / 2  # from the middle of one row of hexes to the next, in widths of a hex
CORNER = 1 / math.sqrt(3)  # from the middle of a hex to a corner, in widths of a hex
Spot = tuple[float, float]

# How zones look. No rule reads any of it.
FLOORS = ("deck", "tile", "grating", "concrete", "soil", "grass", "water", "void")
VOID = "void"  # the floor on which nobody stands
SMOKE = "smoke"
HAZARDS = ("fire", "gas", "acid", "vacuum", "radiation", "electric", SMOKE)  # what can lie on a floor
DIM, DARK = "dim", "dark"  # how a zone looks in games without rules of light
ROOM, OUTDOORS = "room", "outdoors"
ZONE_KINDS = (ROOM, OUTDOORS)
SPOT_MARK = "@"  # between the id of a zone and a spot of it, in the goal of a command
OUTSIDE = frozenset(("soil", "grass", "water"))  # floors under the open sky unless the zone is a room
MIN_METERS = 0.01  # meters: narrower pieces are dropped


def plot(x: float, y: float, hexes: bool) -> Spot:
    """The drawn position of a place, in meters of the picture."""
    return (x + y / 2, y * ROW) if hexes else (x, y)


def unplot(x: float, y: float) -> Spot:
    """The place on a hex map drawn at a spot of the picture."""
    row = y / ROW
    return round(x - row / 2, 3), round(row, 3)


class Point(msgspec.Struct, frozen=True, cache_hash=True, gc=False):
    """A place: x and y on the plane, z the height of the ground there; all in meters.

    `shift` is that of its deck: x − shift is where it lies in the ship. A scene without decks has none.
    """

    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    shift: float | UnsetType = UNSET


class ZoneProperty(msgspec.Struct, frozen=True):
    """A property of a zone that the GM made up: points for attacks in, attacks out, and rolls inside."""

    name: str
    into: int = 0
    out: int = 0
    inside: int = 0
    text: str = ""


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A rectangle: its corner, width and depth in meters."""

    x: float
    y: float
    width: float
    depth: float


class Zone(msgspec.Struct, frozen=True):
    """A named rectangle of the scene: corner, width and depth in meters, and its properties.

    `links` are the neighbor zones by id, each with the number of steps; if no zone of a scene has any,
    touching zones are neighbors. On a map of hexes its sides lean with the rows, unless it is `upright`: then
    it is a rectangle of the picture, as on a square grid. A zone with `parts` covers only those parts of its
    rectangle. `floor` and `kind` are how it is drawn, one of FLOORS and of ZONE_KINDS. A `patch` is smoke or
    fire that was laid over the scene in a fight: no ground of its own (see ground.py).
    """

    id: str
    name: str
    x: float = 0.0
    y: float = 0.0
    width: float = 10.0
    depth: float = 10.0
    height: float = 0.0
    cover: str = ""
    light: str = ""
    terrain: tuple[str, ...] = ()
    notes: str = ""
    links: dict[str, int] = {}
    properties: tuple[ZoneProperty, ...] = ()
    upright: bool | UnsetType = UNSET
    parts: tuple[Piece, ...] | UnsetType = UNSET
    floor: str | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    patch: bool | UnsetType = UNSET

    @property
    def centre(self) -> Point:
        """The middle of the zone, on its ground."""
        return Point(*self.unplot(self.x + self.width / 2, self.y + self.depth / 2), self.height)

    def plot(self, x: float, y: float) -> Spot:
        """A place in the coordinates of the zone's corner and sides."""
        return plot(x, y, self.upright is True)

    def unplot(self, x: float, y: float) -> Spot:
        """The place with these coordinates."""
        return unplot(x, y) if self.upright is True else (x, y)


class Scene(msgspec.Struct, frozen=True):
    """The scene of a fight: its zones, the settings that hold everywhere, and perhaps a battle map.

    A scene without a map stores none: read it with `map_of`, set it with `with_map`. People who are
    put nowhere else begin in `starts`, one for each side.
    """

    name: str = ""
    zones: tuple[Zone, ...] = ()
    settings: dict[str, str] = {}
    notes: str = ""
    map: BattleMap | UnsetType = UNSET
    starts: tuple[Piece, ...] | UnsetType = UNSET


def map_of(scene: Scene) -> BattleMap:
    """The battle map of a scene; an empty one if it has none."""
    return scene.map if isinstance(scene.map, BattleMap) else NO_MAP


def with_map(scene: Scene, battle_map: BattleMap) -> Scene:
    """The scene with another battle map; an empty one means none."""
    return msgspec.structs.replace(scene, map=battle_map if battle_map else UNSET)


class Reach(msgspec.Struct, frozen=True):
    """A square of the map within reach.

    `at` is its middle, `meters` the movement to it, `side` its side in meters, `turns` the places where the
    path turns, and `left` the meters left there.
    """

    at: Point
    meters: float
    side: int = 1
    turns: tuple[Point, ...] = ()
    left: float = 0.0


def read_points(text: str, farthest: float = FARTHEST) -> tuple[Point, ...]:
    """Points in meters from "x,y; x,y"; Refused unless there is one and all are within `farthest`.

    Text longer than any path is not read to its end.
    """
    points = [_read_point(part) for part in text[:MAX_TEXT].split(";") if part.strip()]
    known = tuple(point for point in points if point)
    if not known or len(known) < len(points) or not all(max(abs(p.x), abs(p.y)) <= farthest for p in known):
        raise Refused("bad_value", "Choose where to go, or enter meters as x,y; x,y.")
    return known


def split_place(text: str) -> list[str]:
    """The coordinates of a place as a person types them: "9,5", "9, 5" or "9 5", also "9,5 3,2" in meters."""
    words = text.split()
    return [words[0].rstrip(","), words[1]] if len(words) == 2 and words[1] != "," else text.split(",")


def _read_point(text: str) -> Point | None:
    numbers = [read_decimal(word) for word in split_place(text)]
    known = [round(number, 3) for number in numbers if number is not None]
    return Point(*known) if len(known) == len(numbers) == 2 else None


def distance(a: Point, b: Point) -> float:
    """Meters between two places in a straight line, height included: for all that is reach or range."""
    across = a.x - b.x if a.shift == b.shift else find_across(b, a)
    return math.hypot(across, a.y - b.y, a.z - b.z)


def find_across(a: Point, b: Point) -> float:
    """Meters to the right from one place to another, where both lie in the ship."""
    return b.x - a.x - (b.shift or 0.0) + (a.shift or 0.0)


def ship_distance(a: Point, b: Point) -> float:
    """Meters between two places on the plan of the ship, its decks above each other."""
    return math.hypot(a.x - b.x if a.shift == b.shift else find_across(b, a), a.y - b.y)


def plan_distance(a: Point, b: Point) -> float:
    """Meters between two places on the ground plan, for ways over the ground; height does not count."""
    return math.hypot(a.x - b.x, a.y - b.y)


def path_length(path: tuple[Point, ...]) -> float:
    """Meters along a path, on the ground plan."""
    if len(path) == 2:  # most paths are straight
        return plan_distance(*path)
    return sum(plan_distance(a, b) for a, b in itertools.pairwise(path))


def is_straight(path: tuple[Point, ...]) -> bool:
    """Whether a path runs along one straight line without turning back."""
    return path_length(path) - plan_distance(path[0], path[-1]) < 0.01


def find_turns(path: tuple[Point, ...]) -> tuple[Point, ...]:
    """The places between start and end where a path turns."""
    kept = [path[0]]
    for place, following in itertools.pairwise(path[1:]):
        if _leans(kept[-1], place, following):
            kept.append(place)
    return tuple(kept[1:])


def _leans(a: Point, b: Point, c: Point) -> bool:
    """Whether b is off the straight line from a to c, or beyond its end."""
    ax, ay, cx, cy = b.x - a.x, b.y - a.y, c.x - b.x, c.y - b.y
    return abs(ax * cy - ay * cx) > EPSILON or ax * cx + ay * cy < 0


def find_zone(scene: Scene, place: Point) -> Zone | None:
    """The zone of a place; if zones overlap, the later one."""
    for zone in reversed(scene.zones):
        if holds(zone, place.x, place.y):
            return zone
    return None


def name_zone(scene: Scene, place: Point) -> str:
    """The name of the zone of a place; empty outside all zones."""
    zone = find_zone(scene, place)
    return zone.name if zone else ""


class Rectangle(Protocol):
    """The shape of a zone: its rectangle, whether that is upright on hexes, and its parts."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def width(self) -> float: ...
    @property
    def depth(self) -> float: ...
    @property
    def upright(self) -> bool | UnsetType: ...
    @property
    def parts(self) -> tuple[Piece, ...] | UnsetType: ...


def holds(box: Rectangle, x: float, y: float) -> bool:
    """Whether a place is in a zone, or on its edge."""
    if box.upright is True:
        x, y = plot(x, y, True)
    return is_in_piece(box, x, y) and (not box.parts or any(is_in_piece(part, x, y) for part in box.parts))


def is_in_piece(box: Rectangle | Piece, x: float, y: float) -> bool:
    """Whether a place is in a rectangle, or on its edge."""
    return -EPSILON <= x - box.x <= box.width + EPSILON and -EPSILON <= y - box.y <= box.depth + EPSILON


def zone_named(scene: Scene, zone_id: str) -> Zone | None:
    """The zone with this id."""
    return next((zone for zone in scene.zones if zone.id == zone_id), None)


def check_zone(scene: Scene, zone_id: str) -> Zone:
    """The zone with this id; Refused("unknown") without one."""
    if zone := zone_named(scene, zone_id):
        return zone
    raise Refused("unknown", "That zone is not part of the scene.")


def name_spot(zone_id: str, at: Point) -> str:
    """The name of a spot of a zone, "ID@x,y", with x and y in meters."""
    return f"{zone_id}{SPOT_MARK}{at.x:.9g},{at.y:.9g}"


def find_zone_id(scene: Scene, name: str) -> str:
    """The id of the zone that a goal names, "ID" or "ID@x,y"."""
    return name if zone_named(scene, name) else name.rpartition(SPOT_MARK)[0] or name


def check_goal(scene: Scene, name: str) -> Zone:
    """The zone that a goal names, or no more of it than the spot in "ID@x,y".

    Players who have seen a part of a zone go to a spot of that part, wherever the rest of it lies.
    Refused("unknown") without such a zone, Refused("bad_value") for a spot that is not in it.
    """
    zone = check_zone(scene, find_zone_id(scene, name))
    if name == zone.id:
        return zone
    at = read_points(name.removeprefix(zone.id + SPOT_MARK))[0]
    if not holds(zone, at.x, at.y):
        raise Refused("bad_value", f"That spot is not in the zone {zone.name}.")
    return Zone(zone.id, zone.name, at.x, at.y, 0.0, 0.0, height=zone.height)


def meters_inside(zone: Zone, a: Point, b: Point) -> float:
    """The meters of the straight line from a to b inside the zone."""
    if zone.parts or zone.upright:
        return _meters_in_any((zone,), a, b)
    low, high = find_share(zone, a, b)
    return (high - low) * plan_distance(a, b)


def parts_inside(zone: Zone, a: Point, b: Point) -> list[tuple[float, float]]:
    """The parts of the line from a to b inside the zone, as shares of its length."""
    if zone.upright is True:
        a, b = (Point(*zone.plot(place.x, place.y)) for place in (a, b))
    return [find_share(part, a, b) for part in zone.parts or (zone,)]


def find_share(zone: Zone | Piece, a: Point, b: Point) -> tuple[float, float]:
    """The part of the line from a to b inside one rectangle, as shares of its length; equal ones for none."""
    low, high = 0.0, 1.0
    for start, step, least, size in (
        (a.x, b.x - a.x, zone.x, zone.width),
        (a.y, b.y - a.y, zone.y, zone.depth),
    ):
        if abs(step) < EPSILON:
            if not least - EPSILON <= start <= least + size + EPSILON:
                return 0.0, 0.0
            continue
        first, last = (least - start) / step, (least + size - start) / step
        if step < 0:
            first, last = last, first
        low, high = first if first > low else low, last if last < high else high
    return low, high if high > low else low


def meters_through(scene: Scene, path: tuple[Point, ...], tags: frozenset[str]) -> float:
    """Meters of a path in zones whose terrain has one of the tags; overlaps count once."""
    zones = tuple([zone for zone in scene.zones if tags.intersection(zone.terrain)])
    if not zones:
        return 0.0
    return sum(_meters_in_any(zones, a, b) for a, b in itertools.pairwise(path))


def _meters_in_any(zones: tuple[Zone, ...], a: Point, b: Point) -> float:
    share, end = 0.0, 0.0
    for low, high in sorted(part for zone in zones for part in parts_inside(zone, a, b)):
        share += max(0.0, high - max(low, end))
        end = max(end, high)
    return share * plan_distance(a, b)


class Stretch(msgspec.Struct, frozen=True):
    """A straight part of a path on one piece of ground: meters to its start, its ends, its zone."""

    begin: float
    start: Point
    end: Point
    zone: Zone | None

    @property
    def meters(self) -> float:
        """Its length."""
        return plan_distance(self.start, self.end)

    @property
    def middle(self) -> Point:
        """Its middle, at the height of its start."""
        x, y = (self.start.x + self.end.x) / 2, (self.start.y + self.end.y) / 2
        return Point(x, y, self.start.z, self.start.shift)


def find_stretches(scene: Scene, path: tuple[Point, ...]) -> tuple[Stretch, ...]:
    """A path cut where the zone changes, in order; if zones overlap, the later one counts."""
    found, before = [], 0.0
    for a, b in itertools.pairwise(path):
        length = plan_distance(a, b)
        for low, high in itertools.pairwise(_find_edges(scene, a, b)):
            start, end = towards(a, b, low * length), towards(a, b, high * length)
            middle = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
            if (high - low) * length > SHORTEST:
                found.append(Stretch(before + low * length, start, end, find_zone(scene, middle)))
        before += length
    return tuple(found)


def _find_edges(scene: Scene, a: Point, b: Point) -> list[float]:
    """The shares of the line from a to b where it meets edges of zones, with both ends."""
    inside = [share for zone in scene.zones for part in parts_inside(zone, a, b) for share in part]
    return sorted({0.0, 1.0, *(share for share in inside if 0 < share < 1)})


def towards(start: Point, goal: Point, meters: float) -> Point:
    """The place `meters` from start on the line to goal, not beyond goal."""
    whole = plan_distance(start, goal)
    if whole < EPSILON:
        return start
    share = min(1.0, max(0.0, meters / whole))
    return Point(
        round(start.x + (goal.x - start.x) * share, 3),
        round(start.y + (goal.y - start.y) * share, 3),
        goal.z if share == 1.0 else start.z,
        start.shift,
    )


def beside(start: Point, goal: Point, gap: float) -> Point:
    """The place `gap` meters short of goal, coming from start; goal's own ground height."""
    whole = plan_distance(start, goal)
    if whole <= gap + EPSILON:
        return start
    place = towards(start, goal, whole - gap)
    return Point(place.x, place.y, goal.z, start.shift)


def away_from(start: Point, danger: Point, meters: float) -> Point:
    """The place `meters` farther from danger; due east if both are the same place."""
    whole = plan_distance(start, danger)
    if whole < EPSILON:
        return Point(start.x + meters, start.y, start.z, start.shift)
    share = meters / whole
    return Point(
        round(start.x + (start.x - danger.x) * share, 3),
        round(start.y + (start.y - danger.y) * share, 3),
        start.z,
        start.shift,
    )


def angle_between(middle: Point, a: Point, b: Point) -> float:
    """Degrees between the directions from middle to a and to b, 0 to 180."""
    first = math.atan2(a.y - middle.y, a.x - middle.x)
    second = math.atan2(b.y - middle.y, b.x - middle.x)
    turn = abs(math.degrees(first - second)) % 360
    return min(turn, 360 - turn)


def find_band(meters: float, bands: tuple[tuple[str, float], ...]) -> str | None:
    """The first band whose limit in meters is not exceeded; None beyond the last."""
    return next((name for name, limit in bands if meters <= limit + EPSILON), None)


def on_ground(scene: Scene, place: Point) -> Point:
    """The same place at the height of its zone, on its deck; below, if it is over an open hole."""
    if scene.map is not UNSET and scene.map.decks:
        return _stand_on_deck(scene, place)
    zone = find_zone(scene, place)
    return Point(place.x, place.y, zone.height if zone else 0.0)


def _stand_on_deck(scene: Scene, place: Point) -> Point:
    battle_map = map_of(scene)
    return _rise_to(scene, *find_floor(battle_map.decks, battle_map.ways, place.x, place.y))


def over_ground(scene: Scene, place: Point) -> Point:
    """The same place at the height of its zone or deck, also over an open hole: of who does not fall."""
    return _rise_to(scene, place.x, place.y, find_deck(map_of(scene).decks, place.x, place.y))


def _rise_to(scene: Scene, x: float, y: float, deck: Deck | None) -> Point:
    zone = find_zone(scene, Point(x, y))
    height = zone.height if zone else deck.height if deck else 0.0
    height = fit_height(map_of(scene).decks, deck, height)
    return Point(x, y, height, (deck.shift or UNSET) if deck else UNSET)


def find_height(scene: Scene, zone: Zone) -> float:
    """The height of a zone's ground, in meters from the zero of the scene: on its deck, if it is on one."""
    decks = map_of(scene).decks
    return fit_height(decks, deck_under(decks, zone), zone.height) if decks else zone.height


def find_rise(scene: Scene, zone: Zone) -> float:
    """The meters from the floor of a zone's deck up to its ground; without decks from the zero of heights."""
    deck = deck_under(map_of(scene).decks, zone)
    return round(find_height(scene, zone) - (deck.height if deck else 0.0), 3)


def lay_zone(decks: tuple[Deck, ...], zone: Zone, rise: float = 0.0) -> Zone:
    """The one door for new zones: with its ground so many meters above the deck that its middle is on."""
    deck = deck_under(decks, zone)
    return replace(zone, height=round((deck.height if deck else 0.0) + rise, 3))


def settle_zones(scene: Scene) -> Scene:
    """The scene with each zone at the height of its ground; one that lies in another deck is on its own."""
    zones = tuple(replace(zone, height=find_height(scene, zone)) for zone in scene.zones)
    return replace(scene, zones=zones)


def deck_under(decks: tuple[Deck, ...], zone: Zone) -> Deck | None:
    """The deck that the middle of a zone is on; None beside all."""
    return find_deck(decks, zone.x + zone.width / 2, zone.y + zone.depth / 2)


def put_on_deck(battle_map: BattleMap, place: Point) -> Point:
    """The same place and height, as one of its deck."""
    deck = find_deck(battle_map.decks, place.x, place.y)
    shift = (deck.shift or UNSET) if deck else UNSET
    return place if place.shift == shift else msgspec.structs.replace(place, shift=shift)


def ground_changes(scene: Scene, path: tuple[Point, ...]) -> tuple[tuple[float, float], ...]:
    """Rises and drops of the ground under a path: meters from its start, meters up (down: negative)."""
    if path[0].z == 0 and {zone.height for zone in scene.zones} <= {0}:
        return ()
    found, height, before = [], path[0].z, 0.0
    for a, b in itertools.pairwise(path):
        length = plan_distance(a, b)
        for share, ground in _grounds(scene, a, b):
            if abs(ground - height) > EPSILON:
                found.append((before + share * length, ground - height))
                height = ground
        before += length
    return tuple(found)


def stop_below(scene: Scene, start: Point, goal: Point) -> Point:
    """The last place on the straight way to a goal of what is thrown or pushed: nothing rises over `LIFT`."""
    heights = itertools.accumulate(ground_changes(scene, (start, goal)), lambda a, b: (b[0], a[1] + b[1]))
    foot = next((at for at, height in heights if height > LIFT), None)
    return goal if foot is None else towards(start, goal, max(0.0, foot - SHORT_OF_FOOT))


def _grounds(scene: Scene, a: Point, b: Point) -> list[tuple[float, float]]:
    """The height of the ground on each part of the line from a to b, with the share of its start."""
    edges = itertools.pairwise(_find_edges(scene, a, b))
    middles = [(low, (low + high) / 2) for low, high in edges if high - low > EPSILON]
    spots = [(low, Point(a.x + (b.x - a.x) * at, a.y + (b.y - a.y) * at)) for low, at in middles]
    return [*((low, on_ground(scene, spot).z) for low, spot in spots), (1.0, on_ground(scene, b).z)]


# Zones as neighbors, and the steps from one to another.


def find_links(scene: Scene) -> dict[str, dict[str, int]]:
    """The neighbors of each zone, with the steps between them; a link holds both ways."""
    links: dict[str, dict[str, int]] = {zone.id: {} for zone in scene.zones}
    said = [(zone.id, other, steps) for zone in scene.zones for other, steps in zone.links.items()]
    said = [*(said or _touching(scene.zones)), *_joined(scene)]
    for first, second, steps in said:
        if first in links and second in links:
            links[first][second] = links[second][first] = steps
    return links


def find_lines_of_fire(scene: Scene) -> dict[str, dict[str, int]]:
    """The neighbors of each zone for all that hits: links on its own deck, and open holes between decks."""
    if not map_of(scene).decks:
        return find_links(scene)
    links = find_links(scene)
    decks = {zone.id: find_deck(map_of(scene).decks, zone.centre.x, zone.centre.y) for zone in scene.zones}
    found = {
        here: {there: steps for there, steps in near.items() if decks[here] == decks[there]}
        for here, near in links.items()
    }
    for low, high in _open_between(scene):
        found[low][high] = found[high][low] = 1
    return found


def _open_between(scene: Scene) -> list[tuple[str, str]]:
    """The zones below and above each open hole between two decks."""
    found = list[tuple[str, str]]()
    for way in map_of(scene).ways:
        ends = find_ends(map_of(scene).decks, way) if way.hole and way.open else None
        if way.hole and ends:
            x, y, width, depth = way.hole
            below = Zone("", "", x - ends[1].shift + ends[0].shift, y, width, depth)
            above = Zone("", "", x, y, width, depth)
            low, high = (
                [zone.id for zone in scene.zones if _overlaps(zone, hole)] for hole in (below, above)
            )
            found += itertools.product(low, high)
    return found


def _overlaps(a: Zone, b: Zone) -> bool:
    """Whether two zones share more than a border."""
    across = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    along = min(a.y + a.depth, b.y + b.depth) - max(a.y, b.y)
    return across > EPSILON and along > EPSILON


def _touching(zones: tuple[Zone, ...]) -> list[tuple[str, str, int]]:
    """Zones that share a border or a part; corners alone do not count."""
    found = []
    for a, b in itertools.combinations(zones, 2):
        across = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
        along = min(a.y + a.depth, b.y + b.depth) - max(a.y, b.y)
        if across >= -EPSILON and along >= -EPSILON and max(across, along) > EPSILON:
            found.append((a.id, b.id, 1))
    return found


def _joined(scene: Scene) -> list[tuple[str, str, int]]:
    """Zones of different decks that an open way joins."""
    ways = (way for way in map_of(scene).ways if way.open and way.kind != GALLERY and not way.blind)
    ends = ((find_zone(scene, Point(w.x1, w.y1)), find_zone(scene, Point(w.x2, w.y2))) for w in ways)
    return [(low.id, high.id, 1) for low, high in ends if low and high]


def count_steps(scene: Scene, start: str, goal: str, hits: bool = False) -> int | None:
    """The fewest steps from one zone to another; None if no path leads there.

    With `hits` the path is one of what is shot or thrown: floors between decks stop it but for open holes.
    """
    links = find_lines_of_fire(scene) if hits else find_links(scene)
    best, waiting = {start: 0}, [(0, start)]
    while waiting:
        steps, here = heapq.heappop(waiting)
        if here == goal:
            return steps
        for there, more in links.get(here, {}).items():
            if steps + more < best.get(there, steps + more + 1):
                best[there] = steps + more
                heapq.heappush(waiting, (steps + more, there))
    return None


# Cut zones that are only parts of their rectangle, such as smoke between walls.


def keep_parts(zone: Zone, pieces: Iterable[Piece]) -> Zone | None:
    """The zone inside some separate rectangles; None if they do not meet."""
    own = zone.parts or (piece_of(zone),)
    return _fit(zone, (overlap(part, mine) for part in pieces for mine in own))


def take_parts(zone: Zone, holes: Iterable[Piece]) -> Zone | None:
    """The zone without some rectangles; None if nothing is left."""
    return _fit(zone, cut_out(zone.parts or (piece_of(zone),), holes))


def cut_out(pieces: Iterable[Piece], holes: Iterable[Piece]) -> list[Piece]:
    """What is left of some rectangles without others."""
    left = list(pieces)
    for hole in holes:
        left = [piece for part in left for piece in _cut(part, hole)]
    return left


def piece_of(box: Zone | Area | Deck) -> Piece:
    """The rectangle of a zone, an area or a deck."""
    return Piece(box.x, box.y, box.width, box.depth)


def overlap(one: Piece, other: Piece) -> Piece | None:
    """The common part of two rectangles; None if there is none."""
    left, top = max(one.x, other.x), max(one.y, other.y)
    right, low = min(one.x + one.width, other.x + other.width), min(one.y + one.depth, other.y + other.depth)
    return _make(left, top, right, low)


def _make(left: float, top: float, right: float, low: float) -> Piece | None:
    if right - left < MIN_METERS or low - top < MIN_METERS:
        return None
    return Piece(*(round(number, 3) for number in (left, top, right - left, low - top)))


def _cut(part: Piece, hole: Piece) -> list[Piece]:
    """The parts of a rectangle above, below, left and right of another."""
    inner = overlap(part, hole)
    if inner is None:
        return [part]
    right, low = part.x + part.width, part.y + part.depth
    inner_right, inner_low = inner.x + inner.width, inner.y + inner.depth
    sides = (
        (part.x, part.y, right, inner.y),
        (part.x, inner_low, right, low),
        (part.x, inner.y, inner.x, inner_low),
        (inner_right, inner.y, right, inner_low),
    )
    return [piece for side in sides if (piece := _make(*side))]


def _fit(zone: Zone, pieces: Iterable[Piece | None]) -> Zone | None:
    """The zone with these parts, its rectangle around them."""
    parts = tuple(piece for piece in pieces if piece)
    if not parts:
        return None
    left, top = min(part.x for part in parts), min(part.y for part in parts)
    right, low = max(part.x + part.width for part in parts), max(part.y + part.depth for part in parts)
    width, depth = round(right - left, 3), round(low - top, 3)
    return replace(zone, x=left, y=top, width=width, depth=depth, parts=parts)
