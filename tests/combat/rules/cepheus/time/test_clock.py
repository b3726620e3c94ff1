"""Time outside of rounds: what lasts for rounds or turns ends when the clock passes it."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.body.states import HURT_AT
from combat.rules.core.state.state import Until
from tests.combat.rules.cepheus.figures import ADA, lone
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
