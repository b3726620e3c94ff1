"""The reach of weapons hand to hand and thrown, and the half move into it."""

from __future__ import annotations

import pytest

from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, helpless

TAMER = {"whip_flail": 12, "running": 10, "blades": 12}


def strike(weapon: str, yards: float, **hero: int) -> GuardStage:
    """Ada, with half a move of 6 yards, strikes in vain at Bo this many yards away."""
    stage = duel(weapon, hero={**TAMER, **hero}, foe={"at": (yards, 0)})
    stage.attack(99)
    return stage


def is_refused(weapon: str, yards: float, **hero: int) -> bool:
    stage = duel(weapon, hero={**TAMER, **hero}, foe={"at": (yards, 0)})
    refused = stage.refused("attack", ADA, target=BO, weapon=stage.find_ready(ADA).id)
    return refused.code == "out_of_range"


@pytest.mark.rule("CG-MOVE-03", "CG-REF-05")
@pytest.mark.parametrize(("yards", "stands", "left"), [(5, 0, 6), (6, 1, 4), (10, 5, 0)])
def test_a_whip_reaches_five_yards_and_half_a_move_more(yards: float, stands: float, left: int) -> None:
    stage = strike("whip", yards)
    assert (stage[ADA].at.x, stage[ADA].budget["yards"]) == (stands, left)


@pytest.mark.rule("CG-MOVE-03", "CG-REF-05")
@pytest.mark.parametrize(("weapon", "yards"), [("whip", 11), ("flail", 7)])
def test_and_no_farther(weapon: str, yards: float) -> None:
    assert is_refused(weapon, yards)


@pytest.mark.rule("CG-MOVE-03")
def test_who_is_next_to_someone_across_a_corner_need_not_move() -> None:
    stage = duel("long_sword", hero=TAMER, foe={"at": (1, 1)})
    stage.attack(99)
    assert (stage[ADA].at.x, stage[ADA].budget["yards"]) == (0, 6)


@pytest.mark.rule("CG-MOVE-03", "CG-LIMB-02")
@pytest.mark.parametrize(("yards", "reaches"), [(3, True), (4, False)])
def test_with_a_lame_leg_it_is_a_quarter(yards: int, reaches: bool) -> None:
    stage = duel("long_sword", hero=TAMER, foe={"at": (yards, 0)})
    stage.set_part(ADA, "left_leg", 7)
    if reaches:
        stage.attack(99)
    else:
        assert stage.refused("attack", ADA, target=BO, weapon=stage.find_ready(ADA).id).code == "out_of_range"


@pytest.mark.rule("CG-ATK-01")
def test_what_is_no_weapon_strikes_nobody() -> None:
    stage = duel(hero={"shields": ("buckler",)})
    shield = stage.item(ADA, "buckler").id
    refused = stage.refused("attack", ADA, target=BO, weapon=shield)
    assert refused.message == "Buckler is not a weapon: choose one in hand."


# ---------------------------------------------------------------- thrown


def thrower(yards: float, **options: object) -> GuardStage:
    """Ada throws a hand-to-hand weapon at Bo."""
    hero = {"thrown_weapons": 12, "body": 10, "coordination": 14}
    return duel("knife", hero=hero, foe={"at": (yards, 0)}, **options)


@pytest.mark.rule("CG-ATK-01", "CG-REF-05")
@pytest.mark.parametrize(("yards", "chance"), [(10, 60), (11, 50), (21, 40)])
def test_what_is_made_for_the_hand_flies_ten_yards_a_step(yards: float, chance: int) -> None:
    stage = thrower(yards, range_penalty="minus_2_per_step")
    stage.attack(99, thrown=True)
    assert stage.first().against == chance


@pytest.mark.rule("CG-ATK-01", "CG-REF-05")
def test_coordination_adds_to_what_is_thrown() -> None:
    stage = thrower(8)
    helpless(stage)
    stage.attack(10, 4, (3,), thrown=True)
    assert stage.part(BO, "torso") == 20 - (3 + 14 - 10)


@pytest.mark.rule("CG-ATK-01")
@pytest.mark.parametrize("answers", [(99,), (10, "dodge", 1), (10, "none", 9)])
def test_a_thrown_weapon_lies_beside_its_target_whatever_comes_of_it(answers: tuple[int | str, ...]) -> None:
    stage = thrower(8)
    stage.attack(*answers, thrown=True)
    (knife,) = stage.state.ground
    assert (knife.name, knife.at) == ("Knife", stage[BO].at)
