"""The most that a blow takes off, Spirit rolls for a lost limb, and what armor hides."""

from __future__ import annotations

import pytest

from combat.rules.core.state import events as e
from combat.rules.guardians.characters.values import find_armor
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, helpless, lone, open_duel

KNIGHT = {"blades": 12, "bludgeon_weapons": 12, "archery": 12, "whip_flail": 12}


# ---------------------------------------------------------------- points


@pytest.mark.rule("CG-REF-05")
def test_half_of_body_is_rounded_down() -> None:
    stage = open_duel(
        "club", hero={**KNIGHT, "body": 11}, foe={"toughness": 1}, attribute_damage="half_ranks"
    )
    stage.attack(10, 4, (5,))
    assert 20 - stage.part(BO, "torso") == 5 + 5 - 1


# ---------------------------------------------------------------- severed limbs


@pytest.mark.rule("CG-LIMB-05")
@pytest.mark.parametrize(("die", "awake"), [(60, True), (61, False)])
def test_it_is_spirit_that_keeps_awake(die: int, awake: bool) -> None:
    stage = open_duel("long_sword", hero=KNIGHT, foe={"spirit": 12, "body": 4, "health": 11})
    stage.set_part(BO, "left_arm", 1)
    stage.attack(10, 2, (3, 3), die)
    assert stage.check("check.severed").against == 60
    assert stage.has(BO, "unconscious") is not awake


@pytest.mark.rule("CG-LIMB-05")
def test_a_crushed_limb_asks_for_no_roll() -> None:
    stage = open_duel("club", hero=KNIGHT)
    stage.set_part(BO, "left_arm", 1)
    stage.attack(10, 2, (6,))
    assert stage.is_so(BO, "destroyed", "left_arm")
    assert not stage.has(BO, "unconscious")
    assert "Bo's left arm is crushed." in stage.said()


@pytest.mark.rule("CG-LIMB-05", "CG-INIT-05")
def test_two_limbs_severed_at_one_count_ask_for_two_rolls() -> None:
    stage = duel("long_sword", hero=KNIGHT)
    cy = stage.hero("Cy", "long_sword", at=(1, 1), **KNIGHT)
    for limb in ("left_arm", "right_arm"):
        stage.set_part(BO, limb, 1)
    helpless(stage)
    stage.turn(ADA, cy)
    stage.attack(10, 2, (3, 3), who=ADA)
    stage.attack(10, 3, (3, 3), who=cy)
    stage.do("end_fight", dice=(50, 51))
    assert [check.good for check in stage.checks("check.severed")] == [True, False]


@pytest.mark.rule("CG-LOC-10", "CG-LIMB-05")
def test_one_who_fainted_for_the_fight_wakes_after_it() -> None:
    stage = open_duel("long_sword", hero=KNIGHT, knockout_rounds="until_end")
    stage.set_part(BO, "left_arm", 1)
    stage.attack(10, 2, (3, 3), 99)
    assert stage.has(BO, "unconscious")
    stage.do("end_fight")
    assert not stage.has(BO, "unconscious")


# ---------------------------------------------------------------- armor and shields


@pytest.mark.rule("CG-SPEC-03")
def test_a_seven_strips_all_pieces_over_a_part_and_its_scales() -> None:
    foe = {"wears": ("kevlar_vest", "riot_gear"), "natural_armor": {"torso": 2}}
    stage = open_duel("long_sword", hero=KNIGHT, foe=foe)
    assert find_armor(stage[BO], "torso") == 5 + 2
    stage.attack(10, 7, 4, (1, 1))
    assert find_armor(stage[BO], "torso") == 0
    assert find_armor(stage[BO], "head") == 4


# ---------------------------------------------------------------- the table's own modifier


@pytest.mark.rule("CG-REF-11")
@pytest.mark.parametrize(("adjust", "chance"), [(2, 70), (-3, 45), (0, 60)])
def test_what_the_table_adds_counts_in_ranks(adjust: int, chance: int) -> None:
    stage = duel("club", hero=KNIGHT)
    stage.attack(99, adjust=adjust, because="smoke")
    assert stage.first().against == chance


