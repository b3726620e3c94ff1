"""Paths around walls: what stops a step, the shortest path, the reachable places."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import NO_MAP, Area, BattleMap, Obstacle, Point, Wall, path_length, towards
from combat.rules.core.space import paths as paths_of_maps
from combat.rules.core.space.barriers import barriers_of
from combat.rules.core.space.decks import GALLERY, Deck, Passage, fall_in
from combat.rules.core.space.grid import HEX_STEPS, Grid
from combat.rules.core.space.paths import (
    Ground,
    Patch,
    Way,
    cut_short,
    find_paths,
    find_way,
    go_near,
    go_round,
    is_open,
    pull_straight,
    stop_short,
)
from combat.rules.core.space.rays.sight import go_astray, stop_flight
from combat.rules.core.state.state import replace

from .maps import battle_maps, make_city, places

GRID = Grid()
STRAIGHT, CELLS, HEXES = Way(GRID), Way(GRID, True, 1.0), Way(Grid(hexes=True), True)
HERE, THERE = Point(0, 0), Point(6, 0)
WALL = BattleMap((Wall("w", 3.5, -2.5, 3.5, 2.5),))
ROOM = (
    Wall("n", -1.5, -1.5, 1.5, -1.5),
    Wall("s", -1.5, 1.5, 1.5, 1.5),
    Wall("w", -1.5, -1.5, -1.5, 1.5),
    Wall("e", 1.5, -1.5, 1.5, 0.5),
)


def room(**door: Any) -> BattleMap:
    """Four walls around the start, and a door in the east."""
    return BattleMap((*ROOM, Wall("d", 1.5, 0.5, 1.5, 1.5, "door", name="Hatch", **door)))


def test_where_nothing_is_in_the_way_the_path_is_the_same() -> None:
    path = (HERE, Point(2, 2), THERE)
    assert go_round(NO_MAP, STRAIGHT, path) is path
    assert go_round(BattleMap((Wall("w", 0, 9, 9, 9),)), STRAIGHT, path) == path


def test_the_path_round_a_wall_turns_only_at_its_end() -> None:
    way = find_way(WALL, STRAIGHT, HERE, THERE)
    assert (way[0], way[-1]) == (HERE, THERE)
    assert 6 < path_length(way) < 9
    assert all(is_open(WALL, GRID, a, b) for a, b in itertools.pairwise(way))
    assert len(way) <= 4


def test_cell_by_cell_every_step_leads_to_the_next() -> None:
    way = find_way(WALL, CELLS, HERE, THERE)
    assert all(max(abs(a.x - b.x), abs(a.y - b.y)) == 1 for a, b in itertools.pairwise(way))
    assert len(way) == 8  # three up, one along and three down, diagonally where possible


def test_hexes_have_no_corners_to_cut() -> None:
    way = find_way(WALL, HEXES, HERE, THERE)
    assert {(b.x - a.x, b.y - a.y) for a, b in itertools.pairwise(way)} <= set(HEX_STEPS)


def test_nobody_squeezes_through_the_corner_of_two_walls() -> None:
    corner = BattleMap((Wall("a", 0.5, -9, 0.5, 0.5), Wall("b", 0.5, 0.5, 9, 0.5)))
    assert not is_open(corner, GRID, HERE, Point(1, 1))


@pytest.mark.parametrize(
    ("door", "message"),
    [
        ({}, "Hatch is shut, and no way leads round it: open it first."),
        ({"secret": True}, "A wall is in the way, and no way leads round it: choose another place."),
    ],
)
def test_a_shut_door_is_named_and_a_secret_one_is_a_wall(door: dict[str, bool], message: str) -> None:
    with pytest.raises(Refused, match=message):
        find_way(room(**door), STRAIGHT, Point(0, 1), Point(4, 1))


def test_in_a_fog_nothing_is_named() -> None:
    with pytest.raises(Refused, match="No way leads there: choose a place"):
        find_way(BattleMap(room().walls, fog=True), STRAIGHT, Point(0, 1), Point(4, 1))


def test_an_open_door_lets_through() -> None:
    way = find_way(room(open=True), STRAIGHT, Point(0, -1), Point(4, 1))
    assert 4 < path_length(way) < 7


def test_a_crate_is_gone_round_and_left_by_who_stands_on_it() -> None:
    crate = BattleMap(obstacles=(Obstacle("c", "Crate", 2, -1, 2, 2),))
    assert path_length(find_way(crate, STRAIGHT, HERE, THERE)) > 6
    assert is_open(crate, GRID, Point(3, 0), THERE)
    assert not is_open(crate, GRID, HERE, Point(3, 0))


def test_difficult_ground_is_gone_round_where_that_is_shorter() -> None:
    """Low ground costs twice as much: the path around the wall leads over its upper end."""
    rough = Way(GRID, ground=Ground((Patch(-50, 0.5, 100, 50, 3.0),)))
    assert all(place.y <= 0 for place in find_way(WALL, rough, HERE, THERE))


def test_nobody_stands_in_a_wall_and_so_gets_through_it() -> None:
    wall = BattleMap((Wall("w", 3, -9, 3, 9),))
    assert not is_open(wall, GRID, Point(2, 0), Point(3, 0))
    assert is_open(wall, GRID, Point(3, 0), Point(4, 0))
    assert not is_open(wall, GRID, Point(3, 12), Point(3, 8))


def test_go_near_ends_beside_someone() -> None:
    way = go_near(WALL, STRAIGHT, HERE, THERE, 1.0)
    assert way is not None
    assert math.dist((way[-1].x, way[-1].y), (6, 0)) == pytest.approx(1.0, abs=0.01)
    assert go_near(NO_MAP, STRAIGHT, HERE, THERE, 1.0) is None


def test_stop_short_of_a_wall() -> None:
    assert stop_short(WALL, GRID, HERE, THERE) == Point(3, 0)
    assert stop_short(NO_MAP, GRID, HERE, THERE) == THERE


def test_large_one_stops_short_by_their_own_width() -> None:
    """Half of 3 m before the wall: one meter sooner than a combatant of one square, who takes 0.5 m."""
    far = stop_short(WALL, GRID, HERE, THERE).x
    assert stop_short(WALL, GRID, HERE, THERE, 1) == stop_short(WALL, GRID, HERE, THERE)
    assert stop_short(WALL, GRID, HERE, THERE, 3).x == far - 1
    assert stop_short(NO_MAP, GRID, HERE, THERE, 3) == THERE


@pytest.mark.parametrize(("allowed", "length"), [(2, 2), (5, 5), (99, 8)])
def test_cut_short_keeps_what_is_paid_for(allowed: float, length: float) -> None:
    way = (HERE, Point(0, 4), Point(4, 4))
    cut = cut_short(way, path_length, lambda leg, left: (leg[0], towards(leg[0], leg[1], left)), allowed)
    assert path_length(cut) == pytest.approx(length)


def test_paths_leave_out_what_is_too_far_round() -> None:
    goals = [Point(2, 0), Point(4, 0), Point(5, 0)]
    found = {way[-1].x: path_length(way) for way in find_paths(WALL, STRAIGHT, HERE, goals, 8.5)}
    assert found.keys() == {2, 4}
    assert found[2] == 2
    assert 7 < found[4] <= 8.5


@given(battle_maps(6), places, places, st.sampled_from((STRAIGHT, CELLS, HEXES)))
def test_every_step_of_a_way_is_open(drawn: BattleMap, start: Point, goal: Point, way: Way) -> None:
    if start == goal:
        return
    try:
        found = find_way(drawn, way, start, goal)
    except Refused:
        return
    assert (found[0], found[-1]) == (start, goal)
    assert all(is_open(drawn, way.grid, a, b) for a, b in itertools.pairwise(found))
    assert path_length(found) >= path_length((start, goal)) - 1e-6 or way.grid.hexes


@given(battle_maps(6), places, places)
def test_the_way_there_is_as_long_as_the_way_back(drawn: BattleMap, start: Point, goal: Point) -> None:
    """On bare walls; a combatant standing on a wall or an obstacle can step off it, but not on."""
    bare = BattleMap(drawn.walls)
    touching = barriers_of(bare).index.find_touching
    if start == goal or touching(GRID.plot(start)) or touching(GRID.plot(goal)):
        return
    try:
        there = len(find_way(bare, CELLS, start, goal))
    except Refused:
        with pytest.raises(Refused):
            find_way(bare, CELLS, goal, start)
        return
    back = find_way(bare, CELLS, goal, start)
    if is_open(bare, GRID, start, goal):
        assert len(back) == 2
    else:
        assert len(back) == there


def test_a_way_through_a_city() -> None:
    way = find_way(make_city(500, 60), CELLS, Point(20, 20), Point(34, 30))
    assert len(way) >= 15


GAP = BattleMap((Wall("a", 3.5, -99, 3.5, -1.5), Wall("b", 3.5, 1.5, 3.5, 99)))  # 3 m wide


@pytest.mark.parametrize(("meters", "fits"), [(0, True), (2, True), (3, True), (4, False)])
def test_a_large_body_needs_a_gap_as_wide_as_it_is(meters: float, fits: bool) -> None:
    assert is_open(GAP, GRID, HERE, THERE, meters) is fits
    way = Way(GRID, meters=meters)
    reached = [path[-1] for path in find_paths(GAP, way, HERE, [THERE], 12)]
    assert reached == ([THERE] if fits else [])
    if not fits:
        with pytest.raises(Refused, match="wall is in the way"):
            find_way(BattleMap((*GAP.walls, *_close(-9), *_close(9))), way, HERE, THERE)


def test_a_large_body_is_told_at_once_that_it_does_not_fit_there() -> None:
    crate = BattleMap(obstacles=(Obstacle("c", "Crate", 4, 7, 3, 2),))
    with pytest.raises(Refused, match="No way leads there: choose a place"):
        find_way(crate, Way(Grid(), meters=4), Point(9, -3), Point(3.5, 6))
    assert find_way(crate, Way(Grid(), meters=4), Point(3.5, 6), Point(3.5, -3))


def _close(y: float) -> tuple[Wall, ...]:
    """A wall across, so that the search ends."""
    return (Wall(f"c{y}", -9, y, 9, y), Wall(f"d{y}", -9, -9, -9, 9), Wall(f"e{y}", 9, -9, 9, 9))


spots = st.builds(lambda x, y: Point(x / 4, y / 4), st.integers(-24, 24), st.integers(-24, 24))
mud = st.builds(Patch, *[st.integers(-6, 2)] * 2, st.integers(1, 8), st.integers(1, 8), st.just(2.0))
paths = st.builds(
    Way,
    st.builds(Grid, st.just(1.0), st.booleans()),
    st.booleans(),
    st.sampled_from((1.0, 1.5, math.sqrt(2))),
    st.none() | st.builds(lambda patch: Ground((patch,)), mud),
)


@settings(max_examples=max(5, settings().max_examples // 2))  # each is up to twelve searches
@given(battle_maps(), paths, spots, spots, spots, st.sampled_from((0.25, -0.5)))
def test_a_way_is_the_same_whatever_was_looked_for_before(
    drawn: BattleMap, way: Way, start: Point, goal: Point, other: Point, aside: float
) -> None:
    """From two places in one cell, so that what is kept of one could be taken for that of the other.

    The yard is closed: a search for a place that cannot be entered ends soon.
    """
    battle_map = replace(drawn, walls=(*drawn.walls, *_close(-9), *_close(9)))
    ends = (start, replace(start, x=start.x + aside), goal, other)
    pairs = [(a, b) for a, b in itertools.permutations(ends, 2) if start in (a, b) or goal in (a, b)]

    def find(start: Point, goal: Point) -> object:
        try:
            return find_way(battle_map, way, start, goal)
        except Refused as refused:
            return refused.message

    def find_afresh(start: Point, goal: Point) -> object:
        barriers_of(battle_map).kept.clear()
        return find(start, goal)

    fresh = [find_afresh(*pair) for pair in pairs]
    assert [find(*pair) for pair in (*pairs, *pairs)] == fresh * 2


def test_whoever_asks_from_many_places_fills_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths_of_maps, "MAX_CACHED_LINES", 50)
    for number in range(200):
        find_way(WALL, CELLS, Point(number / 1000, 0), THERE)
        found = paths_of_maps.find_cached_steps(barriers_of(WALL), CELLS)
    assert 0 < len(found) < 50


def test_a_large_body_goes_round_what_it_would_run_over() -> None:
    pillar = BattleMap(obstacles=(Obstacle("p", "Pillar", 2.9, 1, 0.2, 0.2),))
    assert is_open(pillar, GRID, HERE, THERE)
    assert not is_open(pillar, GRID, HERE, THERE, 3)
    path = find_way(pillar, Way(GRID, meters=3.0), HERE, THERE)
    assert 6 < path_length(path) < 8
    assert all(is_open(pillar, GRID, a, b, 3) for a, b in itertools.pairwise(path))


def test_a_rug_is_walked_over() -> None:
    rug = BattleMap((), (Obstacle("r", "Rug", 2, -1, 2, 2, blocks_way=False),))
    assert is_open(rug, GRID, HERE, Point(3, 0))
    assert find_way(rug, STRAIGHT, HERE, THERE) == (HERE, THERE)


def test_where_patches_overlap_the_later_one_counts() -> None:
    ground = Ground((Patch(0, 0, 9, 9, 2.0), Patch(2, 2, 2, 2, 1.0)))
    assert [ground.weigh(Point(*spot)) for spot in ((1, 1), (3, 3), (10, 1))] == [2.0, 1.0, 1.0]


@pytest.mark.parametrize(("top", "bottom"), [(2.0, 1.0), (1.0, 2.0)])
def test_of_two_ways_round_a_wall_the_easier_one_is_gone(top: float, bottom: float) -> None:
    ground = Ground((Patch(-9, -9, 30, 8, top), Patch(-9, 1, 30, 8, bottom)))
    way = find_way(WALL, Way(GRID, True, 1.0, ground), HERE, THERE)
    assert {place.y > 0 for place in way if abs(place.y) > 1} == {top > bottom}


def test_corners_on_ground_that_counts_more_stay() -> None:
    rough = Way(GRID, ground=Ground((Patch(-9, -9, 30, 30, 2.0),)))
    path = (HERE, Point(1, 0), Point(2, 0), THERE)
    assert pull_straight(barriers_of(NO_MAP), rough, path) == path
    assert pull_straight(barriers_of(NO_MAP), STRAIGHT, path) == (HERE, THERE)


@pytest.mark.parametrize("side", [-1, 1])
def test_whoever_knows_one_side_of_a_wall_goes_round_there(side: int) -> None:
    way = find_way(WALL, Way(GRID, True, 1.0, knows=lambda cell: side * cell[1] >= 0), HERE, THERE)
    assert max(side * place.y for place in way) == 3
    assert min(side * place.y for place in way) == 0


def test_a_door_in_a_hidden_area_is_not_named() -> None:
    secret = replace(room(), hidden=(Area("a", 1, 0, 3, 3),))
    with pytest.raises(Refused, match="No way leads there"):
        find_way(secret, STRAIGHT, Point(0, 1), Point(4, 1))


def test_no_path_leads_past_a_wall_within_a_cell() -> None:
    split = BattleMap((Wall("w", 0.2, -0.4, 0.2, 0.4),))
    with pytest.raises(Refused, match="A wall is in the way"):
        find_way(split, STRAIGHT, HERE, Point(0.4, 0))


def test_a_step_to_any_side_of_a_hex_counts_as_one() -> None:
    """Around a wall, a hex two away is three steps, one of them changing both numbers of a hex."""
    goal, grid = Point(2, -2), HEXES.grid
    (ax, ay), (bx, by) = grid.plot(HERE), grid.plot(goal)
    x, y, dx, dy = (3 * ax + bx) / 4, (3 * ay + by) / 4, (by - ay) / 8, (ax - bx) / 8
    wall = BattleMap((Wall("w", x - dx, y - dy, x + dx, y + dy),))
    (path,) = find_paths(wall, HEXES, HERE, [goal], 3)
    assert len(path) == 4


# ---- Long paths ----


def make_hall(side: float, gap: float) -> BattleMap:
    """A square hall with a wall across its middle that leaves a gap at the far end."""
    low, high, middle = -0.5, side - 0.5, side / 2 + 0.5
    corners = [(low, low), (high, low), (high, high), (low, high), (low, low)]
    walls = [Wall(f"w{n}", *one, *other) for n, (one, other) in enumerate(itertools.pairwise(corners))]
    return BattleMap((*walls, Wall("long", middle, low, middle, high - gap)))


@pytest.mark.slow
@pytest.mark.parametrize("snaps", [True, False])
def test_way_round_a_wall_through_all_of_a_large_map_is_found(snaps: bool) -> None:
    """100 by 100 squares, and the only gap is at the other end of the wall."""
    way = Way(Grid(), snaps=snaps)
    path = find_way(make_hall(100, 1), way, Point(1, 1), Point(99, 1))
    assert (path[0], path[-1]) == (Point(1, 1), Point(99, 1))
    assert max(place.y for place in path) >= 98


@pytest.mark.slow
def test_way_too_long_to_be_found_is_not_said_to_be_none() -> None:
    """Nor when it is asked for again, which looks for nothing."""
    hall = make_hall(400, 1)
    for _ in range(2):
        with pytest.raises(Refused) as refused:
            find_way(hall, Way(Grid()), Point(1, 1), Point(399, 1))
        assert refused.value.message == paths_of_maps.TOO_FAR


@pytest.mark.parametrize(("half", "most"), [(5.5, 802), (15.5, 4_002)])  # meters to each wall, and cells
@pytest.mark.parametrize(("start", "goal"), [((1, 1), (50, 50)), ((50, 50), (1, 1))])
def test_closed_room_is_known_for_one_from_both_sides(
    start: tuple[float, float],
    goal: tuple[float, float],
    half: float,
    most: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """From outside, the search need not look at the whole plane, but at a few times what the room has."""
    looked_at, measure = 0, paths_of_maps._Search._measure

    def count(search: paths_of_maps._Search, *args: Any) -> paths_of_maps.Steps:
        nonlocal looked_at
        looked_at += 1
        return measure(search, *args)

    monkeypatch.setattr(paths_of_maps._Search, "_measure", count)
    low, high = 50 - half, 50 + half
    corners = [(low, low), (high, low), (high, high), (low, high), (low, low)]
    room = BattleMap(tuple(Wall(f"w{n}", *a, *b) for n, (a, b) in enumerate(itertools.pairwise(corners))))
    with pytest.raises(Refused) as refused:
        find_way(room, Way(Grid()), Point(*start), Point(*goal))
    assert refused.value.message == "A wall is in the way, and no way leads round it: choose another place."
    assert looked_at <= most


@pytest.mark.parametrize(
    ("things", "message"),
    [
        (BattleMap((Wall("w", 6, -9, 6, 9),)), "A wall is in the way, and no way leads round it"),
        (BattleMap(obstacles=(Obstacle("c", "Crate", 5, -1, 2, 2),)), "No way leads there"),
    ],
)
@pytest.mark.parametrize("way", [STRAIGHT, CELLS, HEXES])
def test_place_in_a_wall_or_a_crate_is_looked_for_nowhere(
    things: BattleMap, message: str, way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths_of_maps._Search, "run", lambda *_, **__: pytest.fail("no step leads there"))
    with pytest.raises(Refused, match=message):
        find_way(things, way, HERE, THERE)


@pytest.mark.slow
def test_cells_looked_at_for_one_way_have_a_limit() -> None:
    search = paths_of_maps._Search(barriers_of(make_hall(400, 1)), Way(Grid()), Point(1, 1))
    assert len(list(search.run())) == paths_of_maps.MAX_CELLS
    assert search.is_cut_off


# ---------------------------------------------------------------- around holes in a deck

DECKS = (Deck("low", "Low", -1, -1, 30, 30), Deck("high", "High", 39, -1, 30, 30, height=3, shift=40))


def make_deck(x: float, y: float, width: float, depth: float, **way: Any) -> BattleMap:
    """Two decks; the upper one, from 39 m on, has a hole with its corner there."""
    gallery = Passage("g", GALLERY, x - 40, y, x, y, hole=(x, y, width, depth), **way)
    return BattleMap(decks=DECKS, ways=(gallery,))


corners = st.sampled_from((44.0, 44.25, 44.4, 44.5, 44.75))


@given(corners, corners, st.integers(2, 8), st.integers(2, 8))
def test_a_path_leads_round_a_hole_wherever_its_edges_run(x: float, y: float, w: int, d: int) -> None:
    battle_map = make_deck(x, y - 40, w / 2, d / 2)
    way = Way(Grid())
    for start, goal in (((41, 5), (52, 5)), ((47, 0), (47, 12)), ((41, 1), (52, 11))):
        path = find_way(battle_map, way, Point(*start), Point(*goal))
        assert (path[0], path[-1]) == (Point(*start), Point(*goal))
        for a, b in itertools.pairwise(path):
            assert fall_in(battle_map.ways, (a.x, a.y), (b.x, b.y)) is None, path


def test_one_on_the_rim_of_a_hole_walks_off_but_not_over_it() -> None:
    battle_map, rim = make_deck(44, 4, 3, 3), Point(44.2, 5)
    assert is_open(battle_map, Grid(), rim, Point(42, 5))
    assert not is_open(battle_map, Grid(), rim, Point(49, 5))
    assert is_open(battle_map, Grid(), rim, Point(49, 5), floats=True)


def test_a_shut_hole_and_one_that_is_all_rim_are_floor() -> None:
    shut, tiny = make_deck(44, 4, 3, 3, open=False), make_deck(44, 4, 0.4, 0.4)
    for battle_map in (shut, tiny):
        assert is_open(battle_map, Grid(), Point(41, 4.2), Point(52, 4.2))


def test_no_walk_ends_over_a_hole_but_who_floats_goes_there() -> None:
    battle_map, over = make_deck(44, 4, 3, 3), Point(45, 5)
    with pytest.raises(Refused):
        find_way(battle_map, Way(Grid()), Point(41, 5), over)
    assert find_way(battle_map, Way(Grid(), floats=True), Point(41, 5), over) == (Point(41, 5), over)
    assert stop_short(battle_map, Grid(), Point(41, 5), Point(52, 5)).x < 44.5
    assert stop_short(battle_map, Grid(), Point(41, 5), Point(52, 5), floats=True) == Point(52, 5)


def test_who_goes_by_their_own_will_stops_at_the_rim_of_a_hole() -> None:
    battle_map, start, goal = make_deck(44, 4, 3, 3), Point(41, 5), Point(52, 5)
    assert 43.5 <= stop_short(battle_map, Grid(), start, goal, at_rims=True).x <= 44
    assert stop_short(battle_map, Grid(), start, goal, 2.5, at_rims=True).x <= 43
    assert stop_short(battle_map, Grid(), start, Point(41, 9), at_rims=True) == Point(41, 9)


def test_stray_missile_stays_on_the_deck_it_was_aimed_at() -> None:
    battle_map, thrower, aimed = make_deck(44, 4, 3, 3), Point(41, 5, 3, 40), Point(43, 5, 3, 40)
    assert go_astray(battle_map, GRID, thrower, aimed, Point(45.5, 5)) == Point(45.5, 5, 3, 40)
    assert go_astray(battle_map, GRID, Point(3, 5), aimed, Point(50, 5)) == Point(50, 5, 3, 40)
    assert go_astray(battle_map, GRID, thrower, aimed, Point(90, 5)).x < 70, "the hull stops it"


def test_a_missile_that_a_floor_stops_comes_down_on_its_own_deck() -> None:
    assert stop_flight(make_deck(44, 4, 3, 3), GRID, Point(8, 15), Point(42, 15, 3, 40)) == Point(2, 15)
