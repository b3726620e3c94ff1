"""Collisions, rams and explosions: who is hurt, and by how much."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.vehicles.collisions import count_dice, impact_speed_of, is_solid
from combat.rules.cepheus.vehicles.driving import find_struck
from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import has_condition
from tests.combat.rules.cepheus.vehicles.garage import Garage, two_dice

NONE, DODGE, DIVE = "none", "dodge", "dive"


def dice(total: int, count: int) -> tuple[int, ...]:
    """This many dice with this sum."""
    faces = [1] * count
    left = total - count
    for n in range(count):
        more = min(5, left)
        faces[n] += more
        left -= more
    assert not left
    return tuple(faces)


# ---------------------------------------------------------------- collisions


@pytest.mark.rule("CE-COLL-02")
@pytest.mark.parametrize(("kph", "number"), [(55, 6), (60, 6), (5, 1), (61, 7), (0, 0)])
def test_a_die_for_every_ten_kph_rounded_up(stage: Garage, kph: int, number: int) -> None:
    assert count_dice(stage.state, kph) == number


@pytest.mark.rule("CE-COLL-02")
def test_the_table_may_cap_the_speed_that_counts() -> None:
    assert count_dice(Garage(collision_speed_cap=100).state, 600) == 10


@pytest.mark.rule("CE-COLL-01", "CE-COLL-03", "CE-COLL-04")
def test_all_take_the_same_roll_and_no_effect(stage: Garage) -> None:
    car, wall = stage.vehicle(hull=9), stage.vehicle("Truck", at=(10, 0), armor=2, hull=9, structure=9)
    given = [dice(20, 6), two_dice(2), two_dice(2), two_dice(7), two_dice(7), two_dice(7)]
    stage.do("crash", target=car, struck=wall, speed=55, dice=given)
    checks = [x for x in stage.told(e.Checked) if x.what == "check.machine_damage"]
    assert [(x.who, x.total) for x in checks] == [(wall, 18), (car, 14)]


@pytest.mark.rule("CE-COLL-03")
def test_by_option_armor_does_not_count() -> None:
    stage = Garage(collision_armor=False)
    car = stage.vehicle()
    stage.do("crash", target=car, speed=10, dice=[(3,), two_dice(2)])
    assert stage.tracks(car) == (2, 2, 6)


@pytest.mark.rule("CE-COLL-04")
def test_solid_is_a_quarter_of_hull_or_structure_and_no_person(stage: Garage) -> None:
    truck = stage.vehicle(hull=8, structure=8)
    ada, moped = stage.hero(), stage.vehicle("Moped", hull=1, structure=1)
    car = stage.vehicle(hull=1, structure=2)
    assert [is_solid(stage[truck], stage[other]) for other in (ada, moped, car)] == [False, False, True]


@pytest.mark.rule("CE-COLL-01")
def test_two_that_move_hit_each_other_at_the_speed_between_them(stage: Garage) -> None:
    car, other = stage.vehicle(), stage.vehicle("Other")
    stage.moving(car, 60, 0)
    speeds = []
    for facing in (180, 0, 90):
        stage.moving(other, 80, facing)
        speeds.append(round(impact_speed_of(stage.state, stage[car], stage[other])))
    assert speeds == [140, 20, 100]


@pytest.mark.rule("CE-COLL-05")
def test_those_in_the_struck_vehicle_take_the_collision_too(stage: Garage) -> None:
    tank, van = stage.vehicle("Tank", armor=18), stage.vehicle("Van", at=(5, 0), armor=0)
    driver, rider = stage.hero(pc=False), stage.hero(pc=False)
    stage.seat(driver, tank)
    stage.seat(rider, van)
    stage.do("crash", target=tank, struck=van, speed=10, dice=[(6,), two_dice(2), two_dice(2)])
    assert sum(stage.body(rider)) == 21 - 6
    assert stage.body(driver) == (7, 7, 7)


@pytest.mark.rule("CE-COLL-06", "CE-GRAP-02")
def test_who_is_thrown_out_is_out_of_the_hold_of_who_stays(stage: Garage) -> None:
    raft = stage.vehicle(open=True, hull=30)
    ada, bo = stage.hero(profile="FFFFFF"), stage.hero("Bo", profile="FFFFFF")
    stage.seat(ada, raft)
    stage.seat(bo, raft, secured=True)
    stage.give(ada, "grappled", by=bo)
    stage.give(bo, "grappled", by=ada)
    stage.do("crash", target=raft, speed=55, dice=[dice(7, 6), two_dice(2)])
    assert stage[ada].at == Point(0, -18)
    assert not has_condition(stage[ada], "grappled")
    assert not has_condition(stage[bo], "grappled")


@pytest.mark.rule("CE-COLL-07", "CE-COLL-08")
@pytest.mark.parametrize(("total", "taken"), [(20, 5), (22, 5), (24, 6)])
def test_those_strapped_in_stay_and_take_a_quarter(stage: Garage, total: int, taken: int) -> None:
    raft = stage.vehicle(open=True, hull=30, armor=0)
    ada = stage.hero(pc=False)
    stage.do("seat", target=ada, vehicle=raft, secured=True)
    locations = {20: [two_dice(2)], 22: [two_dice(2)] * 2, 24: [two_dice(2)] * 2}[total]
    stage.do("crash", target=raft, speed=55, dice=[dice(total, 6), *locations])
    assert sum(stage.body(ada)) == 21 - taken
    assert (stage[ada].inside, stage[ada].at) == (raft, Point(0, 0))


@pytest.mark.rule("CE-COLL-07")
@pytest.mark.parametrize(("secured", "thrown"), [(True, False), (False, True)])
def test_a_belt_is_put_on_and_off_in_the_fight(stage: Garage, secured: bool, thrown: bool) -> None:
    raft = stage.vehicle(open=True, hull=30)
    ada = stage.hero(pc=False)
    stage.do("seat", target=ada, vehicle=raft, secured=not secured)
    stage.begin(ada)
    stage.do("strap_in", ada, secured=secured)
    stage.do("crash", target=raft, speed=55, dice=[dice(7, 6), two_dice(2)])
    assert (stage[ada].inside == "") is thrown


@pytest.mark.rule("CE-COLL-05")
def test_in_a_vehicle_that_is_not_damaged_nobody_is_hurt(stage: Garage) -> None:
    tank = stage.vehicle(armor=18)
    ada = stage.hero(pc=False)
    stage.seat(ada, tank)
    stage.do("crash", target=tank, speed=30, dice=[(6, 6, 6)])
    assert stage.body(ada) == (7, 7, 7)


# ---------------------------------------------------------------- rams


@pytest.fixture
def ram() -> Garage:
    """A car at 50 km/h, its driver's turn, a pedestrian f3 30 m ahead."""
    stage = Garage()
    car = stage.vehicle()
    driver = stage.crew(car, skills={"wheeled_vehicle": 1})
    stage.foe("Bo", at=(0, -30))
    stage.moving(car, 50)
    return stage.begin(driver, "f3")


