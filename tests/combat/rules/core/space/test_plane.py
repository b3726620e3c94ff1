"""Places, distances, zones and paths, in meters."""

from __future__ import annotations

import itertools
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import (
    Point,
    Scene,
    Zone,
    angle_between,
    away_from,
    beside,
    count_steps,
    distance,
    find_band,
    find_links,
    find_stretches,
    find_turns,
    find_zone,
    is_straight,
    meters_inside,
    meters_through,
    on_ground,
    path_length,
    plan_distance,
    read_points,
    squares_around,
    stop_below,
    towards,
    zone_named,
)
from combat.rules.core.space.plane import plot

METERS = st.integers(-200, 200).map(lambda tenths: tenths / 10)
PLACES = st.builds(Point, METERS, METERS)
SIZES = st.integers(10, 150).map(lambda tenths: tenths / 10)
ZONES = st.builds(Zone, st.just("z"), st.just("Zone"), METERS, METERS, SIZES, SIZES)
ROUNDED = 0.002  # places are rounded to millimeters

mud = Zone("mud", "Mud", 0, 0, 10, 4, terrain=("mud",))
hill = Zone("hill", "Hill", 10, 0, 10, 4, height=3, terrain=("mud", "steep"))
hut = Zone("hut", "Hut", 12, 1, 2, 2, height=4)
scene = Scene("Field", (mud, hill, hut))


def sample(zones: list[Zone], a: Point, b: Point, parts: int = 4000) -> float:
    """Meters of a line inside any of the zones, found by checking many places on it."""
    inside = 0
    for number in range(parts):
        share = (number + 0.5) / parts
        x, y = a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share
        inside += any(z.x <= x <= z.x + z.width and z.y <= y <= z.y + z.depth for z in zones)
    return inside / parts * distance(a, b)


# ---------------------------------------------------------------- distances


@pytest.mark.parametrize(
    ("a", "b", "meters"),
    [
        (Point(0, 0), Point(3, 4), 5),
        (Point(1, 1), Point(1, 1), 0),
        (Point(-2, 0), Point(4, 0), 6),
    ],
)
def test_distance(a: Point, b: Point, meters: float) -> None:
    assert distance(a, b) == distance(b, a) == meters
    assert plan_distance(a, b) == plan_distance(b, a) == meters


def test_height_counts_for_distances_but_not_for_ground_ways() -> None:
    low, high = Point(0, 0, -2), Point(4, 0, 1)
    assert distance(low, high) == distance(high, low) == 5
    assert plan_distance(low, high) == path_length((low, high)) == 4


def test_length_of_a_path_is_that_of_its_parts() -> None:
    assert path_length((Point(0, 0), Point(3, 4), Point(3, 10))) == 11
    assert path_length((Point(1, 2),)) == path_length(()) == 0


@pytest.mark.parametrize(
    ("path", "straight"),
    [
        ([(0, 0), (9, 0)], True),
        ([(0, 0), (3, 3), (9, 9)], True),
        ([(0, 0)], True),
        ([(0, 0), (5, 1), (9, 0)], False),
        ([(0, 0), (9, 0), (4, 0)], False),  # turns back
        ([(0, 0), (9, 0), (0, 0)], False),
    ],
)
def test_straight_ways(path: list[tuple[float, float]], straight: bool) -> None:
    assert is_straight(tuple(Point(*place) for place in path)) is straight


@given(a=PLACES, b=PLACES, share=st.floats(0, 1))
def test_a_place_between_keeps_a_path_straight(a: Point, b: Point, share: float) -> None:
    middle = Point(a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share)
    assert is_straight((a, middle, b))


def test_angles() -> None:
    middle = Point(5, 5)
    assert angle_between(middle, Point(5, 9), Point(9, 5)) == pytest.approx(90)
    assert angle_between(middle, Point(1, 5), Point(9, 5)) == pytest.approx(180)
    assert angle_between(middle, Point(6, 6), Point(8, 8)) == pytest.approx(0)
    assert angle_between(middle, Point(4, 5.001), Point(4, 4.999)) == pytest.approx(0, abs=0.2)


