"""Keeping control, a vehicle's path, and maneuvers."""

from __future__ import annotations

from typing import Any

import pytest

from combat.audience.viewer import GM
from combat.pages.table.rows import view_combatants
from combat.play.scenes.ready import find_ready_scene
from combat.rules.cepheus.characters import machinery
from combat.rules.cepheus.vehicles.driving import PURSUES, find_arcs_of, find_stretches
from combat.rules.cepheus.world.motion import count_moved
from combat.rules.core.space import Point
from combat.rules.core.space.ground import is_off_map
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.vehicles.garage import Garage, Road

# ---------------------------------------------------------------- control


@pytest.mark.rule("CE-VEH-05")
def test_without_control_it_goes_straight_on(road: Road) -> None:
    road.end_turn()
    assert road[road.car].at == Point(0, -100)
    assert any(x.key == "log.out_of_control" for x in road.told(e.Said))


@pytest.mark.rule("CE-VEH-04", "CE-VEH-05")
@pytest.mark.parametrize("kind", ["unconscious", "helpless", "surrendered", "bound", "extended_action"])
def test_driver_who_does_not_drive_lets_it_go_on_straight(road: Road, kind: str) -> None:
    other = road.hero("Bo", "797777", at=(50, 50))
    road.begin(other, road.driver)
    road.give(road.driver, kind)
    road.end_turn()
    assert road.state.round == 2
    assert road[road.car].at == Point(0, -100)


@pytest.mark.rule("CE-VEH-05", "CE-OTHER-15")
def test_driver_who_delays_past_the_round_lets_it_go_straight_on(road: Road) -> None:
    road.begin(road.driver, road.hero("Bo", at=(50, 50)))
    road.do("delay", road.driver)
    assert road[road.car].at == Point(0, 0)
    road.do("next_turn", dice=["first"])
    assert road.state.round == 2
    assert road[road.car].at == Point(0, -100)


@pytest.mark.rule("CE-VEH-05")
def test_driverless_vehicles_go_on_even_after_another_crashes(road: Road) -> None:
    road.zone("wall", x=-10, y=-50, width=20, depth=10, terrain=["wall"])
    other = road.vehicle("Other", at=(40, 0), hull=9, structure=9)
    road.moving(other, 60)
    road.do("seat", target=road.driver, vehicle="")
    road.edit(road.car, tracks={**road[road.car].tracks, "armor": 99})
    road.do("next_turn", dice=[(1, 1, 1, 1, 1, 1)])
    assert road[other].at == Point(40, -100)


@pytest.mark.rule("CE-MOD-06")
def test_driverless_vehicle_counts_one_round_moved_unless_parked(
    road: Road,
) -> None:
    road.do("seat", target=road.driver, vehicle="")
    road.do("next_turn")
    road.do("next_turn")
    assert road[road.car].at == Point(0, -200)
    assert count_moved(road[road.car]) == 100
    road.moving(road.car, 0)
    road.do("next_turn")
    assert count_moved(road[road.car]) == 0


@pytest.mark.rule("CE-MOD-06")
def test_new_driver_does_not_add_to_the_vehicles_earlier_move(road: Road) -> None:
    road.do("seat", target=road.driver, vehicle="")
    road.do("next_turn")
    road.seat(road.driver, road.car, "driver")
    road.do("drive", road.driver)
    assert count_moved(road[road.car]) == 100


@pytest.mark.rule("CE-VACT-20", "CE-VEH-05")
def test_a_vehicle_that_was_driven_does_not_weave_as_well(road: Road) -> None:
    road.city()
    road.do("drive", road.driver, why="obstacles")
    road.turn(road.driver)
    assert "has been driven" in road.refused("weave", road.driver, number=1).message


@pytest.mark.rule("CE-VEH-06")
@pytest.mark.parametrize(("option", "minor"), [("instead", 1), ("as_well", 0)])
def test_obstacles_and_pursuit_take_the_significant_action(option: str, minor: int) -> None:
    road = Road(control_minor=option)
    prey = road.vehicle("Prey", at=(0, -300))
    road.do("drive", road.driver, why="pursue", target=prey)
    assert road[road.driver].budget == {"minor": minor, "significant": 0}
    assert road[road.car].marks[PURSUES] == prey


