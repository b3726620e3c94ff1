"""Corrected figures keep the harm: corrections × numbers × states, and the way back leads to the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from combat.rules.core.aftermath import make_aftermath
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.characters import Track
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.gm.decisions import BEYOND, find_beyond
from combat.rules.core.gm.figures import CORRECTED, find_numbers
from combat.rules.core.state.state import Combatant, State, present
from combat.rules.core.turn.turns import find_full
from tests.combat.rules.every_game.test_figures import every_sheet, find_fight


class Move(NamedTuple):
    """A correction there, and the way back."""

    there: dict[str, int]
    back: dict[str, int]


def do(system: System, state: State, name: str, **fields: Any) -> State:
    action = find_action(system, name)
    done = run(system, state, action, read_command(action, fields, state), AutoDriver(random.Random(3)))
    assert isinstance(done, Done)
    return done.state


def correct(system: System, state: State, who: str, **fields: Any) -> State | None:
    """The state after a correction; None if these figures do not go together."""
    try:
        return do(system, state, "correct", target=who, **fields)
    except Refused:
        return None


def look(system: System, one: Combatant) -> tuple[object, ...]:
    """All that someone is and has, but for what a correction remembers."""
    marks = {key: mark for key, mark in one.marks.items() if not key.startswith((CORRECTED, BEYOND))}
    numbers = [(part, stat.key, value) for part, stat, value in find_numbers(system, one)]
    return one.tracks, one.conditions, one.items, marks, one.budget, one.at, numbers


def find_levels(track: Track, full: int) -> list[int]:
    """Values of a number worth a try: whole, scratched, half, nearly gone, gone, and below where it goes."""
    found = {full, full - 1, full // 2, full // 2 + 1, 1, 0, *(() if track.low is not None else (-1, -3))}
    return sorted(level for level in found if level <= full and (track.low is None or level >= track.low))


class Case(NamedTuple):
    """Someone in a state, with the corrections that move a maximum of theirs."""

    state: State
    who: str
    moves: tuple[Move, ...]


def find_cases(system: System) -> Iterator[Case]:
    """Someone of each kind with each number at each level, by the GM; also all at nothing, and the dead."""
    state = find_fight(system)
    for one in _find_kinds(system, state):
        moves = tuple(find_moves(system, state, one.id))
        full = find_full(system, one)
        tracks = [t for t in system.characters.find_tracks(one) if not t.rises and full.get(t.key)]
        for track in tracks:
            for level in find_levels(track, full[track.key]):
                yield Case(_set(system, state, one.id, {track.key: level}), one.id, moves)
        for levels in (dict.fromkeys([t.key for t in tracks], n) for n in (0, 1)):
            yield Case(_set(system, state, one.id, levels), one.id, moves)
        if "dead" in system.characters.conditions:
            dead = do(system, state, "give_condition", target=one.id, kind="dead")
            yield Case(dead, one.id, moves)


def _find_kinds(system: System, state: State) -> list[Combatant]:
    """One combatant for each set of numbers that people and machines have."""
    found: dict[tuple[str, ...], Combatant] = {}
    for one in present(state):
        found.setdefault(tuple(t.key for t in system.characters.find_tracks(one)), one)
    return list(found.values())


def _set(system: System, state: State, who: str, levels: dict[str, int]) -> State:
    for key, level in levels.items():
        if state[who].tracks[key] != level:
            try:
                state = do(system, state, "adjust", target=who, track=key, to=level)
            except Refused:
                continue  # some numbers go no lower
    return state


def find_moves(system: System, state: State, who: str) -> Iterator[Move]:
    """Each number of the sheet a step and far up and down; several at a time; only what moves a maximum.

    A part of one point has no half to lose, so no maximum of 1.
    """
    one, full = state[who], find_full(system, state[who])
    numbers = {f"{part}.{stat.key}": (stat, value) for part, stat, value in find_numbers(system, one)}
    lower: dict[str, int] = {}
    moved: list[Move] = []
    for name, (stat, value) in numbers.items():
        for steps in (1, -1, 4, -4):
            new = stat.step(value, steps)
            if stat.low <= new <= stat.high and new != value:
                moved.append(Move({name: new}, {name: value}))
                if steps == -4 and name.startswith("attributes"):
                    lower[name] = new
    moved.append(Move(lower, {name: numbers[name][1] for name in lower}))
    for move in moved:
        after = correct(system, state, who, numbers=move.there) if move.there else None
        most = find_full(system, after[who]) if after else full
        if after and most != full and 1 not in most.values():
            yield move


@pytest.mark.slow
@every_sheet
def test_there_and_back_is_the_same(system: System) -> None:
    """And on the way the harm stays, and nobody is knocked out, woken, killed or brought back."""
    done = 0
    for state, who, moves in find_cases(system):
        for move in moves:
            there = correct(system, state, who, numbers=move.there)
            assert there
            assert there[who].conditions == state[who].conditions, (move, state[who].tracks)
            assert there[who].items == state[who].items
            before, after = (system.characters.health(each[who]) for each in (state, there))
            assert (after.is_out, after.dead) == (before.is_out, before.dead), (move, state[who].tracks)
            _check_harm(system, state[who], there[who])
            back = correct(system, there, who, numbers=move.back)
            assert back
            assert look(system, back[who]) == look(system, state[who]), (move, state[who].tracks)
            done += 1
    assert done > 20 or system.actions.keep_state is None


def _check_harm(system: System, before: Combatant, after: Combatant) -> None:
    full, most = find_full(system, before), find_full(system, after)
    for key in full:
        harm, beyond = full[key] - before.tracks[key], find_beyond(after, key, most[key])
        assert most[key] - after.tracks[key] + beyond == harm, key
        assert harm or after.tracks[key] == most[key], key


@pytest.mark.slow
@every_sheet
def test_any_walk_through_figures_leads_home(system: System) -> None:
    chance = random.Random(5)
    for state, who, moves in find_cases(system):
        numbers = {f"{part}.{stat.key}": value for part, stat, value in find_numbers(system, state[who])}
        there = state
        for _ in range(6 if moves else 0):
            there = correct(system, there, who, numbers=chance.choice(moves).there) or there
        now = {f"{part}.{stat.key}": value for part, stat, value in find_numbers(system, there[who])}
        home = {name: value for name, value in numbers.items() if now[name] != value}
        back = correct(system, there, who, numbers=home) if home else there
        assert back
        assert look(system, back[who]) == look(system, state[who]), (home, state[who].tracks)


@pytest.mark.slow
@every_sheet
def test_harm_beyond_what_shows_ends_with_the_harm(system: System) -> None:
    """Of who is whole again by the GM, no harm is left that a later correction could bring up."""
    done = 0
    for state, who, moves in find_cases(system):
        for move in moves:
            there = correct(system, state, who, numbers=move.there)
            assert there
            if not any(key.startswith(BEYOND) for key in there[who].marks):
                continue
            whole = _set(system, there, who, find_full(system, there[who]))
            back = correct(system, whole, who, numbers=move.back)
            assert back
            full = find_full(system, back[who])
            assert {key: back[who].tracks[key] for key in full} == full, (move, state[who].tracks)
            done += 1
    assert done or system.actions.keep_state is None


@pytest.mark.slow
@every_sheet
def test_harm_comes_home_even_if_the_sheet_keeps_no_figure(system: System) -> None:
    done = 0
    for state, who, moves in find_cases(system):
        for move in moves:
            there = correct(system, state, who, numbers=move.there)
            assert there
            joined = {**state[who].sheet, "tracks": {}, "conditions": []}
            found = make_aftermath(system, there[who], joined)
            numbers = [change for change in found.changes if change.path[0] == "tracks"]
            figures = [change for change in found.changes if change.is_figure]
            for kept in ((), figures):
                sheet = found.write(change.token for change in (*numbers, *kept))
                most = find_most(system, state, there[who], sheet)
                for key, full in find_full(system, state[who]).items():
                    harm, low = full - state[who].tracks[key], system.characters.find_track(key).low
                    left = most[key] - harm if low is None else max(low, most[key] - harm)
                    if kept:
                        left = there[who].tracks[key]
                    assert sheet["tracks"].get(key, most[key]) == left, (key, move, bool(kept))
                    done += bool(harm)
    assert done > 20 or system.actions.keep_state is None


@pytest.mark.slow
@every_sheet
def test_what_is_left_is_the_fights_unless_it_was_corrected(system: System) -> None:
    """Also where the sheet has grown meanwhile: its numbers move no maximum of a fight that is over."""
    done = 0
    for state, who, moves in find_cases(system):
        one = state[who]
        for move in moves:
            grown = correct(system, state, who, numbers=move.there)
            assert grown
            sheet = {**grown[who].sheet, "tracks": {}, "conditions": []}
            changes = [
                change for change in make_aftermath(system, one, sheet).changes if change.path[0] == "tracks"
            ]
            full = find_full(system, one)
            harmed = {key: left for key, left in one.tracks.items() if left != full.get(key, left)}
            assert {change.path[1]: change.value for change in changes} == harmed, move
            done += len(harmed)
    assert done > 10 or system.actions.keep_state is None


def find_most(system: System, state: State, one: Combatant, sheet: dict[str, Any]) -> dict[str, int]:
    """The numbers of someone who joins whole with this sheet."""
    plan = system.book.sheets
    assert plan
    plain = {key: value for key, value in sheet.items() if key not in plan.worked_out}
    whole = {**plain, "tracks": {}, "conditions": []}
    return system.characters.make_combatant(one.id, one.name, one.side, whole, state.options).tracks
