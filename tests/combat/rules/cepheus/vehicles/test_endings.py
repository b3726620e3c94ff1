"""The end of a fight with vehicles: their occupants decide whether they can fight.  RULING R95"""

from __future__ import annotations

import pytest

from combat.rules.cepheus.tactics.plans import find_foes
from combat.rules.core.sides import find_verdict, standing_sides
from tests.combat.rules.cepheus.vehicles.garage import Garage


class Road(Garage):
    """Ada on foot against a truck with a driver and a guard."""

    def __init__(self) -> None:
        super().__init__()
        self.ada = self.hero("Ada")
        self.truck = self.vehicle("Truck", side="enemies", at=(20, 0))
        self.driver = self.crew(self.truck, name="Driver", side="enemies", at=(20, 0))
        self.guard = self.crew(self.truck, "passenger", name="Guard", side="enemies", at=(20, 0))
        self.begin(self.ada, self.driver, self.guard)


@pytest.fixture
def road() -> Road:
    return Road()


@pytest.mark.parametrize("kind", ["unconscious", "dead"])
def test_a_vehicle_whose_crew_is_down_does_not_stand(road: Road, kind: str) -> None:
    road.give(road.driver, kind)
    assert standing_sides(road.system, road.state) == ("allies", "enemies")
    road.give(road.guard, kind)
    verdict = find_verdict(road.system, road.state)
    assert verdict
    assert (verdict.standing, verdict.beaten) == ("allies", ("enemies",))


def test_empty_vehicle_does_not_stand_and_is_not_shot_at(road: Road) -> None:
    assert [foe.id for foe in find_foes(road.state, road.state[road.ada])] == [road.truck]
    for who in (road.driver, road.guard):
        road.do("seat", target=who, vehicle="")
        road.give(who, "dead")
    assert find_foes(road.state, road.state[road.ada]) == []
    assert standing_sides(road.system, road.state) == ("allies",)


def test_a_robot_stands_by_itself(road: Road) -> None:
    road.robot("Guard dog", side="dogs")
    assert "dogs" in standing_sides(road.system, road.state)


@pytest.mark.parametrize("action", ["hasten", "hasten_next", "free", "aim", "get_out"])
def test_a_vehicle_is_offered_nothing_of_its_own(road: Road, action: str) -> None:
    fields = {"aim": {"target": road.ada}, "free": {"what": "Hoy!"}}.get(action, {})
    refused = road.refused(action, road.truck, **fields)
    assert refused.message == "Truck does nothing on its own: choose someone aboard."


@pytest.mark.rule("CE-VEH-08")
def test_the_gm_fills_the_vehicles_of_a_side_one_after_the_other(stage: Garage) -> None:
    car = stage.vehicle(crew=1, passengers=1)
    other = stage.vehicle("Van", side="enemies", pc=False)
    ada, bo, foe = stage.hero(), stage.hero("Bo"), stage.hero("Cy", side="enemies")
    for who, vehicle, station in ((ada, car, "driver"), (bo, car, "passenger"), (foe, other, "driver")):
        offered = {one.name: one.value for one in stage.system.action("seat").find_fields(stage.state, "")}
        assert (offered["target"], offered["vehicle"], offered["station"]) == (who, vehicle, station)
        stage.seat(who, vehicle, station)
