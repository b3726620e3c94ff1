"""Cover and concealment: from the scene or by decision, and targets that cannot be attacked."""

from __future__ import annotations

import pytest

from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.duels import ADA, BO, defense, duel, rule_of, strike, sums, total
from tests.combat.rules.cosmos.figures import CosmosStage, words
from tests.combat.rules.stage import Given


def duel_across(
    terrain: tuple[str, ...] = (), weapons: tuple[str, ...] = ("pistol",), **zone: str
) -> CosmosStage:
    """Bo is in a zone, ten meters from Ada outside it."""
    stage = duel(*weapons)
    stage.zone("spot", x=8, y=-5, width=10, depth=10, terrain=list(terrain), **zone)
    return stage


# ---------------------------------------------------------------- cover


@pytest.mark.rule("COS-COVER-02", "COS-COVER-04")
def test_best_of_several_covers_counts_unless_the_gm_overrules() -> None:
    stage = duel_across(("table", "stone wall"), cover="light")
    assert defense(stage) == 22
    assert defense(stage, cover="none") == 18
    assert defense(stage, cover="light") == 20


@pytest.mark.rule("COS-DEF-03", "COS-COVER-02")
def test_zones_own_cover_helps_only_against_shots_from_outside() -> None:
    stage = duel_across(cover="heavy")
    assert defense(stage) == 22
    stage.edit(ADA, at=Point(9, 0))
    assert defense(stage) == 18


@pytest.mark.rule("COS-COVER-01", "COS-COVER-03")
def test_cover_counts_in_melee_only_if_said_to_stand_between() -> None:
    stage = duel_across(("stone wall",), ("club",))
    stage.edit(ADA, at=Point(7.5, 0))
    stage.edit(BO, at=Point(8.5, 0))
    assert defense(stage, "club") == 18
    assert defense(stage, "club", cover="heavy") == 22


@pytest.mark.rule("COS-COVER-05")
def test_total_cover_refuses_a_direct_attack() -> None:
    stage = duel_across(cover="total")
    weapon = stage.weapon(ADA, "pistol")
    no = stage.refused("attack", ADA, target=BO, weapon=weapon)
    assert (no.code, no.message) == ("bad_target", "Bo is in total cover: no direct attack reaches them.")
    assert stage.refused("disarm", ADA, target=BO, weapon=weapon).code == "bad_target"
    assert defense(stage, cover="none") == 18


# ---------------------------------------------------------------- concealment


@pytest.mark.rule("COS-COVER-07", "COS-COVER-09")
def test_light_at_the_target_counts_unless_the_gm_overrules() -> None:
    stage = duel_across(light="bright")
    stage.do("set_setting", key="light", value="dark")
    assert total(stage) == 19
    stage.edit(BO, at=Point(-10, 0))
    assert total(stage) == 15
    assert total(stage, concealment="none") == 19


@pytest.mark.rule("COS-COVER-07", "COS-COVER-09")
@pytest.mark.parametrize(
    ("thing", "sum_"), [("thin fog", 17), ("bushes", 17), ("thick smoke", 15), ("dense foliage", 15)]
)
def test_what_stands_between_conceals_as_well(thing: str, sum_: int) -> None:
    stage = duel()
    stage.zone("bank", x=4, y=-3, width=2, depth=6, terrain=[thing])
    assert total(stage) == sum_
    stage.edit(BO, at=Point(3, 0))
    assert total(stage) == 19
    stage.edit(BO, at=Point(10, 10))
    assert total(stage) == 19


@pytest.mark.rule("COS-COVER-07", "COS-COVER-09")
@pytest.mark.parametrize(
    ("thing", "sum_"), [("thin fog", 17), ("bushes", 19), ("thick smoke", 15), ("dense foliage", 19)]
)
def test_one_looks_out_of_growth_but_not_out_of_smoke(thing: str, sum_: int) -> None:
    stage = duel()
    stage.zone("bank", x=-3, y=-3, width=6, depth=6, terrain=[thing])
    assert total(stage) == sum_


