"""Actions by hand stop at walls, in every game."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import BattleMap, Obstacle, Point, Wall
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.rays.sight import Body, check_hand, find_bar, stop_flight

from ..maps import battle_maps, bodies

GRID = Grid()
HERE, BESIDE = Body(Point(0, 0)), Body(Point(1, 0))
WALL_BETWEEN = Wall("w", 0.5, -3, 0.5, 3)


def find(*walls: Wall, things: tuple[Obstacle, ...] = (), there: Body = BESIDE) -> str:
    bar = find_bar(BattleMap(walls, things), GRID, HERE, there)
    return bar.id if bar else ""


def test_nothing_between_two_people_keeps_no_hand_away() -> None:
    assert find() == ""
    assert find(Wall("w", 5, -3, 5, 3)) == ""


def test_a_wall_between_two_people_keeps_hands_away() -> None:
    assert find(WALL_BETWEEN) == "w"


def test_wall_between_two_closer_than_a_cell_keeps_hands_away() -> None:
    near = Body(Point(0.6, 0))
    assert find(Wall("w", 0.3, -3, 0.3, 3), there=near) == "w"
    assert find(Wall("w", 0.3, -3, 0.3, 0.2), there=near) == ""


@pytest.mark.parametrize("kind", ["wall", "door", "window", "fence"])
def test_what_stops_a_path_keeps_hands_away_even_if_seen_through(kind: str) -> None:
    assert find(Wall("w", 0.5, -3, 0.5, 3, kind=kind, cover="", blocks_sight=False)) == "w"


def test_an_open_door_keeps_no_hand_away() -> None:
    assert find(Wall("w", 0.5, -3, 0.5, 3, kind="door", open=True)) == ""


def test_a_hand_reaches_round_the_end_of_a_wall() -> None:
    assert find(Wall("w", 0.5, -3, 0.5, 0.2)) == ""


def test_hand_reaches_over_a_crate_but_not_through_solid_stone() -> None:
    crate = Obstacle("o", "Crate", 0.6, -1, 0.3, 2, cover="light")
    assert find(things=(crate,), there=Body(Point(2, 0))) == ""
    stone = Obstacle("o", "Stone", 0.6, -1, 0.3, 2, height=2, cover="full", blocks_sight=True)
    assert find(things=(stone,), there=Body(Point(2, 0))) == "o"
    assert find(things=(stone,), there=Body(Point(2, 0, 3))) == ""


def test_the_refusal_names_what_is_in_the_way() -> None:
    with pytest.raises(Refused, match=r"A wall stands between Ana and Bo: go round it\."):
        check_hand(BattleMap((WALL_BETWEEN,)), GRID, HERE, BESIDE, ("Ana", "Bo"))


@given(battle_maps(), bodies, bodies, st.sampled_from((GRID, Grid(hexes=True))))
def test_a_hand_reaches_from_both_sides_or_from_none(
    drawn: BattleMap, one: Body, other: Body, grid: Grid
) -> None:
    there, back = find_bar(drawn, grid, one, other), find_bar(drawn, grid, other, one)
    assert (there is None) == (back is None)


@pytest.mark.parametrize(("x", "end"), [(3.0, 2.5), (3.2, 3.0), (9.0, 6.0)])
def test_what_flies_stops_half_a_meter_before_a_wall_at_most(x: float, end: float) -> None:
    stopped = stop_flight(BattleMap((Wall("w", x, -5, x, 5),)), GRID, Point(0, 0), Point(6, 0))
    assert stopped == Point(end, 0)


@pytest.mark.parametrize("wall", [{"kind": "window", "cover": ""}, {"kind": "door", "open": True}])
def test_what_flies_passes_windows_without_cover_and_open_doors(wall: dict[str, Any]) -> None:
    drawn = BattleMap((Wall("w", 3, -5, 3, 5, **wall),))
    assert stop_flight(drawn, GRID, Point(0, 0), Point(6, 0)) == Point(6, 0)
