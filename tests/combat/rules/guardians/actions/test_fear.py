"""Which action great fear takes."""

from __future__ import annotations

import pytest

from tests.combat.rules.guardians.stage import ADA, BO, CY, GuardStage, trio


def fight() -> GuardStage:
    """Round 1 with Ada, Bo and Cy, in this order."""
    stage = trio()
    stage.begin_fight(20, 10, 1)
    return stage


def find_stunned(stage: GuardStage, who: str) -> list[int]:
    """The rounds, up to the second, in which somebody is stunned."""
    found = []
    while stage.state.round < 3:
        here = stage.state.round
        if stage.has(who, "stunned") and here not in found:
            found.append(here)
        last = all(
            stage[f].acted or f == stage.state.active or stage.has(f, "stunned") for f in (ADA, BO, CY)
        )
        stage.end_turn(*((20, 10, 1) if last else ()))
    return found


@pytest.mark.rule("CG-REF-02")
def test_great_fear_takes_the_action_still_to_come() -> None:
    stage = fight()
    stage.do("fear", dice=(100,), target=BO, severity=-2)
    assert find_stunned(stage, BO) == [1]


@pytest.mark.rule("CG-REF-02")
def test_great_fear_after_a_turn_takes_the_next_one() -> None:
    stage = fight()
    stage.attack(99, who=ADA, on=BO)
    stage.do("fear", dice=(100,), target=ADA, severity=-2)
    assert find_stunned(stage, ADA) == [1, 2]


@pytest.mark.rule("CG-REF-02", "CG-ACT-06")
def test_great_fear_takes_a_held_action_and_no_other() -> None:
    stage = fight()
    stage.do("hold", ADA)
    stage.do("fear", dice=(100,), target=ADA, severity=-2)
    assert not stage.has(ADA, "holding")
    assert find_stunned(stage, ADA) == [1]


@pytest.mark.rule("CG-REF-02")
def test_great_fear_before_a_fight_takes_its_first_rounds() -> None:
    stage = GuardStage()
    stage.hero("Ada")
    stage.do("fear", dice=(100,), target=ADA, severity=-2)
    (held,) = (c for c in stage[ADA].conditions if c.kind == "stunned")
    assert held.marks["ends_at"] == 12
