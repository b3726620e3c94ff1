"""Vehicles as they are drawn, and the fight as a chase."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.book.tables import RANGE_BANDS
from combat.rules.cepheus.characters.sheet import find_blocks
from combat.rules.cepheus.vehicles.figure import BODIES as SHAPES
from combat.rules.cepheus.vehicles.figure import draw_vehicle, find_chase
from combat.rules.core.declaration.parts import SHAPES as DRAWN
from combat.rules.core.declaration.parts import Body, Motion
from tests.combat.rules.cepheus.vehicles.garage import Garage, Road

WALL = {"id": "w1", "x1": 50, "y1": 50, "x2": 60, "y2": 50}


@pytest.fixture
def chase() -> Road:
    """A car at 60 km/h, and another 80 m behind it at 90 km/h."""
    road = Road()
    other = road.vehicle("Van", at=(0, 80), side="enemies", pc=False)
    road.moving(other, 90)
    return road


@pytest.mark.rule("CE-VEH-02")
def test_a_vehicle_is_drawn_with_its_heading() -> None:
    garage = Garage()
    car, tank = garage.vehicle(), garage.vehicle(drives_by="tracked_vehicle")
    garage.moving(car, 20, 135)
    assert draw_vehicle(garage[car]) == Body("car", 135)
    assert draw_vehicle(garage[tank]) == Body("tracked", 0)
    assert draw_vehicle(garage[garage.hero("Ada")]) is None


def test_shapes_are_all_drawn_and_ready_vehicle_skills_have_one() -> None:
    sheets = [block.sheet for block in find_blocks().values() if block.sheet.get("kind") == "vehicle"]
    assert {sheet["drives_by"] for sheet in sheets} <= set(SHAPES)
    assert set(SHAPES.values()) <= set(DRAWN)


@pytest.mark.rule("CE-VEH-06", "CE-VEH-04")
def test_two_vehicles_in_motion_are_a_chase(chase: Road) -> None:
    found = find_chase(chase.state)
    assert found
    speeds = {chase[who].name: (motion.speed, motion.top) for who, motion in found.motions.items()}
    assert speeds == {"Car": (60, 100), "Van": (90, 100)}
    assert [band.name for band in found.bands] == [band.name for band in RANGE_BANDS.values()]
    assert found.meters_a_turn * 60 == pytest.approx(100), "60 km/h are 100 m a round"


@pytest.mark.rule("CE-VEH-06")
def test_a_chase_knows_who_is_after_whom(chase: Road) -> None:
    van = next(who for who, one in chase.state.combatants.items() if one.name == "Van")
    chase.edit(van, marks={**chase[van].marks, "pursues": chase.car})
    found = find_chase(chase.state)
    assert found
    assert found.motions[van] == Motion(90, 100, chase.car)


def test_one_vehicle_two_at_rest_or_no_chase_rules_make_no_chase() -> None:
    assert find_chase(Road().state) is None
    standing = Garage()
    standing.vehicle(), standing.vehicle(at=(0, 20))
    assert find_chase(standing.state) is None
    without = Road(use_chases=False)
    without.moving(without.vehicle(at=(0, 20)), 40)
    assert find_chase(without.state) is None


def test_between_walls_only_a_pursuit_is_a_chase(chase: Road) -> None:
    chase.do("set_map", map={"walls": [WALL]})
    assert find_chase(chase.state) is None
    chase.edit(chase.car, marks={**chase[chase.car].marks, "pursues": "f9"})
    assert find_chase(chase.state)
