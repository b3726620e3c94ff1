"""Attacks: the roll, the weapons, the range, and the rounds."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.cosmos.fight.weapons import find_rings
from tests.combat.rules.cosmos.duels import ADA, BO, duel, make_plain, strike, sums
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


# ---------------------------------------------------------------- melee and ranged


@pytest.mark.rule("COS-ATK-06")
@pytest.mark.parametrize(
    ("using", "label"), [("", "Coordination"), ("COO", "Coordination"), ("MIG", "Might")]
)
def test_attribute_of_a_finesse_weapon_is_the_attackers_choice(using: str, label: str) -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(weapons=("knife",)), stage.foe(at=(1, 0))
    stage.begin()
    fields = {"target": bo, "weapon": stage.weapon(ada, "knife"), "using": using}
    assert words(stage.preview("attack", ada, **fields).modifiers[0].label) == label
    stage.do("attack", ada, **fields, dice=[(1, 2)])
    assert words(stage.check("attack").modifiers[0].label) == label


@pytest.mark.rule("COS-ATK-06")
def test_form_offers_the_attribute_only_with_a_finesse_weapon() -> None:
    stage = CosmosStage()
    ada, bo = stage.hero(weapons=("knife",)), stage.foe(at=(1, 0), weapons=("club",))
    stage.begin()
    field = stage.form("attack", ada)["using"]
    labels = [option.label for option in field.options]
    assert (labels, field.more) == (["the better: Coordination 6", "Might 5", "Coordination 6"], False)
    assert stage.form("attack", bo)["using"].more  # fists are light, the club comes first


# ---------------------------------------------------------------- range


@pytest.mark.rule("COS-ATK-05", "COS-ATK-09")
def test_map_has_rings_of_the_reach_and_ranges_of_weapons() -> None:
    stage = duel("pistol", "knife")
    found = find_rings(stage.state, stage[ADA])
    assert [(ring.meters, ring.words) for ring in found] == [
        (30, "Pistol: 30 m"),
        (60, "60 m: −2"),
        (120, "120 m: −4"),
        (1, "Knife: reach 1 m"),
        (1, "Unarmed strike: reach 1 m"),
    ]


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
    stage = duel("rifle", ada={"shield": "riot_shield"})
    stage.put(ADA, "riot_shield", "held")
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "rifle"))
    assert no.message == "Rifle takes both hands: put Riot shield away first (Move Action)."
    stage.do("draw", ADA, item=stage.item(ADA, "riot_shield").id)
    assert strike(stage, "rifle", (1, 2)).total == 3 + 6 + 2
    force = duel("rifle", ada={"shield": "void_shield"})
    assert strike(force, "rifle", (1, 2)).total == 3 + 6 + 2
