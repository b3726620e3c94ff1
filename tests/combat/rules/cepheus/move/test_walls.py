"""Paths around the walls of the battle map, straight and in squares."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.move.ways import find_arm
from combat.rules.cepheus.world.bands import find_band, find_meters
from combat.rules.core.commands.commands import command_data
from combat.rules.core.gm.ways import find_shut
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.combat.rules.core.space.maps import wall_with_door

WALL = {"id": "w", "x1": 2.25, "y1": -2.25, "x2": 2.25, "y2": 2.25}


@pytest.mark.rule("CE-MINOR-15", "CE-MINOR-16")
@pytest.mark.parametrize("distances", ["metres", "squares"])
def test_a_path_round_a_wall_costs_more(distances: str) -> None:
    stage = duel("cudgel", 30)
    stage.do("set_setting", key="distances", value=distances)
    stage.zone("yard", x=-30, y=-30, width=60, depth=60)
    find = stage.system.action("move").find_reach
    assert find is not None
    free = {(r.at.x, r.at.y): r.meters for r in find(stage.state, ADA)}
    stage.do("set_map", map={"walls": [WALL]})
    costs = {(r.at.x, r.at.y): r.meters for r in find(stage.state, ADA)}
    assert costs.keys() < free.keys()
    assert all(free[at] <= cost for at, cost in costs.items())
    behind = max(at for at in free if at[1] == 0)
    assert behind not in costs
    assert stage.refused("move", ADA, to=f"{behind[0]},0").message.startswith("Too far: that way takes")
    stage.do("move", ADA, to=f"{behind[0]},0", far=True)
    assert stage[ADA].at.y != 0


@pytest.mark.rule("CE-RANGE-02", "CE-MINOR-15")
@pytest.mark.parametrize("distances", ["metres", "squares"])
def test_a_large_target_is_as_far_as_its_nearest_square(distances: str) -> None:
    stage = duel("cudgel", 9)
    stage.do("set_setting", key="distances", value=distances)
    stage.do("resize", target=BO, metres=7.5)
    assert find_meters(stage.state, ADA, BO) == 6
    stage.do("resize", target=BO, metres=16.5)
    assert find_band(stage.state, ADA, BO) == "close"


def behind_a_wall() -> RangeStage:
    """Ada with a cudgel, Bo nine meters away behind a wall with a door."""
    stage = duel("cudgel", 9)
    stage.zone("yard", x=-30, y=-30, width=60, depth=60)
    stage.do("set_map", map={"walls": wall_with_door(2.25)})
    return stage


@pytest.mark.slow
@pytest.mark.rule("CE-MINOR-20")
def test_tactics_walk_to_the_door_that_leads_to_an_enemy() -> None:
    stage = behind_a_wall()
    name, command = stage.system.tactics.suggest(stage.state, ADA) or pytest.fail("nothing to do")
    assert name in ("move", "free_move")
    stage.do(name, **command_data(command))
    assert find_shut(stage.state, ADA, find_arm(stage.state)), "it is within reach"
