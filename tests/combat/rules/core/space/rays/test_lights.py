"""Drawn lamps: their light stops at walls and shut doors, and continues past their ends."""

from __future__ import annotations

from math import dist
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.space import BattleMap, Light, Point, Scene, Wall, Zone
from combat.rules.core.space.barriers import barriers_of
from combat.rules.core.space.battle_map import DOOR, WINDOW
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.plane import Spot
from combat.rules.core.space.rays import lights
from combat.rules.core.space.rays.lights import MAX_EDGES, find_shining, outline_light

from ..maps import battle_maps, make_city

LAMP = Light("l", 0.1, 0.1, radius=6)


def lit(drawn: BattleMap, lamp: Light = LAMP) -> tuple[Spot, ...]:
    return outline_light(barriers_of(drawn), lamp)


def test_light_ends_at_a_wall_and_goes_past_its_end() -> None:
    outline = lit(BattleMap((Wall("w", 3, -2, 3, 2),)))
    assert all(x <= 3.01 for x, y in outline if abs(y) < 1.9)
    assert max(x for x, _ in outline) > 4, "above and below the wall"


def test_lamp_without_walls_near_has_no_outline() -> None:
    assert lit(BattleMap((Wall("w", 30, -2, 30, 2),))) == ()


@pytest.mark.parametrize(
    ("wall", "ends"),
    [
        (Wall("w", 3, -9, 3, 9, kind=DOOR), True),
        (Wall("w", 3, -9, 3, 9, kind=DOOR, open=True), False),
        (Wall("w", 3, -9, 3, 9, kind=WINDOW, blocks_sight=False), False),
    ],
)
def test_light_passes_what_sight_passes(wall: Wall, ends: bool) -> None:
    assert bool(lit(BattleMap((wall,)))) is ends


@pytest.mark.parametrize(
    ("place", "shines"),
    [(Point(5, 0), True), (Point(5, 0, 30), False), (Point(5, 0, -5), False), (Point(5, 0, 3), True)],
)
def test_light_reaches_no_farther_up_than_along(place: Point, shines: bool) -> None:
    drawn = Scene(map=BattleMap(lights=(LAMP,)))
    assert bool(find_shining(drawn, Grid(), place)) is shines


def test_lamp_on_a_roof_shines_there() -> None:
    roof = Zone("r", "Roof", -20, -20, 40, 40, height=30)
    drawn = Scene(zones=(roof,), map=BattleMap(lights=(LAMP,)))
    assert find_shining(drawn, Grid(), Point(5, 0, 30))
    assert not find_shining(drawn, Grid(), Point(5, 0))


@given(battle_maps(), st.integers(-12, 12), st.integers(-12, 12))
def test_no_corner_of_the_light_lies_beyond_a_wall(drawn: BattleMap, x: int, y: int) -> None:
    lamp = Light("l", x / 2 + 0.15, y / 2 + 0.15, radius=6)
    plan = barriers_of(drawn)
    for spot in lit(drawn, lamp):
        away = dist(spot, (lamp.x, lamp.y))
        if away > 0.1:
            short = [
                at + (to - at) * (1 - 0.05 / away) for at, to in zip((lamp.x, lamp.y), spot, strict=True)
            ]
            assert not [
                n for n in plan.index.cross((lamp.x, lamp.y), (short[0], short[1])) if n not in plan.dark
            ]


def test_work_for_a_lamp_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    measured, find = 0, lights._measure

    def count(*args: Any) -> float:
        nonlocal measured
        measured += 1
        return find(*args)

    monkeypatch.setattr(lights, "_measure", count)
    outline = lit(make_city(2000, 20), Light("l", 10.1, 10.1, radius=1000))
    assert len(outline) <= lights.RAYS + 6 * MAX_EDGES
    assert measured <= len(outline) * MAX_EDGES
