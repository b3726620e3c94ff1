"""Maneuvers: grappling and what follows from it, disarming, tripping."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.duels import (
    ADA,
    BO,
    add_ally,
    card,
    duel,
    labels,
    pass_turns,
    rule_of,
    set_item,
    strike,
    sums,
    terms,
)
from tests.combat.rules.cosmos.figures import CosmosStage


def attempt(stage: CosmosStage, name: str, faces: tuple[int, int], *dice: Any, **fields: Any) -> e.Checked:
    """Ada's maneuver against Bo, with the sums that the form showed."""
    shown = stage.preview(name, ADA, target=BO, **fields)
    stage.do(name, ADA, target=BO, dice=[faces, *dice], **fields)
    check = stage.check(name)
    assert (check.modifiers, check.against_terms) == (shown.modifiers, shown.against)
    return check


def hold(**more: Any) -> CosmosStage:
    """Ada holds Bo and has her turn."""
    stage = duel("club", apart=1, **more)
    stage.give(BO, "grappled", by=ADA)
    return stage


# ---------------------------------------------------------------- grapple


@pytest.mark.rule("COS-MANV-01", "COS-MANV-02", "COS-ACT-04")
@pytest.mark.parametrize(("faces", "sum_", "seized"), [((5, 3), 18, True), ((4, 3), 17, False)])
def test_a_grapple_rolls_might_and_the_whole_combat(faces: tuple[int, int], sum_: int, seized: bool) -> None:
    stage = duel("club", apart=1)
    check = attempt(stage, "grapple", faces)
    assert (check.total, check.against, check.good) == (sum_, 18, seized)
    assert terms(check.modifiers) == [("Might", 5, "COS-MANV-01"), ("Combat", 5, "COS-MANV-01")]
    assert stage.has(BO, "grappled") == seized
    assert card(stage, BO, "Speed") == (0 if seized else 11)
    assert stage[ADA].budget == {"standard": 0, "move": 1, "quick": 3}


@pytest.mark.rule("COS-MANV-01")
@pytest.mark.parametrize(("rounding", "half"), [("down", 2), ("up", 3)])
def test_a_table_may_halve_combat_in_a_grapple(rounding: str, half: int) -> None:
    stage = duel("club", apart=1, grapple_combat="half", round_half_skill=rounding)
    check = attempt(stage, "grapple", (4, 3))
    assert rule_of(check.modifiers, "Combat") == (half, "COS-MANV-01")


@pytest.mark.rule("COS-MANV-01")
def test_a_grapple_reaches_one_metre() -> None:
    no = duel(apart=7).refused("grapple", ADA, target=BO)
    assert (no.code, no.message) == (
        "out_of_range",
        "Out of reach: a grapple reaches 1 m, Bo is 7 m away.",
    )


@pytest.mark.rule("COS-MANV-01")
def test_whom_one_cannot_grapple() -> None:
    stage = duel("club", apart=1)
    assert stage.refused("grapple", ADA, target=ADA).code == "bad_target"
    assert stage.refused("grapple", ADA, target="f99").code == "unknown"
    stage.give(BO, "grappled", by=ADA)
    assert stage.refused("grapple", ADA, target=BO).message == "Bo is in your hold already."
    stage.give(BO, "dead")
    assert stage.refused("grapple", ADA, target=BO).message == "Choose someone else who is alive."


@pytest.mark.rule("COS-MANV-01")
def test_wounds_and_the_table_count_in_a_grapple() -> None:
    stage = duel("club", apart=1)
    stage.set_track(ADA, hp=60)
    stage.give(BO, "prone")
    check = attempt(stage, "grapple", (5, 3), adjust=2, because="mud")
    assert (check.total, check.against) == (18 - 1 + 2, 16)
    assert rule_of(check.modifiers, "Situational: mud") == (2, "COS-MANV-01")


