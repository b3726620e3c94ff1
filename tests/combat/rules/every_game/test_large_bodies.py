"""In every game a large body reaches things and doors from its edge, as it strikes, and no farther."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

from combat.rules.cepheus.move.ways import find_arm as cepheus_arm
from combat.rules.cepheus.world import sight_lines as cepheus
from combat.rules.core.basics.errors import allows
from combat.rules.core.gm.ways import FindArm, find_doors
from combat.rules.core.space import Point
from combat.rules.core.state.state import Combatant, State
from combat.rules.cosmos.move.movement import find_arm as cosmos_arm
from combat.rules.cosmos.world import sight_lines as cosmos
from combat.rules.guardians.turn.hands import find_arm as guardians_arm
from combat.rules.guardians.world import reach as guardians
from combat.rules.starshock.world import sight_lines as starshock
from combat.rules.starshock.world.sight_lines import find_arm as starshock_arm
from tests.combat.rules.every_game.test_walls import ADA, BO, TABLES
from tests.combat.rules.stage import Stage

METERS = 5


class Reach(NamedTuple):
    """How a game asks, and meters from a middle: what only an edge of 5 m reaches, and what is too far."""

    check: Callable[[State, Combatant, Point, str], None]
    arm: FindArm
    things: tuple[float, float] = (3, 4)
    doors: tuple[float, float] = (2.9, 4.1)


REACHES = {
    "cosmos": Reach(cosmos.check_place, cosmos_arm),
    "cepheus": Reach(cepheus.check_place, cepheus_arm, things=(4.5, 5.5)),
    "squares": Reach(starshock.check_place, starshock_arm),
    "hexes": Reach(starshock.check_place, starshock_arm),
    "guardians": Reach(guardians.check_place, guardians_arm),
}


def large(name: str, meters: float) -> Stage:
    """Ada in the middle of the map, alone, as large as that."""
    stage = TABLES[name].make()
    stage.do("place", target=BO, x=0, y=20)
    stage.do("place", target=ADA, x=0, y=0)
    if meters:
        stage.do("resize", target=ADA, metres=meters)
    return stage


@pytest.mark.parametrize("name", REACHES)
def test_things_are_reached_from_the_edge(name: str) -> None:
    check, near, far = REACHES[name].check, *REACHES[name].things
    for meters, x, reaches in ((0, near, False), (METERS, near, True), (METERS, far, False)):
        stage = large(name, meters)
        assert allows(check, stage.state, stage[ADA], Point(x, 0), "Rope") == reaches


@pytest.mark.parametrize("name", REACHES)
def test_doors_are_reached_from_the_edge(name: str) -> None:
    find_arm, near, far = REACHES[name].arm, *REACHES[name].doors
    for meters, x, reaches in ((0, near, False), (METERS, near, True), (METERS, far, False)):
        stage = large(name, meters)
        door = {"id": "d1", "x1": x, "y1": -1, "x2": x, "y2": 1, "kind": "door"}
        stage.do("set_map", map={"walls": [door]})
        assert bool(find_doors(stage.state, ADA, find_arm(stage.state))) == reaches
