"""The terms of a whole move, as pages and forms show it, and how fallen combatants crawl."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.space import Point, distance
from combat.rules.core.state.state import replace
from combat.rules.guardians.sheet import describe_combatant
from combat.rules.guardians.world.strides import count_left, stride_terms, stride_yards
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


@pytest.mark.rule("CG-MOVE-01", "CG-MOVE-03")
def test_a_move_in_pieces_is_not_rounded_at_each() -> None:
    stage = duel(hero={"running": 8}, foe={"at": (30, 0)})
    stage.do("move", ADA, to="0,4.5")
    assert count_left(stage.state, stage[ADA]) == 5.5
    assert "5.5 yd are left" in stage.refused("walk_on", ADA, to="0,10.1").message
    stage.do("walk_on", ADA, to="0,5.75")
    stage.do("walk_on", ADA, to="0,10")
    assert "No movement left" in stage.obstacle("walk_on", ADA)


@pytest.mark.rule("CG-MOVE-03")
@pytest.mark.parametrize(("option", "left"), [("down", 5), ("exact", 5.5)])
@pytest.mark.parametrize("goes", [0, 3.25])
def test_half_a_move_keeps_half_yards_after_the_blow(option: str, left: float, goes: float) -> None:
    hero = {"running": 9, "bludgeon_weapons": 5}
    stage = duel("club", hero=hero, foe={"at": (goes or 1, 0)}, half_move_rounding=option)
    stage.do("attack", ADA, dice=(99,), target=BO, weapon=stage.find_ready(ADA).id)
    end = stage[ADA].at.x - (left - goes)
    assert f"{left - goes:g} yd are left" in stage.refused("walk_on", ADA, to="-20,0").message
    stage.do("walk_on", ADA, to=f"{end:g},0")
    assert stage[ADA].at.x == pytest.approx(end)
    assert "No movement left" in stage.obstacle("walk_on", ADA)


@pytest.mark.rule("CG-MOVE-03")
def test_rest_of_a_yard_is_lost_next_round_or_if_the_gm_sets_it() -> None:
    stage = duel(hero={"running": 8}, foe={"at": (30, 0)})
    stage.do("move", ADA, to="0,9.5")
    stage.do("give_budget", target=ADA, pool="yards", left=2)
    assert "2 yd are left" in stage.refused("walk_on", ADA, to="0,15").message
    stage.turn(ADA)
    stage.do("move", ADA, to="0,19")
    stage.state = replace(stage.state, round=stage.state.round + 1)
    stage.turn(ADA)
    assert "No movement left" in stage.obstacle("walk_on", ADA)


@pytest.mark.rule("CG-MOVE-01", "CG-LIMB-02")
def test_a_sum_in_whole_yards_names_what_lies_beyond_them() -> None:
    stage = duel(hero={"running": 9}, half_move_rounding="exact")
    stage.set_part(ADA, "left_leg", 7)
    numbers = {one.label: one.value for one in describe_combatant(stage.state, stage[ADA])}
    assert numbers["Movement (exactly 5.5 yd)"] == 5
    (note,) = stage.preview("move", ADA, to="0,5.5").notes
    assert stage.system.draw(note) == "Exactly 5.5 yd"


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
