"""Attacks: the roll, the defense, and the effects of a hit."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.guardians.fight.attack import weapon_choices
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, open_duel


def outcome(stage: GuardStage) -> str:
    return stage.first().outcome


# ---------------------------------------------------------------- the roll


@pytest.mark.rule("CG-ATK-02")
def test_strictly_under_is_a_house_rule() -> None:
    stage = duel("long_sword", hero={"blades": 11}, success="strictly_under")
    stage.attack(55)
    assert outcome(stage) == "outcome.miss"


@pytest.mark.rule("CG-ATK-02")
def test_no_ranks_cannot_succeed_and_twenty_always_do() -> None:
    stage = duel("long_sword", hero={"blades": 0})
    stage.attack(1)
    assert not stage.first().good
    stage = open_duel("long_sword", hero={"blades": 20})
    stage.attack(100, 9)
    assert stage.first().good


@pytest.mark.rule("CG-ATK-02")
def test_twenty_ranks_always_succeed_even_strictly_under() -> None:
    stage = open_duel("long_sword", hero={"blades": 20}, success="strictly_under")
    stage.attack(100, 9)
    assert stage.first().good
    stage = duel("long_sword", hero={"blades": 19}, success="strictly_under")
    stage.attack(95)
    assert not stage.first().good


@pytest.mark.rule("CG-ATK-01")
def test_a_weapon_put_away_strikes_nobody() -> None:
    stage = duel("club", hero={"bludgeon_weapons": 10})
    stage.do("put_away", ADA, item=stage.item(ADA, "club").id)
    stage.turn(ADA)
    refused = stage.refused("attack", ADA, target=BO, weapon=stage.item(ADA, "club").id)
    assert (refused.code, "draw it first" in refused.message) == ("not_allowed", True)


@pytest.mark.rule("CG-ATK-02", "CG-REF-05")
@pytest.mark.parametrize(
    ("ranks", "options", "detail", "note"),
    [
        (9, {}, "2d6+10, 9 ranks", "Damage 2d6+10"),
        (0, {"attribute_damage": "none"}, "2d6, 0 ranks", "Damage 2d6"),
    ],
)
def test_form_leaves_out_what_adds_nothing(
    ranks: int, options: dict[str, Any], detail: str, note: str
) -> None:
    stage = duel("long_sword", hero={"blades": ranks, "body": 10}, **options)
    sword = stage.item(ADA, "long_sword").id
    told = next(choice for choice in weapon_choices(stage.state, stage[ADA]) if choice.value == sword)
    assert told.detail == detail
    shown = stage.preview("attack", ADA, target=BO, weapon=sword)
    assert stage.system.draw(shown.notes[0]) == note
    assert [term.value for term in shown.against] == [5 * ranks], "the first stays where none adds anything"


@pytest.mark.rule("CG-ATK-02")
def test_chances_may_be_kept_between_limits() -> None:
    stage = open_duel("long_sword", hero={"blades": 0}, chance_clamp="5_to_95")
    stage.attack(5, 9)
    assert (stage.first().good, stage.first().against) == (True, 5)


@pytest.mark.rule("CG-ATK-02")
@pytest.mark.parametrize(("die", "good"), [(95, True), (96, False)])
def test_limits_hold_for_the_best_too(die: int, good: bool) -> None:
    stage = open_duel("long_sword", hero={"blades": 25}, chance_clamp="5_to_95")
    stage.attack(die, *((9,) if good else ()))
    assert (stage.first().good, stage.first().against) == (good, 95)


@pytest.mark.rule("CG-ATK-02")
def test_no_chance_is_below_nothing() -> None:
    stage = duel("long_sword", hero={"blades": 3})
    stage.set_track(ADA, fatigue=8)
    stage.attack(1)
    assert (stage.first().good, stage.first().against) == (False, 0)


@pytest.mark.rule("CG-ATK-01")
def test_untrained_skills_may_have_half_of_coordination() -> None:
    stage = duel("long_sword", hero={"coordination": 11}, untrained_ranks="half_coordination")
    stage.attack(26)
    assert stage.first().against == 25


# ---------------------------------------------------------------- defense


@pytest.mark.rule("CG-DEF-05")
def test_a_defense_may_have_to_match_the_margin() -> None:
    stage = duel("long_sword", hero={"blades": 12}, foe={"coordination": 11}, defense_rule="match_margin")
    stage.attack(12, "dodge", 8, 9)
    assert not stage.checks()[1].good
    stage.turn(ADA)
    stage = duel("long_sword", hero={"blades": 12}, foe={"coordination": 11}, defense_rule="match_margin")
    stage.attack(12, "dodge", 7)
    assert stage.checks()[1].good


@pytest.mark.rule("CG-PRONE-03")
def test_and_against_swords_as_the_table_has_it() -> None:
    stage = duel("long_sword", hero={"blades": 12}, foe={"coordination": 11}, prone_melee_defense=-2)
    stage.give(BO, "prone")
    stage.attack(10, "dodge", 60, 9)
    assert stage.checks()[1].against == 45


# ---------------------------------------------------------------- damage


@pytest.mark.rule("CG-ATK-03")
@pytest.mark.parametrize(
    ("options", "lost"),
    [
        ({}, 7),
        ({"soak": "armor_else_toughness"}, 17),
        ({"soak": "higher"}, 10),
        ({"attribute_damage": "half_ranks"}, 2),
        ({"attribute_damage": "none", "toughness_soak": "none"}, 7),
        ({"toughness_soak": "half_ranks"}, 12),
    ],
)
def test_soak_and_damage_as_the_table_has_them(options: dict[str, str], lost: int) -> None:
    stage = open_duel("long_sword", hero={"blades": 12}, foe={"wears": ("riot_gear",)}, **options)
    stage.set_part(BO, "right_leg", 15)
    stage.edit(BO, sheet={**stage[BO].sheet, "mortality": {"right_leg": 60}})
    stage.set_track(BO, **{"mp.right_leg": 60})
    stage.attack(10, 6, (5, 5))
    assert stage.part(BO, "right_leg") == 60 - lost


@pytest.mark.rule("CG-REF-05")
def test_range_costs_only_where_the_table_wants_it() -> None:
    for option, chance in (("off", 60), ("minus_2_per_step", 50)):
        stage = duel("light_pistol", hero={"firearms": 12}, foe={"at": (40, 0)}, range_penalty=option)
        stage.attack(61)
        assert stage.first().against == chance


# ---------------------------------------------------------------- reach and called shots


@pytest.mark.rule("CG-MOVE-03")
def test_what_is_left_of_the_half_follows_the_blow() -> None:
    stage = duel("long_sword", hero={"blades": 12, "running": 10}, foe={"at": (4, 0)})
    stage.attack(99)
    assert stage[ADA].budget["yards"] == 2
    stage.do("walk_on", ADA, to="1,0")
    assert stage[ADA].at.x == 1
    assert "No movement left" in stage.refused("walk_on", ADA, to="0,0").message


@pytest.mark.rule("CG-REF-04")
@pytest.mark.parametrize(("place", "chance"), [("left_arm", 35), ("torso", 45), ("head", 25)])
def test_a_called_shot_costs_ranks_and_skips_the_d12(place: str, chance: int) -> None:
    stage = open_duel("long_sword", hero={"blades": 11})
    stage.attack(chance, (3, 3), called=place)
    assert stage.first().against == chance
    assert stage.part(BO, place) < 20


@pytest.mark.rule("CG-REF-04")
def test_called_shots_may_be_off_and_have_other_prices() -> None:
    stage = duel("long_sword", hero={"blades": 11}, called_shots="off")
    sword = stage.find_ready(ADA).id
    assert "no called shots" in stage.refused("attack", ADA, target=BO, weapon=sword, called="head").message
    stage = duel("long_sword", hero={"blades": 11}, called_limb=-1, called_head=-2, called_torso=0)
    for place, chance in (("left_arm", 50), ("head", 45), ("torso", 55)):
        stage.turn(ADA)
        stage.attack(99, called=place)
        assert stage.first().against == chance


@pytest.mark.rule("CG-ATK-01")
def test_what_no_attack_may_be() -> None:
    stage = duel("long_sword")
    sword = stage.find_ready(ADA).id
    assert stage.refused("attack", ADA, target=ADA, weapon=sword).code == "bad_target"
    assert stage.refused("attack", ADA, target=BO, weapon=sword, thrown=True).code == "bad_value"


def test_an_attack_tells_all_that_may_come_of_it() -> None:
    """The odds follow an attack to its end: hits, falls, limbs, death."""
    stage = duel("great_sword", hero={"blades": 14}, foe={"wears": ("chain_mail",)})
    odds = stage.odds("attack", ADA, target=BO, weapon=stage.find_ready(ADA).id)
    labels = {measure.label: measure.chance for measure in odds.measures}
    assert odds.headline is not None
    assert odds.headline.chance == pytest.approx(0.70)
    assert labels["Bo goes down"] > 0
    assert labels["Bo: left arm disabled"] > 0
    assert labels["Bo: dies"] > 0
    assert labels["Bo: stunned"] == pytest.approx(labels["Bo: prone"] - labels["Bo goes down"], abs=0.05)
    assert odds.runs < 600
