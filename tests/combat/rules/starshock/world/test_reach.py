"""The reach of hands on a map: no one treats, strikes or picks up anything through a wall."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.space import Point
from tests.combat.rules.starshock.figures import ADA, BO, StarStage, duel

WALL = {"id": "w", "x1": 0.5, "y1": -9, "x2": 0.5, "y2": 9}
WINDOW = {**WALL, "kind": "window", "blocks_sight": False, "cover": ""}


def beside(wall: dict[str, Any], *weapons: str, **more: Any) -> StarStage:
    """Ada with these weapons, Bo a meter from her on the other side of a wall."""
    stage = StarStage()
    stage.map()
    stage.hero("Ada", at=(0, 0), **more)
    stage.foe("Bo", at=(1, 0))
    stage.hold(ADA, *weapons)
    stage.do("set_map", map={"walls": [wall]})
    return stage.begin(ADA, BO, actions=3)


@pytest.mark.rule("SS-RANGE-01")
def test_no_blow_goes_through_a_window_but_a_thrown_dagger_does() -> None:
    stage = beside(WINDOW, "electric_baton")
    blow = {"target": BO, "weapon": stage.weapon(ADA, "electric_baton")}
    why = "A window stands between Ada and Bo: go round it."
    assert stage.refused("attack", ADA, **blow).message == why
    assert stage.preview("attack", ADA, **blow, seen=True).against
    stage = beside(WINDOW, "dagger")
    stage.attack("dagger", (1, 1))
    assert [item.name for item in stage.state.ground] == ["Dagger"]


@pytest.mark.rule("SS-TURN-02", "SS-ACT-03")
def test_attack_cap_is_the_reason_only_while_an_action_is_left() -> None:
    stage = duel("electric_baton")
    stage.turn(ADA, 1)
    stage.attack("electric_baton", (1, 1))
    assert stage.obstacle("attack", ADA) == "No action left this turn; Attack takes one."
    stage.turn(ADA, 2)
    stage.attack("electric_baton", (1, 1))
    assert stage.obstacle("attack", ADA) == "One attack a turn: a maneuver can allow another."


@pytest.mark.rule("SS-ZONE-07", "SS-ZONE-10")
def test_nobody_breaks_away_from_an_enemy_behind_a_wall() -> None:
    stage = beside(WALL)
    stage.do("set_option", key="map_leave_check", value="leaving_1m_of_hostile")
    stage.do("move", ADA, to="-3,0")
    assert not stage.checks("breaking_away")
    stage.do("set_map", map={})
    stage.edit(ADA, at=Point(0, 0))
    stage.do("move", ADA, to="-2,0", dice=[(6, 6)])
    assert stage.checks("breaking_away")
