"""Corrected figures: harm stays, the dead stay dead, and what is left is worked out.  RULING R102"""

from __future__ import annotations

import pytest

from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage
from tests.combat.rules.cepheus.vehicles.garage import Garage


def duel(profile: str = "777777") -> CepheusStage:
    stage = CepheusStage()
    stage.hero("Ada", profile)
    stage.foe("Bo", at=(5, 0))
    return stage.begin(ADA, BO)


def correct(stage: CepheusStage, who: str = ADA, **numbers: int) -> None:
    stage.do("correct", target=who, numbers={f"attributes.{key}": value for key, value in numbers.items()})


@pytest.mark.rule("CE-DMG-13")
def test_the_dead_stay_dead_until_the_gm_brings_them_back() -> None:
    stage = duel()
    stage.wounded(ADA, 0, 0, 0)
    assert stage.has(ADA, "dead")
    correct(stage, dex=9, str=12, end=15)
    assert stage.has(ADA, "dead")
    assert stage.body(ADA) == (5, 2, 8), "the harm of 7 each"
    correct(stage, dex=7, str=7, end=7)
    assert (stage.has(ADA, "dead"), stage.body(ADA)) == (True, (0, 0, 0))
    correct(stage, dex=9)
    stage.do("revive", target=ADA)
    assert not stage.has(ADA, "dead")


@pytest.mark.rule("CE-DMG-06")
def test_reverted_correction_is_neutral_and_endurance_may_be_0() -> None:
    stage = duel()
    stage.set_track(ADA, end=1)
    correct(stage, end=3)
    assert stage.body(ADA) == (7, 7, 0)
    assert not stage[ADA].conditions
    correct(stage, end=7)
    assert stage.body(ADA) == (7, 7, 1)
    correct(stage, end=12)
    assert stage.body(ADA) == (7, 7, 6)


def test_what_comes_back_after_a_correction_is_no_harm_later() -> None:
    stage = duel()
    stage.set_track(ADA, end=1)
    correct(stage, end=3)
    stage.do("adjust", target=ADA, track="end", by=2)
    correct(stage, end=7)
    assert stage.body(ADA) == (7, 7, 3), "of 6 points 2 came back"
    correct(stage, end=3)
    stage.do("adjust", target=ADA, track="end", to=3)
    correct(stage, end=7)
    assert stage.body(ADA) == (7, 7, 7), "the GM has set it whole"


@pytest.mark.rule("CE-DMG-12", "CE-MINOR-09")
def test_nobody_is_hit_falls_or_wakes_by_a_correction() -> None:
    stage = duel()
    stage.give(ADA, "aiming_kill", marks={"target": BO})
    stage.set_track(ADA, str=1, dex=1, end=1)
    before = stage[ADA].conditions, stage[ADA].budget
    correct(stage, str=3, dex=3, end=3)
    assert (stage[ADA].conditions, stage[ADA].budget) == before
    assert stage.body(ADA).count(0) == 1
    correct(stage, str=7, dex=7, end=7)
    assert stage.body(ADA) == (1, 1, 1)
    stage = duel()
    stage.wounded(ADA, 0, 0, 5)
    held = stage[ADA].conditions
    assert stage.has(ADA, "unconscious")
    correct(stage, dex=9)
    assert stage[ADA].conditions == held
    correct(stage, dex=7)
    assert (stage[ADA].conditions, stage.body(ADA)) == (held, (0, 0, 5))


def test_a_wreck_stays_a_wreck() -> None:
    stage = Garage()
    car = stage.vehicle(hull=2, structure=2)
    stage.begin(car)
    stage.do("adjust", target=car, track="structure", to=0)
    assert stage.has(car, "wreck")
    stage.do("correct", target=car, numbers={"attributes.structure": 5})
    assert stage.has(car, "wreck")
