"""Attacks: the roll, the weapons, the range, and the rounds."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.cosmos.fight.rings import find_rings
from tests.combat.rules.cosmos.duels import (
    ADA,
    BO,
    defense,
    duel,
    labels,
    make_plain,
    rule_of,
    strike,
    sums,
    terms,
    total,
)
from tests.combat.rules.cosmos.figures import CosmosStage, words

# ---------------------------------------------------------------- who takes part


def test_nobody_attacks_those_who_left() -> None:
    stage = duel("pistol")
    stage.edit(BO, gone=True)
    weapon = stage.weapon(ADA, "pistol")
    assert stage.refused("attack", ADA, target=BO, weapon=weapon).code == "unknown"


def test_those_who_left_do_nothing() -> None:
    stage = duel("pistol")
    stage.edit(ADA, gone=True)
    assert stage.refused("quick_aim", ADA).code == "unknown"


# ---------------------------------------------------------------- the roll


@pytest.mark.rule("COS-ATK-01")
def test_attack_adds_attribute_half_combat_equipment_and_modifiers() -> None:
    stage = duel("pistol", bonus=True)
    stage.edit(ADA, at=Point(0, 0, 1))
    shot = strike(stage, "pistol", (5, 6))
    assert shot.total == 11 + 6 + 2 + 1 + 1
    assert terms(shot.modifiers) == [
        ("Coordination", 6, "COS-ATK-08"),
        ("Half Combat", 2, "COS-ATK-01"),
        ("Pistol", 1, "COS-ATK-03"),
        ("Higher ground", 1, "COS-MOD-07"),
    ]


@pytest.mark.rule("COS-ATK-01", "COS-DEF-02")
def test_half_of_an_odd_skill_goes_up_where_the_table_says_so() -> None:
    assert total(duel()) == 19
    generous = duel(round_half_skill="up")
    assert rule_of(sums(generous).modifiers, "Half Combat") == (3, "COS-ATK-01")
    assert defense(generous) == 19


@pytest.mark.rule("COS-ATK-01")
def test_half_of_an_even_skill_is_the_same_both_ways() -> None:
    for rounding in ("down", "up"):
        stage = duel(ada={"skills": {"Combat": 4}}, round_half_skill=rounding)
        assert total(stage) == 19


@pytest.mark.rule("COS-ATK-02")
@pytest.mark.parametrize(("faces", "outcome"), [((5, 5), "outcome.hit"), ((4, 5), "outcome.miss")])
def test_equal_to_defense_hits_and_one_less_misses(faces: tuple[int, int], outcome: str) -> None:
    stage = duel()
    shot = strike(stage, "pistol", faces, damage=4)
    assert (shot.total - 18, shot.against) == (sum(faces) - 10, 18)
    assert shot.outcome == outcome
    assert stage.hp(BO) == (92 if outcome == "outcome.hit" else 96)


@pytest.mark.rule("COS-ATK-03")
def test_equipment_bonus_helps_to_hit_and_not_to_hurt() -> None:
    assert total(duel("assault_rifle"), "assault_rifle") == 19
    stage = duel("assault_rifle", bonus=True)
    shot = strike(stage, "assault_rifle", (5, 6), damage=5)
    assert shot.total == 21
    assert rule_of(shot.modifiers, "Assault rifle") == (2, "COS-ATK-03")
    assert stage.hp(BO) == 91


@pytest.mark.rule("COS-ATK-03")
def test_a_damaged_weapon_loses_its_bonus_and_no_more() -> None:
    stage = duel("pistol", bonus=True)
    stage.mark(ADA, "pistol", damaged=2)
    assert labels(sums(stage).modifiers) == ["Coordination", "Half Combat"]


@pytest.mark.rule("COS-ATK-03")
@pytest.mark.parametrize(("weapon", "word"), [("sword", "Balanced"), ("crossbow", "Accurate")])
def test_balance_of_a_weapon_adds_one(weapon: str, word: str) -> None:
    stage = duel(weapon, apart=1, bonus=True)
    assert rule_of(sums(stage, weapon).modifiers, word) == (1, "COS-ATK-03")


# ---------------------------------------------------------------- melee and ranged


@pytest.mark.rule("COS-ATK-04")
def test_melee_uses_might_and_half_combat() -> None:
    blow = strike(duel("club", apart=1), "club", (5, 6))
    assert blow.total == 18
    assert terms(blow.modifiers) == [("Might", 5, "COS-ATK-04"), ("Half Combat", 2, "COS-ATK-01")]


@pytest.mark.rule("COS-ATK-08")
def test_ranged_uses_coordination_and_half_combat() -> None:
    shot = strike(duel(), "pistol", (5, 6))
    assert shot.total == 19
    assert terms(shot.modifiers) == [("Coordination", 6, "COS-ATK-08"), ("Half Combat", 2, "COS-ATK-01")]


@pytest.mark.rule("COS-ATK-06")
@pytest.mark.parametrize(("weapon", "sum_"), [("knife", 19), ("club", 16)])
def test_finesse_takes_coordination_in_place_of_might(weapon: str, sum_: int) -> None:
    stage = duel(weapon, apart=1, ada={"attributes": {"MIG": 3}})
    assert total(stage, weapon) == sum_


@pytest.mark.rule("COS-ATK-06")
@pytest.mark.parametrize(
    ("using", "label"), [("", "Coordination"), ("COO", "Coordination"), ("MIG", "Might")]
)
def test_the_attribute_of_a_finesse_weapon_is_the_attackers_choice(using: str, label: str) -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(weapons=("knife",)), stage.foe(at=(1, 0))
    stage.begin()
    fields = {"target": bo, "weapon": stage.weapon(ada, "knife"), "using": using}
    assert words(stage.preview("attack", ada, **fields).modifiers[0].label) == label
    stage.do("attack", ada, **fields, dice=[(1, 2)])
    assert words(stage.check("attack").modifiers[0].label) == label


@pytest.mark.rule("COS-ATK-06")
def test_the_form_offers_the_attribute_with_a_finesse_weapon_only() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(weapons=("knife",)), stage.foe(at=(1, 0), weapons=("club",))
    stage.begin()
    field = stage.form("attack", ada)["using"]
    labels = [option.label for option in field.options]
    assert (labels, field.more) == (["the better: Coordination 6", "Might 5", "Coordination 6"], False)
    assert stage.form("attack", bo)["using"].more  # fists are light, the club comes first
    stage.turn(bo)
    club = stage.weapon(bo, "club")
    text = stage.refused("attack", bo, target=ada, weapon=club, using="COO").message
    assert text == "Club takes Might: only finesse weapons leave the choice."


@pytest.mark.rule("COS-ATK-06")
def test_finesse_stays_with_might_where_that_is_better() -> None:
    stage = duel("knife", apart=1, ada={"attributes": {"MIG": 8}})
    assert terms(sums(stage, "knife").modifiers)[0] == ("Might", 8, "COS-ATK-04")
    quick = duel("knife", apart=1, ada={"attributes": {"MIG": 3}})
    assert terms(sums(quick, "knife").modifiers)[0] == ("Coordination", 6, "COS-ATK-06")


@pytest.mark.rule("COS-ATK-05")
def test_knife_reaches_one_metre_and_spear_two() -> None:
    stage = duel("knife", "spear", apart=2)
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "knife"))
    assert (no.code, no.message) == ("out_of_range", "Out of reach: Knife reaches 1 m, Bo is 2 m away.")
    assert total(stage, "spear") == 18
    stage.edit(BO, at=Point(3, 0))
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "spear"))
    assert no.message == "Out of reach: Spear reaches 2 m, Bo is 3 m away."


@pytest.mark.rule("COS-ATK-05")
def test_reach_is_measured_straight_across() -> None:
    stage = duel("knife")
    stage.edit(BO, at=Point(1, 1))
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "knife"))
    assert no.message == "Out of reach: Knife reaches 1 m, Bo is 1.4 m away."
    stage.edit(BO, at=Point(7, 0))
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "knife"))
    assert no.message == "Out of reach: Knife reaches 1 m, Bo is 7 m away."


@pytest.mark.rule("COS-ATK-05")
def test_long_arms_reach_farther() -> None:
    stage = duel("knife", apart=2, ada={"abilities": {"reach_bonus_m": 1}})
    assert strike(stage, "knife").good


# ---------------------------------------------------------------- damage of a hit


@pytest.mark.rule("COS-ATK-07")
@pytest.mark.parametrize(("combat", "lost"), [(4, 9), (5, 10), (6, 11), (0, 5)])
def test_the_whole_combat_skill_adds_to_melee_damage(combat: int, lost: int) -> None:
    stage = duel("sword", apart=1, ada={"skills": {"Combat": combat}})
    strike(stage, "sword", (9, 9), damage=5)
    assert stage.hp(BO) == 96 - lost


@pytest.mark.rule("COS-ATK-07")
def test_a_shot_does_the_damage_of_its_dice() -> None:
    stage = duel()
    strike(stage, "pistol", (9, 9), damage=5)
    assert stage.hp(BO) == 91


@pytest.mark.rule("COS-ATK-07")
@pytest.mark.parametrize(
    ("way", "sword", "pistol"),
    [("melee_full", 10, 5), ("melee_half", 7, 5), ("all_half", 7, 7), ("none", 5, 5)],
)
def test_combat_in_damage_is_what_the_table_plays(way: str, sword: int, pistol: int) -> None:
    for weapon, lost in (("sword", sword), ("pistol", pistol)):
        stage = duel(weapon, apart=1, combat_damage=way)
        strike(stage, weapon, (9, 9), damage=5)
        assert stage.hp(BO) == 96 - lost


@pytest.mark.rule("COS-ATK-07")
def test_half_combat_in_damage_follows_the_rounding_of_the_table() -> None:
    stage = duel("sword", apart=1, combat_damage="melee_half", round_half_skill="up")
    strike(stage, "sword", (9, 9), damage=5)
    assert stage.hp(BO) == 88


@pytest.mark.rule("COS-ATK-07")
def test_might_and_margin_add_nothing_to_damage() -> None:
    stage = duel("club", apart=1, ada={"attributes": {"MIG": 9}, "skills": {"Combat": 0}})
    strike(stage, "club", (9, 10), damage=3)
    (hurt,) = stage.told(e.TrackChanged)
    assert terms(hurt.terms) == [("Damage 1d6", 3, "COS-DMG-08")]
    assert stage.hp(BO) == 93


@pytest.mark.rule("COS-ATK-07")
@pytest.mark.parametrize(
    ("bo", "lost"),
    [
        ({}, 7),
        ({"armor": "light"}, 5 - 2),
        ({"natural_armor": 1}, 5 - 1),
        ({"shield": "energy_shield"}, 7),  # no armor, and none against a bullet
    ],
)
def test_a_lethal_weapon_does_two_more_where_no_armor_is(bo: dict[str, Any], lost: int) -> None:
    stage = duel("revolver", bo=bo)
    stage.change(ADA, "revolver", ap=0)
    strike(stage, "revolver", (9, 9), damage=5)
    assert stage.hp(BO) == 96 - lost


@pytest.mark.rule("COS-ATK-07")
@pytest.mark.parametrize(("weapon", "lost"), [("sword", 5 + 5 + 2), ("pistol", 5)])
def test_a_species_of_strong_limbs_strikes_harder_and_shoots_no_better(weapon: str, lost: int) -> None:
    stage = duel(weapon, apart=1, ada={"abilities": {"melee_damage": 2}})
    strike(stage, weapon, (9, 9), damage=5)
    assert stage.hp(BO) == 96 - lost


# ---------------------------------------------------------------- range


@pytest.mark.rule("COS-ATK-09")
@pytest.mark.parametrize(("metres", "change"), [(1, 0), (30, 0), (31, -2), (60, -2), (61, -4), (120, -4)])
def test_beyond_the_listed_range_a_shot_gets_harder(metres: int, change: int) -> None:
    assert total(duel(apart=metres)) == 19 + change


@pytest.mark.rule("COS-ATK-09")
def test_the_range_term_names_the_distance() -> None:
    shot = strike(duel(apart=45), "pistol")
    assert rule_of(shot.modifiers, "Range 45 m of 30 m") == (-2, "COS-ATK-09")


@pytest.mark.rule("COS-ATK-09")
def test_beyond_four_times_the_range_there_is_no_shot() -> None:
    stage = duel(apart=121)
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"))
    assert (no.code, no.message) == ("out_of_range", "Out of reach: Pistol reaches 120 m, Bo is 121 m away.")


@pytest.mark.rule("COS-ATK-09")
def test_without_range_bands_the_listed_range_is_the_limit() -> None:
    assert total(duel(apart=30, range_bands=False)) == 19
    stage = duel(apart=31, range_bands=False)
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"))
    assert no.message == "Out of reach: Pistol reaches 30 m, Bo is 31 m away."


@pytest.mark.rule("COS-ATK-05", "COS-ATK-09")
def test_the_map_has_rings_of_the_reach_and_the_ranges_of_weapons() -> None:
    stage = duel("pistol", "knife")
    found = find_rings(stage.state, stage[ADA])
    assert [(ring.metres, ring.words) for ring in found] == [
        (30, "Pistol: 30 m"),
        (60, "60 m: −2"),
        (120, "120 m: −4"),
        (1, "Knife: reach 1 m"),
        (1, "Unarmed strike: reach 1 m"),
    ]


@pytest.mark.rule("COS-ATK-09")
def test_thrown_weapons_stop_at_their_range() -> None:
    assert total(duel("throwing_knife", apart=10), "throwing_knife") == 19
    stage = duel("throwing_knife", apart=11)
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "throwing_knife"))
    assert no.message == "Out of reach: Throwing knife reaches 10 m, Bo is 11 m away."


@pytest.mark.rule("COS-ATK-10")
def test_the_gm_s_wind_is_a_term_of_the_shot() -> None:
    stage = duel()
    shot = strike(stage, "pistol", (5, 6), adjust=-2, because="wind")
    assert shot.total == 17
    assert rule_of(shot.modifiers, "Situational: wind") == (-2, "COS-ATK-10")


@pytest.mark.rule("COS-ATK-10")
def test_the_table_s_modifier_needs_no_reason() -> None:
    assert rule_of(sums(duel(), adjust=3).modifiers, "Situational") == (3, "COS-ATK-10")
    blow = sums(duel("club", apart=1), "club", adjust=3)
    assert rule_of(blow.modifiers, "Situational") == (3, "COS-MOD-01")


# ---------------------------------------------------------------- refusals


@pytest.mark.rule("COS-ATK-01")
def test_a_stowed_weapon_is_refused() -> None:
    stage = duel()
    stage.change_item(ADA, "pistol", place="carried")
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"))
    assert (no.code, no.message) == (
        "not_allowed",
        "Pistol is not in hand: draw it first (Move Action).",
    )


@pytest.mark.rule("COS-ATK-01")
def test_wrong_targets_and_weapons_are_refused() -> None:
    stage = duel("pistol", ada={"armor": "medium"})
    pistol = stage.weapon(ADA, "pistol")
    assert stage.refused("attack", ADA, target=ADA, weapon=pistol).code == "bad_target"
    assert stage.refused("attack", ADA, target="f99", weapon=pistol).code == "unknown"
    assert stage.refused("attack", ADA, target=BO, weapon="f1-99").code == "unknown"
    assert stage.refused("attack", ADA, target=BO, weapon=stage.weapon(BO, "club")).code == "unknown"
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "medium"))
    assert (no.code, no.message) == ("bad_value", "Medium armor is not a weapon.")
    stage.give(BO, "dead")
    no = stage.refused("attack", ADA, target=BO, weapon=pistol)
    assert (no.code, no.message) == ("bad_target", "Bo is dead.")


@pytest.mark.rule("COS-ATK-01")
@pytest.mark.parametrize(
    ("field", "value"),
    [("cover", "thick"), ("concealment", "fog"), ("flanking", "maybe"), ("guess", "?"), ("attacks", "many")],
)
def test_wrong_field_values_are_refused(field: str, value: str) -> None:
    stage = duel()
    weapon = stage.weapon(ADA, "pistol")
    assert stage.refused("attack", ADA, target=BO, weapon=weapon, **{field: value}).code == "bad_value"


@pytest.mark.rule("COS-ATK-01")
def test_nobody_attacks_on_another_s_turn() -> None:
    stage = duel()
    no = stage.refused("attack", BO, target=ADA, weapon=stage.weapon(BO, "pistol"))
    assert (no.code, no.message) == ("not_your_turn", "It is not Bo's turn.")


@pytest.mark.rule("COS-ATK-01")
def test_a_heavy_weapon_needs_might_three() -> None:
    stage = duel("shotgun", ada={"attributes": {"MIG": 2}})
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "shotgun"))
    assert no.message == "Shotgun needs Might 3."


@pytest.mark.rule("COS-ATK-01")
def test_wounds_and_conditions_are_terms_of_the_roll() -> None:
    stage = duel()
    stage.set_track(ADA, hp=60)
    stage.give(ADA, "fatigued")
    shot = strike(stage, "pistol", (5, 6))
    assert shot.total == 19 - 1 - 2
    assert rule_of(shot.modifiers, "Wounded") == (-1, "COS-STATE-07")
    assert rule_of(shot.modifiers, "Fatigued") == (-2, "COS-COND-14")


@pytest.mark.rule("COS-ATK-01")
def test_an_area_weapon_is_no_single_attack() -> None:
    stage = duel("grenade")
    make_plain(stage, ADA)
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "grenade"))
    assert no.message == "Fragmentation grenade hits an area: use “Grenade or area weapon”."


@pytest.mark.rule("COS-ATK-01")
def test_the_form_refuses_what_the_attack_would_refuse() -> None:
    stage = duel("knife", apart=7)
    with pytest.raises(Refused, match="Out of reach: Knife reaches 1 m, Bo is 7 m away"):
        sums(stage, "knife")


@pytest.mark.rule("COS-ATK-05", "COS-ATK-11")
def test_the_form_lists_the_weapons_and_what_is_wrong_with_them() -> None:
    stage = duel("pistol", "club", "grenade", ada={"armor": "light"})
    stage.change_item(ADA, "pistol", place="carried", loaded=3)
    weapons = stage.form("attack", ADA)["weapon"]
    assert weapons.value == stage.weapon(ADA, "club")
    assert [(option.label, option.detail, option.refused) for option in weapons.options] == [
        ("Club", "1d6 kinetic, reach 1 m", ""),
        ("Unarmed strike", "1d4 kinetic, reach 1 m", ""),
        ("Pistol", "1d8 kinetic, 30 m, 3/15", "Pistol is not in hand: draw it first (Move Action)."),
    ]
    assert [o.label for o in stage.form("charge", ADA)["weapon"].options] == ["Club", "Unarmed strike"]
    assert [o.label for o in stage.form("overwatch", ADA)["weapon"].options] == ["Pistol"]


@pytest.mark.rule("COS-ATK-01")
def test_two_handed_weapons_leave_no_hand_for_a_shield() -> None:
    stage = duel("rifle", "pistol", ada={"shield": "riot_shield"})
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "rifle"))
    assert no.message == "Rifle takes both hands: put Riot shield away first (Move Action)."
    assert strike(stage, "pistol", (1, 2)).total == 3 + 6 + 2
    stage.turn(ADA)
    stage.do("draw", ADA, item=stage.item(ADA, "riot_shield").id)
    assert strike(stage, "rifle", (1, 2)).total == 3 + 6 + 2
    force = duel("rifle", ada={"shield": "void_shield"})
    assert strike(force, "rifle", (1, 2)).total == 3 + 6 + 2
