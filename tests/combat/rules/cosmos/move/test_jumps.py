"""Jumps: by gravity, as movement of a turn, and stopped by walls."""

from __future__ import annotations

from typing import Any

import pytest

from tests.combat.rules.cosmos.figures import CosmosStage, lone


@pytest.mark.rule("COS-ENV-05")
@pytest.mark.parametrize(
    ("gravity", "more", "meters"),
    [("normal", {}, 2), ("low", {}, 4), ("normal", {"abilities": {"jump_multiplier": 3}}, 6)],
)
def test_low_gravity_doubles_a_jump(gravity: str, more: dict[str, Any], meters: int) -> None:
    stage = CosmosStage()
    stage.do("set_setting", key="gravity", value=gravity)
    ada = stage.hero(**more)
    refused = stage.refused("jump", target=ada, metres=2, to=f"{meters + 1},0")
    assert refused.code == "out_of_range"
    stage.do("jump", target=ada, metres=2, to=f"{meters},0")
    assert stage[ada].at.x == meters


@pytest.mark.rule("COS-ENV-05")
def test_the_gm_may_ask_how_far_a_jump_goes_without_a_place() -> None:
    stage, ada = lone()
    stage.do("set_setting", key="gravity", value="low")
    stage.do("jump", target=ada, metres=3)
    assert stage.log() == ["Ada can jump 6 m here."]
    for meters in (0, 101):
        assert stage.refused("jump", target=ada, metres=meters).message == "A jump is 1 to 100 m."


@pytest.mark.rule("COS-ENV-05", "COS-MOD-08")
@pytest.mark.parametrize(("who", "moved"), [("Ada", True), ("Bo", False)])
def test_a_jump_counts_as_movement_of_a_turn_under_way_alone(who: str, moved: bool) -> None:
    stage = CosmosStage()
    ids = {"Ada": stage.hero("Ada"), "Bo": stage.foe("Bo", (0, 2))}
    stage.begin()
    stage.do("jump", target=ids[who], metres=2, to="1,1")
    assert stage.has(ids[who], "moved") is moved


@pytest.mark.rule("COS-ENV-05")
def test_nobody_jumps_through_a_wall() -> None:
    stage, ada = lone()
    stage.do("set_map", map={"walls": [{"id": "w", "x1": 2, "y1": -9, "x2": 2, "y2": 9}]})
    refused = stage.refused("jump", target=ada, metres=5, to="4,0")
    assert refused.message == "A wall or a shut door is in the way: choose a place before it."
    stage.do("jump", target=ada, metres=5, to="1,0")
    assert stage[ada].at.x == 1


@pytest.mark.rule("COS-ENV-05")
def test_a_jump_goes_no_higher_than_it_is_long() -> None:
    stage, ada = lone()
    stage.zone("roof", x=1, y=-5, width=9, depth=9, height=4)
    assert stage.refused("jump", target=ada, metres=3, to="2,0").message == "Too far: Ada jumps 3 m here."
    stage.do("jump", target=ada, metres=4, to="2,0")
    assert stage[ada].at.z == 4
