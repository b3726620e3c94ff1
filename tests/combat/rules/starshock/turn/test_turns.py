"""The contents of a turn: the declaration, the Action Penalty, the cap of one attack, Rates."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state.state import replace
from tests.combat.rules.starshock.fight.test_attack import set_values
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel, terms


def party(actions: int | None = 1, **options: Any) -> StarStage:
    """Ada with a dagger, Bo her enemy, Cy her ally, all in one of three zones; her turn."""
    stage = StarStage("dock", "hold", "deck", **options)
    stage.hero("Ada", "dagger", zone="dock", skills=("Melee", "Medicate"), gear=("medical_kit",))
    stage.foe("Bo", zone="deck")
    stage.hero("Cy", zone="dock")
    return stage.begin(ADA, BO, CY, actions=actions)


def start(stage: StarStage) -> None:
    """Ada and Cy make the check, so that Ada's real turn begins."""
    stage.state = replace(stage.state, phase="prep", round=0, order=(), active="")
    stage.do("start", dice=[(5, 5), (5, 5)])


# ---------------------------------------------------------------- declaring


@pytest.mark.rule("SS-ACT-02")
def test_none_declared_leaves_the_free_actions() -> None:
    stage = party(None)
    stage.do("declare", ADA, actions=0)
    assert stage.refused("move", ADA, to="zone:hold").code == "no_budget"
    stage.do("drop_prone", ADA)


@pytest.mark.rule("SS-ACT-02")
def test_fewer_than_none_are_refused() -> None:
    stage = party(None)
    assert stage.refused("declare", ADA, actions=-1).code == "bad_value"
    field = stage.field("declare", ADA, "actions")
    assert (field.low, field.high) == (0, 3)


@pytest.mark.rule("SS-TURN-01")
@pytest.mark.parametrize("mode", ["upfront", "running"])
def test_two_fixed_actions_have_no_penalty(mode: str) -> None:
    stage = party(None, turn_economy="two_actions", declare_mode=mode)
    start(stage)
    assert stage[ADA].budget == {"actions": 2, "attacks": 1}
    assert "settled" in stage.refused("declare", ADA, actions=1).message
    for _ in range(2):
        stage.do("check", ADA, attribute="dex", dice=[(4, 4)])
        assert "Action Penalty" not in terms(stage.check().modifiers)
    assert stage.refused("block", ADA).code == "no_budget"


@pytest.mark.rule("SS-TURN-01")
def test_two_actions_of_which_one_is_an_attack() -> None:
    stage = party(None, turn_economy="two_actions")
    stage.put(BO, "dock")
    start(stage)
    stage.attack("dagger", (1, 1))
    refused = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "dagger"))
    assert refused.code == "no_budget"
    stage.do("assist", ADA, target=CY, attribute="dex", skill="Melee")


@pytest.mark.rule("SS-TURN-02")
def test_a_machete_maneuver_allows_a_second_attack() -> None:
    stage = duel("venusian_machete")
    stage.turn(ADA, 3)
    set_values(stage, BO, armor=7)
    stage.attack("venusian_machete", (5, 5), "0")
    assert stage[ADA].budget == {"actions": 2, "attacks": 1}
    stage.attack("venusian_machete", (1, 1))
    assert stage[ADA].budget == {"actions": 1, "attacks": 0}


@pytest.mark.rule("SS-TURN-02")
def test_attacks_may_be_limited_by_rates_alone() -> None:
    stage = duel("dagger", "venusian_machete", turn_economy="declared_three_by_rate")
    stage.turn(ADA, 3)
    stage.attack("dagger", (1, 1))
    again = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "dagger"))
    assert "Rate of 1 on the same weapon" in again.message
    offered = {choice.value: choice.refused for choice in stage.field("attack", ADA, "weapon").options}
    assert offered[stage.weapon(ADA, "dagger")] == again.message
    assert stage.choose()[1]["weapon"] == stage.weapon(ADA, "venusian_machete")
    stage.attack("venusian_machete", (1, 1))


