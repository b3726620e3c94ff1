"""What was ruled once is weighed against attacks by exact damage, in every game: by auto-play and advice."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from combat.rules.core.commands.commands import command_data
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, find_action
from combat.rules.core.gm.rulings import USE, UseRuling
from combat.rules.core.gm.verbs import find_open_costs
from combat.rules.core.odds import ruled
from combat.rules.core.odds.forecast import play_many, play_turn
from combat.rules.core.odds.odds import find_first, find_odds
from combat.rules.core.odds.proposals import Submission, propose
from combat.rules.core.state.rulings import ME, THEM, Effect, Ruling
from combat.rules.core.state.state import State
from tests.combat.rules.every_game.test_improvising import every_ruled, rule
from tests.combat.rules.every_game.test_rulings import do
from tests.combat.rules.games import demo_fights

MOST = "900"  # points, more than any attack does
HARM = Effect(kind="harm", who=(THEM,), dice=MOST)


def count(system: System, state: State, submission: Submission) -> float:
    """The points that a step takes off the first track of enemies, on average."""
    name, command = submission
    odds = find_odds(system, state, find_action(system, name), command)
    side, first = state[command.actor].side, find_first(system)
    return sum(one.mean for one in odds.distributions if one.track == first and state[one.who].side != side)


def find_attack(system: System) -> tuple[State, str, Submission]:
    """A demo fight in a turn whose actor would attack with more than one point of damage, and the attack."""
    for moment in demo_fights(system):
        state = moment.after
        if state.phase != "fight" or state.active not in state.combatants:
            continue
        usual = propose(system, state, state.active)
        if usual and count(system, state, usual) > 1.5:
            return state, state.active, usual
    raise AssertionError("nobody would attack")


def give(system: System, state: State, actor: str, **changes: Any) -> State:
    """The state in which someone has a ruling of this kind: it costs nothing unless it says so."""
    act = rule(system, "I jump")[1]
    rules = system.actions.improvising
    assert rules
    check = tuple(pair for pair in act.check if pair[0] != rules.figures.grade)
    made = Ruling(**{"id": "r1", "name": "Drop it", "check": check, "works": (HARM,), **changes})
    people = {**state.combatants, actor: replace(state[actor], rulings=(made,))}
    return replace(state, combatants=people)


def is_ruling(submission: Submission | None) -> bool:
    return submission is not None and submission[0] == USE


@every_ruled
def test_ruling_is_chosen_if_it_does_more_than_the_best_attack(system: System) -> None:
    state, actor, usual = find_attack(system)
    ready = give(system, state, actor)
    found = propose(system, ready, actor)
    assert found is not None
    name, command = found
    assert isinstance(command, UseRuling)
    assert (name, command.ruling) == (USE, "r1")
    assert state[command.target].side != state[actor].side
    assert count(system, ready, found) > count(system, state, usual)
    assert do(system, ready, USE, actor=actor, ruling="r1", target=command.target).facts
    foes = [one.id for one in state.combatants.values() if one.side != state[actor].side and not one.gone]
    for foe in foes:
        about = propose(system, give(system, state, actor, about=foe), actor)
        assert about is not None
        assert isinstance(about[1], UseRuling)
        worth = {
            who: count(system, ready, (USE, UseRuling(actor=actor, ruling="r1", target=who))) for who in foes
        }
        assert worth[about[1].target] == max(worth.values()), (
            "whom it was about, unless more is lost elsewhere"
        )


@every_ruled
def test_the_attack_is_chosen_where_it_does_more(system: System) -> None:
    state, actor, usual = find_attack(system)
    little = replace(HARM, dice="1")
    assert propose(system, give(system, state, actor, works=(little,)), actor) == usual


@every_ruled
def test_failure_has_its_price_and_friends_count(system: System) -> None:
    state, actor, usual = find_attack(system)
    price = Effect(kind="harm", who=(ME,), dice=MOST)
    both = (replace(HARM, dice="9"), replace(price, dice="9"))
    for endings in ({"works": (replace(HARM, dice="20"),), "fails": (price,)}, {"works": both}):
        assert propose(system, give(system, state, actor, **endings), actor) == usual


OTHERS: tuple[dict[str, Any], ...] = (
    {"works": (Effect(kind="words", text="It falls."),)},
    {"works": (HARM, Effect(kind="place", who=(ME,), to=THEM))},
    {"works": (HARM, Effect(kind="points", who=(THEM,), n=2, turns=1))},
    {"fails": (Effect(kind="leaves", who=(ME,)),)},
    {"secret": True},
    {"hides": True},
    {"works": ()},
)


@every_ruled
def test_what_is_no_damage_or_not_known_is_left_to_people(system: System) -> None:
    state, actor, usual = find_attack(system)
    for changes in OTHERS:
        assert propose(system, give(system, state, actor, **changes), actor) == usual, changes


@every_ruled
def test_it_is_never_chosen_when_it_costs_more_than_is_left(system: System) -> None:
    """Each cost of the game, until it is spent; what costs nothing comes once a turn."""
    state, actor, _ = find_attack(system)
    rules = system.actions.improvising
    assert rules
    idle = replace(system, tactics=replace(system.tactics, suggest=lambda state, who: None))
    for cost in (*(each.key for each in rules.costs), ""):
        now, done = give(system, state, actor, cost=cost, works=(replace(HARM, dice="1"),)), 0
        while is_ruling(found := propose(idle, now, actor)):
            assert found is not None
            assert not cost or cost in find_open_costs(system, now, actor)
            now = do(system, now, USE, **command_data(found[1])).state
            done += 1
            assert done < 20, "it comes to an end"
        assert not (cost and cost in find_open_costs(system, now, actor)), "until it is spent"
        assert done == 1 or cost


@every_ruled
def test_ruling_fills_a_turn_with_nothing_else_to_do(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    state, actor, _ = find_attack(system)
    idle = replace(system, tactics=replace(system.tactics, suggest=lambda state, who: None))
    assert propose(idle, state, actor) is None
    ready = give(system, state, actor, works=(replace(HARM, dice="1"),))
    assert is_ruling(propose(idle, ready, actor))
    monkeypatch.setattr(ruled, "MAX_LOOKS", 0)
    assert not is_ruling(propose(idle, ready, actor)), "what takes too long to count is not chosen"


@every_ruled
def test_a_forecast_plays_on_without_it(system: System) -> None:
    """Thousands of fights by the tactics alone: nobody's ending differs with or without a ruling."""
    state, actor, _ = find_attack(system)
    ready = give(system, state, actor)
    assert [*play_many(system, ready, 3, seed=7)] == [*play_many(system, state, 3, seed=7)]
    auto = [AutoDriver(random.Random(7), tells=False) for _ in range(2)]
    after, other = (play_turn(system, one, driver) for one, driver in zip((ready, state), auto, strict=True))
    assert replace(after[actor], rulings=()) == replace(other[actor], rulings=())
