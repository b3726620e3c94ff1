"""Nobody is seen, shot, lit or caught through an unbroken wall, and a wall behind someone is no cover."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.space import BattleMap, Obstacle, Point, Scene, Wall, Zone, find_zone
from combat.rules.core.space.barriers import barriers_of
from combat.rules.core.space.battle_map import FENCE, Light
from combat.rules.core.space.clouds import fill
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.paths import stop_short
from combat.rules.core.space.plane import Spot, unplot
from combat.rules.core.space.rays.area_shapes import Shape, is_inside, is_reached
from combat.rules.core.space.rays.fog import find_visible, make_window
from combat.rules.core.space.rays.lights import find_shining
from combat.rules.core.space.rays.sight import (
    Body,
    Lines,
    draw_lines,
    find_bar,
    find_corners,
    sees,
    stop_flight,
)
from combat.rules.core.state.state import replace

GRIDS = (Grid(), Grid(1.5), Grid(hexes=True))
FAR = 300.0  # meters of wall to each side, farther than any line reaches
NEAREST = 0.002  # meters: places have three digits


class Divided:
    """An endless wall in two pieces, slanting by `turn` from the east, and places beside it."""

    def __init__(self, grid: Grid, x: float, y: float, turn: float, joint: float) -> None:
        self.grid, self.x, self.y = grid, x, y
        self.ahead = math.cos(turn), math.sin(turn)
        ends = (-FAR, joint, FAR)
        (ax, ay), (bx, by), (cx, cy) = (self.find_spot(end, 0) for end in ends)
        self.walls = (Wall("w1", ax, ay, bx, by), Wall("w2", bx, by, cx, cy))
        self.map = BattleMap(self.walls)

    def find_spot(self, along: float, off: float) -> Spot:
        """The drawn spot some meters along the wall, and to its right if `off` is more than 0."""
        dx, dy = self.ahead
        return round(self.x + dx * along - dy * off, 3), round(self.y + dy * along + dx * off, 3)

    def measure(self, spot: Spot) -> float:
        """The meters of a spot to the right of the wall, negative to its left."""
        wall = self.walls[0] if self.walls[0].x1 != self.walls[0].x2 else self.walls[1]
        ex, ey = self.walls[1].x2 - wall.x1, self.walls[1].y2 - wall.y1
        return (ex * (spot[1] - wall.y1) - ey * (spot[0] - wall.x1)) / math.hypot(ex, ey)

    def find_place(self, along: float, off: float) -> Point:
        """The place there."""
        spot = self.find_spot(along, off)
        return Point(*unplot(*spot)) if self.grid.hexes else Point(*spot)


turns = st.one_of(st.sampled_from((0.0, math.pi / 2, math.pi / 4, -math.pi / 3)), st.floats(-3, 3))
dividers = st.builds(
    Divided, st.sampled_from(GRIDS), st.floats(-5, 5), st.floats(-5, 5), turns, st.floats(-3, 3)
)
alongs = st.floats(-8, 8)
offs = st.one_of(st.floats(0.01, 9), st.sampled_from((0.01, 0.1, 0.49, 0.5, 0.7, 0.735, 0.75, 0.98, 1.0)))
sizes = st.sampled_from((0.0, 0.0, 0.5, 2.0, 4.0, 9.0))
stands = st.tuples(alongs, offs, sizes)
Stand = tuple[float, float, float]


def stand(divided: Divided, place: Stand, side: int = 1) -> Body:
    along, off, meters = place
    return Body(divided.find_place(along, side * off), meters)


def look(divided: Divided, one: Body, other: Body) -> Lines:
    return draw_lines(divided.map, divided.grid, one, other)


def shines(divided: Divided, lamp: Point, there: Point) -> bool:
    """Whether a lamp reaches a place; no game has both lamps and hexes."""
    lights = (Light("l", lamp.x, lamp.y, 99, "bright"),)
    return not divided.grid.hexes and bool(
        find_shining(Scene(map=replace(divided.map, lights=lights)), divided.grid, there)
    )


@given(dividers, stands, stands)
def test_nothing_passes_an_unbroken_wall(divided: Divided, here: Stand, there: Stand) -> None:
    one, other = stand(divided, here), stand(divided, there, -1)
    drawn, grid = divided.map, divided.grid
    lines = look(divided, one, other)
    assert (lines.blind, lines.are_seen) == (lines.total, False)
    assert not sees(drawn, grid, one, other)
    assert find_bar(drawn, grid, one, other)
    assert not is_reached(drawn, grid, one.at, other)
    for shape in (Shape("circle", one.at, 99), Shape("cone", one.at, 99, towards=other.at, wide=90)):
        assert not is_inside(shape, drawn, grid, other)
    assert not shines(divided, one.at, other.at)


@given(dividers, stands, stands)
def test_what_flies_or_moves_stays_on_its_side(divided: Divided, here: Stand, there: Stand) -> None:
    one, other = stand(divided, here), stand(divided, there, -1)
    for end in (
        stop_flight(divided.map, divided.grid, one.at, other.at),
        stop_short(divided.map, divided.grid, one.at, other.at, one.meters),
    ):
        way = divided.grid.plot(one.at), divided.grid.plot(end)
        assert not barriers_of(divided.map).index.meet(*way), "it neither crosses the wall nor ends on it"


@given(dividers, stands, stands)
def test_a_wall_behind_someone_gives_no_cover_and_hides_nobody(
    divided: Divided, here: Stand, there: Stand
) -> None:
    one, other = stand(divided, here), stand(divided, there)
    drawn, grid = divided.map, divided.grid
    assert not any(look(divided, one, other).rays)
    assert sees(drawn, grid, one, other)
    assert find_bar(drawn, grid, one, other) is None
    assert is_reached(drawn, grid, one.at, other)
    assert shines(divided, one.at, other.at) or grid.hexes


@given(dividers, stands)
def test_nobody_sees_a_cell_beyond_a_wall(divided: Divided, here: Stand) -> None:
    spot = divided.grid.plot(stand(divided, here).at)
    window = make_window(BattleMap(), (), (spot, (-9.0, -9.0), (9.0, 9.0)), divided.grid.cell, hexes=False)
    for row, cells in find_visible(barriers_of(divided.map), window, spot).items():
        for column in range(window.columns):
            middle = (window.left + column) * window.cell, row * window.cell
            assert not cells >> column & 1 or divided.measure(middle) > -NEAREST


@given(dividers, stands, stands)
def test_smoke_stays_on_its_side_of_a_wall(divided: Divided, here: Stand, there: Stand) -> None:
    one, other = stand(divided, here).at, stand(divided, there, -1).at
    if divided.grid.hexes:
        return  # no game has both smoke and hexes
    parts = fill(divided.map, divided.grid, one, 5)
    cloud = Zone("c", "Smoke", one.x - 5, one.y - 5, 10, 10, parts=parts)
    assert find_zone(Scene(zones=(cloud,)), other) is None
    near = stand(divided, (here[0], here[1] + 0.5, 0)).at
    assert find_zone(Scene(zones=(cloud,)), near) is cloud, "it fills its own side"


# ---------------------------------------------------------------- other barriers

HERE = Point(0, 0)


@pytest.mark.parametrize("cell", [1.0, 1.5])
@pytest.mark.parametrize("behind", [0.05, 0.3, 0.49, 0.5, 0.7])
def test_no_barrier_behind_someone_gives_cover(cell: float, behind: float) -> None:
    grid, shooter = Grid(cell), Body(Point(0, -9))
    fence = Wall("f", -9, behind, 9, behind, FENCE, "low", blocks_sight=False)
    crate = Obstacle("c", "Crate", -9, behind, 18, 1, 2, "low")
    rock = Obstacle("c", "Rock", -9, behind, 18, 1, 2, "full", blocks_sight=True)
    for drawn in (BattleMap((fence,)), BattleMap(obstacles=(crate,)), BattleMap(obstacles=(rock,))):
        assert not any(draw_lines(drawn, grid, shooter, Body(HERE)).rays)
        assert not any(draw_lines(drawn, grid, Body(HERE), shooter).rays)
        behind_it = draw_lines(drawn, grid, Body(Point(0, 9)), Body(HERE))
        assert all(behind_it.rays), "and from beyond all of it is in the way"


def test_who_stands_in_the_bushes_keeps_the_cover_on_every_side() -> None:
    bushes = BattleMap(obstacles=(Obstacle("b", "Bushes", -2, -2, 4, 4, 2, "low", blocks_way=False),))
    for there in (Point(0, 9), Point(0, -9), Point(9, 0), Point(-9, 0)):
        assert all(draw_lines(bushes, Grid(), Body(there), Body(HERE)).rays)
    assert find_corners(barriers_of(bushes), Grid(), Body(HERE)) == Grid().find_corners(HERE)


def test_what_is_no_higher_than_the_ground_cuts_nobody_off() -> None:
    step = Obstacle("s", "Step", -2, 0.2, 4, 4, 0.5, "low")
    on_it, beside = Point(0, 0, 0.5), HERE
    plan = barriers_of(BattleMap(obstacles=(step,)))
    assert len(find_corners(plan, Grid(), Body(on_it))) == 4
    assert len(find_corners(plan, Grid(), Body(beside))) == 2


def test_body_in_a_narrow_way_is_seen_along_it_not_through_sides() -> None:
    sides = BattleMap((Wall("l", -0.4, -9, -0.4, 9), Wall("r", 0.4, -9, 0.4, 9)))
    assert find_corners(barriers_of(sides), Grid(), Body(HERE)) == ((0.0, 0.0),)
    assert sees(sides, Grid(), Body(HERE), Body(Point(0, 7)))
    assert not sees(sides, Grid(), Body(HERE), Body(Point(2, 0)))


def test_who_stands_in_an_open_door_sees_both_rooms() -> None:
    walls = (
        Wall("a", -9, 0, -0.5, 0),
        Wall("d", -0.5, 0, 0.5, 0, "door", open=True),
        Wall("b", 0.5, 0, 9, 0),
    )
    drawn = BattleMap(walls)
    for there in (Point(0, 7), Point(0, -7), Point(4, 7), Point(4, -7)):
        assert sees(drawn, Grid(), Body(HERE), Body(there))
        assert sees(drawn, Grid(1.5), Body(HERE), Body(there))
