"""A second fight of the same encounter keeps nothing of the first; time passes between fights."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from combat.rules.core.state.state import Until, find_condition
from tests.combat.rules.reading import read_log
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage
from tests.combat.rules.starshock.turn.test_initiative import E1, E2, against, finish_round, roll, turns


def after_a_fight(rounds: int = 2, **options: Any) -> StarStage:
    """Four players against one enemy, after a first fight of n rounds."""
    stage = against(1, **options)
    roll(stage, 9, 9, 9, 9)
    for _ in range(rounds - 1):
        finish_round(stage)
    stage.do("end_fight")
    return stage


# ---------------------------------------------------------------- the order


@pytest.mark.rule("SS-INIT-03", "SS-INIT-04", "SS-INIT-06", "SS-INIT-10")
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_the_initiative_of_a_second_fight_counts(rounds: int) -> None:
    stage = after_a_fight(rounds)
    roll(stage, 11, 8, 10, 9)
    assert turns(stage) == ["Ada", "Cy", "GM", "Bo", "Di"]
    assert not any("counterclockwise" in line for line in read_log(stage))
    finish_round(stage)
    assert turns(stage) == ["Di", "Cy", "Bo", "Ada", "GM"]
    finish_round(stage)
    assert turns(stage) == ["Ada", "Bo", "Cy", "Di", "GM"]


@pytest.mark.rule("SS-INIT-06")
def test_a_second_fight_may_have_a_head_start() -> None:
    stage = after_a_fight(table_order="head_start")
    roll(stage, 11, 8, 10, 9)
    assert turns(stage) == ["Ada", "Cy", "GM"]
    finish_round(stage)
    assert turns(stage) == ["Ada", "Bo", "Cy", "Di", "GM"]


@pytest.mark.rule("SS-INIT-03")
def test_score_is_corrected_in_the_first_round_of_a_second_fight() -> None:
    stage = after_a_fight()
    roll(stage, 11, 8, 10, 9)
    stage.do("set_initiative", target=BO, score=10)
    assert turns(stage) == ["Ada", "Bo", "Cy", "GM", "Di"]
    finish_round(stage)
    order = stage.state.order
    stage.do("set_initiative", target=BO, score=2)
    assert stage.state.order == order


# ---------------------------------------------------------------- traces of earlier turns


@pytest.mark.rule("SS-FREE-03")
def test_a_free_action_of_the_last_fight_is_forgotten() -> None:
    stage = against(1, 1)
    roll(stage, 10)
    stage.do("communicate", ADA, what="Over here")
    stage.do("end_fight")
    roll(stage, 9)
    assert stage.state.active == BO
    stage.do("communicate", ADA, what="Not again")


@pytest.mark.rule("SS-OTHER-22", "SS-OTHER-09")
def test_guarding_and_help_of_the_last_fight_are_over() -> None:
    stage = against(1, 2)
    stage.edit(BO, sheet={**stage[BO].sheet, "skills": ["Move"]})
    roll(stage, 10, 10)
    stage.do("declare", ADA, actions=2)
    before = stage.number(ADA, "Armor")
    stage.do("block", ADA)
    stage.do("concentrate", ADA)
    stage.end_turn()
    stage.do("declare", BO, actions=1)
    stage.do("assist", BO, target=ADA, attribute="dex", skill="Move")
    stage.do("end_fight")
    roll(stage, 9, 9)
    assert stage.state.active == CY
    assert stage.number(ADA, "Armor") == before
    assert stage[ADA].conditions == ()


@pytest.mark.rule("SS-TURN-03", "SS-MAP-07")
def test_no_turn_or_pool_is_carried_into_a_second_fight() -> None:
    stage = against(1, 1, free_move_out_of_turn="always")
    stage.map()
    roll(stage, 10)
    stage.do("declare", ADA, actions=3)
    stage.do("end_fight")
    roll(stage, 9)
    assert stage.state.active == BO
    assert stage.refused("free_move", ADA, to="3,0").code == "out_of_range"
    kept = ("declared", "taken", "did", "free", "malus", "more_attacks", "lucky")
    assert not set(kept) & set(stage[ADA].marks)


@pytest.mark.rule("SS-ATK-03")
@pytest.mark.parametrize(
    ("feature", "again"), [("mercenary_tactical_awareness", True), ("acrobat_reflex", False)]
)
def test_once_per_combat_returns_each_fight_unlike_per_session(feature: str, again: bool) -> None:
    stage = against(1, 1)
    stage.edit(ADA, sheet={**stage[ADA].sheet, "features": [feature]}, marks={f"used {feature}": True})
    roll(stage, 9)
    stage.do("end_fight")
    assert f"used {feature}" in stage[ADA].marks
    roll(stage, 9)
    assert (f"used {feature}" not in stage[ADA].marks) is again


# ---------------------------------------------------------------- the GM's place


@pytest.mark.rule("SS-INIT-02", "SS-INIT-05")
def test_an_ally_acts_before_the_empty_place_of_the_gm() -> None:
    stage = against(0, 2)
    stage.add("Dog", "allies", sheet=stage[ADA].sheet)
    roll(stage, 10, 9)
    acting = [stage.state.active]
    for _ in range(3):
        stage.end_turn()
        acting.append(stage.state.active)
    assert acting == [ADA, CY, "", BO]


@pytest.mark.rule("SS-INIT-05")
def test_gm_has_no_second_turn_when_the_last_enemy_then_leaves() -> None:
    stage = against(1, 2)
    roll(stage, 10, 9)
    stage.end_turn()
    assert stage.state.active == CY
    stage.end_turn()
    assert stage.state.active == BO
    stage.do("remove", target=CY)
    stage.end_turn()
    assert (stage.state.round, stage.state.active) == (2, BO)


@pytest.mark.rule("SS-INIT-05")
def test_enemy_joining_in_the_gms_turn_waits_one_hidden_goes_on() -> None:
    stage = against(2)
    roll(stage, 9, 9, 9, 9)
    assert (stage.state.active, stage.state.sharing) == (E1, (E2,))
    late = stage.foe("E9")
    stage.do("hide", target=E1)
    assert (stage.state.active, stage.state.sharing) == (E1, (E2,))
    assert stage.refused("declare", late, actions=1).code == "not_your_turn"
    stage.do("declare", E1, actions=1)
    stage.end_turn(whole=True)
    assert stage.state.active == ADA


@pytest.mark.rule("SS-INIT-06")
def test_player_removed_in_their_turn_leaves_the_round_intact() -> None:
    stage = against(1)
    roll(stage, 11, 10, 9, 9)
    stage.do("remove", target=ADA)
    assert stage.state.active == ""
    stage.end_turn()
    assert stage.state.active == BO
    finish_round(stage)
    assert turns(stage) == ["Di", "Cy", "Bo", "GM"]


# ---------------------------------------------------------------- knocked out in a shared turn


@pytest.mark.rule("SS-ACT-01", "SS-DMG-08")
def test_one_roused_without_having_declared_has_no_actions() -> None:
    stage = against(2)
    roll(stage, 9, 9, 9, 9)
    stage.do("adjust", target=E1, track="damage", to=8, dice=[(1, 2)])
    assert stage.has(E1, "unconscious")
    stage.do("declare", E2, actions=1)
    stage.do("rouse", E2, target=E1, dice=[(6, 6)])
    assert not stage.has(E1, "unconscious")
    assert "settled" in stage.refused("declare", E1, actions=3).message
    assert stage.refused("block", E1).code == "no_budget"


# ---------------------------------------------------------------- hours between fights


def rested(kind: str, **more: Any) -> StarStage:
    """Ada with a lasting effect after a fight."""
    stage = against(1, 1)
    roll(stage, 10)
    stage.give(ADA, kind, **more)
    stage.do("end_fight")
    return stage


@pytest.mark.rule("SS-COND-02", "SS-BLIND-03")
@pytest.mark.parametrize("kind", ["blinded", "woozy", "block"])
def test_what_lasts_for_turns_is_over_when_hours_pass(kind: str) -> None:
    stage = rested(kind, until=Until(ADA, "end", 1))
    stage.do("pass_time", hours=1)
    assert not stage.has(ADA, kind)


@pytest.mark.rule("SS-COND-02")
@pytest.mark.parametrize(("turns_left", "left"), [(360, None), (361, 1), (1000, 640)])
def test_an_hour_is_360_turns_of_a_condition(turns_left: int, left: int | None) -> None:
    stage = rested("other", until=Until(ADA, "end", turns_left))
    stage.do("pass_time", hours=1)
    assert [held.until.count for held in stage[ADA].conditions if held.until] == ([left] if left else [])


@pytest.mark.rule("SS-OTHER-24")
@pytest.mark.parametrize(("resting", "crash"), [(False, True), (True, False)])
def test_adrenaline_is_spent_in_a_shift_and_rest_ends_its_crash(resting: bool, crash: bool) -> None:
    stage = rested("adrenaline", until=Until(ADA, "start", 6))
    stage.do("pass_time", hours=4, resting=resting)
    assert not stage.has(ADA, "adrenaline")
    assert stage.has(ADA, "adrenaline_crash") is crash


@pytest.mark.rule("SS-OTHER-24")
def test_enzymes_heal_in_the_hour() -> None:
    stage = rested("enzymes", until=Until(ADA, "start", 6))
    stage.set_track(ADA, damage=6)
    stage.do("pass_time", hours=1, dice=[(4,)])
    assert (stage.damage(ADA), stage.has(ADA, "enzymes")) == (2, False)


@pytest.mark.rule("SS-OTHER-24", "SS-UNC-05")
def test_visions_hurt_and_are_slept_off_in_the_hours() -> None:
    stage = rested("visions", until=Until(ADA, "start", 6), marks={"strength": 5})
    stage.do("pass_time", hours=2)
    assert stage.damage(ADA) == 5
    assert not stage.has(ADA, "unconscious")
    assert [ended.label for ended in stage.told(e.ConditionEnded)] == ["Visions", "condition.unconscious"]


@pytest.mark.rule("SS-OTHER-24")
def test_a_bandage_works_until_it_is_spent_and_bile_runs_out() -> None:
    stage = rested("bandage")
    stage.give(ADA, "bile", marks={"turns": 3})
    stage.set_track(ADA, damage=6)
    stage.do("pass_time", hours=1, dice=[(2, 3), (2, 2), (4, 4)])
    assert stage.damage(ADA) == 4
    assert stage[ADA].conditions == ()


@pytest.mark.rule("SS-OTHER-24")
def test_a_bandage_does_nothing_for_the_dead() -> None:
    stage = rested("bandage")
    stage.set_track(ADA, damage=20)
    stage.give(ADA, "dead")
    stage.do("pass_time", hours=1)
    assert [held.kind for held in stage[ADA].conditions] == ["dead"]


@pytest.mark.rule("SS-OTHER-24")
def test_bile_fades_in_the_turns_of_the_unconscious() -> None:
    stage = against(1, 1)
    roll(stage, 10)
    stage.give(BO, "bile", marks={"turns": 2})
    stage.give(BO, "unconscious", marks={"since": 0})
    for left in (True, False):
        finish_round(stage)
        assert stage.has(BO, "bile") is left


@pytest.mark.rule("SS-OTHER-24")
def test_damage_of_an_earlier_dose_does_not_keep_bile_strong() -> None:
    stage = against(1, 1)
    roll(stage, 10)
    stage.do("expose", target=ADA, thing="leviathan_bile", dice=[(2,)])
    stage.do("adjust", target=ADA, track="damage", to=1)
    stage.do("fall", target=ADA, metres=5, dice=[(1,)])
    held = stage[ADA].conditions[0].id
    stage.do("take_condition", target=ADA, condition=held)
    finish_round(stage)
    stage.do("expose", target=ADA, thing="leviathan_bile", dice=[(1,)])
    while stage.state.active != ADA:
        stage.end_turn()
    stage.end_turn()
    assert not stage.has(ADA, "bile")


@pytest.mark.rule("SS-OTHER-24", "SS-UNC-05")
def test_the_hour_without_senses_counts_from_the_end_of_a_vision() -> None:
    stage = rested("visions", until=Until(ADA, "start", 6), marks={"strength": 5})
    start = stage.state.clock
    stage.do("pass_time", hours=1)
    held = find_condition(stage[ADA], "unconscious")
    assert held is not None
    assert held.marks["since"] == start + 60
    assert [told.seconds for told in stage.told(e.TimePassed)] == [60, 3540]
    stage.do("pass_time", hours=1)
    assert not stage.has(ADA, "unconscious")