@pytest.mark.rule("CG-REF-11")
def test_gms_own_condition_is_logged_and_changes_its_rolls_alone() -> None:
    stage = lone(blades=10)
    stage.do("define_condition", name="Dazzled", changes={"rolls of perception": -2})
    stage.do("give_condition", target=ADA, kind="o1", reason="flash")
    assert [fact.reason for fact in stage.told(e.Overruled)] == ["flash"]
    bo = stage.foe("Bo")
    stage.begin(ADA, bo)
    stage.hold_things(ADA, "long_sword")
    stage.turn(ADA)
    stage.attack(99, on=bo)
    assert stage.first().against == 50


# ---------------------------------------------------------------- Toughness and Health


@pytest.mark.rule("CG-ATK-03")
@pytest.mark.parametrize(("row", "lost"), [(4, 10), (5, 5)])
def test_where_armor_is_missing_toughness_counts_instead(row: int, lost: int) -> None:
    stage = duel(
        "long_sword",
        hero={**KNIGHT, "body": 10},
        foe={"wears": ("kevlar_vest",)},
        soak="armor_else_toughness",
    )
    helpless(stage)
    stage.attack(10, row, (2, 3))
    assert {"torso": 20, "left_leg": 15}[place := {4: "torso", 5: "left_leg"}[row]] - stage.part(
        BO, place
    ) == lost


@pytest.mark.rule("CG-ATK-03", "CG-FAT-03")
def test_fatigue_makes_nobody_softer_and_no_blow_weaker() -> None:
    stage = open_duel("long_sword", hero=KNIGHT)
    for who in (ADA, BO):
        stage.set_track(who, fatigue=4)
    stage.attack(10, 4, (2, 3))
    assert stage.part(BO, "torso") == 20 - (5 + 10 - 10)


@pytest.mark.rule("CG-SPEC-05", "CG-SPEC-04")
def test_toughness_result_is_judged_without_the_torn_torso() -> None:
    stage = open_duel("club", hero={**KNIGHT, "body": 0})
    stage.set_part(BO, "torso", 10)
    stage.set_track(BO, toughness=3)
    stage.attack(10, 7, 5, (1,))
    assert stage[BO].tracks["toughness"] == 2
    assert not stage.has(BO, "stunned")


@pytest.mark.rule("CG-ATK-04")
@pytest.mark.parametrize(
    ("health", "options", "points"),
    [(9, {}, 14), (9, {"mortality_leg": 50}, 5), (1, {"mortality_leg": 10}, 1)],
)
def test_points_of_a_part_are_rounded_up_and_one_at_least(
    health: int, options: dict[str, int], points: int
) -> None:
    stage = GuardStage(**options)
    stage.hero("Ada", health=health)
    assert stage.part(ADA, "left_leg") == points


@pytest.mark.rule("CG-LIMB-05")
def test_the_unconscious_roll_no_spirit() -> None:
    stage = duel("long_sword", hero=KNIGHT)
    stage.set_part(BO, "head", 5)
    stage.set_part(BO, "left_arm", 1)
    stage.attack(10, 2, (3, 3))
    assert "Bo's left arm is severed." in stage.said()


@pytest.mark.rule("CG-LIMB-05", "CG-INIT-05")
def test_a_sword_at_the_same_count_severs_no_limb_of_another() -> None:
    stage = duel("long_sword", hero=KNIGHT)
    cy = stage.hero("Cy", at=(1, 1), **KNIGHT)
    di = stage.foe("Di", at=(2, 1))
    stage.hold_things(cy, "club")
    for who in (BO, di):
        stage.set_part(who, "left_arm", 1)
        helpless(stage, who)
    stage.turn(ADA, cy)
    stage.attack(10, 2, (3, 3), who=ADA, on=BO)
    stage.attack(10, 2, (8,), who=cy, on=di)
    stage.do("end_fight", dice=(50,))
    told = [c.marks["how"] for who in (BO, di) for c in stage[who].conditions if c.kind == "destroyed"]
    assert told == ["severed", "crushed"]
