"""Death saves, stabilizing, bleeding to death, instant death, and the GM's mark."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.figures import CosmosStage, pair, words
from tests.combat.rules.cosmos.shots import HIT, duel, shoot
from tests.combat.rules.stage import Given


def dying(hp: int, options: dict[str, Any] | None = None, bleeding: int = 0, **bo: Any) -> CosmosStage:
    """Ada (f1) on her turn; Bo (f2) dying beside her at this many Hit Points; Bo is next."""
    stage = CosmosStage(**(options or {}))
    stage.hero(skills={"Medicine": 4})
    stage.foe(at=(1, 0), **bo)
    stage.set_track("f2", hp=hp)
    for kind in ("dying", "unconscious", "prone"):
        stage.give("f2", kind)
    if bleeding:
        stage.give("f2", "bleeding", level=bleeding)
    return stage.begin("f1", "f2")


def rounds(stage: CosmosStage, *dice: Any) -> None:
    """Play on to Ada's next turn, with these rolls in Bo's."""
    stage.do("next_turn", dice=dice)
    if stage.state.active == "f2":
        stage.do("next_turn")
    assert stage.state.active == "f1"


# ---------------------------------------------------------------- the save


@pytest.mark.rule("COS-DEATH-01")
def test_a_save_is_rolled_at_0_and_none_at_1() -> None:
    stage = dying(0)
    rounds(stage, (1, 2))
    assert stage.hp("f2") == -1
    for hp, dice in ((1, []), (0, [(1, 2)])):
        stage = CosmosStage()
        stage.hero()
        bo = stage.foe()
        stage.set_track(bo, hp=5)
        stage.begin()
        stage.do("adjust", target=bo, track="hp", to=hp)
        stage.do("next_turn", dice=dice)
        assert len(stage.checks("Might save")) == len(dice)


@pytest.mark.rule("COS-DEATH-02")
def test_a_death_save_takes_penalties_only_by_option() -> None:
    stage = dying(-2, {"saves_take_penalties": True})
    stage.give("f2", "frightened")
    stage.do("next_turn", dice=[(6, 6)])
    assert stage.check("Might save").total == 15


@pytest.mark.rule("COS-DEATH-02")
def test_the_odds_of_a_death_save_are_exact() -> None:
    stage = dying(-2)
    odds = {m.label: m.chance for m in stage.odds("next_turn").measures}
    assert odds["Might save: success (Bo)"] == pytest.approx(0.45)  # 12 or more on 2d10


@pytest.mark.rule("COS-DEATH-03")
@pytest.mark.parametrize("hp", [-4, -1, 0])
def test_success_is_stable_at_minus_1_without_further_loss(hp: int) -> None:
    stage = dying(hp)
    rounds(stage, (6, 6))
    assert stage.hp("f2") == -1
    assert stage.has("f2", "stable")
    assert stage.has("f2", "unconscious")
    assert not stage.has("f2", "dying")
    assert words(stage.system.characters.health(stage["f2"]).word) == "Stable"
    rounds(stage)
    assert stage.hp("f2") == -1


@pytest.mark.rule("COS-DEATH-05")
@pytest.mark.parametrize("might", [1, 5, 10])
def test_two_ones_kill_whatever_might_is(might: int) -> None:
    stage = dying(0, attributes={"MIG": might})
    stage.do("next_turn", dice=[(1, 1)])
    assert stage.has("f2", "dead")
    assert stage.hp("f2") == 0
    health = stage.system.characters.health(stage["f2"])
    assert (words(health.word), health.dead) == ("Dead", True)
    other = dying(0, attributes={"MIG": might})
    other.do("next_turn", dice=[(1, 2)])
    assert not other.has("f2", "dead")


@pytest.mark.rule("COS-DEATH-06")
def test_two_tens_wake_the_dying_at_1_hp_without_another_save() -> None:
    stage = dying(-4)
    stage.do("next_turn", dice=[(10, 10)])
    assert stage.hp("f2") == 1
    assert words(stage.system.characters.health(stage["f2"]).word) == "Critical"
    for kind in ("dying", "stable", "unconscious"):
        assert not stage.has("f2", kind)
    assert stage.state.active == "f2"
    assert stage["f2"].budget == {"standard": 1, "move": 1, "quick": 3}
    assert len(stage.checks()) == 1


@pytest.mark.rule("COS-DEATH-06")
@pytest.mark.parametrize("options", [{"lethal_dying": True}, {"critical_save": "every_turn"}])
def test_two_tens_wake_under_other_house_rules_too(options: dict[str, Any]) -> None:
    stage = dying(-4, options)
    stage.do("next_turn", dice=[(10, 10)])
    assert (stage.hp("f2"), len(stage.checks())) == (1, 1)


@pytest.mark.rule("COS-STATE-21")
def test_one_who_drops_at_turn_start_saves_from_the_next_turn_on() -> None:
    stage, ada, bo = pair()
    stage.set_track(bo, hp=1)
    stage.give(bo, "bleeding")
    stage.begin(ada, bo)
    stage.do("next_turn")
    assert (stage.hp(bo), stage.has(bo, "dying"), stage.state.active) == (0, True, ada)
    assert not stage.checks()
    stage.do("next_turn", dice=[(2, 2)])
    assert stage.hp(bo) == -2


@pytest.mark.rule("COS-STATE-21")
def test_who_drops_in_the_turn_of_another_saves_in_its_next_own() -> None:
    stage, ada, bo = duel()
    stage.set_track(bo, hp=5)
    shoot(stage, ada, bo, HIT, (3, 4))
    stage.do("next_turn", dice=[(2, 3)])
    assert stage.hp(bo) == -3


# ---------------------------------------------------------------- the border of death


@pytest.mark.rule("COS-STATE-22", "COS-DEATH-11")
def test_might_5_lives_at_minus_5_and_dies_at_minus_6() -> None:
    stage = dying(-4)
    rounds(stage, (2, 2))
    assert stage.hp("f2") == -5
    assert stage.has("f2", "dying")
    rounds(stage, (2, 2))
    assert stage.hp("f2") == -6
    assert stage.has("f2", "dead")
    assert not stage.has("f2", "dying")


@pytest.mark.rule("COS-DEATH-11")
def test_only_what_armor_lets_through_counts() -> None:
    stage, ada, bo = duel(armor="medium")
    stage.change(ada, "pistol", damage="2d6+10")
    stage.set_track(bo, hp=10)
    shoot(stage, ada, bo, HIT, (4, 5))
    assert (stage.hp(bo), stage.has(bo, "dead")) == (-5, False)


@pytest.mark.rule("COS-DEATH-11")
def test_a_strength_boost_does_not_move_the_border() -> None:
    stage, ada, bo = duel()
    stage.do("give_drug", target=bo, drug="strength_boost")
    stage.change(ada, "pistol", damage="2d6+7")
    stage.set_track(bo, hp=10)
    shoot(stage, ada, bo, HIT, (4, 5))
    assert (stage.hp(bo), stage.has(bo, "dead")) == (-6, True)


@pytest.mark.rule("COS-DEATH-11")
def test_the_odds_tell_death_from_going_down() -> None:
    """A hit takes 2d6 + 7 of 10 HP: 3 or more reaches 0, and 9 or more goes below minus Might 5."""
    stage, ada, bo = duel()
    stage.change(ada, "pistol", damage="2d6+7")
    stage.set_track(bo, hp=10)
    odds = stage.odds("attack", ada, target=bo, weapon=stage.weapon(ada, "pistol"))
    found = {measure.label: measure.chance for measure in odds.measures}
    hit, critical = found["attack: hit (Bo)"], found["attack: critical (Bo)"]
    assert found["Bo drops"] == pytest.approx(hit * 35 / 36 + critical)
    assert found["Bo: Dead"] == pytest.approx(hit * 10 / 36 + critical)


@pytest.mark.rule("COS-DEATH-11")
def test_what_only_the_living_have_ends_with_death() -> None:
    stage, ada, bo = duel()
    for kind in ("bleeding", "frightened", "stunned", "pressed"):
        stage.give(bo, kind, by=ada)
    stage.give(ada, "grappled", by=bo)
    stage.give(ada, "frightened", by=bo)
    stage.set_track(bo, hp=1)
    stage.do("adjust", target=bo, track="hp", to=-6)
    assert sorted(held.kind for held in stage[bo].conditions) == ["dead", "unconscious"]
    assert stage[ada].conditions == ()


@pytest.mark.rule("COS-DEATH-11")
def test_the_dead_are_passed_over_and_cannot_be_hurt_or_attacked() -> None:
    stage, ada, bo = duel()
    stage.set_track(bo, hp=-9)
    stage.give(bo, "dead")
    stage.give(bo, "bleeding")
    refused = stage.refused("attack", ada, target=bo, weapon=stage.weapon(ada, "pistol"))
    assert (refused.code, refused.message) == ("bad_target", "Bo is dead.")
    stage.do("next_turn")
    assert stage.state.active == ada
    assert stage.hp(bo) == -9


# ---------------------------------------------------------------- bleeding to death


@pytest.mark.rule("COS-DMG-07", "COS-STATE-22", "COS-DEATH-03", "COS-DEATH-11")
@pytest.mark.parametrize(
    ("hp", "bleeding", "dice", "left", "kind"),
    [(-2, 1, [(2, 2)], -4, "dying"), (-2, 2, [(6, 6)], -1, "stable"), (-5, 1, [], -6, "dead")],
)
def test_bleeding_is_charged_before_the_death_save(
    hp: int, bleeding: int, dice: Given, left: int, kind: str
) -> None:
    stage = dying(hp, bleeding=bleeding)
    rounds(stage, *dice)
    assert (stage.hp("f2"), stage.has("f2", kind)) == (left, True)
    assert stage.has("f2", "bleeding") is (kind != "dead")


@pytest.mark.rule("COS-DMG-07")
def test_an_untreated_wound_makes_the_stable_dying_again() -> None:
    stage = dying(-4, bleeding=1)
    rounds(stage, (6, 6))
    rounds(stage)
    assert stage.hp("f2") == -2
    assert stage.has("f2", "dying")
    assert not stage.has("f2", "stable")
    rounds(stage, (2, 2))
    assert stage.hp("f2") == -4


# ---------------------------------------------------------------- stabilizing


@pytest.mark.rule("COS-DEATH-08")
def test_two_kits_count_as_the_better_one() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(gear=("healers_kit", "first_aid_kit")), stage.foe(at=(1, 0))
    stage.begin()
    terms = stage.preview("first_aid", ada, target=bo).modifiers
    assert [(words(t.label), t.value) for t in terms if t.rule == "COS-DEATH-08"] == [("First aid kit", 2)]


@pytest.mark.rule("COS-DEATH-09")
def test_the_stabilized_roll_and_lose_nothing() -> None:
    stage = dying(-3)
    stage.do("first_aid", "f1", target="f2", dice=[(4, 4), 1])
    assert stage.hp("f2") == -2  # the day's 1d6
    stage.set_track("f2", hp=-3)
    rounds(stage)
    assert stage.hp("f2") == -3
    assert stage.has("f2", "stable")


@pytest.mark.rule("COS-DEATH-09")
def test_new_damage_makes_the_stable_dying_again() -> None:
    stage = dying(-4)
    rounds(stage, (6, 6))
    stage.change("f1", "pistol", damage="1d4")
    shoot(stage, "f1", "f2", (4, 4), 2)
    assert stage.hp("f2") == -3
    assert stage.has("f2", "dying")
    assert not stage.has("f2", "stable")
    rounds(stage, (2, 2))
    assert stage.hp("f2") == -4


@pytest.mark.rule("COS-DEATH-09")
def test_a_hit_that_armor_stops_leaves_the_stable_alone() -> None:
    stage = dying(-4, armor="heavy")
    rounds(stage, (6, 6))
    stage.change("f1", "pistol", damage="1d4")
    shoot(stage, "f1", "f2", (4, 4), 4)
    assert stage.has("f2", "stable")


@pytest.mark.rule("COS-DEATH-10")
def test_first_aid_may_lift_the_stable_above_0() -> None:
    stage = dying(-3)
    stage.do("first_aid", "f1", target="f2", dice=[(4, 4), 4])
    assert stage.hp("f2") == 1
    assert not stage.has("f2", "unconscious")


@pytest.mark.rule("COS-DEATH-10")
def test_one_fainted_before_dropping_is_unconscious_when_stable() -> None:
    stage, ada, bo = duel()
    stage.place(bo, 1, 0)
    stage.set_track(bo, hp=30)
    stage.do("adjust", target=bo, track="hp", to=20, dice=[(1, 2)])
    stage.do("adjust", target=bo, track="hp", to=-4)
    stage.do("first_aid", ada, target=bo, dice=[(9, 9), 2])
    assert (stage.hp(bo), stage.has(bo, "stable"), stage.has(bo, "unconscious")) == (-2, True, True)


# ---------------------------------------------------------------- the GM's mark


@pytest.mark.rule("COS-DEATH-13")
def test_a_hazard_kills_by_the_gms_mark_alone() -> None:
    stage = CosmosStage()
    stage.zone("pit", terrain=["fire"])
    ada, bo = stage.hero(at=(5, 5)), stage.foe(at=(20, 0))
    stage.set_track(ada, hp=4)
    stage.begin(bo, ada)
    stage.do("next_turn", dice=[6])
    assert stage.has(ada, "dying")
    assert not stage.has(ada, "dead")
    stage.do("give_condition", target=ada, kind="dead", reason="the furnace closes")
    assert stage.has(ada, "dead")
    assert not stage.has(ada, "dying")
    assert stage.system.characters.health(stage[ada]).dead
    assert stage.told(e.Overruled)[0].reason == "the furnace closes"


@pytest.mark.rule("COS-DEATH-13")
def test_the_countdown_of_vacuum_kills_without_a_save() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(attributes={"RES": 2}), stage.foe(gear=("basic_suit",))
    stage.set_track(ada, hp=0)
    for kind in ("dying", "unconscious", "prone"):
        stage.give(ada, kind)
    stage.begin(bo, ada)
    stage.do("set_setting", key="air", value="vacuum")
    while stage.state.round < 3:
        stage.do("next_turn")
        assert (stage.hp(ada), stage.has(ada, "dead"), stage.checks()) == (0, False, [])
    stage.do("next_turn")
    assert stage.has(ada, "dead")
    assert not stage.checks()


@pytest.mark.rule("COS-DEATH-12", "COS-DEATH-13")
def test_the_gm_may_mark_the_healthiest_dead() -> None:
    stage, ada, bo = duel()
    stage.give(ada, "grappled", by=bo)
    stage.do("give_condition", target=bo, kind="dead")
    assert stage.hp(bo) == 96
    assert stage.has(bo, "unconscious")
    assert not stage.has(ada, "grappled")
    stage.do("next_turn")
    assert stage.state.active == ada
