"""Hit Points and conditions by the GM's decision: the effects at each limit."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say_number
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.cosmos.body.damage import heal, hurt
from tests.combat.rules.cosmos.figures import CosmosStage, alone, pair, words
from tests.combat.rules.stage import Script

# ---------------------------------------------------------------- the GM across the limits


def test_the_gm_hurts_a_combatant_into_dying_and_heals_it_awake() -> None:
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
    assert not stage.has(ada, "prone")


@pytest.mark.parametrize("down", [-2, 0])
def test_healing_from_dying_into_critical_takes_no_save(down: int) -> None:
    stage, ada = alone(10)
    stage.do("adjust", target=ada, track="hp", to=down)
    stage.do("adjust", target=ada, track="hp", to=5)
    assert not stage.checks()
    assert words(stage.system.characters.health(stage[ada]).word) == "Critical"


def test_healing_below_1_hp_changes_nothing_about_the_dying() -> None:
    stage, ada = alone(10)
    stage.do("adjust", target=ada, track="hp", to=-4)
    stage.do("adjust", target=ada, track="hp", to=0)
    assert stage.has(ada, "dying")
    assert stage.has(ada, "unconscious")


def kinds(stage: CosmosStage, who: str) -> list[str]:
    return sorted(held.kind for held in stage[who].conditions)


@pytest.mark.rule("COS-DEATH-11", "COS-DEATH-10", "COS-STATE-19")
@pytest.mark.parametrize(
    ("hp", "left", "word"),
    [
        (-7, ["dead", "unconscious"], "Dead"),
        (-6, ["dead", "unconscious"], "Dead"),
        (-5, ["dying", "unconscious"], "Dying"),
        (0, ["dying", "unconscious"], "Dying"),
        (1, [], "Critical"),
        (50, [], "Wounded"),
    ],
)
def test_the_dead_are_as_their_hp_say_when_the_gm_changes_them(hp: int, left: list[str], word: str) -> None:
    stage, ada = alone(10)
    stage.do("adjust", target=ada, track="hp", to=-9)
    stage.do("adjust", target=ada, track="hp", to=hp)
    assert (kinds(stage, ada), words(stage.system.characters.health(stage[ada]).word)) == (left, word)


def test_the_dead_by_decision_stay_dead_while_they_lose_hp() -> None:
    stage, ada = alone(50)
    stage.do("give_condition", target=ada, kind="dead")
    stage.do("adjust", target=ada, track="hp", by=-10)
    assert kinds(stage, ada) == ["dead", "unconscious"]


def end(stage: CosmosStage, who: str, kind: str) -> str:
    """Let the GM end a condition; return the refusal, if any."""
    (held,) = [held for held in stage[who].conditions if held.kind == kind]
    try:
        stage.do("take_condition", target=who, condition=held.id)
    except Refused as refused:
        return refused.message
    return ""


@pytest.mark.rule("COS-DEATH-09", "COS-DEATH-10", "COS-DEATH-11", "COS-STATE-19", "COS-STATE-20")
@pytest.mark.parametrize(
    ("hp", "given", "ended", "left"),
    [
        (50, ["dead", "unconscious"], "dead", []),
        (-3, ["dead", "unconscious"], "dead", ["dying", "unconscious"]),
        (-3, ["dying", "unconscious"], "dying", ["stable", "unconscious"]),
        (-3, ["stable", "unconscious"], "stable", ["dying", "unconscious"]),
        (20, ["unconscious"], "unconscious", []),
    ],
)
def test_conditions_from_hp_follow_when_the_gm_ends_one(
    hp: int, given: list[str], ended: str, left: list[str]
) -> None:
    stage, ada = alone(hp)
    for kind in given:
        stage.give(ada, kind)
    assert end(stage, ada, ended) == ""
    assert kinds(stage, ada) == left


@pytest.mark.rule("COS-DEATH-11", "COS-STATE-20")
@pytest.mark.parametrize(("hp", "held"), [(-6, "dead"), (-3, "unconscious")])
def test_what_hp_bring_back_at_once_cannot_be_ended(hp: int, held: str) -> None:
    stage, ada = alone(10)
    stage.do("adjust", target=ada, track="hp", to=hp)
    before = stage.state
    assert (
        end(stage, ada, held)
        == f"{held.capitalize()}: it follows from HP {say_number(hp)}. Change that first."
    )
    assert stage.state is before


def test_one_of_two_injuries_ends_and_the_other_stays() -> None:
    stage, ada = alone(50)
    stage.give(ada, "injury")
    stage.give(ada, "injury")
    stage.do("take_condition", target=ada, condition=stage[ada].conditions[0].id)
    assert kinds(stage, ada) == ["injury"]


def test_the_dead_lose_and_gain_nothing() -> None:
    stage, ada = alone(30)
    stage.give(ada, "dead")
    context = RuleContext(stage.system, stage.state, Script([]))
    assert hurt(context, ada, 9, why="fire", rule="COS-HAZ-05") == 0
    assert heal(context, ada, 9, why="rest", rule="COS-HEAL-01") == 0
    assert context.state[ada].tracks["hp"] == 30


def test_hurting_and_healing_say_how_much_it_was() -> None:
    stage, ada = alone(90)
    context = RuleContext(stage.system, stage.state, Script([]))
    assert hurt(context, ada, 9, why="fire", rule="COS-HAZ-05") == 9
    assert heal(context, ada, 20, why="rest", rule="COS-HEAL-01") == 15
    assert heal(context, ada, 20, why="rest", rule="COS-HEAL-01") == 0
    assert [type(fact.event) for fact in context.facts] == [e.TrackChanged] * 2


@pytest.mark.rule("COS-STATE-20")
def test_a_short_faint_becomes_a_deep_one_when_hp_run_out() -> None:
    stage = CosmosStage()
    _, bo = stage.hero(), stage.foe()
    stage.begin()
    stage.do("give_condition", target=bo, kind="unconscious", turns=1)
    stage.do("adjust", target=bo, track="hp", to=-1)
    stage.do("next_turn", dice=[(9, 9)])
    assert (stage.has(bo, "stable"), stage.has(bo, "unconscious")) == (True, True)


def test_the_gm_gives_unconscious_and_the_combatant_lets_go() -> None:
    stage, ada, bo = pair(at=(1, 0))
    stage.begin()
    stage.give(bo, "grappled", by=ada)
    stage.do("give_condition", target=ada, kind="unconscious", turns=3)
    assert not stage.has(ada, "prone")
    assert not stage.has(bo, "grappled")
    assert stage[ada].budget == {"standard": 0, "move": 0, "quick": 0}


def test_a_helpless_combatant_is_called_helpless_not_unconscious() -> None:
    stage, ada = alone(60)
    stage.do("give_condition", target=ada, kind="helpless")
    assert words(stage.system.characters.health(stage[ada]).word) == "Wounded, helpless"
    assert stage.refused("fall_prone", ada).message == "Ada is helpless: no actions."


def test_a_condition_given_twice_counts_one_time() -> None:
    stage, ada = alone()
    stage.do("give_condition", target=ada, kind="stunned")
    stage.do("give_condition", target=ada, kind="stunned")
    assert [held.kind for held in stage[ada].conditions].count("stunned") == 1
    assert stage.derived(ada, "Defense").value == 16


@pytest.mark.parametrize("change", [{"by": 0}, {"by": -20_000}, {"to": 20_000}])
def test_an_impossible_adjustment_is_refused(change: dict[str, Any]) -> None:
    stage, ada = alone(10)
    assert stage.refused("adjust", target=ada, track="hp", **change).code == "bad_value"
    assert stage.refused("adjust", target=ada, track="luck", by=1).code == "unknown"
    assert stage.hp(ada) == 10


@pytest.mark.rule("COS-STATE-19", "COS-STATE-20", "COS-DEATH-09")
@pytest.mark.parametrize("kind", ["dying", "stable"])
def test_who_is_marked_as_dying_or_stable_has_0_hp(kind: str) -> None:
    stage, ada = alone(50)
    stage.do("give_condition", target=ada, kind=kind)
    assert (kinds(stage, ada), stage.hp(ada)) == ([kind, "unconscious"], 0)


@pytest.mark.rule("COS-DEATH-02", "COS-DEATH-03")
def test_death_save_of_one_marked_as_dying_goes_on_from_0_hp() -> None:
    stage, ada = alone(50)
    stage.do("give_condition", target=ada, kind="dying")
    stage.do("next_turn", dice=[(1, 2), (9, 9)])
    assert [check.good for check in stage.checks("Might save")] == [False, True]
    assert (kinds(stage, ada), stage.hp(ada)) == (["stable", "unconscious"], -1)


@pytest.mark.rule("COS-STATE-19", "COS-DEATH-09")
def test_gm_says_at_0_hp_who_is_stable_and_who_is_dying_again() -> None:
    stage, ada = alone(10)
    stage.do("adjust", target=ada, track="hp", to=0)
    assert kinds(stage, ada) == ["dying", "unconscious"]
    stage.do("give_condition", target=ada, kind="stable")
    assert kinds(stage, ada) == ["stable", "unconscious"]
    stage.do("give_condition", target=ada, kind="dying")
    assert kinds(stage, ada) == ["dying", "unconscious"]


@pytest.mark.rule("COS-STATE-18", "COS-COND-34")
def test_unconscious_person_makes_no_save_on_entering_critical() -> None:
    stage, ada = alone(50)
    stage.do("give_condition", target=ada, kind="unconscious")
    stage.do("adjust", target=ada, track="hp", to=10)
    assert not stage.checks()
    assert kinds(stage, ada) == ["unconscious"]