@given(middle=PLACES, a=PLACES, b=PLACES)
def test_angles_are_at_most_half_a_turn_and_the_same_both_ways(middle: Point, a: Point, b: Point) -> None:
    angle = angle_between(middle, a, b)
    assert 0 <= angle <= 180
    assert angle == pytest.approx(angle_between(middle, b, a))


def test_bands() -> None:
    bands = (("short", 5.0), ("medium", 20.0))
    found = [find_band(meters, bands) for meters in (0, 5, 5.1, 20, 20.1)]
    assert found == ["short", "short", "medium", "medium", None]


# ---------------------------------------------------------------- zones


@pytest.mark.parametrize(
    ("place", "zone"),
    [
        (Point(5, 2), mud),
        (Point(0, 0), mud),
        (Point(10, 2), hill),  # on the border the later one
        (Point(13, 2), hut),  # inside another the later one
        (Point(20, 4), hill),
        (Point(20.1, 4), None),
        (Point(5, -0.1), None),
    ],
)
def test_zone_of_a_place(place: Point, zone: Zone | None) -> None:
    assert find_zone(scene, place) == zone


def test_zone_by_name() -> None:
    assert zone_named(scene, "hill") == hill
    assert zone_named(scene, "Hill") is None


@pytest.mark.parametrize(("height", "x"), [(0, 9), (1, 9), (1.5, 4.9), (30, 4.9), (-30, 9)])
def test_what_is_thrown_stops_at_the_foot_of_higher_ground(height: float, x: float) -> None:
    wall = Zone("w", "Wall", 5, -5, 3, 10, height=height)
    assert stop_below(Scene(zones=(wall,)), Point(0, 0), Point(9, 0)) == Point(x, 0)


def test_ground_has_the_height_of_its_zone() -> None:
    assert on_ground(scene, Point(15, 2, 99)) == Point(15, 2, 3)
    assert on_ground(scene, Point(50, 50, 99)) == Point(50, 50, 0)
    assert hill.centre == Point(15, 2, 3)


@pytest.mark.parametrize(
    ("a", "b", "meters"),
    [
        (Point(-5, 2), Point(15, 2), 10),  # straight through
        (Point(2, 2), Point(6, 2), 4),  # all inside
        (Point(6, 2), Point(6, 9), 2),  # out of it
        (Point(-5, 5), Point(15, 5), 0),  # past it
        (Point(-5, 4), Point(15, 4), 10),  # along the border
        (Point(5, -3), Point(5, 9), 4),  # upright
        (Point(3, 3), Point(3, 3), 0),  # no path at all
        (Point(-4, 2), Point(-1, 2), 0),  # stops short
    ],
)
def test_meters_inside_a_zone(a: Point, b: Point, meters: float) -> None:
    assert meters_inside(mud, a, b) == pytest.approx(meters)
    assert meters_inside(mud, b, a) == pytest.approx(meters)


@given(zone=ZONES, a=PLACES, b=PLACES)
def test_meters_inside_are_what_sampling_finds(zone: Zone, a: Point, b: Point) -> None:
    error = 2 * distance(a, b) / 4000 + 1e-6
    assert meters_inside(zone, a, b) == pytest.approx(sample([zone], a, b), abs=error)


@given(zones=st.lists(ZONES, max_size=4), path=st.lists(PLACES, min_size=1, max_size=3))
def test_meters_through_are_what_sampling_finds(zones: list[Zone], path: list[Point]) -> None:
    """Two zones one after the other count both; where they overlap they count once."""
    rough = [Zone(**{f: getattr(z, f) for f in z.__struct_fields__} | {"terrain": ("mud",)}) for z in zones]
    found = meters_through(Scene("", tuple(rough)), tuple(path), frozenset({"mud"}))
    expected = sum(sample(rough, a, b) for a, b in pairwise(path))
    assert found == pytest.approx(expected, abs=path_length(tuple(path)) / 200 + 1e-6)