@pytest.mark.rule("COS-COVER-09")
def test_darkness_between_hides_nobody_in_the_light() -> None:
    stage = duel()
    stage.zone("unlit", x=4, y=-3, width=2, depth=6, light="dark")
    assert total(stage) == 19


# ---------------------------------------------------------------- out of sight


@pytest.mark.rule("COS-COVER-10")
def test_an_unseen_target_must_be_guessed() -> None:
    stage = duel()
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"), concealment="total")
    assert no.code == "bad_target"
    assert no.message == "Bo is out of sight: guess where they are, then say whether that is right."


@pytest.mark.rule("COS-COVER-10")
def test_a_wrong_guess_wastes_the_attack_without_a_roll() -> None:
    stage = duel()
    weapon = stage.weapon(ADA, "pistol")
    stage.do("attack", ADA, target=BO, weapon=weapon, concealment="total", guess="no")
    assert not stage.checks()
    assert stage.told(e.Said)[0].key == "log.misses_place"
    assert "COS-COVER-10" in stage.rules()
    assert stage[ADA].budget["standard"] == 0
    assert stage.item(ADA, "pistol").loaded == 14
    assert stage.hp(BO) == 96


@pytest.mark.rule("COS-COVER-10")
def test_a_right_guess_rolls_at_minus_four() -> None:
    shot = strike(duel(), "pistol", (5, 6), concealment="total", guess="yes")
    assert shot.total == 15
    assert rule_of(shot.modifiers, "Total concealment") == (-4, "COS-COVER-10")


@pytest.mark.rule("COS-COVER-10")
@pytest.mark.parametrize(("die", "right"), [(5, False), (6, True)])
def test_without_a_map_six_or_more_on_a_d10_is_right(die: int, right: bool) -> None:
    stage = duel()
    weapon = stage.weapon(ADA, "pistol")
    shown = sums(stage, concealment="total", guess="roll")
    assert list(map(words, shown.notes)) == ["first roll 6 or more on 1d10 to find the place"]
    assert sums(stage, concealment="heavy", guess="roll").notes == ()
    dice: Given = [die, (9, 9), 5] if right else [die]
    stage.do("attack", ADA, target=BO, weapon=weapon, concealment="total", guess="roll", dice=dice)
    assert stage.check("guess").good == right
    assert stage.hp(BO) == (91 if right else 96)
    assert stage.item(ADA, "pistol").loaded == 14


@pytest.mark.rule("COS-COVER-10")
def test_each_of_several_attacks_guesses_again() -> None:
    stage = duel()
    weapon = stage.weapon(ADA, "pistol")
    dice: Given = [2, 9, (9, 9), 5, 1]
    submission = {"target": BO, "weapon": weapon, "concealment": "total", "guess": "roll"}
    stage.do("attack", ADA, attacks=3, dice=dice, **submission)
    assert [check.good for check in stage.checks("guess")] == [False, True, False]
    assert stage.check("attack").total == 18 + 8 - 4 - 4
    assert stage.item(ADA, "pistol").loaded == 12


@pytest.mark.rule("COS-COVER-10")
def test_a_disarm_goes_wrong_in_the_wrong_place_too() -> None:
    stage = duel("club", apart=1)
    submission = {"target": BO, "weapon": stage.weapon(ADA, "club"), "concealment": "total", "guess": "no"}
    stage.do("disarm", ADA, **submission)
    assert not stage.checks()
    assert stage[ADA].budget["standard"] == 0


@pytest.mark.rule("COS-COVER-10")
def test_a_knife_thrown_at_the_wrong_place_gives_nothing_away() -> None:
    stage = duel("throwing_knife", apart=4)
    submission = {"target": BO, "weapon": stage.weapon(ADA, "throwing_knife"), "concealment": "total"}
    stage.do("attack", ADA, guess="no", **submission)
    assert [lost.item.place for lost in stage.told(e.ItemLost)] == ["spent"]
    assert not stage.state.ground
