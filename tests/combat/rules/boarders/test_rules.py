"""Boarders, as its page of rules has them: sides, shots with a reaction, grenades, first aid."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.state.state import has_condition
from tests.combat.rules.boarders import SYSTEM
from tests.combat.rules.stage import Stage

ADA, BEA, RAY, RIK = "f1", "f2", "f3", "f4"
WALL = {"id": "w1", "kind": "wall", "x1": 9, "y1": -3, "x2": 9, "y2": 3}


def begin(*walls: dict[str, Any], first: int = 6) -> Stage:
    """Ada and Bea side by side, Ray 10 m from Ada and Rik 2 m beyond; the allies go first."""
    stage = Stage(SYSTEM)
    stage.add("Ada", "allies", (0, 0), {"shoot": 12, "aid": 12, "hits": 12, "grenades": 1}, pc=True)
    stage.add("Bea", "allies", (0, 1), {"hits": 12, "armor": 2}, pc=True)
    stage.add("Ray", "enemies", (10, 0), {"hits": 14, "armor": 0})
    stage.add("Rik", "enemies", (12, 0), {"hits": 8, "armor": 0})
    if walls:
        stage.do("set_map", map={"walls": list(walls)})
    stage.do("start", dice=((first,), (3,)))
    return stage


def test_all_of_a_side_act_then_all_of_the_other() -> None:
    stage = begin()
    assert (stage.state.active, stage.state.sharing) == (ADA, (BEA,))
    stage.do("next_turn", target=BEA)
    assert (stage.state.active, stage.state.sharing) == (ADA, ())
    stage.do("next_turn")
    assert (stage.state.active, stage.state.sharing, stage.state.round) == (RAY, (RIK,), 1)
    stage.do("next_turn", whole=True)
    assert (stage.state.active, stage.state.round) == (ADA, 2)


def test_side_with_the_higher_die_is_first() -> None:
    assert begin(first=2).state.active == RAY


def test_target_of_a_hit_dodges_once() -> None:
    stage = begin()
    stage.do("shoot", ADA, dice=((4, 4, 3), "dodge", (4, 4, 2)), target=RAY)  # 11 of 11; 10 of 10
    assert stage[RAY].tracks["hits"] == 14
    stage.do("shoot", ADA, dice=((4, 4, 3), (3, 3)), target=RAY)
    assert stage[RAY].tracks["hits"] == 8
    assert has_condition(stage[RAY], "bleeding")
    stage.do("next_turn", whole=True)
    assert stage[RAY].tracks["hits"] == 7
    assert not has_condition(stage[RAY], "reacted")


def test_shot_needs_sight_and_a_prone_target_is_harder() -> None:
    stage = begin(WALL)
    with pytest.raises(Refused, match="wall stands between Ada and Ray"):
        stage.do("shoot", ADA, target=RAY)
    stage = begin()
    stage.give(RAY, "prone")
    stage.do("shoot", ADA, dice=((3, 3, 3),), target=RAY)  # 9 of 12 - 1 - 3
    assert stage.check("check.shoot").against == 8
    assert not stage.check("check.shoot").good


def test_grenade_catches_all_near_and_ducking_halves() -> None:
    stage = begin()
    stage.do("place", target=RAY, x=9, y=0)
    stage.do("throw", ADA, dice=((3, 3, 3), (1, 1, 1), (6, 6, 6)), at="10,0")
    assert (stage[RAY].tracks["hits"], stage[RIK].tracks["hits"]) == (10, 0)
    assert has_condition(stage[RAY], "stunned")
    assert has_condition(stage[RIK], "down")
    with pytest.raises(Refused, match="no grenade left"):
        stage.do("throw", ADA, at="10,0")


def test_wall_protects_from_a_grenade_and_armor_from_a_blow() -> None:
    stage = begin(WALL)
    stage.do("throw", ADA, at="10,0")  # it falls in front of the wall
    assert stage[RAY].tracks["hits"] == 14
    stage.do("place", target=RAY, x=1, y=1)
    stage.do("next_turn", whole=True)
    stage.do("strike", RAY, dice=((3, 3, 3), "take", (2,)), target=BEA)  # 4 less 2
    assert stage[BEA].tracks["hits"] == 10


def test_house_rule_spares_the_thrower() -> None:
    stage = begin()
    stage.do("set_option", key="spares_thrower", value=True)
    stage.do("throw", ADA, dice=((1, 1, 1), (1, 1, 1)), at="0,1")
    assert (stage[ADA].tracks["hits"], stage[BEA].tracks["hits"]) == (12, 12)


def test_first_aid_brings_back_the_fallen_once() -> None:
    stage = begin()
    stage.do("adjust", target=BEA, track="hits", to=0)
    assert has_condition(stage[BEA], "down")
    stage.give(BEA, "bleeding")
    stage.do("aid", ADA, dice=((4, 4, 4), (5,)), target=BEA)
    assert stage[BEA].tracks["hits"] == 5
    assert not has_condition(stage[BEA], "down", "bleeding")
    with pytest.raises(Refused, match="has had first aid"):
        stage.do("aid", ADA, target=BEA)


def test_bleeding_to_the_end_loses_the_turn() -> None:
    stage = begin()
    stage.set_track(RAY, hits=1)
    stage.give(RAY, "bleeding")
    stage.do("next_turn", whole=True)
    assert (stage.state.active, stage.state.sharing) == (RIK, ())
    assert has_condition(stage[RAY], "down")
