"""What holds in every fight of every game, however wildly it is played."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.requests import Answer, key_of
from combat.rules.core.engine.document import make_document, read_document, replay, write_document
from combat.rules.core.engine.engine import Done, ReplayDriver, find_action, run
from combat.rules.core.state import events as e
from combat.rules.core.state.fold import fold, fold_all
from combat.rules.core.state.history import COMMAND, UNDO, Step, fold_steps
from combat.rules.core.state.state import State, decode, encode, replace
from combat.rules.core.system import System
from tests.combat.rules.core.wild import UNSEEN, Log, play, play_all, wild_fights
from tests.combat.rules.games import every_game, find_game


@every_game
@wild_fights
def test_state_is_the_fold_of_its_facts(system: System, seed: int, length: int) -> None:
    for log, step in play(system, seed, length):
        if step.kind == COMMAND:
            assert fold_all(log.states[-2], step.facts) == log.state
        if step.kind == UNDO:
            live = [fact for number in log.line.live for fact in log.course.facts[number]]
            assert _unnumbered(log.state) == _unnumbered(fold_all(log.start, live))
        assert log.state.made >= log.states[-2].made
    assert encode(fold_steps(log.start, log.steps)) == encode(log.state)


@every_game
@wild_fights
def test_state_and_steps_survive_json(system: System, seed: int, length: int) -> None:
    for log, step in play(system, seed, length):
        raw = encode(log.state)
        assert decode(raw) == log.state
        assert encode(decode(raw)) == raw
        assert msgspec.json.decode(msgspec.json.encode(step), type=Step) == step


@every_game
@wild_fights
def test_undo_goes_back_to_the_start_and_redo_to_the_end(system: System, seed: int, length: int) -> None:
    log = play_all(system, seed, length)
    end, live = _unnumbered(log.state), log.line.live
    while log.line.live:
        log.undo()
    assert _unnumbered(log.state) == _unnumbered(log.start)
    for _ in live:
        log.redo()
    assert _unnumbered(log.state) == end


def _unnumbered(state: State) -> bytes:
    """The state but for the numbers that are taken: an undo gives none of them back."""
    return encode(replace(state, made=0))


@every_game
@wild_fights
def test_numbers_stay_in_their_bounds(system: System, seed: int, length: int) -> None:
    pools = {pool.key for pool in system.pools}
    for log, _ in play(system, seed, length):
        assert len(set(log.state.order)) == len(log.state.order)
        for fighter in log.state.combatants.values():
            assert all(left >= 0 for left in fighter.budget.values()), fighter.budget
            assert set(fighter.budget) <= pools
            for track in system.tracks:
                assert track.low is None or fighter.tracks[track.key] >= track.low
            health = system.health(fighter)
            assert 0 <= health.level <= 4
            assert 0 <= health.share <= 1
            assert health.out or not health.dead
            assert len({held.id for held in fighter.conditions}) == len(fighter.conditions)
            assert len({item.id for item in fighter.items}) == len(fighter.items)


@every_game
@wild_fights
def test_what_is_bound_to_somebody_ends_with_it(system: System, seed: int, length: int) -> None:
    for log, _ in play(system, seed, length):
        for fighter in log.state.combatants.values():
            for held in fighter.conditions:
                source = log.state.combatants.get(held.by)
                assert source is None or not (source.gone and system.describe_condition(held.kind).bound)


@every_game
@wild_fights
def test_nobody_has_two_turns_in_a_round(system: System, seed: int, length: int) -> None:
    """A turn that was held only goes on again."""
    for log, step in play(system, seed, length):
        state = log.states[-2]
        for fact in step.facts:
            if isinstance(fact.event, e.TurnStarted | e.TurnShared | e.TurnEnded):
                fighter = state.combatants[fact.event.who]
                held = getattr(fact.event, "again", False)
                assert held == fighter.acted, f"{fighter.id} has had its turn in round {state.round}"
            state = fold(state, fact.event)


def find_secrets(state: State) -> re.Pattern[bytes] | None:
    """The ids of hidden fighters, as they stand in JSON, and the name that only they have."""
    hidden = [fighter for fighter in state.combatants.values() if fighter.hidden]
    seen = [fighter.name for fighter in state.combatants.values() if not fighter.hidden]
    words = [f'"{fighter.id}"' for fighter in hidden]
    if not any(name.startswith(UNSEEN) for name in seen):
        words.append(UNSEEN)
    return re.compile("|".join(words).encode()) if hidden else None


@every_game
@wild_fights
def test_facts_about_the_hidden_are_not_for_everyone(system: System, seed: int, length: int) -> None:
    for log, step in play(system, seed, length):
        state = log.states[-2]
        for fact in step.facts:
            secrets, shown = find_secrets(state), fact.event if fact.to == e.EVERYONE else fact.twin
            if secrets and shown and not isinstance(shown, e.HiddenSet):
                assert not secrets.search(msgspec.json.encode(shown)), shown
            if isinstance(shown, e.CombatantJoined):
                assert not shown.combatant.hidden
            state = fold(state, fact.event)


@every_game
@wild_fights
def test_document_replays(system: System, seed: int, length: int) -> None:
    log = play_all(system, seed, length)
    document = make_document("wild", log.start, tuple(log.steps), log.state)
    verdict = replay(read_document(write_document(document)), find_game)
    assert verdict.ok, verdict.message
    assert verdict.steps == len(log.steps)


@every_game
@wild_fights
def test_answers_may_come_one_at_a_time(system: System, seed: int, length: int) -> None:
    """Asked for each answer when it is wanted, in any order, a command ends as if it had all at once."""
    chance = random.Random(seed)
    for log, step in play(system, seed, length, undo=False):
        known = {key_of(answer): answer for answer in step.answers}
        action = find_action(system, step.name)
        command = msgspec.convert(step.command, action.type)
        answers: tuple[Answer, ...] = ()
        while True:
            result = run(system, log.states[-2], action, command, ReplayDriver(), answers)
            if isinstance(result, Done):
                break
            wanted = chance.choice(result.requests)
            answers = (*result.answers, known.pop(key_of(wanted)))
        assert not known
        assert result.facts == step.facts
        assert result.state == log.state


JUNK = st.sampled_from([None, -1, 0, 11, 1.5, True, "", "gold", [], ["gold"], {}, {"x": 1}, 10**30])


def find_places(plain: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to every value of plain data."""
    pairs = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, value in pairs:
        yield (*path, key)
        yield from find_places(value, (*path, key))


@every_game
@given(data=st.data())
def test_any_sheet_joins_or_is_refused(system: System, data: st.DataObject) -> None:
    """A stat block with any one value replaced, or with one more."""
    blocks = system.find_blocks()
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
    fighter = log.state["f1"]
    assert 0 <= system.health(fighter).share <= 1
    assert system.facts_of(log.state, fighter)
    assert decode(encode(log.state)) == log.state
