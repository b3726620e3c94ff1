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


# ---------------------------------------------------------------- how many


def swordsmen(**options: object) -> GuardStage:
    """Ada strikes at Bo, who has taken the extra defensive action; a roll of 99 fails to defend."""
    stage = duel("long_sword", hero={"blades": 12}, **options)
    stage.turn(BO)
    stage.do("guard", BO)
    stage.turn(ADA)
    return stage


@pytest.mark.rule("CG-ACT-04")
def test_with_numbered_defenses_the_extra_one_is_for_another_attack() -> None:
    stage = swordsmen(free_defenses_per_round=1)
    stage.attack(10, "dodge", 99, 9)
    assert stage.has(BO, "unconscious")


@pytest.mark.rule("CG-ACT-04")
def test_the_extra_one_is_used_up_after_the_numbered_ones() -> None:
    stage = swordsmen(free_defenses_per_round=1)
    for left in (True, False):
        stage.attack(10, "dodge", 10)
        assert stage.has(BO, "extra_defense") is left
        stage.turn(ADA)


@pytest.mark.rule("CG-ACT-04")
def test_two_free_defenses_are_two_and_there_are_two_again_next_round() -> None:
    stage = GuardStage(free_defenses_per_round=2)
    stage.hero("Ada", "long_sword", blades=12)
    stage.foe("Bo")
    stage.begin_fight(10, 5)
    for _ in range(2):
        stage.attack(10, "dodge", 10)
        stage.turn(ADA)
    assert ways(stage) == {}
    stage.end_turn()
    stage.end_turn(10, 5)
    assert ways(stage) != {}
