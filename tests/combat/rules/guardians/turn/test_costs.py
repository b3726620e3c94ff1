"""The costs of a round's action, and how long its effects last."""

from __future__ import annotations

import pytest

from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, lone


def spent(stage: GuardStage) -> bool:
    """Whether Ada's action is used up, so that she cannot strike as well."""
    refused = stage.refused("attack", ADA, target=BO, weapon=stage.item(ADA, "fist").id)
    return stage[ADA].budget["action"] == 0 and refused.code == "no_budget"


@pytest.mark.rule("CG-ACT-05", "CG-TORSO-03")
def test_painkillers_take_the_round() -> None:
    stage = duel(hero={"gear": ("painkillers",)})
    stage.do("painkillers", ADA, target=ADA)
    assert spent(stage)


@pytest.mark.rule("CG-ACT-05")
def test_putting_away_takes_the_round() -> None:
    stage = duel("club")
    stage.do("put_away", ADA, item=stage.item(ADA, "club").id)
    assert spent(stage)


@pytest.mark.rule("CG-ACT-05")
def test_another_deed_takes_the_round_with_or_without_a_roll() -> None:
    for roll, dice in (("", ()), ("mind", (20,))):
        stage = duel()
        stage.do("other", ADA, dice=dice, what="opens the hatch", roll=roll)
        assert spent(stage)


@pytest.mark.rule("CG-ACT-04", "CG-ACT-02")
def test_an_extra_defense_takes_the_round() -> None:
    stage = duel()
    stage.do("guard", ADA)
    assert spent(stage)


@pytest.mark.rule("CG-ACT-04")
def test_an_extra_defense_not_needed_is_gone_with_the_round() -> None:
    stage = lone()
    stage.foe("Bo")
    stage.begin_fight(10, 4)
    stage.do("guard", ADA)
    stage.end_turn()
    assert stage.has(ADA, "extra_defense")
    stage.end_turn(10, 4)
    assert stage.state.round == 2
    assert not stage.has(ADA, "extra_defense")


@pytest.mark.rule("CG-ACT-06", "CG-ACT-02")
def test_nothing_is_left_to_hold_after_a_blow() -> None:
    stage = duel("club", hero={"bludgeon_weapons": 10})
    assert stage.obstacle("hold", ADA) == ""
    stage.attack(99)
    assert "nothing is left to hold" in stage.obstacle("hold", ADA)
