"""Doors drawn on walls: they cut the wall, and the rest of it stops what it stopped before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.space import BattleMap, Point, Wall, barriers
from combat.rules.core.space.barriers import barriers_of, cut_walls, find_hosts
from combat.rules.core.space.battle_map import DOOR, FENCE, WALL, WINDOW, set_door
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.paths import is_open
from combat.rules.core.space.rays.sight import Body, sees

LONG = Wall("w", 0, 0, 10, 0)
GRID = Grid()


def door(x1: float, y1: float, x2: float, y2: float, name: str = "d") -> Wall:
    return Wall(name, x1, y1, x2, y2, kind=DOOR)


@pytest.mark.parametrize(
    ("doors", "left"),
    [
        ([], ((0, 0, 10, 0),)),
        ([door(4, 0, 6, 0)], ((0, 0, 4, 0), (6, 0, 10, 0))),
        ([door(6, 0, 4, 0)], ((0, 0, 4, 0), (6, 0, 10, 0))),
        ([door(0, 0, 2, 0)], ((2, 0, 10, 0),)),
        ([door(9, 0, 10.5, 0)], ((0, 0, 9, 0),)),
        ([door(0, 0, 10, 0)], ()),
        ([door(6, 0, 7, 0), door(2, 0, 3, 0, "e")], ((0, 0, 2, 0), (3, 0, 6, 0), (7, 0, 10, 0))),
        ([door(2, 0, 5, 0), door(4, 0, 6, 0, "e")], ((0, 0, 2, 0), (6, 0, 10, 0))),
        ([door(4, 0.1, 6, 0.1)], ((0, 0, 4, 0), (4, 0, 4, 0.1), (6, 0, 6, 0.1), (6, 0, 10, 0))),
    ],
)
def test_door_on_a_wall_cuts_it(doors: list[Wall], left: tuple[tuple[float, ...], ...]) -> None:
    assert cut_walls([LONG, *doors])[0] == left


@pytest.mark.parametrize(
    "beside",
    [door(4, 0.5, 6, 0.5), door(4, 0, 4, 2), door(4, -0.1, 4, 0.1), door(11, 0, 12, 0), door(4, 0, 6, 0.5)],
)
def test_door_beside_a_wall_or_across_it_leaves_it_whole(beside: Wall) -> None:
    assert cut_walls([LONG, beside])[0] == ((0, 0, 10, 0),)
    assert find_hosts([LONG, beside]) == {}


def test_door_in_a_gap_of_two_walls_is_in_neither() -> None:
    walls = [Wall("a", 0, 0, 4, 0), door(4, 0, 6, 0), Wall("b", 6, 0, 10, 0)]
    assert cut_walls(walls) == [((0, 0, 4, 0),), ((4, 0, 6, 0),), ((6, 0, 10, 0),)]
    assert find_hosts(walls) == {}


@pytest.mark.parametrize("kind", [WALL, WINDOW, FENCE])
@pytest.mark.parametrize("off", [0.0, 0.2])
def test_door_in_a_wall_is_walked_and_seen_through_only_if_open(kind: str, off: float) -> None:
    wall = Wall("w", -10, 0.5, 10, 0.5, kind=kind)
    drawn = BattleMap((wall, door(-1, 0.5 + off, 1, 0.5 + off)))
    one, other = Body(Point(0, -1)), Body(Point(0, 2))
    for is_shut in (True, False, True):
        drawn = set_door(drawn, "d", is_open=not is_shut, locked=False)
        assert sees(drawn, GRID, one, other) is not is_shut
        assert is_open(drawn, GRID, one.at, other.at) is not is_shut
    assert not is_open(drawn, GRID, Point(3, -1), Point(3, 2)), "beside it the wall stands"


def test_shut_door_in_a_wall_stops_whatever_the_wall_stopped() -> None:
    """Nothing slips between the door and the rest of the wall, however flat the line."""
    drawn = BattleMap((Wall("w", -10, 0.5, 10, 0.5), door(-1, 0.7, 1, 0.7)))
    plan = barriers_of(drawn)
    for n in range(-60, 61):
        for far in (-40, -3, 0, 3, 40):
            assert plan.index.cross((n / 20, 0.0), (n / 20 + far, 1.0)) or abs(far) > 9


quarters = st.integers(-20, 20).map(lambda n: n / 4)


@given(quarters, quarters, quarters, quarters, st.floats(0, 1), st.floats(0.05, 0.6))
def test_shut_door_anywhere_on_a_wall_leaves_no_gap(
    x1: float, y1: float, x2: float, y2: float, at: float, wide: float
) -> None:
    if (x1, y1) == (x2, y2):
        return
    ends = [(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in (at, min(1.0, at + wide))]
    if ends[0] == ends[1]:
        return
    wall = Wall("w", x1, y1, x2, y2)
    index = barriers_of(BattleMap((wall, door(*ends[0], *ends[1])))).index
    for n in range(1, 40):
        x, y = x1 + (x2 - x1) * n / 40, y1 + (y2 - y1) * n / 40
        off_x, off_y = (y1 - y2) / 20, (x2 - x1) / 20
        assert index.cross((x - off_x, y - off_y), (x + off_x, y + off_y))


def test_door_is_looked_for_only_where_it_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms of a large map: each wall is compared with the few doors in its row, not with all."""
    compared, find = 0, barriers.find_gap

    def count(wall: Wall, each: Wall) -> barriers.Gap | None:
        nonlocal compared
        compared += 1
        return find(wall, each)

    monkeypatch.setattr(barriers, "find_gap", count)
    rows, columns = 40, 20
    walls = [Wall(f"w{x}-{y}", x * 5, y * 5, x * 5 + 5, y * 5) for x in range(columns) for y in range(rows)]
    doors = [
        door(x * 5 + 2, y * 5, x * 5 + 3, y * 5, f"d{x}-{y}") for x in range(columns) for y in range(rows)
    ]
    cut = cut_walls([*walls, *doors])
    assert all(len(edges) == 2 for edges in cut[: len(walls)])
    assert compared <= len(walls) * columns
