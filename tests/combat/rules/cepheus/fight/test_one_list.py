"""Attacks, blind fire and sheets take their DMs from one list."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.fight.aim import FAR, NEAR, OWN, SKILL
from combat.rules.core.basics.words import Label
from tests.combat.rules.cepheus.vehicles.garage import Garage


def gunner() -> tuple[Garage, str, str, str]:
    """A weak driver in zero gravity and the dark who fires a heavy weapon from an evading car."""
    stage = Garage()
    stage.do("set_setting", key="gravity", value="zero")
    stage.do("set_setting", key="light", value="dark")
    stage.do("set_setting", key="weather", value="extreme")
    car = stage.vehicle(open=True)
    driver = stage.crew(car, skills={"wheeled_vehicle": 1}, weapons=["pgmp"])
    foe, gun = stage.foe(at=(60, 0)), stage.item(driver, "pgmp")
    stage.begin(driver, foe)
    stage.give(car, "evading", level=2)
    stage.edit(car, marks={**stage[car].marks, "controlled": stage.state.round})
    stage.give(foe, "prone")
    return stage, driver, foe, gun.id


def find(stage: Garage, action: str, who: str, foe: str, gun: str) -> dict[Label, int]:
    """The DMs of a form."""
    found = stage.preview(action, who, target=foe, weapon=gun).modifiers
    return {term.label: term.value for term in found}


@pytest.mark.rule(
    "CE-BLIND-01", "CE-BLIND-02", "CE-COND-02", "CE-COND-07", "CE-VACT-06", "CE-ZG-02", "CE-ZG-03"
)
def test_blind_fire_has_all_dms_of_an_attack_except_the_targets() -> None:
    """RULING R18"""
    stage, driver, foe, gun = gunner()
    seen, blind = (find(stage, action, driver, foe, gun) for action in ("attack", "blind_fire"))
    assert blind.pop("term.blind_skill") == -3
    assert seen.pop("term.prone_target") == -2
    assert seen.pop("Heavy Weapons") == -3
    assert seen == blind
    keys = {"term.dark", "term.recoil", "term.too_weak", "term.own_evasion"}
    assert keys <= set(map(str, blind))


@pytest.mark.rule("CE-VLOC-27")
def test_a_sheet_shows_the_damage_of_the_weapon() -> None:
    stage = Garage()
    robot = stage.robot(weapons=["rifle"])
    rifle = stage.item(robot, "rifle")
    stage.hurt(robot, "weapon", 1, rifle.id)
    assert stage.system.book.sheets
    shown = stage.system.book.sheets.find_attacks(stage.state, stage[robot])
    row = next(attack for attack in shown if attack.item.id == rifle.id)
    assert -2 in [term.value for term in row.terms if term.rule == "CE-VLOC-27"]


def test_no_dm_of_the_list_stands_twice() -> None:
    sources = (*NEAR, *FAR)
    assert len({source.find for source in sources}) == len(sources)
    assert {SKILL, OWN} < {source.of for source in sources}
