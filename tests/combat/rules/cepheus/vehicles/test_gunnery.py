"""Fire arcs, mounts, ports, cover and size: shots from vehicles and at them."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from combat.rules.cepheus.characters.machinery import find_vehicle_cover
from combat.rules.cepheus.fight.attacks.attack import check_attack_now
from combat.rules.cepheus.vehicles.driving import find_arcs, find_mount_arcs
from combat.rules.cepheus.world.cover import find_cover, find_kind
from combat.rules.core.basics.errors import allows
from combat.rules.core.commands.commands import Field, read_command
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.space import Point
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.vehicles.garage import Garage

GUN = {"weapon": "triple_laser"}


def put(stage: Garage, degrees: float, meters: float = 30) -> str:
    """A foe at this distance and direction, clockwise from the top."""
    turn = math.radians(degrees)
    return stage.foe(f"At {degrees}", at=(meters * math.sin(turn), -meters * math.cos(turn)))


def labels(stage: Garage, who: str, target: str, weapon: str) -> dict[str, int]:
    """The terms of an attack, by key."""
    terms = stage.preview("attack", who, target=target, weapon=weapon).modifiers
    return {term.label: term.value for term in terms if isinstance(term.label, str)}


# ---------------------------------------------------------------- arcs


@pytest.mark.rule("CE-VEH-02", "CE-VMOUNT-02")
@pytest.mark.parametrize(
    ("facing", "at", "arcs"),
    [
        (0, (0, -10), ("front",)),
        (0, (10, 0), ("right",)),
        (0, (0, 10), ("rear",)),
        (0, (-10, 0), ("left",)),
        (0, (10, -10), ("front", "right")),
        (90, (10, 0), ("front",)),
        (90, (0, -10), ("left",)),
        (0, (0, 0), ("front", "right", "rear", "left")),
    ],
)
def test_place_is_in_an_arc_of_90_degrees_and_on_a_border_in_two(
    stage: Garage, facing: int, at: tuple[float, float], arcs: tuple[str, ...]
) -> None:
    car = stage.vehicle()
    stage.moving(car, 0, facing)
    assert find_arcs(stage[car], Point(*at)) == arcs


@pytest.mark.rule("CE-VEH-03", "CE-VMOUNT-01", "CE-VMOUNT-02")
@pytest.mark.parametrize(
    ("degrees", "allowed"), [(0, True), (40, True), (45, True), (50, False), (180, False)]
)
def test_a_weapon_in_front_fires_ninety_degrees_ahead(stage: Garage, degrees: int, allowed: bool) -> None:
    tank = stage.vehicle(mounts=[{**GUN, "mount": "front"}])
    driver, foe = stage.crew(tank, skills={"energy_rifle": 1}), put(stage, degrees)
    gun = stage[tank].items[0].id
    stage.begin(driver, foe)
    if allowed:
        stage.do("attack", driver, target=foe, weapon=gun, dice=["none", (1, 1)])
    else:
        assert "fires to the front" in stage.refused("attack", driver, target=foe, weapon=gun).message


@pytest.mark.rule("CE-VMOUNT-01")
@pytest.mark.parametrize(("mount", "degrees"), [("right", 90), ("rear", 180), ("left", 270)])
def test_a_weapon_at_a_side_fires_to_that_side_and_not_ahead(stage: Garage, mount: str, degrees: int) -> None:
    tank = stage.vehicle(mounts=[{**GUN, "mount": mount}])
    gunner, foe, ahead = stage.crew(tank, "gunner"), put(stage, degrees), put(stage, 0)
    gun = stage[tank].items[0].id
    stage.begin(gunner, foe, ahead)
    assert f"fires to the {mount}" in stage.refused("attack", gunner, target=ahead, weapon=gun).message
    stage.do("attack", gunner, target=foe, weapon=gun, dice=["none", (1, 1)])


@pytest.mark.rule("CE-VMOUNT-03")
@pytest.mark.parametrize("mount", ["turret", "ring"])
def test_a_turret_fires_in_any_direction(stage: Garage, mount: str) -> None:
    tank = stage.vehicle(mounts=[{**GUN, "mount": mount}])
    gunner, foe = stage.crew(tank, "gunner", skills={"energy_rifle": 1}), put(stage, 180)
    stage.begin(gunner, foe)
    stage.do("attack", gunner, target=foe, weapon=stage[tank].items[0].id, dice=["none", (1, 1)])
    assert find_mount_arcs(stage[tank].items[0]) == ("front", "right", "rear", "left")


@pytest.mark.rule("CE-VMOUNT-01")
def test_a_passenger_does_not_fire_what_is_mounted(stage: Garage) -> None:
    tank = stage.vehicle(mounts=[{**GUN, "mount": "turret"}])
    rider, foe = stage.crew(tank, "passenger"), put(stage, 0)
    stage.begin(rider, foe)
    refused = stage.refused("attack", rider, target=foe, weapon=stage[tank].items[0].id)
    assert "not at the guns" in refused.message


@pytest.mark.rule("CE-VLOC-27", "CE-VLOC-28")
def test_weapon_hit_once_has_minus_two_and_then_does_not_fire(stage: Garage) -> None:
    tank = stage.vehicle(mounts=[{**GUN, "mount": "turret"}])
    gunner, foe = stage.crew(tank, "gunner", skills={"energy_rifle": 1}), put(stage, 0)
    gun = stage[tank].items[0].id
    stage.begin(gunner, foe)
    stage.hurt(tank, "weapon", 1, gun)
    assert labels(stage, gunner, foe, gun)["term.weapon_damaged"] == -2
    stage.hurt(tank, "weapon", 2, gun)
    assert "is destroyed" in stage.refused("attack", gunner, target=foe, weapon=gun).message


@pytest.mark.rule("CE-VLOC-27", "CE-VLOC-28")
def test_damaged_weapon_of_a_robot_in_a_vehicle_is_hampered_too(stage: Garage) -> None:
    raft, robot, foe = stage.vehicle(open=True), stage.robot(weapons=["rifle"]), put(stage, 0)
    stage.seat(robot, raft)
    rifle = stage.item(robot, "rifle").id
    stage.begin(robot, foe)
    stage.hurt(robot, "weapon", 1, rifle)
    assert labels(stage, robot, foe, rifle)["term.weapon_damaged"] == -2
    stage.hurt(robot, "weapon", 2, rifle)
    assert "is destroyed" in stage.refused("attack", robot, target=foe, weapon=rifle).message


# ---------------------------------------------------------------- ports


def shooters(stage: Garage, car: str, number: int) -> list[str]:
    """Passengers with rifles."""
    return [stage.crew(car, "passenger", name=f"Gun {n}", weapons=["rifle"]) for n in range(number)]


def shoot(stage: Garage, who: str, foe: str) -> None:
    stage.turn(who)
    rifle = stage.item(who, "rifle").id
    stage.do("attack", who, target=foe, weapon=rifle, dice=["none", (1, 1)])


@pytest.mark.rule("CE-VEH-12", "CE-VEH-13", "CE-VEH-03")
def test_two_shoot_into_each_arc_from_a_closed_civilian_vehicle(stage: Garage) -> None:
    car, foe, behind = stage.vehicle(), put(stage, 0), put(stage, 180)
    people = shooters(stage, car, 5)
    stage.begin(*people, foe, behind)
    for who in people[:2]:
        shoot(stage, who, foe)
    stage.turn(people[2])
    rifle = stage.item(people[2], "rifle").id
    assert "2 can fire to the front" in stage.refused("attack", people[2], target=foe, weapon=rifle).message
    for who in people[2:4]:
        shoot(stage, who, behind)
    stage.turn(people[4])
    rifle = stage.item(people[4], "rifle").id
    assert "2 can fire to the rear" in stage.refused("attack", people[4], target=behind, weapon=rifle).message


@pytest.mark.rule("CE-VEH-12", "CE-VEH-13")
def test_person_who_fired_last_round_leaves_the_arc_to_others(stage: Garage) -> None:
    car, foe = stage.vehicle(), put(stage, 0)
    people = shooters(stage, car, 3)
    stage.begin(*people, foe)
    for who in people[:2]:
        shoot(stage, who, foe)
    stage.state = replace(stage.state, round=2)
    for who in people[1:]:
        shoot(stage, who, foe)


@pytest.mark.rule("CE-VEH-12")
def test_an_entry_may_say_how_many_ports_there_are(stage: Garage) -> None:
    car, foe = stage.vehicle(tags=["ports:1"]), put(stage, 0)
    people = shooters(stage, car, 2)
    stage.begin(*people, foe)
    shoot(stage, people[0], foe)
    stage.turn(people[1])
    rifle = stage.item(people[1], "rifle").id
    assert stage.refused("attack", people[1], target=foe, weapon=rifle).code == "not_allowed"


@pytest.mark.rule("CE-VEH-12", "CE-VEH-13")
@pytest.mark.full_rules
@pytest.mark.parametrize(
    ("action", "where"),
    [
        ("attack", "target"),
        ("lob", "to"),
        ("blind_lob", "to"),
        ("blind_fire", "target"),
        ("suppress", "target"),
    ],
)
def test_whatever_leaves_a_closed_vehicle_is_fire_into_that_arc(
    stage: Garage, action: str, where: str
) -> None:
    car, foe = stage.vehicle(), put(stage, 0, 20)
    first = stage.crew(car, "passenger", name="First", gear=["grenade_frag"], weapons=["rifle"])
    people = shooters(stage, car, 2)
    stage.begin(first, *people, foe)
    thrown = where == "to" or action == "attack"
    weapon = stage.change_item(first, "grenade_frag" if thrown else "rifle", place="held")
    if thrown:
        stage.change_item(first, "rifle", place="carried")
    aim = {"target": foe} if where == "target" else {"to": "0,-20"}
    command = read_command(find_action(stage.system, action), {"actor": first, "weapon": weapon, **aim})
    done = run(stage.system, stage.state, find_action(stage.system, action), command, AutoDriver(Random(1)))
    assert isinstance(done, Done)
    stage.state = done.state
    stage.edit(foe, conditions=(), tracks={**stage[foe].tracks, "end": 7, "str": 7, "dex": 7})
    shoot(stage, people[0], foe)
    stage.turn(people[1])
    rifle = stage.item(people[1], "rifle").id
    assert "2 can fire to the front" in stage.refused("attack", people[1], target=foe, weapon=rifle).message


@pytest.mark.rule("CE-VEH-16")
def test_all_shoot_any_way_from_an_open_one(stage: Garage) -> None:
    raft, foe = stage.vehicle(open=True), put(stage, 120)
    people = shooters(stage, raft, 4)
    stage.begin(*people, foe)
    for who in people:
        shoot(stage, who, foe)


# ---------------------------------------------------------------- cover and size


@pytest.mark.rule("CE-VEH-08", "CE-VEH-09", "CE-VEH-10", "CE-VEH-11", "CE-VEH-15")
@pytest.mark.parametrize(
    ("more", "dm", "kind"),
    [({}, -1, "half_soft"), ({"military": True}, -4, "full"), ({"open": True}, 0, "")],
)
def test_a_closed_vehicle_is_cover_for_those_inside(
    stage: Garage, more: dict[str, Any], dm: int, kind: str
) -> None:
    car, foe = stage.vehicle(**more), put(stage, 0)
    rider = stage.crew(car, "passenger")
    assert find_cover(stage.state, foe, rider).dm == dm
    assert find_kind(stage.state, stage[foe], stage[rider]) == kind


@pytest.mark.rule("CE-VEH-09")
def test_vehicle_gives_no_cover_against_those_inside_it(stage: Garage) -> None:
    car = stage.vehicle(military=True)
    one, other = stage.crew(car, "passenger"), stage.crew(car, "passenger", name="Bo")
    assert find_vehicle_cover(stage.state, stage[one], stage[other]) == ""


@pytest.mark.rule("CE-VEH-07")
def test_a_vehicle_is_easier_to_hit_for_its_size(stage: Garage) -> None:
    car, belt = stage.vehicle(at=(20, 0)), stage.vehicle("Belt", size_dm=0, at=(20, 9))
    foe = stage.foe(weapons=["rifle"])
    rifle = stage.item(foe, "rifle").id
    stage.begin(foe)
    assert labels(stage, foe, car, rifle)["term.vehicle_size"] == 1
    assert "term.vehicle_size" not in labels(stage, foe, belt, rifle)
    stage.do("set_option", key="vehicle_size_dm", value=False)
    assert "term.vehicle_size" not in labels(stage, foe, car, rifle)


# ---------------------------------------------------------------- evasive action


@pytest.mark.rule("CE-VACT-05", "CE-VACT-06", "CS-VACT-01")
def test_evasion_is_on_shots_from_and_at_the_vehicle_and_riders(stage: Garage) -> None:
    car, foe = stage.vehicle(open=True), stage.foe(at=(20, 0), weapons=["rifle"])
    rider = stage.crew(car, "passenger", weapons=["rifle"])
    stage.begin(foe, rider)
    stage.give(car, "evading", level=2)
    theirs, ours = stage.item(foe, "rifle").id, stage.item(rider, "rifle").id
    assert labels(stage, foe, car, theirs)["term.target_evades"] == -2
    assert labels(stage, foe, rider, theirs)["term.target_evades"] == -2
    assert labels(stage, rider, foe, ours)["term.own_evasion"] == -2
    stage.do("set_option", key="evasive_hampers_own_fire", value=False)
    assert "term.own_evasion" not in labels(stage, rider, foe, ours)


@pytest.mark.rule("CE-VACT-02")
def test_a_vehicle_is_asked_for_no_reaction(stage: Garage) -> None:
    """RULING R73: evasive driving is the driver's own action."""
    car, foe = stage.vehicle(at=(20, 0)), stage.foe(weapons=["rifle"])
    stage.crew(car)
    stage.begin(foe)
    stage.do("attack", foe, target=car, weapon=stage.item(foe, "rifle").id, dice=[(1, 1)])
    assert len(stage.asked) == 1