@pytest.mark.rule("COS-MANV-02")
def test_the_held_cannot_move_and_use_small_weapons_only() -> None:
    stage = hold(bo={"weapons": ("club", "knife")})
    stage.turn(BO)
    for name in ("move", "full_move", "sprint"):
        assert stage.refused(name, BO, to="5,0").code == "not_allowed"
    club, knife = stage.weapon(BO, "club"), stage.weapon(BO, "knife")
    no = stage.refused("attack", BO, target=ADA, weapon=club)
    assert no.message == "Grappled: only small weapons work, not Club."
    shown = stage.preview("attack", BO, target=ADA, weapon=knife)
    assert rule_of(shown.modifiers, "Grappled") == (-2, "COS-COND-23")


@pytest.mark.rule("COS-MANV-02")
def test_another_s_grapple_takes_the_target_over() -> None:
    stage = hold()
    cy = add_ally(stage, (1, 1))
    stage.turn(cy)
    stage.do("grapple", cy, target=BO, dice=[(9, 9)])
    (held,) = [c for c in stage[BO].conditions if c.kind == "grappled"]
    assert held.by == cy


# ---------------------------------------------------------------- the contest


@pytest.mark.rule("COS-MANV-03")
@pytest.mark.parametrize(
    ("holder", "held", "free"), [((4, 5), (5, 6), False), ((3, 6), (6, 6), False), ((4, 5), (7, 6), True)]
)
def test_breaking_free_is_opposed_might_and_a_tie_holds(
    holder: tuple[int, int], held: tuple[int, int], free: bool
) -> None:
    stage = hold(bo={"attributes": {"MIG": 4}})
    stage.turn(BO)
    shown = stage.preview("break_free", BO)
    stage.do("break_free", BO, dice=[held, holder])
    check = stage.check("break free")
    assert (check.modifiers, check.against_terms[1:]) == (shown.modifiers, shown.against)
    assert (check.total, check.against) == (sum(held) + 4 - 2, sum(holder) + 5)
    assert check.good == free
    assert stage.has(BO, "grappled") != free
    assert terms(check.modifiers) == [("Might", 4, "COS-MANV-03"), ("Grappled", -2, "COS-COND-23")]
    assert stage[BO].budget["standard"] == 0


@pytest.mark.rule("COS-MANV-03")
def test_both_sides_bear_their_own_penalties_in_the_contest() -> None:
    stage = hold()
    stage.set_track(ADA, hp=30)
    stage.turn(BO)
    stage.do("break_free", BO, adjust=1, because="oil", dice=[(5, 5), (5, 5)])
    check = stage.check("break free")
    assert (check.total, check.against) == (10 + 5 - 2 + 1, 10 + 5 - 2)
    assert rule_of(check.against_terms, "Injured") == (-2, "COS-STATE-11")
    assert not stage.has(BO, "grappled")


@pytest.mark.rule("COS-MANV-03")
def test_only_the_held_break_free_and_only_holders_squeeze() -> None:
    stage = hold()
    assert stage.refused("break_free", ADA).message == "Ada is not held by anyone."
    cy = add_ally(stage, (0, 1))
    assert stage.refused("squeeze", ADA, target=cy).message == "Choose someone in your hold."
    stage.turn(BO)
    assert stage.refused("squeeze", BO, target=ADA).message == "Bo holds no one."
    assert stage.refused("let_go", BO).message == "Bo holds no one."


@pytest.mark.rule("COS-MANV-03")
def test_a_lost_or_tied_contest_of_the_holder_changes_nothing() -> None:
    for faces in ((3, 4), (2, 3)):
        stage = hold()
        shown = stage.preview("squeeze", ADA, target=BO, effect="pin")
        stage.do("squeeze", ADA, target=BO, effect="pin", dice=[faces, (4, 5)])
        check = stage.check("hold (pin)")
        assert not check.good
        assert (check.modifiers, check.against_terms[1:]) == (shown.modifiers, shown.against)
        assert not stage.has(BO, "pinned")
        assert (stage.hp(BO), stage[ADA].budget["standard"]) == (96, 0)


