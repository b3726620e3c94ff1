"""Clocks fill with the rounds of every game."""

from __future__ import annotations

import random

from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, run
from combat.rules.core.state.state import Clock, State, replace
from tests.combat.rules.games import demo_fights, every_game

MOST_TURNS = 100  # of a round


def end_turn(system: System, state: State) -> State:
    action = system.action(system.actions.advance)
    done = run(system, state, action, read_command(action, {}), AutoDriver(random.Random(1)))
    assert isinstance(done, Done)
    return done.state


@every_game
def test_clocks_fill_with_each_round(system: System) -> None:
    state = next(moment.after for moment in demo_fights(system) if moment.after.phase == "fight")
    state, begun = replace(state, clocks=(Clock("c1", "Air", 12, each_round=2),)), state.round
    for _ in range(MOST_TURNS):
        if state.round > begun:
            break
        state = end_turn(system, state)
    assert (state.round, state.all_clocks[0].filled) == (begun + 1, 2)
