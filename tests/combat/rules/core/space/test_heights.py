"""Heights of zones on decks: said above their deck, and taken from it where they lie in another."""

from __future__ import annotations

import pytest

from combat.rules.core.space import BattleMap, Point, Scene, Zone, on_ground
from combat.rules.core.space.barriers import barriers_of
from combat.rules.core.space.decks import Deck, Passage
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.plane import find_height, find_rise, lay_zone, settle_zones
from combat.rules.core.space.rays.fog import make_window
from combat.rules.core.space.rays.sight import Body, find_through, sees

LOW = Deck("low", "Hold", 0, 0, width=20, depth=20)
MIDDLE = Deck("middle", "Lounge", 30, 0, width=20, depth=20, height=3, shift=30)
HIGH = Deck("high", "Bridge", 60, 0, width=20, depth=20, height=6, shift=60)
TOWER = Deck("tower", "Tower", 90, 0, width=20, depth=20, height=3)
DECKS = (LOW, MIDDLE, HIGH, TOWER)
HOLE = Passage("p", "gallery", 0, 0, 30, 0, hole=(34, 4, 6, 6))
SHIP = BattleMap(decks=DECKS, ways=(HOLE,))


def zone_at(x: float, height: float) -> Zone:
    return Zone("z", "Zone", x + 1, y=1, width=18, depth=18, height=height)


@pytest.mark.parametrize(
    ("x", "height", "is_at"),
    [
        *((30, 0, 3), (30, 3, 3), (30, 4.5, 4.5), (30, 2, 2), (30, 6, 3), (30, 100, 3), (30, -5, 3)),
        *((60, 0, 6), (60, 3, 6), (60, 3.5, 3.5), (60, 1000, 1000)),
        *((0, 0, 0), (0, -8, -8), (0, 2.9, 2.9), (0, 3, 0)),
        *((90, 40, 40), (90, -2, -2)),  # nothing lies over or under it
        (200, 7, 7),  # beside all decks
    ],
)
def test_ground_of_a_zone_lies_between_the_decks_below_and_above(
    x: float, height: float, is_at: float
) -> None:
    zone = zone_at(x, height)
    scene = Scene(zones=(zone,), map=SHIP)
    assert find_height(scene, zone) == is_at
    assert on_ground(scene, Point(x + 2, 2)).z == is_at
    floor = next((d.height for d in DECKS if d.x == x), 0)
    assert find_rise(scene, zone) == is_at - floor
    assert settle_zones(scene).zones[0].height == is_at


@pytest.mark.parametrize("x", [0, 30, 60, 90, 200])
@pytest.mark.parametrize("rise", [0, 1.5, -1])
def test_a_new_zone_says_how_high_it_is_above_its_deck(x: float, rise: float) -> None:
    laid = lay_zone(DECKS, zone_at(x, 77), rise)
    scene = Scene(zones=(laid,), map=SHIP)
    assert find_rise(scene, laid) == rise
    assert lay_zone(DECKS, laid, find_rise(scene, laid)) == laid, "what a form shows, it keeps"


def test_a_zone_over_two_decks_is_on_the_floor_of_each() -> None:
    scene = Scene(zones=(Zone("z", "Zone", 10, y=1, width=42, depth=18, height=0),), map=SHIP)
    assert (on_ground(scene, Point(12, 2)).z, on_ground(scene, Point(40, 2)).z) == (0, 3)


@pytest.mark.parametrize("low", [0, 3, 2.9, 6, -4, 1000])
@pytest.mark.parametrize("high", [0, 3, 4.5, 6, -4, 1000])
def test_people_at_any_heights_on_two_decks_are_asked_for_lines(low: float, high: float) -> None:
    """An older fight has people at the height of another deck: nothing divides by their difference."""
    below, above = Body(Point(5, 7, low)), Body(Point(36, 6, high, 30))
    seen = sees(SHIP, Grid(), below, above)
    assert seen == sees(SHIP, Grid(), above, below)
    assert seen or (low, high) != (0, 0), "who is said to be at 0 stands on the floor of the upper deck"
    window = make_window(SHIP, (), (), cell=1, hexes=False)
    for body in (below, above):
        assert isinstance(find_through(barriers_of(SHIP), window, body.at), dict)