@pytest.mark.rule("COS-MANV-03")
def test_a_hold_without_a_holder_is_broken_against_a_number() -> None:
    stage = duel("club", apart=1)
    stage.do("give_condition", target=ADA, kind="grappled", reason="a net")
    shown = stage.preview("break_free", ADA)
    stage.do("break_free", ADA, dice=[(5, 6)])
    check = stage.check("break free")
    assert (check.modifiers, check.against) == (shown.modifiers, shown.against[0].value)
    assert (check.total, check.against) == (14, 14)
    assert not stage.has(ADA, "grappled")


@pytest.mark.rule("COS-MANV-03")
def test_a_hold_ends_when_the_holder_is_gone_or_down() -> None:
    stage = hold()
    stage.do("adjust", target=ADA, track="hp", to=-1)
    assert not stage.has(BO, "grappled")
    stage = hold()
    add_ally(stage, (5, 5))
    stage.do("remove", target=ADA)
    pass_turns(stage, 1)
    assert stage.state.active == BO
    assert not stage.has(BO, "grappled")


@pytest.mark.rule("COS-MANV-03", "COS-COND-21")
def test_letting_go_is_free() -> None:
    stage = hold()
    stage.give(BO, "pinned", by=ADA)
    stage.do("let_go", ADA)
    assert not stage.has(BO, "grappled")
    assert not stage.has(BO, "pinned")
    assert stage[ADA].budget == {"standard": 1, "move": 1, "quick": 3}


@pytest.mark.rule("COS-MANV-04")
@pytest.mark.parametrize(("armor", "lost"), [("none", 8), ("light", 6)])
def test_the_winning_holder_may_hurt(armor: str, lost: int) -> None:
    stage = hold(bo={"armor": armor})
    stage.do("squeeze", ADA, target=BO, effect="damage", dice=[(5, 6), (4, 5), 3])
    assert stage.hp(BO) == 96 - lost
    assert stage.has(BO, "grappled")
    (hurt,) = stage.told(e.TrackChanged)
    assert terms(hurt.terms)[:2] == [("Damage 1d4", 3, "COS-MANV-04"), ("Combat", 5, "COS-ATK-07")]


@pytest.mark.rule("COS-MANV-04")
@pytest.mark.parametrize(("way", "lost"), [("melee_half", 5), ("all_half", 5), ("none", 3)])
def test_combat_in_the_hold_s_damage_is_what_the_table_plays(way: str, lost: int) -> None:
    stage = hold(combat_damage=way)
    stage.do("squeeze", ADA, target=BO, dice=[(5, 6), (4, 5), 3])
    assert stage.hp(BO) == 96 - lost


@pytest.mark.rule("COS-MANV-05")
def test_the_winning_holder_may_pin() -> None:
    stage = hold()
    stage.do("squeeze", ADA, target=BO, effect="pin", dice=[(5, 6), (4, 5)])
    assert rule_of(stage.derived(BO, "Defense").terms, "Pinned: no Coordination") == (0, "COS-MANV-05")
    assert card(stage, BO) == 12
    stage.turn(BO)
    for name in ("attack", "move", "speak", "concentrate", "draw"):
        assert stage.refusal(name, BO) == "Bo is pinned: only breaking free is left."
    assert stage.refusal("break_free", BO) == ""
    stage.do("break_free", BO, dice=[(9, 9), (1, 2)])
    assert not stage.has(BO, "pinned")
    assert card(stage, BO) == 18


@pytest.mark.rule("COS-MANV-06")
def test_the_winning_holder_may_throw() -> None:
    stage = hold()
    stage.do("squeeze", ADA, target=BO, effect="throw", dice=[(5, 6), (4, 5), 3])
    assert stage[BO].at == Point(3, 0)
    assert stage.has(BO, "prone")
    assert not stage.has(BO, "grappled")
    assert stage.hp(BO) == 88
    assert stage.told(e.Moved)[0].how == "how.is_thrown"


@pytest.mark.rule("COS-MANV-03")
def test_an_unknown_use_of_the_hold_is_refused() -> None:
    assert hold().refused("squeeze", ADA, target=BO, effect="bite").code == "bad_value"


