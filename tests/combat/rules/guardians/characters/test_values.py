"""Ranks, Mortality Points and armor, term by term."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.state.state import Combatant, Condition, Scalar, State, replace
from combat.rules.guardians.book.tables import LIMBS, PLACES
from combat.rules.guardians.characters.conditions import find_useless
from combat.rules.guardians.characters.sheet import find_health, is_able, make_combatant
from combat.rules.guardians.characters.values import (
    BROKEN,
    count_lost,
    find_armor,
    find_category,
    find_mp_most,
    find_ranks,
    has_lost_half,
    is_typed,
    rank_terms,
)
from combat.rules.guardians.turn.rounds import initiative_terms
from combat.rules.guardians.world.strides import stride_terms

RANKS = {
    "body": 11, "coordination": 11, "health": 10, "toughness": 10, "mind": 10, "spirit": 10,
    "perception": 10, "logic": 9, "blades": 11, "running": 9,
}  # fmt: skip


def make(options: dict[str, Scalar] | None = None, **more: Any) -> Combatant:
    ranks = {**RANKS, **more.pop("ranks", {})}
    return make_combatant("f1", "Ada", "allies", {"ranks": ranks, **more}, options or {})


def state_with(combatant: Combatant, **options: Scalar) -> State:
    return State("guardians", options=options, combatants={combatant.id: combatant})


def give(combatant: Combatant, *kinds: str, **marks: Scalar) -> Combatant:
    held = tuple(Condition(f"k{n}", kind, f"condition.{kind}", marks=marks) for n, kind in enumerate(kinds))
    return replace(combatant, conditions=(*combatant.conditions, *held))


def tire(combatant: Combatant, points: int) -> Combatant:
    return replace(combatant, tracks={**combatant.tracks, "fatigue": points})


def ranks_of(combatant: Combatant, name: str, roll: bool = True, **options: Scalar) -> int:
    return find_ranks(state_with(combatant, **options), combatant, name, roll=roll)


# ---------------------------------------------------------------- ranks


@pytest.mark.rule("CG-FAT-03")
def test_fatigue_takes_a_rank_a_point_from_rolls_but_no_aspect() -> None:
    tired = tire(make(), 2)
    assert ranks_of(tired, "blades") == 9
    assert ranks_of(tired, "coordination") == 9
    assert ranks_of(tired, "logic") == 9, "an aspect stays as it is"
    assert ranks_of(tired, "toughness", roll=False) == 10
    assert ranks_of(tired, "running", roll=False) == 9


@pytest.mark.rule("CG-TORSO-01")
def test_a_torso_wound_takes_five_ranks_of_everything() -> None:
    wounded = give(make(), "torso_wound")
    assert ranks_of(wounded, "blades") == 6
    assert ranks_of(wounded, "logic") == 4
    assert ranks_of(wounded, "toughness", roll=False) == 5
    assert ranks_of(wounded, "toughness", roll=False, torso_penalty_scope="rolls_only") == 10
    assert add_up(initiative_terms(state_with(wounded), wounded)) == 6


@pytest.mark.rule("CG-TORSO-03")
def test_painkillers_make_it_three_however_many_were_taken() -> None:
    eased = give(make(), "torso_wound", "painkillers", "painkillers")
    assert ranks_of(eased, "blades") == 8
    assert ranks_of(give(make(), "painkillers"), "blades") == 11, "without a wound they do nothing"


@pytest.mark.rule("CG-TORSO-01")
def test_all_that_lowers_ranks_adds_up_and_ends_at_zero() -> None:
    worst = tire(give(make(), "torso_wound", "frightened"), 3)
    terms = rank_terms(state_with(worst), worst, "blades")
    assert [term.value for term in terms] == [11, -3, -5, -2]
    assert ranks_of(tire(worst, 8), "blades") == 0


@pytest.mark.rule("CG-REF-02")
def test_fear_takes_what_the_table_says_of_rolls() -> None:
    afraid = give(make(), "frightened")
    assert ranks_of(afraid, "blades") == 9
    assert ranks_of(afraid, "blades", fear_ranks=-4) == 7
    assert ranks_of(afraid, "running", roll=False) == 9


@pytest.mark.parametrize(
    ("name", "option", "wanted"),
    [("archery", 0, 0), ("archery", 3, 3), ("archery", "half_coordination", 5), ("bludgeon_weapons", 0, 5)],
)
def test_untrained_have_the_starting_ranks_or_the_tables_option(
    name: str, option: Scalar, wanted: int
) -> None:
    assert ranks_of(make(), name, untrained_ranks=option) == wanted


def test_names_of_the_tables_own_say_what_they_are() -> None:
    own = make(ranks={"Luck": 8, "Sailing": 7}, own={"Luck": "aspect", "Sailing": "skill"})
    assert find_category(own, "Luck") == "aspect"
    assert ranks_of(tire(own, 2), "Luck") == 8
    assert ranks_of(tire(own, 2), "Sailing") == 5


@pytest.mark.rule("CG-MOVE-01")
@pytest.mark.parametrize(("running", "yards"), [(9, 11), (0, 2)])
def test_movement_is_running_and_two_yards(running: int, yards: int) -> None:
    combatant = make(ranks={"running": running})
    assert add_up(stride_terms(state_with(combatant), combatant)) == yards


# ---------------------------------------------------------------- Mortality Points


def test_mortality_points_follow_from_health_rounded_up() -> None:
    combatant = make(ranks={"health": 9})
    found = {place: find_mp_most(combatant, place) for place in PLACES}
    assert found == {
        "head": 9, "left_arm": 9, "right_arm": 9, "torso": 18, "left_leg": 14, "right_leg": 14,
    }  # fmt: skip


def test_the_factors_of_the_table_count_on_joining_and_stay() -> None:
    combatant = make({"mortality_torso": 300, "mortality_leg": 100})
    assert (find_mp_most(combatant, "torso"), find_mp_most(combatant, "left_leg")) == (30, 10)
    again = make_combatant("f1", "Ada", "allies", combatant.sheet, {})
    assert again.tracks["mp.torso"] == 30


def test_a_typed_value_goes_before_what_is_reckoned() -> None:
    combatant = make({"mortality_torso": 300}, mortality={"torso": 7})
    assert (combatant.tracks["mp.torso"], find_mp_most(combatant, "torso")) == (7, 7)
    assert is_typed(combatant, "torso")
    assert not is_typed(combatant, "head")


@pytest.mark.rule("CG-LIMB-01")
@pytest.mark.parametrize(
    ("most", "lost", "half"), [(10, 5, True), (10, 4, False), (11, 6, True), (11, 5, False)]
)
def test_half_is_half_or_more(most: int, lost: int, half: bool) -> None:
    combatant = make(mortality={"left_arm": most}, tracks={"mp.left_arm": most - lost})
    assert count_lost(combatant, "left_arm") == lost
    assert has_lost_half(combatant, "left_arm") is half
    assert ("left_arm" in find_useless(combatant)) is half


def test_what_a_sheet_has_lost_is_there_from_the_beginning() -> None:
    combatant = make(tracks={"mp.left_arm": 0, "mp.torso": 10, "mp.left_leg": 4})
    kinds = {(held.kind, held.marks.get("part", "")) for held in combatant.conditions}
    assert kinds == {("destroyed", "left_arm"), ("torso_wound", ""), ("disabled", "left_leg")}
    assert find_health(combatant).level == 3
    sleeping = make(tracks={"mp.head": 5})
    assert {held.kind for held in sleeping.conditions} == {"unconscious", "prone"}
    assert not is_able(sleeping)
    assert find_health(sleeping).is_out
    assert find_health(make(tracks={"mp.torso": 0})).dead


def test_the_words_of_health_follow_the_worst() -> None:
    assert (find_health(make()).word, find_health(make()).share) == ("health.unhurt", 1)
    assert find_health(make(tracks={"mp.left_leg": 14})).word == "health.hurt"
    assert find_health(make(tracks={"mp.left_leg": 5})).word == "health.crippled"
    assert find_health(make(tracks={"mp.torso": 9})).word == "health.maimed"


def test_the_bar_is_that_of_the_whole_body_if_limbs_are_worst() -> None:
    maimed = make(tracks={f"mp.{limb}": 1 for limb in LIMBS})
    now = sum(maimed.tracks[f"mp.{place}"] for place in PLACES)
    most = sum(make().tracks[f"mp.{place}"] for place in PLACES)
    assert find_health(maimed).share == now / most < 1


# ---------------------------------------------------------------- armor


@pytest.mark.rule("CG-REF-08")
def test_armor_is_that_of_the_part() -> None:
    combatant = make(wears=["kevlar_vest"])
    assert [find_armor(combatant, place) for place in PLACES] == [0, 0, 0, 5, 0, 0]


def test_pieces_over_one_another_do_not_add_up_but_nature_does() -> None:
    combatant = make(wears=["kevlar_vest", "riot_gear", "motorcycle_helmet"], natural_armor={"head": 2})
    assert find_armor(combatant, "torso") == 5
    assert find_armor(combatant, "head") == 4 + 2
    for wears in (["leather_jacket", "riot_gear"], ["riot_gear", "leather_jacket"]):
        assert find_armor(make(wears=wears), "torso") == 5, "the stronger counts"


@pytest.mark.rule("CG-SPEC-03")
def test_broken_armor_is_none_on_that_part_alone() -> None:
    combatant = make(wears=["riot_gear"], natural_armor={"left_leg": 1})
    items = tuple(
        replace(i, marks={BROKEN + "left_leg": 1}) if i.kind == "armor" else i for i in combatant.items
    )
    broken = replace(combatant, items=items)
    assert find_armor(broken, "left_leg") == 1
    assert find_armor(broken, "right_leg") == 3
    assert find_armor(replace(broken, marks={BROKEN + "left_leg": True}), "left_leg") == 0


# ---------------------------------------------------------------- sheets


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"mortality": {"tail": 3}}, "mortality.tail"),
        ({"tracks": {"mp.tail": 3}}, "tracks.mp.tail"),
        ({"tracks": {"mp.head": -1}}, "at least 0"),
        ({"weapons": ["railgun"]}, "railgun"),
        ({"own": {"blades": "skill"}}, "own.blades"),
        ({"ranks": {"health": 0}}, "ranks.health"),
        ({"ranks": {"blades": 61}}, "$.ranks"),
        ({"conditions": [{"kind": "sleepy"}]}, "conditions[0].kind"),
        ({"hand": "third"}, "hand"),
    ],
)
def test_what_is_wrong_with_a_sheet_is_named(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(msgspec.ValidationError) as problem:
        make(**wrong)
    assert said in str(problem.value)


def test_an_attribute_that_the_rules_read_must_be_there() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"ranks\.spirit"):
        make_combatant("f1", "Ada", "", {"ranks": {k: 9 for k in RANKS if k != "spirit"}}, {})


def test_stat_block_holds_first_weapon_and_shield_as_hands_allow() -> None:
    guard = make(weapons=["long_sword", "knife"], shields=["buckler"])
    held = {item.name for item in guard.items if item.place == "held"}
    assert held == {"Long Sword", "Buckler", "Fist or kick"}
    archer = make(weapons=["long_bow", "knife"], shields=["buckler"])
    assert {i.name for i in archer.items if i.place == "held"} == {"Long Bow", "Fist or kick"}
