"""Large bodies on the map: the distance between their nearest cells, and the cells they cover."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.basics.errors import Refused
from combat.rules.core.map.bodies import (
    SIZE,
    body_of,
    check_room,
    find_beside,
    find_free,
    find_spot,
    go_near_body,
    nearest,
)
from combat.rules.core.space import NO_MAP, Area, BattleMap, Point, Scene, Wall, Zone, with_map
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.paths import Way
from combat.rules.core.space.rays.area_shapes import Shape, is_inside
from combat.rules.core.space.rays.sight import draw_lines, sees
from combat.rules.core.state.state import Berth, Combatant, State, replace

from ..space.maps import cells


def stand(x: float, y: float, meters: float = 0, z: float = 0) -> Combatant:
    """A combatant of a size at a place."""
    return Combatant(
        "f1", "Ada", "crew", {}, at=Point(x, y, z), marks={SIZE: int(10 * meters)} if meters else {}
    )


@pytest.mark.parametrize(
    ("meters", "there", "gap"),
    [
        (0, (5, 0), 5),
        (3, (5, 0), 4),
        (5, (5, 0), 3),
        (3, (5, 4), 5),  # from its corner square: 4 along and 3 down
        (3, (1, 1), 0),  # inside it
        (2, (5, 0), 4.5),
    ],
)
def test_distance_is_that_of_the_nearest_square(
    meters: float, there: tuple[float, float], gap: float
) -> None:
    a, b = nearest(stand(0, 0, meters), stand(*there))
    assert math.dist((a.x, a.y), (b.x, b.y)) == pytest.approx(gap)


def test_two_large_ones_are_as_far_apart_as_their_edges() -> None:
    a, b = nearest(stand(0, 0, 4.5, z=2), stand(9, 0, 7.5), cell=1.5)
    assert (a, b) == (Point(1.5, 0, 2), Point(6, 0))


def test_hexes_are_counted_from_the_nearest_one() -> None:
    a, b = nearest(stand(0, 0, 3), stand(4, 0), hexes=True)
    assert (a, b) == (Point(1, 0), Point(4, 0))
    a, b = nearest(stand(0, 0, 3), stand(0, -4, 5), hexes=True)
    assert (a, b) == (Point(0, -1), Point(0, -2))


@given(cells, cells, st.sampled_from((0, 2, 3, 6)), st.sampled_from((0, 2, 3, 6)), st.booleans())
def test_nearest_points_are_as_far_apart_both_ways(
    x: int, y: int, one: float, other: float, hexes: bool
) -> None:
    here, there = stand(0, 0, one), stand(x, y, other)
    a, b = nearest(here, there, hexes=hexes)
    back = nearest(there, here, hexes=hexes)
    assert math.dist((a.x, a.y), (b.x, b.y)) <= math.dist((0, 0), (x, y)) + 1e-9
    if not hexes:
        assert (b, a) == back


@pytest.mark.parametrize(("meters", "many"), [(0, 1), (1, 1), (2, 4), (2.5, 9), (3, 9), (6, 36)])
def test_covered_squares(meters: float, many: int) -> None:
    covered = Grid().find_covered(Point(5, 5, 1), meters)
    assert len(covered) == len(set(covered)) == many
    assert all(abs(at.x - 5) <= max(0, meters - 1) / 2 and at.z == 1 for at in covered)


@pytest.mark.parametrize(("meters", "many"), [(0, 1), (3, 7), (5, 19)])
def test_covered_hexes(meters: float, many: int) -> None:
    assert len(Grid(hexes=True).find_covered(Point(2, -1), meters)) == many


@pytest.mark.parametrize(("meters", "caught"), [(0, False), (3, False), (5, True)])
def test_area_catches_who_has_one_square_in_it(meters: float, caught: bool) -> None:
    circle = Shape("circle", Point(0, 0), 3)
    assert is_inside(circle, NO_MAP, Grid(), body_of(stand(5, 0, meters))) is caught


def test_large_ones_are_seen_past_the_end_of_a_wall() -> None:
    wall = BattleMap((Wall("w", 3, -2, 3, 2),))
    small, large = body_of(stand(6, 0)), body_of(stand(6, 0, 9))
    assert not sees(wall, Grid(), body_of(stand(0, 0)), small)
    lines = draw_lines(wall, Grid(), body_of(stand(0, 0)), large)
    assert 0 < lines.blind < lines.total


# ---- Free space for them ----


def meet(*others: Combatant) -> State:
    """A fight of these, by numbers."""
    return State("tiny", combatants={f"f{n}": replace(one, id=f"f{n}") for n, one in enumerate(others, 1)})


def test_one_goes_up_to_the_edge_of_a_large_one() -> None:
    assert find_beside(stand(0, 0), stand(10, 0), 1) == Point(9, 0)
    assert find_beside(stand(0, 0), stand(10, 0, 5), 1) == Point(7, 0)
    assert find_beside(stand(0, 0, 3), stand(10, 0, 5), 1) == Point(6, 0)


@pytest.mark.parametrize(
    ("one", "other", "cell"),
    [((0, 0), (10, 8, 5), 1), ((0, 0, 4), (-9, 12), 1), ((0, 0), (9, 0, 6), 1.5)],
)
def test_beside_a_large_one_there_is_room(
    one: tuple[float, ...], other: tuple[float, ...], cell: float
) -> None:
    state = meet(stand(*one), stand(*other))
    end = find_beside(state["f1"], state["f2"], 1, cell)
    check_room(state, state["f1"], end, cell)
    a, b = nearest(replace(state["f1"], at=end), state["f2"], cell)
    assert math.dist((a.x, a.y), (b.x, b.y)) == pytest.approx(cell, abs=0.006)


def test_round_a_wall_one_gets_to_a_side_of_a_large_one() -> None:
    wall = BattleMap((Wall("w", 3.5, -4, 3.5, 4),))
    one, other = stand(0, 0), stand(10, 0, 5)
    path = go_near_body(wall, Way(Grid()), one, other, 1)
    assert path is not None
    a, b = nearest(replace(one, at=path[-1]), other)
    assert math.dist((a.x, a.y), (b.x, b.y)) == pytest.approx(1)
    assert go_near_body(NO_MAP, Way(Grid()), one, other, 1) is None
    cell = BattleMap(tuple(Wall(f"w{n}", *ends) for n, ends in enumerate(CELL)))
    with pytest.raises(Refused, match="No way leads next to Ada"):
        go_near_body(cell, Way(Grid()), one, other, 1)


CELL = ((-1.5, -1.5, 1.5, -1.5), (1.5, -1.5, 1.5, 1.5), (1.5, 1.5, -1.5, 1.5), (-1.5, 1.5, -1.5, -1.5))


@pytest.mark.parametrize(
    ("x", "hexes", "fits"),
    [(1, False, False), (2, False, False), (3, False, True), (2, True, False), (3, True, True)],
)
def test_nobody_stands_where_a_large_one_is(x: float, hexes: bool, fits: bool) -> None:
    state = meet(stand(9, 9), stand(0, 0, 5))
    assert list(find_free(state, state["f1"], [Point(x, 0)], hexes=hexes)) == ([Point(x, 0)] if fits else [])
    if fits:
        check_room(state, state["f1"], Point(x, 0), hexes=hexes)
    else:
        with pytest.raises(Refused, match="is in the way there"):
            check_room(state, state["f1"], Point(x, 0), hexes=hexes)


@pytest.mark.parametrize("meters", [0, 3])
def test_there_is_room_by_a_large_body_in_the_middle_of_a_zone(meters: float) -> None:
    state = meet(stand(-9, 0, meters), stand(0, 0, 5))
    zoned = replace(state, scene=Scene(zones=(Zone("a", "A", -6, -6, 12, 12),)))
    spot = find_spot(zoned, zoned["f1"], Point(), 2)
    assert (spot.x, spot.y) == (-3 - max(0, meters - 1) / 2, 0)
    check_room(zoned, zoned["f1"], spot)
    crowd = meet(stand(-9, 0), stand(0, 0, 5), stand(-3, 0))
    beside = find_spot(replace(crowd, scene=zoned.scene), crowd["f1"], Point(), 2)
    assert math.hypot(beside.x + 3, beside.y) >= 1, "nobody stands there"
    full = replace(state, scene=Scene(zones=(Zone("a", "A", -2, -2, 4, 4),)))
    assert find_spot(full, full["f1"], Point(), 2) == Point()


def test_rider_takes_no_room_and_small_bodies_stand_as_before() -> None:
    state = meet(stand(9, 9), stand(0, 0, 5), stand(0, 0))
    rider = replace(state["f3"], berth=Berth("f2"))
    aboard = replace(state, combatants={**state.combatants, "f3": rider})
    check_room(aboard, aboard["f2"], Point(1, 0))
    check_room(aboard, rider, Point(1, 0))
    small = meet(stand(9, 9), stand(0, 0))
    check_room(small, small["f1"], Point(0, 0))
    assert list(find_free(small, small["f1"], [Point(0, 0), Point(1, 0)])) == [Point(1, 0)]


@pytest.mark.parametrize("drawn", [BattleMap(fog=True), BattleMap(hidden=(Area("a", -2, -2, 4, 4),))])
def test_of_the_unseen_nobody_is_told_that_they_are_in_the_way(drawn: BattleMap) -> None:
    state = meet(stand(9, 9), stand(0, 0, 5))
    secret = replace(state, scene=with_map(state.scene, drawn))
    check_room(secret, secret["f1"], Point(0, 0))


def test_the_hidden_are_in_nobodys_way() -> None:
    state = meet(stand(9, 9), stand(0, 0, 5), stand(20, 20, 5))
    hidden = replace(state, combatants={**state.combatants, "f2": replace(state["f2"], hidden=True)})
    check_room(hidden, hidden["f1"], Point(0, 0))
    assert list(find_free(hidden, hidden["f1"], [Point(0, 0), Point(20, 20)])) == [Point(0, 0)]


def test_large_body_going_by_cells_ends_in_the_middle_of_a_cell() -> None:
    wall = BattleMap((Wall("w", 4.5, -3.5, 4.5, 3.5),))
    large, way = stand(0, 0, 2), Way(Grid(), True, 1.0, meters=2)
    path = go_near_body(wall, way, large, replace(stand(8, 0), id="f2"), 1)
    assert path is not None
    assert all(float(n).is_integer() for place in path for n in (place.x, place.y))
