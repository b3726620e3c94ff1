"""Auto-play goes to an enemy whom it can reach, whoever stands nearer behind walls."""

from __future__ import annotations

import random
from functools import partial

import pytest

from combat.play.autopilot import play_one
from combat.rules.core.commands.commands import Command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action
from combat.rules.core.odds.forecast import play_step
from combat.rules.core.space import Point
from combat.rules.core.state.state import State
from tests.combat.rules.every_game.autoplay import ALLIES, ENEMIES, find_people
from tests.combat.rules.games import GAMES, WITH_DOORS
from tests.combat.rules.stage import Stage

HERE, NEAR, FAR = (2.5, 5.5), (6.5, 5.5), (28.5, 5.5)  # meters; in the open, in a cell, in the next room
ROOM, CELL = ((0, 0, 32, 0), (0, 10, 32, 10), (0, 0, 0, 10), (32, 0, 32, 10), (16, 0, 16, 8)), (5, 4, 9, 8)
ROUNDS, NEARER = 8, 14  # meters: they begin 26 m apart


def draw_walls(*, is_shut: bool) -> list[dict[str, object]]:
    """Two rooms with a door between them, open or shut, and a cell without any."""
    left, top, right, low = CELL
    cell = (
        (left, top, right, top),
        (left, low, right, low),
        (left, top, left, low),
        (right, top, right, low),
    )
    sides = [*ROOM, *cell]
    walls: list[dict[str, object]] = [
        {"id": f"w{n}", "kind": "wall", "x1": x1, "y1": y1, "x2": x2, "y2": y2}
        for n, (x1, y1, x2, y2) in enumerate(sides)
    ]
    door = {"id": "d", "kind": "door", "x1": 16, "y1": 8, "x2": 16, "y2": 10, "open": not is_shut}
    return [*walls, door]


def set_up(system: System, *, is_shut: bool) -> State:
    """One against two: the nearer one is in a cell."""
    stage, kind = Stage(system), find_people(system)[0]
    stage.stays = False
    stage.do("set_scene", scene={"zones": [], "settings": dict(system.space.zones.drawn_settings)})
    stage.do("set_map", map={"walls": draw_walls(is_shut=is_shut)})
    for side, (x, y) in ((ALLIES, HERE), (ENEMIES, NEAR), (ENEMIES, FAR)):
        stage.do("join", block=kind, side=side)
        stage.do("place", target=[*stage.state.combatants][-1], x=x, y=y)
    return stage.state


def _do(system: System, state: State, auto: AutoDriver, name: str, command: Command) -> tuple[str, Done]:
    return name, play_step(system, state, name, command, auto)


def goes_at(system: System, state: State) -> bool:
    """Whether the app, while it plays for the first one alone, attacks the far one or comes near them."""
    auto = AutoDriver(random.Random(1), tells=False)
    state, taken = play_step(system, state, system.actions.start, command=None, auto=auto).state, 0
    actor, _, far = state.combatants
    pass_turn = find_action(system, system.actions.advance)
    while state.round <= ROUNDS:
        do = partial(_do, system, state, auto)
        is_actor = state.active == actor
        name, done = play_one(system, state, taken, do) if is_actor else do(pass_turn.name, pass_turn.type())
        state, taken = done.state, 0 if name == pass_turn.name else taken + 1
        here, there = state[actor].at, state[far].at
        assert isinstance(here, Point)
        assert isinstance(there, Point)
        if name == system.actions.attack or abs(here.x - there.x) < NEARER:
            return True
    return False


@pytest.mark.parametrize("slug", WITH_DOORS)
@pytest.mark.parametrize("is_shut", [False, True], ids=["open", "shut"])
def test_who_is_nearer_behind_walls_keeps_nobody_from_another(slug: str, is_shut: bool) -> None:
    system = GAMES[slug]
    assert goes_at(system, set_up(system, is_shut=is_shut))
