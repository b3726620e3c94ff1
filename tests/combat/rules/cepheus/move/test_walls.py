"""Ways round the walls of the battle map, straight and in squares."""

from __future__ import annotations

import pytest

from tests.combat.rules.cepheus.fight.range import duel
from tests.combat.rules.cepheus.figures import ADA

WALL = {"id": "w", "x1": 2.25, "y1": -2.25, "x2": 2.25, "y2": 2.25}


@pytest.mark.rule("CE-MINOR-15", "CE-MINOR-16")
@pytest.mark.parametrize("distances", ["metres", "squares"])
def test_a_way_round_a_wall_costs_more(distances: str) -> None:
    stage = duel("cudgel", 30)
    stage.do("set_setting", key="distances", value=distances)
    stage.zone("yard", x=-30, y=-30, width=60, depth=60)
    find = stage.system.action("move").find_reach
    assert find is not None
    free = {(r.at.x, r.at.y): r.metres for r in find(stage.state, ADA)}
    stage.do("set_map", map={"walls": [WALL]})
    costs = {(r.at.x, r.at.y): r.metres for r in find(stage.state, ADA)}
    assert costs.keys() < free.keys()
    assert all(free[at] <= cost for at, cost in costs.items())
    behind = max(at for at in free if at[1] == 0)
    assert behind not in costs
    assert stage.refused("move", ADA, to=f"{behind[0]},0").message.startswith("Too far: that way takes")
    stage.do("move", ADA, to=f"{behind[0]},0", far=True)
    assert stage[ADA].at.y != 0
