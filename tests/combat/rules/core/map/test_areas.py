"""Areas thrown at a place, as the second made-up game takes them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.map.areas import Areas, Throw, find_aim
from combat.rules.core.space import Point
from combat.rules.core.state.state import has_condition
from tests.combat.rules.boarders import SYSTEM
from tests.combat.rules.boarders.world import WALKS
from tests.combat.rules.stage import Stage

ADA, RAY, RIK, BEA = "f1", "f2", "f3", "f4"
AREAS = Areas(find_grid=WALKS.find_grid, meters=15, radius=3)


def board(*walls: tuple[float, float, float, float]) -> Stage:
    """Ada, Ray 10 m east of her, Rik 3 m beyond him, and her friend Bea 4 m before him."""
    stage = Stage(SYSTEM)
    people = (("Ada", "allies", 0), ("Ray", "enemies", 10), ("Rik", "enemies", 13), ("Bea", "allies", 6))
    for name, side, x in people:
        stage.add(name, side, (x, 0), {"hits": 10})
    drawn: list[dict[str, Any]] = [
        {"id": f"w{n}", "kind": "wall", "x1": x1, "y1": y1, "x2": x2, "y2": y2}
        for n, (x1, y1, x2, y2) in enumerate(walls)
    ]
    if drawn:
        stage.do("set_map", map={"walls": drawn})
    return stage


def throw(at: str) -> Throw:
    return Throw(actor=ADA, at=at)


def test_aim_is_someone_or_a_place() -> None:
    state = board().state
    assert find_aim(state, "near:f2") == Point(10, 0)
    assert find_aim(state, "4.5,-2") == Point(4.5, -2)


def test_all_within_the_radius_are_caught_up_to_its_edge() -> None:
    state = board().state
    assert AREAS.find_caught(state, throw("near:f2")) == (RAY, RIK)
    assert AREAS.find_caught(state, throw("9,0")) == (RAY, BEA)
    assert replace(AREAS, radius=2.9).find_caught(state, throw("near:f2")) == (RAY,)
    (circle,) = AREAS.find_area(state, throw("near:f2"))
    assert (circle.kind, circle.at, circle.meters) == ("circle", Point(10, 0), 3)


def test_range_ends_at_its_meters() -> None:
    state = board().state
    assert AREAS.find_middle(state, throw("15,0")) == Point(15, 0)
    with pytest.raises(Refused, match=r"reaches 15 m, that is 15\.5 m away") as refused:
        AREAS.find_middle(state, throw("15.5,0"))
    assert refused.value.code == "out_of_range"


def test_wall_stops_the_flight_and_protects() -> None:
    behind = board((8, -9, 8, 9)).state
    middle = AREAS.find_middle(behind, throw("near:f2"))
    assert 7 <= middle.x < 8
    assert AREAS.find_caught(behind, throw("near:f2")) == (BEA,)
    between = board((11.5, -2, 11.5, 2)).state
    assert AREAS.find_middle(between, throw("near:f2")) == Point(10, 0)
    assert AREAS.find_caught(between, throw("near:f2")) == (RAY,)


def test_spared_are_neither_caught_nor_offered() -> None:
    stage = board()
    stage.give(RIK, "down")
    areas = replace(AREAS, spares=lambda one: has_condition(one, "down"))
    assert areas.find_caught(stage.state, throw("near:f2")) == (RAY,)
    assert [one.value for one in areas.find_fields(stage.state, ADA)[0].options] == ["near:f2", "near:f4"]


def test_form_offers_the_nearest_enemies_first() -> None:
    stage = board()
    (field,) = AREAS.find_fields(stage.state, ADA)
    assert [one.value for one in field.options] == ["near:f2", "near:f3", "near:f4"]
    assert [one.detail for one in field.options] == ["10 m", "13 m", "6 m"]
    assert field.value == "near:f2"
    (short,) = replace(AREAS, meters=7).find_fields(stage.state, ADA)
    assert short.value == "near:f4"
    assert "reaches 7 m" in short.options[0].refused


def test_best_throw_catches_most_enemies_and_no_friend() -> None:
    stage = board()
    foes = [stage[RAY], stage[RIK]]
    assert AREAS.find_best(stage.state, ADA, foes) == (throw("near:f2"), 2)
    stage.edit(BEA, at=Point(8, 0))
    assert AREAS.find_best(stage.state, ADA, foes) == (throw("near:f3"), 2)
    stage.edit(BEA, at=Point(11, 0))
    assert AREAS.find_best(stage.state, ADA, foes) is None
    stage.edit(BEA, at=Point(0, 5))
    assert AREAS.find_best(stage.state, ADA, foes[::-1]) == (throw("near:f3"), 2)
    assert replace(AREAS, meters=12).find_best(stage.state, ADA, foes[1:]) is None


def test_best_throw_knows_nothing_of_the_hidden() -> None:
    stage = board()
    stage.do("hide", target=RIK, hidden=True)
    assert AREAS.find_best(stage.state, ADA, [stage[RAY]]) == (throw("near:f2"), 1)
