"""Who may defend against what, and with which skill."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.guardians.fight.defense import find_defenses
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel


def ways(stage: GuardStage, who: str = BO, distant: bool = False) -> dict[str, int]:
    """Someone's possible defenses now, with their chances."""
    return {one.key: one.chance for one in find_defenses(stage.state, stage[who], distant)}


@pytest.mark.rule("CG-DEF-02")
def test_whoever_is_better_at_acrobatics_dodges_with_it() -> None:
    assert ways(duel("club", foe={"coordination": 8, "acrobatics": 11}))["dodge"] == 55


@pytest.mark.rule("CG-DEF-03")
@pytest.mark.parametrize("weapon", ["light_pistol", "throwing_knife", "long_bow"])
def test_nobody_parries_with_what_is_shot_or_thrown(weapon: str) -> None:
    stage = duel("club", foe={"firearms": 15, "thrown_weapons": 15, "archery": 15})
    stage.hold_things(BO, weapon)
    assert "parry" not in ways(stage)
    stage.hold_things(BO, "club")
    assert "parry" in ways(stage)


# ---------------------------------------------------------------- how many


def swordsmen(**options: Any) -> GuardStage:
    """Ada strikes at Bo, who has taken the extra defensive action; a roll of 99 fails to defend."""
    stage = duel("long_sword", hero={"blades": 12}, **options)
    stage.turn(BO)
    stage.do("guard", BO)
    stage.turn(ADA)
    return stage


@pytest.mark.rule("CG-ACT-04")
def test_extra_numbered_defense_is_for_another_attack() -> None:
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
def test_two_free_defenses_are_two_and_come_back_next_round() -> None:
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


# ---------------------------------------------------------------- who, and with what


@pytest.mark.rule("CG-DEF-01", "CG-STUN-01", "CG-FAT-04", "CG-LOC-10", "CG-REF-03")
@pytest.mark.parametrize("kind", ["stunned", "surprised", "exhausted", "unconscious", "dead"])
def test_who_cannot_act_does_not_defend(kind: str) -> None:
    stage = duel("club")
    assert ways(stage)
    stage.give(BO, kind)
    assert ways(stage) == {}


@pytest.mark.rule("CG-DEF-03")
def test_a_sword_parries_in_hands_that_can_hold_it() -> None:
    stage = duel("club", foe={"blades": 12})
    stage.hold_things(BO, "great_sword")
    assert ways(stage)["parry"] == 60
    stage.give(BO, "disabled", marks={"part": "left_arm"})
    assert "parry" not in ways(stage)
    stage = duel("club", foe={"blades": 12})
    stage.do("arm", target=BO, weapon="long_sword")
    assert "parry" not in ways(stage), "it is not in hand"


@pytest.mark.rule("CG-DEF-03", "CG-DEF-04")
@pytest.mark.parametrize(
    ("option", "distant"),
    [("no", {"dodge": 50, "block": 15}), ("yes", {"parry": 60, "dodge": 50, "block": 30})],
)
def test_a_table_that_spares_missiles_parries_and_blocks_blades(option: str, distant: dict[str, int]) -> None:
    foe = {"blades": 12, "unarmed_combat": 6, "shield": 3, "shields": ("buckler",)}
    stage = duel("club", foe=foe, parry_and_unarmed_block_vs_missiles=option)
    stage.do("arm", target=BO, weapon="long_sword")
    stage.change_item(BO, "long_sword", place="held")
    assert ways(stage) == {"parry": 60, "dodge": 50, "block": 30}
    assert ways(stage, distant=True) == distant


@pytest.mark.rule("CG-DEF-04", "CG-REF-08")
def test_shield_counts_for_the_shield_skill_alone_and_on_the_arm() -> None:
    stage = duel("club", foe={"unarmed_combat": 12, "shield": 9, "shields": ("riot_shield",)})
    assert ways(stage)["block"] == 60
    stage = duel("club", foe={"unarmed_combat": 5, "shield": 9, "shields": ("riot_shield",)})
    assert ways(stage)["block"] == 50
    even = duel("club", foe={"unarmed_combat": 9, "shield": 9, "shields": ("riot_shield",)})
    assert ways(even)["block"] == 50
    stage.change_item(BO, "riot_shield", place="carried")
    assert ways(stage)["block"] == 25


@pytest.mark.rule("CG-PRONE-02", "CG-PRONE-03")
@pytest.mark.parametrize(
    ("weapon", "thrown", "chance"),
    [
        ("long_bow", False, 70),
        ("throwing_star", False, 70),
        ("knife", True, 70),
        ("knife", False, 50),
        ("fist", False, 50),
    ],
)
def test_lying_down_helps_against_whatever_flies(weapon: str, thrown: bool, chance: int) -> None:
    skills = dict.fromkeys(("archery", "thrown_weapons", "blades", "unarmed_combat"), 12)
    stage = duel(*(() if weapon == "fist" else (weapon,)), hero=skills)
    stage.give(BO, "prone")
    stage.attack(10, "dodge", 1, thrown=thrown)
    assert stage.check("check.dodge").against == chance


@pytest.mark.rule("CG-DEF-02")
def test_the_better_of_two_skills_is_found_below_nothing_too() -> None:
    foe = {"coordination": 2, "acrobatics": 4, "unarmed_combat": 0, "bludgeon_weapons": 0}
    stage = duel("long_bow", foe=foe)
    stage.set_part(BO, "torso", 10)
    stage.give(BO, "prone")
    assert ways(stage, distant=True)["dodge"] == 15


@pytest.mark.rule("CG-ACT-04", "CG-DEF-01")
def test_who_lets_an_attack_through_is_asked_once() -> None:
    stage = duel("long_sword", hero={"blades": 12})
    stage.turn(BO)
    stage.do("guard", BO)
    stage.turn(ADA)
    stage.attack(10, "none", 9)
    assert stage.has(BO, "unconscious")
