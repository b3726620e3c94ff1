"""Paths around the walls of the battle map, in yards."""

from __future__ import annotations

import pytest

from combat.rules.core.commands.commands import command_data
from combat.rules.core.gm.ways import find_shut
from combat.rules.core.space import Point
from combat.rules.core.state.events import Moved
from combat.rules.guardians.turn.hands import find_arm
from combat.rules.guardians.world.reach import count_yards
from tests.combat.rules.core.space.maps import wall_with_door
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel

WALL = {"id": "w", "x1": 1.5, "y1": -1.5, "x2": 1.5, "y2": 1.5}


def before(*walls: dict[str, object], apart: float = 4) -> GuardStage:
    stage = duel("club", hero={"running": 6})
    stage.edit(BO, at=Point(apart, 0))
    stage.edit(ADA, at=Point(0, 0))
    stage.zone("yard", x=-20, y=-20, width=40, depth=40)
    stage.do("set_map", map={"walls": walls})
    return stage


@pytest.mark.rule("CG-MOVE-01")
def test_a_move_leads_round_a_wall() -> None:
    find = before().system.action("move").find_reach
    assert find is not None
    free = {(r.at.x, r.at.y): r.meters for r in find(before().state, ADA)}
    costs = {(r.at.x, r.at.y): r.meters for r in find(before(WALL).state, ADA)}
    assert costs.keys() <= free.keys()
    assert costs[(3, 0)] > free[(3, 0)]
    assert costs[(0, 3)] == free[(0, 3)]


@pytest.mark.rule("CG-MOVE-03")
def test_a_large_target_is_as_far_as_its_nearest_square() -> None:
    stage = before(apart=9)
    assert count_yards(stage[ADA], stage[BO]) == 9
    stage.do("resize", target=BO, metres=5)
    assert count_yards(stage[ADA], stage[BO]) == 7
    stage.do("move", ADA, to=f"near:{BO}")
    assert stage[ADA].at.x <= 6


@pytest.mark.rule("CG-MOVE-01")
def test_zone_with_a_large_body_in_its_middle_has_room_beside_it() -> None:
    stage = before(apart=7)
    stage.zone("pit", x=2, y=-5, width=10, depth=10)
    stage.do("resize", target=BO, metres=5)
    stage.do("move", ADA, to="zone:pit")
    assert stage[ADA].at == Point(4, 0)


@pytest.mark.rule("CG-MOVE-03")
def test_a_blow_leads_up_to_a_large_target_and_not_into_it() -> None:
    stage = before(apart=6)
    stage.do("resize", target=BO, metres=5)
    stage.attack(99)
    assert (stage[ADA].at.x, stage.told(Moved)[0].cost) == (3, 4)


@pytest.mark.rule("CG-MOVE-03")
def test_a_large_attacker_does_not_go_through_a_narrow_gap() -> None:
    stage = before({**WALL, "y1": -9}, {**WALL, "id": "w2", "y2": 9, "y1": 3}, apart=5)
    stage.edit(BO, at=Point(5, 2))
    stage.edit(ADA, at=Point(0, 2))
    stage.do("resize", target=ADA, metres=3)
    refused = stage.refused("attack", ADA, target=BO, weapon=stage.find_ready(ADA).id)
    assert refused.message == "Something is in the way to Bo: go round it first."


@pytest.mark.rule("CG-MOVE-01")
def test_furthest_move_ends_before_a_large_body_in_the_way() -> None:
    stage = before(apart=30)
    cy = stage.hero("Cy")
    stage.do("resize", target=cy, metres=5)
    stage.edit(cy, at=Point(8, 0))
    stage.do("move", ADA, to=f"near:{BO}")
    assert stage[ADA].at.x == 5


@pytest.mark.slow
@pytest.mark.rule("CG-ACT-05")
def test_tactics_walk_to_the_door_that_leads_to_an_enemy() -> None:
    stage = before(*wall_with_door(2.5), apart=6)
    name, command = stage.system.tactics.suggest(stage.state, ADA) or pytest.fail("nothing to do")
    assert name in ("move", "free_move")
    stage.do(name, **command_data(command))
    assert find_shut(stage.state, ADA, find_arm(stage.state)), "it is within reach"
