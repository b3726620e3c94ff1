"""Checks of 2D6: bonuses, penalties, opposed checks, and the cuts for the odds."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.dice import find_cuts, modifiers_for_check, opposed_check, roll_check
from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.basics.modifiers import Modifier, add_up
from combat.rules.core.commands.context import RuleContext
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage
from tests.typed import as_a


def stage(**skills: int) -> CepheusStage:
    made = CepheusStage()
    made.hero("Ada", "797777", skills=skills)
    made.foe("Bo", at=(1, 0))
    made.begin()
    return made


def check(made: CepheusStage, *dice: tuple[int, ...], skill: str = "mechanics", **more: Any) -> int:
    effects: list[int] = []

    def roll(context: RuleContext) -> None:
        effects.append(
            roll_check(
                context, ADA, what="check.attack", skill=skill, characteristic="dex", rule="CE-ATK-04", **more
            )
        )

    made.run(roll, dice)
    return effects[0]


def sum_of(made: CepheusStage, skill: str = "mechanics", characteristic: str = "dex") -> int:
    return add_up(modifiers_for_check(made.state, ADA, skill, characteristic))


def test_without_the_skill_three_less() -> None:
    assert sum_of(stage()) == -3 + 1
    assert sum_of(stage(mechanics=2)) == 3


@pytest.mark.rule("CE-ROUND-16", "CE-REACT-03", "CE-REACT-06", "CE-SUPP-06")
@pytest.mark.parametrize(
    ("conditions", "with_skill", "bare"),
    [
        ([("hastened", {})], 1, 0),
        ([("reacted", {"level": 3})], 2 - 3, 1),  # RULING R82
        ([("suppressed", {})] * 2, 1, 1),
        ([("blinded by dust", {"marks": {"checks": -2}})], 0, -1),  # a condition of the table's own
    ],
)
def test_conditions_cost_on_skill_checks_and_some_on_every_check(
    conditions: list[tuple[str, dict[str, Any]]], with_skill: int, bare: int
) -> None:
    made = stage(mechanics=1)
    for kind, more in conditions:
        made.give(ADA, kind, **more)
    assert (sum_of(made), sum_of(made, skill="")) == (with_skill, bare)


@pytest.mark.rule("CS-REACT-04", "CS-REACT-08")
def test_reactions_may_cost_on_all_checks() -> None:
    made = CepheusStage(reaction_penalty_on="all_checks")
    made.hero("Ada", "797777")
    made.give(ADA, "reacted", level=2)
    assert sum_of(made, skill="") == 1 - 2


def test_cuts_name_every_sum_that_matters() -> None:
    terms = (Modifier("term.str", 1),)
    assert find_cuts(terms, "none") == (7,)
    assert find_cuts(terms, "success") == (7, 8, 9, 10, 11, 12)
    assert find_cuts(terms, "all") == tuple(range(3, 13))
    assert find_cuts((Modifier("term.str", -9),), "success") == (17,)


def test_odds_count_what_does_not_matter_as_one() -> None:
    made = stage(mechanics=1)
    for matters, runs in (("none", (7,)), ("success", (6, 7, 8, 9, 10, 11, 12))):
        check(made, (4, 3), matters=matters)
        assert as_a(made.asked[0], RollRequest).cuts in (runs, (6,))


def contest(made: CepheusStage, *dice: tuple[int, ...]) -> tuple[str, int]:
    found = []

    def roll(context: RuleContext) -> None:
        keys = ("str", "dex")
        found.append(
            opposed_check(
                context,
                ADA,
                BO,
                what="check.grapple",
                skill="natural_weapons",
                characteristics=keys,
                rule="CE-GRAP-03",
            )
        )

    made.run(roll, dice)
    return found[0].winner, found[0].margin


@pytest.mark.rule("CE-GRAP-03")
def test_higher_total_wins_an_opposed_check_then_higher_score() -> None:
    made = stage(natural_weapons=1)  # 1 and DM +1 against -3
    assert contest(made, (4, 3), (6, 5)) == (ADA, 1)
    assert contest(made, (1, 1), (6, 5)) == (BO, 4)
    assert contest(made, (1, 2), (4, 4)) == (ADA, 0)
    made.set_track(ADA, dex=7)
    made.set_track(BO, dex=8)
    assert contest(made, (1, 2), (4, 3)) == (BO, 0)


@pytest.mark.rule("CE-GRAP-03")
def test_equal_totals_and_scores_decide_nothing() -> None:
    made = stage(natural_weapons=1)
    made.set_track(ADA, dex=7)
    assert contest(made, (1, 2), (4, 3)) == ("", 0)
