"""Wounds and care by the summary, where it says more than the full rules: the others are shown by both."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage


def ward(*body: int, medicine: int = 2) -> CepheusStage:
    """Ada has these wounds; Bo beside her is a doctor."""
    stage = CepheusStage(QUICK)
    stage.hero("Ada")
    stage.hero("Bo", skills={"medicine": medicine})
    stage.wounded(ADA, *body)
    stage.edit(ADA, marks={**stage[ADA].marks, "hurt_at": 0})
    return stage


def operate(stage: CepheusStage, *dice: Any) -> None:
    stage.do("surgery", target=ADA, doctor=BO, hospital=True, dice=dice)


@pytest.mark.rule("CS-DMG-03")
def test_a_later_wound_that_endurance_holds_comes_off_it_alone() -> None:
    stage = ward(5, 7, 7)
    stage.hit(ADA, 3)
    assert stage.body(ADA) == (5, 7, 4)


@pytest.mark.rule("CS-HEAL-04", "CS-MED-04")
def test_first_aid_and_care_wait_for_surgery() -> None:
    stage = ward(3, 3, 7 - 1)
    assert "surgery comes before" in stage.refused("tend", target=ADA, doctor=BO).message
    assert "surgery comes first" in stage.refused("rest", who=[ADA], doctor=BO, hospital=True).message
    operate(stage, (3, 3))
    stage.do("rest", who=[ADA], dice=[])
    assert stage.body(ADA) == (3, 3, 6)


@pytest.mark.rule("CS-HEAL-04")
def test_a_second_serious_wound_needs_a_second_surgery() -> None:
    """RULING R65: the state ends when one characteristic is fully healed."""
    stage = ward(6, 3, 3)
    operate(stage, (4, 3), "str=1,dex=1")
    assert not stage.has(ADA, "seriously_wounded")
    stage.hit(ADA, 4, "str")
    assert stage.has(ADA, "seriously_wounded")
    assert "surgery comes before" in stage.refused("tend", target=ADA, doctor=BO).message


@pytest.mark.rule("CS-MED-01", "CS-MED-02", "CS-MED-03")
@pytest.mark.parametrize("seconds", [0, 300])
def test_first_aid_gives_back_twice_the_effect_within_five_minutes(seconds: int) -> None:
    stage = ward(3, 7, 3, medicine=1)
    stage.state = replace(stage.state, clock=seconds)
    stage.do("tend", target=ADA, doctor=BO, dice=[(5, 4), "str=1,end=3", 1])
    assert stage.check("check.first_aid").total == 10
    assert stage.body(ADA) == (4, 7, 6)


@pytest.mark.rule("CS-MED-01")
def test_after_six_minutes_it_is_too_late_for_first_aid() -> None:
    stage = ward(7, 7, 3)
    stage.state = replace(stage.state, clock=360)
    assert "five minutes" in stage.refused("tend", target=ADA, doctor=BO).message


@pytest.mark.rule("CS-MED-08")
def test_failed_surgery_does_its_effect_in_damage() -> None:
    stage = ward(3, 3, 3)
    operate(stage, (3, 1))
    assert stage.check("check.surgery").total == 6
    assert stage.body(ADA) == (3, 3, 1)
