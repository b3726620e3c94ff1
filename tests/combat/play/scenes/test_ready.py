"""Every scene of the library is laid out for fights: doors in walls, free doorways, no lost corner."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import dist

import msgspec
import pytest

from combat.play.scenes.ready import GROUPS, ReadyScene, find_ready_scene, find_ready_scenes
from combat.rules import find_system
from combat.rules.core.basics.data import read_json
from combat.rules.core.space import FLOORS, BattleMap, Obstacle, Scene, Wall, Zone, map_of
from combat.rules.core.space.battle_map import DOOR, THINGS, WINDOW
from combat.rules.core.space.blueprint import cut_lines
from combat.rules.core.space.decks import GALLERY, box_of, is_within

SCENES = pytest.mark.parametrize("ready", find_ready_scenes(), ids=lambda ready: ready.key)
VOID = "void"  # a floor on which nobody walks
Cell = tuple[int, int]


def test_library_has_scenes_for_every_group() -> None:
    counts = Counter(ready.group for ready in find_ready_scenes())
    assert set(counts) == set(GROUPS)
    assert min(counts.values()) >= 3
    assert sum(counts.values()) >= 18
    assert len({ready.name for ready in find_ready_scenes()}) == sum(counts.values())


@SCENES
def test_scene_is_stored_as_it_is_read_back(ready: ReadyScene) -> None:
    raw = msgspec.json.encode(ready.scene)  # a 3 among meters would come back as 3.0: other bytes
    assert msgspec.json.encode(read_json(raw, Scene)) == raw


@SCENES
def test_zones_are_few_named_and_apart(ready: ReadyScene) -> None:
    zones = ready.scene.zones
    assert 3 <= len(zones) <= 25
    assert len({zone.name for zone in zones}) == len(zones)
    assert all(zone.floor in FLOORS for zone in zones)
    assert not [(a.name, b.name) for a, b in combinations(zones, 2) if overlap(a, b)]


@SCENES
def test_things_stand_in_one_zone_and_apart(ready: ReadyScene) -> None:
    things = map_of(ready.scene).obstacles
    assert all(thing.kind in THINGS for thing in things)
    lost = [thing.name for thing in things if not any(is_inside(thing, zone) for zone in ready.scene.zones)]
    assert not lost
    assert not [(a, b) for a, b in combinations(things, 2) if overlap(a, b)]


@SCENES
def test_doors_and_windows_are_in_walls(ready: ReadyScene) -> None:
    walls = map_of(ready.scene).walls
    solid = [wall for wall in walls if wall.kind not in (DOOR, WINDOW)]
    for opening in (wall for wall in walls if wall.kind in (DOOR, WINDOW)):
        for end in ((opening.x1, opening.y1), (opening.x2, opening.y2)):
            others = [wall for wall in walls if wall is not opening and wall in (*solid, *openings(walls))]
            assert any(touches(wall, *end) for wall in others), f"{opening.name or opening.kind} at {end}"


@SCENES
def test_doorways_are_free_and_doors_have_names(ready: ReadyScene) -> None:
    drawn = map_of(ready.scene)
    doors = [wall for wall in drawn.walls if wall.kind == DOOR]
    assert len({door.name for door in doors}) == len(doors)
    taken = find_taken(drawn)
    for door in doors:
        for beside in find_beside(door):
            assert beside not in taken, f"{door.name}: something stands at {beside}"


@pytest.mark.slow
@SCENES
def test_everyone_can_walk_to_every_zone_through_the_doors(ready: ReadyScene) -> None:
    drawn, zones = map_of(ready.scene), [zone for zone in ready.scene.zones if zone.floor != VOID]
    reached = walk(drawn, zones)
    for zone in zones:
        cells = find_cells(zone) - find_taken(drawn)
        assert len(cells & reached) >= len(cells) * 0.75, f"{zone.name}: {sorted(cells - reached)[:5]}"


@SCENES
def test_lamps_are_in_zones(ready: ReadyScene) -> None:
    for lamp in map_of(ready.scene).lights:
        assert any(
            z.x <= lamp.x <= z.x + z.width and z.y <= lamp.y <= z.y + z.depth for z in ready.scene.zones
        )


@pytest.mark.parametrize(
    ("slug", "tag"), [("cosmos", "zero-g"), ("cepheus", "weightless"), ("starshock", ""), ("guardians", "")]
)
def test_station_hub_has_no_gravity_if_the_game_has_rules_for_it(slug: str, tag: str) -> None:
    system, ready = find_system(slug), find_ready_scene("station_ring")
    ring, hub = sorted(map_of(ready.scene).decks, key=lambda deck: deck.height)
    for zone in ready.lay_out(system).zones:
        is_hub = is_within(box_of(hub), zone.x, zone.y)
        assert is_hub != is_within(box_of(ring), zone.x, zone.y)
        assert zone.terrain == ((tag,) if is_hub and tag else ()), zone.name
    assert not tag or tag in {key for key, _ in system.space.terrains}


def test_openings_cut_the_walls_of_two_rooms_once() -> None:
    rooms = [(0, 0, 0, 10), (0, 2, 0, 6), (3, 0, 9, 0)]
    assert cut_lines(rooms, [(0, 4, 0, 5), (1, 1, 2, 1)]) == [(0, 0, 0, 4), (0, 5, 0, 10), (3, 0, 9, 0)]
    assert cut_lines([(0, 0, 3, 4)], []) == [(0, 0, 3, 4)]


# ---------------------------------------------------------------- a second, plain way to walk


def overlap(one: Zone | Obstacle, other: Zone | Obstacle) -> bool:
    """Whether two rectangles share more than an edge."""
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.depth
        and other.y < one.y + one.depth
    )


def is_inside(thing: Obstacle, zone: Zone) -> bool:
    """Whether a thing stands in a zone with all its corners."""
    return (
        zone.x <= thing.x
        and thing.x + thing.width <= zone.x + zone.width
        and zone.y <= thing.y
        and thing.y + thing.depth <= zone.y + zone.depth
    )


def openings(walls: tuple[Wall, ...]) -> list[Wall]:
    """The doors and windows."""
    return [wall for wall in walls if wall.kind in (DOOR, WINDOW)]


def touches(wall: Wall, x: float, y: float) -> bool:
    """Whether a wall contains a place."""
    across = (wall.x2 - wall.x1) * (y - wall.y1) - (wall.y2 - wall.y1) * (x - wall.x1)
    return (
        abs(across) < 1e-6
        and min(wall.x1, wall.x2) <= x <= max(wall.x1, wall.x2)
        and min(wall.y1, wall.y2) <= y <= max(wall.y1, wall.y2)
    )


def find_cells(zone: Zone) -> set[Cell]:
    """The squares of a zone, by their middles."""
    left, top = round(zone.x + 0.5), round(zone.y + 0.5)
    return {(left + x, top + y) for x in range(int(zone.width)) for y in range(int(zone.depth))}


def find_taken(drawn: BattleMap) -> set[Cell]:
    """The squares that things take."""
    return {
        (round(thing.x + 0.5) + x, round(thing.y + 0.5) + y)
        for thing in drawn.obstacles
        for x in range(int(thing.width))
        for y in range(int(thing.depth))
    }


def find_beside(door: Wall) -> list[Cell]:
    """The squares on both sides of a door."""
    if door.x1 == door.x2:
        rows = range(round(min(door.y1, door.y2) + 0.5), round(max(door.y1, door.y2) + 0.5))
        return [(round(door.x1 + side), y) for y in rows for side in (-0.5, 0.5)]
    columns = range(round(min(door.x1, door.x2) + 0.5), round(max(door.x1, door.x2) + 0.5))
    return [(x, round(door.y1 + side)) for x in columns for side in (-0.5, 0.5)]


def crosses(wall: Wall, here: Cell, there: Cell) -> bool:
    """Whether a step between two squares crosses a wall."""

    def side(ax: float, ay: float, bx: float, by: float, px: float, py: float) -> float:
        return (bx - ax) * (py - ay) - (by - ay) * (px - ax)

    ends = wall.x1, wall.y1, wall.x2, wall.y2
    apart = side(*ends, *here) * side(*ends, *there)
    along = side(*here, *there, *ends[:2]) * side(*here, *there, *ends[2:])
    return apart <= 0 and along <= 0 and (apart < 0 or along < 0)


def walk(drawn: BattleMap, zones: list[Zone]) -> set[Cell]:
    """The squares one can walk to from the first zone, step by step, with all doors and ways open."""
    barriers = [wall for wall in drawn.walls if wall.kind != DOOR]
    free = set().union(*map(find_cells, zones)) - find_taken(drawn)
    middle = zones[0].centre
    todo = [min(free & find_cells(zones[0]), key=lambda cell: dist(cell, (middle.x, middle.y)))]
    reached = set(todo)
    ways = [((round(w.x1), round(w.y1)), (round(w.x2), round(w.y2))) for w in drawn.ways if w.kind != GALLERY]
    led = dict([*ways, *((high, low) for low, high in ways)])
    while todo:
        x, y = todo.pop()
        if (x, y) in led and led[x, y] not in reached:
            reached.add(led[x, y])
            todo.append(led[x, y])
        for there in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if there in free - reached and not any(crosses(wall, (x, y), there) for wall in barriers):
                reached.add(there)
                todo.append(there)
    return reached