@pytest.mark.rule("SS-ACT-02")
def test_luck_gives_one_more_action_and_its_penalty() -> None:
    stage = duel("dagger")
    stage.turn(ADA, 1)
    stage.set_track(ADA, luck=2)
    stage.do("luck", ADA)
    assert stage[ADA].budget["actions"] == 2
    assert "one extra action a turn" in stage.refused("luck", ADA).message
    assert terms(stage.attack("dagger", (1, 1), "keep").modifiers)["Action Penalty"] == -1
    assert stage[ADA].tracks["luck"] == 1


# ---------------------------------------------------------------- the Action Penalty


@pytest.mark.rule("SS-PEN-01")
def test_running_count_costs_earlier_acts_and_its_form_says_so() -> None:
    stage = party(None, declare_mode="running")
    start(stage)
    assert stage[ADA].budget["actions"] == 3
    for penalty in (None, -1, -2):
        shown = terms(stage.preview("check", ADA, attribute="dex").modifiers)
        stage.do("check", ADA, attribute="dex", dice=[(4, 4)])
        assert terms(stage.check().modifiers) == shown
        assert shown.get("Action Penalty") == penalty


@pytest.mark.rule("SS-ACT-01", "SS-ACT-03")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"turn_economy": "two_actions"}, {"turn_economy": "declared_three"}),
        ({"declare_mode": "running"}, {"declare_mode": "upfront"}),
    ],
)
def test_one_who_has_acted_does_not_declare_again_in_a_new_mode(
    before: dict[str, str], after: dict[str, str]
) -> None:
    stage = party(None, **before)
    stage.do("block", ADA)
    for key, value in after.items():
        stage.do("set_option", key=key, value=value)
    left = stage[ADA].budget["actions"]
    assert "settled" in stage.refused("declare", ADA, actions=3).message
    stage.do("check", ADA, dice=[(4, 4)], attribute="prs")
    assert terms(stage.check().modifiers) == {"Prs": 1, "Action Penalty": -1}
    assert stage[ADA].budget["actions"] == left - 1
    stage.next_turn_of(ADA)
    stage.do("declare", ADA, actions=1)


# ---------------------------------------------------------------- Rates


@pytest.mark.rule("SS-RATE-01", "SS-RATE-04")
def test_move_has_no_rate() -> None:
    stage = party(3)
    for zone in ("hold", "dock", "hold"):
        stage.do("move", ADA, to=f"zone:{zone}")
    assert stage[ADA].budget["actions"] == 0


@pytest.mark.rule("SS-RATE-03")
def test_the_next_turn_allows_it_again() -> None:
    stage = party()
    start(stage)
    for _ in range(2):
        stage.do("declare", ADA, actions=2)
        stage.do("block", ADA)
        stage.next_turn_of(ADA)


@pytest.mark.rule("SS-RATE-01")
def test_a_rate_is_a_number_of_the_table() -> None:
    stage = party(3, rate_assist=2, assist_stacks="yes")
    for _ in range(2):
        stage.do("assist", ADA, target=CY, attribute="dex", skill="Melee")
    assert "Rate of 2" in stage.refused("assist", ADA, target=CY, attribute="dex", skill="Melee").message


@pytest.mark.rule("SS-RATE-01")
def test_a_border_of_two_moves_counts_twice_for_the_rate() -> None:
    for rate, moves in ((1, 0), (2, 1), (3, 2)):
        stage = party(3, rate_move=rate)
        stage.describe("hold", terrain=["difficult"])
        for to in ("hold", "dock")[:moves]:
            stage.do("move", ADA, to=f"zone:{to}")
        if moves < 2:
            goal = ("hold", "dock")[moves]
            assert f"Rate of {rate}" in stage.refused("move", ADA, to=f"zone:{goal}").message
