"""The d12 row by row, the extremity of a 7, and the results that hit no part of the body."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import ChoiceRequest
from combat.rules.guardians.characters.values import find_armor
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel, helpless, open_duel
from tests.typed import as_a

PLACES = ("head", "left_arm", "right_arm", "torso", "left_leg", "right_leg")


def hit(
    *dice: Any, weapon: str = "long_sword", foe: dict[str, Any] | None = None, **options: Any
) -> GuardStage:
    """Ada hits a helpless Bo, with these dice after the attack roll."""
    stage = open_duel(
        weapon, hero={"blades": 12, "whip_flail": 12, "bludgeon_weapons": 12}, foe=foe, **options
    )
    stage.attack(10, *dice)
    return stage


def lost(stage: GuardStage) -> dict[str, int]:
    whole = dict(zip(PLACES, (10, 10, 10, 20, 15, 15), strict=True))
    return {
        place: whole[place] - stage.part(BO, place)
        for place in PLACES
        if stage.part(BO, place) < whole[place]
    }


# ---------------------------------------------------------------- parts of the body


@pytest.mark.rule("CG-LOC-02")
@pytest.mark.parametrize(
    ("option", "dice", "wanted"),
    [
        ("reroll", (1, 1, 1, 1, 1, 4, (1, 3)), {"torso": 4}),
        ("no_effect", (1,), {}),
        ("gm", (1, "torso", (1, 3)), {"torso": 4}),
        ("gm", (1, "nothing"), {}),
    ],
)
def test_a_one_has_no_line(option: str, dice: tuple[Any, ...], wanted: dict[str, int]) -> None:
    assert lost(hit(*dice, d12_one=option)) == wanted


# ---------------------------------------------------------------- seven


@pytest.mark.rule("CG-LOC-02", "CG-SPEC-02")
@pytest.mark.parametrize(("one", "share"), [("no_effect", 1 / 12), ("reroll", 1 / 11)])
@pytest.mark.parametrize("limbs", ["as_d12_rows", "limbs_only_reroll_1_and_4"])
def test_dice_rolled_again_leave_the_others_their_shares(one: str, share: float, limbs: str) -> None:
    """An 8 stuns, of those rolls that count."""
    stage = duel("long_sword", hero={"blades": 14}, d12_one=one, d6_table=limbs)
    helpless(stage)
    odds = stage.odds("attack", ADA, target=BO, weapon=stage.find_ready(ADA).id)
    chances = {measure.label: measure.chance for measure in odds.measures}
    assert chances["Bo: stunned"] == pytest.approx(0.70 * share)


@pytest.mark.rule("CG-LOC-08", "CG-SPEC-02")
@pytest.mark.parametrize(("die", "place"), list(enumerate(PLACES, 1)))
def test_a_six_sided_die_finds_the_extremity(die: int, place: str) -> None:
    stage = hit(7, die, (1, 3))
    assert lost(stage) == {place: 4}
    assert stage[BO].tracks["toughness"] == 9


@pytest.mark.rule("CG-SPEC-02")
@pytest.mark.parametrize(
    ("dice", "place"), [((1, 4, 3), "right_arm"), ((6,), "right_leg"), ((4, 1, 4, 4, 1, 5), "left_leg")]
)
def test_limbs_only_by_house_rule(dice: tuple[int, ...], place: str) -> None:
    assert lost(hit(7, *dice, (1, 3), d6_table="limbs_only_reroll_1_and_4")) == {place: 4}


@pytest.mark.rule("CG-SPEC-03")
@pytest.mark.parametrize(
    ("option", "dice", "points"),
    [("zero_then_damage", ((1, 3),), 4), ("old_armor_then_zero", ((1, 3),), 0), ("no_damage", (), 0)],
)
def test_result_7_destroys_armor_and_damages_by_option(
    option: str, dice: tuple[Any, ...], points: int
) -> None:
    stage = hit(7, 2, *dice, foe={"wears": ("chain_mail",)}, seven_damage=option)
    assert lost(stage).get("left_arm", 0) == points
    assert find_armor(stage[BO], "left_arm") == 0


@pytest.mark.rule("CG-SPEC-04")
@pytest.mark.parametrize(("option", "ranks"), [("at_location", 9), ("anywhere", 10)])
def test_a_helmet_may_count_for_the_whole_body(option: str, ranks: int) -> None:
    stage = hit(7, 5, (1, 1), foe={"wears": ("motorcycle_helmet",)}, no_armor_means=option)
    assert stage[BO].tracks["toughness"] == ranks


@pytest.mark.rule("CG-SPEC-01")
@pytest.mark.parametrize("weapon", ["whip", "flail"])
def test_whip_and_flail_may_disarm_on_a_seven(weapon: str) -> None:
    stage = duel(weapon, hero={"whip_flail": 12}, foe={"wears": ("chain_mail",)})
    stage.hold_things(BO, "long_sword")
    helpless(stage)
    stage.attack(10, 7, "disarm")
    assert stage.find(BO, "long_sword") is None
    assert lost(stage) == {}
    assert find_armor(stage[BO], "left_arm") == 4
    stage.turn(ADA)
    stage.attack(10, 7, 2, (1,) if weapon == "whip" else (1, 1))
    assert find_armor(stage[BO], "left_arm") == 0


@pytest.mark.rule("CG-SPEC-01")
def test_a_club_disarms_nobody() -> None:
    stage = duel("club", hero={"bludgeon_weapons": 12})
    stage.hold_things(BO, "long_sword")
    helpless(stage)
    stage.attack(10, 7, 4, (1,))
    assert stage.find(BO, "long_sword") is not None


# ---------------------------------------------------------------- eight, nine, ten, twelve


@pytest.mark.rule("CG-LOC-09")
@pytest.mark.parametrize(
    ("option", "dice", "wanted"),
    [
        ("gm_choice", (8, "prone"), {"prone"}),
        ("both", (8,), {"prone", "stunned"}),
        ("prone", (8,), {"prone"}),
        ("stunned", (8,), {"stunned"}),
        *(("d6", (8, die), {"prone"}) for die in (1, 2)),
        *(("d6", (8, die), {"stunned"}) for die in (3, 4)),
        *(("d6", (8, die), {"prone", "stunned"}) for die in (5, 6)),
    ],
)
def test_result_8_knocks_prone_stuns_or_both_by_option(
    option: str, dice: tuple[Any, ...], wanted: set[str]
) -> None:
    stage = hit(*dice, result_8=option)
    assert {kind for kind in ("prone", "stunned") if stage.has(BO, kind)} == wanted
    assert lost(stage) == {}


@pytest.mark.rule("CG-LOC-09")
def test_both_effects_of_an_8_are_suggested_to_the_gm() -> None:
    stage = hit(8, "both")
    asked = as_a(stage.asked[-1], ChoiceRequest)
    assert (asked.who, asked.default) == ("gm", "both")


@pytest.mark.rule("CG-LOC-10")
def test_a_nine_knocks_out_for_a_minute() -> None:
    stage = hit(9)
    assert stage.has(BO, "unconscious")
    assert stage.has(BO, "prone")
    assert lost(stage) == {}
    for _ in range(10):
        assert stage.has(BO, "unconscious")
        stage.end_turn(*((5, 5) if stage.state.active == ADA else ()))
    stage.end_turn(5, 5)
    assert not stage.has(BO, "unconscious")
    assert stage.state.round == 12


@pytest.mark.rule("CG-LOC-10")
@pytest.mark.parametrize(
    ("options", "dice", "out"),
    [
        ({"knockout_resist": "toughness_roll"}, (9, 50), False),
        ({"knockout_resist": "health_roll"}, (9, 51), True),
        ({"knockout_rounds": "1d10"}, (9, 4), True),
        ({"knockout_rounds": "until_end"}, (9,), True),
        ({"knockout_rounds": 3}, (9,), True),
    ],
)
def test_knock_outs_by_house_rule(options: dict[str, Any], dice: tuple[Any, ...], out: bool) -> None:
    stage = hit(*dice, **options)
    assert stage.has(BO, "unconscious") is out
    if "knockout_rounds" in options:
        lasts = {"1d10": 4, "until_end": None, 3: 3}[options["knockout_rounds"]]
        held = next(c for c in stage[BO].conditions if c.kind == "unconscious")
        ends = held.marks.get("ends_at")
        assert ends == (None if lasts is None else stage.state.clock + 6 * (1 + lasts))


@pytest.mark.rule("CG-LOC-10")
def test_until_the_end_is_until_the_fight_ends() -> None:
    stage = hit(9, knockout_rounds="until_end")
    stage.do("end_fight")
    assert not stage.has(BO, "unconscious")


@pytest.mark.rule("CG-LOC-11", "CG-SPEC-06")
def test_a_shield_is_suggested_first() -> None:
    stage = duel("long_sword", hero={"blades": 12}, foe={"shields": ("buckler",)})
    shield = stage.find(BO, "buckler")
    assert shield is not None
    stage.hold_things(BO, "long_sword")
    helpless(stage)
    stage.attack(10, 12, "shield")
    asked = as_a(stage.asked[-1], ChoiceRequest)
    assert (asked.who, asked.default) == ("gm", "shield")
    assert stage.find(BO, "buckler") is None


@pytest.mark.rule("CG-SPEC-06", "CG-SPEC-07")
@pytest.mark.parametrize(("answer", "told"), [("special", True), ("nothing", False)])
def test_special_damage_is_told_and_left_to_the_gm(answer: str, told: bool) -> None:
    stage = hit(10, answer)
    assert ("does something special" in " ".join(stage.said())) is told
    assert lost(stage) == {}


@pytest.mark.rule("CG-LOC-11")
def test_a_weapon_may_break_instead() -> None:
    stage = duel("long_sword", hero={"blades": 12})
    stage.hold_things(BO, "club")
    helpless(stage)
    stage.attack(10, 12, "break")
    assert stage.find(BO, "club") is None
    assert not stage.state.ground


@pytest.mark.rule("CG-LOC-11")
def test_the_suggestion_may_be_automatic() -> None:
    stage = hit(12, result_10_12="automatic_suggestion")
    assert "does something special" in " ".join(stage.said())


@pytest.mark.rule("CG-SPEC-01")
def test_a_whip_takes_the_weapon_before_the_shield() -> None:
    stage = duel("whip", hero={"whip_flail": 12}, foe={"shields": ("buckler",)})
    stage.hold_things(BO, "club")
    helpless(stage)
    stage.attack(10, 7, "disarm")
    assert [(item.name, item.at) for item in stage.state.ground] == [("Club", stage[BO].at)]


@pytest.mark.rule("CG-SPEC-01")
def test_a_whip_disarms_nobody_with_empty_hands() -> None:
    stage = open_duel("whip", hero={"whip_flail": 12})
    stage.attack(10, 7, 5, (1,))
    assert stage[BO].tracks["toughness"] == 9


@pytest.mark.rule("CG-LOC-11", "CG-SPEC-06")
@pytest.mark.parametrize(
    ("weapons", "shields", "offered"),
    [
        (("club",), ("buckler",), ["shield", "disarm", "break", "special", "nothing"]),
        ((), ("buckler",), ["shield", "special", "nothing"]),
        (("club",), (), ["disarm", "break", "special", "nothing"]),
        ((), (), ["special", "nothing"]),
    ],
)
def test_the_gm_is_offered_what_can_be_lost(
    weapons: tuple[str, ...], shields: tuple[str, ...], offered: list[str]
) -> None:
    stage = duel("long_sword", hero={"blades": 12}, foe={"shields": shields})
    stage.hold_things(BO, *weapons)
    helpless(stage)
    stage.attack(10, 12, "nothing")
    assert [option.value for option in as_a(stage.asked[-1], ChoiceRequest).options] == offered


@pytest.mark.rule("CG-LOC-10")
def test_the_unconscious_drop_all_and_no_longer_hold_or_guard() -> None:
    stage = duel("long_sword", hero={"blades": 12}, foe={"shields": ("buckler",)})
    stage.hold_things(BO, "club")
    for kind in ("surprised", "holding", "extra_defense", "stunned"):
        stage.give(BO, kind)
    stage.attack(10, 9)
    assert sorted(item.name for item in stage.state.ground) == ["Buckler", "Club"]
    assert {held.kind for held in stage[BO].conditions} == {"surprised", "unconscious", "prone", "stunned"}


@pytest.mark.rule("CG-STUN-01", "CG-STUN-02")
@pytest.mark.parametrize("kind", ["stunned", "terrified"])
@pytest.mark.parametrize("out", ["blow", "head", "severed"])
def test_lost_actions_stay_lost_through_a_knock_out(kind: str, out: str) -> None:
    """Line 27: the rest of the round and the following one, whatever else happens to them."""
    stage = duel("long_sword", hero={"blades": 12})
    stage.do("impose", target=BO, kind=kind, rounds=2)
    if out == "blow":
        stage.do("impose", target=BO, kind="unconscious", rounds=10)
    elif out == "head":
        stage.do("harm", target=BO, place="head", damage="5")
    else:
        stage.do("limb", target=BO, place="left_arm", state="severed", dice=[99])
    assert stage.has(BO, "unconscious")
    for held in [held for held in stage[BO].conditions if held.kind == "unconscious" and out != "head"]:
        stage.do("take_condition", target=BO, condition=held.id)
    if out == "head":
        stage.do("heal", target=BO, place="head", points=5)
    assert not stage.has(BO, "unconscious")
    assert stage.has(BO, kind)


@pytest.mark.rule("CG-LOC-10")
def test_a_minute_without_senses_outlasts_the_fight() -> None:
    stage = hit(9)
    stage.do("end_fight")
    assert stage.has(BO, "unconscious")
    stage.do("pass_time", count=2, unit="minutes")
    assert not stage.has(BO, "unconscious")


@pytest.mark.rule("CG-LOC-02", "CG-LOC-10", "CG-ATK-01")
@pytest.mark.parametrize(
    ("answers", "options"), [((1,), {"d12_one": "no_effect"}), ((9, 1), {"knockout_resist": "health_roll"})]
)
def test_thrown_weapon_that_does_nothing_still_lies_there(
    answers: tuple[int, ...], options: dict[str, Any]
) -> None:
    stage = open_duel("throwing_knife", hero={"thrown_weapons": 12}, **options)
    stage.attack(10, *answers)
    assert [item.name for item in stage.state.ground] == ["Throwing Knife"]
    assert not stage.has(BO, "unconscious")
