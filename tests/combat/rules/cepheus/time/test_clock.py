"""Time outside of rounds: what lasts for rounds or turns ends when the clock passes it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from combat.rules.cepheus.body.states import HURT_AT
from combat.rules.cepheus.time import PassTime
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Until, find_condition
from tests.combat.rules.cepheus.figures import ADA, CepheusStage, lone
from tests.combat.rules.cepheus.vehicles.garage import Garage

LASTING = [
    ("suppressed", {"marks": {"last_round": 1}}),
    ("ducking", {"until": Until(ADA, "end", 1)}),
    ("set_up", {"until": Until(ADA, "end", 9)}),
]


@pytest.mark.rule("CE-SUPP-06", "CE-SUPP-09", "CE-UNCON-01")
@pytest.mark.parametrize(("kind", "held"), LASTING)
def test_what_lasts_for_rounds_is_over_after_a_minute(kind: str, held: dict[str, Any]) -> None:
    stage = lone()
    stage.give(ADA, kind, **held)
    stage.do("pass_time", minutes=1)
    assert not stage.has(ADA, kind)


@pytest.mark.rule("CE-VLOC-34", "CE-VLOC-50")
@pytest.mark.parametrize("kind", ["powerless", "shut_down"])
def test_a_stall_is_over_after_a_repair_of_hours(kind: str) -> None:
    garage = Garage()
    car, smith = garage.vehicle(model="core_ground_car"), garage.hero("Smith", skills={"mechanics": 1})
    garage.hurt(car, "drive", 1)
    garage.give(car, kind, marks={"first": 1, "last": 6})
    garage.do("repair", target=car, by=smith, part="drive", workshop=True, dice=[2, (1, 1)])
    assert not garage.has(car, kind)


@pytest.mark.rule("CE-MED-02", "CE-UNCON-01")
def test_the_minutes_of_first_aid_count_for_the_unconscious() -> None:
    stage = lone()
    bo = stage.hero("Bo", skills={"medicine": 2})
    stage.wounded(ADA, 7, 4, 6)
    stage.edit(ADA, marks={**stage[ADA].marks, HURT_AT: 0})
    stage.give(ADA, "unconscious", marks={"since": 0})
    stage.do("tend", target=ADA, doctor=bo, dice=[(1, 1), 2, (1, 1), (6, 6)])
    assert not stage.has(ADA, "unconscious")


# ---------------------------------------------------------------- what happens inside a long step


def drugged(ends_in: int, kind: str = "combat_drug") -> CepheusStage:
    """Ada, tired already, with a drug that ends after so many minutes."""
    stage = lone()
    stage.give(ADA, "fatigued")
    stage.give(ADA, kind, marks={"ends_at": ends_in * 60})
    return stage


def spans(stage: CepheusStage) -> list[int]:
    """The minutes between which time stopped in the last command."""
    return [told.seconds // 60 for told in stage.told(e.TimePassed)]


@pytest.mark.rule("CE-UNCON-01", "CE-UNCON-03", "CE-FAT-04")
def test_drug_that_ends_within_a_long_step_knocks_out_on_time() -> None:
    stage = drugged(10)
    stage.do("pass_time", minutes=15, dice=[(1, 1)] * 5)
    held = find_condition(stage[ADA], "unconscious")
    assert held is not None
    assert (spans(stage), held.marks["since"], held.marks["tries"]) == ([10, 5], 15 * 60, 5)
    again = drugged(10)
    again.do("pass_time", minutes=15, dice=[(1, 1), (6, 6)])
    assert not again.has(ADA, "unconscious")


@pytest.mark.rule("CE-UNCON-01", "CE-FAT-04")
def test_whoever_has_woken_before_a_drug_ends_falls_again() -> None:
    stage = drugged(3)
    stage.give(ADA, "unconscious", marks={"since": 0, "tries": 0, "cause": "other"})
    stage.do("pass_time", minutes=4, dice=[(1, 1), (6, 6), (1, 1)])
    held = find_condition(stage[ADA], "unconscious")
    assert held is not None
    assert (held.marks["since"], held.marks["tries"], held.marks["cause"]) == (240, 1, "fatigue")


@pytest.mark.rule("CE-FAT-01", "CE-FAT-03")
@pytest.mark.parametrize(("hours", "tired"), [(3, True), (4, False)])
def test_rest_counts_from_the_moment_when_someone_gets_tired(hours: int, tired: bool) -> None:
    stage = lone()
    stage.give(ADA, "combat_drug", marks={"ends_at": 3600})
    stage.do("pass_time", hours=hours, resting=True)
    assert stage.has(ADA, "fatigued") is tired


@pytest.mark.rule("CE-FAT-03", "CE-FAT-04")
def test_who_has_rested_enough_before_a_drug_ends_is_tired_once() -> None:
    stage = drugged(200)
    stage.do("pass_time", hours=4, resting=True)
    assert stage.has(ADA, "fatigued")
    assert not stage.has(ADA, "unconscious")
    worn = drugged(120)
    worn.do("pass_time", minutes=120, resting=True)
    assert worn.has(ADA, "unconscious")


@pytest.mark.rule("CE-FAT-01", "CE-HEAL-01")
@pytest.mark.full_rules
def test_a_day_of_rest_stops_where_a_drug_ends() -> None:
    stage = drugged(60)
    stage.do("rest", kind="active", days=1, dice=[(6, 6)])
    assert spans(stage) == [60, 23 * 60]
    assert not stage.has(ADA, "unconscious")


@pytest.mark.rule("CE-UNCON-01")
def test_time_in_one_step_is_time_in_many() -> None:
    ends = []
    for steps in ((30,), (1,) * 30, (7, 3, 20)):
        stage = lone()
        stage.give(ADA, "fatigued")
        for kind, minutes in (("combat_drug", 4), ("metabolic_accelerator", 12)):
            stage.give(ADA, kind, marks={"ends_at": minutes * 60})
        driver = AutoDriver(random.Random(3))
        for minutes in steps:
            command = PassTime(minutes=minutes)
            done = run(stage.system, stage.state, find_action(stage.system, "pass_time"), command, driver)
            assert isinstance(done, Done)
            stage.state = done.state
        ends.append(stage.state)
    assert ends[0] == ends[1] == ends[2]


@pytest.mark.rule("CE-COND-04")
def test_rounds_add_up_over_several_steps_of_time() -> None:
    stage = lone()
    stage.give(ADA, "suppressed", marks={"last_round": 15})
    stage.do("pass_time", minutes=1)
    assert stage.has(ADA, "suppressed")
    stage.do("pass_time", minutes=1)
    assert not stage.has(ADA, "suppressed")
