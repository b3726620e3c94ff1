"""Damaged sensors hamper, and destroyed ones blind."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.characters.machinery import check_sensors, sensor_terms
from combat.rules.core.basics.errors import Refused
from tests.combat.rules.cepheus.vehicles.garage import Garage

TURRET = [{"weapon": "triple_laser", "mount": "turret"}]


@pytest.mark.rule("CE-VLOC-30", "CE-VLOC-31", "CE-VLOC-32", "CE-VLOC-33")
def test_hits_on_sensors_hamper_blind_and_spill(stage: Garage) -> None:
    car, drone = stage.vehicle(), stage.robot(drone=True)
    driver = stage.crew(car)
    stage.land(car, 3)
    stage.land(drone, 4)
    assert [term.value for term in sensor_terms(stage.state, driver, "comms")] == [-2]
    assert sensor_terms(stage.state, driver, "recon") == ()
    assert [term.value for term in sensor_terms(stage.state, drone, "recon")] == [-2]
    check_sensors(stage.state, driver)
    stage.land(car, 11)
    with pytest.raises(Refused, match="sensors of Car are destroyed"):
        check_sensors(stage.state, driver)
    stage.land(car, 3)
    assert stage.tracks(car) == (2, 2, 6)


@pytest.mark.rule("CE-VLOC-32")
def test_a_drone_without_sensors_is_blind_and_does_not_answer(stage: Garage) -> None:
    drone, ada = stage.robot("Eye", drone=True, gear=["infrared_goggles"]), stage.hero()
    stage.begin(ada, drone)
    stage.do("assign_drone", target=drone, operator=ada)
    stage.hurt(drone, "sensors", 2)
    assert "does not answer" in stage.refused("steer", ada, target=drone).message
    goggles = stage.item(drone, "infrared_goggles").id
    stage.turn(drone)
    assert "sensors of Eye are destroyed" in stage.refused("scan", drone, item=goggles).message


@pytest.mark.rule("CE-VLOC-30", "CE-VLOC-31", "CE-VLOC-32")
@pytest.mark.parametrize("skill", ["recon", "comms"])
@pytest.mark.full_rules
def test_a_robot_without_sensors_uses_neither_recon_nor_comms(stage: Garage, skill: str) -> None:
    robot = stage.robot("Eye")
    stage.begin(robot)
    check: dict[str, Any] = {"skill": skill, "characteristic": "int"}
    stage.hurt(robot, "sensors", 1)
    assert -2 in [term.value for term in stage.preview("check", robot, **check).modifiers]
    stage.hurt(robot, "sensors", 2)
    assert "sensors of Eye are destroyed" in stage.refused("check", robot, **check).message
    stage.do("check", robot, skill="mechanics", characteristic="int", dice=[(1, 1)])


@pytest.mark.rule("CE-VLOC-30", "CE-VLOC-32")
@pytest.mark.full_rules
def test_without_vehicle_sensors_comms_fails_and_recon_is_by_eye(stage: Garage) -> None:
    car = stage.vehicle()
    driver = stage.crew(car)
    stage.begin(driver)
    stage.hurt(car, "sensors", 2)
    assert "sensors of Car are destroyed" in stage.refused("check", driver, skill="comms").message
    stage.do("check", driver, skill="recon", dice=[(1, 1)])


@pytest.mark.rule("CE-VLOC-32")
def test_robot_without_sensors_cannot_aim_and_only_fires_blindly(stage: Garage) -> None:
    robot, foe = stage.robot("Eye", weapons=["rifle"]), stage.foe(at=(10, 0))
    stage.begin(robot, foe)
    rifle = stage.item(robot, "rifle").id
    shot: dict[str, Any] = {"target": foe, "weapon": rifle}
    stage.preview("attack", robot, **shot)  # kept for as long as the robot sees
    stage.hurt(robot, "sensors", 2)
    assert "sensors of Eye are destroyed" in stage.refused("attack", robot, **shot).message
    assert "must see" in stage.refused("aim", robot, target=foe).message
    assert "sensors of Eye are destroyed" in stage.refused("suppress", robot, **shot).message
    stage.do("blind_fire", robot, dice=[(1, 1, 1)], **shot)


@pytest.mark.rule("CE-VLOC-32")
def test_without_sensors_gunners_fire_blindly_passengers_by_eye(stage: Garage) -> None:
    car = stage.vehicle(mounts=TURRET)
    gunner, rider = stage.crew(car, "gunner"), stage.crew(car, "passenger", name="Bo", weapons=["rifle"])
    foe, gun, rifle = stage.foe(at=(30, 0)), stage[car].items[0].id, stage.item(rider, "rifle").id
    stage.begin(gunner, rider, foe)
    stage.preview("attack", gunner, target=foe, weapon=gun)
    stage.hurt(car, "sensors", 2)
    assert "sensors of Car are destroyed" in stage.refused("attack", gunner, target=foe, weapon=gun).message
    assert "sensors of Car are destroyed" in stage.refused("suppress", gunner, target=foe, weapon=gun).message
    stage.preview("blind_fire", gunner, target=foe, weapon=gun)
    stage.preview("attack", rider, target=foe, weapon=rifle)


@pytest.mark.rule("CE-VLOC-32", "CE-REACT-07")
def test_a_robot_without_sensors_is_not_aware_of_its_attackers(stage: Garage) -> None:
    robot, foe = stage.robot("Eye"), stage.foe(at=(10, 0), weapons=["rifle"])
    stage.begin(foe, robot)
    stage.hurt(robot, "sensors", 2)
    stage.do("attack", foe, target=robot, weapon=stage.item(foe, "rifle").id, dice=[(1, 1)])
