"""The tactics of a round: strike where it is worth most, get ready, close in, help the hurt."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.core.space import Point
from combat.rules.guardians import SYSTEM
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, helpless


def put(stage: GuardStage, who: str, x: float, y: float = 0) -> None:
    stage.edit(who, at=Point(x, y))


def follow(stage: GuardStage, *dice: Any) -> str:
    """Do the suggested action; return its name."""
    name, fields = stage.choose()
    stage.do(name, ADA, dice=dice, **fields)
    return name


# ---------------------------------------------------------------- attacking


@pytest.mark.rule("CG-ACT-02", "CG-ATK-01")
def test_one_blow_and_the_round_is_spent() -> None:
    stage = duel("long_sword", hero={"blades": 12})
    name, fields = stage.choose()
    assert (name, fields["target"], fields["weapon"]) == ("attack", BO, stage.item(ADA, "long_sword").id)
    assert follow(stage, 99) == "attack"
    assert stage.choose() == ("", {})


@pytest.mark.rule("CG-ATK-01")
@pytest.mark.parametrize(("blades", "clubs", "best"), [(16, 8, "long_sword"), (2, 16, "club")])
def test_the_weapon_that_is_worth_most_is_used(blades: int, clubs: int, best: str) -> None:
    stage = duel("long_sword", "club", hero={"blades": blades, "bludgeon_weapons": clubs})
    assert stage.choose()[1]["weapon"] == stage.item(ADA, best).id


@pytest.mark.rule("CG-REF-04", "CG-HEAD-01")
@pytest.mark.parametrize(("blades", "called"), [(16, "head"), (7, "")])
def test_a_part_is_named_if_the_ranks_allow_it(blades: int, called: str) -> None:
    stage = duel("long_sword", hero={"blades": blades})
    assert stage.choose()[1].get("called", "") == called


@pytest.mark.rule("CG-REF-04")
def test_no_part_is_named_that_would_hardly_be_hit() -> None:
    """Though a blow at the head may end the fight."""
    named = dict[bool, list[float]]()
    for blades in range(6, 18):
        stage = duel("long_sword", hero={"blades": blades})
        name, fields = stage.choose()
        headline = stage.odds(name, ADA, **{**fields, "called": "head"}).headline
        assert headline is not None
        named.setdefault(fields.get("called") == "head", []).append(headline.chance)
    assert max(named[False]) < 0.3 <= min(named[True])


@pytest.mark.rule("CG-REF-04")
def test_no_part_is_named_where_the_table_allows_none() -> None:
    stage = duel("long_sword", hero={"blades": 16}, called_shots="off")
    assert "called" not in stage.choose()[1]


@pytest.mark.rule("CG-REF-04", "CG-REF-08")
def test_below_an_armored_head_the_torso_is_named() -> None:
    stage = duel("long_sword", hero={"blades": 16}, foe={"natural_armor": {"head": 30}})
    assert stage.choose()[1]["called"] == "torso"


@pytest.mark.rule("CG-REF-08", "CG-ATK-03")
def test_of_two_the_one_without_armor_is_struck() -> None:
    stage = duel("long_sword", hero={"blades": 12}, foe={"wears": ("riot_gear",)})
    cy = stage.foe("Cy", at=(0, 1))
    assert stage.choose()[1]["target"] == cy
    stage.edit(BO, items=tuple(item for item in stage[BO].items if item.kind != "armor"))
    assert stage.choose()[1]["target"] == BO


@pytest.mark.rule("CG-DEF-02")
def test_of_two_the_one_who_cannot_defend_is_struck() -> None:
    stage = duel("long_sword", hero={"blades": 12})
    cy = stage.foe("Cy", at=(0, 1))
    assert stage.choose()[1]["target"] == BO
    helpless(stage, cy)
    assert stage.choose()[1]["target"] == cy


@pytest.mark.parametrize("kind", ["dead", "unconscious"])
def test_who_is_down_is_left_alone(kind: str) -> None:
    stage = duel("long_sword", hero={"blades": 12})
    stage.give(BO, kind)
    assert stage.choose() == ("", {})
    cy = stage.foe("Cy", at=(0, 1))
    assert stage.choose()[1]["target"] == cy


def test_nobody_strikes_friends_bystanders_or_the_unseen() -> None:
    for changes in ({"side": "allies"}, {"side": "neutral"}, {"hidden": True}):
        stage = duel("long_sword", hero={"blades": 12})
        stage.edit(BO, **changes)
        assert stage.choose() == ("", {})


@pytest.mark.rule("CG-STUN-01", "CG-FAT-04", "CG-REF-03")
@pytest.mark.parametrize("kind", ["stunned", "surprised", "unconscious", "exhausted", "dead"])
def test_who_cannot_act_is_advised_nothing(kind: str) -> None:
    stage = duel("long_sword", hero={"blades": 12})
    stage.give(ADA, kind)
    assert stage.choose() == ("", {})
    assert SYSTEM.tactics.suggest(stage.state, "nobody") is None


# ---------------------------------------------------------------- getting ready


@pytest.mark.rule("CG-PRONE-01")
def test_the_prone_get_up_first() -> None:
    stage = duel("long_sword", hero={"blades": 12})
    stage.give(ADA, "prone")
    assert follow(stage) == "stand_up"
    assert stage.choose() == ("", {})
    stage.turn(ADA)
    assert stage.choose()[0] == "attack"


@pytest.mark.rule("CG-MOVE-03")
@pytest.mark.parametrize(("yards", "name"), [(5, "attack"), (6, "move")])
def test_enemy_in_half_a_move_is_struck_and_a_farther_one_neared(yards: int, name: str) -> None:
    stage = duel("long_sword", hero={"blades": 12, "running": 8})
    put(stage, BO, yards)
    assert stage.choose()[0] == name


@pytest.mark.rule("CG-ACT-03", "CG-MOVE-01")
def test_the_nearest_is_walked_to_as_far_as_a_move_goes() -> None:
    stage = duel("long_sword", hero={"blades": 12, "running": 8})
    put(stage, BO, 40)
    cy = stage.foe("Cy", at=(0, 30))
    assert stage.choose() == ("move", {"to": f"near:{cy}"})
    follow(stage)
    assert stage[ADA].at.y == pytest.approx(10)


@pytest.mark.rule("CG-MOVE-04")
def test_who_can_shoot_stays_put() -> None:
    stage = duel("light_pistol", hero={"firearms": 12})
    put(stage, BO, 20)
    assert stage.choose()[0] == "attack"
    assert stage[ADA].at.x == 0


@pytest.mark.rule("CG-ACT-05")
def test_out_of_reach_the_best_of_what_is_carried_is_drawn() -> None:
    stage = duel(hero={"blades": 12, "bludgeon_weapons": 6})
    put(stage, BO, 30)
    for weapon in ("club", "long_sword"):
        stage.do("arm", target=ADA, weapon=weapon)
    assert stage.choose() == ("draw", {"item": stage.item(ADA, "long_sword").id})
    follow(stage)
    stage.turn(ADA)
    assert stage.choose()[0] == "move"


@pytest.mark.rule("CG-LIMB-02")
def test_a_great_sword_is_not_drawn_with_one_arm() -> None:
    stage = duel(hero={"blades": 12, "bludgeon_weapons": 6})
    put(stage, BO, 30)
    for weapon in ("club", "great_sword"):
        stage.do("arm", target=ADA, weapon=weapon)
    stage.set_part(ADA, "left_arm", 5)
    assert stage.choose() == ("draw", {"item": stage.item(ADA, "club").id})


@pytest.mark.rule("CG-ACT-05")
def test_who_was_disarmed_picks_the_weapon_up_or_goes_to_it() -> None:
    stage = duel("long_sword", hero={"blades": 12, "running": 8})
    sword = stage.item(ADA, "long_sword").id
    stage.do("let_go", ADA, item=sword)
    assert stage.choose() == ("pick_up", {"item": sword})
    put(stage, ADA, 0, 4)
    assert stage.choose() == ("move", {"to": "0,0"})
    follow(stage)
    stage.turn(ADA)
    assert follow(stage) == "pick_up"
    stage.turn(ADA)
    assert stage.choose()[0] == "attack"


@pytest.mark.rule("CG-ACT-05")
def test_who_fights_as_well_with_bare_hands_leaves_the_weapon() -> None:
    stage = duel("club", hero={"unarmed_combat": 14, "bludgeon_weapons": 6})
    stage.do("let_go", ADA, item=stage.item(ADA, "club").id)
    assert stage.choose()[0] == "attack"


# ---------------------------------------------------------------- helping


def ward(ranks: int = 10, **more: Any) -> tuple[GuardStage, str]:
    """Ada beside her ally Cy whose arm is lost; Bo next to both."""
    stage = duel("club", hero={"bludgeon_weapons": 12, "first_aid": ranks, **more})
    cy = stage.hero("Cy", at=(0, 1))
    stage.set_part(cy, "left_arm", 0)
    return stage, cy


@pytest.mark.rule("CG-BLEED-03")
@pytest.mark.parametrize(("ranks", "name"), [(6, "first_aid"), (5, "attack")])
def test_those_who_know_first_aid_stanch_before_they_fight(ranks: int, name: str) -> None:
    assert ward(ranks)[0].choose()[0] == name


@pytest.mark.rule("CG-BLEED-03")
def test_bleeding_limb_is_named_and_then_the_fight_goes_on() -> None:
    stage, cy = ward()
    assert stage.choose() == ("first_aid", {"target": cy, "place": "left_arm"})
    follow(stage, 1)
    stage.turn(ADA)
    assert stage.choose()[0] == "attack"


@pytest.mark.rule("CG-BLEED-03")
def test_bleeding_friend_is_approached_and_an_enemy_not_helped() -> None:
    stage, cy = ward()
    put(stage, cy, 0, 5)
    assert stage.choose() == ("move", {"to": f"near:{cy}"})
    stage.edit(cy, side="enemies")
    assert stage.choose()[0] == "attack"


@pytest.mark.rule("CG-BLEED-03", "CG-LOC-10")
def test_who_was_knocked_out_is_woken() -> None:
    stage = duel("club", hero={"bludgeon_weapons": 12, "first_aid": 10})
    cy = stage.hero("Cy", at=(0, 1))
    stage.do("impose", target=cy, kind="unconscious", rounds=5)
    assert stage.choose()[:1] == ("first_aid",)
    assert follow(stage, 1) == "first_aid"
    assert not stage.has(cy, "unconscious")


@pytest.mark.rule("CG-TORSO-03")
def test_painkillers_for_ones_own_torso_once() -> None:
    stage = duel("club", hero={"bludgeon_weapons": 12, "gear": ("painkillers", "painkillers")})
    assert stage.choose()[0] == "attack"
    stage.set_part(ADA, "torso", 10)
    assert stage.choose() == ("painkillers", {"target": ADA})
    follow(stage)
    stage.turn(ADA)
    assert stage.choose()[0] == "attack"


@pytest.mark.rule("CG-TORSO-03")
def test_without_painkillers_a_torn_torso_fights_on() -> None:
    stage = duel("club", hero={"bludgeon_weapons": 12})
    stage.set_part(ADA, "torso", 10)
    assert stage.choose()[0] == "attack"


# ---------------------------------------------------------------- choices and whole fights


@pytest.mark.rule("CG-DEF-02", "CG-DEF-03", "CG-DEF-04")
@pytest.mark.parametrize(
    ("ranks", "best"),
    [({"acrobatics": 15}, "dodge"), ({"blades": 15}, "parry"), ({"unarmed_combat": 15}, "block")],
)
def test_the_best_defense_is_the_answer(ranks: dict[str, int], best: str) -> None:
    stage = duel("long_sword", hero={"blades": 12}, foe=ranks)
    stage.hold_things(BO, "long_sword")
    stage.attack(10, best, 1)
    asked = next(request for request in stage.asked if isinstance(request, ChoiceRequest))
    assert SYSTEM.tactics.decide(asked) == best


@pytest.mark.rule("CG-LOC-09", "CG-SPEC-06")
def test_suggested_result_is_the_answer_to_the_gms_question() -> None:
    for location, answer in ((8, "both"), (10, "disarm")):
        stage = duel("long_sword", hero={"blades": 12})
        stage.hold_things(BO, "club")
        stage.attack(10, "none", location, answer, *((3,) if answer == "disarm" else ()))
        asked = [request for request in stage.asked if isinstance(request, ChoiceRequest)][-1]
        assert SYSTEM.tactics.decide(asked) == answer
