"""The points of drawn shapes: what the pointer takes hold of, and what the editor's fields say."""

from __future__ import annotations

import pytest

from combat.pages.map.editor import view_drawn, view_shape
from combat.play.scenes.drawing import Shape, draw, find_map_changes, find_sides, points_of
from combat.play.scenes.ready import find_ready_scene
from combat.rules import find_system
from combat.rules.core.space import Light, Point, Scene, Wall, Zone, map_of
from combat.rules.core.space.battle_map import Area, BattleMap, Obstacle
from combat.rules.core.state.state import replace
from tests.typed import as_a

# Each side has its own length, so that no two of them can stand for each other
SHAPES: dict[str, tuple[Shape, Point, Point]] = {
    "zones": (Zone("z", "Lock", -3, 2, 6, 1.5), Point(-3, 2), Point(3, 3.5)),
    "walls": (Wall("w", 4, -1, 0.5, 7), Point(4, -1), Point(0.5, 7)),
    "obstacles": (Obstacle("o", "Crate", -3, 2, 6, 1.5), Point(-3, 2), Point(3, 3.5)),
    "hidden": (Area("a", 1, 9, 2, 0.25), Point(1, 9), Point(3, 9.25)),
    "lights": (Light("l", 2, 5, radius=4), Point(2, 5), Point(6, 5)),
}


@pytest.mark.parametrize("home", SHAPES)
def test_shape_lies_between_its_two_points(home: str) -> None:
    shape, *points = SHAPES[home]
    assert points_of(shape) == tuple(points)
    sides = find_sides(type(shape), *points)
    assert {name: getattr(shape, name) for name in sides.keys() - {"parts"}}.items() <= sides.items()


def test_box_drawn_from_any_corner_is_the_same_box() -> None:
    corners = [(-3, 2), (3, 3.5), (-3, 3.5), (3, 2)]
    opposite = [(3, 3.5), (-3, 2), (3, 2), (-3, 3.5)]
    drawn = [find_sides(Obstacle, Point(*a), Point(*b)) for a, b in zip(corners, opposite, strict=True)]
    assert drawn == [{"x": -3, "y": 2, "width": 6, "depth": 1.5}] * 4


def test_editor_says_both_points_and_hands_them_to_the_pointer() -> None:
    zone, crate = as_a(SHAPES["zones"][0], Zone), as_a(SHAPES["obstacles"][0], Obstacle)
    assert view_shape("obstacles", crate).where == "−3, 2 to 3, 3.5"
    system = find_system("cosmos")
    scene = Scene("Ship", (zone,), map=BattleMap(obstacles=(crate,)))
    drawn = view_drawn(system, replace(system.begin(), scene=scene))
    assert drawn.spots == [["zones:z", "box", -3, 2, 3, 3.5], ["obstacles:o", "box", -3, 2, 3, 3.5]]


def test_drawing_on_a_deck_has_its_height_and_leaves_decks_alone() -> None:
    ship = find_ready_scene("free_trader").scene
    for x, height in ((8, 0), (38, 3)):
        drawn, _ = draw(ship, "zone", (Point(x, 2), Point(x + 2, 4)))
        assert drawn.zones[-1].height == height
    drawn, _ = draw(ship, "obstacle", (Point(8, 6), Point(9, 7)))
    assert map_of(drawn).decks == map_of(ship).decks
    assert set(find_map_changes(map_of(ship), map_of(drawn))) == {"obstacles"}
