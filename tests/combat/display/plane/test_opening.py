"""What a map opens with: the people on it, and what is near those who act."""

from __future__ import annotations

import pytest

from combat.audience.viewer import HealthView
from combat.display.combatants.tokens import Look
from combat.display.shapes.scene_shapes import (
    LEAST,
    NEAR,
    Person,
    SceneView,
    Seen,
    Token,
    ZoneView,
    find_opening,
)

WHOLE = (0, 0, 100, 80)


def see(x: float, y: float, *, acts: bool = False, is_out: bool = False) -> Seen:
    return Seen((x, y), 1.0, acts, is_out)


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
def test_it_never_leaves_the_map(spot: tuple[float, float]) -> None:
    left, top, width, height = find_opening([see(*spot, acts=True)], WHOLE)
    assert left >= 0
    assert top >= 0
    assert left + width <= 100
    assert top + height <= 80
    assert (width, height) >= LEAST


def test_a_small_map_is_shown_whole() -> None:
    assert find_opening([see(4, 4)], (0, 0, 8, 8)) == (0, 0, 8, 8)


def test_the_rooms_of_the_people_are_whole_and_other_rooms_are_not_there() -> None:
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
