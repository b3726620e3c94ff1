"""The reach of weapons hand to hand and thrown, and the half move into it."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.space import Point
from combat.rules.guardians.body.states import drop
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, helpless
from tests.combat.rules.stage import Script

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
def test_whip_and_flail_strike_no_farther_than_their_reach(weapon: str, yards: float) -> None:
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
@pytest.mark.parametrize(("yards", "chance"), [(10, 60), (10.4, 50), (11, 50), (20.6, 40), (21, 40)])
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
def test_thrown_weapon_lies_beside_its_target_in_any_case(answers: tuple[int | str, ...]) -> None:
    stage = thrower(8)
    stage.attack(*answers, thrown=True)
    (knife,) = stage.state.ground
    assert (knife.name, knife.at) == ("Knife", stage[BO].at)


# ---------------------------------------------------------------- up and down


def above(weapon: str, yards: float, x: float = 4, **options: Any) -> GuardStage:
    """Ada on the ground, and Bo on a roof so many yards higher that begins 1 yard before him."""
    stage = duel(weapon, hero={**TAMER, "firearms": 12}, foe={"at": (x, 0, yards)}, **options)
    stage.zone("street", x=-50, y=-50, width=100, depth=100)
    stage.zone("roof", x=x - 1, y=-5, width=10, depth=10, height=yards)
    return stage


@pytest.mark.rule("CG-MOVE-03")
def test_a_blow_reaches_no_farther_up_than_along() -> None:
    refused = above("long_sword", 30).refused
    weapon = {"target": BO, "weapon": above("long_sword", 30).find_ready(ADA).id}
    assert refused("attack", ADA, **weapon).message.startswith("Bo is 30.3 yd away, half a move is 6 yd")
    stage = above("long_sword", 3)
    stage.attack(99)
    assert (stage[ADA].at, stage[ADA].budget["yards"]) == (Point(3, 0, 3), 1)


@pytest.mark.rule("CG-MOVE-03")
def test_nobody_strikes_up_at_someone_on_an_edge_above() -> None:
    stage = above("long_sword", 3)
    stage.edit(BO, at=Point(3, 0, 3))
    refused = stage.refused("attack", ADA, target=BO, weapon=stage.find_ready(ADA).id)
    assert refused.message == "Bo stands 3 yd higher or lower: go to that ground first."


@pytest.mark.rule("CG-REF-05", "CG-BLEED-03")
def test_range_and_first_aid_count_height() -> None:
    stage = above("light_pistol", 40, range_penalty="minus_2_per_step")
    stage.attack(61)
    assert stage.first().against == 50
    stage = above("long_sword", 30, x=1)
    stage.edit(ADA, at=Point(0, 0))
    stage.edit(BO, side="allies")
    stage.give(BO, "bleeding", marks={"part": "left_arm"})
    refused = stage.refused("first_aid", ADA, target=BO, place="left_arm")
    assert refused.message == "Bo is 30 yd away: go next to them first."


@pytest.mark.rule("CG-SPEC-01")
def test_a_weapon_struck_away_stays_below_higher_ground() -> None:
    stage = duel("long_sword")
    stage.hold_things(BO, "club")
    stage.zone("roof", x=3, y=-5, width=10, depth=10, height=30)
    context = RuleContext(stage.system, stage.state, Script(()))
    drop(context, BO, stage.item(BO, "club"), by=ADA, yards=6)
    assert [item.at for item in context.state.ground] == [Point(2.9, 0)]
