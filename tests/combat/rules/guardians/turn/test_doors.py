"""Doors of the battle map: a non-combat action."""

from __future__ import annotations

import pytest

from combat.rules.core.space import map_of
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, lone

GATE = {"id": "d1", "x1": 0.5, "y1": -0.5, "x2": 0.5, "y2": 0.5, "kind": "door", "name": "Gate"}


def beside() -> GuardStage:
    """Ada on one side of a gate, Bo on the other; Ada's turn."""
    stage = lone(at=(0, 0))
    stage.foe(at=(1, 0))
    stage.begin(ADA, BO)
    stage.do("set_map", map={"walls": [GATE]})
    return stage


def is_open(stage: GuardStage) -> bool:
    return map_of(stage.state.scene).walls[0].open


@pytest.mark.rule("CG-ACT-05")
def test_a_door_takes_the_action_of_the_round() -> None:
    stage = beside()
    stage.do("door", ADA, door="d1")
    assert is_open(stage)
    assert stage.said() == ["Ada opens Gate."]
    assert stage.obstacle("door", ADA).startswith("The action of this round is taken")


@pytest.mark.rule("CG-INIT-05")
def test_two_at_one_count_open_the_same_door_once() -> None:
    stage = beside()
    stage.turn(ADA, BO)
    for who in (ADA, BO):
        stage.do("door", who, door="d1")
        assert not is_open(stage), "it moves at the end of the count"
    stage.do("next_turn", whole=True, dice=[(9,), (5,)])
    assert is_open(stage)
    assert [line for line in stage.said() if "Gate" in line] == ["Ada opens Gate."]
