"""Overlapping tokens are moved apart so that each can be read and tapped."""

from __future__ import annotations

from itertools import combinations
from math import dist
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.audience.viewer import GM
from combat.display.combatants.tokens import Look
from combat.display.map.scene import lay_out, view_scene
from combat.display.map.token_names import FEW, find_name_box
from combat.display.plane.crowd import (
    CLEAR,
    MIN_SIZE,
    NAMES_AT,
    TOKEN_METERS,
    WIDE,
    find_name,
    place_name,
    spread,
    step_aside,
)
from combat.display.plane.names import Box
from combat.display.shapes.scene_shapes import SceneView, Token
from combat.pages.home.pictures import play_steps
from combat.pages.table.rows import view_combatants
from combat.rules import find_system
from combat.rules.core.space import BattleMap, Scene, Wall, Zone
from combat.rules.core.state.state import replace
from tests.combat.rules.games import every_slug

PLACES = st.tuples(st.integers(0, 12), st.integers(0, 12))


def test_who_has_room_stays_as_they_are() -> None:
    spots = [(0.0, 0.0), (2.3, 0.0), (0.0, 5.0)]
    assert spread(spots, 1.0) == [(spot, 1.0) for spot in spots]


def test_people_two_meters_apart_have_smaller_tokens_of_one_size() -> None:
    spots = [(0.0, 0.0), (2.0, 0.0), (20.0, 0.0)]
    assert spread(spots, 1.2) == [(spot, 2 / TOKEN_METERS) for spot in spots]
    found = spread(spots, 2.0)
    assert {size for _, size in found} == {MIN_SIZE * 2.0}
    assert found[2] == ((20.0, 0.0), MIN_SIZE * 2.0)


def test_several_in_one_place_are_drawn_round_it() -> None:
    found = spread([(4, 4), (4, 4), (4, 4)], 1.0)
    for (a, size), (b, _) in combinations(found, 2):
        assert dist(a, b) > CLEAR * size * TOKEN_METERS * 0.7
        assert dist(a, (4, 4)) < TOKEN_METERS


def test_name_stands_below_its_token_unless_another_is_there() -> None:
    below, above = NAMES_AT
    one, under, over, beside = (5.0, 5.0), (5.0, 7.3), (5.0, 2.7), (7.6, 5.0)
    for others, wanted in (([beside], below), ([under], above), ([under, over], 0)):
        drawn = [(spot, 1.0) for spot in (one, *others)]
        assert place_name("Boarder", one, 1.0, drawn) == wanted


def test_name_stands_clear_of_other_names() -> None:
    below, above = NAMES_AT
    one, beside = (5.0, 5.0), (8.0, 5.0)
    drawn = [(one, 1.0), (beside, 1.0)]
    names = [find_name("Zara Chen", one, 1.0, below)]
    assert place_name("Jo", beside, 1.0, drawn, names) == below
    assert place_name("Zara Chang", beside, 1.0, drawn, names) == above
    both = [*names, find_name("Zara Chen", one, 1.0, above)]
    assert place_name("Zara Chang", beside, 1.0, drawn, both) == 0


def test_name_is_not_under_the_rim_of_a_token_beside_it() -> None:
    assert place_name("Zara", (4, 2), 1.0, [((4, 2), 1.0), ((2, 4), 1.0)]) == NAMES_AT[1]


def name_boxes(*walls: Wall) -> list[Box]:
    """The boxes of the names of two people, one above the other."""
    tokens = tuple(
        Token(
            name,
            name,
            x,
            y,
            active=False,
            is_out=False,
            spot=(x, y),
            look=Look("is-ally", "person"),
            played=True,
        )
        for name, x, y in (("Otis", 1.0, 1.0), ("Nia", 1.0, 3.6))
    )
    return [find_name_box(one) for one in lay_out(tokens, 1.0, walls)]


def test_name_stands_beside_its_token_rather_than_across_a_wall() -> None:
    hull = Wall("w1", -3, -0.5, 20, -0.5)
    left, top, right, low = -3, -0.7, 20, -0.3
    assert any(box[1] < low and box[3] > top for box in name_boxes()), "first: it would be there"
    boxes = name_boxes(hull)
    assert len(boxes) == 2
    assert not any(box[0] < right and left < box[2] and box[1] < low and top < box[3] for box in boxes)


