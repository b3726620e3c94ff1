"""A second fight on the same table: initiative is rolled again, and nothing of the first is left over."""

from __future__ import annotations

import pytest

from combat.rules.core.state.state import Until
from tests.combat.rules.cosmos.duels import ADA, BO, CY
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.cosmos.turn.test_initiative import trio


def fight_again(stage: CosmosStage, *dice: int) -> None:
    """End the fight and begin the next one with these initiative dice."""
    stage.do("end_fight")
    stage.do("start", dice=dice)


@pytest.mark.rule("COS-INIT-02", "COS-COND-10")
def test_one_who_hears_again_has_the_new_rolls_score_every_round() -> None:
    stage = CosmosStage()
    for make in (stage.hero, stage.foe):
        make()
    stage.give(ADA, "deafened")
    stage.do("start", dice=[9, 8])
    assert (stage[ADA].initiative, stage.state.order) == (12, (BO, ADA))
    stage.do("end_fight")
    stage.edit(ADA, conditions=())
    stage.do("start", dice=[7, 8])
    assert (stage[ADA].initiative, stage.state.order) == (12, (BO, ADA))
    first = stage.state.round
    while stage.state.round == first:
        stage.do("next_turn")
    assert (stage[ADA].initiative, stage.state.order) == (12, (BO, ADA))


@pytest.mark.rule("COS-INIT-01", "COS-DRUG-01")
def test_adrenaline_of_the_last_fight_is_not_in_the_new_score() -> None:
    stage = trio(3, 2, 1)
    stage.do("end_fight")
    stage.do("give_drug", target=ADA, drug="adrenaline")
    stage.do("start", dice=[3, 2, 1])
    assert stage[ADA].initiative == 10
    stage.do("end_fight")
    stage.do("pass_time", minutes=10)
    stage.do("start", dice=[3, 2, 1])
    for _ in range(3):
        assert stage[ADA].initiative == 8
        stage.do("next_turn")
    assert stage[ADA].initiative == 8


@pytest.mark.rule("COS-INIT-03", "COS-INIT-07")
def test_interrupt_cut_off_by_the_end_of_the_fight_is_forgotten() -> None:
    stage = trio(9, 8, 1)
    stage.do("interrupt", CY, dice=[(9, 9)])
    fight_again(stage, 1, 8, 9)
    assert (stage.state.order, stage.state.active) == ((CY, BO, ADA), CY)
    stage.do("next_turn")
    assert stage.state.active == BO


@pytest.mark.rule("COS-INIT-07")
def test_a_try_to_interrupt_counts_for_its_own_fight_only() -> None:
    stage = trio(9, 8, 1)
    stage.do("interrupt", CY, dice=[(1, 2)])
    fight_again(stage, 9, 8, 1)
    stage.do("interrupt", CY, dice=[(6, 6)])
    assert stage.state.active == CY


@pytest.mark.rule("COS-INIT-06", "COS-COND-01")
def test_delayer_at_the_fights_end_has_a_whole_turn_in_the_next() -> None:
    stage = trio(9, 8, 1)
    stage.do("delay", ADA)
    stage.do("end_fight")
    stage.give(ADA, "bleeding")
    stage.do("start", dice=[9, 8, 1])
    assert (stage.state.active, stage.has(ADA, "delaying"), stage.hp(ADA)) == (ADA, False, 95)


@pytest.mark.rule("COS-INIT-02", "COS-INIT-06")
def test_score_set_in_the_last_round_moves_nobody_next_fight() -> None:
    stage = trio(9, 8, 1)
    stage.do("set_initiative", target=ADA, score=20, reason="misread the die")
    fight_again(stage, 9, 8, 1)
    stage.do("delay", ADA, after=BO)
    first = stage.state.round
    while stage.state.round == first:
        stage.do("next_turn")
    assert stage.state.order == (BO, ADA, CY)


GUARD = ("total_defense", "overwatch", "quick_aim", "quick_aimed", "moved", "sprinting")


def guarded() -> CosmosStage:
    """A fight ends while Ada is on guard, has aimed and moved, and is stunned; then the next begins."""
    stage = trio(9, 8, 1)
    for kind in (*GUARD, "stunned"):
        edge = "end" if kind in ("quick_aim", "quick_aimed", "moved", "stunned") else "start"
        stage.give(ADA, kind, until=Until(ADA, edge))
    fight_again(stage, 9, 8, 1)
    return stage


@pytest.mark.rule("COS-ACT-01", "COS-EX-07", "COS-COMBO-11", "COS-MANV-15")
def test_what_the_turns_of_the_last_fight_left_behind_is_over() -> None:
    stage = guarded()
    assert [held.kind for held in stage[ADA].conditions] == ["stunned"]
    stage.do("quick_aim", ADA)
    assert stage.has(ADA, "quick_aim")


@pytest.mark.rule("COS-COMBO-11")
def test_a_guard_set_up_before_the_first_fight_stands() -> None:
    stage = CosmosStage()
    stage.hero("Ada", (0, 0))
    stage.foe("Bo", (10, 0))
    stage.do("give_condition", target=ADA, kind="total_defense")
    stage.do("start", dice=[1, 9])
    assert stage.has(ADA, "total_defense")
