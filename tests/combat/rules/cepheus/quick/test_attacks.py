"""Attacks by the summary, where it says more than the full rules: the others are shown by both."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.fight.explosives.blasts import Blast, explode
from combat.rules.cepheus.quick import SYSTEM as QUICK
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO


def spar(weapon: str = "rifle", meters: float = 20) -> RangeStage:
    """Ada attacks Bo, who does not react."""
    return duel(weapon, meters, system=QUICK)


def ready(weapon: str = "rifle", meters: float = 20) -> RangeStage:
    """Let Bo react."""
    return duel(weapon, meters, ready=True, system=QUICK)


@pytest.mark.rule("CS-RANGE-11")
def test_a_table_may_have_it_that_blows_reach_three_meters() -> None:
    assert duel("sword", 5, system=QUICK).total() == -2
    near, far = (
        duel("sword", meters, system=QUICK, close_quarters_reach="three_metres") for meters in (3, 5)
    )
    assert near.total() == 0
    assert far.refused("attack", ADA, target=BO, weapon=f"{ADA}-w1").code == "out_of_range"


@pytest.mark.rule("CS-REACT-04", "CS-REACT-08")
@pytest.mark.parametrize("reaction", ["dodge", "parry"])
def test_a_reaction_tells_on_checks_until_the_next_round(reaction: str) -> None:
    stage = ready("sword", 2)
    stage.attack(reaction, (1, 1))
    stage.do("next_turn")
    stage.do("check", BO, characteristic="end", dice=[(4, 4)])
    assert stage.check().total == 7
    stage.do("next_turn")
    stage.do("next_turn")
    stage.do("check", BO, characteristic="end", dice=[(4, 4)])
    assert stage.check().total == 8


def blast(stage: RangeStage, *answers: Any) -> None:
    """4D6 within 6 m of Bo, by Ada."""
    found = Blast(by=ADA, at=stage[BO].at, weapon="bomb", rings=((6.0, "4d6"),))
    stage.run(lambda context: explode(context, found), answers)


@pytest.mark.rule("CS-EXPL-02", "CS-REACT-01")
def test_nobody_dodges_a_blast_without_two_points_left() -> None:
    """RULING R63"""
    stage = ready()
    stage.edit(BO, initiative=1)
    blast(stage, (3, 3, 3, 3))
    assert (stage.questions(), sum(stage.body(BO))) == ([], 21 - 12)


def suppress(stage: RangeStage, *dice: tuple[int, int]) -> Any:
    stage.do("suppress", ADA, dice=dice, target=BO, weapon=f"{ADA}-w1")
    return stage.check("check.suppression")


@pytest.mark.rule("CS-SUPP-02", "CS-SUPP-03")
def test_who_is_not_suppressed_loses_nothing() -> None:
    stage = spar()
    assert suppress(stage, (5, 4)).outcome == "outcome.miss"
    stage.do("next_turn")
    assert (stage.state.active, stage[BO].budget) == (BO, {"minor": 1, "significant": 1})


@pytest.mark.rule("CS-SUPP-03", "CS-SUPP-04")
@pytest.mark.parametrize("tag", ["zealot", "android", "suicidal"])
def test_nobody_is_too_stubborn_to_duck(tag: str) -> None:
    """RULING R87"""
    stage = spar()
    stage.edit(BO, sheet={**stage[BO].sheet, "tags": [tag]})
    suppress(stage, (6, 6))
    assert stage.has(BO, "ducking")
