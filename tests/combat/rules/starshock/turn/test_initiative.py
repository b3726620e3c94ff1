"""Initiative, the order around the table, and the GM's single turn for a side."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import LiveDriver, Waiting, run
from tests.combat.rules.starshock.figures import ADA, BO, CY, DI, StarStage

# With Dex 2 these dice make the totals of the examples
TOTAL = {11: (5, 4), 10: (4, 4), 9: (4, 3), 8: (3, 3), 7: (3, 2)}
E1, E2, E3, E4 = "f5", "f6", "f7", "f8"


def players(count: int = 4, **options: object) -> StarStage:
    """Ada, Bo, Cy, Di clockwise from the GM, each with Dex 2."""
    stage = StarStage(**options)
    for name in ("Ada", "Bo", "Cy", "Di")[:count]:
        stage.hero(name)
    return stage


def against(enemies: int, count: int = 4, **options: object) -> StarStage:
    """The players and some enemies."""
    stage = players(count, **options)
    for number in range(enemies):
        stage.foe(f"E{number + 1}")
    return stage


def roll(stage: StarStage, *totals: int, **more: Any) -> None:
    stage.do("start", dice=[TOTAL[total] for total in totals], **more)


def turns(stage: StarStage) -> list[str]:
    """The combatants of this round in order, one entry for the GM's turn."""
    names = [stage[who].name for who in stage.state.order]
    return ["GM" if name == "E1" else name for name in names if name not in ("E2", "E3", "E4")]


def finish_round(stage: StarStage) -> None:
    """Let everyone pass until the next round begins."""
    this = stage.state.round
    while stage.state.round == this:
        stage.end_turn(whole=True)


# ---------------------------------------------------------------- the check


@pytest.mark.rule("SS-INIT-01", "SS-INIT-08")
def test_all_players_are_asked_for_their_real_dice_together() -> None:
    stage = against(1)
    start = stage.system.action("start")
    waiting = run(
        stage.system, stage.state, start, read_command(start, {"typed": True}), LiveDriver(typed=True)
    )
    assert isinstance(waiting, Waiting)
    assert [(r.who, r.dice) for r in waiting.requests if isinstance(r, RollRequest)] == [
        (who, "2d6") for who in (ADA, BO, CY, DI)
    ]


@pytest.mark.rule("SS-INIT-03", "SS-INIT-06")
def test_a_score_set_right_in_the_first_round_moves_the_player() -> None:
    """Bo's eleven was recorded as a nine: he acts before the enemies after all."""
    stage = against(2, 3)
    roll(stage, 10, 9, 9)
    assert stage.state.order == (ADA, "f4", "f5", BO, CY)
    stage.do("set_initiative", target=BO, score=11)
    assert stage.state.order == (ADA, BO, "f4", "f5", CY)
    stage.end_turn()
    assert stage.state.active == BO
    finish_round(stage)
    after = stage.state.order
    stage.do("set_initiative", target=CY, score=12)
    assert stage.state.order == after, "scores count in the first round only"


@pytest.mark.rule("SS-INIT-11")
@pytest.mark.parametrize(("adjust", "total", "first"), [(1, 10, ADA), (-1, 8, BO)])
def test_the_gm_may_help_or_hinder(adjust: int, total: int, first: str) -> None:
    stage = StarStage()
    stage.hero("Ada")
    stage.foe("E1")
    roll(stage, 9, adjust=adjust, because="the enemy is distracted")
    assert (stage.check("initiative").total, stage.state.active) == (total, first)


@pytest.mark.rule("SS-INIT-11")
def test_single_players_may_be_surprised_or_in_ambush() -> None:
    stage = against(1, 3)
    roll(stage, 9, 10, 9, ambushers=[ADA], surprised=[BO])
    assert [check.total for check in stage.checks("initiative")] == [10, 9, 9]


