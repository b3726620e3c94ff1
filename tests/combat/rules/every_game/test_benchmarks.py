"""Durations. Off by default; `pytest --benchmark-enable -n 0` measures them in one process."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from combat.display.forms.fields import prefilled
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.odds.forecast import play_many
from combat.rules.core.odds.odds import find_odds
from combat.rules.core.state.history import fold_steps
from combat.rules.core.state.state import State, decode, encode
from tests.combat.rules.every_game.wild.wild import Log
from tests.combat.rules.games import GAMES, demo_fights, demo_moments, every_game, set_up


def find_rolled(system: System) -> dict[str, int]:
    """The number of the first step of each kind of command in a demo fight that rolls and has odds."""
    demo = system.demo.make_first()
    under_way = enumerate(demo.script[1:], len(demo.setup) + 2)
    rolled = [(step.name, number) for number, step in under_way if step.answers]
    return {name: n for name, n in reversed(rolled) if system.actions.has_odds(find_action(system, name))}


ROLLED = {
    f"{slug}: {name}": (slug, number)
    for slug, system in GAMES.items()
    for name, number in find_rolled(system).items()
}


@pytest.mark.parametrize(("slug", "number"), ROLLED.values(), ids=ROLLED)
def test_odds_of_a_demo_command(benchmark: BenchmarkFixture, slug: str, number: int) -> None:
    system, moment = GAMES[slug], demo_moments(slug)[number - 1]
    action = find_action(system, moment.step.name)
    command = read_command(action, moment.step.command)
    odds = benchmark(find_odds, system, moment.before, action, command)
    assert odds.runs > 1


@every_game
def test_forms_of_a_crowd(benchmark: BenchmarkFixture, system: System) -> None:
    """The actions of one combatant among sixty more, the odds of every form in turn, and the tactics."""
    state, chance = set_up(system).state, random.Random(1)
    join, block = find_action(system, "join"), next(iter(system.book.find_blocks()))
    for name, fields in [("join", {"block": block, "count": 20})] * 3 + [(system.actions.start, {})]:
        action = join if name == "join" else find_action(system, name)
        done = run(system, state, action, read_command(action, fields), AutoDriver(chance))
        assert isinstance(done, Done)
        state = done.state

    def count_all() -> int:
        counted = 0
        for action in system.actions.by_name.values():
            with suppress(Refused):
                fields = prefilled(action, state, state.active if action.who == "seat" else "")
                actor = {"actor": state.active} if action.who == "seat" else {}
                counted += find_odds(system, state, action, read_command(action, actor | fields)).runs
        system.tactics.suggest(state, state.active)
        return counted

    assert benchmark(count_all)


@every_game
def test_an_action_through_the_engine(benchmark: BenchmarkFixture, system: System) -> None:
    """The command of the demo with the most answers."""
    moment = max(demo_fights(system), key=lambda moment: len(moment.step.answers))
    action = find_action(system, moment.step.name)
    command = read_command(action, moment.step.command)
    done = benchmark(run, system, moment.before, action, command, AutoDriver(random.Random(1)))
    assert isinstance(done, Done)


def play_long(system: System, count: int) -> Log:
    """A log of n steps."""
    log, chance = Log(system), random.Random(1)
    for step in system.demo.make_first().setup:
        log.do(step.name, dict(step.command), chance)
    log.do(system.actions.start, {}, chance)
    while len(log.steps) < count:
        number = len(log.steps)
        if number % 2:
            log.do("note", {"text": f"step {number}"}, chance)
        else:
            log.do("place", {"target": "f1", "x": number % 50, "y": 0}, chance)
    return log


@every_game
def test_fold_of_2000_steps(benchmark: BenchmarkFixture, system: System) -> None:
    log = play_long(system, 2_000)
    state = benchmark(fold_steps, log.start, log.steps)
    assert encode(state) == encode(log.state)


@every_game
def test_state_to_json_and_back(benchmark: BenchmarkFixture, system: System) -> None:
    state = demo_moments(system.slug)[-1].after
    assert benchmark(lambda: decode(encode(state))) == state


@every_game
def test_a_forecast_fight(benchmark: BenchmarkFixture, system: System) -> None:
    """Fights per second are 1 / this time."""
    endings = play_many(system, set_up(system).state, 1_000_000, seed=1)
    assert benchmark(lambda: next(endings)).rounds


@every_game
def test_forms_of_a_turn(benchmark: BenchmarkFixture, system: System) -> None:
    """A page's needs: every action's refusal and form for the active combatant."""
    state = next(m.before for m in demo_fights(system) if m.before.active)

    def ask(state: State) -> int:
        return sum(len(action.find_fields(state, state.active)) for action in system.actions.by_name.values())

    assert benchmark(ask, state)
