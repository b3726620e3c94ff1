"""Trials of what bounds each way to move, the same in every game: walls, floors, the height of the goal.

Ada is moved through the mover alone, as a made-up action would: whoever borrows a row is bounded as it is.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Action, Command, read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.map.moving import Course
from combat.rules.core.space import Point, over_ground
from combat.rules.core.state.state import replace
from tests.combat.rules.every_game.decks import SHIFT, make_ship, make_zones
from tests.combat.rules.stage import Stage

ADA, BO = "f1", "f2"
HIGH_M = 5.0
MADE_UP = "made_up_"
Make = Callable[[], Stage]
WALL = {"id": "w", "x1": SHIFT + 4, "y1": -1, "x2": SHIFT + 4, "y2": 13}
CLOSED = {"id": "pit", "kind": "shaft", "x1": 12, "y1": 6, "x2": 36, "y2": 6, "hole": [37, 5, 3, 3]}
CLOSED = {**CLOSED, "open": False}


def board(make: Make, *walls: dict[str, Any]) -> Stage:
    """Ada alone in the quarters of a ship, on her turn."""
    stage = make()
    settings = dict(stage.state.scene.settings)
    stage.do("set_scene", scene={"zones": make_zones(), "settings": settings})
    stage.do("set_map", map={**make_ship(CLOSED), "walls": list(walls)})
    stage.edit(BO, at=over_ground(stage.state.scene, Point(SHIFT + 20, 12)))
    stage.edit(ADA, at=over_ground(stage.state.scene, Point(SHIFT + 2, 6)))
    return stage


def move(stage: Stage, way: str, goal: Point, who: str = ADA) -> bool:
    """Move someone to a goal by a way to move alone, or by one `MADE_UP` with its row; whether it may."""
    mover, row = stage.system.turn.mover, stage.system.turn.mover.find(way.removeprefix(MADE_UP))
    mover = replace(mover, ways={**mover.ways, way: replace(row, id=way)})

    def go(context: RuleContext, command: Command) -> None:
        mover.go(context, Course(who, (context.state[who].at, goal), way, how="how.moves"))

    return _run(stage, Action(name="go", label="Go", group="move", type=Command, run=go, who="gm"), Command())


def act(stage: Stage, name: str, **fields: Any) -> bool:
    """Do an action with random dice; whether it is allowed."""
    action = find_action(stage.system, name)
    return _run(stage, action, read_command(action, fields))


def _run(stage: Stage, action: Action, command: Command) -> bool:
    try:
        done = run(stage.system, stage.state, action, command, AutoDriver(random.Random(1)))
    except Refused:
        return False
    assert isinstance(done, Done)
    stage.state, stage.facts = done.state, done.facts
    return True


def asks_walls(make: Make, way: str) -> bool:
    """Whether a wall halfway keeps her on her side of it."""
    stage = board(make, WALL)
    move(stage, way, over_ground(stage.state.scene, Point(SHIFT + 6, 6)))
    return stage[ADA].at.x < SHIFT + 4


def asks_floors(make: Make, way: str) -> bool:
    """Whether a floor without a hole keeps her on her deck."""
    stage = board(make)
    move(stage, way, over_ground(stage.state.scene, Point(2, 6)))
    return stage[ADA].at.x > SHIFT


def asks_height(make: Make, way: str) -> bool:
    """Whether she ends on the ground of a goal that is given too high, or is kept from it."""
    stage = board(make)
    ground = over_ground(stage.state.scene, Point(SHIFT + 4, 6))
    move(stage, way, replace(ground, z=ground.z + HIGH_M))
    return stage[ADA].at.z == ground.z


ASKED = {"walls": asks_walls, "floors": asks_floors, "height": asks_height}


def make_trials(make: Make) -> dict[str, Callable[[str], bool]]:
    """The trials of a game's ways to move, by question."""
    return {ask: partial(trial, make) for ask, trial in ASKED.items()}
