"""Groups: identical foes may share one initiative and keep their own wounds."""

from __future__ import annotations

import pytest

from tests.combat.rules.cosmos.figures import CosmosStage


def crowd(**options: object) -> tuple[CosmosStage, str, list[str]]:
    """A player character and three numbered thugs."""
    stage = CosmosStage(**options)
    hero = stage.hero()
    stage.edit(hero, pc=True)
    stage.do("join", block="street_thug", name="Thug", side="enemies", count=3)
    return stage, hero, [who for who in stage.state.combatants if who != hero]


@pytest.mark.rule("COS-INIT-02")
def test_identical_enemies_share_one_roll_if_the_table_has_it_so() -> None:
    stage, hero, thugs = crowd(group_initiative=True)
    stage.do("start", dice=[(5,), (7,)])
    assert [stage[who].initiative for who in thugs] == [10, 10, 10]
    assert stage.state.order == (hero, *thugs)


@pytest.mark.rule("COS-INIT-02", "COS-COND-10")
@pytest.mark.parametrize("deaf", [0, 1])
def test_only_the_deaf_of_a_group_are_slower(deaf: int) -> None:
    stage, _, thugs = crowd(group_initiative=True)
    stage.give(thugs[deaf], "deafened")
    stage.do("start", dice=[(1,), (7,)])
    scores = [8 if who == thugs[deaf] else 10 for who in thugs]
    assert [stage[who].initiative for who in thugs] == scores
    while stage.state.round == 1:
        stage.do("next_turn")
    assert [stage[who].initiative for who in thugs] == scores


@pytest.mark.rule("COS-INIT-01")
def test_player_characters_roll_alone_even_with_numbered_names() -> None:
    stage = CosmosStage(group_initiative=True)
    for number in (1, 2):
        stage.edit(stage.hero(f"Unit {number}"), pc=True)
    stage.do("start", dice=[(5,), (7,)])
    assert [combatant.initiative for combatant in stage.state.combatants.values()] == [10, 12]


@pytest.mark.rule("COS-INIT-01")
def test_everybody_rolls_alone_by_default() -> None:
    stage, _, thugs = crowd()
    stage.do("start", dice=[(5,), (7,), (3,), (1,)])
    assert [stage[who].initiative for who in thugs] == [10, 6, 4]


@pytest.mark.rule("COS-INIT-05")
def test_a_group_rolls_off_as_one() -> None:
    stage, _, thugs = crowd(group_initiative=True)
    other = stage.add("Wolf", "enemies", (5, 5), block="street_thug")
    stage.do("start", dice=[(1,), (7,), (7,), (2,), (9,)])
    assert stage.state.order[:4] == (other, *thugs)


@pytest.mark.rule("COS-HP-01")
def test_wounds_stay_each_ones_own() -> None:
    stage, _, thugs = crowd(group_initiative=True)
    stage.do("start", dice=[(5,), (7,)])
    stage.do("adjust", target=thugs[1], track="hp", by=-10)
    assert [stage.hp(who) for who in thugs] == [84, 74, 84]


@pytest.mark.rule("COS-INIT-01")
def test_a_table_may_roll_anew_each_round_for_all_but_the_dead() -> None:
    """RULING R21: groups roll together then too, and a score of the GM lasts its round."""
    stage, hero, thugs = crowd(group_initiative=True, initiative_each="round")
    stage.do("start", dice=[(9,), (2,)])
    stage.do("set_initiative", target=thugs[0], score=20)
    stage.give(thugs[2], "dead")
    for _ in range(2):
        stage.do("next_turn")
    stage.do("next_turn", dice=[(1,), (8,)])
    assert stage.state.round == 2
    assert [stage[who].initiative for who in thugs] == [11, 11, 5]
    assert stage.state.order[0] == thugs[0]
    assert (stage[hero].initiative or 0) < 11