def test_meters_through_ask_for_the_terrain() -> None:
    path = (Point(-5, 2), Point(25, 2))
    assert meters_through(scene, path, frozenset({"mud"})) == pytest.approx(20)
    assert meters_through(scene, path, frozenset({"steep"})) == pytest.approx(10)
    assert meters_through(scene, path, frozenset({"ice"})) == 0


def test_a_path_is_cut_where_its_ground_changes() -> None:
    found = find_stretches(scene, (Point(-5, 2), Point(8, 2)))
    assert [(piece.begin, piece.zone) for piece in found] == [(0, None), (5, mud)]
    assert [(piece.start.x, piece.end.x, piece.meters) for piece in found] == [(-5, 0, 5), (0, 8, 8)]


def test_the_pieces_of_a_path_follow_its_bends_and_add_up() -> None:
    path = (Point(5, 2), Point(5, 9), Point(15, 9), Point(15, 0))
    found = find_stretches(scene, path)
    assert sum(piece.meters for piece in found) == pytest.approx(path_length(path))
    assert [piece.begin for piece in found] == sorted(piece.begin for piece in found)
    assert [piece.zone for piece in found] == [find_zone(scene, piece.middle) for piece in found]


def test_a_path_up_to_a_border_is_not_across_it() -> None:
    assert [piece.zone for piece in find_stretches(scene, (Point(-5, 2), Point(0, 2)))] == [None]
    assert find_stretches(scene, (Point(1, 1), Point(1, 1))) == ()


# ---------------------------------------------------------------- going somewhere


@given(start=PLACES, goal=PLACES, meters=st.floats(0, 60))
def test_towards_goes_that_far_and_not_beyond(start: Point, goal: Point, meters: float) -> None:
    place = towards(start, goal, meters)
    whole = distance(start, goal)
    assert distance(start, place) == pytest.approx(min(meters, whole), abs=ROUNDED)
    assert distance(place, goal) == pytest.approx(max(0.0, whole - meters), abs=ROUNDED)


def test_towards_takes_the_ground_of_the_goal_on_arrival() -> None:
    start, goal = Point(0, 0, 0), Point(10, 0, 3)
    assert towards(start, goal, 4) == Point(4, 0, 0)
    assert towards(start, goal, 10) == towards(start, goal, 99) == goal
    assert towards(start, goal, -5) == start
    assert towards(start, start, 5) == start


@given(start=PLACES, goal=PLACES, gap=st.floats(0, 10))
def test_beside_leaves_the_gap(start: Point, goal: Point, gap: float) -> None:
    place = beside(start, goal, gap)
    assert distance(place, goal) == pytest.approx(min(gap, distance(start, goal)), abs=ROUNDED)
    assert distance(start, place) <= distance(start, goal) + ROUNDED


def test_beside_is_on_the_ground_of_the_goal_or_stays() -> None:
    assert beside(Point(0, 0), Point(10, 0, 3), 1) == Point(9, 0, 3)
    near = Point(9.5, 0, 1)
    assert beside(near, Point(10, 0, 3), 1) == near


@given(start=PLACES, danger=PLACES, meters=st.floats(0, 60))
def test_away_gets_that_much_farther(start: Point, danger: Point, meters: float) -> None:
    place = away_from(start, danger, meters)
    assert distance(place, danger) == pytest.approx(distance(start, danger) + meters, abs=ROUNDED)
    assert distance(start, place) == pytest.approx(meters, abs=ROUNDED)


def test_away_from_the_same_place_is_due_east() -> None:
    assert away_from(Point(2, 3, 1), Point(2, 3), 4) == Point(6, 3, 1)


def test_squares_around_a_place_are_those_next_to_it() -> None:
    """Squares of two meters, at the edge of the field: three rows would be around, one is outside."""
    found = squares_around(scene, Point(18, 4), 3, side=2)
    assert [(place.x, place.y) for place in found] == [(16, 2), (18, 2), (20, 2), (16, 4), (20, 4)]


# ---------------------------------------------------------------- steps between zones


