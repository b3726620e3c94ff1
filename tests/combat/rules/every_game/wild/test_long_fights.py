"""Long fights of every game: ten rounds each of anything people may want, five hundred in a run."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.declaration.system import System
from combat.rules.core.state import events as e
from combat.rules.core.state.fold import fold, fold_all
from combat.rules.core.state.history import COMMAND, Step
from combat.rules.core.state.state import State, decode, encode, present
from tests.combat.rules.every_game.wild.test_properties import check_numbers, check_undo
from tests.combat.rules.every_game.wild.wild import Log, long_fights, play_rounds
from tests.combat.rules.games import GAMES, STAND_INS
from tests.thinning import thin

ROUNDS = 10
MAX_METERS = 30_000  # ten rounds of 6 s at 1,500 km/h, the top speed of the books, are 25 km


@pytest.mark.parametrize("slug", thin(GAMES, *STAND_INS))
@long_fights
@given(seed=st.integers(0, 2**32))
def test_long_fights_keep_within_their_bounds(slug: str, seed: int) -> None:
    system, turns = GAMES[slug], Turns()
    log = Log(system)
    for log, step in play_rounds(system, seed, ROUNDS):
        check_combatants(system, log.state)
        if step.kind == COMMAND:
            assert fold_all(log.states[-2], step.facts) == log.state
            check_turns(log.states[-2], step)
            check_ends(log.states[-2], step, log.state, turns)
    assert decode(encode(log.state)) == log.state
    check_undo(log)


def check_combatants(system: System, state: State) -> None:
    """Check that numbers and positions are within bounds; no one is twice in the order or turn."""
    check_numbers(system, state)
    acting = [who for who in (state.active, *state.sharing) if who]
    assert len(set(acting)) == len(acting)
    for combatant in present(state):
        assert not (combatant.id in acting and combatant.acted), f"{combatant.name} acts again"
        in_order = combatant.id in state.order or state.phase == "prep" or not state.round
        assert in_order or combatant.id not in acting, f"{combatant.name} acts without a place"
        for meters in (combatant.at.x, combatant.at.y, combatant.at.z):
            assert math.isfinite(meters)
            assert abs(meters) <= MAX_METERS


def check_turns(state: State, step: Step) -> None:
    """No one begins a second turn, unless the first was held; no round ends before all have had one."""
    restarted = any(isinstance(fact.event, e.FightStarted) for fact in step.facts)
    for fact in step.facts:
        event = fact.event
        if isinstance(event, e.TurnStarted | e.TurnShared):
            assert event.again == state.combatants[event.who].acted, f"{event.who} begins a second turn"
        if isinstance(event, e.RoundStarted) and state.round and not restarted:
            left_out = [who for who in state.order if not state.combatants[who].acted]
            assert left_out == [], f"{left_out} had no turn in round {state.round}"
        state = fold(state, event)


@dataclass
class Turns:
    """Those whose turn runs or waits, so that its next start only resumes it.

    A condition from the GM may have made someone wait: their starts are not counted.
    """

    under_way: set[str] = field(default_factory=set)
    given: set[str] = field(default_factory=set)


def check_ends(state: State, step: Step, after: State, turns: Turns) -> None:
    """Effects that end with the start or end of a turn are over once it has come."""
    turns.under_way.update((state.active, *state.sharing))
    edges = count_edges(state, step, turns)
    held = {held.id: held for combatant in present(after) for held in combatant.conditions}
    for combatant in present(state):
        for due in combatant.conditions:
            if due.until and edges[due.until.who, due.until.edge] >= due.until.count:
                assert held.get(due.id) != due, f"{combatant.name} is still {due.label}"


def is_put_off(state: State, step: Step, who: str) -> bool:
    """Whether a combatant's own action has ended an unfinished turn: it waits."""
    return step.command.get("actor") == who and any(state[who].budget.values())


def count_edges(state: State, step: Step, turns: Turns) -> Counter[tuple[str, str]]:
    """The number of turns that began and ended in a step, by combatant."""
    edges = Counter[tuple[str, str]]()
    if step.name == "give_condition":
        turns.given.add(step.command["target"])
    for fact in step.facts:
        event = fact.event
        if isinstance(event, e.TurnEnded):
            turns.under_way.discard(event.who)
            edges[event.who, "end"] += not is_put_off(state, step, event.who)
        elif isinstance(event, e.TurnStarted | e.TurnShared):
            edges[event.who, "start"] += event.who not in turns.under_way | turns.given
            turns.under_way.add(event.who)
    return edges
