"""Every game, with the made-up one, and the moments of each one's demo fight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import msgspec
import pytest

from characters.games import plan_of
from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import command_data, read_command
from combat.rules.core.declaration.book import DemoStep
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import Done, find_action, run
from combat.rules.core.odds.planner import find_attack
from combat.rules.core.state.history import Step
from combat.rules.core.state.state import State
from tests.combat.rules import MADE_UP
from tests.combat.rules.stage import Script, Stage
from tests.thinning import thin, thin_rows

GAMES = {slug: find_system(slug) for slug in SYSTEMS}
DEMOS = [(slug, number) for slug, game in GAMES.items() for number in range(len(game.demo.make_all()))]
# By default these stand for all: the first game, and the made-up one, which has what others have
STAND_INS = (next(iter(SYSTEMS)), MADE_UP)
thin_demos = thin_rows(DEMOS, *(demo for demo in DEMOS if demo[0] in STAND_INS))
# What is asked only of games that have it
ARMED = [slug for slug, game in GAMES.items() if find_attack(game)]  # whose attack is with a weapon
WITH_ARCHETYPES = [slug for slug, game in GAMES.items() if plan_of(game).creation.archetypes]
WITH_DOORS = [slug for slug, game in GAMES.items() if game.space.doors]
every_demo = pytest.mark.parametrize(("slug", "number"), thin_demos, ids=[f"{slug}-{n}" for slug, n in DEMOS])
every_slug = pytest.mark.parametrize("slug", thin(GAMES, *STAND_INS))
LATER = [slug for slug in GAMES if slug not in STAND_INS]
every_game = pytest.mark.parametrize(
    "system",
    [pytest.param(game, marks=[pytest.mark.slow] * (slug in LATER), id=slug) for slug, game in GAMES.items()],
)


class Moment(msgspec.Struct, frozen=True):
    """A place in a demo fight: the state before a step, the finished step, the state after it."""

    before: State
    step: Step
    after: State
    unused: int = 0


def find_game(slug: str) -> System:
    """A game by name, the made-up one included."""
    return GAMES[slug] if slug in GAMES else find_system(slug)


def lack(system: System, what: str) -> str:
    """What a game lacks, as the message of a failing test."""
    return f"Game {system.slug} {what}"


def check_rules(system: System, cited: Iterable[str], where: str) -> None:
    """Check that the rulebook has all rules that are cited somewhere."""
    unknown = sorted({*cited} - {""} - system.rulebook.ids)
    assert not unknown, lack(system, f"cites {', '.join(unknown)} in {where}: no such rule in rulebook.toml")


@contextmanager
def name_step(system: System, number: int, name: str) -> Iterator[None]:
    """Say at which step of a script a game fails."""
    try:
        yield
    except (AssertionError, Refused) as wrong:
        wrong.add_note(lack(system, f"stops at step {number} of a scripted fight, setup included: {name}"))
        raise


def play_demo(system: System, steps: tuple[DemoStep, ...]) -> Iterator[Moment]:
    """Play demo steps with their scripted answers; `unused` counts answers that nothing asked for."""
    state = system.begin()
    for number, wanted in enumerate(steps, 1):
        script = Script(wanted.answers)
        with name_step(system, number, wanted.name):
            action = find_action(system, wanted.name)
            command = read_command(action, wanted.command)
            result = run(system, state, action, command, script)
            assert isinstance(result, Done)
        data = command_data(command)
        step = Step(number, name=action.name, command=data, answers=result.answers, facts=result.facts)
        yield Moment(state, step, result.state, len(script.left))
        state = result.state


@cache
def demo_moments(slug: str, number: int = 0) -> tuple[Moment, ...]:
    """All of a game's demo fight, setup included: its first, or another by number."""
    demo = GAMES[slug].demo.make_all()[number]
    return tuple(play_demo(GAMES[slug], (*demo.setup, *demo.script)))


def demo_fights(system: System) -> list[Moment]:
    """The moments of the demo in which someone could act."""
    return [moment for moment in demo_moments(system.slug) if moment.before.phase == "fight"]


def set_up(system: System) -> Stage:
    """The demo fight of a game on a stage, before any roll."""
    stage = Stage(system)
    for step in system.demo.make_first().setup:
        stage.do(step.name, dice=step.answers, **step.command)
    return stage


def find_values(thing: Any, name: str) -> Iterator[Any]:
    """Every value of a field of this name in a struct and its parts."""
    if isinstance(thing, msgspec.Struct):
        for field in thing.__struct_fields__:
            value = getattr(thing, field)
            if field == name:
                yield value
            yield from find_values(value, name)
    elif isinstance(thing, tuple | list):
        for part in thing:
            yield from find_values(part, name)
    elif isinstance(thing, dict):
        yield from find_values(tuple(thing.values()), name)
