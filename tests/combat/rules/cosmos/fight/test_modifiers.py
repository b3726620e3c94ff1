"""Situational modifiers: each cause once, on the side where it belongs."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.modifiers import add_up
from tests.combat.rules.cosmos.duels import ADA, BO, add_ally, duel, pass_turns, strike, sums, total
from tests.combat.rules.cosmos.figures import CosmosStage


def margin(stage: CosmosStage, entry: str = "pistol", **fields: str) -> int:
    """The margin of 5 and 6 on the dice over Bo's Defense."""
    shown = sums(stage, entry, **fields)
    return 11 + add_up(shown.modifiers) - add_up(shown.against)


@pytest.mark.rule("COS-MOD-05")
@pytest.mark.parametrize(("concealment", "sum_"), [("none", 19), ("light", 17), ("heavy", 15)])
def test_concealment_counts_once_and_on_the_roll(concealment: str, sum_: int) -> None:
    stage = duel()
    stage.do("set_setting", key="light", value="dim")
    assert total(stage, concealment=concealment) == sum_
    assert add_up(sums(stage, concealment=concealment).against) == 18


@pytest.mark.rule("COS-MOD-06")
def test_flanking_is_worth_two_and_never_four() -> None:
    stage = duel("knife", apart=1)
    add_ally(stage, (2, 0))
    assert total(stage, "knife") == 21
    assert total(stage, "knife", flanking="yes") == 21
    assert total(stage, "knife", flanking="no") == 19


# ---------------------------------------------------------------- aiming


@pytest.mark.rule("COS-MOD-08")
def test_aiming_needs_the_move_action_as_well() -> None:
    stage = duel("pistol", "rifle")
    stage.do("draw", ADA, item=stage.weapon(ADA, "rifle"))  # put away
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


@pytest.mark.rule("COS-EX-07")
def test_quick_aim_adds_1_to_the_next_shot_alone_and_once_a_turn() -> None:
    stage = duel()
    stage.do("quick_aim", ADA)
    assert stage[ADA].budget["quick"] == 2
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


# ---------------------------------------------------------------- several attacks


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
def test_attacks_on_the_dead_are_not_rolled_any_more() -> None:
    stage = duel()
    stage.set_track(BO, hp=1)
    weapon = stage.change(ADA, "pistol", damage="1d8+10")
    stage.do("attack", ADA, target=BO, weapon=weapon, attacks=3, dice=[(9, 9), 1])
    assert stage.has(BO, "dead")
    assert stage.item(ADA, "pistol").loaded == 14


@pytest.mark.rule("COS-MOD-09", "COS-ATK-11")
def test_automatic_weapon_may_attack_more_often_for_ten_rounds() -> None:
    stage = duel("machine_gun", "rifle", max_attacks=1)
    stage.put(ADA, "rifle", "carried")
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
    stage.put(ADA, "machine_gun", "carried")
    rifle = stage.put(ADA, "rifle", "held")
    assert stage.refused("attack", ADA, target=BO, weapon=rifle, attacks=2).code == "bad_value"
