"""Damage to the parts of a machine is kept on its sheet and returns with it."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.characters import machinery
from combat.rules.cepheus.sheet.creation import PLAN
from combat.rules.core.aftermath import make_aftermath
from combat.rules.core.sheets.sheets import find_lasting
from combat.rules.core.state.state import Combatant
from tests.combat.rules.cepheus.vehicles.garage import Garage

GUN = {"weapon": "machine_gun_tl_8", "mount": "turret"}


def bring_home(stage: Garage, who: str) -> Combatant:
    """The machine as it joins the next fight, its sheet updated after this one."""
    found = make_aftermath(stage.system, stage[who])
    sheet: dict[str, Any] = found.write(change.token for change in found.changes)
    return stage.system.characters.make_combatant("f9", "Again", "allies", sheet, {})


@pytest.mark.rule("CE-REP-01", "CE-REP-13")
def test_what_is_hit_is_on_the_sheet_and_hit_in_the_next_fight() -> None:
    stage = Garage()
    car = stage.vehicle(mounts=[GUN, {**GUN, "weapon": "triple_laser"}])
    laser = stage[car].items[1].id
    stage.hurt(car, "drive", 2)
    stage.land(car, [5, (2,)], 3)
    changes = {change.label: change.after for change in make_aftermath(stage.system, stage[car]).changes}
    assert changes == {"Drive hit": "level 2", "Triple Laser hit": "yes", "Sensors hit": "yes"}
    assert machinery.find_damage(stage[car], laser) is not None
    again = bring_home(stage, car)
    assert machinery.count_hits(stage.state, again, "drive") == 2
    assert machinery.count_hits(stage.state, again, again.items[1].id) == 1
    assert machinery.count_hits(stage.state, again, again.items[0].id) == 0
    assert machinery.find_top_speed(stage.state, again) == 75


@pytest.mark.rule("CE-REP-01")
def test_limbs_and_repairs_are_remembered_by_their_numbers() -> None:
    stage = Garage()
    robot = stage.robot()
    stage.land(robot, [5, (3,)])
    again = bring_home(stage, robot)
    assert {key: machinery.count_hits(stage.state, again, key) for key in machinery.find_limbs(again)} == {
        "limb_1": 0,
        "limb_2": 0,
        "limb_3": 1,
        "limb_4": 0,
    }
    stage.edit(robot, conditions=())
    assert not make_aftermath(stage.system, stage[robot], dict(again.sheet)).changes[0].value


def test_damage_without_a_name_is_on_the_first_whole_weapon() -> None:
    stage = Garage()
    sheet = {**stage[stage.vehicle(mounts=[GUN, GUN])].sheet}
    sheet["conditions"] = [{"kind": "weapon_hit", "level": 2}, {"kind": "weapon_hit", "note": "by hail"}]
    car = stage.system.characters.make_combatant("f9", "Car", "allies", sheet, {})
    assert [machinery.count_hits(stage.state, car, item.id) for item in car.items] == [2, 1]


@pytest.mark.parametrize(
    ("kind", "drone", "there", "missing"),
    [
        ("person", False, "seriously_wounded", "drive_hit"),
        ("vehicle", False, "drive_hit", "limb_hit"),
        ("robot", False, "limb_hit", "unconscious"),
        ("robot", True, "sensors_hit", "limb_hit"),
    ],
)
def test_only_what_fits_can_be_added_to_a_sheet_by_hand(
    kind: str, drone: bool, there: str, missing: str
) -> None:
    found = find_lasting(PLAN, {"kind": kind, "drone": drone})
    assert there in found
    assert missing not in found


@pytest.mark.rule("CE-ATK-12")
def test_the_bound_go_home_free_and_nobody_goes_home_surrendered() -> None:
    """Unless someone selects that they are bound; that it ended is written as usual."""
    stage = Garage()
    who = stage.hero()
    for kind in ("bound", "surrendered", "fatigued"):
        stage.give(who, kind)
    found = make_aftermath(stage.system, stage[who])
    assert {change.label: change.is_usual for change in found.changes} == {"Bound": False, "Fatigued": True}
    stage.edit(who, conditions=(), sheet=found.sheet)
    assert all(change.is_usual for change in make_aftermath(stage.system, stage[who]).changes)
