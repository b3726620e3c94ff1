"""Damage types and what reduces each before the Hit Points; blasts; the floor of stun damage."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import RollRequest, answer_roll
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import Done, LiveDriver, Waiting, run
from combat.rules.core.state import events as e
from combat.rules.cosmos.book.tables import weapons
from tests.combat.rules.cosmos.figures import CosmosStage, words
from tests.combat.rules.cosmos.shots import HIT, NINE, duel, lose, shoot
from tests.typed import as_a

# ---------------------------------------------------------------- the three types, and stun


@pytest.mark.rule("COS-DMG-01")
def test_every_weapon_of_the_catalogue_has_one_of_the_types() -> None:
    assert {weapon.type for weapon in weapons().values()} == {"kinetic", "energy", "explosive", "stun"}


@pytest.mark.rule("COS-DMG-09")
def test_armor_piercing_does_not_pierce_the_shield() -> None:
    assert lose("laser_pistol", ap=9, shield="energy_shield", armor="medium") == 5


@pytest.mark.rule("COS-DMG-09")
def test_a_shield_that_is_off_stops_nothing() -> None:
    stage, ada, bo = duel("laser_pistol", shield="energy_shield")
    stage.put(bo, "energy_shield", "carried")
    shoot(stage, ada, bo, HIT, NINE)
    assert stage.hp(bo) == 87


@pytest.mark.rule("COS-DMG-09")
def test_a_riot_shield_raises_defense_and_stops_no_energy() -> None:
    stage, ada, bo = duel("laser_pistol", shield="riot_shield")
    shoot(stage, ada, bo, HIT, NINE)
    assert stage.check("attack").against == 20
    assert stage.hp(bo) == 87


# ---------------------------------------------------------------- explosions


def square(options: dict[str, Any] | None = None, **bo: Any) -> tuple[CosmosStage, str, list[str]]:
    """Ada with a grenade of 2d6; Bo, Cy and Dee within 5 m of Bo, Eve just outside."""
    stage = CosmosStage(**(options or {}))
    ada = stage.hero(weapons=("grenade",), skills={"Combat": 0})
    caught = [stage.foe("Bo", (15, 0), **bo), stage.foe("Cy", (18, 0)), stage.foe("Dee", (15, 5))]
    stage.foe("Eve", (20.2, 0))
    stage.change(ada, "grenade", damage="2d6")
    stage.begin()
    return stage, ada, caught


def throw(stage: CosmosStage, actor: str, at: str, *dice: Any) -> None:
    """Throw the grenade: the damage, then a save by each target caught."""
    stage.do("blast", actor, weapon=stage.weapon(actor, "grenade"), at=at, dice=dice)


@pytest.mark.rule("COS-DMG-04")
def test_grenade_of_10_costs_10_or_half_after_coordination_save() -> None:
    stage, ada, (bo, cy, dee) = square()
    throw(stage, ada, f"near:{bo}", (4, 6), (4, 4), (4, 3), (10, 10))
    assert [(save.total, save.against, save.good) for save in stage.checks("Coordination save")] == [
        (14, 14, True),
        (13, 14, False),
        (26, 14, True),
    ]
    assert [stage.hp(who) for who in (bo, cy, dee)] == [91, 86, 91]
    assert stage.hp("f5") == 96


@pytest.mark.rule("COS-DMG-04")
def test_all_caught_are_asked_for_their_real_dice_together() -> None:
    stage, ada, _ = square()
    action, weapon = stage.system.action("blast"), stage.weapon(ada, "grenade")
    command = read_command(action, {"actor": ada, "weapon": weapon, "at": "near:f2", "typed": True})
    waiting = run(stage.system, stage.state, action, command, LiveDriver(typed=True, faces=(4, 6)))
    assert isinstance(waiting, Waiting)
    requests = [as_a(request, RollRequest) for request in waiting.requests]
    assert {(r.who, r.dice, words(r.why)) for r in requests} == {
        (who, "2d10", "Coordination save (against Fragmentation grenade)") for who in ("f2", "f3", "f4")
    }
    given = tuple(answer_roll(request, (9, 9), "table") for request in reversed(requests))
    done = run(stage.system, stage.state, action, command, LiveDriver(typed=True), (*waiting.answers, *given))
    assert isinstance(done, Done)
    assert [done.state[who].tracks["hp"] for who in ("f2", "f3", "f4")] == [91, 91, 91]


@pytest.mark.rule("COS-DMG-04", "COS-DMG-08")
def test_armor_counts_after_the_save() -> None:
    stage, ada, (bo, cy, _) = square(armor="medium")
    throw(stage, ada, f"near:{bo}", (5, 6), (9, 9), (1, 1), (9, 9))
    assert stage.hp(bo) == 96 - (11 // 2 - 4)
    assert stage.hp(cy) == 96 - 11


@pytest.mark.rule("COS-DMG-04")
def test_energy_shield_stops_a_plasma_grenade_but_no_shrapnel() -> None:
    stage, ada, (bo, *_) = square(shield="energy_shield")
    throw(stage, ada, f"near:{bo}", (4, 6), (1, 2), (9, 9), (9, 9))
    assert stage.hp(bo) == 86
    stage, ada, (bo, *_) = square(shield="energy_shield")
    stage.change(ada, "grenade", type="energy")
    throw(stage, ada, f"near:{bo}", (4, 6), (1, 2), (9, 9), (9, 9))
    assert stage.hp(bo) == 90


@pytest.mark.rule("COS-DMG-04")
def test_a_blast_catches_friends_and_the_thrower_too() -> None:
    stage = CosmosStage()
    ada, al, bo = stage.hero(weapons=("grenade",)), stage.hero("Al", (3, 0)), stage.foe(at=(4, 0))
    stage.begin()
    note = stage.preview("blast", ada, weapon=stage.weapon(ada, "grenade"), at="3,0").notes[0]
    assert stage.read(note) == "In the blast: Ada (ally), Al (ally) and Bo (enemy)"
    throw(stage, ada, "3,0", 5, (1, 2), (1, 2), (1, 2))
    assert [stage.hp(who) for who in (ada, al, bo)] == [88, 88, 88]


@pytest.mark.rule("COS-DMG-04")
def test_total_cover_and_concealment_do_not_keep_a_blast_out() -> None:
    stage, ada, (bo, *_) = square()
    stage.zone("bunker", x=10, y=-5, width=10, depth=8, cover="total", light="dark")
    throw(stage, ada, f"near:{bo}", (4, 6), (1, 2), (1, 2), (1, 2))
    assert stage.hp(bo) == 86


@pytest.mark.rule("COS-DMG-04")
@pytest.mark.parametrize("tn", [11, 17])
def test_blast_save_is_against_14_whatever_the_default_target(tn: int) -> None:
    stage, ada, (bo, *_) = square({"default_tn": tn})
    shown = stage.preview("blast", ada, weapon=stage.weapon(ada, "grenade"), at=f"near:{bo}")
    throw(stage, ada, f"near:{bo}", (4, 6), (4, 4), (9, 9), (9, 9))
    save = stage.checks("Coordination save")[0]
    assert (save.total, save.against, save.good) == (14, 14, True)
    assert (shown.against[0].value, stage.hp(bo)) == (14, 91)


@pytest.mark.rule("COS-DMG-04")
def test_wounds_hinder_the_save_only_by_option() -> None:
    for option, total in ((False, 14), (True, 12)):
        stage, ada, (bo, *_) = square({"saves_take_penalties": option})
        stage.set_track(bo, hp=40)
        throw(stage, ada, f"near:{bo}", (4, 6), (4, 4), (9, 9), (9, 9))
        assert stage.checks("Coordination save")[0].total == total


def test_the_dead_are_not_hurt_by_a_blast() -> None:
    stage, ada, (bo, cy, _) = square()
    stage.give(cy, "dead")
    throw(stage, ada, f"near:{bo}", (4, 6), (1, 2), (1, 2))
    assert stage.hp(cy) == 96


def test_minimum_damage_option_counts_for_a_blast() -> None:
    stage, ada, (bo, *_) = square({"minimum_damage_1": True}, armor="powered")
    throw(stage, ada, f"near:{bo}", (1, 1), (9, 9), (9, 9), (9, 9))
    assert stage.hp(bo) == 95


def test_minimum_damage_option_is_ignored_where_half_is_nothing() -> None:
    stage, ada, (bo, cy, _) = square({"minimum_damage_1": True})
    stage.change(ada, "grenade", damage="1d4")
    throw(stage, ada, f"near:{bo}", 1, (9, 9), (1, 2), (9, 9))
    assert (stage.hp(bo), stage.hp(cy)) == (96, 95)


def test_a_blast_can_kill_several_at_once() -> None:
    stage, ada, (bo, cy, dee) = square()
    for who in (bo, cy, dee):
        stage.set_track(who, hp=5)
    throw(stage, ada, f"near:{bo}", (6, 6), (1, 2), (9, 9), (1, 2))
    assert [stage.has(who, "dead") for who in (bo, cy, dee)] == [True, False, True]
    assert stage.has(cy, "dying")


def test_a_typed_damage_roll_stays_a_typed_roll_for_every_victim() -> None:
    stage, ada, (bo, *_) = square()
    throw(stage, ada, f"near:{bo}", (4, 6), (1, 2), (1, 2), (1, 2))
    assert {told.roll.source for told in stage.told(e.TrackChanged)} == {"table"}


def test_a_hidden_victim_is_neither_counted_nor_named() -> None:
    stage, ada, (bo, cy, _) = square()
    stage.edit(cy, hidden=True)
    note = stage.preview("blast", ada, weapon=stage.weapon(ada, "grenade"), at=f"near:{bo}").notes[0]
    assert "Cy" not in stage.read(note)
    throw(stage, ada, f"near:{bo}", (4, 6), (1, 2), (1, 2), (1, 2))
    assert "Ada's Fragmentation grenade goes off: 2 combatants in the blast." in stage.log()
    assert e.EVERYONE not in {fact.to for fact in stage.facts if cy in e.subjects_of(fact.event)}


@pytest.mark.parametrize(
    ("weapon", "at", "code"),
    [
        ("grenade", "25,0", "out_of_range"),
        ("unarmed", "5,0", "bad_value"),
        ("grenade", "here and there", "bad_value"),
        ("grenade", "near:f99", "unknown"),
    ],
)
def test_a_blast_that_cannot_be_is_refused_and_the_grenade_kept(weapon: str, at: str, code: str) -> None:
    stage, ada, _ = square()
    refused = stage.refused("blast", ada, weapon=stage.weapon(ada, weapon), at=at)
    assert refused.code == code
    assert stage[ada].budget["standard"] == 1
    assert stage.item(ada, "grenade").loaded == 1


def test_odds_of_a_blast_are_exact_for_every_victim() -> None:
    stage, ada, (bo, *_) = square()
    odds = stage.odds("blast", ada, weapon=stage.weapon(ada, "grenade"), at=f"near:{bo}")
    saved = next(m.chance for m in odds.measures if m.label == "Coordination save: success (Bo)")
    assert saved == pytest.approx(0.79)  # 8 or more on 2d10
    spread = next(s for s in odds.distributions if s.who == bo)
    dice = {total: 6 - abs(7 - total) for total in range(2, 13)}
    whole = sum(total * weight for total, weight in dice.items()) / 36
    half = sum(total // 2 * weight for total, weight in dice.items()) / 36
    assert spread.mean == pytest.approx(0.79 * half + 0.21 * whole)


# ---------------------------------------------------------------- stun


@pytest.mark.rule("COS-DMG-05")
@pytest.mark.parametrize(
    ("attributes", "hp", "dice", "left"),
    [
        ({"MIG": 5, "RES": 4}, 30, (4, 6), 24),  # maximum 96: not 20
        ({"MIG": 4, "RES": 4}, 25, (4, 5), 22),  # maximum 88: a quarter is 22
        ({"MIG": 5, "RES": 4}, 40, (4, 6), 30),
        ({"MIG": 5, "RES": 4}, 24, (4, 6), 24),
        ({"MIG": 5, "RES": 4}, 20, (4, 6), 20),  # below the floor already
        ({"MIG": 5, "RES": 4}, 1, (6, 6), 1),
    ],
)
def test_stun_damage_stops_at_a_quarter(
    attributes: dict[str, int], hp: int, dice: tuple[int, int], left: int
) -> None:
    stage, ada, bo = duel(attributes=attributes)
    stage.change(ada, "pistol", type="stun")
    stage.set_track(bo, hp=hp)
    shoot(stage, ada, bo, HIT, dice)
    assert stage.hp(bo) == left


@pytest.mark.rule("COS-DMG-05")
def test_the_floor_of_90_is_23() -> None:
    stage, ada, bo = duel(abilities={"hp": -6})
    assert stage.system.characters.health(stage[bo]).most == 90
    stage.change(ada, "pistol", type="stun")
    stage.set_track(bo, hp=25)
    shoot(stage, ada, bo, HIT, NINE)
    assert stage.hp(bo) == 23
    assert words(stage.system.characters.health(stage[bo]).word) == "Injured"


@pytest.mark.rule("COS-DMG-05")
def test_stun_damage_never_makes_anybody_faint_or_die() -> None:
    stage, ada, bo = duel()
    stage.change(ada, "pistol", type="stun", damage="2d6+90")
    shoot(stage, ada, bo, HIT, (6, 6))
    assert stage.hp(bo) == 24
    assert stage.told(e.ConditionGained) == []


@pytest.mark.rule("COS-DMG-05", "COS-DMG-08")
def test_armor_counts_against_stun_damage() -> None:
    stage, ada, bo = duel(armor="medium")
    stage.change(ada, "pistol", type="stun")
    shoot(stage, ada, bo, HIT, NINE)
    assert stage.hp(bo) == 91


@pytest.mark.rule("COS-DMG-05")
def test_the_condition_comes_only_from_weapons_that_name_it() -> None:
    stage, ada, bo = duel()
    stage.change(ada, "pistol", type="stun")
    shoot(stage, ada, bo, HIT, NINE)
    assert not stage.has(bo, "stunned")
    stage, ada, bo = duel("taser")
    shoot(stage, ada, bo, HIT, NINE, (4, 4))
    assert (stage.check("Might save").total, stage.has(bo, "stunned")) == (13, True)


def test_a_second_stun_renews_the_first() -> None:
    stage, ada, bo = duel("taser")
    for _ in range(2):
        shoot(stage, ada, bo, HIT, (1, 1), (1, 2))
    assert [held.kind for held in stage[bo].conditions] == ["stunned"]


def test_who_cannot_be_stunned_keeps_what_it_holds() -> None:
    stage, ada, bo = duel("taser", immune=("stunned",))
    shoot(stage, ada, bo, HIT, (1, 1), (1, 2))
    assert stage[bo].conditions == ()
    assert stage.item(bo, "pistol").place == "held"


def test_a_stunning_blast_of_the_tables_own_is_nonlethal_too() -> None:
    stage, ada, (bo, *_) = square()
    stage.change(ada, "grenade", type="stun")
    stage.set_track(bo, hp=26)
    throw(stage, ada, f"near:{bo}", (4, 6), (1, 2), (9, 9), (9, 9))
    assert stage.hp(bo) == 24
