"""Turns and actions by the summary, where it says more than the full rules: the others are shown by both."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.quick import SYSTEM as QUICK
from tests.combat.rules.cepheus.fight.range import duel
from tests.combat.rules.cepheus.figures import ADA, BO


@pytest.mark.rule("CS-MINOR-03")
def test_loading_a_rocket_launcher_takes_three_rounds() -> None:
    stage = duel("rocket_launcher", 30, system=QUICK)
    stage.load(ADA, 0)
    loaded = []
    for _ in range(3):
        stage.turn(ADA)
        stage.do("reload", ADA, weapon=f"{ADA}-w1")
        assert stage[ADA].budget == {"minor": 0, "significant": 1}
        loaded.append(stage[ADA].items[0].loaded)
    assert loaded == [0, 0, 1]


@pytest.mark.rule("CS-MINOR-01")
def test_aim_in_three_rounds_adds_up_and_no_further_than_six() -> None:
    stage = duel("rifle", 20, system=QUICK)
    for _ in range(3):
        stage.turn(ADA)
        stage.do("aim", ADA, target=BO)
    assert stage.total() == 3
    for _ in range(5):
        stage.turn(ADA)
        stage.do("aim", ADA, target=BO)
    assert stage.total() == 6
    stage.attack((1, 1), (1, 1, 1))
    assert not stage.has(ADA, "aiming")


@pytest.mark.rule("CS-INIT-05")
def test_stepping_in_is_for_tables_that_want_it() -> None:
    assert "delay" in duel(system=QUICK).refused("delay", ADA).message.lower()
    stage = duel(ready=True, system=QUICK, use_delay=True)
    for who, score in ((ADA, 10), (BO, 7)):
        stage.edit(who, initiative=score, marks={"base": score})
    stage.arm(BO, "auto_pistol")
    stage.do("delay", ADA)
    assert stage.state.active == BO
    stage.do("attack", BO, target=ADA, weapon=f"{BO}-w1", dice=["yes"])
    assert stage.state.active == ADA
    assert stage[BO].budget == {"minor": 1, "significant": 1}
    assert not stage.checks()
