"""Interrupting: Awareness against 17 to act before the present turn."""

from __future__ import annotations

import pytest

from tests.combat.rules.cosmos.duels import ADA, BO, CY, pass_turns, rule_of
from tests.combat.rules.cosmos.turn.test_initiative import FRESH, join, trio, turns


@pytest.mark.rule("COS-INIT-07")
def test_awareness_17_breaks_in_and_the_turns_rest_comes_after() -> None:
    stage = trio()
    stage.do("move", ADA, to="0,5")
    stage.do("interrupt", CY, dice=[(6, 6)])
    check = stage.check("Awareness")
    assert (check.total, check.against, check.good) == (17, 17, True)
    assert rule_of(check.modifiers, "Awareness") == (5, "COS-INIT-07")
    assert (stage.state.active, stage[CY].budget) == (CY, FRESH)
    stage.do("attack", CY, target=BO, weapon=stage.weapon(CY, "pistol"), dice=[(1, 2)])
    stage.do("next_turn")
    assert (stage.state.active, stage[ADA].budget) == (ADA, {"standard": 1, "move": 0, "quick": 3})
    assert turns(stage, 3) == [ADA, BO, ADA]
    assert stage.state.order == (ADA, BO, CY)


@pytest.mark.rule("COS-INIT-07")
def test_a_failed_interrupt_costs_only_the_try() -> None:
    stage = trio()
    stage.do("interrupt", CY, dice=[(6, 5)])
    assert stage.check("Awareness").total == 16
    assert stage.state.active == ADA
    no = stage.refused("interrupt", CY)
    assert (no.code, no.message) == ("not_allowed", "One interrupt may be tried per round.")
    pass_turns(stage, 1)
    assert stage.refused("interrupt", CY).code == "not_allowed"
    pass_turns(stage, 1)
    assert (stage.state.active, stage[CY].budget) == (CY, FRESH)
    pass_turns(stage, 1)
    stage.do("interrupt", CY, dice=[(6, 6)])
    assert stage.state.active == CY


@pytest.mark.rule("COS-INIT-07")
def test_interrupt_rolls_awareness_alone_plus_table_adjustments() -> None:
    """RULING R5: neither wounds nor conditions count."""
    stage = trio()
    stage.set_track(CY, hp=60)
    stage.give(CY, "fatigued")
    shown = stage.preview("interrupt", CY, adjust=2, because="ambush")
    stage.do("interrupt", CY, adjust=2, because="ambush", dice=[(6, 5)])
    check = stage.check("Awareness")
    assert check.total == 11 + 5 + 2
    assert (check.modifiers, check.against) == (shown.modifiers, shown.against[0].value)


@pytest.mark.rule("COS-INIT-07")
def test_interrupts_that_make_no_sense_are_refused() -> None:
    stage = trio()
    assert stage.refused("interrupt", ADA).message == "Interrupt during someone else's turn."
    pass_turns(stage, 1)
    assert stage.refused("interrupt", ADA).message == "Ada has no turn left this round."
    stage.do("interrupt", CY, dice=[(9, 9)])
    assert stage.refused("interrupt", BO).message == "Bo's own turn goes on after this one."


@pytest.mark.rule("COS-INIT-07")
def test_interrupt_may_be_interrupted_and_each_turn_then_goes_on() -> None:
    """RULING R22: nobody is asked whose turn it is, so a hidden interrupter does not show."""
    stage = trio()
    late = join(stage, 1)
    stage.do("move", ADA, to="0,5")
    stage.do("interrupt", CY, dice=[(9, 9)])
    stage.do("move", CY, to="1,5")
    stage.do("interrupt", late, dice=[(10, 9)])
    assert stage.state.active == late
    pass_turns(stage, 1)
    assert (stage.state.active, stage[CY].budget["move"]) == (CY, 0)
    pass_turns(stage, 1)
    assert (stage.state.active, stage[ADA].budget["move"]) == (ADA, 0)
    assert turns(stage, 3)[1:] == [BO, ADA]


@pytest.mark.rule("COS-INIT-07")
def test_a_table_may_let_only_those_interrupt_who_delay() -> None:
    stage = trio(interrupt_only_when_delaying=True)
    no = stage.refused("interrupt", CY)
    assert (no.code, no.message) == ("not_allowed", "At this table only those who delay may interrupt.")
    stage.do("delay", ADA)
    stage.do("interrupt", ADA, dice=[(6, 6)])
    assert (stage.state.active, stage[ADA].budget) == (ADA, FRESH)
    stage.do("next_turn")
    assert stage.state.active == BO
    assert not stage.has(ADA, "delaying")


@pytest.mark.rule("COS-INIT-07")
def test_one_interrupt_a_round_even_by_delaying_it() -> None:
    stage = trio()
    stage.do("interrupt", CY, dice=[(6, 6)])
    stage.do("delay", CY, after=BO)
    assert stage.state.active == ADA
    assert stage.refused("interrupt", CY).message == "One interrupt may be tried per round."
    assert turns(stage, 3) == [ADA, BO, CY]


@pytest.mark.rule("COS-INIT-07", "COS-INIT-06")
def test_stepping_in_waits_for_a_turn_that_was_interrupted() -> None:
    stage = trio()
    stage.do("delay", ADA)
    assert stage.state.active == BO
    stage.do("interrupt", CY, dice=[(6, 6)])
    stage.do("step_in", ADA)
    assert turns(stage, 3) == [CY, BO, ADA]


@pytest.mark.rule("COS-INIT-07")
def test_who_falls_to_an_interrupt_has_no_turn_left() -> None:
    stage = trio()
    stage.set_track(ADA, hp=4)
    stage.give(ADA, "bleeding")
    stage.do("quick_aim", ADA)
    stage.do("interrupt", BO, dice=[(6, 6)])
    pistol = stage.weapon(BO, "pistol")
    stage.do("attack", BO, target=ADA, weapon=pistol, dice=[(9, 9), 4])
    assert stage.has(ADA, "dying")
    stage.do("next_turn")
    assert (stage.state.active, stage.hp(ADA)) == (CY, 0)
    assert stage[ADA].acted
    assert not stage.has(ADA, "quick_aim")


@pytest.mark.rule("COS-INIT-07", "COS-COND-31")
def test_stun_by_an_interrupt_takes_the_next_standard_action() -> None:
    stage = trio()
    stage.do("interrupt", BO, dice=[(6, 6)])
    taser = stage.change(BO, "pistol", type="stun", traits=["small", "stunning"])
    stage.do("attack", BO, target=ADA, weapon=taser, dice=[(9, 9), 4, (1, 2)])
    stage.do("next_turn")
    assert (stage.state.active, stage[ADA].budget["standard"]) == (ADA, 1)
    pass_turns(stage, 2)
    assert (stage.state.active, stage[ADA].budget["standard"]) == (ADA, 0)
    pass_turns(stage, 1)
    assert not stage.has(ADA, "stunned")


@pytest.mark.rule("COS-INIT-07")
def test_effect_of_the_interrupted_turn_lasts_through_interrupts() -> None:
    stage = trio()
    stage.do("quick_aim", ADA)
    stage.do("interrupt", CY, dice=[(6, 6)])
    stage.do("next_turn")
    assert stage.has(ADA, "quick_aim")
    stage.do("next_turn")
    assert not stage.has(ADA, "quick_aim")
