"""Drugs not meant for fights.  RULING R94"""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.body.states import HURT_AT
from combat.rules.cepheus.care.treatment import count_times
from combat.rules.core.state.events import Said
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage, lone

EIGHT, SEVEN = (4, 4), (4, 3)


def ward(*gear: str, medicine: int = 0) -> CepheusStage:
    """Ada has these drugs and this level of Medicine; Bo is beside her."""
    stage = lone("Ada", gear=list(gear), skills={"medicine": medicine})
    stage.hero("Bo", at=(1, 0))
    return stage.begin(ADA, BO)


def give(stage: CepheusStage, name: str, *dice: Any, to: str = BO) -> None:
    """Let Ada give a dose."""
    stage.turn(ADA)
    stage.do("take_drug", ADA, item=stage.item(ADA, name).id, target=to, dice=dice)


def test_the_right_drug_stops_one_poison() -> None:
    stage = ward("medicinal_drugs", medicine=1)
    give(stage, "medicinal_drugs", SEVEN)
    assert stage.check("check.right_drug").total == 8
    assert stage.has(BO, "antidote")
    stage.do("hazard", target=BO, hazard="arsenic")
    assert stage.body(BO) == (7, 7, 7)
    assert not stage.has(BO, "antidote")
    stage.do("hazard", target=BO, hazard="arsenic", dice=[SEVEN, (1, 1)])
    assert sum(stage.body(BO)) == 19


def test_medicinal_drugs_do_nothing_against_fire() -> None:
    stage = ward("medicinal_drugs")
    give(stage, "medicinal_drugs", EIGHT)
    stage.do("hazard", target=BO, hazard="catching_fire", dice=[(1, 1)])
    assert stage.has(BO, "antidote")
    assert sum(stage.body(BO)) == 19


@pytest.mark.parametrize(("resist", "endurance"), [((5, 5), 7), ((5, 4), 4)])
def test_the_wrong_drug_is_a_poison(resist: tuple[int, int], endurance: int) -> None:
    stage = ward("medicinal_drugs")
    give(stage, "medicinal_drugs", SEVEN, resist, *([3] if endurance < 7 else []))
    assert stage.body(BO) == (7, 7, endurance)
    assert not stage.has(BO, "antidote")


def test_a_panacea_knows_no_doctor_and_does_no_harm() -> None:
    stage = ward("panaceas", "panaceas", medicine=4)
    give(stage, "panaceas", SEVEN)
    assert not stage.has(BO, "antidote")
    assert stage.body(BO) == (7, 7, 7)
    give(stage, "panaceas", EIGHT)
    assert stage.has(BO, "antidote")


def test_an_antidote_lasts_a_day() -> None:
    stage = ward("panaceas")
    give(stage, "panaceas", EIGHT)
    stage.do("end_fight")
    stage.do("pass_time", hours=23)
    assert stage.has(BO, "antidote")
    stage.do("pass_time", hours=2)
    assert not stage.has(BO, "antidote")


def test_a_second_dose_against_radiation_hurts() -> None:
    stage = ward("anti_radiation_drugs", "anti_radiation_drugs")
    give(stage, "anti_radiation_drugs", to=ADA)
    assert stage.body(ADA) == (7, 7, 7)
    give(stage, "anti_radiation_drugs", 4, to=ADA)
    assert stage.body(ADA) == (7, 7, 3)


def test_the_fast_drug_ends_a_fight_for_who_takes_it() -> None:
    stage = ward("fast_drug")
    give(stage, "fast_drug", to=ADA)
    assert stage.has(ADA, "slowed")
    assert "Fast drug: Ada has no actions" in stage.refused("move", ADA, to="3,0").message


@pytest.mark.rule("CE-MED-04")
@pytest.mark.parametrize("name", ["medicinal_drugs", "anti_radiation_drugs"])
def test_wrong_drug_or_second_dose_restarts_no_first_aid_time(name: str) -> None:
    stage = ward(name, name)
    stage.edit(BO, marks={**stage[BO].marks, HURT_AT: 0})
    stage.set_track(BO, end=5)
    stage.wait(400)
    if name == "medicinal_drugs":
        give(stage, name, SEVEN, (1, 1), 3)
    else:
        give(stage, name)
        give(stage, name, 3)
    assert stage.body(BO) == (7, 7, 2)
    assert stage[BO].marks[HURT_AT] == 0
    assert count_times(stage.state, stage[BO]) == 1


@pytest.mark.parametrize(
    ("more", "hazard", "is_kept_out"),
    [
        ({"armor": ["vacc_suit"]}, "vacuum", True),
        ({"armor": ["vacc_suit"]}, "no_air", True),
        ({"armor": ["vacc_suit"]}, "acid_splash", False),
        ({"armor": ["cloth"]}, "vacuum", False),
        ({"gear": ["oxygen_tanks"]}, "suffocation_thin_air", True),
        ({"gear": ["oxygen_tanks"]}, "vacuum", False),
    ],
)
def test_air_of_ones_own_keeps_out_what_lacks_it(more: Any, hazard: str, is_kept_out: bool) -> None:
    """RULING R99"""
    stage = lone("Ada", **more)
    stage.do("hazard", target=ADA, hazard=hazard, dice=[] if is_kept_out else [3])
    assert sum(stage.body(ADA)) == (21 if is_kept_out else 18)
    assert any(told.key == "log.kept_out" for told in stage.told(Said)) == is_kept_out
