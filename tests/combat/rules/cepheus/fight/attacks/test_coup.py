"""Whom the form of a coup de grace offers, and the weapons that can deliver one."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.characters import machinery
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.combat.rules.cepheus.vehicles.garage import Garage


@pytest.mark.rule("CE-ATK-10")
def test_a_coup_de_grace_is_offered_against_enemies_only() -> None:
    stage = duel("dagger", 1)
    friend = stage.join("Cy", 1)
    stage.give(friend, "unconscious")
    assert stage.obstacle("coup_de_grace", ADA)
    stage.give(BO, "unconscious")
    target = stage.system.action("coup_de_grace").find_fields(stage.state, ADA)[0]
    options = {one.value: one.refused for one in target.options}
    assert options == {BO: "", friend: "Cy is on the same side."}


def helpless(weapon: str = "dagger", meters: float = 1) -> RangeStage:
    """Ada with a weapon in hand, and Bo beside her, unconscious."""
    stage = duel(weapon, meters)
    stage.give(BO, "unconscious")
    return stage


def refusal(stage: RangeStage, who: str = ADA, **more: str) -> str:
    weapon = more.pop("weapon", None) or stage[who].items[0].id
    return stage.refused("coup_de_grace", who, target=BO, weapon=weapon, sure=True).message


@pytest.mark.rule("CE-ATK-10")
def test_a_coup_de_grace_takes_the_hands_that_the_weapon_takes() -> None:
    stage = helpless()
    stage.arm(ADA, "rifle", "dagger")
    assert "takes both hands" in refusal(stage)
    stage.do("coup_de_grace", ADA, target=BO, weapon=stage[ADA].items[1].id, sure=True)
    assert stage.has(BO, "dead")


@pytest.mark.rule("CE-ATK-11", "CE-BURST-01")
def test_coup_de_grace_takes_the_fewest_rounds_the_gun_fires() -> None:
    stage = helpless("submachinegun")
    rates = stage[ADA].items[0].data["rate_of_fire"]
    stage.load(ADA, min(rates) - 1)
    assert "reload it" in refusal(stage)
    stage.load(ADA, min(rates))
    stage.do("coup_de_grace", ADA, target=BO, weapon=stage[ADA].items[0].id, sure=True)
    assert stage[ADA].items[0].loaded == 0


@pytest.mark.rule("CE-ATK-10", "CE-VLOC-28", "CE-VLOC-32", "CE-VLOC-40")
@pytest.mark.full_rules
@pytest.mark.parametrize(
    ("part", "why"), [("weapon", "is destroyed"), ("limb", "no limb left"), ("sensors", "sensors"), ("", "")]
)
def test_a_robot_does_not_kill_with_what_is_destroyed(part: str, why: str) -> None:
    stage = Garage()
    robot, bo = stage.robot(weapons=["dagger"]), stage.foe(at=(1, 0))
    stage.begin(robot, bo)
    stage.give(bo, "unconscious")
    kill: dict[str, Any] = {"target": bo, "weapon": stage.weapon(robot, "dagger"), "sure": True}
    keys = {"weapon": [kill["weapon"]], "limb": machinery.find_limbs(stage[robot])}.get(part, [part])
    for key in filter(None, keys):
        stage.hurt(robot, part, 2, key)
    if part:
        assert why in stage.refused("coup_de_grace", robot, **kill).message
    else:
        stage.do("coup_de_grace", robot, **kill)
        assert stage.has(bo, "dead")
