"""Robots inside vehicles, robots that are shut down, and machines that the GM brings to 0."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.characters import machinery
from combat.rules.cepheus.characters.sheet import find_health
from combat.rules.cepheus.fight.grapple import can_resist
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.vehicles.garage import Garage


def exposed(stage: Garage, **more: Any) -> str:
    """A vehicle whose Hull is used up: hits on it land inside."""
    car = stage.vehicle(structure=9, armor=0, lacks=["sensors"], **more)
    stage.set_track(car, hull=0)
    return car


# ---------------------------------------------------------------- inside a vehicle


@pytest.mark.rule("CE-VLOC-47")
@pytest.mark.full_rules
def test_a_robot_hit_in_the_cockpit_takes_it_by_its_own_table(stage: Garage) -> None:
    car, robot = exposed(stage), stage.robot(attributes={"armor": 2})
    stage.seat(robot, car, "driver")
    stage.strike(car, 3, 12, 2)
    assert stage.tracks(robot) == (2, 3, 2)
    assert stage[robot].tracks["str"] == 7
    assert stage.tracks(car)[1] == 9


@pytest.mark.rule("CE-VLOC-47", "CE-VDMG-08")
def test_a_double_in_the_cockpit_strikes_a_robot_twice(stage: Garage) -> None:
    car, robot = exposed(stage), stage.robot(attributes={"hull": 9})
    stage.seat(robot, car, "driver")
    stage.strike(car, 7, 12, 2, 2)
    assert stage.tracks(robot)[0] == 5
    assert stage.tracks(car)[1] == 9


@pytest.mark.rule("CE-VLOC-48")
def test_a_wrecked_robot_at_the_controls_is_hit_no_longer(stage: Garage) -> None:
    car, robot = exposed(stage), stage.robot()
    stage.seat(robot, car, "driver")
    stage.give(robot, "wreck")
    stage.land(car, 12)
    assert stage.tracks(car)[1] == 8


@pytest.mark.rule("CE-VLOC-42", "CE-VLOC-43", "CE-VLOC-44")
def test_working_robot_passenger_is_picked_like_a_person(stage: Garage) -> None:
    car, robot = exposed(stage), stage.robot()
    person = stage.crew(car, "passenger")
    stage.seat(robot, car)
    assert [rider.id for rider in machinery.find_riders(stage.state, car)] == [robot, person]
    stage.give(robot, "wreck")
    assert [rider.id for rider in machinery.find_riders(stage.state, car)] == [person]


@pytest.mark.rule("CE-COLL-06")
def test_unbelted_robot_is_thrown_out_and_collides_by_its_table(stage: Garage) -> None:
    car, robot = stage.vehicle(open=True, armor=0), stage.robot()
    stage.seat(robot, car)
    stage.do("crash", target=car, speed=10, dice=[(3,), (1, 1), (1, 1)])
    assert stage[robot].inside == ""
    assert stage.tracks(robot)[0] == 2


@pytest.mark.rule("CE-ARMOR-01")
@pytest.mark.full_rules
@pytest.mark.parametrize(("kind", "left"), [("laser", 7), ("", 4)])
def test_laser_hit_inside_meets_the_armors_laser_rating(stage: Garage, kind: str, left: int) -> None:
    car = exposed(stage)
    stage.crew(car, armor=["reflec"])
    driver = machinery.find_driver(stage.state, car)
    assert driver
    stage.strike(car, 3, 12, kind=kind)
    assert stage.body(driver.id) == (7, 7, left)


# ---------------------------------------------------------------- shut down


@pytest.mark.rule("CE-VLOC-50")
def test_a_robot_that_is_shut_down_neither_dodges_nor_resists(stage: Garage) -> None:
    robot, foe = stage.robot(), stage.foe(at=(1, 0), skills={"natural_weapons": 0}, weapons=["rifle"])
    stage.begin(foe, robot)
    stage.give(robot, "shut_down", marks={"first": 2, "last": 3})
    assert can_resist(stage.state, stage[robot])
    stage.state = replace(stage.state, round=2)
    assert not can_resist(stage.state, stage[robot])
    stage.do("attack", foe, target=robot, weapon=stage.item(foe, "rifle").id, dice=[(1, 1)])
    stage.turn(foe)
    stage.do("grapple", foe, target=robot, dice=[(4, 4), "hold", "continue"])
    assert stage.has(robot, "grappled")


# ---------------------------------------------------------------- by the GM


@pytest.mark.rule("CE-VLOC-16")
@pytest.mark.parametrize("kind", ["robot", "vehicle"])
def test_a_machine_that_the_gm_brings_to_structure_0_is_a_wreck(stage: Garage, kind: str) -> None:
    machine = stage.robot() if kind == "robot" else stage.vehicle()
    stage.do("adjust", target=machine, track="structure", to=0)
    assert stage.has(machine, "wreck")
    assert find_health(stage[machine]).is_out
    wreck = next(held for held in stage[machine].conditions if held.kind == "wreck")
    why = stage.refused("take_condition", target=machine, condition=wreck.id).message
    assert "it follows from Structure 0" in why


@pytest.mark.rule("CE-VLOC-16")
def test_damage_to_several_wrecks_each_that_has_nothing_left(stage: Garage) -> None:
    robot, car = stage.robot(), stage.vehicle(structure=5)
    stage.do("adjust_each", targets=(robot, car), track="structure", by=-3)
    assert (stage.has(robot, "wreck"), stage.has(car, "wreck")) == (True, False)


@pytest.mark.rule("CE-REP-15")
@pytest.mark.parametrize("scrap", ["wreck", "destroyed"])
def test_healing_a_wreck_makes_it_whole_again(stage: Garage, scrap: str) -> None:
    robot = stage.robot()
    stage.set_track(robot, structure=0)
    stage.give(robot, scrap)
    stage.do("adjust", target=robot, track="armor", to=1)
    assert stage.has(robot, scrap)
    stage.do("adjust", target=robot, track="structure", by=2)
    assert not find_health(stage[robot]).is_out


@pytest.mark.rule("CE-VLOC-16")
def test_a_wreck_holds_nobody(stage: Garage) -> None:
    robot, ada = stage.robot(), stage.hero()
    stage.give(robot, "grappled", by=ada)
    stage.give(ada, "grappled", by=robot)
    stage.do("adjust", target=robot, track="structure", to=0)
    assert not stage.has(ada, "grappled")
    assert [told.who for told in stage.told(e.ConditionGained)] == [robot]