@pytest.mark.rule("SS-INIT-11")
def test_the_gms_modifier_is_at_most_three() -> None:
    assert against(1, 1).refused("start", adjust=4).code == "bad_value"


@pytest.mark.rule("SS-INIT-01", "SS-INIT-11")
def test_a_skill_helps_where_the_table_allows_it() -> None:
    for option, total in (("none", 9), ("gm_may_allow", 10)):
        stage = against(1, 1, initiative_skill=option)
        stage.edit(ADA, sheet={**stage[ADA].sheet, "skills": ["Recon"]})
        roll(stage, 9, skill="Recon")
        assert stage.check("initiative").total == total


@pytest.mark.rule("SS-INIT-02")
def test_turns_without_enemies_keep_an_empty_place_for_the_gm() -> None:
    stage = players(2)
    roll(stage, 10, 9)
    assert stage.state.active == ADA
    stage.end_turn()
    assert stage.state.active == ""
    assert "SS-INIT-02" in stage.rules()
    stage.end_turn()
    assert stage.state.active == BO
    stage.end_turn()
    assert (stage.state.round, stage.state.active) == (2, BO)


# ---------------------------------------------------------------- the order


@pytest.mark.rule("SS-INIT-05")
def test_the_gm_has_one_turn_for_all_enemies() -> None:
    stage = against(3)
    roll(stage, 11, 8, 10, 9)
    stage.end_turn()
    stage.end_turn()
    assert (stage.state.active, stage.state.sharing) == (E1, (E2, E3))
    for who in (E3, E1, E2, E3):  # in any order, back and forth
        stage.do("declare" if "declared" not in stage[who].marks else "block", who, **_actions(stage, who))
    stage.end_turn(target=E1)
    assert (stage.state.active, stage.state.sharing) == (E2, (E3,))
    assert stage.refused("declare", E1, actions=1).code == "not_your_turn"
    stage.end_turn(whole=True)
    assert stage.state.active == BO


def _actions(stage: StarStage, who: str) -> dict[str, Any]:
    return {} if "declared" in stage[who].marks else {"actions": 1}


@pytest.mark.rule("SS-INIT-10")
def test_the_direction_may_stay() -> None:
    stage = against(1, direction_flip="never")
    roll(stage, 11, 8, 10, 9)
    finish_round(stage)
    assert turns(stage) == ["Ada", "Bo", "Cy", "Di", "GM"]


@pytest.mark.rule("SS-INIT-06", "SS-INIT-10")
def test_a_head_start_gives_the_successful_a_turn_of_their_own() -> None:
    stage = against(1, table_order="head_start")
    roll(stage, 11, 8, 10, 9)
    assert turns(stage) == ["Ada", "Cy", "GM"]
    finish_round(stage)
    assert turns(stage) == ["Ada", "Bo", "Cy", "Di", "GM"]
    finish_round(stage)
    assert turns(stage) == ["Di", "Cy", "Bo", "Ada", "GM"]


@pytest.mark.rule("SS-INIT-09")
def test_a_round_is_ten_seconds() -> None:
    stage = against(1, 1)
    roll(stage, 10)
    for _ in range(6):
        finish_round(stage)
    assert (stage.state.round, stage.state.clock) == (7, 60)


# ---------------------------------------------------------------- seating order


@pytest.mark.rule("SS-INIT-04")
def test_the_gm_arranges_the_seats() -> None:
    stage = against(1)
    for who in (BO, CY, DI):
        stage.do("seat", target=who)
    roll(stage, 11, 11, 11, 11)
    assert turns(stage) == ["Di", "Cy", "Bo", "Ada", "GM"]