def test_a_table_without_chases_has_no_pursuit() -> None:
    """RULING R61"""
    road = Road(use_chases=False)
    prey = road.vehicle("Prey", at=(0, -300))
    how, *others = road.system.action("drive").find_fields(road.state, road.driver)
    assert [option.value for option in how.options] == ["course", "obstacles"]
    assert [field.name for field in others] == ["to", "speed"]
    refused = road.refused("drive", road.driver, why="pursue", target=prey)
    assert "without chases" in refused.message


@pytest.mark.rule("CE-VEH-06")
@pytest.mark.parametrize(
    ("prey", "speed", "ends"),
    [
        ((0, -300), 60, Point(0, -100)),  # as far as the speed allows
        ((0, -50), 60, Point(0, -47)),  # never past it
        ((40, 0), 60, Point(37, 0)),  # not straight ahead, but after it
        ((0, -2), 60, Point(0, 0)),
    ],
)
def test_pursuit_without_a_place_stays_behind_the_quarry(
    road: Road, prey: tuple[float, float], speed: int, ends: Point
) -> None:
    quarry = road.vehicle("Prey", at=prey)
    road.do("drive", road.driver, why="pursue", target=quarry, to="ahead", speed=speed)
    assert road[road.car].at == ends


@pytest.mark.rule("CE-VEH-06")
@pytest.mark.parametrize(("hidden", "y"), [(False, -41), (True, -47)])
def test_pursuers_of_one_quarry_line_up_behind_it(road: Road, hidden: bool, y: float) -> None:
    """Not behind someone hidden, whom that would give away."""
    quarry = road.vehicle("Prey", at=(0, -50))
    road.edit(road.vehicle("First", at=(0, -46)), hidden=hidden)
    road.do("drive", road.driver, why="pursue", target=quarry)
    assert road[road.car].at == Point(0, y)


@pytest.mark.rule("CE-VEH-06")
def test_only_another_vehicle_is_pursued(road: Road) -> None:
    walker = road.foe(at=(0, -50))
    for target in (walker, road.car, ""):
        refused = road.refused("drive", road.driver, why="pursue", target=target)
        assert "Pursue another vehicle" in refused.message


@pytest.mark.rule("CE-VEH-04", "CE-VACT-03", "CE-VACT-15")
@pytest.mark.parametrize(
    ("name", "fields", "ends"),
    [
        ("evade", {}, Point(0, -100)),
        ("evade", {"to": "30,-40"}, Point(30, -40)),
        ("evade", {"speed": 30}, Point(0, -50)),
        ("stunt", {}, Point(0, -100)),
        ("stunt", {"to": "30,-40", "facing": 90}, Point(30, -40)),
    ],
)
def test_a_vehicle_goes_on_while_its_driver_tries_something(
    road: Road, name: str, fields: dict[str, Any], ends: Point
) -> None:
    road.do(name, road.driver, dice=[(6, 6)], **fields)
    assert road[road.car].at == ends


@pytest.mark.rule("CE-VACT-19")
def test_maneuvers_that_fail_end_straight_ahead(road: Road) -> None:
    road.do("stunt", road.driver, aim="maneuvers", to="30,-40", dice=[(1, 2)])
    assert road[road.car].at == Point(0, -100)


@pytest.mark.rule("CE-VEH-04", "CE-VACT-22")
def test_who_weaves_goes_on_as_well(road: Road) -> None:
    road.city()
    road.do("weave", road.driver, number=1, to="60,-60", dice=[(6, 6)])
    assert road[road.car].at == Point(60, -60)


@pytest.mark.rule("CE-VACT-01", "CE-VEH-04")
def test_vehicles_have_no_turns_of_their_own(road: Road) -> None:
    road.do("end_fight")
    road.do("start", dice=[(4, 4)])
    assert road.state.order == (road.driver,)
    assert road[road.car].initiative is None


