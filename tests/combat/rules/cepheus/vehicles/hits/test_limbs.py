"""What a robot does with its limbs: worse with damaged ones, not at all without any."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.characters import machinery
from combat.rules.cepheus.fight.grapple import can_resist
from combat.rules.cepheus.fight.reactions import find_reactions
from combat.rules.core.basics.modifiers import add_up
from tests.combat.rules.cepheus.vehicles.garage import Garage

DAMAGED = "The limb is damaged"


def workshop(*, limbs: int = 2, hits: int = 0, **more: Any) -> tuple[Garage, str, str]:
    """A robot beside a wounded enemy, with this many hits on each of its limbs."""
    stage = Garage()
    skills = {"natural_weapons": 1, "medicine": 1, "mechanics": 1, "piercing_weapons": 1}
    robot = stage.robot(limbs=limbs, skills=skills, weapons=["dagger"], **more)
    bo = stage.foe(at=(1, 0), skills={"natural_weapons": 0})
    stage.begin(robot, bo)
    stage.set_track(bo, end=3)
    stage.edit(bo, marks={**stage[bo].marks, "hurt_at": 0})
    for limb in machinery.find_limbs(stage[robot]) if hits else ():
        stage.hurt(robot, "limb", hits, limb)
    return stage, robot, bo


def find_deeds(stage: Garage, robot: str, bo: str) -> dict[str, dict[str, Any]]:
    """The actions by hand that have a preview."""
    claws = next(item.id for item in stage[robot].items if item.data.get("group") == "natural")
    return {
        "attack": {"target": bo, "weapon": claws},
        "grapple": {"target": bo},
        "first_aid": {"target": bo},
        "check": {"skill": "mechanics", "characteristic": "edu"},
    }


@pytest.mark.rule("CE-VLOC-39")
@pytest.mark.parametrize("name", ["attack", "grapple", "first_aid", "check"])
def test_robots_hand_work_is_harder_with_damaged_limbs(name: str) -> None:
    sums = []
    for hits in (0, 1):
        stage, robot, bo = workshop(hits=hits)
        terms = stage.preview(name, robot, **find_deeds(stage, robot, bo)[name]).modifiers
        assert (DAMAGED in {stage.system.draw(term.label) for term in terms}) is bool(hits)
        sums.append(add_up(terms))
    assert sums[0] - sums[1] == 2


@pytest.mark.rule("CE-VLOC-39", "CE-GRAP-03")
def test_a_robot_resists_a_grapple_worse_with_damaged_limbs() -> None:
    stage, robot, bo = workshop(hits=1)
    stage.turn(bo)
    stage.do("grapple", bo, target=robot, dice=[(3, 3), (3, 3), "hold", "continue"])
    assert [check.total for check in stage.checks()] == [6, 6 + 1 - 2]


@pytest.mark.rule("CE-VLOC-39")
def test_one_limb_that_is_whole_is_enough() -> None:
    stage, robot, bo = workshop()
    stage.hurt(robot, "limb", 2, "limb_1")
    assert add_up(stage.preview("grapple", robot, target=bo).modifiers) == 1


@pytest.mark.rule("CE-VLOC-39")
def test_damaged_limb_hinders_a_dagger_but_not_a_gun() -> None:
    stage, robot, bo = workshop(hits=1)
    strike = {"target": bo, "weapon": stage.weapon(robot, "dagger")}
    stabs = {stage.system.draw(t.label): t.value for t in stage.preview("attack", robot, **strike).modifiers}
    assert stabs[DAMAGED] == -2
    stage.hurt(robot, "weapon", 1, strike["weapon"])
    assert add_up(stage.preview("attack", robot, **strike).modifiers) == sum(stabs.values()) - 2
    armed = Garage()
    robot, bo = armed.robot(weapons=["auto_pistol"]), armed.foe(at=(9, 0))
    armed.begin(robot, bo)
    shot = {"target": bo, "weapon": armed.weapon(robot, "auto_pistol")}
    before = armed.preview("attack", robot, **shot).modifiers
    for limb in machinery.find_limbs(armed[robot]):
        armed.hurt(robot, "limb", 2, limb)
    assert armed.preview("attack", robot, **shot).modifiers == before


@pytest.mark.rule("CE-VLOC-40")
@pytest.mark.parametrize("name", ["attack", "grapple", "first_aid", "check"])
def test_a_robot_without_limbs_does_nothing_by_hand(name: str) -> None:
    stage, robot, bo = workshop(hits=2)
    assert "repair one first" in stage.refused(name, robot, **find_deeds(stage, robot, bo)[name]).message


@pytest.mark.rule("CE-VLOC-40")
def test_robot_without_limbs_handles_no_weapon_and_gives_no_drug() -> None:
    stage, robot, bo = workshop(hits=2, gear=["medicinal_drugs"])
    dagger = stage.change_item(robot, "dagger", place="carried")
    drug = stage.item(robot, "medicinal_drugs").id
    for name, fields in (
        ("ready", {"weapon": dagger}),
        ("take_drug", {"item": drug, "target": bo}),
    ):
        assert "no limb left" in stage.refused(name, robot, **fields).message, name


@pytest.mark.rule("CE-VLOC-40")
def test_a_robot_without_limbs_neither_resists_nor_parries() -> None:
    for limbs, hits, able in ((2, 0, True), (2, 1, True), (2, 2, False), (0, 0, False)):
        stage, robot, bo = workshop(limbs=limbs, hits=hits)
        assert can_resist(stage.state, stage[robot]) is able
    stage, robot, bo = workshop(hits=2)
    assert [one.value for one in find_reactions(stage.state, robot, bo, "melee")] == ["none", "dodge"]


@pytest.mark.rule("CE-VLOC-39", "CE-REACT-12")
def test_damaged_limbs_parry_worse() -> None:
    labels = []
    for hits in (0, 1):
        stage, robot, bo = workshop(hits=hits)
        labels.append(find_reactions(stage.state, robot, bo, "melee")[2].label)
    assert labels == ["Parry: −1 to the blow", "Parry: 0 to the blow"]


@pytest.mark.rule("CE-GRAP-01")
def test_a_robot_built_without_limbs_grapples_nobody() -> None:
    stage, robot, bo = workshop(limbs=0)
    assert "no limb to grapple with" in stage.refused("grapple", robot, target=bo).message
