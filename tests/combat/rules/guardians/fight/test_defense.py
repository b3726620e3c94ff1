"""Who may defend against what, and with which skill."""

from __future__ import annotations

import pytest

from combat.rules.guardians.fight.defense import find_defenses
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel


def ways(stage: GuardStage, who: str = BO, distant: bool = False) -> dict[str, int]:
    """The ways somebody could defend now, with their chances."""
    return {one.key: one.chance for one in find_defenses(stage.state, stage[who], distant)}


@pytest.mark.rule("CG-DEF-02")
@pytest.mark.parametrize(("coordination", "acrobatics", "chance"), [(11, 8, 55), (8, 11, 55)])
def test_whoever_is_better_at_acrobatics_dodges_with_it(
    coordination: int, acrobatics: int, chance: int
) -> None:
    stage = duel("club", foe={"coordination": coordination, "acrobatics": acrobatics})
    assert ways(stage)["dodge"] == chance


@pytest.mark.rule("CG-DEF-03")
@pytest.mark.parametrize("weapon", ["light_pistol", "throwing_knife", "long_bow"])
def test_nobody_parries_with_what_is_shot_or_thrown(weapon: str) -> None:
    stage = duel("club", foe={"firearms": 15, "thrown_weapons": 15, "archery": 15})
    stage.hold_things(BO, weapon)
    assert "parry" not in ways(stage)
    stage.hold_things(BO, "club")
    assert "parry" in ways(stage)


@pytest.mark.rule("CG-DEF-03", "CG-LIMB-02")
def test_a_great_sword_parries_only_with_both_arms() -> None:
    stage = duel("club", foe={"blades": 15})
    stage.hold_things(BO, "great_sword")
    assert ways(stage)["parry"] == 75
    stage.give(BO, "disabled", marks={"part": "left_arm"})
    assert "parry" not in ways(stage)


@pytest.mark.rule("CG-DEF-06", "CG-DEF-01")
def test_players_and_npcs_defend_alike() -> None:
    stage = duel("club", hero={"bludgeon_weapons": 9}, foe={"bludgeon_weapons": 9})
    stage.hold_things(BO, "club")
    assert stage[ADA].pc
    assert not stage[BO].pc
    assert ways(stage, ADA) == ways(stage, BO) == {"dodge": 50, "parry": 45, "block": 25}
    for who, other in ((ADA, BO), (BO, ADA)):
        stage.turn(who)
        stage.attack(45, "parry", 45, who=who, on=other)
        assert [(check.who, check.good) for check in stage.checks()] == [(who, True), (other, True)]