@pytest.mark.rule("CE-VACT-01", "CE-VEH-04")
def test_only_whoever_is_at_the_controls_drives(road: Road) -> None:
    rider = road.crew(road.car, "passenger", name="Bo")
    road.begin(rider, road.driver)
    assert "not at the controls" in road.refused("drive", rider).message
    assert "not at the controls" in road.refused("stunt", rider).message
    assert road.refused("stunt", road.driver).code == "not_your_turn"


@pytest.mark.rule("CE-VDMG-03", "CE-VLOC-36")
@pytest.mark.parametrize("kind", ["wreck", "destroyed", "disabled"])
def test_scrap_and_what_is_disabled_is_driven_no_more(road: Road, kind: str) -> None:
    road.give(road.car, kind)
    assert "no longer moves" in road.refused("drive", road.driver).message
    assert machinery.find_top_speed(road.state, road[road.car]) == 0


@pytest.mark.rule("CE-VEH-02", "CE-VEH-05")
def test_a_course_stays_ahead_and_within_what_the_speed_allows(road: Road) -> None:
    assert "45 degrees" in road.refused("drive", road.driver, to="50,50").message
    assert road.refused("drive", road.driver, to="0,-300").code == "out_of_range"
    assert road.refused("drive", road.driver, speed=140).code == "bad_value"
    road.do("drive", road.driver, to="30,-40")
    assert road[road.driver].at == road[road.car].at == Point(30, -40)
    assert road[road.car].marks[machinery.FACING] == 37
    assert road[road.car].marks["moved_m"] == "50.00"


@pytest.mark.rule("CE-VACT-09")
def test_simple_course_avoids_obstacles_but_a_maneuver_need_not(road: Road) -> None:
    rocks = {"id": "rocks", "name": "Rocks", "x": -9, "y": -80, "width": 18, "depth": 20}
    road.do("set_scene", scene={"zones": [{**rocks, "terrain": ["obstacles"]}]})
    assert "Rocks is in the way" in road.refused("drive", road.driver).message
    road.do("maneuver", road.driver, to="0,-100")
    assert road[road.car].at == Point(0, -100)
    assert not road.checks()


@pytest.mark.rule("CE-VACT-09")
def test_whoever_is_among_obstacles_keeps_a_course_among_them(road: Road) -> None:
    road.city()
    road.do("drive", road.driver)
    assert road[road.car].at == Point(0, -100)


@pytest.mark.rule("CE-VEH-06")
def test_a_way_between_obstacles_takes_the_significant_action(road: Road) -> None:
    rocks = {"id": "rocks", "name": "Rocks", "x": -9, "y": -80, "width": 18, "depth": 20}
    road.do("set_scene", scene={"zones": [{**rocks, "terrain": ["obstacles"]}]})
    assert "significant action" in road.refused("drive", road.driver).message
    road.do("drive", road.driver, why="obstacles")
    assert road[road.car].at == Point(0, -100)
    assert road[road.driver].budget == {"minor": 1, "significant": 0}


# ---------------------------------------------------------------- maneuvers


@pytest.mark.rule("CE-VACT-08", "CE-VACT-10", "CE-VACT-11", "CS-VACT-02")
def test_a_maneuver_takes_no_check_and_changes_arcs(road: Road) -> None:
    foe = road.vehicle("Foe", at=(0, 60), side="enemies")
    assert find_arcs_of(road.state, road[road.car], road[foe]) == ("rear",)
    assert find_arcs_of(road.state, road[foe], road[road.car]) == ("front",)
    road.do("maneuver", road.driver, to="60,60", facing=270)
    assert not road.checks()
    assert find_arcs_of(road.state, road[road.car], road[foe]) == ("front",)
    assert find_arcs_of(road.state, road[foe], road[road.car]) == ("right",)
    assert road[road.driver].budget == {"minor": 1, "significant": 0}


# ---------------------------------------------------------------- forms