def test_name_lies_across_a_wall_rather_than_nowhere() -> None:
    maze = [Wall(f"w{n}", -9, n, 20, n) for n in range(-4, 9)]
    assert len(name_boxes(*maze)) == 2


def test_everyone_in_a_crowd_has_a_name_where_there_is_room() -> None:
    """Players and foes alike: a number would stand for the name."""
    people = tuple(
        Token(f"f{n}", f"Rook {chr(65 + n)}", 8.0 * n, 0, active=False, is_out=False, spot=(8.0 * n, 0),
              look=Look("is-foe", "person"))
        for n in range(FEW + 2)
    )  # fmt: skip
    assert {one.name_at for one in lay_out(people, 1.0)} == {NAMES_AT[0]}


@given(st.lists(PLACES, max_size=12), st.sampled_from([0.5, 1.0, 2.0]))
def test_everybody_is_drawn_near_where_they_are(spots: list[tuple[int, int]], scale: float) -> None:
    found = spread([(float(x), float(y)) for x, y in spots], scale)
    assert len(found) == len(spots)
    sizes = {size for _, size in found}
    assert len(sizes) <= 1, "people in a crowd are as large as those alone"
    assert all(MIN_SIZE * scale <= size <= scale for size in sizes)


def test_no_name_on_the_map_is_written_over_another() -> None:
    """Zara stands beside Jo and a little lower: a name above her would cover Jo's."""
    spots = {"Vex Tarn": (9.0, 9.0), "Zara Chen": (9.0, 11.4), "Jo Ngata": (10.6, 6.6), "Sniper": (6.6, 11.4)}
    tokens = tuple(
        Token(name, name, *spot, active=False, is_out=False, spot=spot, look=Look("is-ally", "person"))
        for name, spot in spots.items()
    )
    named = [one for one in lay_out(tokens, 0.9) if one.name_at]
    boxes = [find_name_box(one) for one in named]
    assert len(named) >= 3
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_people_stand_in_squares_of_drawn_scenes_else_are_larger() -> None:
    """A token is two squares wide at scale 1, so half of that fits a square; wide maps need larger ones."""
    system = find_system("cosmos")

    def draw(width: float, **built: Any) -> SceneView:
        zones = (Zone("z1", "Hall", 0, 0, width, 10),)
        scene = Scene("Hall", zones, map=BattleMap(**built)) if built else Scene("Hall", zones)
        return view_scene(system, replace(system.begin(), scene=scene), {})

    wall = (Wall("w1", 0, 0, 5, 0),)
    for width, scale in ((20, 0.5), (60, 1.3)):
        drawn, free = draw(width, walls=wall), draw(width)
        assert drawn.scale == pytest.approx(max(0.5, drawn.box[2] / 48))
        assert drawn.scale == pytest.approx(scale, abs=0.1)
        assert free.scale == pytest.approx(free.box[2] / 30)
        assert free.scale > drawn.scale
    wide = draw(60, walls=wall, cell=3.0)
    assert wide.scale == pytest.approx(1.5), "a square of 3 m"


@every_slug
def test_tokens_at_the_edge_of_a_scene_are_drawn_whole(slug: str) -> None:
    """Names in a wide scene are many meters wide; a margin of one meter around the road cut them off."""
    for demo in find_system(slug).demo.make_all():
        *_, (state, _) = play_steps(find_system(slug), demo.setup)
        views = view_combatants(find_system(slug), state, GM)
        scene = view_scene(find_system(slug), state, views)
        left, top, width, height = scene.box
        for token in scene.tokens:
            half = TOKEN_METERS * token.scale / 2
            assert left <= token.spot[0] - half <= token.spot[0] + half <= left + width
            assert top <= token.spot[1] - half <= token.spot[1] + half <= top + height