# ---------------------------------------------------------------- disarm


def disarm(stage: CosmosStage, faces: tuple[int, int], *dice: Any, weapon: str = "club") -> e.Checked:
    """Ada's disarm of Bo."""
    return attempt(stage, "disarm", faces, *dice, weapon=stage.weapon(ADA, weapon))


@pytest.mark.rule("COS-MANV-07", "COS-MANV-08", "COS-ACT-04")
def test_a_disarm_at_minus_two_knocks_the_weapon_away() -> None:
    stage = duel("club", apart=1, bo={"armor": "heavy"})
    check = disarm(stage, (5, 6), 4)
    assert (check.total, check.against) == (16, 16)
    assert rule_of(check.modifiers, "Disarm") == (-2, "COS-MANV-07")
    (lying,) = stage.state.ground
    assert (lying.name, lying.place, lying.at) == ("Pistol", "ground", Point(5, 0))
    assert stage.hp(BO) == 96
    assert stage[ADA].budget == {"standard": 0, "move": 1, "quick": 3}


@pytest.mark.rule("COS-MANV-08")
def test_a_lost_weapon_is_picked_up_from_where_it_lies() -> None:
    stage = duel("club", apart=1, bo={"weapons": ("club",)})
    disarm(stage, (9, 9), 4)
    lost = stage.state.ground[0].id
    stage.turn(BO)
    no = stage.refused("pick_up", BO, item=lost)
    assert (no.code, no.message) == ("out_of_range", "Out of reach: Club lies 4 m away.")
    stage.do("move", BO, to="5,0")
    stage.do("pick_up", BO, item=lost)
    assert stage.item(BO, "club").place == "held"
    assert not stage.state.ground


@pytest.mark.rule("COS-MANV-09")
def test_a_critical_disarm_catches_the_weapon() -> None:
    stage = duel("club", "knife", apart=1, ada={"armor": "heavy"}, bo={"weapons": ("sword",)})
    before = {item.id for item in stage[ADA].items}
    caught = stage.weapon(BO, "sword")
    assert disarm(stage, (10, 10)).outcome == "outcome.critical"
    assert {item.id for item in stage[ADA].items} == before | {caught}
    assert stage.item(ADA, "sword").place == "held"
    assert all(item.id != caught for item in stage[BO].items)
    assert stage.hp(BO) == 96
    stage.turn(ADA)
    assert strike(stage, "sword").good


@pytest.mark.rule("COS-MANV-10")
@pytest.mark.parametrize(("faces", "sum_", "dropped"), [((4, 4), 13, True), ((4, 5), 14, False)])
def test_a_disarm_that_fails_by_five_drops_the_own_weapon(
    faces: tuple[int, int], sum_: int, dropped: bool
) -> None:
    stage = duel("club", apart=1)
    check = disarm(stage, faces)
    assert (check.total, check.against, check.outcome) == (sum_, 18, "outcome.miss")
    assert [item.name for item in stage.state.ground] == (["Club"] if dropped else [])


@pytest.mark.rule("COS-MANV-10")
def test_fists_are_not_dropped() -> None:
    stage = duel("club", apart=1)
    disarm(stage, (1, 2), weapon="unarmed")
    assert not stage.state.ground


@pytest.mark.rule("COS-MANV-10")
def test_a_thrown_knife_is_not_dropped_as_well() -> None:
    stage = duel("throwing_knife", apart=5)
    disarm(stage, (1, 2), weapon="throwing_knife")
    assert [(item.name, item.at) for item in stage.state.ground] == [("Throwing knife", Point(5, 0))]


@pytest.mark.rule("COS-MANV-07")
def test_a_shot_may_disarm_and_uses_its_round_and_aim() -> None:
    stage = duel("pistol")
    stage.do("quick_aim", ADA)
    check = disarm(stage, (5, 6), 2, weapon="pistol")
    assert check.total == 19 + 1 - 2
    assert stage.item(ADA, "pistol").loaded == 14
    assert not stage.has(ADA, "quick_aim")


