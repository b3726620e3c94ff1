"""What is drawn and seen on a map has no special direction: a turned or mirrored map gives a turned picture.

Facts and forms of fights are turned in `every_game/wild/test_symmetry.py`; here are the walls, doors, things
and lamps as drawn, what is seen from a spot, lines of sight, and the ways to a goal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from math import cos, dist, radians, sin

import pytest

from combat.display.plane.plan import PlanView, outline_rows, view_plan
from combat.play.scenes.ready import find_ready_scenes
from combat.rules.core.space import BattleMap, Point, Scene, Spot, Zone, map_of
from combat.rules.core.space.barriers import barriers_of
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.paths import Way, find_paths
from combat.rules.core.space.plane import path_length
from combat.rules.core.space.rays.fog import find_cells, find_visible, make_window
from combat.rules.core.space.rays.lights import outline_light
from combat.rules.core.space.rays.sight import Body, draw_lines
from tests.combat.rules.every_game.wild.turning import TURNS, Directions, Turn, turn_thing
from tests.thinning import thin

STEP = re.compile(r"([MLHVlhvz])([^MLHVlhvz]*)")
GRID, FAR = Grid(), 40.0
SCENES = {ready.key: ready.scene for ready in find_ready_scenes() if map_of(ready.scene).walls}
MOST = 3  # people who look in a scene: in the middles of its first zones
PLAIN = Directions()
COVER = "way"


@pytest.fixture(params=thin(SCENES, *list(SCENES)[:2]))
def scene(request: pytest.FixtureRequest) -> Scene:
    """A ready scene with walls."""
    return SCENES[request.param]


def turn_map(turn: Turn, scene: Scene) -> tuple[BattleMap, tuple[Zone, ...]]:
    """The map and the zones of a scene after a turn."""
    return turn_thing(turn, PLAIN, map_of(scene)), tuple(
        turn_thing(turn, PLAIN, zone) for zone in scene.zones
    )


def read_edges(path: str) -> Iterator[tuple[Spot, Spot]]:
    """The straight pieces of a path."""
    at = first = (0.0, 0.0)
    for kind, numbers in STEP.findall(path):
        n = [float(number) for number in numbers.replace(",", " ").split()]
        x, y = at
        if kind in "Hh":
            to = (n[0] + x * (kind == "h"), y)
        elif kind in "Vv":
            to = (x, n[0] + y * (kind == "v"))
        elif kind == "z":
            to = first
        else:
            to = (n[0] + x * (kind == "l"), n[1] + y * (kind == "l"))
        if kind == "M":
            first = to
        elif to != at:
            yield at, to
        at = to


def name_edge(one: Spot, other: Spot) -> tuple[Spot, ...]:
    """A piece by its ends, in whole centimeters, whichever of them comes first."""
    return tuple(sorted((round(x, 1) + 0.0, round(y, 1) + 0.0) for x, y in (one, other)))


def find_inked(edges: Iterator[tuple[Spot, Spot]]) -> set[tuple[Spot, ...]]:
    """Pieces of half a meter: where lines are joined otherwise, the same is inked."""
    inked = set()
    for one, other in edges:
        many = max(1, round(dist(one, other) / 0.5))
        spots = [
            (one[0] + (other[0] - one[0]) * k / many, one[1] + (other[1] - one[1]) * k / many)
            for k in range(many + 1)
        ]
        inked |= {name_edge(*pair) for pair in pairwise(spots)}
    return inked


def list_walls(plan: PlanView, turn: Callable[[float, float], Spot]) -> dict[str, set[tuple[Spot, ...]]]:
    """What is inked of each kind of wall, turned."""
    return {
        wall.kind: find_inked((turn(*one), turn(*other)) for one, other in read_edges(wall.path))
        for wall in plan.walls
    }


def list_doors(plan: PlanView, turn: Callable[[float, float], Spot]) -> dict[str, list[tuple[Spot, ...]]]:
    """Both ends of each door: by its start, length and turn, and by its path.

    A lid over a shaft lies at the side that is first on any map.
    """
    found = {}
    for door in plan.doors:
        if door.id.startswith(COVER):
            continue
        x, y = door.start
        end = x + door.long * cos(radians(door.turn)), y + door.long * sin(radians(door.turn))
        (drawn,) = read_edges(door.path)
        found[f"{door.id} {door.state}"] = [
            name_edge(turn(*door.start), turn(*end)),
            name_edge(*(turn(*spot) for spot in drawn)),
            name_edge(turn(*door.spot), turn(*door.spot)),
        ]
    return found


def list_things(plan: PlanView, turn: Callable[[float, float], Spot]) -> list[tuple[object, ...]]:
    """The box of each thing, with its kind and whether it is tall."""
    found = []
    for group in plan.things:
        for thing in group.things:
            ends = turn(thing.x, thing.y), turn(thing.x + thing.width, thing.y + thing.depth)
            xs, ys = zip(*ends, strict=True)
            box = name_edge((min(xs), min(ys)), (max(xs), max(ys)))
            found.append((thing.id, group.kind, group.is_tall, box))
    return sorted(found)


def read_cells(path: str) -> set[Spot]:
    """The cells of a meter that a path of rectangles covers."""
    cells = set()
    for x, y, width, depth in re.findall(r"M(\S+) (\S+?)h(\S+?)v(\S+?)h\S+?z", path):
        left, top = float(x) + 0.5, float(y) + 0.5
        cells |= {(left + across, top + down) for across in range(int(width)) for down in range(int(depth))}
    return cells


def measure_area(corners: tuple[Spot, ...]) -> float:
    """The square meters inside an outline."""
    pairs = zip(corners, (*corners[1:], *corners[:1]), strict=True)
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs)) / 2


def find_eyes(scene: Scene) -> list[Spot]:
    """Spots from which someone looks: the middles of zones."""
    middles = [(zone.x + zone.width / 2, zone.y + zone.depth / 2) for zone in scene.zones]
    return [(round(x) + 0.25, round(y) - 0.25) for x, y in middles][:MOST]


def as_it_is(x: float, y: float) -> Spot:
    """The same spot."""
    return x, y


def test_a_turned_map_is_drawn_turned(scene: Scene) -> None:
    plan = view_plan(map_of(scene), scene.zones)
    for turn in TURNS:
        battle_map, zones = turn_map(turn, scene)
        turned = view_plan(battle_map, zones)
        assert list_walls(plan, turn.point) == list_walls(turned, as_it_is), turn.name
        assert list_doors(plan, turn.point) == list_doors(turned, as_it_is), turn.name
        assert list_things(plan, turn.point) == list_things(turned, as_it_is), turn.name
        for light, other in zip(plan.lights, turned.lights, strict=True):
            assert turn.point(light.x, light.y) == pytest.approx((other.x, other.y))
            assert (light.radius, light.tint, bool(light.path)) == (
                other.radius,
                other.tint,
                bool(other.path),
            )
        for lamp, other_lamp in zip(map_of(scene).lights, battle_map.lights, strict=True):
            lit = measure_area(outline_light(barriers_of(map_of(scene)), lamp))
            again = measure_area(outline_light(barriers_of(battle_map), other_lamp))
            assert lit == pytest.approx(again, rel=0.02, abs=0.1), (turn.name, lamp)


def test_as_much_is_seen_from_a_spot_of_a_turned_map(scene: Scene) -> None:
    """Cell by cell, and as drawn."""
    battle_map = map_of(scene)
    window = make_window(battle_map, scene.zones, (), 1.0, hexes=False)
    for turn in TURNS:
        turned, zones = turn_map(turn, scene)
        other = make_window(turned, zones, (), 1.0, hexes=False)
        for eye in find_eyes(scene):
            rows = find_visible(barriers_of(battle_map), window, eye)
            again = find_visible(barriers_of(turned), other, turn.point(*eye))
            seen = {tuple(map(round, turn.point(*cell))) for cell in find_cells(window, rows)}
            assert seen == set(find_cells(other, again)), (turn.name, eye)
            assert read_cells(outline_rows(window, rows)) == set(find_cells(window, rows))


def test_lines_and_ways_are_as_long_on_a_turned_map(scene: Scene) -> None:
    """Ways are pulled straight afterwards, so one of several may be a little longer."""
    battle_map, eyes = map_of(scene), [Point(*eye) for eye in find_eyes(scene)]
    way = Way(GRID)
    for turn in (TURNS[0], TURNS[3]):
        turned = turn_map(turn, scene)[0]
        there = {eye: Point(*turn.point(eye.x, eye.y)) for eye in eyes}
        for one in eyes:
            for other in eyes:
                lines = draw_lines(battle_map, GRID, Body(one), Body(other))
                again = draw_lines(turned, GRID, Body(there[one]), Body(there[other]))
                assert (lines.blind, lines.total) == (again.blind, again.total), (turn.name, one, other)
            ways = partial(find_paths, way=way, most=FAR)
            found = {path[-1]: path_length(path) for path in ways(battle_map, start=one, goals=eyes)}
            anew = {p[-1]: path_length(p) for p in ways(turned, start=there[one], goals=list(there.values()))}
            assert {there[goal] for goal in found} == set(anew), (turn.name, one)
            for goal, meters in found.items():
                assert anew[there[goal]] == pytest.approx(meters, rel=0.1), (turn.name, one, goal)
