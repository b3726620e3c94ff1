"""Wounds, rest and care by the summary: its worked checks, played by the quick rules."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.people.sheet import find_health
from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage


def ward(profile: str = "777777", *body: int, medicine: int = 2) -> CepheusStage:
    """Ada has this profile and these wounds; Bo beside her is a doctor."""
    stage = CepheusStage(QUICK)
    stage.hero("Ada", profile)
    stage.hero("Bo", skills={"medicine": medicine})
    if body:
        stage.wounded(ADA, *body)
        stage.edit(ADA, marks={**stage[ADA].marks, "hurt_at": 0})
    return stage


def operate(stage: CepheusStage, *dice: Any, hospital: bool = True) -> None:
    stage.do("surgery", target=ADA, doctor=BO, hospital=hospital, dice=dice)


# ---------------------------------------------------------------- wounds


@pytest.mark.parametrize(
    ("body", "word"),
    [
        pytest.param((7, 7, 6), "health.wounded", marks=pytest.mark.rule("CS-DMG-06", "CS-INJ-01")),
        pytest.param((6, 6, 6), "health.seriously_wounded", marks=pytest.mark.rule("CS-INJ-02")),
        pytest.param((6, 6, 0), "health.seriously_wounded", marks=pytest.mark.rule("CS-DMG-07")),
        pytest.param((0, 5, 0), "condition.unconscious", marks=pytest.mark.rule("CS-DMG-08")),
        pytest.param((0, 0, 0), "condition.dead", marks=pytest.mark.rule("CS-DMG-05", "CS-DMG-09")),
    ],
)
def test_the_word_for_each_state(body: tuple[int, int, int], word: str) -> None:
    stage = ward("777777", *body)
    assert find_health(stage[ADA]).word == word


@pytest.mark.rule("CS-DMG-03")
def test_a_later_wound_that_endurance_holds_comes_off_it_alone() -> None:
    stage = ward("777777", 5, 7, 7)
    stage.hit(ADA, 3)
    assert stage.body(ADA) == (5, 7, 4)


@pytest.mark.rule("CS-INJ-03", "CS-INJ-04")
def test_the_seriously_wounded_hobble_one_square_without_an_action() -> None:
    """RULING R91"""
    stage = ward("777777", 6, 6, 6)
    stage.do("start", dice=[(6, 6), (1, 1)])
    assert (stage.state.active, stage[ADA].budget) == (ADA, {"minor": 0, "significant": 1})
    assert stage.refused("move", ADA, to="0,3").code == "out_of_range"
    stage.do("move", ADA, to="0,1.5")
    assert stage[ADA].at.y == 1.5
    assert stage.refused("move", ADA, to="0,3").code == "not_allowed"
    assert stage.refused("stance", ADA, stance="prone").code == "no_budget"


# ---------------------------------------------------------------- days


@pytest.mark.rule("CS-HEAL-01")
def test_a_day_of_rest_is_a_die_and_the_endurance_dm() -> None:
    stage = ward("F79777", 1, 7, 9)
    stage.do("rest", who=[ADA], dice=[3])
    assert stage.body(ADA) == (5, 7, 9)


@pytest.mark.rule("CS-HEAL-02")
@pytest.mark.parametrize(("profile", "end", "points"), [("F77777", 7, 1), ("F79777", 9, 2)])
def test_an_active_day_is_one_and_the_endurance_dm(profile: str, end: int, points: int) -> None:
    stage = ward(profile, 1, 7, end)
    stage.do("rest", kind="active", who=[ADA])
    assert stage.body(ADA) == (1 + points, 7, end)


@pytest.mark.rule("CS-HEAL-03")
@pytest.mark.parametrize(
    ("end", "answers", "body"), [(4, ["str=1"], (5, 6, 4)), (7, [], (6, 6, 7)), (9, ["str=1"], (7, 6, 9))]
)
def test_the_seriously_wounded_have_the_endurance_dm_alone(
    end: int, answers: list[str], body: tuple[int, ...]
) -> None:
    stage = ward("77C777", 6, 6, end)
    stage.do("rest", who=[ADA], dice=answers)
    assert stage.body(ADA) == body


@pytest.mark.rule("CS-HEAL-04", "CS-MED-04")
def test_first_aid_and_care_wait_for_surgery() -> None:
    stage = ward("777777", 3, 3, 7 - 1)
    assert "surgery comes before" in stage.refused("tend", target=ADA, doctor=BO).message
    stage.do("rest", who=[ADA], doctor=BO, hospital=True)
    assert stage.body(ADA) == (3, 3, 6)
    operate(stage, (3, 3))
    stage.do("rest", who=[ADA], dice=[])
    assert stage.body(ADA) == (3, 3, 6)


@pytest.mark.rule("CS-HEAL-04")
def test_a_second_serious_wound_needs_a_second_surgery() -> None:
    """RULING R65: the state ends when one characteristic is fully healed."""
    stage = ward("777777", 6, 3, 3)
    operate(stage, (4, 3), "str=1,dex=1")
    assert not stage.has(ADA, "seriously_wounded")
    stage.hit(ADA, 4, "str")
    assert stage.has(ADA, "seriously_wounded")
    assert "surgery comes before" in stage.refused("tend", target=ADA, doctor=BO).message


# ---------------------------------------------------------------- treatment


@pytest.mark.rule("CS-MED-01", "CS-MED-02", "CS-MED-03")
@pytest.mark.parametrize("seconds", [0, 300])
def test_first_aid_gives_back_twice_the_effect_within_five_minutes(seconds: int) -> None:
    stage = ward("777777", 3, 7, 3, medicine=1)
    stage.state = replace(stage.state, clock=seconds)
    stage.do("tend", target=ADA, doctor=BO, dice=[(5, 4), "str=1,end=3", 1])
    assert stage.check("check.first_aid").total == 10
    assert stage.body(ADA) == (4, 7, 6)


@pytest.mark.rule("CS-MED-01")
def test_after_six_minutes_it_is_too_late_for_first_aid() -> None:
    stage = ward("777777", 7, 7, 3)
    stage.state = replace(stage.state, clock=360)
    assert "five minutes" in stage.refused("tend", target=ADA, doctor=BO).message


@pytest.mark.rule("CS-MED-04", "CS-MED-05")
def test_surgery_is_for_the_seriously_wounded_in_a_hospital() -> None:
    stage = ward("777777", 7, 6, 6)
    refused = stage.refused("surgery", target=ADA, doctor=BO, hospital=True)
    assert "not seriously wounded" in refused.message
    stage.wounded(ADA, 6, 6, 6)
    assert "hospital" in stage.refused("surgery", target=ADA, doctor=BO).message


@pytest.mark.rule("CS-MED-06", "CS-MED-07")
def test_surgery_is_a_check_that_gives_back_twice_its_effect() -> None:
    stage = ward("777777", 3, 3, 3)
    operate(stage, (4, 3), "str=1,end=1")
    assert stage.check("check.surgery").total == 9
    assert stage.body(ADA) == (4, 3, 4)


@pytest.mark.rule("CS-MED-08")
def test_failed_surgery_does_its_effect_in_damage() -> None:
    stage = ward("777777", 3, 3, 3)
    operate(stage, (3, 1))
    assert stage.check("check.surgery").total == 6
    assert stage.body(ADA) == (3, 3, 1)


@pytest.mark.rule("CS-MED-09")
@pytest.mark.parametrize(("end", "points"), [(7, 4), (4, 3)])
def test_a_day_of_care_is_two_the_endurance_dm_and_medicine(end: int, points: int) -> None:
    stage = ward(f"F7{end}777", 1, 7, end)
    stage.do("rest", who=[ADA], doctor=BO, hospital=True, dice=[2])
    rested = 2 + (-1 if end == 4 else 0)
    assert stage.body(ADA) == (1 + rested + points, 7, end)


@pytest.mark.rule("CS-MED-10")
def test_care_needs_bed_rest_and_a_hospital() -> None:
    stage = ward("777777", 3, 7, 7)
    assert "hospital" in stage.refused("rest", who=[ADA], doctor=BO).message
    active = stage.refused("rest", kind="active", who=[ADA], doctor=BO, hospital=True)
    assert "bed rest" in active.message