@pytest.mark.rule("CE-VACT-12", "CE-COLL-04", "CS-VACT-03")
@pytest.mark.full_rules
def test_ram_is_a_vehicle_skill_check_and_then_a_collision(ram: Garage) -> None:
    ram.do("ram", "f2", target="f3", dice=[NONE, (5, 3), dice(10, 5)])
    assert ram.check("check.ram").total == 9
    assert sum(ram.body("f3")) == 11
    assert ram["f1"].at == Point(0, -30)
    assert ram["f2"].budget == {"minor": 1, "significant": 0}
    assert ram.tracks("f1") == (3, 2, 6)


@pytest.mark.rule("CE-VACT-12")
def test_nobody_is_rammed_on_a_roof_above(ram: Garage) -> None:
    ram.edit("f3", at=Point(0, -4, 30))
    assert ram.refused("ram", "f2", target="f3").message == (
        "Bo is too far up or down for Car: choose a target on its way."
    )


@pytest.mark.rule("CE-VEH-04")
@pytest.mark.parametrize(("up", "is_struck"), [(0, True), (1, True), (30, False), (-30, False)])
def test_vehicle_out_of_control_passes_below_those_higher_up(ram: Garage, up: float, is_struck: bool) -> None:
    ram.edit("f3", at=Point(1, -30, up))
    assert bool(find_struck(ram.state, ram["f1"], Point(0, -60), ())) is is_struck


