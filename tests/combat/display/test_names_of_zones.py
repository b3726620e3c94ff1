"""Names of zones on the map: each in its zone, and none over another."""

from __future__ import annotations

from itertools import combinations

import pytest

from combat.display.maps.crowd import find_hidden
from combat.display.maps.names import Box, Named, place_names
from combat.display.plotting import outline_area


def zone(name: str, x: float, y: float, width: float, depth: float, hexes: bool = False) -> Named:
    return Named(name, outline_area(x, y, width, depth, hexes))


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


ROOMS = (zone("Hall", 0, 0, 30, 20), zone("Smoke", 0, 0, 8, 8), zone("Kitchen", 0, 12, 10, 8))


def test_name_stands_in_the_corner_of_its_zone() -> None:
    (name,) = place_names(ROOMS[2:], 1.0)
    assert (name.lines, name.spot, name.scale) == (("Kitchen",), (0, 12), 1.0)


@pytest.mark.parametrize("hexes", [False, True])
@pytest.mark.parametrize("many", [2, 5, 12])
def test_zones_of_one_corner_have_names_apart(many: int, hexes: bool) -> None:
    zones = tuple(zone(f"Zone {n}", 0, 0, 6 + n % 3, 5, hexes) for n in range(many))
    names = place_names(zones, 1.0)
    assert [" ".join(name.lines) for name in names] == [each.name for each in zones]
    assert not any(overlap(a.box, b.box) for a, b in combinations(names, 2))


def test_small_zone_keeps_its_corner_and_the_large_one_gives_way_inside() -> None:
    hall, smoke, kitchen = place_names(ROOMS, 1.0)
    assert smoke.spot == (0, 0)
    assert kitchen.spot == (0, 12)
    assert hall.spot != (0, 0)
    left, top, right, low = hall.box
    assert 0 <= left < right <= 30
    assert 0 <= top < low <= 20
    assert hall.scale == 1.0


def test_name_that_finds_no_room_stands_below_its_zone() -> None:
    flat = tuple(zone("Ledge", 0, 0, 4.2, 1) for _ in range(4))
    names = place_names(flat, 1.0)
    assert not any(overlap(a.box, b.box) for a, b in combinations(names, 2))
    assert max(name.box[3] for name in names) > 1


def test_long_name_is_broken_and_never_wider_than_its_zone() -> None:
    (name,) = place_names((zone("Collapsed gantry", 24, 0, 8, 14),), 1.0)
    assert name.lines == ("Collapsed", "gantry")
    assert name.box[2] <= 32


def test_name_gives_way_to_tokens_inside_its_zone() -> None:
    hidden = find_hidden("Ines", (2, 1.5), 1.0, 0) + find_hidden("Rook", (6, 1.5), 1.0, 2.4)
    (name,) = place_names(ROOMS[2:], 1.0, hidden)
    assert not any(overlap(name.box, box) for box in hidden)
    assert name.box[3] <= 20


def test_name_that_tokens_leave_no_room_stands_where_it_did() -> None:
    crowded = ((-5.0, 5.0, 40.0, 40.0),)
    assert place_names(ROOMS[2:], 1.0, crowded) == place_names(ROOMS[2:], 1.0)