@pytest.mark.rule("CE-VEH-04")
def test_speed_grows_as_a_place_needs_and_refusal_says_how_much(road: Road) -> None:
    road.moving(road.car, 0)
    form = {field.name: field for field in road.system.action("drive").find_fields(road.state, road.driver)}
    assert (form["speed"].value, form["speed"].required) == ("0", False)
    assert form["speed"].help == "0 to 100, 167 m a round; as now (0): faster if the place needs it"
    told = road.refused("drive", road.driver, to="0,-50", speed=10).message
    assert told == "50 m are too far: at 10 km/h Car goes 16.7 m a round; raise the speed to 30 km/h or more."
    told = road.refused("drive", road.driver, to="0,-500").message
    assert told.endswith("166.7 m at its top speed: choose a nearer place.")
    told = road.refused("drive", road.driver, to="0,-17", speed=10).message
    assert told.startswith("17 m are too far: at 10 km/h Car goes 16.7 m a round")
    road.do("drive", road.driver, to="0,-50")
    assert machinery.find_speed(road.state, road[road.car]) == 30


@pytest.mark.rule("CE-VACT-12")
def test_ram_from_a_standstill_is_at_top_speed_by_default(road: Road) -> None:
    speed = road.system.action("ram").find_fields(road.state, road.driver)[1]
    assert speed.value == "60"
    road.moving(road.car, 0)
    assert road.system.action("ram").find_fields(road.state, road.driver)[1].value == "100"


def test_driving_stands_before_what_most_others_do(road: Road) -> None:
    groups = list(dict.fromkeys(action.group for action in road.system.actions.by_name.values()))
    assert groups.index("Vehicle") == 1


@pytest.mark.rule("CE-VEH-04")
def test_driver_is_offered_ways_beyond_the_map_but_no_gap_in_it(road: Road) -> None:
    def list_ends() -> list[float]:
        return [-reach.at.y for reach in find_stretches(road.state, road.driver)]

    road.zone("road", x=-5, y=-80, width=10, depth=100)
    assert list_ends() == [50, 100, 150]
    road.zone("pier", x=-5, y=-250, width=10, depth=70)
    assert list_ends() == [50]
    ends = [is_off_map(road.state.scene, Point(0, y)) for y in (30, 0, -150, -300)]
    assert ends == [True, False, False, True]


@pytest.mark.rule("CE-VEH-02")
def test_vehicles_that_nobody_has_turned_face_along_their_road() -> None:
    """Already while the fight is prepared; the GM's own direction holds."""
    garage = Garage()
    garage.state = replace(garage.state, scene=find_ready_scene("coast_road").scene)
    car, other = garage.vehicle(at=(20, 14)), garage.vehicle("Van", at=(40, 14), side="enemies")
    off_road = garage.vehicle("Truck", at=(500, 500), side="enemies")
    garage.hero("Ada", at=(22, 14))
    garage.edit(other, marks={machinery.FACING: 270})

    def list_headings() -> list[float]:
        rows = view_combatants(garage.system, garage.state, GM)
        return [rows[who].look.heading for who in (car, other, off_road)]

    assert list_headings() == [90, 270, 0]
    garage.do("start", dice=[(3, 4)])
    assert list_headings() == [90, 270, 0]
    assert garage[car].marks[machinery.FACING] == 90
    assert machinery.FACING not in garage[off_road].marks


@pytest.mark.rule("CE-VEH-02")
@pytest.mark.parametrize(("wide", "deep", "lanes", "heading"), [(20, 12, {3, 9}, 90), (12, 20, {3, 9}, 0)])
def test_cars_by_side_stand_in_the_lanes_of_a_road_of_ones_own(
    wide: float, deep: float, lanes: set[float], heading: int
) -> None:
    """Both sides drive the same way, as those do who chase each other."""
    garage = Garage()
    garage.zone("Road", x=0, y=0, width=wide, depth=deep)
    sides = ("allies", "allies", "enemies", "enemies")
    cars = [garage.vehicle(f"Car {n}", at=(500, 500), side=side) for n, side in enumerate(sides)]
    garage.do("place_by_side")
    middles = [garage[car].at.y if heading else garage[car].at.x for car in cars]
    assert set(middles) == lanes
    assert len({garage[car].at for car in cars}) == len(cars)
    rows = view_combatants(garage.system, garage.state, GM)
    assert {rows[car].look.heading for car in cars} == {heading}
