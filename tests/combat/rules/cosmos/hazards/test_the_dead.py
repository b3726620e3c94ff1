"""Hazards ask no roll of the dead, and harm without damage leaves nothing behind."""

from __future__ import annotations

import pytest

from combat.rules.cosmos.hazards.exposure import find_due
from tests.combat.rules.cosmos.figures import CosmosStage, lone


def hostile(key: str, value: str) -> tuple[CosmosStage, str]:
    """Bo's turn ends at once: Ada lies dead in a hostile place."""
    stage = CosmosStage()
    stage.foe(gear=["advanced_suit"], immune=["toxic", "vacuum", "radiation"])
    ada = stage.hero("Ada", (5, 0))
    stage.do("set_setting", key=key, value=value)
    stage.give(ada, "dead")
    stage.begin()
    return stage, ada


@pytest.mark.rule("COS-HAZ-15", "COS-HAZ-18", "COS-ENV-13", "COS-DEATH-11")
@pytest.mark.parametrize(
    ("key", "value"), [("air", "toxic_lethal"), ("radiation", "lethal"), ("air", "vacuum")]
)
def test_nothing_is_asked_of_the_dead(key: str, value: str) -> None:
    stage, ada = hostile(key, value)
    assert find_due(stage.state, stage[ada]) is None
    for _ in range(3):
        stage.do("next_turn")
    assert [held.kind for held in stage[ada].conditions] == ["dead"]
    assert stage.hp(ada) == 96


@pytest.mark.rule("COS-HAZ-16")
def test_radiation_that_only_tires_leaves_no_harm_that_stays() -> None:
    stage, ada = lone()
    stage.do("set_setting", key="radiation", value="low")
    stage.begin()
    stage.do("next_turn", dice=[(1, 2)])
    assert [held.kind for held in stage[ada].conditions] == ["fatigued"]


@pytest.mark.rule("COS-HAZ-16", "COS-DEATH-11")
def test_whom_radiation_kills_keeps_no_harm_of_it() -> None:
    stage, ada = lone()
    stage.set_track(ada, hp=1)
    stage.do("set_setting", key="radiation", value="severe")
    stage.begin()
    stage.do("next_turn", dice=[(1, 2), (6, 6, 6)])
    assert {held.kind for held in stage[ada].conditions} == {"dead", "unconscious"}