def test_zones_that_touch_are_next_to_each_other() -> None:
    corner = Zone("corner", "Corner", 20, 4, 5, 5)
    far = Zone("far", "Far", 50, 50, 5, 5)
    links = find_links(Scene("", (mud, hill, corner, far)))
    assert links == {"mud": {"hill": 1}, "hill": {"mud": 1}, "corner": {}, "far": {}}


def test_links_that_are_said_hold_both_ways_and_alone() -> None:
    here = Zone("a", "A", links={"b": 2, "nowhere": 1})
    links = find_links(Scene("", (here, Zone("b", "B"), Zone("c", "C"))))
    assert links == {"a": {"b": 2}, "b": {"a": 2}, "c": {}}


def test_fewest_steps_between_zones() -> None:
    zones = (
        Zone("a", "A", links={"b": 1, "c": 5}),
        Zone("b", "B", links={"c": 2}),
        Zone("c", "C"),
        Zone("d", "D"),
    )
    row = Scene("", zones)
    assert [count_steps(row, "a", goal) for goal in "abcd"] == [0, 1, 3, None]
    assert count_steps(row, "c", "a") == 3


@given(data=st.data(), size=st.integers(2, 6))
def test_steps_never_take_a_longer_way(data: st.DataObject, size: int) -> None:
    names = [f"z{number}" for number in range(size)]
    links = {
        name: data.draw(st.dictionaries(st.sampled_from(names), st.integers(1, 5), max_size=3))
        for name in names
    }
    row = Scene("", tuple(Zone(name, name, links=links[name]) for name in names))
    assume(any(links.values()))
    steps = {(a, b): count_steps(row, a, b) for a in names for b in names}
    for (a, b), found in steps.items():
        assert found == steps[b, a]
        for c in names:
            left, right = steps[a, c], steps[c, b]
            if left is not None and right is not None:
                assert found is not None
                assert found <= left + right


# ---------------------------------------------------------------- typed places


def test_points_are_read_as_people_write_them() -> None:
    assert read_points("3,4.5; -1, 2 ;") == (Point(3, 4.5), Point(-1, 2))


@pytest.mark.parametrize("text", ["", ";", "3", "3,4,5", "a,b", "nan,1", "inf,1", "10001,0", "0,-10001"])
def test_what_is_no_place_is_refused_with_what_would_be_right(text: str) -> None:
    with pytest.raises(Refused, match="enter meters as x,y; x,y"):
        read_points(text)


def test_a_game_may_draw_the_edge_nearer() -> None:
    assert read_points("50,0", 50) == (Point(50, 0),)
    with pytest.raises(Refused):
        read_points("50,0", 49)


@pytest.mark.parametrize(
    ("path", "turns"),
    [
        ("0,0; 9,0", ""),
        ("0,0; 1,0; 2,0; 9,0", ""),
        ("0,0; 1,0; 2,1; 3,2; 3,5", "1,0; 3,2"),
        ("0,0; 5,0; 2,0", "5,0"),
        ("0,0; 10,0.1; 20,0", "10,0.1"),
    ],
)
def test_turns_of_a_path(path: str, turns: str) -> None:
    """A point on the straight line between two turns is no turn."""
    assert find_turns(read_points(path)) == (read_points(turns) if turns else ())


def test_upright_zone_is_a_rectangle_of_the_picture_on_hexes_too() -> None:
    """Places are hexes, its corner and sides drawn meters; slanted, it would lie elsewhere."""
    leaning = Zone("z", "Hall", 0, 0, 10, 10)
    scene = Scene(zones=(replace(leaning, upright=True),))
    for q, r in itertools.product(range(-8, 12), range(-2, 14)):
        across, down = plot(q, r, True)
        inside = find_zone(scene, Point(q, r)) is not None
        assert inside == (0 <= across <= 10 and 0 <= down <= 10), (q, r)
    a, b = Point(-5, 5.77), Point(15, 5.77)
    assert meters_inside(scene.zones[0], a, b) == pytest.approx(10)
    assert plot(scene.zones[0].centre.x, scene.zones[0].centre.y, True) == pytest.approx((5, 5), abs=ROUNDED)
    assert find_zone(Scene(zones=(leaning,)), Point(-2, 8)) is None
