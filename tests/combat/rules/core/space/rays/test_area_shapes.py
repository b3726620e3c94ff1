"""Templates: the combatants in a circle, a ring, a cone or on a line, and what walls keep out."""

from __future__ import annotations

import math
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.space import BattleMap, Obstacle, Piece, Point, Wall
from combat.rules.core.space.barriers import barriers_of
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.rays.area_shapes import (
    Shape,
    covers,
    draw_shape,
    find_ring,
    is_inside,
    is_reached,
    make_cloud,
    make_rings,
)
from combat.rules.core.space.rays.sight import Body, find_corners

from ..maps import battle_maps, bodies, places

GRID, HEXES = Grid(), Grid(hexes=True)
HERE = Point(0, 0)
WALL = Wall("w", 2.5, -9, 2.5, 9)
EAST, FAR = Point(1, 0), Point(5, 0)


def reached(*walls: Wall, things: tuple[Obstacle, ...] = (), at: Point = FAR) -> bool:
    return is_reached(BattleMap(walls, things), GRID, HERE, Body(at))


def test_a_circle_holds_its_edge() -> None:
    circle = Shape("circle", HERE, 5)
    assert [covers(circle, Point(x, 0)) for x in (0, 5, 5.1)] == [True, True, False]


def test_rings_take_turns() -> None:
    rings = make_rings(HERE, (3, 6, 9))
    inside = [[covers(ring, Point(x, 0)) for ring in rings] for x in (0, 3, 3.1, 9, 10)]
    assert [row.index(True) if True in row else None for row in inside] == [0, 0, 1, 2, None]
    assert all(sum(row) <= 1 for row in inside)


def test_a_cone_opens_towards_a_place() -> None:
    cone = Shape("cone", HERE, 6, towards=EAST, wide=90)
    spots = (Point(3, 0), Point(3, 3), Point(3, 3.2), Point(-3, 0), Point(7, 0), HERE)
    assert [covers(cone, spot) for spot in spots] == [True, True, False, False, False, True]


def test_a_line_is_as_wide_as_it_says_and_spares_its_start() -> None:
    line = Shape("line", HERE, 6, towards=EAST, wide=0.75)
    spots = (HERE, Point(3, 0.75), Point(3, 0.8), Point(6.5, 0), Point(7, 0), Point(-2, 0))
    assert [covers(line, spot) for spot in spots] == [False, True, False, True, False, False]


def test_a_cloud_fills_its_pieces_as_far_up_as_it_is_wide() -> None:
    cloud = make_cloud(HERE, 3, (Piece(-3, -3, 4, 6), Piece(1, 0, 2, 3)))
    inside = (HERE, Point(1, -3), Point(2, 1), Point(0, 0, 3), Point(0, 0, -3))
    assert all(covers(cloud, spot) for spot in inside)
    assert not any(covers(cloud, spot) for spot in (Point(2, -1), Point(4, 1), Point(0, 0, 3.5)))
    assert is_inside(cloud, BattleMap((WALL,)), GRID, Body(Point(2.9, 1))), "it has come round the wall"


@pytest.mark.parametrize("kind", ["circle", "cone", "line"])
def test_an_area_reaches_no_farther_up_than_it_is_wide_there(kind: Literal["circle", "cone", "line"]) -> None:
    wide = {"circle": 0.0, "cone": 90.0, "line": 0.75}[kind]
    shape, most = Shape(kind, HERE, 6, towards=EAST, wide=wide), 0.75 if kind == "line" else 3
    assert [covers(shape, Point(3, 0, up)) for up in (0, most, -most)] == [True] * 3
    assert not any(covers(shape, Point(3, 0, up)) for up in (30, -30, 6))


def test_what_points_up_goes_up() -> None:
    spots = (Point(3, 0, 4), Point(3, 0), Point(0, 0, 4), Point(6, 0, 8))
    above = Point(3, 0, 4)
    line = Shape("line", HERE, 6, towards=above, wide=0.75)
    cone = Shape("cone", HERE, 6, towards=above, wide=20)
    for shape in (line, cone):
        assert [covers(shape, spot) for spot in spots] == [True, False, False, False]


