"""Unconsciousness: what wakes, what makes it worse; comas, treatment and death."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from combat.rules.starshock import SYSTEM
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel
from tests.combat.rules.starshock.turn.test_stance import party


def knocked_out(damage: int, kind: str = "unconscious", friend: bool = True, **cy: Any) -> StarStage:
    """Cy, Ada's ally, is unconscious with this much damage; Ada's turn with a kit."""
    options = cy.pop("options", {})
    stage = party(
        1, skills=("Medicate",), gear=("medical_kit", *cy.pop("ada_items", ())), friend=cy, options=options
    )
    stage.set_track(CY, damage=damage)
    stage.give(CY, kind, marks={"since": 0})
    return stage


def is_out(stage: StarStage, who: str = CY) -> bool:
    return SYSTEM.characters.health(stage[who]).is_out


# ---------------------------------------------------------------- less damage


@pytest.mark.rule("SS-UNC-01")
def test_failed_check_of_the_unconscious_makes_nothing_worse() -> None:
    stage = knocked_out(20, str=0)
    stage.do("adjust", target=CY, track="damage", to=12, dice=[(1, 1)])
    assert stage.has(CY, "unconscious")
    assert not stage.has(CY, "coma")


@pytest.mark.rule("SS-UNC-01")
@pytest.mark.parametrize(("option", "dice"), [("automatic", []), ("roll", [(1, 1)])])
def test_six_or_less_wakes_at_once(option: str, dice: list[tuple[int, int]]) -> None:
    stage = knocked_out(10, options={"wake_below_7": option})
    stage.do("adjust", target=CY, track="damage", to=6, dice=dice)
    assert is_out(stage) is (option == "roll")


# ---------------------------------------------------------------- time and medicine


@pytest.mark.rule("SS-UNC-05")
def test_an_hour_wakes() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", zone="dock")
    stage.foe("Bo", zone="dock")
    stage.do("start", dice=[(5, 5)])
    stage.state = replace(stage.state, round=4, clock=30)
    stage.do("adjust", target=BO, track="damage", to=9, dice=[(1, 2)])
    for _ in range(359):
        stage.end_turn()
    assert (stage.state.round, is_out(stage, BO)) == (363, True)
    stage.end_turn()
    assert (stage.state.round, is_out(stage, BO)) == (364, False)
    assert stage.damage(BO) == 9


@pytest.mark.rule("SS-UNC-05", "SS-COMA-03")
def test_late_joiner_unconscious_or_in_a_coma_has_the_whole_time() -> None:
    """However long the encounter has lasted."""
    stage = StarStage("dock")
    stage.foe("Bo", zone="dock")
    stage.do("pass_time", hours=72)
    out = stage.hero("Ada", zone="dock", conditions=[{"kind": "unconscious"}], tracks={"damage": 9})
    deep = stage.hero("Cy", zone="dock", conditions=[{"kind": "coma"}], tracks={"damage": 12}, xp=50)
    stage.do("start", dice=[(1, 1), (1, 1)])
    for _ in range(359):
        stage.end_turn()
    assert (is_out(stage, out), is_out(stage, deep)) == (True, True)
    for _ in range(2):
        stage.end_turn()
    assert (is_out(stage, out), is_out(stage, deep)) == (False, True)
    stage.do("pass_time", hours=22)
    assert stage.checks("coma") == []
    stage.do("pass_time", hours=1, dice=[(1, 2)])
    assert len(stage.checks("coma")) == 1


@pytest.mark.rule("SS-UNC-05", "SS-COMA-03")
def test_between_fights_the_time_of_who_was_brought_in_so_passes() -> None:
    stage = StarStage("dock")
    stage.do("pass_time", hours=5)
    out = stage.hero("Ada", zone="dock", conditions=[{"kind": "unconscious"}], tracks={"damage": 9})
    deep = stage.hero("Cy", zone="dock", conditions=[{"kind": "coma"}], tracks={"damage": 12}, xp=50)
    stage.do("pass_time", hours=1)
    assert (is_out(stage, out), is_out(stage, deep)) == (False, True)
    stage.do("pass_time", hours=22)
    stage.do("pass_time", hours=1, dice=[(6, 6)])
    assert not is_out(stage, deep)


@pytest.mark.rule("SS-UNC-06")
def test_rouse_may_fail() -> None:
    stage = knocked_out(9)
    stage.do("rouse", ADA, dice=[(3, 3)], target=CY)
    assert is_out(stage)
    assert stage.damage(CY) == 9


@pytest.mark.rule("SS-UNC-06", "SS-RATE-01")
def test_rouse_takes_an_action_once_a_turn_for_each_patient() -> None:
    stage = knocked_out(9)
    stage.turn(ADA, 3)
    stage.do("rouse", ADA, dice=[(1, 1)], target=CY)
    assert stage[ADA].budget["actions"] == 2
    assert "Rate of 1" in stage.refused("rouse", ADA, target=CY).message


@pytest.mark.rule("SS-UNC-06")
def test_rouse_is_for_the_unconscious() -> None:
    stage = party(1)
    assert "not unconscious" in stage.refused("rouse", ADA, target=CY).message
    for state in ("", "unconscious"):
        if state:
            stage.give(CY, state)
        options = {o.value: o.refused for o in stage.field("rouse", ADA, "target").options}
        assert bool(options[CY]) is not bool(state)


@pytest.mark.rule("SS-UNC-06", "SS-OTHER-16")
def test_one_roll_may_heal_and_wake() -> None:
    stage = knocked_out(12, str=0, options={"rouse": "merged"})
    assert "Emergency Medicate wakes" in stage.refused("rouse", ADA, target=CY).message
    stage.do("emergency_medicate", ADA, dice=[(4, 3), (1, 1)], target=CY)
    assert not is_out(stage)
    assert stage.damage(CY) == 11


# ---------------------------------------------------------------- comas


@pytest.mark.rule("SS-COMA-03")
def test_two_days_are_two_checks_and_less_than_a_day_is_none() -> None:
    stage = knocked_out(11, "coma", str=2, xp=50)
    stage.do("pass_time", hours=48, dice=[(4, 4), (4, 4)])
    assert len(stage.checks("coma")) == 2
    stage.do("pass_time", hours=23)
    assert stage.checks("coma") == []
    stage.do("pass_time", hours=1, dice=[(4, 4)])
    assert len(stage.checks("coma")) == 1


@pytest.mark.rule("SS-COMA-06")
def test_failing_by_six_with_more_damage_than_xp_is_no_death() -> None:
    stage = knocked_out(14, "coma", str=1, xp=10)
    stage.do("pass_time", hours=24, dice=[(4, 3)])
    assert not SYSTEM.characters.health(stage[CY]).dead
    assert stage.damage(CY) == 15


@pytest.mark.rule("SS-COMA-07", "SS-COMA-08")
@pytest.mark.parametrize(("option", "awake"), [("lethal_clause_only", True), ("always_fails", False)])
def test_two_ones_that_cannot_kill_count_as_the_table_has_it(option: str, awake: bool) -> None:
    stage = knocked_out(7, "coma", str=5, xp=50, options={"snake_eyes_in_coma": option})
    stage.do("pass_time", hours=24, dice=[(1, 1)])
    assert is_out(stage) is not awake
    assert stage.damage(CY) == (7 if awake else 8)


@pytest.mark.rule("SS-COMA-06")
def test_opponents_count_no_xp() -> None:
    stage = duel(foe={"xp": 99})
    stage.set_track(BO, damage=14)
    stage.give(BO, "coma", marks={"since": 0})
    stage.do("pass_time", hours=24, dice=[(1, 1)])
    assert stage.has(BO, "dead")


@pytest.mark.rule("SS-COMA-04")
def test_natural_recovery_may_be_ruled_out() -> None:
    stage = knocked_out(7, "coma", options={"coma_natural_wake": "no"})
    stage.do("pass_time", hours=24, dice=[(6, 6)])
    assert stage.has(CY, "coma")


@pytest.mark.rule("SS-COMA-09")
def test_the_same_consumable_works_once_in_a_coma() -> None:
    stage = knocked_out(12, "coma", ada_items=("spray_on_skin", "spray_on_skin", "regenerative_enzymes"))
    skin = stage.item(ADA, "spray_on_skin").id
    stage.do("use_consumable", ADA, dice=[(3,)], item=skin, target=CY)
    assert stage.damage(CY) == 8
    stage.turn(ADA)
    refused = stage.refused("use_consumable", ADA, item=skin, target=CY, sure=True)
    assert "already used in this coma" in refused.message
    enzymes = stage.item(ADA, "regenerative_enzymes").id
    stage.do("use_consumable", ADA, dice=[(1,)], item=enzymes, target=CY, sure=True)
    assert stage.has(CY, "enzymes")


@pytest.mark.rule("SS-COMA-11")
def test_treatment_is_for_the_comatose() -> None:
    stage = party(1)
    assert stage.refused("treat", target=CY, points=1).code == "bad_target"
    stage = knocked_out(5, "coma")
    assert stage.refused("treat", target=CY, points=6).code == "bad_value"


@pytest.mark.rule("SS-UNC-05", "SS-COMA-03")
def test_a_state_given_by_the_gm_begins_now() -> None:
    stage = party(1)
    stage.state = replace(stage.state, clock=5000)
    stage.do("give_condition", target=CY, kind="unconscious")
    assert stage.has(CY, "prone")
    stage.do("pass_time", hours=1)
    assert not is_out(stage)
    assert [ended.label for ended in stage.told(e.ConditionEnded)] == ["condition.unconscious"]


@pytest.mark.rule("SS-DMG-08", "SS-DMG-09")
@pytest.mark.parametrize("kind", ["unconscious", "coma", "dead"])
def test_a_state_given_by_the_gm_takes_the_place_of_the_other(kind: str) -> None:
    for before in ("unconscious", "coma"):
        stage = knocked_out(9, before)
        if before == kind:
            continue
        stage.do("give_condition", target=CY, kind=kind)
        states = [c.kind for c in stage[CY].conditions if c.kind in ("unconscious", "coma", "dead")]
        assert states == [kind]


# ---------------------------------------------------------------- revived by the GM


@pytest.mark.parametrize(("damage", "out"), [(6, False), (7, True), (25, True)])
def test_dead_no_more_is_awake_or_unconscious_as_the_damage_says(damage: int, out: bool) -> None:
    stage = knocked_out(damage, "dead")
    (dead,) = stage[CY].conditions
    stage.do("take_condition", target=CY, condition=dead.id)
    assert not SYSTEM.characters.health(stage[CY]).dead
    assert stage.has(CY, "unconscious") is out


@pytest.mark.rule("SS-UNC-01")
@pytest.mark.parametrize(("to", "dice", "awake"), [(5, [], True), (8, [(6, 6)], True), (8, [(1, 2)], False)])
def test_the_dead_whom_the_gm_heals_live_and_check_to_come_round(
    to: int, dice: list[tuple[int, int]], awake: bool
) -> None:
    stage = knocked_out(20, "dead", str=2)
    stage.do("adjust", target=CY, track="damage", to=to, dice=dice)
    assert not SYSTEM.characters.health(stage[CY]).dead
    assert is_out(stage) is not awake


def test_more_damage_leaves_the_dead_dead() -> None:
    stage = knocked_out(8, "dead")
    stage.do("adjust", target=CY, track="damage", by=5)
    assert SYSTEM.characters.health(stage[CY]).dead