@pytest.mark.rule("COS-MANV-07")
def test_empty_hands_lose_nothing() -> None:
    stage = duel("club", apart=1)
    for item in stage[BO].items:
        set_item(stage, BO, item.data["id"], place="carried")
    no = stage.refused("disarm", ADA, target=BO, weapon=stage.weapon(ADA, "club"))
    assert (no.code, no.message) == ("bad_target", "Bo holds no weapon.")
    set_item(stage, BO, "unarmed", place="held")
    assert stage.refused("disarm", ADA, target=BO, weapon=stage.weapon(ADA, "club")).code == "bad_target"


@pytest.mark.rule("COS-MANV-07")
def test_a_disarm_reaches_as_far_as_its_weapon() -> None:
    stage = duel("club", apart=2)
    no = stage.refused("disarm", ADA, target=BO, weapon=stage.weapon(ADA, "club"))
    assert no.message == "Out of reach: Club reaches 1 m, Bo is 2 m away."


# ---------------------------------------------------------------- trip


@pytest.mark.rule("COS-MANV-11", "COS-MANV-12", "COS-ACT-04")
@pytest.mark.parametrize(
    ("using", "label", "faces", "sum_", "down"),
    [
        ("COO", "Coordination", (7, 5), 18, True),
        ("COO", "Coordination", (6, 5), 17, False),
        ("MIG", "Might", (7, 6), 18, True),
        ("MIG", "Might", (7, 5), 17, False),
    ],
)
def test_a_trip_rolls_one_attribute_alone(
    using: str, label: str, faces: tuple[int, int], sum_: int, down: bool
) -> None:
    stage = duel("club", apart=1)
    check = attempt(stage, "trip", faces, using=using)
    assert (check.total, check.against) == (sum_, 18)
    assert terms(check.modifiers) == [(label, sum_ - sum(faces), "COS-MANV-11")]
    assert stage.has(BO, "prone") == down
    assert (stage.hp(BO), stage[ADA].budget["standard"]) == (96, 0)


@pytest.mark.rule("COS-MANV-11")
@pytest.mark.parametrize(("share", "points"), [("none", 0), ("half", 2), ("full", 5)])
def test_a_table_may_add_combat_to_a_trip(share: str, points: int) -> None:
    stage = duel("club", apart=1, trip_combat=share)
    check = attempt(stage, "trip", (1, 2), using="COO")
    assert check.total == 3 + 6 + points
    assert ("Combat" in labels(check.modifiers)) == (points > 0)


@pytest.mark.rule("COS-MANV-11")
def test_the_form_offers_the_better_attribute_first() -> None:
    assert duel(apart=1).form("trip", ADA)["using"].value == "COO"
    strong = duel(apart=1, ada={"attributes": {"MIG": 9}})
    assert strong.form("trip", ADA)["using"].value == "MIG"
    assert strong.refused("trip", ADA, target=BO, using="INT").code == "bad_value"


@pytest.mark.rule("COS-MANV-12")
def test_who_lies_is_not_tripped() -> None:
    stage = duel("club", apart=1)
    stage.give(BO, "prone")
    no = stage.refused("trip", ADA, target=BO)
    assert (no.code, no.message) == ("bad_target", "Bo is prone already.")
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "club"), trip=True)
    assert no.message == "Bo is prone already."


@pytest.mark.rule("COS-MANV-12")
def test_a_trip_reaches_one_metre() -> None:
    no = duel(apart=3).refused("trip", ADA, target=BO)
    assert no.message == "Out of reach: a trip reaches 1 m, Bo is 3 m away."


