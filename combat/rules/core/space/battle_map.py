"""The objects on the plane of a scene: walls, doors, obstacles, lights, a picture, and hidden areas.

All positions are in meters on the plane as drawn. On a map of hexes places are named by hex, while walls have
drawn positions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

import msgspec

from .decks import Deck, Passage, set_way, without_lone_deck

MAX_WALLS, MAX_OBSTACLES, MAX_LIGHTS, MAX_AREAS = 2000, 200, 60, 200
WALL, DOOR, WINDOW, FENCE = "wall", "door", "window", "fence"
KINDS = (WALL, DOOR, WINDOW, FENCE)
FULL = "full"  # cover that blocks all shots, in every game
SQUARES, HEXES, FREE = "square", "hex", "free"
GRIDS = ("", SQUARES, HEXES, FREE)
# How parts of a map look; no rule reads any of it. Empty: what its name says, a warm lamp, fair weather, day
THINGS = (
    *("crate", "container", "table", "console", "barrel", "pillar", "bed", "seat"),
    *("tree", "bush", "rock", "car", "machine", "stall", "wall"),
)
TINTS = ("warm", "cold", "red")
RAIN, DUSK, NIGHT = "rain", "dusk", "night"
WEATHERS, SKIES = ("", RAIN), ("", DUSK, NIGHT)
SEEN_EDGE = 1e-6  # things on the edge of a hidden area are visible from outside


class Wall(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A straight piece of wall from (x1, y1) to (x2, y2), or a door, a window or a fence.

    `cover` is a key of the game's covers for walls, or "full". An `open` door stops neither sight nor
    movement; only the GM opens a `locked` one. Players see a shut `secret` door as a wall.
    """

    id: str
    x1: float
    y1: float
    x2: float
    y2: float
    kind: str = WALL
    cover: str = FULL
    blocks_sight: bool = True
    blocks_way: bool = True
    open: bool = False
    locked: bool = False
    secret: bool = False
    name: str = ""


