"""Decks as a stack: added, ordered, aligned, removed; ways that stand on two of them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Raw, convert

from combat.play.scenes import drawing, stacking
from combat.play.scenes.ready import find_ready_scene
from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Point, Scene, map_of
from combat.rules.core.space.decks import box_of, find_ends, is_within
from combat.rules.core.space.ground import is_ground

ROOM = {"zones": [{"id": "z", "name": "Hold", "width": 8, "depth": 6}], "map": {"walls": []}}
EMPTY: dict[str, Any] = {}


def make_two() -> Scene:
    """A room of 8 by 6 m, with a deck above it."""
    return stacking.add_deck(convert(ROOM, Scene), above=True, cell=1.5)


def draw_way(scene: Scene, *points: Point) -> Scene:
    return drawing.draw(scene, "way", points)[0]


def test_first_deck_is_around_the_drawing_and_the_next_beside_it() -> None:
    low, high = map_of(make_two()).decks
    assert (low.x, low.y, low.width, low.depth, low.height, low.shift) == (-1, -1, 10, 8, 0, 0)
    assert (high.x - high.shift, high.y, high.height) == (low.x, low.y, 3)
    assert high.shift % 1.5 == 0, "squares lie above squares"
    assert high.x >= low.x + low.width + 1
    with pytest.raises(Refused, match="Draw the first deck"):
        stacking.add_deck(convert(EMPTY, Scene), above=True, cell=1)


def test_decks_are_added_at_both_ends_up_to_eight() -> None:
    scene = make_two()
    scene = stacking.add_deck(stacking.change_deck(scene, "deck2", height=4.0), above=True, cell=1)
    scene = stacking.add_deck(scene, above=False, cell=1)
    assert [deck.height for deck in stacking.sort_decks(map_of(scene))] == [-4, 0, 4, 8]
    for _ in range(4):
        scene = stacking.add_deck(scene, above=True, cell=1)
    with pytest.raises(Refused, match="up to 8 decks"):
        stacking.add_deck(scene, above=True, cell=1)


def test_a_way_is_drawn_once_and_stands_on_both() -> None:
    two = make_two()
    high = map_of(two).decks[1]
    for x in (3, 3 + high.shift):  # from below, from above
        (way,) = map_of(draw_way(two, Point(x, 2))).ways
        assert (way.x1, way.y1, way.x2, way.y2) == (3, 2, 3 + high.shift, 2)
        assert (way.kind, way.hole) == ("ladder", None)
    (shaft,) = map_of(draw_way(two, Point(4, 1), Point(7, 3))).ways
    assert (shaft.kind, shaft.hole) == ("shaft", (4 + high.shift, 1, 3, 2))
    assert shaft.hole is not None
    assert not is_within(shaft.hole, shaft.x2, shaft.y2)
    moved = map_of(
        drawing.reshape(draw_way(two, Point(4, 1), Point(7, 3)), "ways", "way1", (Point(5, 2), Point(20, 2)))
    )
    assert moved.ways[0].hole == (20 + 0.5, 1, 3, 2)


def test_a_way_that_cannot_stand_on_both_is_refused() -> None:
    two = make_two()
    with pytest.raises(Refused, match="add a deck"):
        draw_way(convert(ROOM, Scene), Point(3, 2))
    with pytest.raises(Refused, match="inside one of them"):
        draw_way(two, Point(100, 2))
    short = stacking.change_deck(two, "deck2", width=2.0)
    with pytest.raises(Refused, match="Deck 2 does not reach"):
        draw_way(short, Point(6, 2))
    with pytest.raises(Refused, match="beside all decks"):
        drawing.draw(two, "wall", (Point(3, 2), Point(100, 2)))
    with pytest.raises(Refused, match="two points"):
        drawing.draw(two, "wall", (Point(3, 2),))


def test_decks_that_change_places_turn_their_ways() -> None:
    scene = draw_way(make_two(), Point(4, 1), Point(7, 3))
    scene, _ = drawing.draw(scene, "zone", (Point(15, 1), Point(18, 3)), "Loft")
    assert scene.zones[-1].height == 3
    turned = stacking.move_deck(scene, "deck1", up=True)
    built = map_of(turned)
    low, high = stacking.sort_decks(built)
    assert (low.id, high.id) == ("deck2", "deck1")
    assert find_ends(built.decks, built.ways[0]) == (low, high)
    assert built.ways[0].hole == (4.0, 1.0, 3.0, 2.0)
    assert [zone.height for zone in turned.zones] == [3, 0]
    assert stacking.move_deck(turned, "deck1", up=False) == scene
    with pytest.raises(Refused, match="lowest deck already"):
        stacking.move_deck(scene, "deck1", up=False)


def test_a_deck_is_aligned_and_laid_exactly_over_the_one_below() -> None:
    scene = draw_way(make_two(), Point(3, 2))
    built = map_of(scene)
    assert stacking.find_offset(built, built.decks[1]) == (0, 0)
    off = stacking.align_deck(scene, "deck2", 1.0, down=2.0)
    built = map_of(off)
    assert (built.decks[1].shift, built.decks[1].y) == (map_of(scene).decks[1].shift - 1, 1)
    assert (built.ways[0].y1, built.ways[0].y2) == (2, 4)
    assert stacking.find_offset(built, built.decks[1]) == (-1, -2)
    assert stacking.lay_over(off, "deck2") == scene
    with pytest.raises(Refused, match="Draw a way"):
        stacking.lay_over(make_two(), "deck2")


@pytest.mark.parametrize("key", ["free_trader", "patrol_cutter", "station_ring", "town_house"])
def test_a_removed_deck_takes_all_that_lies_on_it(key: str) -> None:
    scene = find_ready_scene(key).scene
    before = map_of(scene)
    gone = stacking.sort_decks(before)[-1]
    after = stacking.remove_deck(scene, gone.id)
    box = box_of(gone)
    assert not any(is_within(box, zone.x + zone.width / 2, zone.y + zone.depth / 2) for zone in after.zones)
    assert not any(is_within(box, light.x, light.y) for light in map_of(after).lights)
    assert 0 < len(after.zones) < len(scene.zones)
    left = map_of(after)
    assert all(find_ends(left.decks, way) for way in left.ways)
    assert bool(left.decks) == (len(before.decks) > 2)


def test_last_decks_zones_keep_their_height_above_its_ground() -> None:
    scene = find_ready_scene("town_house").scene
    decks = stacking.sort_decks(map_of(scene))
    for deck in decks[:-1]:
        scene = stacking.remove_deck(scene, deck.id)
    assert decks[-1].height > 0
    assert {zone.height for zone in scene.zones} == {0}


@pytest.mark.parametrize("key", ["free_trader", "patrol_cutter", "station_ring", "town_house"])
def test_a_deck_that_goes_down_and_up_again_is_as_before(key: str) -> None:
    scene = find_ready_scene(key).scene
    for deck in map_of(scene).decks:
        moved = stacking.align_deck(scene, deck.id, 2.0, down=3.0)
        assert moved != scene
        assert stacking.align_deck(moved, deck.id, -2.0, down=-3.0) == scene


@pytest.mark.parametrize(
    ("named", "levels", "is_there"),
    [
        (b'["a"]', ("a", "b"), True),
        (b'["a", "b"]', ("b",), True),
        (b'["a"]', ("b",), False),
        (b"[]", ("b",), True),
        (b"null", ("b",), True),
        (b'"a"', ("b",), True),
    ],
)
def test_a_wall_that_names_no_level_is_on_each(named: bytes, levels: tuple[str, ...], is_there: bool) -> None:
    assert stacking.is_on(Raw(named), levels) is is_there


def test_all_of_a_deck_is_ground_and_nothing_beside_it() -> None:
    two = make_two()
    for deck in map_of(two).decks:
        assert is_ground(two, Point(deck.x + 0.2, deck.y + 0.2)), "in no zone, but on the floor"
        assert not is_ground(two, Point(deck.x + 0.2, deck.y - 20))
