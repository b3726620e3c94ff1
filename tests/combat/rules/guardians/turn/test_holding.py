"""Holding an action: for later in the round, before what was declared, or into the next round."""

from __future__ import annotations

import pytest

from combat.rules.core.state import events as e
from tests.combat.rules.guardians.stage import ADA, BO, CY, GuardStage, acting, trio


def hold_over() -> GuardStage:
    """Ada holds her action into round 2, in which Bo has the highest number."""
    stage = trio(10, 8, 4)
    stage.do("hold", ADA)
    stage.end_turn()
    stage.end_turn(1, 20, 10)
    return stage


@pytest.mark.rule("CG-ACT-06")
def test_a_held_action_comes_between_those_of_others() -> None:
    stage = trio(10, 8, 4)
    stage.do("hold", ADA)
    assert acting(stage) == (BO,)
    stage.attack(90, who=BO, on=CY)
    stage.do("act_now", ADA)
    assert acting(stage) == (BO, ADA)
    stage.attack(10, "none", 9, who=ADA, on=BO)
    stage.end_turn(whole=True)
    assert acting(stage) == (CY,)
    assert stage.refused("act_now", ADA).code == "not_allowed"


@pytest.mark.rule("CG-ACT-07")
def test_unused_by_then_it_is_lost_and_the_number_counts() -> None:
    stage = hold_over()
    stage.end_turn()
    assert not stage.has(ADA, "holding")
    assert acting(stage) == (BO,)
    stage.end_turn()
    stage.end_turn()
    assert acting(stage) == (ADA,)
    stage.end_turn(10, 8, 4)
    assert stage.state.round == 3, "it leaves one turn and no more"


@pytest.mark.rule("CG-ACT-07", "CG-STUN-01")
def test_one_unable_to_act_at_their_number_has_had_the_only_turn() -> None:
    stage = hold_over()
    stage.end_turn()
    stage.do("impose", target=ADA, kind="unconscious", reason="A blow")
    stage.end_turn()
    assert acting(stage) == (CY,)
    stage.end_turn(5, 5, 9)
    ended = [event.who for event in stage.told(e.TurnEnded)]
    assert (stage.state.round, ended) == (3, [CY])


@pytest.mark.rule("CG-ACT-09")
def test_of_two_holders_the_higher_new_number_comes_first() -> None:
    stage = trio(10, 8, 4)
    stage.do("hold", ADA)
    stage.do("hold", BO)
    stage.end_turn(3, 12, 20)
    assert acting(stage) == (BO,)
    stage.do("guard", BO)
    stage.end_turn()
    assert acting(stage) == (ADA,)
    stage.do("guard", ADA)
    stage.end_turn()
    assert acting(stage) == (CY,)


@pytest.mark.rule("CG-ACT-06")
def test_a_table_may_let_holders_interrupt() -> None:
    stage = trio(10, 8, 4, hold_interrupts="may_preempt_declared_action")
    stage.do("hold", ADA)
    stage.attack("act", who=BO, on=ADA)
    assert acting(stage) == (BO, ADA)
    stage.attack(10, "none", 9, who=ADA, on=BO)
    assert "unconscious" in stage.refused("attack", BO, target=ADA, weapon="f2-1").message


@pytest.mark.rule("CG-ACT-06")
def test_friends_who_hold_do_not_interrupt() -> None:
    stage = trio(8, 4, 10, hold_interrupts="may_preempt_declared_action")
    stage.do("hold", CY)
    stage.attack(99, who=ADA, on=BO)
    assert stage.has(CY, "holding")


@pytest.mark.rule("CG-INIT-06")
def test_who_will_act_after_the_tied_says_so_once() -> None:
    stage = trio(8, 8, 3)
    stage.do("hold", ADA)
    stage.do("act_now", ADA)
    assert "straight after this count" in stage.refused("act_now", ADA).message
    stage.end_turn()
    assert acting(stage) == (ADA,)


@pytest.mark.rule("CG-ACT-06", "CG-ACT-02")
def test_a_held_action_is_the_one_of_the_round() -> None:
    stage = trio(10, 8, 4)
    stage.do("hold", ADA)
    assert stage[ADA].budget["action"] == 0
    stage.do("act_now", ADA)
    assert stage[ADA].budget["action"] == 1
    stage.do("guard", ADA)
    stage.end_turn(whole=True)
    stage.end_turn(1, 2, 3)
    assert stage.state.round == 2, "Ada had no other turn in round 1"


@pytest.mark.rule("CG-ACT-06")
def test_each_holder_is_asked_once_about_a_declared_attack() -> None:
    stage = trio(10, 4, 8, hold_interrupts="may_preempt_declared_action")
    for who in (ADA, CY):
        stage.do("hold", who)
    stage.attack("act", "wait", who=BO, on=ADA)
    assert acting(stage) == (BO, ADA)
    stage.attack(99, who=BO, on=ADA)
    assert stage.has(CY, "holding")


@pytest.mark.rule("CG-ACT-06", "CG-REF-03")
def test_holders_who_cannot_act_are_not_asked() -> None:
    stage = trio(10, 8, 4, hold_interrupts="may_preempt_declared_action")
    stage.do("hold", ADA)
    stage.do("impose", target=ADA, kind="surprised", rounds=2)
    stage.attack(99, who=BO, on=CY)
    assert acting(stage) == (BO,)


@pytest.mark.rule("CG-ACT-06", "CG-INIT-05")
def test_nobody_comes_between_those_who_share_a_count() -> None:
    stage = trio(10, 8, 8, hold_interrupts="may_preempt_declared_action")
    stage.do("hold", ADA)
    assert acting(stage) == (BO, CY)
    stage.attack(99, who=BO, on=CY)
    assert stage.has(ADA, "holding")


@pytest.mark.rule("CG-ACT-07", "CG-STUN-01")
def test_a_hold_ends_where_the_new_round_finds_someone_unable() -> None:
    stage = trio(10, 8, 4)
    stage.do("hold", ADA)
    stage.do("impose", target=ADA, kind="surprised", rounds=3)
    stage.end_turn()
    stage.end_turn(1, 20, 10)
    assert not stage.has(ADA, "holding")
    assert acting(stage) == (BO,)
