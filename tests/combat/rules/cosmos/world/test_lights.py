"""Lamps of the battle map light dark places, as far as they reach, unless a wall blocks them."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.space import Point
from combat.rules.cosmos.environment import light_at
from tests.combat.rules.cosmos.duels import ADA, BO, duel
from tests.combat.rules.cosmos.figures import CosmosStage

WALL = {"id": "w", "x1": 8.5, "y1": -9, "x2": 8.5, "y2": 9}


def night(*lights: dict[str, Any], **parts: Any) -> CosmosStage:
    """Bo stands 10 m east of Ada in the dark."""
    stage = duel("pistol", apart=10)
    stage.do("set_setting", key="light", value="dark")
    lamps = [{"id": f"l{n}", "x": 6, "y": 0, **lamp} for n, lamp in enumerate(lights)]
    stage.do("set_map", map={"lights": lamps, **parts})
    return stage


def against(stage: CosmosStage) -> dict[str, int]:
    """The terms of a shot at Bo."""
    preview = stage.preview("attack", ADA, target=BO, weapon=stage.item(ADA, "pistol").id)
    return {stage.system.draw(term.label): term.value for term in preview.modifiers}


@pytest.mark.rule("COS-COVER-09")
def test_a_lamp_takes_the_dark_away_where_it_shines() -> None:
    dark, lit = (against(night(*lights)) for lights in ((), ({"radius": 5},)))
    assert sum(dark.values()) == sum(lit.values()) - 4
    assert light_at(night({"radius": 5}).state, Point(11, 0)) == "bright"
    assert light_at(night({"radius": 5}).state, Point(12, 0)) == "dark"


@pytest.mark.rule("COS-COVER-07")
def test_a_dim_lamp_leaves_it_dim_and_darkens_nothing() -> None:
    dim = {"radius": 5, "kind": "dim"}
    assert light_at(night(dim).state, Point(10, 0)) == "dim"
    assert light_at(night(dim, {"radius": 9}).state, Point(10, 0)) == "bright"
    stage = night(dim)
    stage.do("set_setting", key="light", value="bright")
    assert light_at(stage.state, Point(10, 0)) == "bright"


@pytest.mark.rule("COS-COVER-09")
def test_walls_and_shut_doors_stop_light() -> None:
    lamp, door = {"radius": 9}, {**WALL, "kind": "door"}
    for walls, seen in (([WALL], "dark"), ([door], "dark"), ([{**door, "open": True}], "bright")):
        assert light_at(night(lamp, walls=walls).state, Point(10, 0)) == seen
