"""Standing orders: kept in a combatant's marks, followed where they fit, deleted on request."""

from __future__ import annotations

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import Done, LiveDriver, Waiting, find_action, run
from combat.rules.core.gm.standing_orders import MAX_ORDERS, find_orders
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.figures import CosmosStage

RULE = "COS-CRIT-02"


@pytest.fixture
def stage() -> CosmosStage:
    """Ada is about to shoot at Bo."""
    stage = CosmosStage()
    stage.hero("Ada")
    stage.foe("Bo")
    stage.begin("f1", "f2")
    stage.draw_all("f1")
    return stage


def shoot(stage: CosmosStage, driver: LiveDriver) -> Done | Waiting:
    """A critical hit."""
    action = find_action(stage.system, "attack")
    fields = {"actor": "f1", "target": "f2", "weapon": stage.weapon("f1", "pistol")}
    return run(stage.system, stage.state, action, read_command(action, fields), driver)


def test_order_is_kept_and_ended_and_only_its_player_is_told(stage: CosmosStage) -> None:
    facts = stage.do("set_standing", "f1", rule_id=RULE, value="maximum")
    assert find_orders(stage["f1"]) == {RULE: "maximum"}
    assert {fact.to for fact in facts} == {e.for_seat("f1")}
    stage.do("set_standing", "f1", rule_id=RULE, value="bypass_armor")
    assert find_orders(stage["f1"]) == {RULE: "bypass_armor"}
    stage.do("set_standing", "f1", rule_id=RULE)
    assert find_orders(stage["f1"]) == {}


def test_choice_is_answered_by_the_order_and_says_so(stage: CosmosStage) -> None:
    assert isinstance(shoot(stage, LiveDriver(faces=(10, 10))), Waiting)
    stage.do("set_standing", "f1", rule_id=RULE, value="maximum")
    done = shoot(stage, LiveDriver(faces=(10, 10)))
    assert isinstance(done, Done)
    assert [(a.value, a.source) for a in done.answers if a.kind == "choice"] == [("maximum", "order")]


def test_order_of_another_combatant_does_not_count(stage: CosmosStage) -> None:
    stage.do("set_standing", "f2", rule_id=RULE, value="maximum")
    assert isinstance(shoot(stage, LiveDriver(faces=(10, 10))), Waiting)


def test_order_that_is_no_option_is_asked_about(stage: CosmosStage) -> None:
    stage.do("set_standing", "f1", rule_id=RULE, value="explode")
    assert isinstance(shoot(stage, LiveDriver(faces=(10, 10))), Waiting)


def test_order_given_with_the_driver_goes_first(stage: CosmosStage) -> None:
    stage.do("set_standing", "f1", rule_id=RULE, value="maximum")
    done = shoot(stage, LiveDriver(faces=(10, 10), standing={f"{RULE}:f1": "bypass_armor"}))
    assert isinstance(done, Done)
    assert [a.value for a in done.answers if a.kind == "choice"] == ["bypass_armor"]


def test_impossible_orders_are_refused(stage: CosmosStage) -> None:
    assert stage.refused("set_standing", "f1", rule_id="COS-NONE-01", value="x").code == "unknown"
    assert stage.refused("set_standing", "f1", rule_id=RULE, value="a b").code == "bad_value"
    assert stage.refused("set_standing", "f1", rule_id=RULE, value="x" * 81).code == "bad_value"
    assert "no standing order" in stage.refused("set_standing", "f1", rule_id=RULE).message
    assert stage.refused("set_standing", "f9", rule_id=RULE, value="x").code == "unknown"


def test_combatant_keeps_only_so_many(stage: CosmosStage) -> None:
    rules = list(stage.system.rulebook.rules)[: MAX_ORDERS + 1]
    for rule in rules[:-1]:
        stage.do("set_standing", "f1", rule_id=rule, value="x")
    assert "end one first" in stage.refused("set_standing", "f1", rule_id=rules[-1], value="x").message
    stage.do("set_standing", "f1", rule_id=rules[0], value="y")
