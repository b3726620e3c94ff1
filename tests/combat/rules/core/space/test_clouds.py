"""The area that smoke fills between walls."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given

from combat.rules.core.gm.scene import MAX_PARTS
from combat.rules.core.space import (
    BattleMap,
    Obstacle,
    Piece,
    Point,
    Scene,
    Wall,
    Zone,
    find_zone,
    meters_inside,
)
from combat.rules.core.space.battle_map import DOOR, FENCE, WINDOW
from combat.rules.core.space.clouds import fill, is_crossed, keep_level
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.plane import Spot, keep_parts, overlap, take_parts
from tests.typed import as_a

from .maps import battle_maps, places

GRID, HERE = Grid(), Point(0, 0)
EAST = (2.5, -9.0, 2.5, 9.0)


def filled(*walls: Wall, things: tuple[Obstacle, ...] = (), half: float = 5) -> Zone:
    """A cloud around the middle of the plane, as a zone."""
    parts = fill(BattleMap(walls, things), GRID, HERE, half)
    return Zone("c", "Smoke", -half, -half, 2 * half, 2 * half, parts=parts)


def is_filled(zone: Zone, x: float, y: float) -> bool:
    return find_zone(Scene(zones=(zone,)), Point(x, y)) is not None


STREET, ROOF = Zone("s", "Street", -20, -20, 40, 40), Zone("r", "Roof", 2, -20, 18, 40, height=30)


@pytest.mark.parametrize(
    ("centre", "covered", "spared"),
    [(HERE, (0, 0), (3, 0)), (Point(3, 0, 30), (3, 0), (0, 0)), (Point(-22, 0), (-20.5, 0), (3, 0))],
)
def test_smoke_stays_on_ground_of_its_own_height(centre: Point, covered: Spot, spared: Spot) -> None:
    square = (Piece(centre.x - 5, centre.y - 5, 10, 10),)
    level = keep_level(Scene(zones=(STREET, ROOF)), square, centre, 5)
    zone = Zone("c", "Smoke", centre.x - 5, centre.y - 5, 10, 10, parts=level)
    assert is_filled(zone, *covered)
    assert not is_filled(zone, *spared)
    assert keep_level(Scene(zones=(STREET,)), square, Point(centre.x, 0), 5) == square


@pytest.mark.parametrize(("up", "crossed"), [(0, True), (10, True), (11, False), (30, False), (-30, False)])
def test_who_looks_over_a_cloud_does_not_look_through_it(up: float, crossed: bool) -> None:
    cloud = Zone("c", "Smoke", -5, -5, 10, 10)
    assert is_crossed(Scene(zones=(cloud,)), cloud, Point(-9, 0, up), Point(9, 0, up)) is crossed
    assert is_crossed(Scene(zones=(cloud,)), cloud, Point(-9, 0, up), Point(0, 0))
    assert not is_crossed(Scene(zones=(cloud,)), cloud, Point(-9, 6), Point(9, 6))


def test_without_walls_all_of_the_square_is_filled() -> None:
    assert fill(BattleMap(), GRID, HERE, 5) == (Piece(-5, -5, 10, 10),)
    assert filled(Wall("w", 20, 0, 30, 0)).parts == (Piece(-5, -5, 10, 10),)


@pytest.mark.parametrize(
    ("wall", "stops"),
    [
        (Wall("w", *EAST), True),
        (Wall("w", *EAST, kind=DOOR), True),
        (Wall("w", *EAST, kind=DOOR, secret=True), True),
        (Wall("w", *EAST, kind=DOOR, open=True), False),
        (Wall("w", *EAST, kind=WINDOW, blocks_sight=False), False),
        (Wall("w", *EAST, kind=FENCE, blocks_sight=False), False),
        (Wall("w", *EAST, blocks_way=False), True),
    ],
)
def test_what_nobody_sees_through_stops_smoke(wall: Wall, stops: bool) -> None:
    zone = filled(wall)
    assert is_filled(zone, 2, 0)
    assert is_filled(zone, 3, 0) is not stops
    assert zone.parts == ((Piece(-5, -5, 7.5, 10),) if stops else (Piece(-5, -5, 10, 10),))


def test_smoke_drifts_around_a_corner_and_through_a_gap() -> None:
    zone = filled(Wall("w", 2.5, -9, 2.5, 3), Wall("v", 2.5, 4, 2.5, 9))
    assert is_filled(zone, 4, -4)
    assert not is_filled(filled(Wall("w", 2.5, -9, 2.5, 5.5)), 4, 0), "the gap lies outside"


def test_thing_that_is_higher_than_the_ground_is_not_filled() -> None:
    rock = Obstacle("o", "Rock", 1, -1, 2, 2, 3, "full", blocks_sight=True)
    zone = filled(things=(rock,))
    assert not is_filled(zone, 2, 0)
    assert is_filled(zone, 4, 0), "it drifts around"
    assert is_filled(filled(things=(Obstacle("o", "Crate", 1, -1, 2, 2),)), 2, 0), "one sees past it"


@pytest.mark.parametrize("far", [0.0, 0.25, 0.013])
def test_slanting_room_keeps_its_smoke(far: float) -> None:
    """Its walls cross cells, and end where others begin."""
    corners = ((-3, far), (far, 3), (3, far), (far, -3), (-3, far))
    walls = (Wall(f"w{n}", *a, *b) for n, (a, b) in enumerate(pairwise(corners)))
    zone = filled(*walls)
    assert is_filled(zone, 0, 0)
    assert not any(is_filled(zone, x, y) for x in (-3.5, 3.5) for y in (-3.5, 3.5))


@given(battle_maps(), places)
def test_parts_lie_apart_inside_the_square(drawn: BattleMap, at: Point) -> None:
    whole = Piece(at.x - 4, at.y - 4, 8, 8)
    parts = fill(drawn, GRID, at, 4)
    assert parts
    assert not any(overlap(a, b) for a, b in combinations(parts, 2))
    assert all(overlap(part, whole) == part for part in parts)


def test_line_counts_only_the_meters_inside_parts() -> None:
    zone = Zone("c", "Smoke", 0, 0, 10, 2, parts=(Piece(0, 0, 2, 2), Piece(8, 0, 2, 2), Piece(8, 2, 2, 2)))
    assert meters_inside(zone, Point(-5, 1), Point(15, 1)) == pytest.approx(4)
    assert meters_inside(zone, Point(5, -5), Point(5, 5)) == 0
    assert meters_inside(zone, Point(-5, 2), Point(15, 2)) == pytest.approx(4), "a shared edge counts once"


def test_cutting_keeps_what_lies_inside_or_outside() -> None:
    zone = Zone("c", "Smoke", 0, 0, 10, 10, parts=(Piece(0, 0, 10, 10),))
    kept = keep_parts(zone, (Piece(6, 6, 9, 9), Piece(20, 0, 5, 5)))
    assert kept
    assert (kept.x, kept.y, kept.width, kept.parts) == (6, 6, 4, (Piece(6, 6, 4, 4),))
    left = take_parts(zone, (Piece(4, 4, 2, 2),))
    assert left
    assert left.parts
    assert sum(part.width * part.depth for part in left.parts) == 96
    assert keep_parts(zone, (Piece(20, 0, 5, 5),)) is None
    assert take_parts(zone, (Piece(-1, -1, 20, 20),)) is None


def test_cloud_cells_end_at_walls_between_the_grid_lines() -> None:
    wall = Wall("w", 2.2, -9, 2.2, 9)
    parts = fill(BattleMap((wall,)), Grid(1.5), HERE, 6)
    assert [(part.x, part.width) for part in parts] == [(-6, 8.2)]


@pytest.mark.parametrize("half", [5, 40])
def test_cloud_of_any_size_ends_before_a_slanting_wall(half: float) -> None:
    """A large one on coarse cells, and neither has more parts than a scene may have."""
    zone = filled(Wall("w", -60, -52, 60, 68), half=half)
    assert is_filled(zone, 2, 0)
    assert not any(is_filled(zone, x, x + 8.02) for x in range(-40, 40, 3))
    assert len(as_a(zone.parts, tuple)) < MAX_PARTS
