"""Closed vehicles: no hand gets through the bodywork, and an explosion stays on its side of it."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.characters.goods import make_gear
from combat.rules.core.map.bodies import SIZE
from combat.rules.core.space import Point
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import RangeStage, duel, losses
from tests.combat.rules.cepheus.figures import ADA, BO

CAR = {
    "kind": "vehicle",
    "attributes": {"hull": 9, "structure": 9, "armor": 99},
    "speed_kph": 100,
    "crew": 2,
    "passengers": 4,
}


def beside_a_car(weapon: str = "blade", **sheet: Any) -> tuple[RangeStage, str, str]:
    """Ada and a car at the same place, Bo inside it and Cy standing by."""
    stage = duel(weapon, 0)
    car = stage.machine("Car", (0, 0), {**CAR, **sheet})
    cy = stage.join("Cy", 1)
    stage.put_inside(BO, car)
    return stage, car, cy


@pytest.mark.rule("CE-VEH-09", "CE-VEH-15")
def test_who_sits_in_a_closed_car_is_out_of_reach_by_hand() -> None:
    stage, car, cy = beside_a_car()
    weapon = stage[ADA].items[0].id
    for name, fields in (("attack", {"weapon": weapon}), ("grapple", {})):
        refused = stage.refused(name, ADA, target=BO, **fields)
        assert refused.message == "Bo is inside Car, which is closed: get in or out."
    stage.give(BO, "unconscious")
    assert "closed" in stage.refused("coup_de_grace", ADA, target=BO, weapon=weapon, sure=True).message
    stage.hit(BO, 3)
    assert "closed" in stage.refused("first_aid", ADA, target=BO).message
    stage.put_inside(ADA, car)
    assert "Ada is inside Car" in stage.refused("attack", ADA, target=cy, weapon=weapon).message
    stage.preview("attack", ADA, target=BO, weapon=weapon)


@pytest.mark.rule("CE-VEH-15")
def test_an_open_car_keeps_nobody_out() -> None:
    stage, _, _ = beside_a_car(open=True)
    stage.preview("attack", ADA, target=BO, weapon=stage[ADA].items[0].id)


def riders(weapon: str, meters: float, **marks: Any) -> tuple[RangeStage, str]:
    """Ada with a weapon; Bo and Cy in an open car this far away."""
    stage = duel(weapon, meters, foe={"profile": "FFF777"})
    stage.arm(ADA, weapon, **marks)
    car = stage.machine("Car", (meters, 0), {**CAR, "open": True})
    cy = stage.join("Cy", meters, profile="FFF777")
    for who in (BO, cy):
        stage.put_inside(who, car)
    return stage, cy


@pytest.mark.rule("CE-VEH-15", "CE-SHOT-04")
@pytest.mark.full_rules
def test_flechettes_at_a_rider_of_an_open_car_hit_others_in_it() -> None:
    stage, cy = riders("shotgun", 30, load="flechette")
    stage.attack((6, 4), (4, 3))
    assert losses(stage) == {BO: 8, cy: 8}


@pytest.mark.rule("CE-VEH-15", "CE-BLIND-05")
def test_a_blind_shot_at_an_open_car_may_hit_a_rider() -> None:
    stage, cy = riders("rifle", 30)
    stage.attack((4, 4, 4), 3, (1, 1, 1), action="blind_fire")
    assert losses(stage) == {cy: 3}


@pytest.mark.rule("CE-VEH-15")
def test_a_back_blast_hits_the_riders_of_an_open_car() -> None:
    stage, cy = riders("rocket_launcher", -1)
    stage.attack((1, 1, 1), (1, 1), 1, on=stage.join("Di", 30))
    assert set(losses(stage)) == {BO, cy}


@pytest.mark.rule("CE-BLIND-05")
def test_a_blind_shot_in_the_own_square_hits_nobody_far_away() -> None:
    stage = duel("rifle", 0, foe={"profile": "FFF777"})
    stage.join("Cy", 9)
    stage.attack((6, 6, 6), (1, 1, 1), action="blind_fire")
    assert set(losses(stage)) == {BO}


def lay(stage: RangeStage) -> str:
    """Ada sets a charge at her place; return its id."""
    charge = replace(make_gear("plastic", 1), id=f"{ADA}-c")
    stage.edit(ADA, items=(charge,))
    stage.do("set_charge", ADA, dice=((1, 1),), weapon=charge.id)
    return charge.id


@pytest.mark.rule("CE-EXPL-01", "CE-VLOC-19")
def test_charge_in_a_closed_car_hurts_those_inside_only() -> None:
    stage, car, cy = beside_a_car()
    stage.put_inside(ADA, car)
    charge = lay(stage)
    stage.put_inside(ADA, "")
    stage.edit(car, at=Point(40, 0))  # the charge moves with it
    stage.edit(BO, at=Point(40, 0))
    stage.do("set_off", ADA, weapon=charge, dice=((3, 3), (2, 2, 2)))
    assert losses(stage) == {BO: 6}
    assert stage.questions() == []  # no space to dodge or dive
    assert stage[cy].tracks["end"] == 7


@pytest.mark.rule("CE-EXPL-01")
def test_a_charge_in_an_open_car_hurts_everybody_near() -> None:
    stage, car, cy = beside_a_car(open=True)
    stage.put_inside(ADA, car)
    charge = lay(stage)
    stage.put_inside(ADA, "")
    stage.edit(ADA, at=Point(300, 0))
    stage.do("set_off", ADA, weapon=charge, dice=((3, 3), (2, 2, 2)))
    assert losses(stage) == {BO: 6, cy: 6}


def test_a_charge_that_lies_in_a_car_is_picked_up_inside() -> None:
    stage, car, _ = beside_a_car()
    stage.put_inside(ADA, car)
    charge = lay(stage)
    stage.put_inside(ADA, "")
    stage.turn(ADA)
    assert stage.refused("pick_up", ADA, weapon=charge).message.endswith("lies in Car: get in first.")
    stage.put_inside(ADA, car)
    stage.do("pick_up", ADA, weapon=charge)


@pytest.mark.rule("CE-EXPL-01", "CE-THROW-05")
@pytest.mark.parametrize("roll", [(6, 6), (1, 1)])
def test_a_grenade_thrown_inside_a_closed_car_stays_there(roll: tuple[int, int]) -> None:
    stage, car, cy = beside_a_car("grenade_frag")
    stage.put_inside(ADA, car)
    stage.edit(BO, at=Point(2, 0))  # at the far end of a big one
    stage.attack(roll, (1,) * 5)
    assert set(losses(stage)) == {ADA, BO}
    assert cy not in losses(stage)


@pytest.mark.rule("CE-EXPL-01", "CE-THROW-05")
@pytest.mark.parametrize("action", ["lob", "blind_lob"])
@pytest.mark.full_rules
def test_grenade_lobbed_inside_the_own_closed_car_stays_there(action: str) -> None:
    stage, car, cy = beside_a_car("grenade_frag")
    stage.put_inside(ADA, car)
    stage.edit(car, marks={**stage[car].marks, SIZE: 60})  # 6 m long and wide
    roll = (6, 6) if action == "lob" else (6, 6, 6)
    stage.do(action, ADA, weapon=f"{ADA}-w1", to="2,0", dice=(roll, (1,) * 5))
    assert set(losses(stage)) == {ADA, BO}
    assert cy not in losses(stage)


@pytest.mark.rule("CE-EXPL-01", "CE-VEH-12")
def test_a_grenade_lobbed_out_of_a_closed_car_goes_off_outside() -> None:
    stage, car, _ = beside_a_car("grenade_frag")
    stage.put_inside(ADA, car)
    far = stage.join("Di", 20)
    stage.do("lob", ADA, weapon=f"{ADA}-w1", to="20,0", dice=((6, 6), (1,) * 5))
    assert set(losses(stage)) == {far}
