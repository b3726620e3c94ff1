"""The costs of a round's action, and how long its effects last."""

from __future__ import annotations

import pytest

from tests.combat.rules.guardians.stage import ADA, BO, duel, lone


@pytest.mark.rule("CG-ACT-05", "CG-TORSO-03")
@pytest.mark.parametrize(
    ("name", "fields", "dice"),
    [
        ("painkillers", {"target": ADA}, ()),
        ("put_away", {"item": "f1-w0"}, ()),
        ("other", {"what": "opens the hatch"}, ()),
        ("other", {"what": "opens the hatch", "roll": "mind"}, (20,)),
    ],
)
def test_slow_act_takes_the_whole_round(name: str, fields: dict[str, str], dice: tuple[int, ...]) -> None:
    stage = duel("club", hero={"gear": ("painkillers",)})
    stage.do(name, ADA, dice=dice, **fields)
    assert stage[ADA].budget["action"] == 0
    assert stage.refused("attack", ADA, target=BO, weapon=stage.item(ADA, "fist").id).code == "no_budget"


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
