"""Combatants changed by the GM's decision, in every game: the results are never impossible states."""

from __future__ import annotations

import random

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.state.state import State, has_condition, present
from tests.combat.rules.games import every_game, set_up


def decide(system: System, state: State, name: str, **fields: object) -> State:
    """The state after a command of the GM, with dice at random."""
    action = find_action(system, name)
    result = run(system, state, action, read_command(action, fields), AutoDriver(random.Random(7)))
    assert isinstance(result, Done)
    return result.state


def try_to(system: System, state: State, name: str, **fields: object) -> State | None:
    """The same, or None if the rules refuse it."""
    try:
        return decide(system, state, name, **fields)
    except Refused:
        return None


@every_game
def test_whoever_is_out_by_decision_can_be_brought_back_by_it(system: System) -> None:
    start = set_up(system).state
    who = present(start)[0].id
    given = [
        try_to(system, start, "give_condition", target=who, kind=kind)
        for kind in system.characters.conditions
    ]
    marked = [state for state in given if state]
    assert len(marked) > len(given) / 2  # some follow from health alone, and are refused for the unhurt
    for state in marked:
        for held in state[who].conditions:
            after = try_to(system, state, "take_condition", target=who, condition=held.id)
            assert after is None or not has_condition(after[who], held.kind)
            assert after is None or held.kind != "dead" or not system.characters.health(after[who]).is_out


@every_game
def test_healing_by_decision_brings_the_dead_back(system: System) -> None:
    start = set_up(system).state
    combatant, track = present(start)[0], system.characters.tracks[0]
    if "dead" not in system.characters.conditions:
        return
    harm = 60 if track.rises else -(combatant.tracks[track.key] + 60)
    state = decide(system, start, "adjust", target=combatant.id, track=track.key, by=harm)
    if not system.characters.health(state[combatant.id]).dead:
        state = decide(system, state, "give_condition", target=combatant.id, kind="dead")
    unhurt = combatant.tracks[track.key]
    healed = decide(system, state, "adjust", target=combatant.id, track=track.key, to=unhurt)
    assert not system.characters.health(healed[combatant.id]).is_out
