"""What a map opens with: the people on it, and what is near those who act."""

from __future__ import annotations

import pytest

from combat.audience.viewer import HealthView
from combat.display.combatants.tokens import Look
from combat.display.plane.plotting import outline_area
from combat.display.shapes.scene_shapes import (
    LEAST,
    NEAR,
    MapFigure,
    Person,
    SceneView,
    Token,
    ZoneView,
    find_opening,
)
from combat.rules.core.state.state import replace

WHOLE = (0, 0, 100, 80)


def see(x: float, y: float, *, acts: bool = False, is_out: bool = False) -> MapFigure:
    return MapFigure((x, y), 1.0, acts, is_out)


def holds(shown: tuple[float, ...], x: float, y: float) -> bool:
    left, top, width, height = shown
    return left <= x <= left + width and top <= y <= top + height


def test_a_map_without_people_opens_whole() -> None:
    assert find_opening([], WHOLE) == WHOLE


def test_the_people_are_inside_and_the_empty_plane_is_not() -> None:
    shown = find_opening([see(40, 40), see(50, 44)], WHOLE)
    assert holds(shown, 40, 40)
    assert holds(shown, 50, 44)
    assert not holds(shown, 5, 5)
    assert shown[2:] == pytest.approx((16.0, 12.0)), "the least that is shown"


def test_what_is_near_the_acting_one_is_inside() -> None:
    shown = find_opening([see(40, 40, acts=True), see(42, 40)], WHOLE)
    assert all(holds(shown, 40 + x, 40 + y) for x, y in ((NEAR, 0), (-NEAR, 0), (0, NEAR), (0, -NEAR)))


def test_the_fallen_count_only_if_nobody_else_is_there() -> None:
    fallen = see(90, 70, is_out=True)
    assert not holds(find_opening([see(10, 10), fallen], WHOLE), 90, 70)
    assert holds(find_opening([fallen], WHOLE), 90, 70)


@pytest.mark.parametrize("spot", [(0, 0), (100, 80), (0, 80)])
def test_opening_view_never_leaves_the_map(spot: tuple[float, float]) -> None:
    left, top, width, height = find_opening([see(*spot, acts=True)], WHOLE)
    assert left >= 0
    assert top >= 0
    assert left + width <= 100
    assert top + height <= 80
    assert (width, height) >= LEAST


def test_a_small_map_is_shown_whole() -> None:
    assert find_opening([see(4, 4)], (0, 0, 8, 8)) == (0, 0, 8, 8)


def test_a_room_reaches_as_far_as_it_is_drawn() -> None:
    """In slanted rows of hexes its sides lean, unless it is drawn upright."""
    hall = ZoneView("a", "Hall", "", x=10, y=6, width=30, depth=20, light="", cover="", combatants=())
    assert hall.bounds(hexes=False) == (10, 6, 40, 26)
    xs, ys = zip(*outline_area(10, 6, 30, 20, hexes=True), strict=True)
    assert hall.bounds(hexes=True) == (min(xs), min(ys), max(xs), max(ys)) != (10, 6, 40, 26)
    assert replace(hall, upright=True).bounds(hexes=True) == (10, 6, 40, 26)


@pytest.mark.parametrize(("thin", "written"), [(1.0, ""), (0.8, "0.8")])
def test_a_name_as_wide_as_its_token_needs_no_size_of_its_own(thin: float, written: str) -> None:
    look = Look("is-foe")
    token = Token("f1", "Bo", 20, y=10, active=False, is_out=False, spot=(20, 10), look=look, thin=thin)
    assert token.at["thin"] == written


def test_opening_view_has_whole_rooms_with_people_and_no_others() -> None:
    look = Look("is-foe")
    someone = Person("f1", "Bo", "Bo", opens=False, look=look, health=HealthView("", 100, ""))
    hall, store = (
        ZoneView(name, name, "", x=x, y=0, width=30, depth=20, light="", cover="", combatants=people)
        for name, x, people in (("hall", 10, (someone,)), ("store", 60, ()))
    )
    token = Token("f1", "Bo", 20, y=10, active=False, is_out=False, spot=(20, 10), look=look)
    scene = SceneView("Base", (hall, store), (token,), box=(0, 0, 100, 80), grid="", ground=(), columns=1)
    left, top, width, height = scene.rooms
    assert (left, top) == (10, 0)
    assert (left + width, top + height) == (40, 20)
