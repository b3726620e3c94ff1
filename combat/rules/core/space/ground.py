"""The ground of a scene: where somebody can stand, as zones, decks, walls, things and a picture say together.

All who ask where ground is ask here: starts, the app's own moves, squares in reach, spots for newcomers, the
edges of a map, pushes in zero gravity. A patch of smoke or fire lies on the ground and is none.

Zones are ground. So is a deck, but for what lies beside the rooms that are drawn on it with walls; one can
always stand where a way to another deck begins. Without zones and decks the ground is the picture and what
walls and things enclose; where nothing is drawn, it is everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from ..basics.memory import remember
from .barriers import find_nearest
from .battle_map import BattleMap, Obstacle
from .decks import Deck, box_of, find_deck, find_known_ends, is_within
from .plane import (
    EPSILON,
    VOID,
    Piece,
    Point,
    Scene,
    Spot,
    Zone,
    deck_under,
    holds,
    lay_zone,
    map_of,
    plan_distance,
    plot,
)

OPEN = Zone("", "", 0.0, y=0.0, width=20.0, depth=20.0)  # the ground where nothing is drawn
BESIDE_M = 1.5  # meters to each side of where a way begins: people stand beside one another there
Box = tuple[float, float, float, float]  # left, top, right, low; in meters as drawn


class Ground(NamedTuple):
    """The parts of a scene that are ground.

    `zones` are all but patches, `rooms` those of them that are no void; `floors` are the decks on which one
    can also stand beside the rooms, and `bare` those without any room. `ends` are where ways begin.
    """

    zones: tuple[Zone, ...] = ()
    rooms: tuple[Zone, ...] = ()
    floors: tuple[Deck, ...] = ()
    bare: tuple[Deck, ...] = ()
    ends: tuple[Spot, ...] = ()


@remember
def read_ground(scene: Scene) -> Ground:
    """The parts of a scene that are ground."""
    zones = tuple(zone for zone in scene.zones if zone.patch is not True)
    rooms = tuple(zone for zone in zones if zone.floor != VOID)
    built = map_of(scene)
    if not built.decks:
        return Ground(zones, rooms)
    used = {deck.id for zone in rooms if (deck := deck_under(built.decks, zone))}
    bare = tuple(deck for deck in built.decks if deck.id not in used)
    floors = tuple(deck for deck in built.decks if deck in bare or not _has_walls(built, deck))
    ends = tuple(end for way in built.ways for end in find_known_ends(way))
    return Ground(zones, rooms, floors, bare, ends)


def _has_walls(built: BattleMap, deck: Deck) -> bool:
    box = box_of(deck)
    return any(is_within(box, (wall.x1 + wall.x2) / 2, (wall.y1 + wall.y2) / 2) for wall in built.walls)


def has_ground(scene: Scene) -> bool:
    """Whether a scene has ground of its own: zones, decks, a picture, or what is built on its map."""
    built = map_of(scene)
    return bool(read_ground(scene).zones or built.decks or built.picture or built.walls or built.obstacles)


def find_enclosed(built: BattleMap) -> Box | None:
    """What the walls and things of a map enclose; None without any."""
    xs = [x for wall in built.walls for x in (wall.x1, wall.x2)]
    ys = [y for wall in built.walls for y in (wall.y1, wall.y2)]
    xs += [x for thing in built.obstacles for x in (thing.x, thing.x + thing.width)]
    ys += [y for thing in built.obstacles for y in (thing.y, thing.y + thing.depth)]
    return (min(xs), min(ys), max(xs), max(ys)) if xs else None


def find_drawn(scene: Scene, hexes: bool) -> Zone:
    """The ground without zones, as one zone: a deck, else the picture, else what walls and things enclose;
    near the origin without any."""
    built = map_of(scene)
    if decks := read_ground(scene).bare or built.decks:
        return lay_deck(decks[0])
    return next(_list_drawn(built, hexes), OPEN)


def _list_drawn(built: BattleMap, hexes: bool) -> Iterator[Zone]:
    """The picture of a map, and what its walls and things enclose."""
    drawn = built.picture
    picture = (drawn.x, drawn.y, drawn.x + drawn.width, drawn.y + drawn.depth) if drawn else None
    for box in filter(None, (picture, find_enclosed(built))):
        left, top, right, low = box
        yield Zone("", "", left, y=top, width=right - left, depth=low - top, upright=hexes or UNSET)


def lay_deck(deck: Deck) -> Zone:
    """A deck as a zone of no name."""
    return lay_zone((deck,), Zone("", "", deck.x, y=deck.y, width=deck.width, depth=deck.depth))


def list_floors(scene: Scene, hexes: bool) -> tuple[Zone, ...]:
    """All ground as zones: the rooms, then decks without rooms; without both what is drawn."""
    ground = read_ground(scene)
    return (*ground.rooms, *map(lay_deck, ground.bare)) or (find_drawn(scene, hexes),)


def list_near(scene: Scene, place: Zone, hexes: bool) -> list[Zone]:
    """All ground of a scene, the nearest to a place first: for those who find no room there."""
    return sorted(list_floors(scene, hexes), key=lambda zone: plan_distance(zone.centre, place.centre))


def is_ground(scene: Scene, place: Point) -> bool:
    """Whether a place is one to go to: in a zone, on the floor of a deck, or on a map drawn without both."""
    ground = read_ground(scene)
    for zone in ground.zones:
        if holds(zone, place.x, place.y):
            return True
    built = map_of(scene)
    if built.decks:
        return _is_floor(ground, place)
    return not ground.zones and bool(built)


def _is_floor(ground: Ground, place: Point) -> bool:
    """Whether a place beside the rooms of a scene with decks is on a floor, or beside an end of a way."""
    if find_deck(ground.floors, place.x, place.y) is not None:
        return True
    return any(max(abs(x - place.x), abs(y - place.y)) <= BESIDE_M for x, y in ground.ends)


def is_drawn(scene: Scene, place: Point, hexes: bool = False) -> bool:
    """Whether a spot belongs to the drawn place: its zones, its picture, or what its walls and things
    enclose; between zones without walls too, on a deck, and anywhere where nothing is drawn.

    Nobody walks off a deck, so all of it belongs to the place: ways to others begin beside its rooms, too.
    """
    ground = read_ground(scene)
    for zone in ground.rooms:
        if holds(zone, place.x, place.y):
            return True
    built = map_of(scene)
    if built.decks:
        return find_deck(built.decks, place.x, place.y) is not None
    if ground.rooms:
        return not built.walls and not is_off_map(scene, place)
    drawn = tuple(_list_drawn(built, hexes))
    return not drawn or any(holds(zone, place.x, place.y) for zone in drawn)


def is_off_map(scene: Scene, place: Point) -> bool:
    """Whether a place lies beyond all zones, on one side of them; never on a scene without zones."""
    zones = read_ground(scene).zones
    sides = [_find_sides(zone, *plot(place.x, place.y, zone.upright is True)) for zone in zones]
    return any(map(all, zip(*sides, strict=True)))


def _find_sides(zone: Zone, x: float, y: float) -> tuple[bool, ...]:
    """Whether a spot lies left of a zone, to its right, above it, and below it."""
    right, low = zone.x + zone.width + EPSILON, zone.y + zone.depth + EPSILON
    return x < zone.x - EPSILON, x > right, y < zone.y - EPSILON, y > low


# What is built near a place: walls, and things that stand on the floor.


def find_gaps(built: BattleMap, spot: Spot) -> Iterator[float]:
    """The meters from a spot to each wall and thing; 0 in a thing."""
    for wall in built.walls:
        yield math.dist(spot, find_nearest((wall.x1, wall.y1, wall.x2, wall.y2), spot))
    for thing in built.obstacles:
        yield find_gap(thing, spot)


def find_gap(box: Piece | Obstacle, spot: Spot) -> float:
    """The meters from a spot to a rectangle; 0 inside."""
    across = max(box.x - spot[0], 0.0, spot[0] - box.x - box.width)
    along = max(box.y - spot[1], 0.0, spot[1] - box.y - box.depth)
    return math.hypot(across, along)


def is_walled(built: BattleMap, spot: Spot) -> bool:
    """Whether walls stand around a spot: to its left and right, above and below it."""
    x, y = spot
    across = [_cross(wall.x1, wall.y1, wall.x2, wall.y2, y) for wall in built.walls]
    along = [_cross(wall.y1, wall.x1, wall.y2, wall.x2, x) for wall in built.walls]
    return all(
        any(at is not None and at <= own for at in met) and any(at is not None and at >= own for at in met)
        for met, own in ((across, x), (along, y))
    )


def _cross(x1: float, y1: float, x2: float, y2: float, y: float) -> float | None:
    """Where a wall crosses a straight line along x; None if it does not."""
    if not min(y1, y2) <= y <= max(y1, y2):
        return None
    return x1 if y1 == y2 else x1 + (x2 - x1) * (y - y1) / (y2 - y1)


def squares_around(scene: Scene, at: Point, meters: float, side: int = 1) -> tuple[Point, ...]:
    """The middles of the squares of ground within some meters, nearest rows first.

    Squares have `side` meters and are at whole multiples of it.
    """
    most = int(meters // side) + 1
    across, down = round(at.x / side), round(at.y / side)
    steps = range(-most, most + 1)
    points = (Point(float((across + x) * side), float((down + y) * side)) for y in steps for x in steps)
    return tuple(p for p in points if 0.5 < plan_distance(at, p) <= meters + EPSILON and is_ground(scene, p))