class Obstacle(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """An obstacle with four edges, such as a crate: its corner, width, depth and height in meters.

    `cover` is a key of the game's covers, or "full". Someone who stands higher looks over it. `kind` is how
    it is drawn, one of THINGS; empty: as its name says.
    """

    id: str
    name: str
    x: float
    y: float
    width: float = 1.0
    depth: float = 1.0
    height: float = 1.0
    cover: str = ""
    blocks_sight: bool = False
    blocks_way: bool = True
    kind: str = ""


class Light(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A source of light: its range in meters, and the key of the game's light there.

    `tint` is its color, one of TINTS; empty: warm.
    """

    id: str
    x: float
    y: float
    radius: float = 10.0
    kind: str = ""
    tint: str = ""


class Picture(msgspec.Struct, frozen=True, omit_defaults=True):
    """A picture on the plane: its stored digest, its corner, width and depth in meters."""

    digest: str
    x: float = 0.0
    y: float = 0.0
    width: float = 10.0
    depth: float = 10.0


class Area(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A rectangle that the GM has not revealed: its corner, width and depth in meters."""

    id: str
    x: float
    y: float
    width: float
    depth: float
    name: str = ""


class BattleMap(msgspec.Struct, frozen=True, omit_defaults=True):
    """The battle map of a scene.

    `grid` is square, hex or free; empty: the game's own. `cell` is the side of a square or the width of a hex
    in meters; 0: the game's own. `hidden` are areas that the GM has not revealed. With `fog` a side knows
    only what its combatants see, with `remembers` also what they have seen: `explored` are those cells by
    side (see fog.py). `weather` and `sky` are only drawn: one of WEATHERS and of SKIES. A scene with one deck
    stores no `decks`.
    """

    walls: tuple[Wall, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    lights: tuple[Light, ...] = ()
    picture: Picture | None = None
    grid: str = ""
    cell: float = 0.0
    hidden: tuple[Area, ...] = ()
    fog: bool = False
    remembers: bool = True
    explored: dict[str, str] = {}
    weather: str = ""
    sky: str = ""
    decks: tuple[Deck, ...] = ()
    ways: tuple[Passage, ...] = ()

    def __bool__(self) -> bool:
        """Whether the map has any content."""
        return self != NO_MAP


NO_MAP = BattleMap()


class Part(Protocol):
    """A part of a map with an id."""

    @property
    def id(self) -> str:
        """Its id, unique among all parts."""


P = TypeVar("P", bound=Part)


class Look(msgspec.Struct, frozen=True, omit_defaults=True):
    """The properties of a map besides its parts; the fields are those of the map."""

    picture: Picture | None = None
    grid: str = ""
    cell: float = 0.0
    fog: bool = False
    remembers: bool = True
    weather: str = ""
    sky: str = ""


def look_of(battle_map: BattleMap) -> Look:
    """The picture, the grid, the weather and the knowledge of players of a map."""
    return Look(**{name: getattr(battle_map, name) for name in Look.__struct_fields__})


def change_map(
    battle_map: BattleMap,
    walls: tuple[Wall, ...],
    obstacles: tuple[Obstacle, ...],
    lights: tuple[Light, ...],
    hidden: tuple[Area, ...],
    drop: tuple[str, ...],
    look: Look | None,
    decks: tuple[Deck, ...] = (),
    ways: tuple[Passage, ...] = (),
) -> BattleMap:
    """The map with changed parts: each replaces the one with its id, or is added."""
    gone = frozenset(drop)
    changed = msgspec.structs.replace(
        battle_map,
        walls=_put(battle_map.walls, walls, gone),
        obstacles=_put(battle_map.obstacles, obstacles, gone),
        lights=_put(battle_map.lights, lights, gone),
        hidden=_put(battle_map.hidden, hidden, gone),
        decks=_put(battle_map.decks, decks, gone),
        ways=_put(battle_map.ways, ways, gone),
        **(msgspec.structs.asdict(look) if look else {}),
    )
    return changed if changed.fog else msgspec.structs.replace(changed, explored={})


def explore(battle_map: BattleMap, side: str, cells: str) -> BattleMap:
    """The map with more cells that a side has seen."""
    before = battle_map.explored.get(side, "")
    explored = {**battle_map.explored, side: f"{before};{cells}" if before else cells}
    return msgspec.structs.replace(battle_map, explored=explored)


def _put(old: tuple[P, ...], new: tuple[P, ...], gone: frozenset[str]) -> tuple[P, ...]:
    if not new and not gone:
        return old
    fresh: dict[str, P] = {part.id: part for part in new}
    kept: list[P] = [fresh.pop(part.id, part) for part in old if part.id not in gone]
    return (*kept, *fresh.values())


def set_door(battle_map: BattleMap, door: str, is_open: bool, locked: bool) -> BattleMap:
    """The map with one door or way open or shut, locked or not."""
    walls = tuple(
        msgspec.structs.replace(wall, open=is_open, locked=locked) if wall.id == door else wall
        for wall in battle_map.walls
    )
    ways = set_way(battle_map.ways, door, is_open, locked)
    return msgspec.structs.replace(battle_map, walls=walls, ways=ways)


def is_hidden_at(areas: Iterable[Area], x: float, y: float) -> bool:
    """Whether a drawn place is inside an area that the GM has not revealed; its edge is not."""
    return any(
        area.x + SEEN_EDGE < x < area.x + area.width - SEEN_EDGE
        and area.y + SEEN_EDGE < y < area.y + area.depth - SEEN_EDGE
        for area in areas
    )


def is_box_hidden(areas: Iterable[Area], x: float, y: float, width: float, depth: float) -> bool:
    """Whether a rectangle lies wholly inside one area that the GM has not revealed."""
    return any(
        area.x - SEEN_EDGE <= x
        and area.y - SEEN_EDGE <= y
        and x + width <= area.x + area.width + SEEN_EDGE
        and y + depth <= area.y + area.depth + SEEN_EDGE
        for area in areas
    )


def knows_no_decks(battle_map: BattleMap) -> bool:
    """Whether the areas that the GM has not revealed leave so little that the map seems to have no decks."""
    areas = battle_map.hidden
    decks = [d for d in battle_map.decks if not is_box_hidden(areas, d.x, d.y, d.width, d.depth)]
    ends = ((way, ((way.x1, way.y1), (way.x2, way.y2))) for way in battle_map.ways)
    ways = [way for way, spots in ends if not any(is_hidden_at(areas, *spot) for spot in spots)]
    return bool(areas) and not without_lone_deck(tuple(decks), tuple(ways))
