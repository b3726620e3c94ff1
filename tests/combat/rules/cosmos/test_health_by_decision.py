"""Hit Points and conditions by the GM's decision: what follows at each border."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core import events as e
from combat.rules.core.table import Table
from combat.rules.cosmos.damage import heal, hurt
from tests.combat.rules.cosmos.people import CosmosStage
from tests.combat.rules.stage import Script


def alone(
    hp: int | None = None, options: dict[str, Any] | None = None, **more: Any
) -> tuple[CosmosStage, str]:
    """One fighter on its turn, with so many Hit Points."""
    stage = CosmosStage(**(options or {}))
    ada = stage.hero(**more)
    if hp is not None:
        stage.set_track(ada, hp=hp)
    stage.begin()
    return stage, ada


# ---------------------------------------------------------------- the GM across the borders


def test_the_gm_hurts_a_fighter_into_dying_and_heals_it_awake() -> None:
    stage, ada = alone(10)
    stage.do("adjust", target=ada, track="hp", by=-12, reason="the ceiling falls")
    assert stage.hp(ada) == -2
    assert stage.has(ada, "dying")
    assert stage.has(ada, "unconscious")
    assert stage[ada].budget == {"standard": 0, "move": 0, "quick": 0}
    stage.do("adjust", target=ada, track="hp", by=3)
    assert stage.hp(ada) == 1
    assert not stage.has(ada, "dying")
    assert not stage.has(ada, "unconscious")
    assert stage.has(ada, "prone")


@pytest.mark.parametrize("down", [-2, 0])
def test_healing_from_dying_into_critical_takes_no_save(down: int) -> None:
    stage, ada = alone(10)
    stage.do("adjust", target=ada, track="hp", to=down)
    stage.do("adjust", target=ada, track="hp", to=5)
    assert not stage.checks()
    assert stage.system.health(stage[ada]).word == "Critical"


def test_healing_below_1_hp_changes_nothing_about_the_dying() -> None:
    stage, ada = alone(10)
    stage.do("adjust", target=ada, track="hp", to=-4)
    stage.do("adjust", target=ada, track="hp", to=0)
    assert stage.has(ada, "dying")
    assert stage.has(ada, "unconscious")


def test_the_gm_sets_hp_far_down_and_the_fighter_is_dead() -> None:
    stage, ada = alone(10)
    stage.do("adjust", target=ada, track="hp", to=-6)
    assert stage.has(ada, "dead")
    for hp in (-3, 50):
        stage.do("adjust", target=ada, track="hp", to=hp)
        assert sorted(held.kind for held in stage[ada].conditions) == ["dead", "prone", "unconscious"]
        assert stage.system.health(stage[ada]).word == "Dead"


def test_the_dead_lose_and_gain_nothing() -> None:
    stage, ada = alone(30)
    stage.give(ada, "dead")
    table = Table(stage.system, stage.state, Script([]))
    assert hurt(table, ada, 9, why="fire", rule="COS-HAZ-05") == 0
    assert heal(table, ada, 9, why="rest", rule="COS-HEAL-01") == 0
    assert table.state[ada].tracks["hp"] == 30


def test_hurting_and_healing_say_how_much_it_was() -> None:
    stage, ada = alone(90)
    table = Table(stage.system, stage.state, Script([]))
    assert hurt(table, ada, 9, why="fire", rule="COS-HAZ-05") == 9
    assert heal(table, ada, 20, why="rest", rule="COS-HEAL-01") == 15
    assert heal(table, ada, 20, why="rest", rule="COS-HEAL-01") == 0
    assert [type(fact.event) for fact in table.facts] == [e.TrackChanged] * 2


@pytest.mark.rule("COS-STATE-20")
def test_a_short_faint_becomes_a_deep_one_when_hp_run_out() -> None:
    stage = CosmosStage()
    _, bo = stage.hero(), stage.foe()
    stage.begin()
    stage.do("give_condition", target=bo, kind="unconscious", turns=1)
    stage.do("adjust", target=bo, track="hp", to=-1)
    stage.do("next_turn", dice=[(9, 9)])
    assert (stage.has(bo, "stable"), stage.has(bo, "unconscious")) == (True, True)


def test_the_gm_takes_death_back_and_heals() -> None:
    stage, ada = alone(10)
    stage.do("adjust", target=ada, track="hp", to=-6)
    (dead,) = [held for held in stage[ada].conditions if held.kind == "dead"]
    stage.do("take_condition", target=ada, condition=dead.id)
    stage.do("adjust", target=ada, track="hp", to=1)
    assert not stage.has(ada, "unconscious")
    assert stage.system.health(stage[ada]).word == "Critical"


def test_the_gm_gives_unconscious_and_the_fighter_falls_and_lets_go() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(), stage.foe(at=(1, 0))
    stage.begin()
    stage.give(bo, "grappled", by=ada)
    stage.do("give_condition", target=ada, kind="unconscious", turns=3)
    assert stage.has(ada, "prone")
    assert not stage.has(bo, "grappled")
    assert stage[ada].budget == {"standard": 0, "move": 0, "quick": 0}


def test_a_helpless_fighter_is_called_helpless_not_unconscious() -> None:
    stage, ada = alone(60)
    stage.do("give_condition", target=ada, kind="helpless")
    assert stage.system.health(stage[ada]).word == "Wounded, helpless"
    assert stage.refused("fall_prone", ada).message == "Ada is helpless."


def test_a_condition_given_twice_counts_one_time() -> None:
    stage, ada = alone()
    stage.do("give_condition", target=ada, kind="stunned")
    stage.do("give_condition", target=ada, kind="stunned")
    assert [held.kind for held in stage[ada].conditions].count("stunned") == 1
    assert stage.derived(ada, "Defense").value == 16


@pytest.mark.parametrize("by", [0, 20_000])
def test_an_impossible_adjustment_is_refused(by: int) -> None:
    stage, ada = alone(10)
    assert stage.refused("adjust", target=ada, track="hp", by=by).code == "bad_value"
    assert stage.refused("adjust", target=ada, track="luck", by=1).code == "unknown"
    assert stage.hp(ada) == 10
