"""Long fights of every game: ten rounds each of whatever people may wish for, five hundred in a run."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.state import events as e
from combat.rules.core.state.fold import fold, fold_all
from combat.rules.core.state.history import COMMAND, Step
from combat.rules.core.state.state import State, decode, encode, present, replace
from combat.rules.core.system import System
from tests.combat.rules.core.wild import Log, long_fights, play_rounds
from tests.combat.rules.games import GAMES, STAND_INS
from tests.thinning import thin

ROUNDS = 10
MAX_METRES = 10_000


@pytest.mark.parametrize("slug", thin(GAMES, *STAND_INS))
@long_fights
@given(seed=st.integers(0, 2**32))
def test_long_fights_keep_within_their_bounds(slug: str, seed: int) -> None:
    system, turns = GAMES[slug], Turns()
    log = Log(system)
    for log, step in play_rounds(system, seed, ROUNDS):
        check_fighters(system, log.state)
        if step.kind == COMMAND:
            assert fold_all(log.states[-2], step.facts) == log.state
            check_turns(log.states[-2], step)
            check_ends(log.states[-2], step, log.state, turns)
    assert decode(encode(log.state)) == log.state
    check_undo(log)


def check_fighters(system: System, state: State) -> None:
    """Tracks, budgets and positions are within bounds; nobody is twice in the order or in the turn."""
    acting = [who for who in (state.active, *state.sharing) if who]
    assert len(set(acting)) == len(acting)
    assert len(set(state.order)) == len(state.order)
    pools = {pool.key for pool in system.pools}
    for fighter in present(state):
        assert not (fighter.id in acting and fighter.acted), f"{fighter.name} acts again"
        in_order = fighter.id in state.order or state.phase == "prep" or not state.round
        assert in_order or fighter.id not in acting, f"{fighter.name} acts without a place"
        assert set(fighter.budget) <= pools
        assert all(left >= 0 for left in fighter.budget.values()), fighter.budget
        for track in system.tracks:
            assert track.low is None or fighter.tracks[track.key] >= track.low, track.key
        for metres in (fighter.at.x, fighter.at.y, fighter.at.z):
            assert math.isfinite(metres)
            assert abs(metres) <= MAX_METRES
        health = system.health(fighter)
        assert 0 <= health.level <= 4
        assert 0 <= health.share <= 1


def check_turns(state: State, step: Step) -> None:
    """Nobody begins a second turn, unless the first was held, and no round ends before all have had one."""
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
    """Whose turn is under way or waits, so that its next start only goes on with it.

    Whom the GM has given a condition may have been made to wait: of them no start is counted.
    """

    under_way: set[str] = field(default_factory=set)
    given: set[str] = field(default_factory=set)


def check_ends(state: State, step: Step, after: State, turns: Turns) -> None:
    """What ends with the start or end of a turn is over when that has come."""
    turns.under_way.update((state.active, *state.sharing))
    edges = count_edges(state, step, turns)
    held = {held.id: held for fighter in present(after) for held in fighter.conditions}
    for fighter in present(state):
        for due in fighter.conditions:
            if due.until and edges[due.until.who, due.until.edge] >= due.until.count:
                assert held.get(due.id) != due, f"{fighter.name} is still {due.label}"


def is_put_off(state: State, step: Step, who: str) -> bool:
    """Whether somebody's own action has ended a turn of which something was left: it waits."""
    return step.command.get("actor") == who and any(state[who].budget.values())


def count_edges(state: State, step: Step, turns: Turns) -> Counter[tuple[str, str]]:
    """How many turns of whom have begun and ended in a step."""
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


def check_undo(log: Log) -> None:
    """All of it undone is the beginning, but for numbers given out, and done again the end, to the byte."""
    end, live = encode(replace(log.state, made=0)), log.line.live
    while log.line.live:
        log.undo()
    assert encode(replace(log.state, made=log.start.made)) == encode(log.start)
    for _ in live:
        log.redo()
    assert encode(replace(log.state, made=0)) == end
