"""A score that the GM sets counts once, and only allies give heart."""

from __future__ import annotations

import pytest

from tests.combat.rules.cosmos.figures import CosmosStage, pair


@pytest.mark.rule("COS-INIT-02", "COS-INIT-03")
def test_a_score_is_taken_up_once_and_a_place_given_later_stands() -> None:
    stage, ada, bo = pair()
    stage.do("start", dice=[9, 1])
    stage.do("set_initiative", target=bo, score=20)
    for _ in range(2):
        stage.do("next_turn")
    assert stage.state.order == (bo, ada)
    stage.do("reorder", target=bo, after=ada)
    for _ in range(4):
        stage.do("next_turn")
    assert stage.state.order == (ada, bo)


@pytest.mark.rule("COS-COND-20")
@pytest.mark.parametrize(("who", "plus"), [("comrade", 2), ("oneself", 0), ("enemy", 0)])
def test_heart_against_fear_is_lent_by_comrades_alone(who: str, plus: int) -> None:
    heart = {"allies_morale_bonus": 2}
    stage = CosmosStage()
    beast = stage.foe("Beast", abilities=heart if who == "enemy" else {})
    ada = stage.hero("Ada", (5, 0), abilities=heart if who == "oneself" else {})
    stage.hero("Cy", (5, 5), abilities=heart if who == "comrade" else {})
    stage.give(ada, "frightened", by=beast)
    stage.begin()
    stage.do("next_turn", dice=[(4, 4)])
    assert stage.check("Resolve save").total == 4 + 8 + plus