def test_what_blocks_sight_stops_a_blast() -> None:
    assert reached()
    assert not reached(WALL)
    door = Wall("d", *(2.5, -9, 2.5, 9), kind="door")
    assert not reached(door)
    assert reached(Wall("d", *(2.5, -9, 2.5, 9), kind="door", open=True))
    assert reached(Wall("g", *(2.5, -9, 2.5, 9), kind="window", blocks_sight=False)), "glass does not"


def test_a_blast_gets_round_the_end_of_a_wall() -> None:
    assert not reached(Wall("w", 2.5, -9, 2.5, 0.6))
    assert reached(Wall("w", 2.5, -9, 2.5, 0.1)), "one corner is in the open"


def test_only_a_higher_sight_blocking_obstacle_stops_an_area() -> None:
    crate = Obstacle("c", "Crate", 2, -5, 1, 10, 1.0, "heavy")
    assert reached(things=(crate,))
    tower = Obstacle("c", "Tower", 2, -5, 1, 10, 4.0, "full", blocks_sight=True)
    assert not reached(things=(tower,))
    assert reached(things=(tower,), at=Point(5, 0, 4))


def test_what_is_not_stopped_goes_through_walls() -> None:
    drawn = BattleMap((WALL,))
    for is_stopped in (True, False):
        shape = Shape("circle", HERE, 6, is_stopped=is_stopped)
        assert is_inside(shape, drawn, GRID, Body(Point(5, 0))) != is_stopped


@given(battle_maps(), places, bodies, st.booleans())
def test_a_ring_catches_those_whom_its_shape_catches(
    drawn: BattleMap, at: Point, body: Body, is_stopped: bool
) -> None:
    """A dumb count that looks at each ring alone."""
    rings = make_rings(at, (1.5, 3, 6), is_stopped)
    inside = [n for n, ring in enumerate(rings) if is_inside(ring, drawn, GRID, body)]
    assert find_ring(rings, drawn, GRID, body) == (inside[0] if inside else None)


@given(battle_maps(), places, places)
def test_what_sees_nothing_of_its_target_does_not_reach_it(drawn: BattleMap, at: Point, other: Point) -> None:
    """A dumb count without an index: each corner in the open, or behind something."""
    plan = barriers_of(drawn)
    every = range(len(plan.index.edges))
    free = []
    for corner in find_corners(plan, GRID, Body(other)):
        (crossed,) = plan.index.cross_each((GRID.plot(at),), (corner,), plan.dark, every)
        free.append(all(plan.index.barriers[n].top <= 0 for n in crossed))
    assert is_reached(drawn, GRID, at, Body(other)) == any(free)


@pytest.mark.parametrize("grid", [GRID, HEXES])
def test_every_shape_has_a_path(grid: Grid) -> None:
    assert draw_shape(Shape("circle", HERE, 5), GRID) == "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"
    assert (
        draw_shape(Shape("line", HERE, 6, towards=EAST, wide=0.75), GRID) == "M0 0.75L6 0.75L6 -0.75L0 -0.75z"
    )
    assert draw_shape(Shape("cone", HERE, 6, towards=EAST, wide=180), GRID) == "M0 0L0 -6A6 6 0 0 1 0 6z"
    for shape in (*make_rings(Point(3, 2), (3, 6)), Shape("cone", EAST, 3, towards=Point(2, 2), wide=60)):
        assert draw_shape(shape, grid).startswith("M")


@given(st.floats(-math.pi, math.pi), st.floats(0.1, 20))
def test_a_full_cone_is_a_circle(way: float, meters: float) -> None:
    spot = Point(meters * math.cos(way), meters * math.sin(way))
    cone, circle = (Shape(kind, HERE, 10, towards=EAST, wide=360) for kind in ("cone", "circle"))
    assert covers(cone, spot) == covers(circle, spot)
