"""Defense: its sum, Reactive Defense, and being caught flat-footed."""

from __future__ import annotations

import pytest

from tests.combat.rules.cosmos.duels import ADA, BO, card, defense, duel, pass_turns, rule_of, strike, sums
from tests.combat.rules.cosmos.figures import CosmosStage

# ---------------------------------------------------------------- the sum


@pytest.mark.rule("COS-DEF-01")
def test_card_shows_the_sum_that_the_attack_is_rolled_against() -> None:
    stage = duel(bo={"armor": "medium"})
    assert strike(stage, "pistol", (2, 3), cover="light").against == 19
    assert card(stage, BO) == defense(stage) == 17
    assert card(stage, BO, "Flat-footed") == defense(stage, unaware=True) == 15


@pytest.mark.rule("COS-DEF-01")
def test_shield_in_hand_adds_its_bonus_but_a_stowed_one_does_not() -> None:
    stage = duel(bo={"shield": "buckler"})
    assert rule_of(sums(stage).against, "Buckler") == (1, "COS-DEF-01")
    shield = stage.item(BO, "buckler")
    stage.turn(BO)
    stage.do("draw", BO, item=shield.id)
    stage.turn(ADA)
    assert defense(stage) == 18


# ---------------------------------------------------------------- Reactive Defense


@pytest.mark.rule("COS-DEF-08", "COS-DEF-10")
def test_reactive_defense_adds_half_combat_until_the_next_turn() -> None:
    stage = duel()
    stage.do("reactive_defense", ADA)
    assert stage[ADA].budget == {"standard": 1, "move": 0, "quick": 3}
    assert card(stage, ADA) == 20
    pass_turns(stage, 1)
    shot = stage.preview("attack", BO, target=ADA, weapon=stage.weapon(BO, "pistol"))
    assert rule_of(shot.against, "Reactive Defense") == (2, "COS-DEF-08")
    pass_turns(stage, 1)
    assert card(stage, ADA) == 18


@pytest.mark.rule("COS-DEF-02", "COS-DEF-08")
def test_house_rule_changed_in_a_running_fight_counts_at_once() -> None:
    stage = duel(ada={"skills": {"Combat": 5}})
    stage.do("reactive_defense", ADA)
    assert card(stage, ADA) == 20
    stage.do("set_option", key="round_half_skill", value="up")
    assert card(stage, ADA) == 22


@pytest.mark.rule("COS-DEF-08")
def test_reactive_defense_may_take_the_standard_action() -> None:
    stage = duel()
    stage.do("move", ADA, to="-5,0")
    stage.do("reactive_defense", ADA)
    assert stage[ADA].budget == {"standard": 0, "move": 0, "quick": 3}
    strict = duel(trade_standard_for_move=False)
    strict.do("move", ADA, to="-5,0")
    no = strict.refused("reactive_defense", ADA)
    assert (no.code, no.message) == (
        "no_budget",
        "No Move left this turn; Reactive Defense needs 1 Move.",
    )


@pytest.mark.rule("COS-DEF-10", "COS-DEF-13")
def test_reactive_defense_needs_a_seen_attacker_and_no_stun() -> None:
    stage = duel()
    stage.give(BO, "reactive_defense")
    assert defense(stage) == 20
    assert defense(stage, unaware=True) == 16
    stage.give(BO, "stunned")
    assert defense(stage) == 18 - 2
    stage.give(BO, "unconscious")
    assert defense(stage) == 0


# ---------------------------------------------------------------- flat-footed


@pytest.mark.rule("COS-DEF-11", "COS-POS-06")
def test_from_behind_and_flat_footed_leave_ten_cover_and_armor() -> None:
    stage = duel(bo={"armor": "heavy"})
    assert defense(stage, unaware=True, behind=True, cover="heavy") == 10 + 4 - 2


def surprised(**options: bool) -> CosmosStage:
    """Ada opens the fight against a surprised Bo."""
    stage = CosmosStage(**options)
    stage.hero()
    stage.foe()
    stage.do("start", surprised=[BO], dice=[10, 1])
    return stage


@pytest.mark.rule("COS-DEF-12")
def test_the_surprised_are_flat_footed_until_their_first_turn() -> None:
    stage = surprised()
    assert defense(stage) == 16
    pass_turns(stage, 1)
    assert stage.state.active == BO
    assert card(stage, BO) == 18
    assert stage[BO].budget == {"standard": 1, "move": 1, "quick": 3}


@pytest.mark.rule("COS-DEF-12")
def test_surprised_lose_their_first_turn_if_the_table_says_so() -> None:
    stage = surprised(surprised_lose_first_turn=True)
    pass_turns(stage, 1)
    assert (stage.state.round, stage.state.active) == (2, ADA)
    assert card(stage, BO) == 18
    pass_turns(stage, 1)
    assert stage.state.active == BO


@pytest.mark.rule("COS-DEF-12")
def test_unaware_counts_against_one_attacker_only() -> None:
    stage = duel()
    assert strike(stage, "pistol", (2, 3), unaware=True).against == 16
    assert card(stage, BO) == 18
    assert not stage.has(BO, "surprised")


@pytest.mark.rule("COS-DEF-12")
def test_a_stranger_cannot_be_surprised() -> None:
    stage = CosmosStage()
    stage.hero()
    assert stage.refused("start", surprised=["f9"]).code == "unknown"


@pytest.mark.rule("COS-DEF-12")
def test_named_twice_is_surprised_once() -> None:
    stage = CosmosStage()
    stage.hero()
    stage.foe()
    stage.do("start", surprised=[BO, BO], dice=[10, 1])
    assert [held.kind for held in stage[BO].conditions] == ["surprised"]
