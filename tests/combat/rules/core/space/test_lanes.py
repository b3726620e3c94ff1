"""Roads with two lanes: which zones they are, and the spots in their lanes."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.space import Zone
from combat.rules.core.space.lanes import find_heading, find_lane_spots, has_lanes


def lay(name: str = "Road", width: float = 16, depth: float = 8, **more: Any) -> Zone:
    return Zone("z", name, 10, y=20, width=width, depth=depth, **more)


@pytest.mark.parametrize("name", ["Road", "old streets", "Highway 9"])
def test_a_named_strip_of_two_lanes_is_a_road(name: str) -> None:
    assert has_lanes(lay(name))
    assert has_lanes(lay(name, floor="concrete", kind="outdoors"))


@pytest.mark.parametrize(
    "zone",
    [
        lay("Yard"),
        lay("Broadway"),
        lay(floor="grass"),
        lay(kind="room"),
        lay(width=14, depth=4.9),
        lay(width=8),
        lay("Bridge"),
        lay("Bridge", floor="concrete"),
    ],
)
def test_other_ground_has_no_lanes(zone: Zone) -> None:
    """A square has no direction; a bridge is that of a ship unless it lies outdoors."""
    assert not has_lanes(zone)
    assert find_heading(zone) is None
    assert not list(find_lane_spots(zone, 2))


def test_a_bridge_outdoors_and_the_narrowest_road_have_lanes() -> None:
    assert has_lanes(lay("Bridge", kind="outdoors"))
    assert has_lanes(lay(depth=5))


def test_headings_lie_along_a_road() -> None:
    assert find_heading(lay()) == 90
    assert find_heading(lay(width=8, depth=16)) == 0
    assert find_heading(lay("Yard", width=24)) == 90
    assert find_heading(lay("Yard", width=23)) is None
    assert find_heading(lay("Yard", width=8, depth=24)) is None


def test_spots_are_mid_lane_with_those_of_the_right_lane_first() -> None:
    across = [(spot.x, spot.y, spot.z) for spot in find_lane_spots(lay(width=9, height=3), 4)]
    assert across == [(12, 26, 3), (16, 26, 3), (12, 22, 3), (16, 22, 3)]
    down = [(spot.x, spot.y) for spot in find_lane_spots(lay(width=8, depth=9), 4)]
    assert down == [(16, 22), (16, 26), (12, 22), (12, 26)]
