"""Corrected figures: harm stays, the dead stay dead, the dying stay down.  RULING R63"""

from __future__ import annotations

import pytest

from tests.combat.rules.cosmos.figures import CosmosStage, lone


def correct(stage: CosmosStage, who: str, health: int = 0, **numbers: int) -> None:
    attributes = {f"attributes.{key}": value for key, value in numbers.items()}
    stage.do("correct", target=who, health=health, numbers=attributes)


@pytest.mark.rule("COS-STATE-19", "COS-DEATH-11")
@pytest.mark.parametrize("hp", [96, 50, 5, 1, 0, -3])
@pytest.mark.parametrize("most", [106, 86, 10, 1])
def test_there_and_back_is_the_same(hp: int, most: int) -> None:
    stage, ada = lone()
    stage.begin()
    full = stage[ada].tracks["hp"]
    if hp != full:
        stage.do("adjust", target=ada, track="hp", to=hp, dice=[(10, 10)] if 0 < hp < full // 4 else [])
    before = stage[ada]
    correct(stage, ada, health=most)
    assert stage[ada].conditions == before.conditions
    left = most - (full - hp)
    assert stage[ada].tracks["hp"] == (max(1, left) if hp > 0 else max(-5, min(0, left)))
    correct(stage, ada, health=full)
    assert (stage[ada].tracks, stage[ada].conditions) == (before.tracks, before.conditions)


@pytest.mark.rule("COS-DEATH-11")
def test_the_dead_stay_dead() -> None:
    stage, ada = lone()
    stage.begin()
    stage.do("adjust", target=ada, track="hp", to=-10)
    assert stage.has(ada, "dead")
    full = 96
    correct(stage, ada, health=full + 60)
    assert (stage.has(ada, "dead"), stage[ada].tracks["hp"]) == (True, 50)
    correct(stage, ada, MIG=9)
    assert stage.has(ada, "dead")
    stage.do("revive", target=ada)
    assert not stage.has(ada, "dead")
