"""Cover and sight on the battle map, in the rows of the table of cover."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.world.cover import find_cover, look
from combat.rules.cepheus.world.scene import find_light
from combat.rules.cepheus.world.sight_lines import look_between
from combat.rules.core.space import Point
from tests.combat.rules.cepheus.fight.range import duel
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage, lone

CRATE = {"id": "c", "name": "Crate", "x": 12, "width": 1, "cover": "full"}
WALL = {"id": "w", "x1": 6, "y1": -9, "x2": 6, "y2": 9}


def across(meters: float = 15, **parts: Any) -> CepheusStage:
    stage = lone("Ada", at=(0, 0))
    stage.foe("Zed", at=(meters, 0))
    stage.do("set_map", map=parts)
    return stage


@pytest.mark.rule("CE-COVER-01", "CE-COVER-02", "CE-MOD-02")
@pytest.mark.parametrize(
    ("top", "kind", "dm"),
    [
        pytest.param(0.9, "", 0),
        pytest.param(0.65, "quarter", 0, marks=pytest.mark.rule("CE-COVER-06")),
        pytest.param(0.5, "half", -1, marks=pytest.mark.rule("CE-COVER-07")),
        pytest.param(-0.45, "three_quarter", -2, marks=pytest.mark.rule("CE-COVER-08")),
        pytest.param(-0.9, "full", -4, marks=pytest.mark.rule("CE-COVER-09")),
    ],
)
def test_each_quarter_of_the_lines_is_a_row(top: float, kind: str, dm: int) -> None:
    stage = across(obstacles=[{**CRATE, "y": top, "depth": 3}])
    assert look_between(stage.state, stage[ADA], stage[BO]).find_cover(sees_heat=False)[0] == kind
    assert find_cover(stage.state, ADA, BO).dm == dm


@pytest.mark.rule("CE-COVER-07")
def test_a_crate_gives_no_more_than_its_own_row() -> None:
    stage = across(obstacles=[{**CRATE, "y": -2, "depth": 4, "cover": "half"}])
    assert find_cover(stage.state, ADA, BO).key == "half"


@pytest.mark.rule("CE-COVER-03")
def test_the_crouched_are_a_step_better_off_behind_it() -> None:
    stage = across(obstacles=[{**CRATE, "y": -2, "depth": 4, "cover": "half"}])
    stage.give(BO, "crouched")
    found = look(stage.state, stage[ADA], stage[BO])
    assert (found.cover, found.rule) == ("three_quarter", "CE-COVER-08")
    assert stage.system.draw(found.label) == "Three-quarter cover: 16 of 16 lines cross the crate"


@pytest.mark.rule("CE-COVER-07")
@pytest.mark.parametrize(("kinds", "found"), [(("half_soft",), "half_soft"), (("half_soft", "half"), "half")])
def test_what_is_hard_makes_cover_hard(kinds: tuple[str, ...], found: str) -> None:
    things = [
        {**CRATE, "id": f"c{n}", "x": 6 + 3 * n, "y": -2, "depth": 4, "cover": kind}
        for n, kind in enumerate(kinds)
    ]
    stage = across(obstacles=things)
    assert look_between(stage.state, stage[ADA], stage[BO]).find_cover(sees_heat=False)[0] == found


def armed(**parts: Any) -> tuple[CepheusStage, str]:
    """Ada with a rifle in hand, fifteen meters from Zed, and a map between them."""
    stage = duel("rifle", 15)
    stage.do("set_map", map=parts)
    return stage, stage[ADA].items[0].id


@pytest.mark.rule("CE-BLIND-01", "CE-COVER-01")
def test_nobody_sees_or_shoots_through_a_wall() -> None:
    stage, gun = armed(walls=[WALL])
    assert not look(stage.state, stage[ADA], stage[BO]).seen
    refused = stage.refused("attack", ADA, target=BO, weapon=gun)
    assert refused.message == f"{stage[ADA].name} cannot see {stage[BO].name}: move, or fire blindly."


@pytest.mark.rule("CE-COVER-01")
def test_armored_glass_is_seen_through_and_not_shot_through() -> None:
    stage, gun = armed(walls=[{**WALL, "kind": "window", "name": "Viewport", "blocks_sight": False}])
    assert look(stage.state, stage[ADA], stage[BO]).seen
    refused = stage.refused("attack", ADA, target=BO, weapon=gun)
    assert refused.message.endswith(f"can see {stage[BO].name}, but the viewport is in the way: move.")


@pytest.mark.rule("CE-MOD-02")
def test_the_gm_says_otherwise_for_one_attack() -> None:
    stage, gun = armed(obstacles=[{**CRATE, "x": 7, "y": -0.9, "depth": 4, "cover": "full"}])

    def count(cover: str) -> list[int]:
        terms = stage.preview("attack", ADA, target=BO, weapon=gun, cover=cover).modifiers
        return [term.value for term in terms if term.rule.startswith("CE-COVER")]

    assert (count("none"), count("half")) == ([], [-1])
    fields = stage.system.action("attack").find_fields(stage.state, ADA)
    assert [field.value for field in fields if field.name == "cover"] == [""]


@pytest.mark.rule("CE-COND-01", "CE-COND-02")
def test_a_lamp_of_the_map_lights_its_surroundings() -> None:
    stage = across(20)
    stage.do("set_setting", key="light", value="dark")
    places = (Point(20, 0), Point(40, 0))
    assert [find_light(stage.state, place) for place in places] == ["dark", "dark"]
    stage.do("set_map", map={"lights": [{"id": "a", "x": 22, "y": 0, "radius": 6, "kind": "low_light"}]})
    assert [find_light(stage.state, place) for place in places] == ["low_light", "dark"]
    stage.do("change_map", lights=[{"id": "b", "x": 18, "y": 0, "radius": 6}])
    assert find_light(stage.state, places[0]) == "light"
    stage.do("change_map", walls=[{"id": "w", "x1": 19, "y1": -9, "x2": 19, "y2": 9}])
    assert find_light(stage.state, places[0]) == "low_light"


@pytest.mark.rule("CE-SUPP-01")
def test_nobody_is_suppressed_through_a_wall() -> None:
    stage = duel("assault_rifle")
    middle = stage[BO].at.x / 2
    wall = {"id": "w", "x1": middle, "y1": -30, "x2": middle, "y2": 30}
    stage.do("set_map", map={"walls": [wall]})
    refused = stage.refused("suppress", ADA, target=BO, weapon=f"{ADA}-w1")
    assert (refused.code, refused.message) == (
        "bad_target",
        "A wall stands between Ada and Bo: no shot comes near.",
    )
    stage.do("set_map", map={"walls": [{**wall, "kind": "door", "open": True}]})
    stage.preview("suppress", ADA, target=BO, weapon=f"{ADA}-w1")
