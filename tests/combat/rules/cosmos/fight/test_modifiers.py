"""Situational modifiers: each cause once, on the side where it belongs."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.space import Point
from tests.combat.rules.cosmos.duels import (
    ADA,
    BO,
    add_ally,
    duel,
    labels,
    pass_turns,
    rule_of,
    strike,
    sums,
    total,
)
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.combat.rules.stage import Given


def margin(stage: CosmosStage, entry: str = "pistol", **fields: str) -> int:
    """The margin of 5 and 6 on the dice over Bo's Defense."""
    shown = sums(stage, entry, **fields)
    return 11 + add_up(shown.modifiers) - add_up(shown.against)


@pytest.mark.rule("COS-MOD-01")
def test_all_that_applies_is_added_together() -> None:
    stage = duel("knife", apart=1)
    stage.edit(ADA, at=Point(0, 0, 1))
    blow = strike(stage, "knife", (5, 6), flanking="yes", concealment="light")
    assert blow.total == 19 + 2 + 1 - 2
    assert rule_of(blow.modifiers, "Flanking") == (2, "COS-MOD-06")
    assert rule_of(blow.modifiers, "Higher ground") == (1, "COS-MOD-07")
    assert rule_of(blow.modifiers, "Light concealment") == (-2, "COS-COVER-06")


@pytest.mark.rule("COS-MOD-02")
def test_prone_in_melee_is_worth_two_and_never_four() -> None:
    stage = duel("club", apart=1)
    assert margin(stage, "club") == 0
    stage.give(BO, "prone")
    assert margin(stage, "club") == 2
    assert labels(sums(stage, "club").modifiers) == ["Might", "Half Combat"]


@pytest.mark.rule("COS-MOD-03")
def test_prone_at_range_is_worth_two_and_never_four() -> None:
    stage = duel()
    assert margin(stage) == 1
    stage.give(BO, "prone")
    assert margin(stage) == -1
    assert labels(sums(stage).modifiers) == ["Coordination", "Half Combat"]


@pytest.mark.rule("COS-MOD-04")
@pytest.mark.parametrize(("cover", "by"), [("light", -1), ("heavy", -3)])
def test_cover_counts_once(cover: str, by: int) -> None:
    assert margin(duel(), cover=cover) == by


@pytest.mark.rule("COS-MOD-05")
@pytest.mark.parametrize(("concealment", "sum_"), [("none", 19), ("light", 17), ("heavy", 15)])
def test_concealment_counts_once_and_on_the_roll(concealment: str, sum_: int) -> None:
    stage = duel()
    stage.do("set_setting", key="light", value="dim")
    assert total(stage, concealment=concealment) == sum_
    assert add_up(sums(stage, concealment=concealment).against) == 18


@pytest.mark.rule("COS-MOD-01", "COS-MOD-04", "COS-MOD-05")
def test_cover_and_concealment_do_add_up() -> None:
    assert margin(duel(), cover="light", concealment="heavy") == 1 - 2 - 4


@pytest.mark.rule("COS-MOD-06")
def test_flanking_is_worth_two_and_never_four() -> None:
    stage = duel("knife", apart=1)
    add_ally(stage, (2, 0))
    assert total(stage, "knife") == 21
    assert total(stage, "knife", flanking="yes") == 21
    assert total(stage, "knife", flanking="no") == 19


@pytest.mark.rule("COS-MOD-07")
def test_higher_ground_is_worth_one_and_never_two() -> None:
    stage = duel()
    stage.edit(ADA, at=Point(0, 0, 30))
    assert total(stage) == 20


# ---------------------------------------------------------------- aiming


@pytest.mark.rule("COS-MOD-08")
def test_an_aimed_shot_takes_the_whole_turn_and_adds_three() -> None:
    stage = duel()
    shot = strike(stage, "pistol", (5, 6), aimed=True)
    assert shot.total == 22
    assert "COS-MOD-08" in stage.rules()
    assert rule_of(shot.modifiers, "Aimed shot") == (3, "COS-MOD-08")
    assert stage[ADA].budget == {"standard": 0, "move": 0, "quick": 3}
    assert stage.refused("move", ADA, to="5,5").code == "no_budget"


