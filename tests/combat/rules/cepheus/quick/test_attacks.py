"""Attacks by the summary, where it says more than the full rules: the others are shown by both."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.fight.explosives.blasts import Blast, explode
from combat.rules.cepheus.quick import SYSTEM as QUICK
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO


def spar(weapon: str = "rifle", metres: float = 20) -> RangeStage:
    """Ada attacks Bo, who does not react."""
    return duel(weapon, metres, system=QUICK)


def ready(weapon: str = "rifle", metres: float = 20) -> RangeStage:
    """Let Bo react."""
    return duel(weapon, metres, ready=True, system=QUICK)


@pytest.mark.rule("CS-ATK-04", "CS-RANGE-05")
def test_range_is_a_difficulty() -> None:
    assert spar("auto_pistol", 30).terms() == {"Difficult": -2}


@pytest.mark.rule(
    "CS-RANGE-01", "CS-RANGE-02", "CS-RANGE-03", "CS-RANGE-04", "CS-RANGE-05", "CS-RANGE-06",
    "CS-RANGE-07", "CS-RANGE-08",
)  # fmt: skip
@pytest.mark.parametrize(
    ("weapon", "metres", "dm"),
    [
        pytest.param("dagger", 1, 0, marks=pytest.mark.rule("CS-RANGE-11")),
        pytest.param("dagger", 5, -2, marks=pytest.mark.rule("CS-RANGE-11")),
        pytest.param("spear", 2, 0, marks=pytest.mark.rule("CS-RANGE-09")),
        pytest.param("rocket_launcher", 30, 0, marks=pytest.mark.rule("CS-RANGE-10")),
        pytest.param("rocket_launcher", 100, -2, marks=pytest.mark.rule("CS-RANGE-10")),
        ("auto_pistol", 1, -2),
        ("auto_pistol", 2, 0),
        ("rifle", 5, 0),
        ("auto_pistol", 30, -2),
        pytest.param("submachinegun", 100, -2, marks=pytest.mark.rule("CS-RANGE-16")),
        ("rifle", 100, 0),
        ("rifle", 300, -2),
        pytest.param("rifle", 600, -6, marks=pytest.mark.rule("CS-RANGE-14")),
    ],
)
def test_the_distance_tells_how_hard_it_is(weapon: str, metres: float, dm: int) -> None:
    stage = spar(weapon, metres)
    mode = {"mode": "melee"} if weapon == "dagger" else {}
    assert stage.total(**mode) == dm


@pytest.mark.rule("CS-RANGE-01")
@pytest.mark.parametrize(
    ("weapon", "metres"),
    [
        pytest.param("auto_pistol", 300, marks=pytest.mark.rule("CS-RANGE-13")),
        pytest.param("shotgun", 300, marks=pytest.mark.rule("CS-RANGE-15")),
        pytest.param("sword", 13, marks=pytest.mark.rule("CS-RANGE-11")),
    ],
)
def test_out_of_range_is_refused(weapon: str, metres: float) -> None:
    stage = spar(weapon, metres)
    assert stage.refused("attack", ADA, target=BO, weapon=f"{ADA}-w1").code == "out_of_range"


@pytest.mark.rule("CS-RANGE-11")
def test_a_table_may_have_it_that_blows_reach_three_metres() -> None:
    assert duel("sword", 5, system=QUICK).total() == -2
    near, far = (
        duel("sword", metres, system=QUICK, close_quarters_reach="three_metres") for metres in (3, 5)
    )
    assert near.total() == 0
    assert far.refused("attack", ADA, target=BO, weapon=f"{ADA}-w1").code == "out_of_range"


@pytest.mark.rule("CS-REACT-07")
def test_a_parry_takes_its_points_off_the_blow() -> None:
    assert ready("sword", 2).attack("parry", (4, 4)).total == 8 - 1


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


@pytest.mark.rule("CS-STANCE-03", "CS-COVER-05")
def test_the_crouched_use_half_cover_as_three_quarters() -> None:
    stage = spar()
    stage.mark(BO, cover="half")
    stage.give(BO, "crouched")
    assert stage.total() == -2


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


@pytest.mark.rule("CS-EXPL-04")
def test_who_dives_is_prone_and_loses_the_next_significant_action() -> None:
    stage = ready()
    blast(stage, "dive", (1, 1, 1, 1))
    assert stage.has(BO, "prone")
    stage.do("next_turn")
    assert (stage.state.active, stage[BO].budget) == (BO, {"minor": 1, "significant": 0})
    stage.do("next_turn")
    stage.do("next_turn")
    assert stage[BO].budget["significant"] == 1


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
