"""Drawing a scene: every shape is placed, moved and resized by its points in meters.

A wall has its two ends, a rectangle two opposite corners, a light its centre and a point on its rim. So the
pointer, a typed list of points and an imported file all draw in the same way. The rules check the drawn
scene when it is set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import floor, hypot
from typing import Any, cast

from msgspec import UNSET, to_builtins
from msgspec.structs import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import (
    Area,
    BattleMap,
    Light,
    Obstacle,
    Passage,
    Picture,
    Point,
    Scene,
    Wall,
    Zone,
    find_rise,
    lay_zone,
    map_of,
    read_points,
    with_map,
)
from combat.rules.core.space.battle_map import DOOR, FENCE, WALL, WINDOW, look_of
from combat.rules.core.space.decks import find_deck

from .stacking import draw_way, place_way

Shape = Wall | Obstacle | Light | Area | Zone | Picture | Passage
MAX_CORNERS = 200  # of a chain of walls drawn at once
MIN_METERS = 0.1  # meters: anything shorter was a slip of the hand
ZONE, OBSTACLE, LIGHT, AREA, PICTURE, WAY = "zone", "obstacle", "light", "area", "picture", "way"
GONE = "That is no longer on the map: reload the page."
TWO_POINTS = "Enter two points as x,y; x,y. A chain of walls takes up to 200."
TOO_SMALL = "Too small: drag farther, or type coordinates that are farther apart."
COUNTED = (("walls", "wall"), ("obstacles", "thing"), ("lights", "light"), ("zones", "zone"), ("ways", "way"))
MAX_LENGTH = 60
FOG, HIDE, REVEAL = "fog", "hide_area", "reveal_area"


@dataclass(frozen=True)
class Kind:
    """A kind of shape: its name, how many points it takes, where a scene keeps it."""

    key: str
    label: str
    home: str  # the field of the scene or its map
    type: type[Any]
    letter: str  # the prefix of its ids
    fields: dict[str, Any]  # what a new one starts with


KINDS = {
    kind.key: kind
    for kind in (
        Kind(ZONE, "Zone", "zones", type=Zone, letter="zone", fields={"name": "Zone"}),
        Kind(WALL, "Wall", "walls", type=Wall, letter="w", fields={}),
        Kind(DOOR, "Door", "walls", type=Wall, letter="w", fields={"kind": DOOR}),
        Kind(
            WINDOW,
            "Window",
            "walls",
            type=Wall,
            letter="w",
            fields={"kind": WINDOW, "blocks_sight": False, "cover": ""},
        ),
        Kind(
            FENCE,
            "Fence",
            "walls",
            type=Wall,
            letter="w",
            fields={"kind": FENCE, "blocks_sight": False, "cover": ""},
        ),
        Kind(OBSTACLE, "Obstacle", "obstacles", type=Obstacle, letter="o", fields={"name": "Crate"}),
        Kind(LIGHT, "Light", "lights", type=Light, letter="l", fields={}),
        Kind(AREA, "Hidden area", "hidden", type=Area, letter="a", fields={}),
        Kind(WAY, "Way to a deck", "ways", type=Passage, letter="way", fields={}),
    )
}
HOMES = {kind.home: kind for kind in reversed(KINDS.values())}  # "walls" → walls in general


def shapes_in(scene: Scene, home: str) -> tuple[Shape, ...]:
    """All shapes that a scene keeps in one field."""
    return cast(tuple[Shape, ...], scene.zones if home == "zones" else getattr(map_of(scene), home))


def count_drawn(scene: Scene) -> str:
    """What is drawn on a scene, in words: "34 walls, 12 things and 7 zones"; empty if nothing is."""
    drawn = map_of(scene)
    counts = [(len(shapes_in(scene, home)), word) for home, word in (*COUNTED, ("hidden", "hidden area"))]
    counts.append((len(drawn.decks), "deck"))
    *rest, last = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count] or [""]
    return f"{', '.join(rest)} and {last}" if rest else last


def _keep(scene: Scene, home: str, shapes: Iterable[Shape]) -> Scene:
    if home == "zones":
        return replace(scene, zones=tuple(shapes))
    return with_map(scene, replace(map_of(scene), **{home: tuple(shapes)}))


def find_shape(scene: Scene, home: str, shape_id: str) -> Shape:
    """One shape; Refused if it is gone."""
    if home == PICTURE:
        found: Shape | None = map_of(scene).picture
    else:
        all_of_them = shapes_in(scene, home) if home in HOMES else ()
        found = next((one for one in all_of_them if getattr(one, "id", "") == shape_id), None)
    if found is None:
        raise Refused("unknown", GONE)
    return found


# ---- Points ----


def points_of(shape: Shape) -> tuple[Point, Point]:
    """The two points of a shape; the ends of a way, the lower one first."""
    if isinstance(shape, Wall | Passage):
        return Point(shape.x1, shape.y1), Point(shape.x2, shape.y2)
    if isinstance(shape, Light):
        return Point(shape.x, shape.y), Point(round(shape.x + shape.radius, 3), shape.y)
    return Point(shape.x, shape.y), Point(round(shape.x + shape.width, 3), round(shape.y + shape.depth, 3))


def find_sides(kind: type[Any], a: Point, b: Point) -> dict[str, Any]:
    """The fields that put a shape of this type at two points; Refused if they are too close."""
    apart = hypot(a.x - b.x, a.y - b.y)
    narrow = min(abs(a.x - b.x), abs(a.y - b.y))
    if (apart if kind in (Wall, Light) else narrow) < MIN_METERS:
        raise Refused("bad_value", TOO_SMALL)
    if kind is Wall:
        return {"x1": a.x, "y1": a.y, "x2": b.x, "y2": b.y}
    if kind is Light:
        return {"x": a.x, "y": a.y, "radius": round(apart, 3)}
    width, depth = round(abs(a.x - b.x), 3), round(abs(a.y - b.y), 3)
    sides: dict[str, Any] = {"x": min(a.x, b.x), "y": min(a.y, b.y), "width": width, "depth": depth}
    return {**sides, "parts": UNSET} if kind is Zone else sides


def read_corners(text: str, least: int = 2, most: int = MAX_CORNERS) -> tuple[Point, ...]:
    """Points from "x,y; x,y"; Refused unless their number suits the shape."""
    try:
        points = read_points(text)
    except Refused:
        points = ()
    if not least <= len(points) <= most:
        raise Refused("bad_value", TWO_POINTS)
    return points


# ---- Changes ----


def draw(
    scene: Scene,
    key: str,
    points: tuple[Point, ...],
    name: str = "",
    cover: str = "",
    taken: Collection[str] = (),
) -> tuple[Scene, str]:
    """The scene with a new shape, or a chain of walls; and the id of the last one drawn.

    `cover` is the cover of a new obstacle; `taken` are ids that no new shape gets.
    """
    kind = KINDS.get(key)
    if kind is None:
        raise Refused("unknown", f"Choose what to draw: {', '.join(one.label for one in KINDS.values())}.")
    if len(points) < 2 and kind.type is not Passage:
        raise Refused("bad_value", TWO_POINTS)
    steps = list(pairwise(points)) if kind.type is Wall else [(points[0], points[-1])]
    there = shapes_in(scene, kind.home)
    ids = (str(getattr(shape, "id", "")) for shape in there)
    first = _next_number((*ids, *taken), kind.letter)
    if kind.type is Passage:
        way = f"{kind.letter}{first}"
        return draw_way(scene, points, name, way), way
    check_on_deck(scene, kind, points)
    fields = kind.fields | ({"name": name} if name and kind.type is not Light else {})
    if kind.type is Obstacle:
        fields = fields | {"cover": cover}
    if kind.type is Zone and not name:
        fields = fields | {"name": f"Zone {len(there) + 1}"}
    made = [
        kind.type(id=f"{kind.letter}{number}", **fields, **find_sides(kind.type, a, b))
        for number, (a, b) in enumerate(steps, first)
    ]
    if kind.type is Zone:
        made = [lay_zone(map_of(scene).decks, zone) for zone in made]
    return _keep(scene, kind.home, (*there, *made)), made[-1].id


def check_on_deck(scene: Scene, kind: Kind, points: tuple[Point, ...]) -> None:
    """Refuse what is drawn beside all decks of a scene that has some; only hidden areas lie there."""
    decks = map_of(scene).decks
    if decks and kind.key != AREA and any(find_deck(decks, at.x, at.y) is None for at in points):
        raise Refused("bad_value", "That lies beside all decks: draw inside one, or make its deck wider.")


def _next_number(ids: Iterable[str], letter: str) -> int:
    """A number that none of these ids has."""
    words = (one.removeprefix(letter) for one in ids)
    return max((int(word) for word in words if word.isascii() and word.isdigit()), default=0) + 1


def change(scene: Scene, home: str, shape_id: str, **fields: Any) -> Scene:
    """The scene with some fields of one shape changed."""
    old = find_shape(scene, home, shape_id)
    new = replace(old, **fields)
    if home == PICTURE:
        return with_map(scene, replace(map_of(scene), picture=cast(Picture, new)))
    return _keep(scene, home, (new if one is old else one for one in shapes_in(scene, home)))


def reshape(scene: Scene, home: str, shape_id: str, points: tuple[Point, ...]) -> Scene:
    """The scene with one shape moved to other points."""
    shape = find_shape(scene, home, shape_id)
    if isinstance(shape, Passage):
        return change(scene, home, shape_id, **place_way(shape, points[0], points[-1]))
    fields = find_sides(type(shape), points[0], points[-1])
    if isinstance(shape, Zone):
        laid = lay_zone(map_of(scene).decks, replace(shape, **fields), find_rise(scene, shape))
        fields = fields | {"height": laid.height}
    return change(scene, home, shape_id, **fields)


def remove(scene: Scene, home: str, shape_id: str) -> Scene:
    """The scene without one shape; no zone leads to a zone that is gone."""
    gone = find_shape(scene, home, shape_id)
    if home == PICTURE:
        return with_map(scene, replace(map_of(scene), picture=None))
    left = (one for one in shapes_in(scene, home) if one is not gone)
    return _keep(scene, home, (without_link(one, shape_id) if isinstance(one, Zone) else one for one in left))


def without_link(zone: Zone, other: str) -> Zone:
    """The zone without its link to another."""
    return replace(zone, links={one: steps for one, steps in zone.links.items() if one != other})


def find_map_changes(before: BattleMap, after: BattleMap) -> dict[str, Any]:
    """The fields of the command that turns one map into another: only the parts that differ."""
    found: dict[str, Any] = {}
    drop: list[str] = []
    for home in ("walls", "obstacles", "lights", "hidden", "decks", "ways"):
        old = {part.id: part for part in getattr(before, home)}
        new = {part.id: part for part in getattr(after, home)}
        if changed := [part for name, part in new.items() if old.get(name) != part]:
            found[home] = to_builtins(changed)
        drop += old.keys() - new.keys()
    if drop:
        found["drop"] = sorted(drop)
    if look_of(before) != look_of(after):
        found["look"] = to_builtins(look_of(after))
    return found


def find_corner(place: Point, cell: float) -> Point:
    """The corner of the grid, with squares of `cell` meters, that is nearest to a place."""
    x, y = (round((floor(number / cell) + 0.5) * cell, 3) for number in (place.x, place.y))
    return Point(x, y)


def scale_picture(scene: Scene, a: Point, b: Point, meters: float, onto: Point | None = None) -> Scene:
    """The scene with its picture scaled so that two of its places are `meters` apart.

    The first of them moves `onto` a place, or stays where it is.
    """
    picture = map_of(scene).picture
    if picture is None:
        raise Refused("unknown", GONE)
    apart = hypot(a.x - b.x, a.y - b.y)
    if apart < MIN_METERS or not MIN_METERS <= meters <= 1000:
        raise Refused(
            "bad_value", "Choose two places of the picture, and how far apart they are: up to 1000 m."
        )
    share, fixed = meters / apart, onto or a
    fields = {
        "x": round(fixed.x - (a.x - picture.x) * share, 3),
        "y": round(fixed.y - (a.y - picture.y) * share, 3),
        "width": round(picture.width * share, 3),
        "depth": round(picture.depth * share, 3),
    }
    return change(scene, PICTURE, "", **fields)


# Fog of war, as the GM sets it at the table: fog, its memory, hidden areas.


def set_fog(scene: Scene, posted: Mapping[str, str]) -> Scene:
    """The scene with or without fog, and with or without memory of explored parts."""
    fog, remembers = posted.get("fog") == "true", posted.get("remembers") == "true"
    return with_map(scene, replace(map_of(scene), fog=fog, remembers=remembers))


def hide_area(scene: Scene, posted: Mapping[str, str]) -> Scene:
    """The scene with one more area that players do not see."""
    points = read_corners(posted.get("points", ""))
    name = " ".join(posted.get("name", "").split())[:MAX_LENGTH]
    return draw(scene, "area", points, name)[0]


def reveal_area(scene: Scene, posted: Mapping[str, str]) -> Scene:
    """The scene without one of its hidden areas."""
    return remove(scene, "hidden", posted.get("area", "")[:MAX_LENGTH])


CHANGES = {FOG: set_fog, HIDE: hide_area, REVEAL: reveal_area}


def find_changes(scene: Scene, do: str, posted: Mapping[str, str]) -> dict[str, object]:
    """The fields of the command for the change; Refused if there is nothing to change."""
    after = CHANGES[do](scene, posted)
    found = find_map_changes(map_of(scene), map_of(after))
    if not found:
        raise Refused("bad_value", "Nothing on the map would change: choose something else.")
    return found