@pytest.mark.rule("SS-INIT-04")
def test_one_player_may_change_the_seat() -> None:
    stage = against(1)
    stage.do("seat", target=ADA, after=CY)
    roll(stage, 11, 11, 11, 11)
    assert turns(stage) == ["Bo", "Cy", "Ada", "Di", "GM"]
    assert stage.refused("seat", target=E1, after=CY).code == "bad_target"
    assert stage.refused("seat", target=ADA, after=ADA).code == "bad_target"
    assert "already has that seat" in stage.refused("seat", target=ADA, after=CY).message
    stage.do("seat", target=DI)
    (said,) = stage.said()
    assert said == "Seating order from the next round, clockwise from the GM: Di, Bo, Cy and Ada."
    finish_round(stage)
    assert turns(stage) == ["Ada", "Cy", "Bo", "Di", "GM"]


@pytest.mark.rule("SS-INIT-05")
def test_an_ally_acts_straight_after_its_player() -> None:
    stage = against(1)
    stage.add("Dog", "allies", sheet=stage[ADA].sheet)
    roll(stage, 11, 8, 10, 9)
    assert turns(stage) == ["Ada", "Dog", "Cy", "GM", "Bo", "Di"]
    stage.do("follow", target="f6", player=DI)
    finish_round(stage)
    assert turns(stage) == ["Di", "Dog", "Cy", "Bo", "Ada", "GM"]


@pytest.mark.rule("SS-INIT-05")
def test_neutrals_act_in_the_gms_turn() -> None:
    stage = against(1, 1)
    stage.add("Bystander", "neutral", sheet=stage[ADA].sheet)
    roll(stage, 10)
    stage.end_turn()
    assert (stage.state.active, stage.state.sharing) == (BO, (CY,))


@pytest.mark.rule("SS-INIT-05")
def test_latecomers_have_their_first_turn_in_the_next_round() -> None:
    stage = against(1, 2)
    roll(stage, 10, 9)
    late = stage.foe("E2")
    assert late in stage.state.order
    assert stage[late].acted
    finish_round(stage)
    assert stage.state.order == (BO, ADA, CY, late)
    assert not stage[late].acted


@pytest.mark.rule("SS-INIT-04")
def test_without_player_characters_the_first_side_is_the_players() -> None:
    stage = StarStage()
    stage.foe("Rat")
    stage.add("Cat", "cats", sheet=stage[ADA].sheet)
    roll(stage, 10)
    assert stage.state.order == (ADA, BO)


@pytest.mark.rule("SS-INIT-05")
def test_an_enemy_who_leaves_ends_only_its_own_part_of_the_turn() -> None:
    stage = against(2, 1)
    roll(stage, 9)
    stage.do("remove", target=BO)
    assert (stage.state.active, stage.state.sharing) == (CY, ())


# ---------------------------------------------------------------- by house rule


@pytest.mark.rule("SS-INIT-01", "SS-INIT-10")
def test_players_may_roll_anew_each_round() -> None:
    """RULING R6: the second round runs the other way round, those who fail after the enemies."""
    stage = against(1, 3, initiative_each="round")
    roll(stage, 11, 10, 9)
    assert turns(stage) == ["Ada", "Bo", "GM", "Cy"]
    for _ in range(3):
        stage.end_turn(whole=True)
    stage.end_turn(TOTAL[9], TOTAL[10], TOTAL[11], whole=True)
    assert turns(stage) == ["Cy", "Bo", "GM", "Ada"]


@pytest.mark.rule("SS-INIT-01")
def test_rolling_each_round_also_tells_if_nobody_can_act() -> None:
    stage = against(1, 1, initiative_each="round")
    roll(stage, 11)
    for who in (ADA, "f2"):
        stage.give(who, "dead")
    stage.end_turn(whole=True)
    assert not stage.state.active


@pytest.mark.rule("SS-INIT-01")
def test_one_roll_for_all_players_counts_with_the_dex_of_each() -> None:
    """RULING R6"""
    stage = StarStage(players_roll="together")
    stage.hero("Ada")
    stage.hero("Bo", dex=0)
    stage.foe("E1")
    roll(stage, 10)
    assert [stage[who].initiative for who in (ADA, BO)] == [10, 8]
    assert turns(stage) == ["Ada", "GM", "Bo"]
