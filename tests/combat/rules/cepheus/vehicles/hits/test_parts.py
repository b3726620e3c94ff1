"""The effects of hits on machines, from the first on a part to the one that spills over."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.characters import machinery
from combat.rules.cepheus.characters.machinery import check_sensors
from combat.rules.cepheus.vehicles.figure import make_machine_figure
from combat.rules.cepheus.world.economy import find_budget
from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.vehicles.garage import Garage
from tests.typed import as_a

TURRET = [{"weapon": "triple_laser", "mount": "turret"}]
TWO_GUNS = [*TURRET, {"weapon": "triple_laser", "mount": "front"}]


@pytest.mark.rule("CE-VLOC-33")
def test_hits_on_sensors_that_a_vehicle_lacks_take_hull(stage: Garage) -> None:
    car = stage.vehicle(lacks=["sensors"])
    stage.land(car, 3, 11)
    assert stage.tracks(car) == (1, 2, 6)
    assert stage.hits(car, "sensors") == 0
    check_sensors(stage.state, car)  # a machine that never had sensors is not blind


@pytest.mark.rule("CE-VLOC-33", "CE-VLOC-13")
def test_without_hull_a_hit_on_absent_sensors_goes_inside_by_row(stage: Garage) -> None:
    car = stage.vehicle(lacks=["sensors"])
    stage.set_track(car, hull=0)
    stage.land(car, 3)
    assert stage.hits(car, "power") == 1


@pytest.mark.rule("CE-VLOC-52")
def test_hits_on_a_computer_that_a_machine_lacks_take_structure(stage: Garage) -> None:
    car, robot = internal(stage, lacks=["computer"]), stage.robot(lacks=["computer"])
    stage.land(car, 10)
    stage.land(robot, 12)
    assert stage.tracks(car) == (0, 4, 0)
    assert stage.tracks(robot) == (3, 2, 0)
    assert not stage.has(robot, "shut_down")


@pytest.mark.rule("CE-VLOC-38", "CE-VLOC-41")
@pytest.mark.parametrize(("limbs", "hull"), [(1, 3), (0, 2)])
def test_a_robot_has_as_many_limbs_as_its_sheet_says(stage: Garage, limbs: int, hull: int) -> None:
    robot = stage.robot(limbs=limbs)
    stage.land(robot, 5)  # with one limb, no roll chooses it
    assert stage.tracks(robot)[0] == hull


# ---------------------------------------------------------------- armor, Hull, Structure


@pytest.mark.rule("CE-VDMG-05")
def test_armor_that_a_weapon_pierces_does_not_count(stage: Garage) -> None:
    car = stage.vehicle()
    stage.strike(car, 9, 2, ap=4)  # 7 through 2 points of armor: a Double Hit
    assert stage.tracks(car) == (1, 2, 6)
    stage.strike(car, 3, 2, ap=9)  # 3 through none
    assert stage.tracks(car) == (0, 2, 6)


@pytest.mark.rule("CE-VDMG-04")
def test_attack_effect_adds_to_the_damage_and_no_point_is_sure(stage: Garage) -> None:
    car = stage.vehicle()
    stage.strike(car, 5, effect=1)
    assert stage.tracks(car) == (3, 2, 6)
    stage.strike(car, 5, 2, effect=2)
    assert stage.tracks(car) == (2, 2, 6)
    stage.strike(car, 0, effect=6)  # against a person a point would be sure; 6 points meet armor 6
    assert stage.tracks(car) == (2, 2, 6)


@pytest.mark.rule("CE-VLOC-13")
def test_hull_zero_leaves_other_results_outside_by_default(stage: Garage) -> None:
    car = stage.vehicle(hull=1, structure=9, armor=0)
    other = Garage(hull_zero="whole_column")
    twin = other.vehicle(hull=1, structure=9, armor=0)
    stage.set_track(car, hull=0)
    other.set_track(twin, hull=0)
    stage.land(car, 4)
    assert stage.hits(car, "drive") == 1
    other.land(twin, 4)
    assert (other.hits(twin, "drive"), other.hits(twin, "power")) == (0, 1)


@pytest.mark.rule("CE-VLOC-13", "CE-VLOC-10", "CE-VLOC-11")
def test_what_counts_as_the_hull_goes_inside_on_its_own_row(stage: Garage) -> None:
    car = stage.vehicle(hull=3, armor=0)
    driver = stage.crew(car, pc=False)
    stage.hurt(car, "drive", 3)
    stage.hurt(car, "sensors", 2)
    stage.set_track(car, hull=0)
    stage.land(car, 4, 10)  # the drive is gone: the plant, and then the computer
    assert (stage.hits(car, "power"), stage.hits(car, "computer")) == (1, 1)
    stage.strike(car, 3, 11)  # the sensors are gone
    stage.strike(car, 2, 12)
    assert sum(stage.body(driver)) == 21 - 3 - 2
    assert stage.tracks(car)[:2] == (0, 2)


@pytest.mark.rule("CE-VDMG-02")
@pytest.mark.parametrize("option", ["hull_results", "whole_column"])
def test_vehicle_built_without_hull_is_like_one_with_hull_zero(option: str) -> None:
    """Its Hull results go inside; every other row stays outside while its part stands."""
    stage = Garage(hull_zero=option)
    car = stage.vehicle(hull=0, structure=3, armor=0)
    stage.land(car, 4, 2)
    inside = option == "whole_column"
    assert (stage.hits(car, "drive"), stage.hits(car, "power")) == ((0, 1) if inside else (1, 0))
    assert stage.tracks(car)[1] == 2


@pytest.mark.rule("CE-VLOC-14")
def test_without_hull_a_robot_loses_structure(stage: Garage) -> None:
    robot = stage.robot(attributes={"hull": 1})
    stage.land(robot, 2, 6)
    assert stage.tracks(robot)[:2] == (0, 2)
    stage.hurt(robot, "sensors", 2)
    stage.land(robot, 4)  # a Hull hit in the end, and never one on the plant inside
    assert stage.tracks(robot)[:2] == (0, 1)
    assert stage.hits(robot, "power") == 0


@pytest.mark.rule("CE-VDMG-03", "CE-VLOC-15", "CE-VLOC-16")
def test_out_of_structure_it_is_a_wreck_that_does_not_explode(stage: Garage) -> None:
    car = stage.vehicle(hull=0, structure=1, armor=0)
    stage.land(car, 2)
    assert stage.tracks(car)[1] == 0
    assert stage.has(car, "wreck")
    assert stage.system.characters.health(stage[car]).dead
    stage.strike(car, 30)  # no roll: it is scrap already
    assert stage.tracks(car)[1] == 0


@pytest.mark.rule("CE-VDMG-05", "CE-VLOC-21")
def test_armor_that_was_hit_stops_less_from_the_next_attack_on(stage: Garage) -> None:
    car = stage.vehicle(armor=6)
    stage.land(car, 7)
    stage.strike(car, 6, 2)
    assert stage.tracks(car) == (2, 2, 5)


@pytest.mark.rule("CE-VLOC-21")
def test_an_armor_hit_takes_a_point_from_the_next_attack_on(stage: Garage) -> None:
    car = stage.vehicle(armor=1, hull=9)
    stage.strike(car, 11, 7, 7, 7)  # three Single Hits: the armor, and then the Hull twice  RULING R47
    assert stage.tracks(car) == (7, 2, 0)


# ---------------------------------------------------------------- parts


@pytest.mark.rule("CE-VLOC-22", "CE-VLOC-23", "CE-VLOC-24", "CE-VLOC-25")
def test_hits_on_the_drive_slow_it_down_and_then_spill(stage: Garage) -> None:
    car = stage.vehicle()
    speeds = []
    for roll in (4, 10, 4, 10):
        stage.land(car, roll)
        speeds.append(machinery.find_top_speed(stage.state, stage[car]))
    assert speeds == [90, 75, 0, 0]
    assert stage.tracks(car) == (2, 2, 6)


@pytest.mark.rule("CE-VLOC-26", "CE-VLOC-27", "CE-VLOC-28", "CE-VLOC-29")
def test_weapon_hits_pick_one_at_random_until_none_is_left(stage: Garage) -> None:
    tank = stage.vehicle(mounts=TWO_GUNS)
    first, second = (item.id for item in machinery.find_mounts(stage[tank]))
    stage.land(tank, [5, (2,)])
    assert machinery.find_state_of(stage.state, stage[tank], second).dm == -2
    stage.land(tank, [9, (2,)])
    assert machinery.is_lost(stage.state, stage[tank], second)
    stage.land(tank, 5, 9)  # one is left: no dice for the choice
    assert machinery.is_lost(stage.state, stage[tank], first)
    stage.land(tank, 5)
    assert stage.tracks(tank) == (2, 2, 6)


def internal(stage: Garage, **more: Any) -> str:
    """A vehicle without a Hull, at a table where all hits then land inside."""
    stage.do("set_option", key="hull_zero", value="whole_column")
    return stage.vehicle(hull=0, structure=5, armor=0, **more)


@pytest.mark.rule("CE-VLOC-34")
def test_the_first_hit_on_the_plant_costs_the_next_round(stage: Garage) -> None:
    car = internal(stage, mounts=TURRET)
    driver, foe = stage.crew(car, skills={"wheeled_vehicle": 1}), stage.foe(at=(30, 0))
    gun = stage[car].items[0].id
    stage.begin(driver, foe)
    stage.land(car, 3)
    assert not machinery.is_stalled(stage.state, stage[car])
    stage.state = replace(stage.state, round=2)
    assert "no power" in stage.refused("drive", driver).message
    assert "no power" in stage.refused("attack", driver, target=foe, weapon=gun).message
    stage.state = replace(stage.state, round=3)
    assert not machinery.is_stalled(stage.state, stage[car])
    stage.do("drive", driver, speed=10)


@pytest.mark.rule("CE-VLOC-35", "CE-VLOC-36", "CE-VLOC-37")
def test_second_hit_halves_the_speed_and_third_bursts_the_plant(stage: Garage) -> None:
    car = internal(stage)
    stage.land(car, 3, 4)
    assert machinery.find_top_speed(stage.state, stage[car]) == 50
    stage.hurt(car, "drive", 1)
    assert (
        machinery.find_top_speed(stage.state, stage[car]) == 45
    )  # after what the drive has lost  RULING R47
    stage.land(car, [3, (3,)])
    assert stage.has(car, "disabled")
    assert machinery.find_top_speed(stage.state, stage[car]) == 0
    assert stage.tracks(car)[1] == 2  # Hull 0, die 3, Structure 5
    stage.land(car, 3)
    assert stage.tracks(car)[1] == 1  # the fourth is a Structure hit


@pytest.mark.rule("CE-VLOC-38", "CE-VLOC-39", "CE-VLOC-40", "CE-VLOC-41")
def test_limb_hits_pick_one_of_four_and_spill_when_all_are_gone(stage: Garage) -> None:
    robot = stage.robot()
    stage.land(robot, [5, (3,)])
    assert stage.hits(robot, "limb_3") == 1
    stage.land(robot, [9, (3,)])
    assert machinery.is_lost(stage.state, stage[robot], "limb_3")
    for n in (1, 2):
        stage.hurt(robot, "limb", 2, f"limb_{n}")
    stage.land(robot, 5, 9)  # one is left: no dice for the choice
    assert machinery.is_lost(stage.state, stage[robot], "limb_4")
    assert stage.tracks(robot)[0] == 3
    stage.land(robot, 5)
    assert stage.tracks(robot)[0] == 2


@pytest.mark.rule("CE-VLOC-04", "CE-VLOC-08", "CE-VLOC-38")
def test_the_weapon_of_a_robot_is_hit_before_its_limbs(stage: Garage) -> None:
    robot = stage.robot(weapons=["rifle"])
    rifle = stage.item(robot, "rifle").id
    stage.land(robot, 5, 9)
    assert machinery.is_lost(stage.state, stage[robot], rifle)
    stage.land(robot, [5, (2,)])
    assert stage.hits(robot, "limb_2") == 1


@pytest.mark.rule("CE-VLOC-39", "CE-VLOC-40")
def test_a_robot_strikes_with_the_best_limb_it_has_left(stage: Garage) -> None:
    robot, foe = stage.robot(), stage.foe()
    claws = stage[robot].items[0].id
    stage.begin(robot, foe)
    stage.hurt(robot, "limb", 1, "limb_1")
    terms = stage.preview("attack", robot, target=foe, weapon=claws).modifiers
    assert "term.limb_damaged" not in [term.label for term in terms]  # three are whole
    for n in (2, 3, 4):
        stage.hurt(robot, "limb", 1, f"limb_{n}")
    terms = stage.preview("attack", robot, target=foe, weapon=claws).modifiers
    assert -2 in [term.value for term in terms if term.label == "term.limb_damaged"]
    for n in (1, 2, 3):
        stage.hurt(robot, "limb", 2, f"limb_{n}")
    terms = stage.preview("attack", robot, target=foe, weapon=claws).modifiers
    assert -2 in [term.value for term in terms if term.label == "term.limb_damaged"]
    stage.hurt(robot, "limb", 2, "limb_4")
    assert "no limb left" in stage.refused("attack", robot, target=foe, weapon=claws).message


@pytest.mark.rule("CE-VLOC-11", "CE-VLOC-49", "CE-VLOC-50", "CE-VLOC-51", "CE-VLOC-52")
def test_computerless_robot_shuts_down_and_is_then_disabled(stage: Garage) -> None:
    robot = stage.robot()
    stage.begin(robot)
    stage.state = replace(stage.state, round=2)
    stage.land(robot, [12, (4,)])
    stalled = []
    for number in range(2, 8):
        stage.state = replace(stage.state, round=number)
        stalled.append(machinery.is_stalled(stage.state, stage[robot]))
    assert stalled == [False, True, True, True, True, False]  # no actions in rounds 3 to 6
    stage.state = replace(stage.state, round=4)
    assert find_budget(stage.state, stage[robot]) == {"minor": 0, "significant": 0}
    stage.land(robot, 12)
    assert stage.has(robot, "disabled")
    assert stage.system.characters.health(stage[robot]).is_out
    stage.state = replace(stage.state, round=20)
    assert find_budget(stage.state, stage[robot]) == {"minor": 0, "significant": 0}
    stage.land(robot, 12)
    assert stage.tracks(robot)[1] == 2  # the third is a Structure hit


@pytest.mark.rule("CE-VLOC-49", "CE-VLOC-50", "CE-VLOC-51", "CE-VLOC-52")
def test_a_vehicle_only_loses_its_computer(stage: Garage) -> None:
    car = internal(stage)
    stage.land(car, 10)
    assert machinery.find_state_of(stage.state, stage[car], "computer").off
    assert not stage.has(car, "shut_down")
    stage.land(car, 10)
    assert machinery.is_lost(stage.state, stage[car], "computer")
    assert not stage.has(car, "disabled")
    assert machinery.find_top_speed(stage.state, stage[car]) == 100
    stage.land(car, 10)
    assert stage.tracks(car)[1] == 4  # the third is a Structure hit


# ---------------------------------------------------------------- people and cargo inside


@pytest.mark.rule("CE-VLOC-42", "CE-VLOC-43")
def test_a_passenger_hit_picks_one_who_takes_what_came_through(stage: Garage) -> None:
    car = internal(stage)
    driver = stage.crew(car, name="Driver")
    people = [stage.crew(car, "passenger", name=name) for name in ("Ada", "Bo", "Cy")]
    stage.strike(car, 3, 7, (1,))
    assert stage.body(people[0]) == (7, 7, 4)
    assert stage.body(people[1]) == stage.body(driver) == (7, 7, 7)
    (pick,) = [x for x in stage.asked if isinstance(x, RollRequest) and x.dice == "1d3"]
    assert pick.rule == "CE-VLOC-42"
    stage.give(people[0], "dead")
    stage.strike(car, 3, 7, (2,))  # of the two who live
    assert stage.body(people[2]) == (7, 7, 4)


@pytest.mark.rule("CE-VLOC-43")
def test_damage_to_people_is_past_vehicle_armor_and_meets_theirs(stage: Garage) -> None:
    car = internal(stage)
    stage.set_track(car, armor=6)
    rider = stage.crew(car, "passenger", armor=["mesh"], pc=False)
    stage.strike(car, 6 + 5 + 3, 7)  # 8 through: a Double, and mesh takes 5 off each
    assert sum(stage.body(rider)) == 21 - 3 * 2


@pytest.mark.rule("CE-VLOC-43", "CE-VLOC-47")
@pytest.mark.parametrize(("roll", "station"), [(7, "passenger"), (12, "driver")])
def test_a_hit_past_the_last_point_of_hull_reaches_those_inside(
    stage: Garage, roll: int, station: str
) -> None:
    car = stage.vehicle(hull=1, structure=5, armor=0)
    rider = stage.crew(car, station, pc=False)
    stage.strike(car, 5, 6, roll)
    assert sum(stage.body(rider)) == 21 - 5


@pytest.mark.rule("CE-VLOC-44")
def test_without_a_living_passenger_the_structure_is_hit(stage: Garage) -> None:
    car = internal(stage)
    rider = stage.crew(car, "passenger")
    stage.cargo(car, "Crate of tea")
    stage.give(rider, "dead")
    stage.land(car, 7)
    assert stage.tracks(car)[1] == 4
    assert not machinery.find_cargo(stage[car])[0].marks


@pytest.mark.rule("CE-VLOC-47", "CE-VLOC-48")
def test_a_cockpit_hit_is_the_drivers_while_there_is_one_alive(stage: Garage) -> None:
    car = internal(stage)
    driver, rider = stage.crew(car), stage.crew(car, "passenger", name="Bo")
    stage.strike(car, 3, 12)
    assert stage.body(driver) == (7, 7, 4)
    stage.give(driver, "dead")
    stage.land(car, 11)
    assert stage.tracks(car)[1] == 4
    assert stage.body(rider) == (7, 7, 7)


@pytest.mark.rule("CE-VLOC-45", "CE-VLOC-46")
def test_cargo_is_hit_and_the_gm_says_whether_it_is_destroyed(stage: Garage) -> None:
    car = internal(stage)
    stage.cargo(car, "Crate of tea", "Piano")
    stage.land(car, [5, (2,)])
    tea, piano = (item.id for item in machinery.find_cargo(stage[car]))
    assert "has not been hit" in stage.refused("cargo", target=car, item=tea).message
    stage.do("cargo", target=car, item=piano, destroyed=True)
    assert [item.name for item in machinery.find_cargo(stage[car])] == ["Crate of tea"]
    stage.land(car, 9)
    stage.do("cargo", target=car, item=tea, destroyed=False)
    assert not machinery.find_cargo(stage[car])[0].marks
    stage.land(car, 5)
    stage.do("cargo", target=car, item=tea, destroyed=True)
    stage.land(car, 9)
    assert stage.tracks(car)[1] == 4


# ---------------------------------------------------------------- the log


@pytest.mark.rule("CE-VDMG-05")
def test_players_do_not_read_the_points_through_an_enemys_armor(stage: Garage) -> None:
    stage.do("set_option", key="foe_health", value="word")
    car = stage.vehicle(side="enemies", pc=False)
    stage.strike(car, 9, 2)
    told = [fact for fact in stage.facts if isinstance(fact.event, e.Said)]
    assert [fact.to for fact in told] == [e.GM_ONLY]
    assert told[0].redacted == e.Said("log.machine_hit", car)
    assert as_a(told[0].event, e.Said).args == {"n": 3, "hits": 1}


@pytest.mark.rule("CE-VDMG-05")
@pytest.mark.parametrize("hidden", [False, True])
def test_those_aboard_read_them_unless_that_names_a_hidden_foe(stage: Garage, hidden: bool) -> None:
    stage.do("set_option", key="foe_health", value="word")
    car = stage.vehicle(side="enemies", pc=False)
    ada, bo = stage.crew(car), stage.foe("Bo", at=(30, 0))
    stage.edit(bo, hidden=hidden)
    roll = Roll("2d6", (4, 5), 9, "app", bo, "CE-DMG-01", "")
    stage.strike(car, 9, 2, by=bo, roll=roll)
    full = [fact for fact in stage.facts if fact.redacted == e.Said("log.machine_hit", car)]
    assert [fact.to for fact in full] == [e.GM_ONLY if hidden else e.for_seat(ada)]


@pytest.mark.rule("CE-VLOC-15")
def test_the_gm_takes_no_more_structure_than_there_is(stage: Garage) -> None:
    car = stage.vehicle()
    stage.do("adjust", target=car, track="structure", by=-9)
    assert stage.tracks(car) == (3, 0, 6)
    assert "below 0" in stage.refused("adjust", target=car, track="structure", to=-1).message


@pytest.mark.rule("CE-VLOC-49")
def test_the_figure_says_that_a_hit_computer_is_disabled(stage: Garage) -> None:
    car = internal(stage)
    stage.land(car, 10)
    figure = make_machine_figure(stage.state, stage[car])
    assert [part.text for part in figure.parts if part.key == "computer"] == ["disabled"]