@pytest.mark.rule("COS-MOD-08")
def test_who_has_moved_cannot_aim() -> None:
    stage = duel()
    weapon = stage.weapon(ADA, "pistol")
    stage.do("move", ADA, to="0,5")
    stage.do("give_budget", target=ADA, pool="move", left=1)
    no = stage.refused("attack", ADA, target=BO, weapon=weapon, aimed=True)
    assert (no.code, no.message) == ("not_allowed", "An aimed shot needs a turn without movement.")
    pass_turns(stage)
    assert total(stage, aimed=True) == 22


@pytest.mark.rule("COS-MOD-08")
def test_aiming_needs_the_move_action_as_well() -> None:
    stage = duel("pistol", "rifle")
    stage.change_item(ADA, "rifle", place="carried")
    stage.do("draw", ADA, item=stage.weapon(ADA, "rifle"))
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"), aimed=True)
    assert (no.code, no.message) == (
        "no_budget",
        "No Move left this turn; Aimed shot needs 1 Standard and 1 Move.",
    )
    assert stage[ADA].budget["standard"] == 1


@pytest.mark.rule("COS-MOD-08")
@pytest.mark.parametrize(("weapon", "attacks"), [("club", 1), ("pistol", 2)])
def test_only_one_single_shot_is_aimed(weapon: str, attacks: int) -> None:
    stage = duel("pistol", "club", apart=1)
    with_one = stage.weapon(ADA, weapon)
    no = stage.refused("attack", ADA, aimed=True, target=BO, weapon=with_one, attacks=attacks)
    assert no.message == "An aimed shot is one single ranged attack."


@pytest.mark.rule("COS-EX-07", "COS-MOD-08")
def test_a_quick_aim_adds_one_to_the_next_shot_and_never_joins_an_aimed_one() -> None:
    stage = duel()
    stage.do("quick_aim", ADA)
    assert stage[ADA].budget["quick"] == 2
    assert rule_of(sums(stage).modifiers, "Quick aim") == (1, "COS-EX-07")
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"), aimed=True)
    assert no.message == "A quick aim and an aimed shot do not go together."
    assert stage.refused("quick_aim", ADA).message == "One quick aim per turn."
    assert strike(stage, "pistol", (5, 6)).total == 20
    assert stage.refused("quick_aim", ADA).message == "One quick aim per turn."
    stage.do("give_budget", target=ADA, pool="standard", left=1)
    assert total(stage) == 19


@pytest.mark.rule("COS-EX-07")
def test_a_quick_aim_is_lost_with_the_turn_and_no_help_in_melee() -> None:
    stage = duel("pistol", "club", apart=1)
    stage.do("quick_aim", ADA)
    assert total(stage, "club") == 18
    pass_turns(stage)
    assert total(stage) == 19
    stage.do("quick_aim", ADA)
    assert total(stage) == 20


@pytest.mark.rule("COS-EX-07")
def test_a_table_may_play_without_the_quick_aim() -> None:
    stage = duel(quick_aim=False)
    no = stage.refused("quick_aim", ADA)
    assert (no.code, no.message) == ("not_allowed", "This table plays without the quick aim.")


# ---------------------------------------------------------------- several attacks


@pytest.mark.rule("COS-MOD-09")
@pytest.mark.parametrize(("attacks", "sum_", "cost"), [(2, 17, -2), (3, 15, -4)])
def test_each_of_several_attacks_takes_the_penalty(attacks: int, sum_: int, cost: int) -> None:
    stage = duel()
    weapon = stage.weapon(ADA, "pistol")
    shown = sums(stage, attacks=attacks)
    stage.do("attack", ADA, target=BO, weapon=weapon, attacks=attacks, dice=[(5, 6)] * attacks)
    rolls = stage.checks("attack")
    assert [roll.total for roll in rolls] == [sum_] * attacks
    assert all(roll.modifiers == shown.modifiers for roll in rolls)
    assert rule_of(shown.modifiers, f"{attacks} attacks") == (cost, "COS-MOD-09")
    assert stage[ADA].budget == {"standard": 0, "move": 1, "quick": 3}
    assert stage.item(ADA, "pistol").loaded == 15 - attacks


