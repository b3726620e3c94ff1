"""Rulings of this game: watchers answer them by their cost, and a Standard Action pays for a Move."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from combat.rules.core.state.rulings import Ruling
from tests.combat.rules.cosmos.fight.watch import HIT, MISS, watch
from tests.combat.rules.cosmos.figures import CosmosStage, lone

CHECK = (("skill", "Athletics"), ("attribute", "COO"))
GOOD = (10, 9)


def keep(stage: CosmosStage, who: str, cost: str = "") -> dict[str, Any]:
    """Let someone do an act again without asking; what the command of it takes."""
    stage.edit(who, rulings=(Ruling(id="r1", name="Leap", words="I leap", check=CHECK, cost=cost),))
    return {"ruling": "r1"}


@pytest.mark.rule("COS-MANV-16")
@pytest.mark.parametrize("cost", ["standard", "move", "quick"])
def test_watchers_of_acts_answer_a_tile_that_costs_an_action(cost: str) -> None:
    for when, asked in (("action", True), ("any", True), ("move", False)):
        stage, ada, bo = watch(fire=when)
        dice = ("hold", GOOD) if asked else (GOOD,)
        stage.do("use_ruling", bo, dice=dice, **keep(stage, bo, cost))
        assert [request.who for request in stage.asked] == ([ada] if asked else []) + [bo], when
    stage, ada, bo = watch()
    stage.do("use_ruling", bo, dice=("shoot", MISS, GOOD), **keep(stage, bo, cost))
    assert not stage.has(ada, "overwatch")
    assert stage[bo].budget[cost] == {"standard": 0, "move": 0, "quick": 2}[cost], "paid once"


@pytest.mark.rule("COS-MANV-16")
def test_a_free_tile_raises_no_question() -> None:
    stage, ada, bo = watch()
    stage.do("use_ruling", bo, dice=(GOOD,), **keep(stage, bo))
    assert stage.has(ada, "overwatch")


@pytest.mark.rule("COS-MANV-17")
def test_who_is_shot_down_does_not_act_and_has_paid() -> None:
    stage, _, bo = watch()
    stage.set_track(bo, hp=1)
    stage.do("use_ruling", bo, dice=("shoot", HIT, 8), **keep(stage, bo, "standard"))
    assert "Bo cannot go on." in stage.log()
    assert [check.who for check in stage.checks()] == ["f1"]
    assert stage[bo].budget["standard"] == 0


@pytest.mark.rule("COS-MANV-16")
def test_watchers_answer_what_the_gm_lets_someone_do() -> None:
    stage, ada, bo = watch()
    fields = {"words": "I leap", "check": [list(pair) for pair in CHECK]}
    stage.do("improvise", bo, dice=("hold", GOOD), cost="standard", **fields)
    assert [request.who for request in stage.asked] == [ada, bo]
    stage, ada, bo = watch()
    stage.do("improvise", bo, dice=("hold",), cost="quick", words="I wave")
    stage.do("improvise", bo, words="I wave")
    assert stage.has(ada, "overwatch")


@pytest.mark.rule("COS-ACT-03")
def test_a_standard_action_pays_for_a_move() -> None:
    stage, ada = lone()
    stage.begin()
    stage.edit(ada, budget={"standard": 1, "move": 0, "quick": 3})
    fields = keep(stage, ada, "move")
    stage.do("use_ruling", ada, dice=(GOOD,), **fields)
    assert stage[ada].budget == {"standard": 0, "move": 0, "quick": 3}
    assert stage.refused("use_ruling", ada, **fields).code == "no_budget"
    stage.edit(ada, budget={"standard": 1, "move": 0, "quick": 3})
    assert stage.refused("use_ruling", ada, untraded=True, **fields).code == "no_budget"
    stage.do("set_option", key="trade_standard_for_move", value=False)
    assert stage.refused("use_ruling", ada, **fields).code == "no_budget"


@pytest.mark.rule("COS-MANV-05", "COS-COND-34")
def test_the_pinned_and_the_unconscious_use_no_tiles() -> None:
    for kind, words in (("pinned", "Ada is pinned: "), ("unconscious", "Ada is unconscious: ")):
        stage, ada = lone()
        stage.foe()
        stage.begin()
        stage.give(ada, kind, by="f2")
        for cost in ("", "standard", "move", "quick"):
            assert stage.refused("use_ruling", ada, **keep(stage, ada, cost)).message.startswith(words)
        stage.do("improvise", ada, words="I spit")
        assert f"{words}ruled all the same." in stage.log()
        assert e.GM_ONLY in stage.audiences()


def test_bonus_on_the_next_roll_is_for_the_first_of_two_attacks() -> None:
    """Also in the odds, which are those of an attack with the bonus and of one without."""
    stage, ada = lone()
    bo = stage.foe()
    stage.begin()
    shot = {"target": bo, "weapon": stage.weapon(ada, "pistol")}

    def find_miss(**fields: Any) -> float:
        (loss,) = stage.odds("attack", ada, **shot, **fields).distributions
        return dict(loss.chances)[0]

    alone = [find_miss(adjust=points - 2) for points in (4, 0)]  # each of two attacks has -2
    stage.do("help_next", target=ada, points=4)
    assert find_miss(attacks=2) == pytest.approx(alone[0] * alone[1])
    stage.do("attack", ada, dice=[MISS, MISS], **shot, attacks=2)
    sums = [sum(term.value for term in check.modifiers) for check in stage.checks()]
    assert sums[0] == sums[1] + 4
    assert not stage.has(ada, "next_roll")
