"""Doors in every game: the autopilot opens the one in its way."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from combat.rules.core.commands.commands import command_data
from combat.rules.core.gm.ways import find_doorway
from combat.rules.core.space import Point, map_of
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.paths import Way
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.figures import CepheusStage
from tests.combat.rules.cosmos.duels import duel as cosmos_duel
from tests.combat.rules.guardians.stage import GuardStage
from tests.combat.rules.stage import Stage
from tests.combat.rules.starshock.figures import StarStage
from tests.typed import sure

ADA, BO = "f1", "f2"
# Ada's room: one wall is a door, and no way leads around it
DOOR = {"id": "d1", "x1": 0.5, "y1": -2.5, "x2": 0.5, "y2": 2.5, "kind": "door"}
WALLS = [
    {"id": "n", "x1": -4.5, "y1": -2.5, "x2": 0.5, "y2": -2.5},
    {"id": "w", "x1": -4.5, "y1": -2.5, "x2": -4.5, "y2": 2.5},
    {"id": "s", "x1": -4.5, "y1": 2.5, "x2": 0.5, "y2": 2.5},
]


def cosmos() -> Stage:
    return cosmos_duel("club", apart=4)


def cepheus() -> Stage:
    stage = CepheusStage()
    stage.hero(weapons=["blade"])
    stage.foe(at=(6, 0))
    return stage.begin(ADA, BO)


def starshock() -> Stage:
    stage = StarStage()
    stage.map()
    stage.hero(at=(0, 0))
    stage.foe(at=(4, 0))
    return stage.begin(ADA, BO, actions=2)


def guardians() -> Stage:
    stage = GuardStage()
    stage.hero(at=(0, 0))
    stage.foe(at=(4, 0))
    return stage.begin(ADA, BO)


@pytest.mark.parametrize(("hidden", "leads_there"), [((0, 0), False), ((1.5, 0), True), ((0, 1.5), True)])
def test_nobody_is_led_to_a_door_in_a_hidden_area(hidden: tuple[float, float], leads_there: bool) -> None:
    """The middle of the door counts, here at (0.5, 0.5)."""
    stage, (x, y) = cosmos(), hidden
    walls = [{**DOOR, "y1": -1.5}, {"id": "e", "x1": 0.5, "y1": -2.5, "x2": 0.5, "y2": -1.5}, *WALLS]
    area = {"id": "h", "x": x, "y": y, "width": 1, "depth": 1}
    stage.do("set_map", map={"walls": walls, "hidden": [area]})
    found = find_doorway(stage.state, stage[ADA], stage[BO].at, Way(Grid()))
    assert (found is not None) == leads_there


@pytest.mark.parametrize("make", [cosmos, cepheus, starshock, guardians])
def test_the_app_opens_a_door_where_no_way_leads_on(make: Callable[[], Stage]) -> None:
    stage = make()
    for door, wanted in (({**DOOR, "locked": True}, False), (DOOR, True)):
        stage.do("set_map", map={"walls": [door, *WALLS]})
        found = stage.system.tactics.suggest(stage.state, ADA)
        assert (found is not None and found[0] == "door") == wanted
    name, command = sure(found)
    stage.do(name, ADA, door=command_data(command)["door"])
    assert map_of(stage.state.scene).walls[0].open
    stage.state = replace(stage.state, active=ADA)
    after = stage.system.tactics.suggest(stage.state, ADA)
    assert after is None or after[0] != "door", "now the way is free"


@pytest.mark.parametrize("make", [cosmos, cepheus, starshock, guardians])
def test_a_door_is_out_of_reach_behind_the_wall_that_it_meets(make: Callable[[], Stage]) -> None:
    """Its end is right at the end of that wall, which hides no less of it."""
    stage = make()
    door = {"id": "d1", "x1": 0.5, "y1": 0.5, "x2": 3.5, "y2": 0.5, "kind": "door"}
    walls = [
        {"id": "w", "x1": -4.5, "y1": 0.5, "x2": 0.5, "y2": 0.5},
        {"id": "n", "x1": 0.5, "y1": -4.5, "x2": 0.5, "y2": 0.5},
    ]
    stage.do("set_map", map={"walls": [door, *walls]})
    assert stage.refused("door", ADA, door="d1").code in ("out_of_range", "not_allowed")
    stage.edit(ADA, at=Point(1, 0))
    stage.do("set_door", door="d1", open=True)
    stage.edit(BO, at=Point(0.4, 0.4))  # beside its end, in the next room
    stage.do("door", ADA, door="d1")
    assert not map_of(stage.state.scene).walls[0].open


@pytest.mark.parametrize("make", [cosmos, cepheus, starshock, guardians])
@pytest.mark.parametrize(("ground", "up"), [(0, 30), (30, 0), (0, -30)])
def test_a_door_far_above_or_below_is_out_of_reach(
    make: Callable[[], Stage], ground: float, up: float
) -> None:
    stage = make()
    stage.do("set_map", map={"walls": [{**DOOR, "y1": -0.5, "y2": 0.5}]})
    stage.zone("floor", x=-5, y=-5, width=10, depth=10, height=ground)
    stage.edit(ADA, at=Point(0, 0, up))
    assert stage.refused("door", ADA, door="d1").code in ("out_of_range", "not_allowed")
    stage.edit(ADA, at=Point(0, 0, ground))
    stage.do("door", ADA, door="d1")
