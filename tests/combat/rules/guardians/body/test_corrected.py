"""Corrected figures: harm stays, and what is destroyed or dead stays so.  RULING R52"""

from __future__ import annotations

import pytest

from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, lone


def correct(stage: GuardStage, health: int, who: str = ADA) -> None:
    stage.do("correct", target=who, numbers={"attributes.health": health})


@pytest.mark.rule("CG-HEAD-02", "CG-TORSO-04")
@pytest.mark.parametrize("place", ["head", "torso"])
def test_the_dead_stay_dead(place: str) -> None:
    stage = lone()
    stage.set_part(ADA, place, 0)
    assert stage.has(ADA, "dead")
    for health in (12, 20, 3, 10):
        correct(stage, health)
        assert stage.has(ADA, "dead")
        assert stage.part(ADA, place) == 0
    correct(stage, 12)
    stage.do("revive", target=ADA)
    assert not stage.has(ADA, "dead"), "by the GM's own decision"


@pytest.mark.rule("CG-LIMB-03", "CG-BLEED-01")
def test_a_lost_arm_stays_lost_and_bleeds_on() -> None:
    stage = lone()
    stage.set_part(ADA, "left_arm", 0)
    held = stage[ADA].conditions
    assert stage.is_so(ADA, "destroyed", "left_arm")
    assert stage.is_so(ADA, "bleeding", "left_arm")
    for health in (12, 4, 10):
        correct(stage, health)
        assert stage[ADA].conditions == held


@pytest.mark.rule("CG-LIMB-01", "CG-HEAD-01", "CG-TORSO-01")
def test_half_lost_stays_half_lost_and_the_way_back_is_the_same() -> None:
    for place in ("left_arm", "right_leg", "head", "torso"):
        for points in (1, 4, 5, 6, 9):
            stage = duel("long_sword", hero={"blades": 12})
            stage.set_part(ADA, place, points)
            before = stage[ADA]
            for health in (11, 14, 7, 9):
                correct(stage, health)
                assert (stage[ADA].conditions, stage[ADA].items) == (before.conditions, before.items)
                correct(stage, 10)
                assert stage[ADA].tracks == before.tracks, (place, points, health)
    assert BO


@pytest.mark.rule("CG-ATK-04")
def test_harm_stays_as_the_points_move() -> None:
    stage = lone()
    stage.set_part(ADA, "left_arm", 8)
    correct(stage, 15)
    assert stage.part(ADA, "left_arm") == 13
    correct(stage, 10)
    assert stage.part(ADA, "left_arm") == 8