# ---------------------------------------------------------------- forms


@pytest.mark.rule("CE-VMOUNT-01", "CE-BURST-02")
@pytest.mark.full_rules
def test_gunners_form_leads_with_mounts_that_others_see_greyed(stage: Garage) -> None:
    car, foe = (
        stage.vehicle(mounts=[{"weapon": "machine_gun_tl_8", "mount": "turret"}]),
        stage.foe(at=(20, 0)),
    )
    gunner = stage.crew(car, "gunner", weapons=["rifle"])
    rider = stage.crew(car, "passenger", name="Bo", weapons=["rifle"])
    stage.begin(gunner, rider, foe)
    gun = stage[car].items[0].id

    def form(who: str) -> dict[str, Field]:
        return {field.name: field for field in stage.system.action("attack").find_fields(stage.state, who)}

    assert form(gunner)["weapon"].value == gun
    assert form(rider)["weapon"].value != gun
    assert "not at the guns" in next(o.refused for o in form(rider)["weapon"].options if o.value == gun)
    stage.hurt(car, "weapon", 2, gun)
    assert form(gunner)["weapon"].value != gun
    assert "is destroyed" in next(o.refused for o in form(gunner)["weapon"].options if o.value == gun)


@pytest.mark.rule("CE-VMOUNT-01")
@pytest.mark.parametrize(
    ("station", "names"), [("gunner", ["Triple Laser"]), ("driver", ["Triple Laser"]), ("passenger", [])]
)
def test_what_is_mounted_stands_among_the_things_of_who_fires_it(
    stage: Garage, station: str, names: list[str]
) -> None:
    tank = stage.vehicle("Tank", mounts=[{**GUN, "mount": "front"}])
    who = stage.crew(tank, station)
    assert [item.name for item in stage.system.characters.borrowed_items(stage.state, stage[who])] == names


@pytest.mark.rule("CE-VMOUNT-01")
def test_an_unarmed_gunner_needs_a_gun_on_the_vehicle(stage: Garage) -> None:
    tank = stage.vehicle("Tank", mounts=[{"weapon": "triple_laser", "mount": "front"}])
    gunner = stage.crew(tank, "gunner")
    stage.begin(gunner)
    stage.edit(gunner, items=())
    assert allows(check_attack_now, stage.state, gunner)
    stage.edit(tank, items=())
    assert not allows(check_attack_now, stage.state, gunner)
