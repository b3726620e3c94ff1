"""The flat table of damage to machines: one roll, one hit, and every third in a place counts."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.characters import machinery
from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.core.declaration.system import System
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.vehicles.garage import Garage


@pytest.fixture
def flat() -> Garage:
    return Garage(vehicle_damage="flat")


@pytest.mark.rule("CS-VDMG-01")
def test_on_the_flat_table_damage_is_one_roll_and_one_hit(flat: Garage) -> None:
    car = flat.vehicle()
    flat.strike(car, 9, 10)
    assert flat.hits(car, "drive") == 1
    flat.strike(car, 40, 11)
    assert flat.hits(car, "sensors") == 1
    flat.strike(car, 6)
    assert flat.rules() == {"CE-VDMG-09"}


@pytest.mark.rule("CS-VLOC-10")
def test_the_third_hit_on_a_place_disables_it(flat: Garage) -> None:
    car = flat.vehicle()
    flat.land(car, 4, 10)
    assert machinery.find_top_speed(flat.state, flat[car]) == 100
    flat.land(car, 4)
    assert machinery.find_top_speed(flat.state, flat[car]) == 0
    flat.land(car, 6, 6)
    assert flat.tracks(car)[2] == 4
    flat.land(car, 6)
    assert flat.tracks(car)[2] == 0
    flat.land(car, 2, 7)
    assert not flat.has(car, "wreck")
    flat.land(car, 10)  # the drive is gone: it counts as the Hull
    assert flat.has(car, "wreck")


@pytest.mark.rule("CS-VLOC-10")
def test_by_option_the_hull_is_as_many_hits_as_there_are_points(flat: Garage) -> None:
    stage = Garage(vehicle_damage="flat", flat_hull="hull_points")
    car = stage.vehicle()
    stage.land(car, 2, 3, 7, 8)
    assert (stage.tracks(car)[:2], stage.has(car, "wreck")) == ((0, 1), False)
    stage.land(car, 12)
    assert stage.has(car, "wreck")


def cited(stage: Garage) -> set[str]:
    """The rules that the last hits cite, without that of the roll for a location."""
    return stage.rules() - {"CE-VDMG-07"}


def test_flat_table_cites_its_ruling_or_the_quick_games_rules() -> None:
    """RULING R66"""
    full = Garage(vehicle_damage="flat")
    for roll in (4, 6, 6, 6):
        full.land(full.vehicle() if roll == 4 else "f1", roll)
        assert cited(full) == {"R66"}
    quick = Garage()
    quick.system, quick.state = QUICK, replace(quick.state, system=QUICK.slug)
    car = quick.vehicle()
    quick.land(car, 4)
    assert cited(quick) == {"CS-VDMG-01", "CS-VLOC-10"}
    quick.hurt(car, "hull", 2)
    quick.land(car, 2)
    assert quick.has(car, "wreck")
    assert cited(quick) == {"CS-VDMG-01", "CS-VLOC-10"}


@pytest.mark.rule("CS-VLOC-10")
def test_armor_that_is_gone_takes_no_more_hits_and_the_hull_does(flat: Garage) -> None:
    """RULING R66"""
    car = flat.vehicle()
    flat.land(car, 6, 6, 6)
    assert (flat.hits(car, "armor"), flat.hits(car, "hull")) == (3, 0)
    flat.land(car, 6)
    assert (flat.hits(car, "armor"), flat.hits(car, "hull")) == (3, 1)
    flat.land(car, 6, 6)
    assert flat.has(car, "wreck")


@pytest.mark.rule("CS-VLOC-10")
@pytest.mark.parametrize("track", ["hull", "structure"])
@pytest.mark.parametrize("kind", ["vehicle", "robot"])
def test_quick_rules_machine_the_gm_brings_to_0_is_a_wreck(kind: str, track: str) -> None:
    stage = Garage(QUICK)
    machine = stage.robot() if kind == "robot" else stage.vehicle()
    stage.do("adjust", target=machine, track=track, to=1)
    assert not stage.has(machine, "wreck")
    stage.do("adjust", target=machine, track=track, by=-1)
    assert stage.has(machine, "wreck")
    stage.do("adjust", target=machine, track=track, by=1)
    assert not stage.has(machine, "wreck")


@pytest.mark.rule("CS-VLOC-10")
def test_where_points_of_hull_count_only_structure_0_is_a_wreck() -> None:
    stage = Garage(vehicle_damage="flat", flat_hull="hull_points")
    car = stage.vehicle()
    stage.do("adjust", target=car, track="hull", to=0)
    assert not stage.has(car, "wreck")
    stage.do("adjust", target=car, track="structure", to=0)
    assert stage.has(car, "wreck")


@pytest.mark.rule("CS-VLOC-10")
@pytest.mark.parametrize("system", [None, QUICK])
def test_machine_built_without_hull_or_structure_is_no_wreck(system: System | None) -> None:
    stage = Garage(system)
    bare = [stage.vehicle(hull=0), stage.vehicle(structure=0)]
    for machine in bare:
        stage.do("adjust", target=machine, track="armor", to=1)
        assert not stage.has(machine, "wreck")
