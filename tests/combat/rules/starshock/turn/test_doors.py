"""Doors of the map are objects."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.space import map_of
from combat.rules.core.state.events import Said
from tests.combat.rules.starshock.figures import ADA, BO, StarStage

GATE = {"id": "d1", "x1": 0.5, "y1": -0.5, "x2": 0.5, "y2": 0.5, "kind": "door", "name": "Blast door"}


def beside(kind: str = "squares", actions: int = 2, **changes: Any) -> StarStage:
    """Ada in the cell west of a door, with two actions declared."""
    stage = StarStage()
    stage.map(kind)
    stage.hero(at=(0, 0))
    stage.foe(at=(3, 0))
    stage.begin(ADA, BO, actions=actions)
    stage.do("set_map", map={"walls": [{**GATE, **changes}]})
    return stage


@pytest.mark.rule("SS-OTHER-02", "SS-OTHER-03")
def test_a_door_takes_an_action_and_moves_once_a_turn() -> None:
    stage = beside()
    stage.do("door", ADA, door="d1")
    assert stage[ADA].budget["actions"] == 1
    assert map_of(stage.state.scene).walls[0].open
    assert stage.told(Said)[-1].key == "log.door_open_by"
    assert stage.refused("door", ADA, door="d1").code == "no_budget"
    stage.turn(ADA, 1)
    stage.do("door", ADA, door="d1")
    assert not map_of(stage.state.scene).walls[0].open


@pytest.mark.rule("SS-MAP-01")
def test_in_play_by_zones_no_door_is_within_reach() -> None:
    stage = beside("zones")
    assert stage.obstacle("door", ADA) == "No door is within reach: move next to one first."
    assert beside("hexes").obstacle("door", ADA) == ""
