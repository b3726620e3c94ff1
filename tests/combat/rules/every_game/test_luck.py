"""Points of luck, the house rule of every game: asked after a failed roll, spent, told, and replayed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from combat.rules.core.basics.dice.requests import (
    Answer,
    ChoiceRequest,
    Request,
    answer_choice,
)
from combat.rules.core.commands import luck
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, ReplayDriver, find_action, run
from combat.rules.core.odds.forecast import is_contested
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Scalar, State, replace
from tests.combat.rules.every_game.autoplay import OPEN, set_up
from tests.combat.rules.games import GAMES

ROUNDS, STEPS = 12, 12


@dataclass
class Gambler(AutoDriver):
    """Answers as the app does, but takes any offer of luck; keeps what it was asked."""

    seed: int = 0
    spends: bool = True
    asked: list[ChoiceRequest] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(random.Random(self.seed))
        self.luck = random.Random(self.seed + 1)

    def answer(self, context: RuleContext, request: Request) -> Answer | None:
        """The answer of the app, or any that is open to a question about luck."""
        if not isinstance(request, ChoiceRequest) or request.rule != luck.RULE:
            return super().answer(context, request)
        self.asked.append(request)
        options = [one.value for one in request.options if not one.refused]
        return answer_choice(request, self.luck.choice(options) if self.spends else luck.KEEP, "seat")


@dataclass
class Played:
    """A step of a fight: the state before it, what was done, and what came of it."""

    before: State
    name: str
    command: Command
    done: Done


def as_heroes(state: State, side: str = "allies") -> State:
    """The same fight with one side played by people."""
    people = {who: replace(one, pc=one.side == side) for who, one in state.combatants.items()}
    return replace(state, combatants=people)


def play(system: System, state: State, driver: AutoDriver, rounds: int = ROUNDS) -> list[Played]:
    """Play a fight by the tactics, every step told as at a table."""
    steps: list[Played] = []

    def do(name: str, command: Command | None = None) -> None:
        nonlocal state
        action = find_action(system, name)
        done = run(system, state, action, command=command or action.type(), driver=driver)
        assert isinstance(done, Done)
        steps.append(Played(state, name, command or action.type(), done))
        state = done.state

    start = state
    do(system.actions.start)
    while state.phase == "fight" and state.round <= rounds and is_contested(system, start, state):
        actor = state.active
        for _ in range(STEPS):
            found = system.tactics.suggest(state, actor) if actor and state.active == actor else None
            if found is None or state.phase != "fight":
                break
            do(*found)
        if state.phase == "fight" and state.active == actor:
            do(system.actions.advance)
    return steps


def begin(slug: str, seed: int, **options: Scalar) -> State:
    return as_heroes(set_up(GAMES[slug], OPEN, seed, options, most=2))


FIGHTS = [(slug, does, seed) for slug in GAMES for seed, does in enumerate(("again", "better", "either"))]


@pytest.mark.parametrize(("slug", "does", "seed"), FIGHTS)
def test_wild_fights_with_luck_end_and_replay(slug: str, does: str, seed: int) -> None:
    """Points are never negative, each spent one is told, and the answers alone give the same facts."""
    system, gambler = GAMES[slug], Gambler(seed=seed)
    steps = play(system, begin(slug, seed, luck_points=3, luck_does=does), gambler)
    spent = 0
    for step in steps:
        action = find_action(system, step.name)
        again = run(system, step.before, action, step.command, ReplayDriver(), answers=step.done.answers)
        assert again == step.done
        said = [
            fact.event
            for fact in step.done.facts
            if isinstance(fact.event, e.Said) and fact.event.key in luck.SAID
        ]
        spent += len(said)
        for one in step.done.state.combatants.values():
            assert 0 <= int(one.marks.get(luck.SPENT) or 0) <= (3 if one.pc else 0)
    assert spent == sum(
        int(one.marks.get(luck.SPENT) or 0) for one in steps[-1].done.state.combatants.values()
    )
    words = {option.value for request in gambler.asked for option in request.options}
    if words:
        assert (luck.AGAIN in words) is (does != "better")
    if words and does == "again":
        assert words == {luck.KEEP, luck.AGAIN}


@pytest.mark.parametrize("slug", GAMES)
def test_without_the_rule_or_without_spending_nothing_differs(slug: str) -> None:
    plain = play(GAMES[slug], begin(slug, 3), AutoDriver(random.Random(5)), 4)
    asked = Gambler(seed=5, spends=False)
    kept = play(GAMES[slug], begin(slug, 3, luck_points=2), asked, 4)
    assert [step.done.facts for step in plain] == [step.done.facts for step in kept]
    auto = play(GAMES[slug], begin(slug, 3, luck_points=2), AutoDriver(random.Random(5)), 4)
    assert [step.done.facts for step in plain] == [step.done.facts for step in auto]
    without = [answer for step in kept for answer in step.done.answers if answer.rule != luck.RULE]
    assert without == [answer for step in plain for answer in step.done.answers]


@pytest.mark.parametrize("slug", GAMES)
def test_only_failed_rolls_of_heroes_with_points_are_asked_about(slug: str) -> None:
    system, gambler = GAMES[slug], Gambler(seed=2)
    state = begin(slug, 2, luck_points=1, luck_does="either")
    steps = play(system, state, gambler)
    heroes = {one.id for one in state.combatants.values() if one.pc}
    assert {request.who for request in gambler.asked} <= heroes
    for step in steps[1:]:
        left = {who: luck.count_left(system, step.before, step.before.combatants.get(who)) for who in heroes}
        here = [answer for answer in step.done.answers if answer.rule == luck.RULE]
        assert all(left[answer.who] for answer in here)