@pytest.mark.rule("COS-MOD-09")
def test_each_of_several_attacks_hits_for_itself() -> None:
    stage = duel()
    weapon = stage.weapon(ADA, "pistol")
    dice: Given = [(9, 9), 5, (1, 2), (9, 9), 6]
    stage.do("attack", ADA, target=BO, weapon=weapon, attacks=3, dice=dice)
    assert [roll.outcome for roll in stage.checks("attack")] == ["outcome.hit", "outcome.miss", "outcome.hit"]
    assert stage.hp(BO) == 96 - 5 - 6


@pytest.mark.rule("COS-MOD-09")
@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_table_sets_how_many_attacks_there_are(most: int) -> None:
    stage = duel(max_attacks=most)
    weapon = stage.weapon(ADA, "pistol")
    for attacks in (0, -1, most + 1):
        no = stage.refused("attack", ADA, target=BO, weapon=weapon, attacks=attacks)
        assert (no.code, no.message) == (
            "bad_value",
            f"One Standard Action gives 1 to {most} attacks."
            if most > 1
            else "One Standard Action gives 1 attack.",
        )
    assert total(stage, attacks=most) == 19 - 2 * (most - 1)
    assert stage.form("attack", ADA)["attacks"].high == most


@pytest.mark.rule("COS-MOD-09")
def test_nobody_attacks_four_times() -> None:
    stage = duel()
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"), attacks=4)
    assert (no.code, no.message) == ("bad_value", "One Standard Action gives 1 to 3 attacks.")


@pytest.mark.rule("COS-MOD-09", "COS-EX-07")
def test_a_quick_aim_helps_only_the_first_of_several_shots() -> None:
    stage = duel()
    stage.do("quick_aim", ADA)
    weapon = stage.weapon(ADA, "pistol")
    stage.do("attack", ADA, target=BO, weapon=weapon, attacks=2, dice=[(5, 6), 1, (5, 6)])
    assert [roll.total for roll in stage.checks("attack")] == [18, 17]


@pytest.mark.rule("COS-MOD-09")
def test_attacks_on_the_dead_are_not_rolled_any_more() -> None:
    stage = duel()
    stage.set_track(BO, hp=1)
    weapon = stage.change(ADA, "pistol", damage="1d8+10")
    stage.do("attack", ADA, target=BO, weapon=weapon, attacks=3, dice=[(9, 9), 1])
    assert stage.has(BO, "dead")
    assert stage.item(ADA, "pistol").loaded == 14


@pytest.mark.rule("COS-MOD-09", "COS-ATK-11")
def test_an_automatic_weapon_makes_more_attacks_than_the_table_gives_for_ten_rounds() -> None:
    stage = duel("machine_gun", "rifle", max_attacks=1)
    assert stage.form("attack", ADA)["attacks"].high == 3
    gun = stage.weapon(ADA, "machine_gun")
    stage.do("attack", ADA, target=BO, weapon=gun, attacks=3, dice=[(1, 2)] * 3)
    assert [check.total for check in stage.checks("attack")] == [3 + 8 - 4] * 3
    assert stage.item(ADA, "machine_gun").loaded == 90
    stage.turn(ADA)
    stage.do("attack", ADA, target=BO, weapon=gun, dice=[(1, 2)])
    assert stage.item(ADA, "machine_gun").loaded == 89
    stage.turn(ADA)
    stage.change_item(ADA, "machine_gun", loaded=9)
    no = stage.refused("attack", ADA, target=BO, weapon=gun, attacks=2)
    assert no.message == "Machine gun holds 9 rounds, this needs 10."
    rifle = stage.weapon(ADA, "rifle")
    assert stage.refused("attack", ADA, target=BO, weapon=rifle, attacks=2).code == "bad_value"
