"""Ways between decks, holes and lids: a way is movement of its length.  RULING R48"""

from __future__ import annotations

import pytest

from combat.rules.core.state import events as e
from tests.combat.rules.every_game.decks import HEIGHT, SHIFT
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage
from tests.combat.rules.guardians.ways_to_move import board, put


def left(stage: GuardStage) -> tuple[int, int]:
    """The actions and the yards of movement left."""
    budget = stage[ADA].budget
    return budget.get("action", 0), budget.get("yards", 0)


@pytest.mark.rule("CG-MOVE-01")
def test_a_ladder_costs_its_length_of_the_round_s_move() -> None:
    stage = board("ladder")
    stage.do("way", ADA, way="ladder")
    assert stage[ADA].at.z == HEIGHT
    assert left(stage) == (0, 9)  # Running 10 and 2, less 3 yards up


@pytest.mark.rule("CG-MOVE-01")
def test_the_rest_of_a_move_pays_for_a_ladder() -> None:
    stage = board("ladder")
    put(stage, ADA, 0, 6)
    stage.do("move", ADA, to="4,6")
    assert left(stage) == (0, 8)
    stage.do("way", ADA, way="ladder")
    assert left(stage) == (0, 5)


@pytest.mark.rule("CG-ACT-03")
def test_a_longer_way_takes_the_whole_action_and_arrives() -> None:
    stage = board("way")
    stage.edit(ADA, sheet={**stage[ADA].sheet, "footing": 20})  # 2 of 12 yards
    stage.do("way", ADA, way="ladder")
    assert stage[ADA].at.z == HEIGHT
    assert left(stage) == (0, 0)
    assert stage.obstacle("way", ADA)


@pytest.mark.rule("CG-PRONE-01")
@pytest.mark.parametrize("how", ["prone", "legs"])
def test_those_who_crawl_climb_nothing(how: str) -> None:
    stage = board("ladder")
    if how == "prone":
        stage.give(ADA, "prone")
    else:
        for leg in ("left_leg", "right_leg"):
            stage.set_part(ADA, leg, 1)
    assert "only crawl" in stage.refused("way", ADA, way="ladder").message
    assert left(stage) == (1, 0)
    (field,) = stage.system.action("way").find_fields(stage.state, ADA)
    assert "only crawl" in field.options[0].refused
    assert field.value == ""


@pytest.mark.rule("CG-REF-11")
@pytest.mark.parametrize("to", [f"{SHIFT + 10},6", f"away:{BO}"])
def test_nobody_walks_into_a_hole(to: str) -> None:
    stage = board("walk")
    put(stage, BO, SHIFT + 5, 6)
    put(stage, ADA, SHIFT + 8, 6)
    stage.refused("move", ADA, to=to)
    assert stage[ADA].at.z == HEIGHT


@pytest.mark.rule("CG-REF-11")
def test_a_jump_leads_down_and_the_gm_gives_the_damage() -> None:
    stage = board("jump")
    stage.do("move", ADA, to=f"{SHIFT + 11},6", jump=True)
    assert stage[ADA].at.z == 0
    (told,) = [
        fact.to for fact in stage.facts if isinstance(fact.event, e.Said) and fact.event.key == "log.falls"
    ]
    assert told == e.GM_ONLY
    put(stage, ADA, SHIFT + 2, 6)
    stage.turn(ADA)
    assert "no open hole" in stage.refused("move", ADA, to=f"{SHIFT + 4},6", jump=True).message


@pytest.mark.rule("CG-REF-11")
@pytest.mark.parametrize("by", ["gm", "player"])
def test_who_stands_on_a_lid_falls_when_it_opens(by: str) -> None:
    stage = board("lid")
    put(stage, BO, SHIFT + 18, 1)  # beside the hatch
    if by == "gm":
        stage.do("set_door", door="lid", open=True)
    else:
        stage.turn(BO)
        stage.do("door", BO, door="lid")
    assert (stage[ADA].at.x, stage[ADA].at.z) == (6, 0)


@pytest.mark.rule("CG-INIT-05")
def test_two_who_go_to_one_spot_at_one_count_stand_side_by_side() -> None:
    stage = board("walk")
    put(stage, BO, SHIFT + 6, 10)
    stage.turn(ADA, BO)
    for who in (ADA, BO):
        stage.do("move", who, to=f"{SHIFT + 6},8")
    stage.end_turn()
    assert stage[ADA].at != stage[BO].at
