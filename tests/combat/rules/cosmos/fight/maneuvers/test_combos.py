"""Combinations: charge, fighting retreat, Total Defense, and the actions they leave."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.duels import ADA, BO, add_ally, card, duel, labels, pass_turns, rule_of, terms
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.stage import Die, Given

WHOLE_TURN = {"standard": 0, "move": 0, "quick": 0}


def charge(stage: CosmosStage, faces: tuple[int, int], *dice: int, **fields: object) -> e.Checked:
    """Ada charges Bo with a sword, with the sums that the form showed."""
    weapon = stage.weapon(ADA, "sword")
    shown = stage.preview("charge", ADA, target=BO, weapon=weapon, **fields)
    stage.do("charge", ADA, target=BO, weapon=weapon, dice=[faces, *dice], **fields)
    check = stage.check("attack")
    assert (check.modifiers, check.against_terms) == (shown.modifiers, shown.against)
    return check


def refuse_charge(stage: CosmosStage, weapon: str = "sword", **fields: Any) -> tuple[str, str]:
    """Code and message of a refused charge."""
    no = stage.refused("charge", ADA, target=BO, weapon=stage.weapon(ADA, weapon), **fields)
    return no.code, no.message


# ---------------------------------------------------------------- charge


@pytest.mark.rule("COS-COMBO-01")
def test_a_charge_is_a_full_move_and_an_attack() -> None:
    stage = duel("sword", apart=16)
    blow = charge(stage, (5, 6), 1)
    assert blow.total == 18
    (moved,) = stage.told(e.Moved)
    assert (moved.metres, moved.how, stage[ADA].at) == (15, "how.charges", Point(15, 0))
    assert stage[ADA].budget == WHOLE_TURN


@pytest.mark.rule("COS-COMBO-01")
def test_a_charge_covers_up_to_twice_speed() -> None:
    assert charge(duel("sword", apart=23), (5, 6), 1).good
    assert refuse_charge(duel("sword", apart=24)) == (
        "out_of_range",
        "A charge covers up to 22 m; this is 23 m.",
    )


@pytest.mark.rule("COS-COMBO-02")
def test_a_longer_weapon_stops_the_charge_earlier() -> None:
    stage = duel("spear", apart=5)
    assert refuse_charge(stage, "spear")[0] == "out_of_range"
    stage.edit(BO, at=Point(6, 0))
    stage.do("charge", ADA, target=BO, weapon=stage.weapon(ADA, "spear"), dice=[(1, 2)])
    assert stage[ADA].at == Point(4, 0)


@pytest.mark.rule("COS-COMBO-03")
def test_a_charge_runs_straight_at_its_target() -> None:
    stage = duel("sword")
    stage.edit(BO, at=Point(6, 8))
    charge(stage, (5, 6), 1)
    (moved,) = stage.told(e.Moved)
    assert moved.path == (Point(0, 0), Point(5.4, 7.2))
    assert moved.metres == 9
    assert refuse_charge(duel("sword"), to="5,5; 9,0")[0] == "bad_value"


@pytest.mark.rule("COS-COMBO-04")
def test_a_charge_that_hits_does_two_more_damage() -> None:
    stage = duel("sword", bo={"armor": "light"})
    charge(stage, (5, 6), 5)
    (hurt,) = stage.told(e.TrackChanged)
    assert terms(hurt.terms) == [
        ("Damage 1d8", 5, "COS-DMG-08"),
        ("Combat", 5, "COS-ATK-07"),
        ("Charge", 2, "COS-COMBO-04"),
        ("Light armor", -2, "COS-DMG-08"),
    ]
    assert stage.hp(BO) == 86


@pytest.mark.rule("COS-COMBO-04")
def test_a_later_blow_has_nothing_of_the_charge() -> None:
    stage = duel("sword")
    charge(stage, (5, 6), 5)
    stage.do("give_budget", target=ADA, pool="standard", left=1)
    stage.do("attack", ADA, target=BO, weapon=stage.weapon(ADA, "sword"), dice=[(5, 6), 5])
    assert stage.hp(BO) == 96 - 12 - 10


@pytest.mark.rule("COS-COMBO-05")
@pytest.mark.parametrize("faces", [(5, 6), (2, 3)])
def test_a_charge_costs_two_defense_hit_or_miss(faces: tuple[int, int]) -> None:
    stage = duel("sword")
    charge(stage, faces, *([5] if sum(faces) == 11 else []))
    assert card(stage, ADA) == 16
    assert rule_of(stage.derived(ADA, "Defense").terms, "Charged") == (-2, "COS-COMBO-05")
    pass_turns(stage, 1)
    shot = stage.preview("attack", BO, target=ADA, weapon=stage.weapon(BO, "pistol"))
    assert add_up(shot.against) == 16
    pass_turns(stage, 1)
    assert card(stage, ADA) == 18


@pytest.mark.rule("COS-COMBO-01")
def test_a_charge_has_no_bonus_to_hit_and_no_second_attack() -> None:
    stage = duel("sword")
    assert labels(charge(stage, (2, 3)).modifiers) == ["Might", "Half Combat"]
    for field in ("attacks", "aimed", "trip"):
        assert refuse_charge(duel("sword"), "sword", **{field: 2})[0] == "bad_value"


@pytest.mark.rule("COS-COMBO-01")
def test_what_cannot_charge() -> None:
    assert refuse_charge(duel("pistol", "sword"), "pistol") == (
        "not_allowed",
        "A charge ends with a melee attack.",
    )
    stage = duel("sword")
    stage.change_item(ADA, "sword", place="carried")
    assert refuse_charge(stage)[0] == "not_allowed"


@pytest.mark.rule("COS-COMBO-01", "COS-MOVE-04")
def test_a_charge_takes_the_whole_turn() -> None:
    stage = duel("sword")
    stage.do("speak", ADA)
    assert refuse_charge(stage) == (
        "no_budget",
        "That takes the whole turn; a Quick Action has been taken already.",
    )
    moved = duel("sword")
    moved.do("move", ADA, to="0,2")
    assert refuse_charge(moved)[0] == "no_budget"


@pytest.mark.rule("COS-COMBO-01", "COS-COVER-05")
def test_a_charge_ends_with_an_attack_that_is_possible() -> None:
    assert refuse_charge(duel("sword"), cover="total")[0] == "bad_target"
    assert refuse_charge(duel("sword"), concealment="total")[0] == "bad_target"
    stage = duel("sword")
    stage.give(BO, "dead")
    assert refuse_charge(stage) == ("bad_target", "Bo is dead.")
    stage = duel("sword")
    stage.give(ADA, "total_defense")
    assert refuse_charge(stage)[1] == "Total Defense allows no attack until the next turn."


@pytest.mark.rule("COS-COMBO-01", "COS-POS-01")
def test_a_charge_strikes_from_where_it_ends() -> None:
    stage = duel("sword", apart=10)
    add_ally(stage, (11, 0))
    stage.zone("low", x=9, y=-5, width=8, depth=10, height=-1)
    stage.edit(BO, at=Point(10, 0, -1))
    assert labels(charge(stage, (5, 6), 1).modifiers) == ["Might", "Half Combat", "Flanking"]


# ---------------------------------------------------------------- fighting retreat


def retreat(stage: CosmosStage, *dice: Die, **fields: object) -> None:
    """Ada strikes Bo with a club and falls back."""
    submission = {"target": BO, "weapon": stage.weapon(ADA, "club"), **fields}
    shown = stage.preview("retreat", ADA, **submission)
    stage.do("retreat", ADA, dice=dice, **submission)
    check = stage.check("attack")
    assert (check.modifiers, check.against_terms) == (shown.modifiers, shown.against)


@pytest.mark.rule("COS-COMBO-07")
def test_a_retreat_too_far_is_refused_before_any_dice() -> None:
    stage = duel("club", apart=1)
    no = stage.refused("retreat", ADA, target=BO, weapon=stage.weapon(ADA, "club"), to="-6,0")
    assert (no.code, no.message) == (
        "out_of_range",
        "Too far: that way takes 6 m of movement, Ada has 5 m.",
    )
    assert stage.refused("retreat", ADA, target=BO, weapon=stage.weapon(ADA, "club"), to="x").code
    assert stage[ADA].budget["standard"] == 1


@pytest.mark.rule("COS-COMBO-06")
@pytest.mark.parametrize(
    ("to", "refused"),
    [("-3,0", False), ("0.5,3", False), ("0.4,0.1", True), ("1.5,0.5", True), ("3,0", False)],
)
def test_a_retreat_ends_farther_from_who_stood_beside(to: str, refused: bool) -> None:
    stage = duel("club", apart=1)
    fields = {"target": BO, "weapon": stage.weapon(ADA, "club"), "to": to}
    if refused:
        no = stage.refused("retreat", ADA, **fields)
        assert no.message == "A retreat ends farther from Bo: choose another place."
        assert stage[ADA].budget["standard"] == 1
    else:
        retreat(stage, (1, 2), to=to)


@pytest.mark.rule("COS-COMBO-06")
def test_retreat_ends_farther_from_each_enemy_able_to_fight() -> None:
    stage = duel("club", apart=1)
    cy = add_ally(stage, (-1, 0), side="enemies")
    fields = {"target": BO, "weapon": stage.weapon(ADA, "club")}
    no = stage.refused("retreat", ADA, to="-1.5,0.5", **fields)
    assert no.message == "A retreat ends farther from Cy: choose another place."
    stage.give(cy, "unconscious")
    retreat(stage, (1, 2), to="-1.5,0.5")
    assert stage[ADA].at == Point(-1.5, 0.5)


@pytest.mark.rule("COS-COMBO-07")
def test_away_and_far_go_the_half_speed() -> None:
    for fields in ({"to": f"away:{BO}"}, {"to": "-20,0", "far": True}):
        stage = duel("club", apart=1)
        retreat(stage, (1, 2), **fields)
        assert stage[ADA].at == Point(-5, 0)


@pytest.mark.rule("COS-COMBO-06")
def test_the_held_strike_but_do_not_retreat() -> None:
    stage = duel("knife", apart=1)
    stage.give(ADA, "grappled", by=BO)
    knife = stage.weapon(ADA, "knife")
    no = stage.refused("retreat", ADA, target=BO, weapon=knife, to=f"away:{BO}")
    assert no.message == "Ada is grappled: break free first."
    assert stage.refused("retreat", ADA, target=BO, weapon=knife).message == no.message
    stage.do("attack", ADA, target=BO, weapon=knife, dice=[(1, 2)])
    assert stage[ADA].at == Point(0, 0)


@pytest.mark.rule("COS-COMBO-07")
def test_who_falls_in_the_attack_crawls_or_stays() -> None:
    stage = duel("club", apart=1, ada={"attributes": {"COO": 1}}, fumbles=True)
    stage.do(
        "retreat",
        ADA,
        target=BO,
        weapon=stage.weapon(ADA, "club"),
        to="-3,0",
        dice=[(1, 1), "prone"],
    )
    assert stage.has(ADA, "prone")
    assert stage[ADA].at == Point(-3, 0)


@pytest.mark.rule("COS-COMBO-07")
def test_one_slowed_by_a_shot_stays_if_the_way_is_too_far_now() -> None:
    stage = duel("club", apart=1)
    stage.set_track(ADA, hp=50)
    stage.turn(BO)
    stage.do("overwatch", BO, weapon=stage.weapon(BO, "pistol"), trigger="an attack")
    stage.turn(ADA)
    submission = {"target": BO, "weapon": stage.weapon(ADA, "club"), "to": "-5,0"}
    stage.do("retreat", ADA, dice=["shoot", (9, 9), 8, (1, 2)], **submission)
    assert (stage.hp(ADA), stage[ADA].at) == (42, Point(0, 0))
    assert stage.told(e.Said)[-1].key == "log.stays"


@pytest.mark.rule("COS-COMBO-08")
def test_no_sprint_until_the_end_of_the_turn_after_a_retreat() -> None:
    stage = duel("club", apart=1)
    retreat(stage, (1, 2), to=f"away:{BO}")
    pass_turns(stage)
    no = stage.refused("sprint", ADA, to="-30,0")
    assert (no.code, no.message) == (
        "not_allowed",
        "No sprint after a fighting retreat until next turn's end.",
    )
    assert stage.obstacle("sprint", ADA) == no.message
    stage.do("full_move", ADA, to="-20,0")
    pass_turns(stage)
    stage.do("sprint", ADA, to="-40,0")
    assert stage[ADA].at == Point(-40, 0)


@pytest.mark.rule("COS-COMBO-06")
def test_a_retreat_needs_both_actions() -> None:
    stage = duel("club", apart=1)
    stage.do("reactive_defense", ADA)
    no = stage.refused("retreat", ADA, target=BO, weapon=stage.weapon(ADA, "club"))
    assert no.code == "no_budget"
    assert "1 Standard and 1 Move" in no.message


# ---------------------------------------------------------------- Total Defense


@pytest.mark.rule("COS-COMBO-10", "COS-COMBO-11")
def test_total_defense_takes_the_turn_and_adds_4_until_the_next() -> None:
    stage = duel()
    stage.do("total_defense", ADA)
    assert stage[ADA].budget == {"standard": 0, "move": 0, "quick": 3}
    assert stage.rules() == {"COS-COMBO-10", "COS-COMBO-11"}
    assert card(stage, ADA) == 22
    pass_turns(stage, 1)
    shot = stage.preview("attack", BO, target=ADA, weapon=stage.weapon(BO, "pistol"))
    assert rule_of(shot.against, "Total Defense") == (4, "COS-COMBO-11")
    assert add_up(shot.against) == 22
    pass_turns(stage, 1)
    assert card(stage, ADA) == 18


@pytest.mark.rule("COS-COMBO-12")
def test_total_defense_in_rubble_keeps_its_rough_going_penalty() -> None:
    stage = duel()
    stage.zone("rubble", x=-5, y=0, width=10, depth=10, terrain=["rubble"])
    assert stage.refused("total_defense", ADA, to="0,3").code == "out_of_range"
    stage.do("total_defense", ADA, to=f"away:{BO}")
    assert stage[ADA].at == Point(-2.5, 0)
    assert card(stage, ADA) == 18 + 4 - 2


@pytest.mark.rule("COS-COMBO-10")
def test_total_defense_needs_both_actions() -> None:
    stage = duel()
    stage.do("move", ADA, to="0,5")
    assert stage.refused("total_defense", ADA).code == "no_budget"


# ---------------------------------------------------------------- shots during the move


def stunning_watch(stage: CosmosStage) -> None:
    """Bo watches with a weapon that stuns those it hits."""
    stage.change(BO, "pistol", type="stun", traits=["small", "stunning"])
    stage.turn(BO)
    stage.do("overwatch", BO, weapon=stage.weapon(BO, "pistol"), trigger="anything")
    stage.turn(ADA)


@pytest.mark.rule("COS-COMBO-01")
def test_charger_who_drops_the_weapon_on_the_way_cannot_strike() -> None:
    stage = duel("sword")
    stunning_watch(stage)
    dice: Given = ["shoot", (9, 9), 1, (1, 2)]
    stage.do("charge", ADA, target=BO, weapon=stage.weapon(ADA, "sword"), dice=dice)
    assert [item.name for item in stage.state.ground] == ["Sword"]
    assert {check.who for check in stage.checks("attack")} == {BO}
    assert stage.has(ADA, "charging")


@pytest.mark.rule("COS-ACT-04")
def test_who_drops_the_weapon_before_a_disarm_does_not_roll_it() -> None:
    stage = duel("club", apart=1)
    stunning_watch(stage)
    dice: Given = ["shoot", (9, 9), 1, (1, 2)]
    stage.do("disarm", ADA, target=BO, weapon=stage.weapon(ADA, "club"), dice=dice)
    assert not stage.checks("disarm")
    assert stage[ADA].budget["standard"] == 0
