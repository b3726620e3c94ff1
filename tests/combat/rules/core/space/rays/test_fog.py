"""Fog: the cells seen from a place, checked one by one, and the texts that store them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_benchmark.fixture import BenchmarkFixture

from combat.rules.core.space import Area, BattleMap, Wall
from combat.rules.core.space.barriers import barriers_of
from combat.rules.core.space.rays.fog import (
    MAX_SIDE,
    Rows,
    Window,
    find_visible,
    holds,
    make_window,
    read_cells,
    unite,
    without_areas,
    write_cells,
)

from ..maps import battle_maps, make_city

WINDOW = Window(1.0, -7, -6, 15, 13)
halves = st.integers(-12, 12).map(lambda n: n / 2 + 0.15)
eyes = st.tuples(halves, halves)


@given(battle_maps(), eyes)
def test_the_cells_seen_are_those_with_a_clear_line(drawn: BattleMap, eye: tuple[float, float]) -> None:
    plan = barriers_of(drawn)
    seen = find_visible(plan, WINDOW, eye)
    for x in range(-7, 8):
        for y in range(-6, 7):
            clear = not [n for n in plan.index.cross(eye, (float(x), float(y))) if n not in plan.dark]
            assert holds(WINDOW, seen, (x, y)) == clear


def test_a_door_is_looked_through_once_it_is_open() -> None:
    for is_open in (False, True):
        drawn = BattleMap((Wall("d", 2.5, -20, 2.5, 20, "door", open=is_open),))
        assert holds(WINDOW, find_visible(barriers_of(drawn), WINDOW, (0.0, 0.0)), (5, 0)) is is_open


def find_cells(window: Window, rows: Rows) -> set[tuple[int, int]]:
    """The cells of a set."""
    columns = range(window.left, window.left + window.columns)
    return {(x, y) for x in columns for y in rows if holds(window, rows, (x, y))}


cells = st.frozensets(st.tuples(st.integers(-7, 7), st.integers(-6, 6)))


@given(cells, cells)
def test_cells_survive_their_text(one: frozenset[tuple[int, int]], other: frozenset[tuple[int, int]]) -> None:
    rows = [unite({y: 1 << (x + 7)} for x, y in some) for some in (one, other)]
    text = ";".join(filter(None, (write_cells(WINDOW, each) for each in rows)))
    assert find_cells(WINDOW, read_cells(WINDOW, text)) == one | other


def test_a_window_that_has_moved_reads_what_lies_in_it() -> None:
    text = write_cells(WINDOW, {0: WINDOW.whole})
    assert text == "0:-7_7"
    smaller = Window(1.0, 0, 0, 3, 2)
    assert find_cells(smaller, read_cells(smaller, text)) == {(0, 0), (1, 0), (2, 0)}


def test_hidden_areas_are_taken_out() -> None:
    whole = dict.fromkeys(range(-6, 7), WINDOW.whole)
    left = find_cells(WINDOW, without_areas(WINDOW, whole, (Area("a", -0.5, -0.5, 3, 2),)))
    assert len(left) == 15 * 13 - 6
    assert (0, 0) not in left


def test_the_window_goes_around_all_that_is_drawn() -> None:
    window = make_window(BattleMap((Wall("w", -3, 2, 9, 2),)), (), ((0.0, 12.0),), 1.0, False)
    assert (window.left, window.top) == (-5, 0)
    assert holds(window, {14: window.whole}, (11, 14))


@pytest.mark.parametrize("looking", [1, 6])
def test_a_view_of_twelve_hundred_cells(benchmark: BenchmarkFixture, looking: int) -> None:
    """At most five milliseconds, for one combatant or a side."""
    plan, window = barriers_of(make_city(150, 36)), Window(1.0, 0, 0, 40, 30)
    eyes = [(20.0 - 3 * n, 15.0 + 2 * n) for n in range(looking)]

    def look() -> int:
        plan.kept.clear()
        return len(unite(find_visible(plan, window, eye) for eye in eyes))

    assert benchmark(look)


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (1, 0), (0, -1), (0, 1)])
def test_a_wall_darkens_what_lies_behind_it_on_every_side(x: int, y: int) -> None:
    """Also on the left, where the angles of its ends meet at a half turn, and past a nearer wall."""
    near, far = 1.5, 3.5
    walls = (
        Wall("n", near * x - 1.5 * y, near * y - 1.5 * x, near * x + 0.5 * y, near * y + 0.5 * x),
        Wall("f", far * x - 9 * y, far * y - 9 * x, far * x + 9 * y, far * y + 9 * x),
    )
    seen = find_visible(barriers_of(BattleMap(walls)), WINDOW, (0.0, 0.0))
    assert not holds(WINDOW, seen, (5 * x, 5 * y))
    assert not holds(WINDOW, seen, (2 * x, 2 * y))
    assert holds(WINDOW, seen, (2 * x + 2 * y, 2 * y + 2 * x))
    assert holds(WINDOW, seen, (-5 * x, -5 * y))


def test_a_window_has_an_end_however_far_things_lie_apart() -> None:
    window = make_window(BattleMap((Wall("w", -900, 0, 0, 0),)), (), ((0.0, 900.0),), 1.0, False)
    assert (window.columns, window.rows) == (MAX_SIDE, MAX_SIDE)
