"""The actions that great fear takes."""

from __future__ import annotations

import pytest

from tests.combat.rules.guardians.stage import ADA, BO, CY, GuardStage, lone, trio


def fight() -> GuardStage:
    """Round 1 with Ada, Bo and Cy, in this order."""
    return trio(20, 10, 1)


def find_terrified(stage: GuardStage, who: str) -> list[int]:
    """The rounds, up to the second, in which someone is terrified."""
    found = []
    while stage.state.round < 3:
        here = stage.state.round
        if stage.has(who, "terrified") and here not in found:
            found.append(here)
        last = all(
            stage[f].acted or f == stage.state.active or stage.has(f, "terrified") for f in (ADA, BO, CY)
        )
        stage.end_turn(*((20, 10, 1) if last else ()))
    return found


@pytest.mark.rule("CG-REF-02")
def test_great_fear_takes_the_action_still_to_come() -> None:
    stage = fight()
    stage.do("fear", dice=(100,), target=BO, severity=-2)
    assert find_terrified(stage, BO) == [1]


@pytest.mark.rule("CG-REF-02")
def test_great_fear_after_a_turn_takes_the_next_one() -> None:
    stage = fight()
    stage.attack(99, who=ADA, on=BO)
    stage.do("fear", dice=(100,), target=ADA, severity=-2)
    assert find_terrified(stage, ADA) == [1, 2]


@pytest.mark.rule("CG-REF-02", "CG-ACT-06")
def test_great_fear_takes_a_held_action_and_no_other() -> None:
    stage = fight()
    stage.do("hold", ADA)
    stage.do("fear", dice=(100,), target=ADA, severity=-2)
    assert not stage.has(ADA, "holding")
    assert find_terrified(stage, ADA) == [1]


@pytest.mark.rule("CG-REF-02")
def test_great_fear_before_a_fight_takes_its_first_rounds() -> None:
    stage = lone()
    stage.do("fear", dice=(100,), target=ADA, severity=-2)
    (held,) = (c for c in stage[ADA].conditions if c.kind == "terrified")
    assert held.marks["ends_at"] == 12


@pytest.mark.rule("CG-REF-02", "CG-DEF-01")
def test_great_fear_takes_no_defense() -> None:
    stage = fight()
    stage.do("fear", dice=(100,), target=BO, severity=-2)
    assert stage.refused("act_now", BO).message == "Bo is terrified: no actions."
    stage.attack(10, "parry", 5)
    assert [check.outcome for check in stage.checks()][-1] == "outcome.defended"


@pytest.mark.rule("CG-REF-02", "CG-REF-11")
def test_the_dead_neither_fear_nor_roll() -> None:
    stage = fight()
    stage.give(BO, "dead")
    why = "Bo is dead: choose someone else."
    assert stage.refused("fear", target=BO).message == why
    assert stage.refused("call_roll", target=BO, roll="mind").message == why


@pytest.mark.rule("CG-REF-11", "CG-ATK-02")
def test_a_roll_that_the_gm_asks_for_costs_nothing() -> None:
    stage = fight()
    before = stage[ADA].budget
    stage.do("call_roll", target=ADA, roll="mind", ranks=-2, dice=(40,))
    (check,) = stage.checks()
    assert (check.against, check.good) == (40, True)  # Mind 10 with 2 ranks fewer
    assert stage[ADA].budget == before
    why = "Ada has no ranks in “juggling”: choose what they have."
    assert stage.refused("call_roll", target=ADA, roll="juggling").message == why
    assert "at most 20 ranks" in stage.refused("call_roll", target=ADA, roll="mind", ranks=21).message
