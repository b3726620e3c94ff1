"""Wounds and care by the summary, where it says more than the full rules: the others are shown by both."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.quick import SYSTEM as QUICK
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


@pytest.mark.rule("CS-HEAL-03")
@pytest.mark.parametrize("kind", ["rest", "active"])
@pytest.mark.parametrize(
    ("profile", "body", "after"), [("77C777", (3, 3, 10), (4, 3, 10)), ("777777", (3, 3, 6), (3, 3, 6))]
)
def test_seriously_wounded_heal_their_endurance_dm_on_any_day(
    kind: str, profile: str, body: tuple[int, ...], after: tuple[int, ...]
) -> None:
    """Line 186 names no rest: 10 is a DM of +1, 6 one of 0."""
    stage = CepheusStage(QUICK)
    stage.hero("Ada", profile)
    stage.wounded(ADA, *body)
    stage.do("rest", kind=kind, who=[ADA], dice=["str=1"] if after != body else [])
    assert stage.body(ADA) == after


@pytest.mark.rule("CS-HEAL-04")
def test_a_second_serious_wound_needs_a_second_surgery() -> None:
    """RULING R65: the state ends when one characteristic is fully healed."""
    stage = ward(6, 3, 3)
    operate(stage, (4, 3), "str=1,dex=1")
    assert not stage.has(ADA, "seriously_wounded")
    stage.hit(ADA, 4, "str")
    assert stage.has(ADA, "seriously_wounded")
    assert "surgery comes before" in stage.refused("tend", target=ADA, doctor=BO).message
