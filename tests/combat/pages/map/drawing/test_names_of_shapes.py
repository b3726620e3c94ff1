"""What the editor calls a shape: its name, else its kind and number, and what it is besides."""

from __future__ import annotations

import pytest

from combat.pages.map.editor import name_shape, view_shape
from combat.play.scenes.drawing import Shape
from combat.rules.core.space import Light, Obstacle, Wall, Zone


@pytest.mark.parametrize(
    ("home", "shape", "name"),
    [
        ("walls", Wall("w3", 0, 0, 1, 0), "Wall 3"),
        ("walls", Wall("w3", 0, 0, 1, 0, kind="window"), "Window 3"),
        ("walls", Wall("w12", 0, 0, 1, 0, kind="door"), "Door 12"),
        ("walls", Wall("w12", 0, 0, 1, 0, kind="door", open=True), "Door 12, open"),
        ("walls", Wall("w12", 0, 0, 1, 0, kind="door", secret=True), "Door 12, secret"),
        ("walls", Wall("w12", 0, 0, 1, 0, kind="door", open=True, secret=True), "Door 12, open, secret"),
        ("walls", Wall("w3", 0, 0, 1, 0, open=True), "Wall 3"),
        ("walls", Wall("w3", 0, 0, 1, 0, secret=True), "Wall 3, secret"),
        ("walls", Wall("w3", 0, 0, 1, 0, kind="door", name="Hatch", open=True), "Hatch, open"),
        ("obstacles", Obstacle("o2", "", 0, 0, 1, 1), "Obstacle 2"),
        ("obstacles", Obstacle("o2", "Crates", 0, 0, 1, 1), "Crates"),
        ("lights", Light("l4", 0, 0, radius=3), "Light 4"),
        ("zones", Zone("zone1", "Bridge", 0, 0, 3, 3), "Bridge"),
    ],
)
def test_shape_is_called_by_its_name_or_kind(home: str, shape: Shape, name: str) -> None:
    assert name_shape(home, shape) == name


def test_list_says_where_a_shape_is() -> None:
    shown = view_shape("walls", Wall("w3", -1.25, 0, 4, 2.5))
    assert (shown.name, shown.where) == ("Wall 3", "\N{MINUS SIGN}1.2, 0 to 4, 2.5")
