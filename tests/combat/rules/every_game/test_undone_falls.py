"""Undoing a push or throw over an edge: undo puts them back unhurt, and redo lets them fall again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from combat.rules.core.state.history import REDO, UNDO, StateTimeline, Step
from combat.rules.core.state.state import State, replace
from tests.combat.rules.cosmos.world.test_heights import SLIPS, THROW, beside
from tests.combat.rules.stage import Stage
from tests.combat.rules.starshock.figures import ADA, BO
from tests.combat.rules.starshock.world.test_map import mapped

DEEP = -12


def push() -> tuple[Stage, State, str]:
    """A hammer of Star Shock pushes Bo into a pit."""
    stage = mapped(1)
    settings = dict(stage.state.scene.settings)
    pit = {"id": "pit", "name": "Pit", "x": 2.5, "y": -5, "width": 9, "depth": 10, "height": DEEP}
    stage.do("set_scene", scene={"zones": [pit], "settings": settings})
    stage.hold(ADA, "grav_hammer")
    stage.do("place", target=BO, x=1, y=0)
    before = stage.state
    stage.attack("grav_hammer", (5, 5), "0", "free", (4, 2), (6, 6))
    return stage, before, BO


def throw() -> tuple[Stage, State, str]:
    """Ada of Cosmos throws Bo out of a hold, over an edge."""
    stage, ada, bo = beside(DEEP, x=2)
    stage.edit(bo, at=replace(stage[ada].at, x=1))
    stage.give(bo, "grappled", by=ada)
    before = stage.state
    stage.do("squeeze", ada, target=bo, effect="throw", dice=[*THROW, SLIPS, (5, 4, 3, 2)])
    return stage, before, bo


@pytest.mark.parametrize("fall", [push, throw])
def test_whoever_fell_is_back_up_and_unhurt(fall: Callable[[], tuple[Stage, State, str]]) -> None:
    stage, before, who = fall()
    course, fallen = StateTimeline(before), stage[who]
    assert course.follow(Step(1, name="fall", facts=stage.facts)).combatants[who] == fallen
    assert fallen.at.z == DEEP
    assert fallen.tracks != before.combatants[who].tracks
    undone = course.follow(Step(2, UNDO, target=1))
    assert replace(undone, made=before.made) == before
    assert course.follow(Step(3, REDO, target=1)).combatants[who] == fallen
