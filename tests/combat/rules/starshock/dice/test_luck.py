"""Second chances: luck, features, and a table's options for two ones and two sixes."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from combat.rules.starshock.characters.sheet import weapon_item
from tests.combat.rules.starshock.fight.test_attack import set_values
from tests.combat.rules.starshock.figures import ADA, BO, StarStage, duel, terms


def gifted(*features: str, luck: int = 0, weapon: str = "dagger", **options: Any) -> StarStage:
    """Ada with luck or features; Bo with Armor 9."""
    stage = duel(weapon, **options)
    stage.edit(ADA, sheet={**stage[ADA].sheet, "features": list(features)})
    stage.set_track(ADA, luck=luck)
    set_values(stage, BO, armor=9)
    return stage


def questions(stage: StarStage) -> list[ChoiceRequest]:
    return [asked for asked in stage.asked if isinstance(asked, ChoiceRequest)]


@pytest.mark.rule("SS-ATK-03")
def test_luck_rolls_one_die_again_any_number_of_times() -> None:
    stage = gifted(luck=2)
    shot = stage.attack("dagger", (1, 4), "die0", (2,), "die0", (5,))
    assert shot.roll.faces == (5, 4)
    assert (shot.total, shot.outcome) == (11, "hit")
    assert stage[ADA].tracks["luck"] == 0
    assert [option.value for option in questions(stage)[0].options] == ["keep", "die0", "die1"]


@pytest.mark.rule("SS-DMG-05")
def test_luck_helps_to_stay_conscious() -> None:
    stage = gifted(luck=1)
    stage.do("adjust", target=ADA, track="damage", to=8, dice=[(1, 4), "die0", (3,)])
    assert not stage.has(ADA, "unconscious")


@pytest.mark.rule("SS-ATK-03")
def test_luck_may_be_left_out() -> None:
    stage = gifted(luck=3)
    stage.do("set_option", key="luck", value="off")
    stage.attack("dagger", (1, 1))
    assert questions(stage) == []
    assert "no luck" in stage.obstacle("luck", ADA)


@pytest.mark.rule("SS-ACT-02")
def test_an_action_by_luck_may_come_without_its_penalty() -> None:
    stage = gifted(luck=1, luck_action_adds_penalty="no")
    stage.do("luck", ADA)
    assert "Action Penalty" not in terms(stage.attack("dagger", (1, 1)).modifiers)


@pytest.mark.rule("SS-PEN-01")
@pytest.mark.parametrize(("option", "last"), [("yes", -3), ("no", -2)])
def test_an_action_by_luck_in_a_running_count(option: str, last: int) -> None:
    stage = gifted(luck=1, declare_mode="running", luck_action_adds_penalty=option)
    stage.turn(ADA, None)
    stage.do("luck", ADA)
    penalties = []
    for _ in range(4):
        stage.do("check", ADA, attribute="int", dice=[(1, 2)])
        penalties.append(terms(stage.check().modifiers).get("Action Penalty", 0))
    assert penalties == [0, -1, -2, last]


@pytest.mark.rule("SS-ATK-03")
def test_tactical_awareness_rolls_an_attack_again_one_time() -> None:
    stage = gifted("mercenary_tactical_awareness")
    shot = stage.attack("dagger", (1, 1), "mercenary_tactical_awareness", (4, 4))
    assert shot.total == 10
    stage.turn(ADA)
    stage.edit(ADA, marks={**stage[ADA].marks, "used mercenary_tactical_awareness": True})
    stage.attack("dagger", (1, 1))
    assert questions(stage) == []


@pytest.mark.rule("SS-OTHER-01")
def test_re_rolls_of_a_background_are_for_its_attribute() -> None:
    stage = gifted("acrobat_reflex")
    stage.do("check", ADA, attribute="int", dice=[(1, 1)])
    assert questions(stage) == []
    stage.turn(ADA)
    stage.do("check", ADA, attribute="dex", dice=[(1, 1), "acrobat_reflex", (4, 4)])
    assert stage.check().total == 10


@pytest.mark.rule("SS-OTHER-01")
def test_an_analytical_mind_adds_int_afterwards() -> None:
    stage = gifted("savant_analytical_mind")
    stage.do("check", ADA, attribute="dex", dice=[(4, 3), "savant_analytical_mind"])
    assert (stage.check().total, stage.check().outcome) == (10, "success")


@pytest.mark.rule("SS-ATK-10")
def test_tenacity_hurts_even_on_a_miss() -> None:
    stage = gifted("tenacity")
    stage.attack("dagger", (1, 1))
    assert stage.damage(BO) == 2
    stage = gifted("tenacity", weapon="needle_gun")
    stage.attack("needle_gun", (1, 1))
    assert stage.damage(BO) == 0


@pytest.mark.rule("SS-ATK-10", "SS-ATK-11")
@pytest.mark.parametrize(
    ("order", "die", "lost"),
    [("before_damage", 1, 2), ("before_damage", 5, 5), ("after_knockout_check", 1, 2)],
)
def test_tenacity_does_two_points_of_a_low_roll_as_well(order: str, die: int, lost: int) -> None:
    stage = gifted("tenacity", weapon="tungsten_staff", maneuver_order=order)
    set_values(stage, BO, armor=10)
    stage.attack("tungsten_staff", (4, 4), die)
    assert stage.damage(BO) == lost


@pytest.mark.rule("SS-ATK-10")
@pytest.mark.parametrize(("again", "lost"), [(1, 2), (2, 2), (5, 5)])
def test_tenacity_counts_the_damage_that_a_maneuver_rolled_again(again: int, lost: int) -> None:
    for order in ("before_damage", "after_knockout_check"):
        stage = gifted("tenacity", weapon="tungsten_staff", maneuver_order=order)
        set_values(stage, BO, armor=8)
        dice = ["0", 1, again] if order == "before_damage" else [1, "0", again]
        stage.attack("tungsten_staff", (4, 4), *dice)
        assert stage.damage(BO) == lost


@pytest.mark.rule("SS-PEN-01", "SS-PEN-03")
def test_gunner_ignores_the_penalty_on_a_turns_only_attack() -> None:
    stage = gifted("gunner", weapon="needle_gun", turn_economy="declared_three_by_rate", rate_attack=2)
    stage.turn(ADA, 3)
    penalties = [terms(stage.attack("needle_gun", (1, 1)).modifiers).get("Action Penalty") for _ in range(2)]
    assert penalties == [None, -2]


@pytest.mark.rule("SS-PEN-01")
def test_a_gunner_and_a_titanium_revolver_ignore_the_penalty() -> None:
    for features, weapon in ((("gunner",), "needle_gun"), ((), "titanium_revolver")):
        stage = gifted(*features, weapon=weapon)
        stage.turn(ADA, 3)
        assert "Action Penalty" not in terms(stage.attack(weapon, (1, 1)).modifiers)


@pytest.mark.rule("SS-ATK-03")
@pytest.mark.parametrize(
    ("weapon", "bonus"), [("unarmed", 1), ("metallic_claws", 1), ("dagger", None), ("arc_emitter", None)]
)
def test_a_bionic_arm_helps_blows_with_the_body(weapon: str, bonus: int | None) -> None:
    stage = gifted("bionic_arm_3")
    stage.edit(ADA, items=(replace(weapon_item(weapon), id="w1", place="held"),))
    assert terms(stage.attack(weapon, (1, 1)).modifiers).get("Bionic Arm 3") == bonus


@pytest.mark.rule("SS-PRONE-04")
def test_cybernetic_legs_never_go_prone() -> None:
    stage = gifted("cyber_legs_2")
    assert "cannot lie down" in stage.refused("drop_prone", ADA).message
    stage.do("adjust", target=ADA, track="damage", to=12, dice=[(1, 4)])
    assert stage.has(ADA, "unconscious")
    assert not stage.has(ADA, "prone")


# ---------------------------------------------------------------- two ones, two sixes, ties


@pytest.mark.rule("SS-DEF-06")
@pytest.mark.parametrize(
    ("option", "dice", "armor", "outcome"),
    [
        ("flag_only", (1, 1), 4, "hit"),
        ("snake_eyes_miss_boxcars_hit", (1, 1), 4, "miss"),
        ("flag_only", (6, 6), 20, "miss"),
        ("snake_eyes_miss_boxcars_hit", (6, 6), 20, "hit"),
    ],
)
def test_two_ones_and_two_sixes_on_an_attack(
    option: str, dice: tuple[int, int], armor: int, outcome: str
) -> None:
    stage = gifted(criticals=option)
    set_values(stage, BO, armor=armor)
    shot = stage.attack("dagger", dice)
    assert shot.outcome == outcome
    assert stage.damage(BO) == (5 if outcome == "hit" else 0)


@pytest.mark.rule("SS-DEF-06")
def test_the_odds_know_of_two_ones_and_two_sixes() -> None:
    stage = gifted(criticals="snake_eyes_miss_boxcars_hit")
    for armor, chance in ((4, 35 / 36), (20, 1 / 36)):
        set_values(stage, BO, armor=armor)
        odds = stage.odds("attack", ADA, target=BO, weapon=stage.weapon(ADA, "dagger"))
        assert odds.headline is not None
        assert odds.headline.chance == pytest.approx(chance)


@pytest.mark.rule("SS-OTHER-01")
def test_other_checks_only_point_them_out() -> None:
    stage = gifted(marginal_success="flag")
    stage.do("check", ADA, attribute="dex", dice=[(6, 6)], difficulty=14)
    assert [said.key for said in stage.told(e.Said)] == ["log.marginal", "log.two_sixes"]


@pytest.mark.rule("SS-ATK-03", "SS-OTHER-01")
def test_feature_bonus_is_kept_when_luck_rerolls_a_die() -> None:
    stage = gifted("savant_analytical_mind", luck=1)
    stage.do("check", ADA, attribute="dex", dice=[(4, 1), "savant_analytical_mind", "die1", (3,)])
    check = stage.check()
    assert (check.roll.faces, check.roll.total, check.total) == ((4, 3), 8, 10)


@pytest.mark.rule("SS-OTHER-14")
def test_three_dice_rolled_again_are_three_dice() -> None:
    stage = gifted("acrobat_reflex", no_kit="roll_three_keep_low_two")
    stage.do("emergency_medicate", ADA, target=ADA, dice=[(1, 1, 1), "acrobat_reflex", (6, 3, 4)])
    assert (stage.check().roll.total, stage.check().total) == (7, 8)