@pytest.mark.rule("CE-COLL-02", "CE-COLL-04")
@pytest.mark.parametrize(
    ("speed", "facing", "told"),
    [(0, 0, "5D6 damage to Van and to Car"), (30, 0, "2D6 damage to Van and to Car"), (30, 180, "8D6")],
)
def test_the_form_of_a_ram_says_what_the_collision_would_do(
    ram: Garage, speed: int, facing: int, told: str
) -> None:
    van = ram.vehicle("Van", at=(0, -20))
    ram.moving(van, speed, facing)

    def read(target: str) -> str:
        note, *_ = ram.preview("ram", "f2", target=target).notes
        return ram.system.draw(note, {van: "Van", "f1": "Car", "f3": "Bo"})

    assert read(van).startswith(told)
    assert read("f3") == "5D6 damage to Bo"
    ram.moving(van, 50)
    assert read(van) == "0 dice: same speed and direction as Van"


@pytest.mark.rule("CE-COLL-02", "CE-VACT-12")
@pytest.mark.full_rules
def test_ram_at_the_same_speed_and_direction_says_why_it_fails(ram: Garage) -> None:
    van = ram.vehicle("Van", at=(0, -20))
    ram.moving(van, 50)
    ram.do("ram", "f2", target=van, dice=[(5, 3)])
    assert ram.check("check.ram").total == 9
    assert [x.target for x in ram.told(e.Said) if x.key == "log.rams_softly"] == [van]
    assert ram.tracks(van) == ram.tracks("f1") == (3, 2, 6)


@pytest.mark.rule("CE-COLL-04")
def test_a_ram_against_something_solid_damages_the_rammer_too(ram: Garage) -> None:
    truck = ram.vehicle("Truck", at=(0, -20), side="enemies", armor=9, hull=9, structure=9)
    ram.edit("f2", marks={"secured": True})
    ram.do("ram", "f2", target=truck, dice=[(5, 3), dice(9, 5), two_dice(2)])
    assert ram.tracks(truck) == (9, 9, 9)
    assert ram.tracks("f1") == (2, 2, 6)


@pytest.mark.rule("CE-VACT-12")
@pytest.mark.full_rules
def test_a_ram_takes_the_agility_of_the_vehicle(ram: Garage) -> None:
    ram.edit("f1", sheet={**ram["f1"].sheet, "agility": -2})
    ram.do("ram", "f2", target="f3", dice=[NONE, (5, 3)])
    assert ram.check("check.ram").total == 7


@pytest.mark.rule("CE-OTHER-12")
@pytest.mark.full_rules
def test_who_delays_may_step_in_before_a_ram(ram: Garage) -> None:
    ram.give("f3", "delaying")
    ram.do("ram", "f2", target="f3", dice=["yes"])
    assert ram.state.active == "f3"
    assert ram["f2"].budget == {"minor": 1, "significant": 1}


@pytest.mark.rule("CE-VACT-12")
def test_a_ram_reaches_as_far_as_the_vehicle_goes_in_a_round(ram: Garage) -> None:
    told = ram.refused("ram", "f2", target="f3", speed=10)
    assert told.code == "out_of_range"
    assert told.message == "Bo is 30 m away: at 10 km/h a round is 16.7 m."
    for speed in (0, 101):
        assert "1 to 100 km/h: say how fast" in ram.refused("ram", "f2", target="f3", speed=speed).message


@pytest.mark.rule("CE-REACT-01", "CE-VACT-13")
@pytest.mark.full_rules
def test_a_dodge_counts_against_a_ram(ram: Garage) -> None:
    ram.do("ram", "f2", target="f3", dice=[DODGE, (4, 3)])
    assert ram.check("check.ram").total == 7
    (question,) = [request for request in ram.asked if isinstance(request, ChoiceRequest)]
    assert [option.value for option in question.options] == [NONE, DODGE]  # no one parries a car
    assert question.options[1].label == "Dodge: −1 to the ram"


@pytest.mark.rule("CE-VACT-07", "CE-VACT-12")
@pytest.mark.full_rules
def test_ram_is_the_next_action_and_ends_the_rammers_own_evasion(ram: Garage) -> None:
    ram.give("f1", "evading", level=2)  # begun in the driver's last turn
    terms = ram.preview("ram", "f2", target="f3").modifiers
    assert "term.own_evasion" not in [term.label for term in terms]
    ram.do("ram", "f2", target="f3", dice=[NONE, (4, 2)])
    assert ram.check("check.ram").total == 7
    assert not ram.has("f1", "evading")


