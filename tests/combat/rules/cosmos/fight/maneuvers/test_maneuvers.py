"""Maneuvers: grappling and its consequences, disarming, tripping."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.duels import ADA, BO, add_ally, card, duel, rule_of, terms
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
def test_whom_one_cannot_grapple() -> None:
    stage = duel("club", apart=1)
    assert stage.refused("grapple", ADA, target=ADA).code == "bad_target"
    assert stage.refused("grapple", ADA, target="f99").code == "unknown"


@pytest.mark.rule("COS-MANV-01", "COS-MANV-11", "COS-COND-06", "COS-XENV-02", "COS-ENV-02", "COS-ENV-08")
@pytest.mark.parametrize("name", ["grapple", "trip"])
@pytest.mark.parametrize(
    ("setting", "condition", "points"),
    [
        ({}, "blinded", -4),
        ({"water": "underwater"}, "", -4),
        ({"gravity": "zero"}, "", -2),
        ({"gravity": "low"}, "", -1),
    ],
)
def test_what_is_said_of_attacks_counts_for_a_grapple_and_a_trip(
    name: str, setting: dict[str, str], condition: str, points: int
) -> None:
    """RULING R32 R33: they are attacks; the opposed Might that follows is none."""
    plain, stage = duel("club", apart=1), duel("club", apart=1)
    for key, value in setting.items():
        stage.do("set_setting", key=key, value=value)
    if condition:
        stage.give(ADA, condition)
    assert attempt(stage, name, (5, 5)).total == attempt(plain, name, (5, 5)).total + points
    for one in (plain, stage):
        one.turn(ADA)
        one.edit(BO, conditions=())
        one.give(BO, "grappled", by=ADA)
        one.do("squeeze", ADA, target=BO, effect="pin", dice=[(5, 5), (1, 2)])
    held, free = stage.checks()[0], plain.checks()[0]
    assert held.total == free.total


@pytest.mark.rule("COS-MANV-01", "COS-MANV-11", "COS-MOD-07")
@pytest.mark.parametrize("name", ["grapple", "trip"])
@pytest.mark.parametrize(("height", "points"), [(0.5, 0), (1, 1), (-1, 0)])
def test_higher_ground_counts_for_a_grapple_and_a_trip(name: str, height: float, points: int) -> None:
    """RULING R32 R33: it is written of attacks."""
    plain, stage = duel("club", apart=1), duel("club", apart=1)
    stage.edit(ADA, at=Point(0, 0, height))
    assert attempt(stage, name, (5, 5)).total == attempt(plain, name, (5, 5)).total + points


@pytest.mark.rule("COS-MANV-01")
def test_wounds_and_the_table_count_in_a_grapple() -> None:
    stage = duel("club", apart=1)
    stage.set_track(ADA, hp=60)
    stage.give(BO, "prone")
    check = attempt(stage, "grapple", (5, 3), adjust=2, because="mud")
    assert (check.total, check.against) == (18 - 1 + 2, 16)
    assert rule_of(check.modifiers, "Situational: mud") == (2, "COS-MANV-01")


def hold_by_two() -> tuple[CosmosStage, str]:
    """Bo in the hold of Ada, then of Cy too, whose turn it is."""
    stage = hold()
    cy = add_ally(stage, (1, 1))
    stage.turn(cy)
    stage.do("grapple", cy, target=BO, dice=[(9, 9)])
    return stage, cy


@pytest.mark.rule("COS-MANV-02", "COS-COND-23")
def test_a_second_grappler_takes_part_and_the_first_hold_stays() -> None:
    stage, cy = hold_by_two()
    assert [(c.kind, c.by) for c in stage[BO].conditions] == [("grappled", ADA), ("grappled", cy)]
    stage.turn(cy)
    assert stage.refused("grapple", cy, target=BO).message == "Bo is in your hold already."
    assert stage.obstacle("move", cy) == "Cy holds Bo: let go first, that is free."
    stage.do("let_go", cy)
    assert [c.by for c in stage[BO].conditions] == [ADA]


@pytest.mark.rule("COS-MANV-03")
@pytest.mark.parametrize(("dice", "left"), [((9, 9), 0), ((1, 2), 2)])
def test_breaking_free_of_two_is_a_contest_with_each(dice: tuple[int, int], left: int) -> None:
    stage, cy = hold_by_two()
    stage.give(BO, "pinned", by=cy)
    stage.turn(BO)
    shown = stage.preview("break_free", BO)
    assert [stage.read(note) for note in shown.notes][1:] == ["one contest with each holder"]
    stage.do("break_free", BO, dice=[(9, 9), (1, 2), dice, (4, 5)])
    assert [check.target for check in stage.checks("check.break_free")] == [ADA, cy]
    assert [held.by for held in stage[BO].conditions] == [cy] * left
    assert stage[BO].budget["standard"] == 0


@pytest.mark.rule("COS-MANV-05", "COS-MANV-06")
def test_each_holder_pins_and_throws_with_their_own_hold() -> None:
    stage, cy = hold_by_two()
    stage.give(BO, "pinned", by=ADA)
    stage.turn(cy)
    stage.do("squeeze", cy, target=BO, effect="pin", dice=[(9, 9), (1, 2)])
    stage.turn(ADA)
    stage.do("let_go", ADA)
    assert [(held.kind, held.by) for held in stage[BO].conditions] == [("grappled", cy), ("pinned", cy)]
    stage.turn(cy)
    stage.do("squeeze", cy, target=BO, effect="throw", dice=[(9, 9), (1, 2), 3])
    assert [held.kind for held in stage[BO].conditions] == ["prone"]


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
