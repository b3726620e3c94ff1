"""Aim for the kill ends by being hit, whatever it is that strikes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from combat.rules.core.state.state import find_condition
from tests.combat.rules.cepheus.fight.range import duel
from tests.combat.rules.cepheus.fight.test_moments import LOSES, WINS, end_of_count, together
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.combat.rules.cepheus.vehicles.garage import Garage

pytestmark = pytest.mark.rule("CE-MINOR-09")


def shot_at_the_cockpit(stage: Garage, who: str) -> None:
    car = stage.vehicle(hull=0, armor=0)
    stage.seat(who, car, "driver")
    stage.land(car, 12, damage=1)


def run_over(stage: Garage, who: str) -> None:
    stage.do("crash", target=stage.vehicle(), struck=who, speed=10, dice=[(1,)])


def thrown_out(stage: Garage, who: str) -> None:
    car = stage.vehicle(open=True, armor=0)
    stage.seat(who, car)
    stage.do("crash", target=car, speed=10, dice=[(1,), (3, 4)])


def hurt_by_the_gm(stage: Garage, who: str) -> None:
    stage.do("deal_damage", target=who, amount="2", past_armor=True)


def hurt_for_nothing(stage: Garage, who: str) -> None:
    stage.do("deal_damage", target=who, amount="0")


def set_lower(stage: Garage, who: str) -> None:
    stage.do("adjust", target=who, track="end", by=-2)


def fallen(stage: Garage, who: str) -> None:
    stage.do("hazard", target=who, hazard="fall", dice=[(2,)])


def hurt_in_mind(stage: Garage, who: str) -> None:
    stage.do("deal_mind", target=who, key="int", amount="1")


@pytest.mark.parametrize(
    "strike",
    [
        shot_at_the_cockpit,
        run_over,
        thrown_out,
        hurt_by_the_gm,
        hurt_for_nothing,
        set_lower,
        fallen,
        hurt_in_mind,
    ],
)
@pytest.mark.full_rules
def test_every_wound_ends_aim_for_the_kill_alone(strike: Callable[[Garage, str], None]) -> None:
    stage = Garage()
    ada, bo = stage.hero(), stage.foe()
    for kind in ("aiming", "aiming_kill"):
        stage.give(ada, kind, level=2, marks={"target": bo})
    strike(stage, ada)
    assert not stage.has(ada, "aiming_kill")
    assert find_condition(stage[ada], "aiming")


def test_a_hit_ends_the_aim_of_a_robot() -> None:
    stage = Garage()
    robot, foe = stage.robot(), stage.foe()
    stage.give(robot, "aiming_kill", level=1, marks={"target": foe})
    stage.strike(robot, 0)
    assert not stage.has(robot, "aiming_kill")


def test_a_stun_that_is_resisted_ends_it_too() -> None:
    stage = duel("grenade_stun", 20)
    stage.aimed(BO, ADA, 2, "aiming_kill")
    stage.attack((6, 6), (1, 1, 2), (6, 6))
    assert not stage.has(BO, "unconscious")
    assert not stage.has(BO, "aiming_kill")


@pytest.mark.rule("CE-ROUND-05")
def test_a_stun_of_the_same_moment_ends_it_when_that_is_over() -> None:
    stage = together("grenade_stun", 10)
    stage.aimed(BO, ADA, 2, "aiming_kill")
    stage.attack(WINS, (3, 3, 3), LOSES)
    assert stage.has(BO, "aiming_kill")
    end_of_count(stage)
    assert not stage.has(BO, "aiming_kill")