def test_no_vehicle_is_drawn_over_another_on_a_wide_scene() -> None:
    cars = tuple(
        Token(name, name, x, 6, False, False, (x, 6), Look("is-ally", "car"), meters=5.0)
        for name, x in (("Courier car", 60.0), ("Black car", 30.0))
    )
    one, other = lay_out(cars, 20.0)
    assert one.look.is_vehicle
    assert dist(one.spot, other.spot) >= (one.scale + other.scale) / 2 * TOKEN_METERS - 0.02


@pytest.mark.parametrize("number", [4, 6, 9])
def test_many_in_one_place_stand_side_by_side_around_it(number: int) -> None:
    """No token covers another one, also beside others, and all are as far from their place."""
    found = spread([(20.0, 5.0), *((4.0, 4.0),) * number], 1.0)
    assert found[0] == ((20.0, 5.0), MIN_SIZE)
    spots, width = [spot for spot, _ in found[1:]], MIN_SIZE * TOKEN_METERS
    assert min(dist(one, other) for one, other in combinations(spots, 2)) > width - 0.02
    assert max(dist(spot, (4, 4)) for spot in spots) - min(dist(spot, (4, 4)) for spot in spots) < 0.02


def test_people_are_drawn_beside_a_vehicle_larger_than_life() -> None:
    car = ((10.0, 10.0), 12.0, 90.0)  # drawn 12 m long, heading right
    half, long = WIDE * 6 + TOKEN_METERS / 2, 6 + TOKEN_METERS / 2
    assert step_aside((11.0, 10.5), 1.0, [car]) == pytest.approx((11.0, 10 + half))
    assert step_aside((11.0, 9.5), 1.0, [car]) == pytest.approx((11.0, 10 - half))
    assert step_aside((11.0, 10 + half), 1.0, [car]) == pytest.approx((11.0, 10 + half))
    assert step_aside((15.0, 10.0), 1.0, [car]) == pytest.approx((10 + long, 10.0))
    assert step_aside((5.0, 10.0), 1.0, [car]) == pytest.approx((10 - long, 10.0))
    assert step_aside((18.0, 10.0), 1.0, [car]) == (18.0, 10.0)
    up = ((10.0, 10.0), 12.0, 0.0)
    assert step_aside((10.5, 11.0), 1.0, [up]) == pytest.approx((10 + half, 11.0))
    assert step_aside((9.5, 11.0), 1.0, [up]) == pytest.approx((10 - half, 11.0))
    assert step_aside((10.0, 18.0), 1.0, [up]) == (10.0, 18.0)


def test_they_stay_in_their_zone_if_there_is_room() -> None:
    car, half = ((10.0, 10.0), 12.0, 90.0), WIDE * 6 + TOKEN_METERS / 2
    assert step_aside((11.0, 10.5), 1.0, [car], lambda at: at[1] < 11) == pytest.approx((11.0, 10 - half))
    long = 6 + TOKEN_METERS / 2
    assert step_aside((11.0, 10.5), 1.0, [car], lambda at: 9 < at[1] < 11) == pytest.approx((10 + long, 10.5))
    assert step_aside((11.0, 10.5), 1.0, [car], lambda at: False) == pytest.approx((11.0, 10 + half))


def test_people_on_foot_are_not_drawn_over_their_car() -> None:
    ride = Token("f1", "Car", 10, 10, False, False, (10.0, 10.0), Look("", bust="car", heading=90), meters=4)
    people = [
        Token(who, who, x, 10, False, False, (x, 10.0), Look("", face="ada"))
        for who, x in (("f2", 9), ("f3", 11))
    ]
    drawn = {one.id: one for one in lay_out((ride, *people), 5.0, zone_of=lambda at: 4 < at[1] < 16)}
    for who in ("f2", "f3"):
        along, across = (abs(drawn[who].spot[n] - 10) for n in (0, 1))
        least = TOKEN_METERS * drawn[who].scale * CLEAR / 2
        length = TOKEN_METERS * drawn["f1"].scale
        assert along > length / 2 + least or across > WIDE * length / 2 + least
    at_scale = {one.id: one for one in lay_out((ride, *people), 0.5)}
    assert at_scale["f3"].spot == (11.0, 10.0), "a car in true size is where it is"
