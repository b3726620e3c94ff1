"""Properties of every fight of every game, however wildly it is played."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from combat.audience.viewer import Viewer
from combat.rules.core.basics.dice.requests import Answer, key_of
from combat.rules.core.basics.errors import Refused
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.document import make_document, read_document, replay, write_document
from combat.rules.core.engine.engine import Done, ReplayDriver, find_action, run
from combat.rules.core.state import events as e
from combat.rules.core.state.fold import fold, fold_all
from combat.rules.core.state.history import COMMAND, UNDO, Step
from combat.rules.core.state.state import State, decode, encode, replace
from tests.combat.rules.every_game.wild.wild import UNSEEN, Log, play, wild_fights
from tests.combat.rules.games import every_game, find_game
from tests.combat.rules.reading import fold_steps


@every_game
@wild_fights
def test_wild_fights_keep_to_what_holds_in_every_fight(system: System, seed: int, length: int) -> None:
    """Each fight is played once for all checks: after every step, and at its end."""
    log, chance = Log(system), random.Random(seed)
    for log, step in play(system, seed, length):
        check_fold(log, step)
        check_json(log.state, step)
        check_numbers(system, log.state)
        check_bonds(system, log.state)
        check_turns(log.states[-2], step)
        check_secrets(log.states[-2], step)
        if step.kind == COMMAND:
            check_answers(system, log.states[-2], step, log.state, chance)
    check_document(log)
    check_undo(log)


def check_fold(log: Log, step: Step) -> None:
    """The state is the fold of its facts, after an undo of those of the live steps; no number is freed."""
    if step.kind == COMMAND:
        assert fold_all(log.states[-2], step.facts) == log.state
    if step.kind == UNDO:
        live = [fact for number in log.line.live for fact in log.course.facts[number]]
        assert _unnumbered(log.state) == _unnumbered(fold_all(log.start, live))
    assert log.state.made >= log.states[-2].made


def check_json(state: State, step: Step) -> None:
    """State and step survive JSON."""
    raw = encode(state)
    assert decode(raw) == state
    assert encode(decode(raw)) == raw
    assert msgspec.json.decode(msgspec.json.encode(step), type=Step) == step


def check_numbers(system: System, state: State) -> None:
    """Budgets, tracks and health stay in their bounds; nothing is there twice."""
    pools = {pool.key for pool in system.turn.pools}
    assert len(set(state.order)) == len(state.order)
    for combatant in state.combatants.values():
        assert all(left >= 0 for left in combatant.budget.values()), combatant.budget
        assert set(combatant.budget) <= pools
        for track in system.characters.tracks:
            assert track.low is None or combatant.tracks[track.key] >= track.low, track.key
        health = system.characters.health(combatant)
        assert 0 <= health.level <= 4
        assert 0 <= health.share <= 1
        assert health.is_out or not health.dead
        assert len({held.id for held in combatant.conditions}) == len(combatant.conditions)
        assert len({item.id for item in combatant.items}) == len(combatant.items)


def check_bonds(system: System, state: State) -> None:
    """What is bound to someone ends with it."""
    for combatant in state.combatants.values():
        for held in combatant.conditions:
            source = state.combatants.get(held.by)
            assert source is None or not (
                source.gone and system.characters.describe_condition(held.kind).bound
            )


def check_turns(state: State, step: Step) -> None:
    """Nobody has two turns in a round; a held turn is only resumed."""
    for fact in step.facts:
        if isinstance(fact.event, e.TurnStarted | e.TurnShared | e.TurnEnded):
            combatant = state.combatants[fact.event.who]
            held = getattr(fact.event, "again", False)
            assert held == combatant.acted, f"{combatant.id} has had its turn in round {state.round}"
        state = fold(state, fact.event)


def find_secrets(state: State) -> re.Pattern[bytes] | None:
    """The ids of hidden combatants, as in JSON, and the names that only they have."""
    hidden = [combatant for combatant in state.combatants.values() if combatant.hidden]
    seen = [combatant.name for combatant in state.combatants.values() if not combatant.hidden]
    words = [f'"{combatant.id}"' for combatant in hidden]
    if not any(name.startswith(UNSEEN) for name in seen):
        words.append(UNSEEN)
    return re.compile("|".join(words).encode()) if hidden else None


def check_secrets(state: State, step: Step) -> None:
    """Facts about the hidden are not for everyone."""
    for fact in step.facts:
        secrets = find_secrets(state)
        shown = fact.event if fact.to == e.EVERYONE else Viewer().find_redacted(fact)
        if secrets and shown and not isinstance(shown, e.HiddenSet):
            assert not secrets.search(msgspec.json.encode(shown)), shown
        if isinstance(shown, e.CombatantJoined):
            assert not shown.combatant.hidden
        state = fold(state, fact.event)


def check_answers(system: System, before: State, step: Step, after: State, chance: random.Random) -> None:
    """With answers given one at a time, in any order, a command ends as with all at once."""
    known = {key_of(answer): answer for answer in step.answers}
    action = find_action(system, step.name)
    command = msgspec.convert(step.command, action.type)
    answers: tuple[Answer, ...] = ()
    while True:
        result = run(system, before, action, command, ReplayDriver(), answers)
        if isinstance(result, Done):
            break
        wanted = chance.choice(result.requests)
        answers = (*result.answers, known.pop(key_of(wanted)))
    assert not known
    assert result.facts == step.facts
    assert result.state == after


def check_document(log: Log) -> None:
    """The whole fight replays, and its steps fold to its final state."""
    assert encode(fold_steps(log.start, log.steps)) == encode(log.state)
    document = make_document("wild", log.start, tuple(log.steps), log.state)
    verdict = replay(read_document(write_document(document)), find_game)
    assert verdict.ok, verdict.message
    assert verdict.steps == len(log.steps)


def check_undo(log: Log) -> None:
    """All steps undone give the start, and redone the end."""
    end, live = _unnumbered(log.state), log.line.live
    while log.line.live:
        log.undo()
    assert _unnumbered(log.state) == _unnumbered(log.start)
    for _ in live:
        log.redo()
    assert _unnumbered(log.state) == end


def _unnumbered(state: State) -> bytes:
    """The state without its counters for new ids: an undo never frees a number."""
    return encode(replace(state, made=0))


JUNK = st.sampled_from([None, -1, 0, 11, 1.5, True, "", "gold", [], ["gold"], {}, {"x": 1}, 10**30])


def find_places(plain: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to every value of plain data."""
    pairs = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, value in pairs:
        yield (*path, key)
        yield from find_places(value, (*path, key))


@every_game
@given(data=st.data())
def test_any_sheet_joins_or_is_refused(system: System, data: st.DataObject) -> None:
    """A stat block with any one value replaced, or with one more."""
    blocks = system.book.find_blocks()
    sheet = json.loads(msgspec.json.encode(blocks[data.draw(st.sampled_from(sorted(blocks)))].sheet))
    *path, key = data.draw(st.sampled_from([("strange",), *find_places(sheet)]))
    place = sheet
    for part in path:
        place = place[part]
    place[key] = data.draw(JUNK)
    log = Log(system)
    try:
        log.do("join", {"sheet": sheet, "name": "Changeling"}, random.Random(1))
    except Refused:
        return
    combatant = log.state["f1"]
    assert 0 <= system.characters.health(combatant).share <= 1
    assert system.characters.facts_of(log.state, combatant)
    assert decode(encode(log.state)) == log.state
