"""Attacks: the roll, the defense, and the effects of a hit."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import ChoiceRequest, RollRequest
from combat.rules.core.state import events as e
from combat.rules.core.wording import describe_facts
from combat.rules.guardians import SYSTEM
from combat.rules.guardians.fight.aim import weapon_choices
from tests.combat.rules.guardians.stage import ADA, BO, FIST, GuardStage, duel, helpless, open_duel
from tests.typed import as_a


def outcome(stage: GuardStage) -> str:
    return stage.first().outcome


# ---------------------------------------------------------------- the roll


@pytest.mark.rule("CG-ATK-01")
@pytest.mark.parametrize(("die", "good"), [(25, True), (26, False)])
def test_a_club_uses_bludgeon_weapons(die: int, good: bool) -> None:
    stage = open_duel("club", hero={"bludgeon_weapons": 5})
    stage.attack(die, *((9,) if good else ()))
    assert stage.first().against == 25
    assert stage.first().good is good


@pytest.mark.rule("CG-ATK-02")
@pytest.mark.parametrize(
    ("die", "fatigue", "good"), [(55, 0, True), (56, 0, False), (46, 2, False), (45, 2, True)]
)
def test_five_points_for_each_rank(die: int, fatigue: int, good: bool) -> None:
    stage = open_duel("long_sword", hero={"blades": 11})
    stage.set_track(ADA, fatigue=fatigue)
    stage.attack(die, *((9,) if good else ()))
    assert stage.first().good is good


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


@pytest.mark.rule("CG-DEF-01")
def test_only_a_success_is_defended_against() -> None:
    stage = duel("long_sword", hero={"blades": 11})
    stage.attack(80)
    assert len(stage.checks()) == 1
    stage.turn(ADA)
    stage.attack(40, "dodge", 1)
    assert [c.what for c in stage.checks()] == ["check.attack", "check.dodge"]


@pytest.mark.rule("CG-DEF-02")
def test_dodging_uses_the_higher_of_two() -> None:
    stage = duel("long_sword", hero={"blades": 11}, foe={"coordination": 11, "acrobatics": 8})
    stage.attack(40, "dodge", 55)
    assert (stage.checks()[1].against, stage.checks()[1].good) == (55, True)


@pytest.mark.rule("CG-DEF-03")
def test_parrying_takes_a_weapon_in_hand() -> None:
    stage = duel("long_sword", hero={"blades": 11}, foe={"blades": 12})
    stage.hold_things(BO, "long_sword")
    stage.attack(40, "parry", 61, 9)
    assert (stage.checks()[1].against, stage.checks()[1].good) == (60, False)
    stage = duel("long_sword", hero={"blades": 11}, foe={"blades": 12})
    stage.attack(40, "dodge", 1)
    assert "parry" not in open_ways(stage)


def open_ways(stage: GuardStage) -> set[str]:
    """The possible defenses against the last attack."""
    (request,) = (asked for asked in stage.asked if isinstance(asked, ChoiceRequest))
    return {option.value for option in request.options if not option.refused}


@pytest.mark.rule("CG-DEF-04")
@pytest.mark.parametrize(("shields", "chance"), [(("buckler",), 45), ((), 25)])
def test_blocking_with_a_shield_or_bare_hands(shields: tuple[str, ...], chance: int) -> None:
    stage = duel(
        "long_sword", hero={"blades": 11}, foe={"unarmed_combat": 5, "shield": 9, "shields": shields}
    )
    stage.attack(40, "block", 100, 9)
    assert stage.checks()[1].against == chance


@pytest.mark.rule("CG-DEF-05")
def test_a_defense_that_succeeds_leaves_no_hit() -> None:
    stage = duel("long_sword", hero={"blades": 12}, foe={"coordination": 11})
    stage.attack(12, "dodge", 50)
    assert not [roll for roll in stage.asked if getattr(roll, "dice", "") == "1d12"]
    stage.turn(ADA)
    stage.attack(12, "dodge", 56, 9)
    assert stage.has(BO, "unconscious")


@pytest.mark.rule("CG-DEF-05")
def test_a_defense_may_have_to_match_the_margin() -> None:
    stage = duel("long_sword", hero={"blades": 12}, foe={"coordination": 11}, defense_rule="match_margin")
    stage.attack(12, "dodge", 8, 9)
    assert not stage.checks()[1].good
    stage.turn(ADA)
    stage = duel("long_sword", hero={"blades": 12}, foe={"coordination": 11}, defense_rule="match_margin")
    stage.attack(12, "dodge", 7)
    assert stage.checks()[1].good


@pytest.mark.rule("CG-DEF-06")
def test_players_defend_as_opponents_do() -> None:
    stage = duel(hero={"coordination": 11})
    stage.edit(BO, sheet={**stage[BO].sheet, "ranks": {**stage[BO].sheet["ranks"], "unarmed_combat": 10}})
    stage.turn(BO)
    stage.attack(30, "dodge", 55, who=BO, on=ADA)
    assert [c.who for c in stage.checks()] == [BO, ADA]


@pytest.mark.rule("CG-ACT-04")
def test_the_extra_defense_is_one_second_roll() -> None:
    stage = duel("long_sword", hero={"blades": 12})
    stage.turn(BO)
    stage.do("guard", BO)
    stage.turn(ADA)
    stage.attack(10, "dodge", 99, "dodge", 10)
    assert not stage.has(BO, "extra_defense")
    stage.turn(ADA)
    stage.attack(10, "dodge", 99, 9)
    assert stage.has(BO, "unconscious")


@pytest.mark.rule("CG-ACT-04")
def test_defenses_may_be_numbered_and_the_extra_one_adds_to_them() -> None:
    stage = duel("long_sword", hero={"blades": 12}, free_defenses_per_round=1)
    stage.turn(BO)
    stage.do("guard", BO)
    for dice in ((10, "dodge", 10), (10, "dodge", 10), (10, 9)):
        stage.turn(ADA)
        stage.attack(*dice)
    assert stage.has(BO, "unconscious")


@pytest.mark.rule("CG-PRONE-02")
def test_the_prone_defend_better_against_arrows() -> None:
    stage = duel("long_bow", hero={"archery": 12}, foe={"coordination": 11})
    stage.give(BO, "prone")
    stage.attack(10, "dodge", 75)
    assert (stage.checks()[1].against, stage.checks()[1].good) == (75, True)


@pytest.mark.rule("CG-PRONE-03")
@pytest.mark.parametrize(("ranks", "chance"), [(0, 55), (-2, 45)])
def test_and_not_against_swords(ranks: int, chance: int) -> None:
    stage = duel("long_sword", hero={"blades": 12}, foe={"coordination": 11}, prone_melee_defense=ranks)
    stage.give(BO, "prone")
    stage.attack(10, "dodge", 60, 9)
    assert (stage.checks()[1].against, stage.checks()[1].good) == (chance, False)


@pytest.mark.rule("CG-DEF-03", "CG-DEF-04")
def test_parrying_missiles_is_a_matter_of_the_table() -> None:
    for wanted, ways in (("yes", {"dodge", "parry", "block", "none"}), ("no", {"dodge", "none"})):
        stage = duel(
            "long_bow", hero={"archery": 12}, foe={"blades": 12}, parry_and_unarmed_block_vs_missiles=wanted
        )
        stage.hold_things(BO, "long_sword")
        stage.attack(10, "dodge", 1)
        assert open_ways(stage) == ways


# ---------------------------------------------------------------- damage


@pytest.mark.rule("CG-LOC-01", "CG-LOC-06")
def test_the_place_is_rolled_before_the_damage() -> None:
    stage = open_duel("long_sword", hero={"blades": 12})
    stage.attack(10, 5, (4, 5))
    assert [as_a(roll, RollRequest).dice for roll in stage.asked] == ["1d100", "1d12", "2d6"]
    assert stage.part(BO, "left_leg") == 15 - (9 + 10 - 10)


@pytest.mark.rule("CG-ATK-03", "CG-REF-05")
def test_armor_and_toughness_come_off_the_damage() -> None:
    stage = open_duel("long_sword", hero={"blades": 12, "body": 11}, foe={"wears": ("riot_gear",)})
    stage.attack(10, 2, (4, 5))
    assert stage.part(BO, "left_arm") == 10 - 7
    stage.turn(ADA)
    stage.attack(10, 3, (1, 1), adjust=0)
    assert stage.part(BO, "right_arm") == 10


@pytest.mark.rule("CG-ATK-04", "CG-LOC-03")
def test_what_is_left_comes_off_that_part_alone() -> None:
    stage = open_duel("long_sword", hero={"blades": 12, "body": 11})
    stage.attack(10, 2, (3, 3))
    assert stage.part(BO, "left_arm") == 3
    others = ("head", "right_arm", "torso", "left_leg", "right_leg")
    assert [stage.part(BO, place) for place in others] == [10, 10, 20, 15, 15]


@pytest.mark.rule("CG-ATK-05")
@pytest.mark.parametrize(
    ("row", "answers"), [(8, ("both",)), (9, ()), (10, ("nothing",)), (12, ("special",))]
)
def test_rows_without_a_part_cost_no_points(row: int, answers: tuple[str, ...]) -> None:
    stage = open_duel("long_sword", hero={"blades": 12})
    before = stage[BO].tracks
    stage.attack(10, row, *answers)
    assert stage[BO].tracks == before


@pytest.mark.rule("CG-REF-08")
@pytest.mark.parametrize(("row", "place", "lost"), [(4, "torso", 5), (5, "left_leg", 10)])
def test_a_vest_protects_the_torso_alone(row: int, place: str, lost: int) -> None:
    stage = open_duel("long_sword", hero={"blades": 12}, foe={"wears": ("kevlar_vest",)})
    whole = stage.part(BO, place)
    stage.attack(10, row, (5, 5))
    assert stage.part(BO, place) == whole - lost


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


@pytest.mark.rule("CG-ATK-01")
def test_a_thrown_knife_lies_beside_its_target() -> None:
    stage = duel("knife", hero={"thrown_weapons": 12})
    stage.edit(BO, at=stage[BO].at)
    helpless(stage)
    stage.attack(10, 2, 3, thrown=True)
    assert stage.first().against == 60
    assert stage.find(ADA, "knife") is None
    assert stage.state.ground[0].name == "Knife"


@pytest.mark.rule("CG-REF-05")
def test_range_costs_only_where_the_table_wants_it() -> None:
    for option, chance in (("off", 60), ("minus_2_per_step", 50)):
        stage = duel("light_pistol", hero={"firearms": 12}, foe={"at": (40, 0)}, range_penalty=option)
        stage.attack(61)
        assert stage.first().against == chance


# ---------------------------------------------------------------- reach and called shots


@pytest.mark.rule("CG-MOVE-03")
@pytest.mark.parametrize(
    ("yards", "running", "reaches"), [(6, 10, True), (7, 10, False), (5, 9, True), (6, 9, False)]
)
def test_half_a_move_comes_with_a_blow(yards: int, running: int, reaches: bool) -> None:
    stage = duel("long_sword", hero={"blades": 12, "running": running}, foe={"at": (yards, 0)})
    if reaches:
        stage.attack(99)
        assert stage[ADA].at.x == yards - 1
    else:
        refused = stage.refused("attack", ADA, target=BO, weapon=stage.find_ready(ADA).id)
        assert refused.code == "out_of_range"


@pytest.mark.rule("CG-MOVE-03")
def test_what_is_left_of_the_half_follows_the_blow() -> None:
    stage = duel("long_sword", hero={"blades": 12, "running": 10}, foe={"at": (4, 0)})
    stage.attack(99)
    assert stage[ADA].budget["yards"] == 2
    stage.do("walk_on", ADA, to="1,0")
    assert stage[ADA].at.x == 1
    assert "No movement left" in stage.refused("walk_on", ADA, to="0,0").message


@pytest.mark.rule("CG-MOVE-04")
def test_shooting_allows_no_movement() -> None:
    stage = duel("light_pistol", hero={"firearms": 12, "running": 10}, foe={"at": (20, 0)})
    stage.attack(99)
    assert stage[ADA].budget["yards"] == 0
    assert "No movement left" in stage.obstacle("walk_on", ADA)


@pytest.mark.rule("CG-REF-04")
@pytest.mark.parametrize(("place", "chance"), [("left_arm", 35), ("torso", 45), ("head", 25)])
def test_a_called_shot_costs_ranks_and_skips_the_d12(place: str, chance: int) -> None:
    stage = open_duel("long_sword", hero={"blades": 11})
    stage.attack(chance, (3, 3), called=place)
    assert stage.first().against == chance
    assert stage.part(BO, place) < 20


@pytest.mark.rule("CG-REF-04")
def test_the_log_tells_which_part_was_aimed_at() -> None:
    stage = duel("long_sword", hero={"blades": 11})
    stage.attack(99, called="left_leg")
    lines = [line.text for line in describe_facts(SYSTEM, stage.facts, {ADA: "Ada", BO: "Bo"})]
    assert lines == ["Ada aims at the left leg of Bo (Attack 99 vs chance 35): miss."]


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


@pytest.mark.rule("CG-ACT-02")
def test_one_action_a_round() -> None:
    stage = duel("long_sword", hero={"blades": 11})
    stage.attack(99)
    assert stage.refused("other", ADA, what="look around").code == "no_budget"
    assert stage.refused("move", ADA, to="5,0").code == "no_budget"


@pytest.mark.rule("CG-ATK-01")
def test_what_no_attack_may_be() -> None:
    stage = duel("long_sword")
    sword, fist = stage.find_ready(ADA).id, stage.item(ADA, FIST).id
    assert stage.refused("attack", ADA, target=ADA, weapon=sword).code == "bad_target"
    assert stage.refused("attack", ADA, target=BO, weapon=sword, thrown=True).code == "bad_value"
    stage.give(BO, "dead")
    assert stage.refused("attack", ADA, target=BO, weapon=fist).code == "bad_target"


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


def test_facts_of_an_attack_hold_their_rules() -> None:
    stage = open_duel("long_sword", hero={"blades": 12})
    stage.attack(10, 2, (3, 3))
    assert {"CG-ATK-02", "CG-LOC-01", "CG-ATK-04"} <= stage.rules()
    assert [f for f in stage.facts if isinstance(f.event, e.TrackChanged)]
