"""Turns and actions by the summary, where it says more than the full rules: the others are shown by both."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.quick import SYSTEM as QUICK
from tests.combat.rules.cepheus.fight.range import duel
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage


@pytest.mark.rule("CS-ROUND-02", "CS-ROUND-03", "CS-SIG-01")
def test_an_attack_is_the_significant_action_and_there_is_one() -> None:
    stage = duel("rifle", 20, system=QUICK)
    stage.attack((1, 1))
    assert stage[ADA].budget == {"minor": 1, "significant": 0}
    refused = stage.refused("attack", ADA, target=BO, weapon=f"{ADA}-w1")
    assert refused.code == "no_budget"
    stage.do("next_turn")
    stage.do("next_turn")
    assert stage[ADA].budget == {"minor": 1, "significant": 1}


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


@pytest.mark.rule("CS-MINOR-04")
@pytest.mark.parametrize("stance", ["crouched", "prone"])
def test_another_stance_is_a_minor_action(stance: str) -> None:
    stage = CepheusStage(QUICK)
    stage.hero()
    stage.begin()
    stage.do("stance", ADA, stance=stance)
    assert stage.has(ADA, stance)
    assert stage[ADA].budget == {"minor": 0, "significant": 1}
    assert stage.refused("stance", ADA, stance="standing").code == "no_budget"
    stage.turn(ADA)
    stage.do("stance", ADA, stance="standing")
    assert not stage.has(ADA, stance)


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
