"""Being in flames: burning on, stop, drop and roll, and a fire that spreads."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.space import Point, find_zone
from tests.combat.rules.cosmos.figures import CosmosStage


def alight(**more: Any) -> tuple[CosmosStage, str]:
    """Ada, Athletics 2, in flames on her turn in the middle of a hall."""
    stage = CosmosStage()
    stage.zone("hall", x=-10, y=-10, width=20, depth=20, cover="light", light="dim")
    ada = stage.hero(skills={"Athletics": 2}, **more)
    stage.give(ada, "burning")
    stage.begin()
    return stage, ada


@pytest.mark.rule("COS-HAZ-07")
def test_only_who_burns_rolls_and_not_amid_the_fire() -> None:
    stage, ada = alight()
    stage.zone("fire", x=-2, y=-2, width=4, depth=4, terrain=["fire"])
    assert "burning ground" in stage.obstacle("extinguish", ada)
    stage.edit(ada, conditions=())
    assert "not on fire" in stage.obstacle("extinguish", ada)


@pytest.mark.rule("COS-HAZ-06")
def test_two_ones_let_the_fire_spread_beside() -> None:
    stage, ada = alight()
    stage.do("extinguish", ada, dice=[(1, 1)])
    assert stage.has(ada, "burning")
    flames = find_zone(stage.state.scene, Point(2, 0))
    assert flames is not None
    assert (flames.terrain, flames.cover, flames.light) == (("fire",), "light", "dim")
    here = find_zone(stage.state.scene, stage[ada].at)
    assert here is not None
    assert here.id == "hall"


@pytest.mark.rule("COS-HAZ-06")
def test_the_fire_spreads_side_by_side_around_who_burns() -> None:
    stage, ada = alight()
    for _ in range(4):
        stage.turn(ada)
        stage.do("extinguish", ada, dice=[(1, 1)])
    flames = [zone for zone in stage.state.scene.zones if "fire" in zone.terrain]
    assert [(zone.x, zone.y, zone.width, zone.depth) for zone in flames] == [
        (1, -1, 2, 2),
        (-1, 1, 2, 2),
        (-3, -1, 2, 2),
        (-1, -3, 2, 2),
    ]
    assert len({zone.id for zone in stage.state.scene.zones}) == len(stage.state.scene.zones)


@pytest.mark.rule("COS-HAZ-06")
def test_spread_fire_is_fire() -> None:
    stage, ada = alight()
    stage.do("extinguish", ada, dice=[(1, 1)])
    stage.edit(ada, conditions=())
    stage.do("move", ada, to="2,0", dice=[4])
    assert stage.hp(ada) == 92


@pytest.mark.rule("COS-HAZ-08")
def test_powered_armor_stops_flames_on_oneself() -> None:
    stage, ada = alight(armor="powered")
    stage.do("next_turn", dice=[6])
    assert stage.hp(ada) == 96