@pytest.mark.rule("CE-VACT-14")
def test_the_gm_gives_a_bonus_for_what_is_large(ram: Garage) -> None:
    ram.do("ram", "f2", target="f3", adjust=2, dice=[NONE, (3, 2), dice(10, 5)])
    assert ram.check("check.ram").total == 5 + 1 + 2


@pytest.mark.rule("CE-VACT-14")
def test_the_gm_says_what_nobody_could_miss(ram: Garage) -> None:
    barn = ram.vehicle("Barn", at=(0, -20), hull=40, structure=40, armor=40)
    ram.do("rule_ram", target=barn, sure=True)
    ram.do("ram", "f2", target=barn, dice=[(1,) * 5])
    assert not ram.checks("check.ram")
    ram.do("rule_ram", target=barn, sure=False)
    ram.turn("f2")
    ram.edit("f1", marks={"speed_kph": 50})
    ram.do("ram", "f2", target=barn, dice=[(1, 1)])
    assert ram.check("check.ram")


# ---------------------------------------------------------------- explosions


def explosive(stage: Garage, **more: Any) -> str:
    """A vehicle that the next Double on its Structure blows up."""
    return stage.vehicle(hull=0, structure=1, armor=0, side="enemies", **more)


@pytest.mark.rule("CE-VLOC-17", "CE-VLOC-19")
def test_below_zero_structure_it_explodes_on_all_inside_and_near(stage: Garage) -> None:
    car = explosive(stage)
    inside, near = stage.foe("In", profile="AAAAAA"), stage.foe("Near", profile="AAAAAA", at=(6, 0))
    stage.seat(inside, car)
    stage.strike(car, 8, 2, NONE, dice(14, 4))
    assert stage.has(car, "destroyed")
    assert stage.tracks(car)[1] == 0
    assert sum(stage.body(inside)) == sum(stage.body(near)) == 16
    assert stage[inside].inside == ""
    asked = [request.who for request in stage.asked if request.rule == "CE-EXPL-02"]
    assert asked == [near]  # in a closed vehicle no one can dodge or dive


@pytest.mark.rule("CE-VLOC-17")
def test_those_in_another_closed_vehicle_are_safe_from_the_blast(stage: Garage) -> None:
    car, van = explosive(stage), stage.vehicle("Van", at=(5, 0), side="enemies", armor=12)
    rider = stage.foe("Rider")
    stage.seat(rider, van)
    stage.strike(car, 8, 2, dice(14, 4), two_dice(2))
    assert stage.tracks(van) == (2, 2, 12)  # 2 points through armor
    assert stage.body(rider) == (7, 7, 7)


@pytest.mark.rule("CE-VLOC-17", "CE-VLOC-18")
@pytest.mark.parametrize("meters", [6.5, 9, 12])
def test_two_dice_out_to_twelve_meters(stage: Garage, meters: float) -> None:
    car = explosive(stage)
    far, away = stage.foe("Far", at=(meters, 0)), stage.foe("Away", at=(13, 0))
    stage.strike(car, 8, 2, NONE, (4, 4))
    assert (sum(stage.body(far)), sum(stage.body(away))) == (13, 21)


@pytest.mark.rule("CE-VLOC-17")
def test_explosion_is_judged_once_after_all_hits_of_the_attack(stage: Garage) -> None:
    car = stage.vehicle(hull=0, structure=2, armor=0)
    stage.strike(car, 8, 2)  # a Double: exactly 0
    assert stage.has(car, "wreck")
    assert not stage.has(car, "destroyed")


@pytest.mark.rule("CE-VLOC-17")
def test_a_robot_does_not_explode(stage: Garage) -> None:
    robot = stage.robot(attributes={"hull": 0, "structure": 1})
    stage.strike(robot, 8, 2)
    assert stage.has(robot, "wreck")


@pytest.mark.rule("CE-COLL-05", "CE-COLL-08", "CE-VLOC-17")
@pytest.mark.parametrize(("belted", "left"), [(True, 30 - 6 - 2), (False, 30 - 6 - 8)])
def test_those_inside_take_the_collision_even_if_it_explodes(stage: Garage, belted: bool, left: int) -> None:
    car = explosive(stage)
    rider = stage.foe("Rider", profile="AAAAAA")
    stage.seat(rider, car, secured=belted)
    stage.do("crash", target=car, speed=20, dice=[(4, 4), two_dice(2), dice(6, 4)])
    assert stage.has(car, "destroyed")
    assert sum(stage.body(rider)) == left
    assert stage[rider].inside == ""
