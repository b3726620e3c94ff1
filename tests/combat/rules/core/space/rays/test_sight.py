"""Sight and cover: lines from corner to corner, and the obstacles they cross."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pytest_benchmark.fixture import BenchmarkFixture

from combat.rules.core.basics import memory
from combat.rules.core.space import BattleMap, Obstacle, Point, Wall
from combat.rules.core.space.barriers import Index, barriers_of
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.paths import is_open, stop_short
from combat.rules.core.space.plane import Spot
from combat.rules.core.space.rays.sight import (
    Body,
    Grade,
    Lines,
    Rung,
    draw_lines,
    find_corners,
    grade,
    meets,
    ranked,
    sees,
)
from combat.rules.core.state.state import replace

from ..maps import battle_maps, bodies, make_city, obstacles, walls

GRID, HEXES = Grid(), Grid(hexes=True)
grids = st.sampled_from((GRID, HEXES))
LADDER = (Rung("some", 0), Rung("half", 0.5), Rung("all", 1, whole=True))
HERE, THERE = Body(Point(0, 0)), Body(Point(6, 0))


def look(*walls: Wall, things: tuple[Obstacle, ...] = (), here: Body = HERE, there: Body = THERE) -> Lines:
    return draw_lines(BattleMap(walls, things), GRID, here, there)


def test_nothing_in_between_is_one_free_line() -> None:
    assert look() == Lines(((),))
    assert look(Wall("w", 0, 5, 6, 5)).blind == 0


def test_squares_have_sixteen_lines_and_hexes_thirty_six() -> None:
    drawn = BattleMap((Wall("w", 3, -5, 3, 5),))
    assert draw_lines(drawn, GRID, HERE, THERE).total == 16
    assert draw_lines(drawn, HEXES, HERE, THERE).total == 36


def test_a_wall_in_between_blocks_every_line() -> None:
    lines = look(Wall("w", 3, -5, 3, 5))
    assert (lines.blind, lines.are_seen) == (16, False)


def test_a_wall_end_blocks_some_lines() -> None:
    """Half-way there, a wall ends at the middle: every line that starts or ends low enough is clear."""
    lines = look(Wall("w", 3, -5, 3, 0))
    assert 0 < lines.blind < 16
    assert lines.are_seen


def test_a_wall_right_at_ones_cell_is_in_the_way() -> None:
    assert look(Wall("w", 0.5, -5, 0.5, 5)).blind == 16
    assert look(Wall("w", 5.5, -0.5, 5.5, 0.5)).blind == 16


def test_nobody_is_hampered_by_a_wall_they_look_along() -> None:
    assert look(Wall("w", 0.5, 0.5, 5.5, 0.5)).blind == 0


@pytest.mark.parametrize(("is_open", "blind"), [(True, 0), (False, 16)])
def test_a_door_that_stands_open_is_not_there(is_open: bool, blind: int) -> None:
    assert look(Wall("d", 3, -5, 3, 5, "door", open=is_open)).blind == blind


def test_a_fence_gives_cover_and_blocks_no_sight() -> None:
    lines = look(Wall("f", 3, -5, 3, 5, "fence", "low", blocks_sight=False))
    assert (lines.blind, lines.count(lambda barrier: barrier.cover == "low")) == (0, 16)


def test_glass_without_cover_is_nothing() -> None:
    lines = look(Wall("g", 3, -5, 3, 5, "window", "", blocks_sight=False))
    assert grade(lines, LADDER, ranked(("some", "half", "all"))) == Grade()


@pytest.mark.parametrize(("x", "crossed"), [(0.5, 0), (3, 16), (5.4, 16)])
def test_who_stands_right_at_a_low_thing_shoots_over_it(x: float, crossed: int) -> None:
    lines = look(Wall("f", x, -5, x, 5, "fence", "low", blocks_sight=False))
    assert lines.count(lambda barrier: True) == crossed


def test_a_low_thing_between_neighbours_counts_for_both() -> None:
    lines = look(Wall("f", 0.5, -5, 0.5, 5, "fence", "low", blocks_sight=False), there=Body(Point(1, 0)))
    assert lines.count(lambda barrier: True) == 16


@pytest.mark.parametrize(("height", "crossed"), [(1.0, 16), (2.0, 0)])
def test_who_stands_as_high_as_a_thing_looks_over_it(height: float, crossed: int) -> None:
    crate = Obstacle("c", "Crate", 2.5, -5, 1, 10, height=2)
    lines = look(things=(crate,), there=Body(Point(6, 0, height)))
    assert lines.count(lambda barrier: barrier.name == "Crate") == crossed


def test_big_ones_are_seen_where_small_ones_are_not() -> None:
    wall = Wall("w", 3, -2, 3, 1)
    assert not look(wall, here=Body(Point(0, -1)), there=Body(Point(4, -1))).are_seen
    assert look(wall, here=Body(Point(0, -1)), there=Body(Point(5, -1), 4)).are_seen


def test_cover_is_the_best_row_that_enough_lines_are_worth() -> None:
    rank = ranked(("some", "half", "all"))
    crate = Obstacle("c", "Crate", 5, -0.5, 0.25, 0.75, cover="all")
    lines = look(things=(crate,))
    found = grade(lines, LADDER, rank)
    assert (found.key, found.total, found.name) == ("half", 16, "Crate")
    assert 8 < found.count < 16
    low = Obstacle("c", "Crate", 5, -0.5, 0.25, 0.75, cover="some")
    assert grade(look(things=(low,)), LADDER, rank).key == "some"


def test_full_cover_is_worth_the_last_row() -> None:
    rank = ranked(("some", "half", "all"))
    assert grade(look(Wall("w", 3, -5, 3, 5, blocks_sight=False)), LADDER, rank) == Grade(
        "all", 16, 16, "wall"
    )


def test_a_secret_door_is_called_a_wall() -> None:
    lines = look(Wall("d", 3, -5, 3, 5, "door", secret=True, name="Priest hole"))
    assert lines.name(lambda barrier: True) == "wall"


# ---------------------------------------------------------------- what holds for every map


@given(battle_maps(), grids, bodies, bodies)
def test_one_sees_the_other_as_the_other_sees_the_one(
    drawn: BattleMap, grid: Grid, one: Body, other: Body
) -> None:
    assert draw_lines(drawn, grid, one, other).blind == draw_lines(drawn, grid, other, one).blind
    assert sees(drawn, grid, one, other) == sees(drawn, grid, other, one)


@given(battle_maps(), grids, bodies, bodies)
def test_buckets_find_what_looking_at_every_edge_finds(
    drawn: BattleMap, grid: Grid, one: Body, other: Body
) -> None:
    index, absent = barriers_of(drawn).index, barriers_of(drawn).absent
    mine, theirs = grid.find_corners(one.at, one.meters), grid.find_corners(other.at, other.meters)
    everything = index.cross_each(mine, theirs, absent, range(len(index.edges)))
    wide = 2 * max(one.meters, other.meters, grid.cell)
    near = index.find_near(grid.plot(one.at), grid.plot(other.at), wide)
    assert index.cross_each(mine, theirs, absent, sorted(near)) == everything
    single = [index.cross(a, b, absent) for a in mine for b in theirs]
    assert [sorted(ray) for ray in single] == [sorted(ray) for ray in everything]


def every_edge(index: Index, a: Spot, b: Spot, meters: float = 0.0) -> set[int]:
    """What an index finds near a line if it does not choose at all."""
    return set(range(len(index.edges)))


@given(battle_maps(), grids, bodies, bodies, st.booleans())
def test_the_index_and_what_is_kept_change_no_line(
    drawn: BattleMap, grid: Grid, one: Body, other: Body, opened: bool
) -> None:
    """Looking at every edge again gives the same answers, also after doors were used."""
    draw_lines(drawn, grid, one, other)
    drawn = replace(drawn, walls=tuple(replace(w, open=opened and w.kind == "door") for w in drawn.walls))
    fast = draw_lines(drawn, grid, one, other)
    kept, seen, goal = draw_lines(drawn, grid, one, other), fast.are_seen, stop(drawn, grid, one, other)
    rank = ranked(("some", "low", "full"))
    cover = grade(fast, LADDER, rank)
    with patch.object(Index, "find_near", every_edge), patch.object(memory, "MAX_ANSWERS", 0):
        barriers_of(drawn).kept.clear()
        memory.forget()
        plain = draw_lines(drawn, grid, one, other)
        blind = sum(any(barrier.blocks_sight for barrier in ray) for ray in plain.rays)
        assert (fast, kept) == (plain, plain)
        assert (cover, seen) == (grade(plain, LADDER, rank), blind < plain.total)
        assert goal == stop(drawn, grid, one, other)


def stop(drawn: BattleMap, grid: Grid, one: Body, other: Body) -> tuple[bool, Point]:
    """Whether someone can go straight from one place to the other, and where they stop."""
    step = (drawn, grid, one.at, other.at, one.meters)
    return is_open(*step), stop_short(*step)


@given(battle_maps(), bodies, bodies, st.integers(-40, 40), st.integers(-40, 40))
def test_a_map_that_is_moved_as_a_whole_stays_the_same(
    drawn: BattleMap, one: Body, other: Body, dx: int, dy: int
) -> None:
    def move(body: Body) -> Body:
        return Body(Point(body.at.x + dx, body.at.y + dy), body.meters)

    lines = tuple(
        Wall(w.id, w.x1 + dx, w.y1 + dy, w.x2 + dx, w.y2 + dy, w.kind, w.cover, w.blocks_sight, open=w.open)
        for w in drawn.walls
    )
    things = tuple(
        Obstacle(t.id, t.name, t.x + dx, t.y + dy, t.width, t.depth, t.height, t.cover)
        for t in drawn.obstacles
    )
    moved = draw_lines(BattleMap(lines, things), GRID, move(one), move(other))
    here = draw_lines(drawn, GRID, one, other)
    if here.are_seen:  # blocked lines are not followed to their end
        assert [[b.id for b in ray] for ray in moved.rays] == [[b.id for b in ray] for ray in here.rays]
    assert moved.blind == here.blind


@given(battle_maps(), walls("new"), obstacles(), bodies, bodies)
def test_more_walls_never_let_more_lines_through(
    drawn: BattleMap, wall: Wall, thing: Obstacle, one: Body, other: Body
) -> None:
    rank = ranked(("some", "half", "all"))
    places = ["", "some", "half", "all"]
    more = BattleMap((*drawn.walls, wall), (*drawn.obstacles, thing))
    for body in (one, other):  # what stands in their own cell may cut off a corner that was hidden
        assume(find_corners(barriers_of(more), GRID, body) == find_corners(barriers_of(drawn), GRID, body))
    before, after = draw_lines(drawn, GRID, one, other), draw_lines(more, GRID, one, other)
    assert after.blind * before.total >= before.blind * after.total
    if after.are_seen:
        was, now = grade(before, LADDER, rank).key, grade(after, LADDER, rank).key
        assert places.index(now) >= places.index(was)


@pytest.mark.parametrize(
    ("edge", "inside"),
    [
        ((0, 0, 5, 5), True),
        ((-3, 1, 9, 1), True),
        ((3, 3, 3, 9), False),
        ((-1, 3, 3, -1), True),
        ((-2, 1, 1, -2), False),
    ],
)
def test_edge_meets_a_box_that_it_crosses_or_touches(
    edge: tuple[float, float, float, float], inside: bool
) -> None:
    assert meets(edge, (0, 0, 2, 2)) == inside


def test_opening_a_door_makes_no_new_index() -> None:
    shut = BattleMap((Wall("d", 3, -5, 3, 5, "door"),))
    opened = BattleMap((Wall("d", 3, -5, 3, 5, "door", open=True),))
    assert barriers_of(shut).index is barriers_of(opened).index
    assert barriers_of(BattleMap((Wall("d", 3, -5, 3, 5, "door"),))).absent == frozenset()
    assert barriers_of(opened).absent == {0}


def test_sight_among_two_thousand_walls_is_fast(benchmark: BenchmarkFixture) -> None:
    """At most a millisecond."""
    city = make_city()
    plan = barriers_of(city)

    def look_around() -> int:
        plan.kept.clear()
        return draw_lines(city, GRID, Body(Point(40, 40)), Body(Point(58, 46))).blind

    assert 0 <= benchmark(look_around) <= 16


@pytest.mark.parametrize(
    ("count", "whole", "reached"), [(8, False, False), (9, False, True), (8, True, True), (7, True, False)]
)
def test_a_rung_asks_for_half_of_the_lines_or_for_more(count: int, whole: bool, reached: bool) -> None:
    assert Rung("half", 0.5, whole).is_reached(count, 16) is reached
