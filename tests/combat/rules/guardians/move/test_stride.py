"""The terms of a whole move, as pages and forms show it, and how fallen combatants crawl."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.space import Point, distance
from combat.rules.guardians.pages.wording import describe_combatant
from combat.rules.guardians.world.strides import stride_terms, stride_yards
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel

KNIGHT = {"blades": 12, "running": 10}


def shown(stage: GuardStage) -> dict[str, int]:
    """The terms of Ada's move; check that their sum is her range, and the page's number."""
    terms = stride_terms(stage.state, stage[ADA])
    assert add_up(terms) == int(stride_yards(stage.state, stage[ADA]))
    (told,) = (one for one in describe_combatant(stage.state, stage[ADA]) if one.label == "Movement")
    assert told.value == add_up(terms)
    return {stage.system.draw(term.label): term.value for term in terms[2:]}


@pytest.mark.rule("CG-MOVE-01", "CG-MOVE-02", "CG-LIMB-02", "CG-PRONE-01")
def test_footing_and_lame_legs_are_terms_of_a_move() -> None:
    stage = duel(hero={"running": 10})
    assert shown(stage) == {}
    stage.do("set_setting", key="footing", value="75")
    assert shown(stage) == {"Footing": -3}
    stage.set_part(ADA, "left_leg", 7)
    assert shown(stage) == {"Footing": -3, "Disabled leg": -5}
    stage.set_part(ADA, "right_leg", 7)
    assert shown(stage) == {"Crawling": -11}


@pytest.mark.rule("CG-MOVE-01", "CG-FAT-02")
def test_numbers_name_no_terms_that_add_nothing() -> None:
    stage = duel(hero={"running": 0})
    numbers = {one.label: one for one in describe_combatant(stage.state, stage[ADA])}
    assert (numbers["Fatigue"].value, numbers["Fatigue"].terms) == (0, ())
    assert [term.value for term in numbers["Movement"].terms] == [2]
    assert all(term.value for one in numbers.values() for term in one.terms)


@pytest.mark.rule("CG-MOVE-01", "CG-TORSO-01")
def test_running_never_counts_below_nothing() -> None:
    stage = duel(hero={"running": 3})
    stage.set_part(ADA, "torso", 10)
    assert shown(stage) == {"Never below 0": 2, "Everyone": 2}


@pytest.mark.rule("CG-PRONE-01", "CG-MOVE-03")
def test_the_fallen_crawl_on() -> None:
    stage = duel("long_sword", hero=KNIGHT)
    stage.attack(99)
    stage.give(ADA, "prone")
    assert stage.refused("walk_on", ADA, to="-2,0").code == "out_of_range"
    stage.do("walk_on", ADA, to="-1,0")
    assert stage[ADA].budget["yards"] == 0


@pytest.mark.rule("CG-PRONE-01")
def test_the_fallen_crawl_in_pieces_too_and_not_for_ever() -> None:
    stage = duel("long_sword", hero=KNIGHT, crawl_yards=2)
    stage.attack(99)
    stage.give(ADA, "prone")
    stage.do("walk_on", ADA, to="-1,0")
    assert stage[ADA].budget["yards"] == 1
    stage.do("walk_on", ADA, to="-2,0")
    assert "No movement left" in stage.obstacle("walk_on", ADA)


@pytest.mark.rule("CG-MOVE-01", "CG-MOVE-03")
@pytest.mark.parametrize(
    ("name", "fields", "dice"),
    [("move", {"to": "0,4.6"}, ()), ("attack", {"target": BO, "weapon": "f1-w0"}, (99,))],
)
def test_yards_are_told_once(name: str, fields: dict[str, str], dice: tuple[int, ...]) -> None:
    stage = duel("long_sword", hero=KNIGHT, foe={"at": (4.6, 0)})
    stage.do(name, ADA, dice=dice, **fields)
    assert "Ada moves 4.6 yd." in stage.said()


@pytest.mark.rule("CG-MOVE-01", "CG-MOVE-03")
@pytest.mark.parametrize("to", [f"near:{BO}", f"away:{BO}"])
def test_as_far_as_the_yards_go_is_never_too_far_by_a_rounding(to: str) -> None:
    stage = duel("long_sword", hero=KNIGHT)
    for x in range(13, 40, 3):
        for name, yards in (("move", 12), ("walk_on", 5)):
            stage.edit(ADA, at=Point(0, 0))
            stage.edit(BO, at=Point(x, 11))
            stage.turn(ADA)
            stage.edit(ADA, budget={**stage[ADA].budget, "yards": yards})
            stage.do(name, ADA, to=to)
            assert stage[ADA].budget["yards"] == 0
            assert distance(Point(), stage[ADA].at) == pytest.approx(yards, abs=0.001)


@pytest.mark.rule("CG-MOVE-03")
def test_half_a_move_reaches_a_place_rounded_up_by_a_millimeter() -> None:
    stage = duel("long_sword", hero=KNIGHT)
    stage.edit(BO, at=Point(6.001, 0))
    stage.attack(99)
    assert stage[ADA].at.x == pytest.approx(5.001)
