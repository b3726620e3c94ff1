"""Every term of every sum names its rule, in auto-played fights and in the tables that sums are made from."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from combat.rules import SYSTEMS, find_system
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.book.rulebook import load_rulebook
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver
from combat.rules.core.odds.forecast import is_contested, play_step
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State
from combat.rules.cosmos.book.tables import DrugEffects, drug_effects, drugs
from combat.rules.cosmos.characters.sheet import drug_terms
from tests.combat.rules.cosmos.duels import ADA, BO, duel
from tests.tools.speed.rules import set_up

ROUNDS, STEPS = 12, 4  # of a fight, and of a turn
QUICK, ALL = 6, 40  # fights of each game: 40 of each of five are 200


def find_terms(value: Any) -> Iterator[Modifier]:
    """Every term in the parts of a fact."""
    if isinstance(value, Modifier):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from find_terms(part)
    elif hasattr(value, "__struct_fields__"):
        for name in value.__struct_fields__:
            yield from find_terms(getattr(value, name))


def play_facts(system: System, state: State, seed: int) -> Iterator[e.Fact]:
    """The facts of an auto-played fight from its start, at most some rounds of it."""
    auto = AutoDriver(random.Random(seed))
    if state.phase == "prep":
        done = play_step(system, state, system.actions.start, None, auto)
        yield from done.facts
        state = done.state
    start, last = state, state.round + ROUNDS
    while state.phase == "fight" and state.round < last and is_contested(system, start, state):
        actor = state.active
        for _ in range(STEPS if actor else 0):
            found = system.tactics.suggest(state, actor) if state.active == actor else None
            if found is None:
                break
            try:
                done = play_step(system, state, *found, auto)
            except Refused:
                break
            yield from done.facts
            state = done.state
        if state.phase == "fight":
            done = play_step(system, state, system.actions.advance, None, auto)
            yield from done.facts
            state = done.state


def find_unruled(slug: str, fights: int) -> tuple[int, Counter[str]]:
    """The number of terms in auto-played demo fights, and the labels of those without a known rule."""
    system, seen, unruled = find_system(slug), 0, Counter[str]()
    book = load_rulebook(system.folder)
    known = book.ids | book.rulings.keys()
    demos = system.demo.make_all()
    for seed in range(fights):
        for fact in play_facts(system, set_up(system, demos[seed % len(demos)]), seed):
            for term in find_terms(fact.event):
                seen += 1
                if term.rule not in known:
                    unruled[f"{type(fact.event).__name__}: {system.draw(term.label)}"] += 1
    return seen, unruled


@pytest.mark.parametrize("slug", SYSTEMS)
def test_every_term_of_a_few_fights_has_a_rule(slug: str) -> None:
    seen, unruled = find_unruled(slug, QUICK)
    assert seen > 10 * QUICK
    assert not unruled


@pytest.mark.slow
@pytest.mark.parametrize("slug", SYSTEMS)
def test_every_term_of_two_hundred_fights_has_a_rule(slug: str) -> None:
    assert not find_unruled(slug, ALL)[1]


def test_each_figure_that_drugs_change_has_its_own_rule() -> None:
    figures = set(DrugEffects.__struct_fields__) - {"ignore_state"}  # states by name: no figure
    assert figures == set(drug_effects())
    assert all(row.rule in load_rulebook(find_system("cosmos").folder).ids for row in drug_effects().values())


@pytest.mark.rule("COS-DRUG-01")
@pytest.mark.parametrize("drug", sorted(drugs()))
def test_each_drug_of_the_catalogue_names_rules_in_sums(drug: str) -> None:
    stage = duel()
    stage.do("give_drug", target=ADA, drug=drug)
    effects = drugs()[drug].effects
    terms = [term for key in drug_effects() if getattr(effects, key) for term in drug_terms(stage[ADA], key)]
    assert terms
    assert all(term.rule for term in terms)
    assert not drug_terms(stage[BO], "attack")