@pytest.mark.rule("COS-MANV-13")
@pytest.mark.parametrize(("faces", "sum_", "both"), [((5, 6), 17, True), ((5, 5), 16, False)])
def test_a_trip_joins_an_attack_at_minus_two(faces: tuple[int, int], sum_: int, both: bool) -> None:
    stage = duel("knife", apart=1, bo={"armor": "medium"})
    blow = strike(stage, "knife", faces, damage=2, trip=True)
    assert (blow.total, blow.against) == (sum_, 17)
    assert rule_of(blow.modifiers, "With a trip") == (-2, "COS-MANV-13")
    assert stage.has(BO, "prone") == both
    assert (stage.hp(BO) < 96) == both


@pytest.mark.rule("COS-MANV-13")
def test_a_trip_joins_one_melee_attack_only() -> None:
    stage = duel("pistol", "club", apart=1)
    for weapon, attacks in (("pistol", 1), ("club", 2)):
        submission = {"target": BO, "weapon": stage.weapon(ADA, weapon), "attacks": attacks}
        no = stage.refused("attack", ADA, trip=True, **submission)
        assert (no.code, no.message) == ("not_allowed", "A trip joins one melee attack.")


@pytest.mark.rule("COS-MANV-14")
@pytest.mark.parametrize(
    ("own", "other", "sum_"),
    [("large", "medium", 20), ("small", "large", 14), ("medium", "medium", 18), ("huge", "small", 24)],
)
def test_each_step_of_size_is_worth_two(own: str, other: str, sum_: int) -> None:
    stage = duel("club", apart=1, ada={"size": own}, bo={"size": other})
    check = attempt(stage, "trip", (7, 5), using="COO")
    assert check.total == sum_
    if own != other:
        assert rule_of(check.modifiers, "Size") == (sum_ - 18, "COS-MANV-14")


@pytest.mark.rule("COS-MANV-14", "COS-MANV-13")
def test_size_counts_in_a_joined_trip_but_not_in_a_plain_attack() -> None:
    stage = duel("club", apart=1, ada={"size": "small"}, bo={"size": "large"})
    assert rule_of(sums(stage, "club", trip=True).modifiers, "Size") == (-4, "COS-MANV-14")
    assert labels(sums(stage, "club").modifiers) == ["Might", "Half Combat"]


@pytest.mark.rule("COS-MANV-01", "COS-MANV-07", "COS-MANV-11")
@pytest.mark.parametrize("name", ["grapple", "disarm", "trip"])
def test_the_forms_refuse_what_the_maneuvers_would_refuse(name: str) -> None:
    stage = duel("club", apart=3)
    fields = {"weapon": stage.weapon(ADA, "club")} if name == "disarm" else {}
    with pytest.raises(Refused, match="Bo is 3 m away"):
        stage.preview(name, ADA, target=BO, **fields)


# ---------------------------------------------------------------- exact odds


@pytest.mark.rule("COS-MANV-03")
def test_the_odds_of_breaking_free_are_those_of_all_dice() -> None:
    stage = hold()
    stage.turn(BO)
    odds = stage.odds("break_free", BO)
    free = next(m.chance for m in odds.measures if m.label == "break free: success (Ada)")
    sums_ = [a + b for a in range(1, 11) for b in range(1, 11)]
    wins = sum(held + 5 - 2 > holder + 5 for held in sums_ for holder in sums_)
    assert free == pytest.approx(wins / 10_000)


@pytest.mark.rule("COS-MANV-04")
def test_the_odds_of_a_squeeze_spread_its_damage() -> None:
    odds = hold().odds("squeeze", ADA, target=BO)
    won = next(m.chance for m in odds.measures if m.label == "hold (damage): success (Bo)")
    (spread,) = odds.distributions
    assert dict(spread.chances) == pytest.approx({0: 1 - won, **{5 + die: won / 4 for die in (1, 2, 3, 4)}})


@pytest.mark.rule("COS-MANV-10")
def test_the_odds_of_a_disarm_know_the_dropped_weapon() -> None:
    stage = duel("club", apart=1)
    odds = stage.odds("disarm", ADA, target=BO, weapon=stage.weapon(ADA, "club"))
    hit = next(m.chance for m in odds.measures if m.label == "disarm: hit (Bo)")
    assert hit == pytest.approx(0.35)
    assert odds.runs < 100
