"""What stops a vehicle on its way, and what becomes of holds, aims and links when it carries people away."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.characters import machinery
from combat.rules.cepheus.fight.aim import movement_terms
from combat.rules.cepheus.turn.initiative import LINK, is_linked
from combat.rules.cepheus.turn.sensing import has_moved
from combat.rules.cepheus.vehicles.driving import MUST_WEAVE, PURSUES
from combat.rules.cepheus.world.motion import count_moved
from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Item
from combat.rules.core.wording import describe_facts
from tests.combat.rules.cepheus.vehicles.garage import Road, two_dice

WALL = {"id": "w", "x1": -60, "y1": -40.5, "x2": 60, "y2": -40.5}


def wall_off(road: Road) -> None:
    """Build a wall across the road, 40.5 m ahead."""
    road.do("set_map", map={"walls": [WALL]})


def wrap(road: Road) -> None:
    """Make the car and those inside too hard to be hurt."""
    road.edit(road.car, tracks={**road[road.car].tracks, "armor": 99})
    road.edit(road.driver, marks={"secured": True})


def count_brakes(road: Road) -> int:
    """How often the log of the last command says that the car brakes."""
    lines = describe_facts(road.system, road.facts, {road.car: "Car"})
    return sum(line.text == "Car brakes before a wall." for line in lines)


# ---------------------------------------------------------------- walls


@pytest.mark.rule("CE-VEH-04", "CE-VACT-08", "CE-VACT-15")
@pytest.mark.parametrize(
    ("name", "fields", "dice"),
    [
        ("drive", {}, []),
        ("drive", {"to": "0,-80"}, []),
        ("drive", {"why": "obstacles"}, []),
        ("drive", {"why": "pursue", "target": "f3"}, []),
        ("maneuver", {"to": "10,-80"}, []),
        ("evade", {}, [(6, 6)]),
        ("stunt", {}, [(6, 6)]),
        ("stunt", {"aim": "maneuvers", "to": "0,-80"}, [(6, 6)]),
    ],
)
def test_a_wall_of_the_map_stops_everyone_who_drives(
    road: Road, name: str, fields: dict[str, Any], dice: list[Any]
) -> None:
    road.do("set_option", key="use_chases", value=True)
    road.vehicle("Prey", at=(0, -90))
    wall_off(road)
    road.do(name, road.driver, dice=dice, **fields)
    assert -40.5 < road[road.car].at.y <= -38
    assert machinery.find_speed(road.state, road[road.car]) == 0
    assert "CE-COLL-01" not in road.rules()
    assert count_brakes(road) == 1


@pytest.mark.rule("CE-VACT-22")
@pytest.mark.full_rules
@pytest.mark.parametrize(("walled", "brakes"), [(True, 1), (False, 0)])
def test_weaving_vehicle_brakes_before_a_wall_and_log_says_so(road: Road, walled: bool, brakes: int) -> None:
    road.city()
    if walled:
        wall_off(road)
    road.do("weave", road.driver, dice=[(6, 6)])
    assert "CE-COLL-01" not in road.rules()
    assert count_brakes(road) == brakes
    assert (machinery.find_speed(road.state, road[road.car]) == 0) is walled


@pytest.mark.rule("CE-VEH-04")
@pytest.mark.parametrize("name", ["drive", "maneuver", "evade", "stunt"])
def test_the_form_says_where_a_wall_stops_the_vehicle(road: Road, name: str) -> None:
    def read_help() -> str:
        fields = road.system.action(name).find_fields(road.state, road.driver)
        return next(field.help for field in fields if field.name == "to")

    assert "wall" not in read_help()
    wall_off(road)
    assert read_help().endswith("; straight ahead a wall stops it after 40 m")


@pytest.mark.rule("CE-VACT-03", "CE-VACT-15")
@pytest.mark.parametrize("name", ["evade", "stunt"])
def test_a_zone_that_is_a_wall_stops_them_as_well(road: Road, name: str) -> None:
    road.zone("wall", x=-10, y=-50, width=20, depth=10, terrain=["wall"])
    road.do(name, road.driver, dice=[(6, 6)])
    assert road[road.car].at == Point(0, -40)
    assert "CE-COLL-01" not in road.rules()


@pytest.mark.rule("CE-VACT-12")
@pytest.mark.full_rules
def test_nobody_rams_through_a_wall(road: Road) -> None:
    walker = road.foe(at=(0, -60))
    wall_off(road)
    assert "keeps Car from" in road.refused("ram", road.driver, target=walker).message
    near = road.foe(at=(0, -39))
    road.do("ram", road.driver, target=near, dice=["none", (6, 5), (1,) * 6])
    assert "CE-COLL-01" in road.rules()


@pytest.mark.rule("CE-VEH-05", "CE-COLL-01", "CE-MOD-06")
@pytest.mark.parametrize("built", ["map", "wall", "obstacles"])
def test_out_of_control_it_goes_up_to_the_obstacle_and_crashes(road: Road, built: str) -> None:
    wrap(road)
    road.moving(road.car, 20)
    foe = road.foe(at=(30, 0))
    road.begin(road.driver, foe)
    if built == "map":
        road.do("set_map", map={"walls": [{**WALL, "y1": -15.5, "y2": -15.5}]})
    else:
        road.zone("rocks", x=-10, y=-30, width=20, depth=15, terrain=[built])
    road.do("next_turn", dice=[(1, 1)])
    assert road[road.car].at == Point(0, -15)
    assert count_moved(road[road.car]) == 15
    assert [term.value for term in movement_terms(road.state, road[foe], road[road.car])] == [-1]
    assert machinery.find_speed(road.state, road[road.car]) == 0


@pytest.mark.rule("CE-VEH-05", "CE-COLL-01")
def test_vehicle_crashed_at_rocks_does_not_roll_through_later(road: Road) -> None:
    wrap(road)
    road.zone("rocks", x=-10, y=-30, width=20, depth=15, terrain=["obstacles"])
    road.do("next_turn", dice=[(1,) * 6])
    road.moving(road.car, 10)
    road.do("next_turn", dice=[(1,)])
    assert road[road.car].at == Point(0, -15)


# ---------------------------------------------------------------- others in the way


@pytest.mark.rule("CE-VEH-05", "CE-COLL-01", "CE-COLL-04")
def test_out_of_control_it_runs_people_over_and_rolls_on(road: Road) -> None:
    near, far = road.foe(at=(1, -20)), road.foe(at=(0, -60))
    road.begin(road.driver, near)
    aside, beyond = road.foe(at=(2, -30)), road.foe(at=(0, -110))
    road.do("next_turn", dice=[(2,) * 6, (2,) * 6])
    hit = [x.target for x in road.told(e.Said) if x.key == "log.collides_with"]
    assert hit == [near, far]
    assert sum(road.body(near)) == sum(road.body(far)) == 21 - 12
    assert sum(road.body(aside)) == sum(road.body(beyond)) == 21
    assert road[road.car].at == Point(0, -100)
    assert count_moved(road[road.car]) == 100


@pytest.mark.rule("CE-VEH-05", "CE-COLL-01", "CE-COLL-04")
@pytest.mark.parametrize(("speed", "ends"), [(0, -28.5), (40, -100)])
def test_vehicle_crashes_into_parked_but_not_into_moving_ones(road: Road, speed: int, ends: float) -> None:
    wrap(road)
    other = road.vehicle("Other", at=(0, -30), armor=99)
    road.moving(other, speed, 90)
    road.do("next_turn", dice=[] if speed else [(1,) * 6])
    assert road[road.car].at == Point(0, ends)


@pytest.mark.rule("CE-VEH-05", "CE-COLL-04")
def test_a_robot_that_stands_there_stops_it(road: Road) -> None:
    wrap(road)
    robot = road.robot(at=(0, -30), attributes={"armor": 99})
    road.do("next_turn", dice=[(1,) * 6])
    assert [x.target for x in road.told(e.Said) if x.key == "log.collides_with"] == [robot]
    assert road[road.car].at == Point(0, -28.5)


@pytest.mark.rule("CE-VEH-05")
def test_vehicle_hits_nobody_behind_the_wall_that_stops_it(road: Road) -> None:
    wrap(road)
    foe = road.foe(at=(0, -41))
    wall_off(road)
    road.do("next_turn", dice=[(1,) * 6])
    assert sum(road.body(foe)) == 21


# ---------------------------------------------------------------- holds and aims of those it carries


@pytest.mark.rule("CE-GRAP-02", "CE-VEH-04")
@pytest.mark.parametrize("inside", [True, False])
def test_a_hold_lasts_only_if_both_are_carried(road: Road, inside: bool) -> None:
    road.edit(road.car, sheet={**road[road.car].sheet, "open": True})
    rider, foe = road.crew(road.car, "passenger", name="Bo"), road.foe(at=(0, 0))
    if inside:
        road.seat(foe, road.car)
    for who, by in ((rider, foe), (foe, rider)):
        road.give(who, "grappled", by=by)
    road.do("drive", road.driver)
    assert (road.has(rider, "grappled"), road.has(foe, "grappled")) == (inside, inside)


@pytest.mark.rule("CE-MINOR-04", "CE-VEH-04")
@pytest.mark.parametrize("aims", ["at the car", "at a rider", "from the car"])
@pytest.mark.parametrize("walled", [True, False])
def test_aim_ends_when_a_vehicle_takes_the_target_out_of_sight(road: Road, aims: str, walled: bool) -> None:
    foe, rider = road.foe(at=(20, 0)), road.crew(road.car, "passenger", name="Bo")
    if walled:
        road.do("set_map", map={"walls": [{"id": "w", "x1": 10, "y1": -200, "x2": 10, "y2": -10}]})
    who, target = {
        "at the car": (foe, road.car),
        "at a rider": (foe, rider),
        "from the car": (rider, foe),
    }[aims]
    road.give(who, "aiming", level=2, marks={"target": target})
    road.do("drive", road.driver)
    assert road.has(who, "aiming") is not walled


@pytest.mark.rule("CE-MINOR-04")
def test_aim_ends_when_the_gm_places_the_target_out_of_sight(road: Road) -> None:
    foe = road.foe(at=(20, 0))
    wall_off(road)
    road.give(foe, "aiming", marks={"target": road.car})
    road.do("place", target=road.car, x=0, y=-20)
    assert road.has(foe, "aiming")
    road.do("place", target=road.car, x=0, y=-60)
    assert not road.has(foe, "aiming")


# ---------------------------------------------------------------- what moves with it


@pytest.mark.rule("CE-COMMS-11", "CE-COMMS-12")
def test_mesons_do_not_work_from_a_moving_vehicle(road: Road) -> None:
    rider, other = road.crew(road.car, "passenger", name="Bo"), road.hero("Cy", at=(5, 5))
    for who in (rider, other):
        road.edit(who, items=(Item(f"{who}-m", "gear", "Meson", data={"comms": "meson"}),))
        road.edit(who, marks={LINK: "meson"})
    assert is_linked(road.state, rider, other)
    road.do("drive", road.driver)
    assert not is_linked(road.state, rider, other)


@pytest.mark.rule("CE-MOD-06")
def test_two_in_the_same_vehicle_do_not_move_for_each_other(road: Road) -> None:
    rider, foe = road.crew(road.car, "passenger", name="Bo"), road.foe(at=(20, 0))
    road.do("drive", road.driver)
    seen = {
        one: sum(term.value for term in movement_terms(road.state, road[one], road[rider]))
        for one in (road.driver, road.car, foe)
    }
    assert seen == {road.driver: 0, road.car: 0, foe: -10}


@pytest.mark.rule("CE-SENS-09")
def test_a_motion_sensor_shows_those_who_are_driven(road: Road) -> None:
    foe = road.foe(at=(20, 0))
    assert not has_moved(road.state, road[foe], road[road.driver])
    road.do("drive", road.driver)
    assert has_moved(road.state, road[foe], road[road.driver])


# ---------------------------------------------------------------- grapples inside


def held(road: Road, open_: bool) -> tuple[str, str]:
    """Two who hold each other in the car; the first has the turn."""
    road.edit(road.car, sheet={**road[road.car].sheet, "open": open_})
    bo = road.crew(road.car, "passenger", name="Bo", skills={"natural_weapons": 3})
    cy = road.crew(road.car, "passenger", name="Cy")
    for who, by in ((bo, cy), (cy, bo)):
        road.give(who, "grappled", by=by)
    road.moving(road.car, 0)
    road.begin(bo, cy)
    return bo, cy


@pytest.mark.rule("CE-GRAP-11", "CE-GRAP-12")
def test_a_throw_inside_a_closed_vehicle_hurts_and_moves_nobody(road: Road) -> None:
    bo, cy = held(road, open_=False)
    road.do("grapple", bo, target=cy, dice=[(6, 5), (2, 1), "throw", (4,)])
    assert sum(road.body(cy)) == 21 - 4
    assert (road[cy].inside, road[cy].at) == (road.car, road[road.car].at)
    assert not road.has(cy, "grappled")


@pytest.mark.rule("CE-GRAP-07", "CE-GRAP-08")
def test_nobody_is_dragged_or_gets_away_inside_a_closed_vehicle(road: Road) -> None:
    bo, cy = held(road, open_=False)
    road.do("grapple", bo, target=cy, dice=[(6, 5), (2, 1), "escape"])
    (question, *_) = [asked for asked in road.asked if isinstance(asked, ChoiceRequest)]
    options = {option.value: option.refused for option in question.options}
    assert options["drag"] == "Cy is inside Car, which is closed."
    assert not options["throw"]
    assert (road[bo].inside, road[bo].at) == (road.car, road[road.car].at)
    assert not road.has(bo, "grappled")


@pytest.mark.rule("CE-GRAP-07", "CE-GRAP-08", "CE-GRAP-11")
@pytest.mark.parametrize(
    ("answers", "out"),
    [
        (["throw", (1,), "east-3"], ["Cy"]),
        (["drag", "east-3", "continue"], ["Bo", "Cy"]),
        (["escape", "east-6"], ["Bo"]),
    ],
)
def test_whoever_is_moved_in_an_open_vehicle_is_out_of_it(
    road: Road, answers: list[Any], out: list[str]
) -> None:
    bo, cy = held(road, open_=True)
    road.do("grapple", bo, target=cy, dice=[(6, 5), (2, 1), *answers])
    people = (road[bo], road[cy])
    assert [one.name for one in people if not one.inside] == out
    assert [one.name for one in people if one.at != road[road.car].at] == out
    assert road.has(cy, "grappled") is ("drag" in answers)


# ---------------------------------------------------------------- damaged vehicles


@pytest.mark.rule("CE-VLOC-24")
@pytest.mark.parametrize("name", ["drive", "maneuver", "evade", "stunt"])
def test_a_disabled_drive_neither_evades_nor_turns(road: Road, name: str) -> None:
    road.hurt(road.car, "drive", 3)
    assert "drive of Car is disabled" in road.refused(name, road.driver).message


@pytest.mark.rule("CE-VLOC-22", "CE-VLOC-23", "CE-VLOC-24")
@pytest.mark.parametrize(("hits", "speed"), [(1, 90), (2, 75), (3, 0)])
def test_damaged_drive_slows_and_its_repair_brings_no_speed_back(road: Road, hits: int, speed: int) -> None:
    road.moving(road.car, 100)
    for _ in range(hits):
        road.land(road.car, 4)
    road.hurt(road.car, "drive", 0)
    assert machinery.find_top_speed(road.state, road[road.car]) == 100
    assert machinery.find_speed(road.state, road[road.car]) == speed


@pytest.mark.rule("CE-VLOC-24", "CE-VACT-07")
def test_a_drive_that_is_disabled_meanwhile_ends_the_evasion(road: Road) -> None:
    road.do("evade", road.driver, dice=[(6, 6)])
    road.land(road.car, 4, 4)
    assert road.has(road.car, "evading")
    road.land(road.car, 4)
    assert not road.has(road.car, "evading")


@pytest.mark.rule("CE-VDMG-03")
@pytest.mark.parametrize("kind", ["wreck", "disabled"])
def test_what_the_gm_calls_a_wreck_stands_still_for_good(road: Road, kind: str) -> None:
    road.do("give_condition", target=road.car, kind=kind)
    road.edit(road.car, conditions=())
    assert machinery.find_speed(road.state, road[road.car]) == 0


@pytest.mark.rule("CE-VEH-05", "CE-SIG-04")
def test_seriously_wounded_driver_drives_by_an_exchanged_action(road: Road) -> None:
    road.wounded(road.driver, 5, 5, 5)
    road.edit(road.driver, budget={"minor": 0, "significant": 1})
    road.do("stance", road.driver, stance="crouched")
    assert road[road.driver].budget == {"minor": 1, "significant": 0}
    road.do("drive", road.driver)
    assert road[road.driver].budget == {"minor": 0, "significant": 0}
    assert road[road.car].at == Point(0, -100)


# ---------------------------------------------------------------- places


@pytest.mark.rule("CE-VEH-04")
def test_a_vehicle_is_as_high_as_the_ground_it_drives_on(road: Road) -> None:
    roof = {"id": "roof", "name": "Roof", "x": -500, "y": -500, "width": 1000, "depth": 480, "height": 6}
    road.do("set_scene", scene={"zones": [roof]})
    road.do("drive", road.driver)
    assert road[road.car].at == road[road.driver].at == Point(0, -100, 6)
    road.turn(road.driver)
    road.edit(road.car, marks={**road[road.car].marks, "controlled": 0})
    road.do("maneuver", road.driver, facing=180)
    assert road[road.car].at == Point(0, -100, 6)
    assert road[road.car].marks[machinery.FACING] == 180


def test_whom_the_gm_places_elsewhere_is_inside_no_longer(road: Road) -> None:
    road.do("place", target=road.driver, x=20, y=20)
    assert not road[road.driver].inside
    road.do("place", target=road.car, x=50, y=50)
    assert road[road.driver].at == Point(20, 20)


@pytest.mark.rule("CE-VEH-04")
def test_large_vehicles_do_not_drive_into_each_other(road: Road) -> None:
    other = road.vehicle("Truck", at=(0, -50))
    for who in (road.car, other):
        road.edit(who, marks={**road[who].marks, "decimeters": 50})
    assert "Truck is in the way" in road.refused("drive", road.driver, to="2,-48").message
    road.do("drive", road.driver, to="8,-48")


@pytest.mark.rule("CE-VEH-05")
def test_whom_the_gm_hides_on_the_road_is_not_run_over(road: Road) -> None:
    foe = road.foe(at=(0, -20))
    road.edit(foe, hidden=True)
    road.do("next_turn")
    assert sum(road.body(foe)) == 21
    assert road[road.car].at == Point(0, -100)


@pytest.mark.rule("CE-VEH-04")
def test_a_car_that_drives_out_of_a_ship_stays_outside(road: Road) -> None:
    ship = road.vehicle("Ship", passengers=9)
    road.seat(road.car, ship)
    road.do("drive", road.driver)
    assert not road[road.car].inside
    road.do("place", target=ship, x=90, y=90)
    assert road[road.car].at == road[road.driver].at == Point(0, -100)


@pytest.mark.rule("CE-COLL-06", "CE-VEH-05")
def test_whoever_is_thrown_at_a_wall_is_out_of_the_vehicle(road: Road) -> None:
    road.edit(road.car, sheet={**road[road.car].sheet, "open": True})
    road.edit(road.car, tracks={**road[road.car].tracks, "armor": 0})
    road.edit(road.driver, pc=False)
    wall_off(road)
    road.do("next_turn", dice=[(1,) * 6, two_dice(2), two_dice(2)])
    assert not road[road.driver].inside
    assert -40.5 < road[road.driver].at.y <= -38


@pytest.mark.rule("CE-VACT-24")
def test_a_pursuer_without_a_drive_has_no_weave_to_match(road: Road) -> None:
    road.city()
    others = {hits: road.vehicle(f"Other {hits}", at=(50 + hits, 50)) for hits in (0, 3)}
    for hits, other in others.items():
        road.edit(other, marks={PURSUES: road.car})
        if hits:
            road.hurt(other, "drive", hits)
    road.do("weave", road.driver, number=1, dice=[(6, 6)])
    assert [other for other in others.values() if MUST_WEAVE in road[other].marks] == [others[0]]
