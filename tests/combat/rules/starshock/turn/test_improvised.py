"""Rulings of this game: help is used up, luck may reroll, and what burns hurts who exerts themselves."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state.rulings import Ruling
from tests.combat.rules.starshock.figures import ADA, BO, StarStage

CHECK = (("attribute", "dex"), ("skill", "Move"))


def duel(**ruled: Any) -> StarStage:
    """Ada in her turn, who can do an act again; Bo beside her."""
    stage = StarStage("hall")
    stage.hero(zone="hall")
    stage.foe(zone="hall")
    stage.begin(ADA, BO, actions=2)
    fields: dict[str, Any] = {"id": "r1", "name": "Leap", "check": CHECK, "cost": "actions"}
    stage.edit(ADA, rulings=(Ruling(**{**fields, **ruled}),))
    return stage


@pytest.mark.rule("SS-OTHER-09")
def test_help_counts_in_one_ruling_and_is_used_up() -> None:
    for cost in ("", "actions"):
        stage = duel(cost=cost)
        stage.give(ADA, "assisted", by=BO, marks={"attribute": "dex", "skill": ""})
        stage.do("use_ruling", ADA, ruling="r1", dice=[(3, 4)])
        assert not stage.has(ADA, "assisted"), cost


def test_luck_rerolls_a_die_of_a_ruling() -> None:
    stage = duel()
    stage.set_track(ADA, luck=1)
    stage.do("use_ruling", ADA, ruling="r1", dice=[(1, 4), "die0", 6])
    assert stage[ADA].tracks["luck"] == 0
    (check,) = stage.checks()
    assert check.roll.total == 10


@pytest.mark.rule("SS-ACT-01", "SS-COND-01")
def test_act_waits_for_the_declaration_and_the_stunned_have_none() -> None:
    stage = duel()
    stage.turn(ADA, None)
    assert "Declare first" in stage.refused("use_ruling", ADA, ruling="r1").message
    stage.turn(ADA, 2)
    stage.give(ADA, "stunned")
    assert stage.refused("use_ruling", ADA, ruling="r1").message == "Stunned: Ada has no actions."
    stage.do("improvise", ADA, words="I sing")
    assert "Stunned: Ada has no actions: ruled all the same." in stage.said()
