"""Everyday actions of moving, and the field for whom an action is on, as the made-up games take them."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.everyday import find_targets
from combat.rules.core.gm.everyday_moves import Move
from combat.rules.core.gm.ways import UseDoor
from combat.rules.core.space import map_of
from combat.rules.core.state.state import State
from tests.combat.rules.boarders import SYSTEM
from tests.combat.rules.boarders.move import MOVES
from tests.combat.rules.boarders.world import WALKS
from tests.combat.rules.stage import Stage

ADA, RAY, BEA = "f1", "f2", "f3"
ROOM = ((-9, -3, 1, -3), (-9, 3, 1, 3), (-9, -3, -9, 3), (1, -3, 1, -1), (1, 1, 1, 3))
DOOR = {"id": "d1", "kind": "door", "x1": 1, "y1": -1, "x2": 1, "y2": 1}


def stand(walled: bool = False) -> Stage:
    """Ada on her turn, Ray 8 m east, her friend Bea 2 m west; on open ground, or in a room."""
    stage = Stage(SYSTEM)
    for name, side, x in (("Ada", "allies", 0), ("Ray", "enemies", 8), ("Bea", "allies", -2)):
        stage.add(name, side, (x, 0), {"hits": 10})
    walls = [
        {"id": f"r{n}", "kind": "wall", "x1": x1, "y1": y1, "x2": x2, "y2": y2}
        for n, (x1, y1, x2, y2) in enumerate(ROOM)
    ]
    if walled:
        stage.do("set_map", map={"walls": [*walls, DOOR]})
    return stage.begin(ADA, RAY, BEA)


def test_walk_costs_its_action_and_says_its_meters() -> None:
    stage = stand()
    stage.do("move", ADA, to="near:f2", far=True)
    assert stage[ADA].at.x == 6
    assert stage[ADA].budget["act"] == 1
    assert "BRD-MOVE-01" in stage.rules()
    stage.give(ADA, "prone")
    action = SYSTEM.actions.by_name["move"]
    assert action.find_brief is not None
    assert action.find_brief(action.brief, stage.state, stage[ADA]) == "Up to 3 m"


def test_refused_walk_costs_nothing() -> None:
    stage = stand()
    with pytest.raises(Refused, match="go less far"):
        stage.do("move", ADA, to="near:f2")
    assert stage[ADA].budget["act"] == 2


def test_door_opens_and_shuts_for_an_action_each() -> None:
    stage = stand(walled=True)
    stage.do("door", ADA, door="d1")
    assert map_of(stage.state.scene).walls[-1].open
    stage.do("door", ADA, door="d1")
    assert not map_of(stage.state.scene).walls[-1].open
    assert stage[ADA].budget["act"] == 0
    assert "BRD-MOVE-02" in stage.rules()


def test_app_comes_near_by_what_can_be_paid() -> None:
    stage = stand(walled=True)
    assert MOVES.come_near(stage.state, ADA, [stage[RAY]]) == ("door", UseDoor(actor=ADA, door="d1"))
    stage.edit(ADA, budget={"act": 0})
    assert MOVES.come_near(stage.state, ADA, [stage[RAY]]) is None
    stage = stand()
    assert MOVES.come_near(stage.state, ADA, [stage[RAY]]) == (
        "move",
        Move(actor=ADA, to="near:f2", far=True),
    )
    assert MOVES.come_near(stage.state, ADA, []) is None


def refuse_ray(state: State, who: str) -> None:
    """A check that refuses one."""
    if who == RAY:
        raise Refused("bad_target", "Not Ray.")


def test_targets_are_enemies_first_or_friends_first() -> None:
    stage = stand()
    field = find_targets(stage.state, ADA, lambda state, who: None)
    assert [(one.value, one.detail) for one in field.options] == [(RAY, "8 m"), (BEA, "2 m")]
    assert (field.name, field.label, field.value) == ("target", "Target", RAY)
    patients = find_targets(stage.state, ADA, refuse_ray, label="Patient", friends=True)
    assert [one.value for one in patients.options] == [ADA, BEA, RAY]
    assert (patients.label, patients.options[-1].refused) == ("Patient", "Not Ray.")
    assert find_targets(stage.state, ADA, refuse_ray).value == BEA


def test_shot_needs_its_range_and_sight() -> None:
    stage = stand()
    WALKS.check_shot(stage.state, stage[ADA], stage[RAY], 8)
    with pytest.raises(Refused, match="Ray is 8 m away, come within 7 m") as refused:
        WALKS.check_shot(stage.state, stage[ADA], stage[RAY], 7)
    assert refused.value.code == "out_of_range"
    stage = stand(walled=True)
    with pytest.raises(Refused, match="door stands between Ada and Ray"):
        WALKS.check_shot(stage.state, stage[ADA], stage[RAY], 8)
