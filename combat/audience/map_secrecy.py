"""What someone may know of a battle map: nothing in areas that the GM has not revealed.

A wall that leads into such an area ends at its edge. A secret door is drawn as a wall until it stands
open; one within a wall is drawn as part of that wall. A picture would show everything, so the state
drops it while any of it is hidden; `map_fog` cuts out what may be shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from msgspec.structs import replace

from combat.rules.core.map.vision import name_wall
from combat.rules.core.space import (
    Area,
    BattleMap,
    Deck,
    Obstacle,
    Passage,
    Picture,
    Scene,
    Wall,
    Zone,
    map_of,
    with_map,
)
from combat.rules.core.space.barriers import barriers_of
from combat.rules.core.space.battle_map import DOOR, SEEN_EDGE, WALL, is_box_hidden, is_hidden_at
from combat.rules.core.space.decks import without_lone_deck
from combat.rules.core.space.plane import piece_of, take_parts

EDGE = SEEN_EDGE
SLIVER = 1e-4  # of a wall's length: shorter pieces are dropped
Box = Area | Obstacle | Picture | Zone
B = TypeVar("B", Obstacle, Zone, Deck)


def hide_scene(scene: Scene) -> Scene:
    """The scene as players may know it."""
    drawn = map_of(scene)
    if not drawn:
        return scene
    zones = (_hide_zone(zone, drawn.hidden) for zone in scene.zones)
    return with_map(replace(scene, zones=tuple(filter(None, zones))), hide_map(drawn))


def _hide_zone(zone: Zone, areas: tuple[Area, ...]) -> Zone | None:
    """The zone, None if wholly hidden. Hidden parts are cut off: their shape would reveal walls."""
    if zone.parts and areas:
        return take_parts(zone, map(piece_of, areas))
    return None if _is_within(zone, areas) else zone


def hide_map(drawn: BattleMap) -> BattleMap:
    """The map without hidden areas and what lies in them; the same map if nothing is hidden.

    Otherwise walls get new ids: the old ones would tell which wall is a door, or is cut.
    """
    areas = drawn.hidden
    if not areas and not (drawn.walls and barriers_of(drawn).has_secrets):
        return drawn
    unseen = _find_unseen(drawn) if drawn.walls else frozenset()
    walls = [_disguise(wall) for wall in drawn.walls if wall.id not in unseen]
    for area in areas:
        walls = [part for wall in walls for part in _cut(wall, area)]
    walls = [name_wall(wall, number) for number, wall in enumerate(walls, 1)]
    picture = drawn.picture
    decks = tuple(deck for deck in drawn.decks if not _is_within(deck, areas))
    ways = tuple(way for way in drawn.ways if not _is_way_hidden(way, areas))
    return replace(
        drawn,
        walls=tuple(walls),
        obstacles=tuple(thing for thing in drawn.obstacles if not _is_within(thing, areas)),
        lights=tuple(light for light in drawn.lights if not is_hidden_at(areas, light.x, light.y)),
        picture=None if picture and any(_overlap(picture, area) for area in areas) else picture,
        hidden=(),
        decks=without_lone_deck(decks, ways) if areas else decks,
        ways=ways,
    )


def _is_way_hidden(way: Passage, areas: tuple[Area, ...]) -> bool:
    """Whether an end of a way to another deck lies in a hidden area."""
    return any(is_hidden_at(areas, x, y) for x, y in ((way.x1, way.y1), (way.x2, way.y2)))


def _is_secret(wall: Wall) -> bool:
    return wall.kind == DOOR and wall.secret and not wall.open


def _find_unseen(drawn: BattleMap) -> frozenset[str]:
    """The secret doors within a wall that stops just as much: a second line there would reveal them."""
    plan = barriers_of(drawn)
    if not plan.has_secrets:
        return frozenset()
    hosts = plan.find_hosts()
    secret = (door for door in drawn.walls if _is_secret(door) and door.id in hosts)
    return frozenset(door.id for door in secret if _find_stops(door) == _find_stops(hosts[door.id]))


def _find_stops(wall: Wall) -> tuple[object, ...]:
    return wall.cover, wall.blocks_sight, wall.blocks_way


def _disguise(wall: Wall) -> Wall:
    """The wall as players see it: a shut secret door looks like a wall."""
    if _is_secret(wall):
        return replace(wall, kind=WALL, secret=False, locked=False, name="")
    return replace(wall, secret=False) if wall.secret else wall


def _is_within(box: B, areas: Iterable[Area]) -> bool:
    """Whether a box lies wholly in one hidden area; for a thing, whether its middle does."""
    if isinstance(box, Obstacle):
        return is_hidden_at(areas, box.x + box.width / 2, box.y + box.depth / 2)
    return is_box_hidden(areas, box.x, box.y, box.width, box.depth)


def _overlap(one: Box, other: Box) -> bool:
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.depth, other.y + other.depth) - max(one.y, other.y)
    return across > EDGE and down > EDGE


def _cut(wall: Wall, area: Area) -> Iterable[Wall]:
    """The parts of a wall outside an area; a wall along its edge stays."""
    low, high = 0.0, 1.0
    for start, way, least, size in (
        (wall.x1, wall.x2 - wall.x1, area.x, area.width),
        (wall.y1, wall.y2 - wall.y1, area.y, area.depth),
    ):
        near, far = least + EDGE, least + size - EDGE
        if abs(way) < EDGE:
            if not near < start < far:
                return (wall,)
            continue
        first, last = sorted(((near - start) / way, (far - start) / way))
        low, high = max(low, first), min(high, last)
    if high <= low:
        return (wall,)
    ends = ((0.0, low, "a"), (high, 1.0, "b"))
    return [_part(wall, first, last, mark) for first, last, mark in ends if last - first > SLIVER]


def _part(wall: Wall, low: float, high: float, mark: str) -> Wall:
    """A part of a wall, by shares of its length."""
    across, down = wall.x2 - wall.x1, wall.y2 - wall.y1
    return replace(
        wall,
        id=f"{wall.id}{mark}",
        x1=round(wall.x1 + low * across, 3),
        y1=round(wall.y1 + low * down, 3),
        x2=round(wall.x1 + high * across, 3),
        y2=round(wall.y1 + high * down, 3),
    )
