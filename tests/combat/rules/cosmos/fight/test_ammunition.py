"""Rounds: the use by an attack, bursts, thrown weapons, jams."""

from __future__ import annotations

import pytest

from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.duels import ADA, BO, duel, pass_turns, strike

# ---------------------------------------------------------------- ammunition


@pytest.mark.rule("COS-ATK-11")
def test_every_attack_takes_a_round() -> None:
    stage = duel()
    weapon = stage.weapon(ADA, "pistol")
    stage.do("attack", ADA, target=BO, weapon=weapon, attacks=2, dice=[(2, 3), (2, 3)])
    assert stage.item(ADA, "pistol").loaded == 13


@pytest.mark.rule("COS-ATK-11")
def test_an_empty_weapon_is_refused() -> None:
    stage = duel()
    weapon = stage.weapon(ADA, "pistol")
    stage.change_item(ADA, "pistol", loaded=0)
    no = stage.refused("attack", ADA, target=BO, weapon=weapon)
    assert (no.code, no.message) == ("no_budget", "Pistol is empty: reload it (Move Action).")
    stage.change_item(ADA, "pistol", loaded=1)
    no = stage.refused("attack", ADA, target=BO, weapon=weapon, attacks=2)
    assert no.message == "Pistol holds 1 round, this needs 2."
    assert strike(stage).good
    assert stage.item(ADA, "pistol").loaded == 0


@pytest.mark.rule("COS-ATK-11")
def test_without_tracking_nothing_runs_out() -> None:
    stage = duel(track_ammunition=False)
    stage.change_item(ADA, "pistol", loaded=0)
    assert strike(stage).good
    assert stage.item(ADA, "pistol").loaded == 0


@pytest.mark.rule("COS-ATK-11")
def test_a_burst_takes_three_rounds_and_does_two_more() -> None:
    stage = duel("smg")
    strike(stage, "smg", (9, 9), damage=5, burst=True)
    assert stage.item(ADA, "smg").loaded == 27
    assert stage.hp(BO) == 96 - (5 + 1 + 2)
    stage.turn(ADA)
    stage.change_item(ADA, "smg", loaded=5)
    weapon = stage.weapon(ADA, "smg")
    no = stage.refused("attack", ADA, target=BO, weapon=weapon, attacks=2, burst=True)
    assert no.message == "Submachine gun holds 5 rounds, this needs 6."


@pytest.mark.rule("COS-ATK-11")
def test_only_some_weapons_fire_bursts() -> None:
    stage = duel()
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"), burst=True)
    assert (no.code, no.message) == ("not_allowed", "Pistol cannot fire bursts.")


@pytest.mark.rule("COS-ATK-11")
def test_a_club_needs_no_rounds() -> None:
    stage = duel("club", apart=1)
    strike(stage, "club")
    assert stage.item(ADA, "club").loaded is None


@pytest.mark.rule("COS-ATK-11")
@pytest.mark.parametrize("faces", [(9, 9), (1, 2)])
def test_a_thrown_knife_lies_where_it_was_thrown(faces: tuple[int, int]) -> None:
    stage = duel("throwing_knife", apart=4)
    knife = stage.weapon(ADA, "throwing_knife")
    strike(stage, "throwing_knife", faces, damage=2)
    assert stage.hp(BO) == (94 if sum(faces) == 18 else 96)
    (lying,) = stage.state.ground
    assert (lying.id, lying.at, lying.loaded) == (knife, Point(4, 0), 1)
    stage.edit(ADA, at=Point(3, 0))
    stage.do("pick_up", ADA, item=knife)
    assert stage.weapon(ADA, "throwing_knife") == knife
    stage.turn(ADA)
    assert strike(stage, "throwing_knife").good


@pytest.mark.rule("COS-ATK-11")
def test_without_tracking_a_thrown_knife_is_back_in_hand() -> None:
    stage = duel("throwing_knife", apart=4, track_ammunition=False)
    strike(stage, "throwing_knife", (1, 2))
    assert stage.item(ADA, "throwing_knife").place == "held"
    assert not stage.state.ground


@pytest.mark.rule("COS-ATK-11")
def test_one_knife_is_not_thrown_twice() -> None:
    stage = duel("throwing_knife", apart=4)
    knife = stage.weapon(ADA, "throwing_knife")
    no = stage.refused("attack", ADA, target=BO, weapon=knife, attacks=2)
    assert no.code == "no_budget"


@pytest.mark.rule("COS-ATK-11")
def test_the_odds_of_a_thrown_knife_are_those_of_its_hit() -> None:
    stage = duel("throwing_knife", apart=4)
    odds = stage.odds("attack", ADA, target=BO, weapon=stage.weapon(ADA, "throwing_knife"))
    hit = next(m.chance for m in odds.measures if m.label == "attack: hit (Bo)")
    assert hit == pytest.approx(0.63)  # 10 to 19 on two dice


@pytest.mark.rule("COS-ATK-11")
def test_a_slow_weapon_shoots_every_other_round() -> None:
    stage = duel("sniper_rifle")
    rifle = stage.weapon(ADA, "sniper_rifle")
    no = stage.refused("attack", ADA, target=BO, weapon=rifle, attacks=2)
    assert no.message == "Sniper rifle is slow: one attack at a time."
    strike(stage, "sniper_rifle", (1, 2))
    pass_turns(stage)
    no = stage.refused("attack", ADA, target=BO, weapon=rifle)
    assert (no.code, no.message) == ("not_allowed", "Sniper rifle is slow: it is ready again next round.")
    pass_turns(stage)
    assert strike(stage, "sniper_rifle").good


@pytest.mark.rule("COS-ATK-11")
def test_a_jam_ends_the_attacks_until_it_is_cleared() -> None:
    stage = duel("machine_gun")
    gun = stage.weapon(ADA, "machine_gun")
    stage.do("attack", ADA, target=BO, weapon=gun, attacks=3, dice=[(1, 1)])
    assert len(stage.checks("attack")) == 1
    assert stage.told(e.Said)[-1].key == "log.cannot_attack_on"
    assert stage.item(ADA, "machine_gun").loaded == 99
    stage.turn(ADA)
    no = stage.refused("attack", ADA, target=BO, weapon=gun)
    assert no.message == "Machine gun has jammed: clear it with a Move Action."
    stage.do("reload", ADA, item=gun)
    assert stage[ADA].budget["move"] == 0
    assert strike(stage, "machine_gun", damage=(1, 1)).good
