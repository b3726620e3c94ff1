"""Harm to a squad in any portions: no point is lost or counted twice, whoever bears it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from itertools import product, zip_longest
from typing import NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace as change

from combat.display.forms.usual_odds import find_usual
from combat.rules import SYSTEMS
from combat.rules.cepheus.body import damage as cepheus
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command, read_command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.state.fold import fold_all
from combat.rules.core.state.state import Combatant, State, encode, replace
from combat.rules.core.turn.squads import SQUAD, list_squads, share_harm
from combat.rules.cosmos.fight import attack as cosmos
from combat.rules.guardians.body import resolve as guardians
from combat.rules.starshock.body import damage as starshock
from tests.combat.rules.every_game.autoplay import ENEMIES, find_people
from tests.combat.rules.games import GAMES
from tests.combat.rules.stage import Stage

HERO, THUGS, NAME = "f1", ("f2", "f3", "f4"), "The three"
each_game = pytest.mark.parametrize("slug", GAMES)
LEFT = {"hp": 4, "end": 2, "str": 2, "dex": 2, "mp.head": 2, "mp.torso": 2}  # points of the hurt
TRIES = 6  # attacks by two of the library
ADJUST = 30  # a bonus with which about every attack hits
WHERE = (cosmos, cepheus, guardians, starshock)
ROOMS = tuple(module.__name__.rpartition(".")[0].rpartition(".")[0] for module in WHERE)
FALLS = [slug for slug in GAMES if SYSTEMS[slug].startswith(ROOMS)]  # whose hits fall through


class Share(NamedTuple):
    """What one bears of so many points, what is left over, and who takes that."""

    who: str
    points: int
    bears: int
    over: int
    mate: str


@contextmanager
def shares() -> Iterator[list[Share]]:
    """The shares of harm while this lasts, in order."""
    found: list[Share] = []

    def note(
        context: RuleContext, who: str, points: int, most: int, passed: tuple[str, ...] = ()
    ) -> tuple[int, int, str]:
        bears, over, mate = share_harm(context, who, points, most, passed)
        found.append(Share(who, points, bears, over, mate))
        return bears, over, mate

    patches = [patch.object(module, "share_harm", note) for module in WHERE]
    for one in patches:
        one.start()
    try:
        yield found
    finally:
        for one in patches:
            one.stop()


@cache
def find_fight(slug: str) -> State:
    """A hero's turn beside three of one kind, hurt so that a hit on one can reach another; no squad yet."""
    people = find_people(GAMES[slug])
    for hero, thug in product(people, people):
        state = _begin(slug, hero, thug)
        if any(_falls(slug, state, seed) for seed in range(TRIES)):
            return state
    return _begin(slug, people[0], people[0])


def _begin(slug: str, hero: str, thug: str) -> State:
    system, stage = GAMES[slug], Stage(slug)
    for block, side, count in ((hero, "allies", 1), (thug, ENEMIES, 3)):
        stage.do("join", block=block, side=side, count=count)
    for who, (x, y) in zip((HERO, *THUGS), ((0, 0), (1, 0), (0, 1), (-1, 0)), strict=True):
        stage.do("place", target=who, x=x, y=y)
    start, ending = (find_action(system, name) for name in (system.actions.start, system.actions.advance))
    state = do(system, stage.state, start.name, read_command(start, {}), 1).state
    while state.active != HERO:
        state = do(system, state, ending.name, ending.type(), 1).state
    first = system.tactics.suggest(state, HERO)
    if first and first[0] == "declare":  # before all else in a turn
        state = do(system, state, *first, 1).state
    hurt = {who: change(state.combatants[who], tracks=weaken(state.combatants[who].tracks)) for who in THUGS}
    return replace(state, combatants={**state.combatants, **hurt})


def weaken(tracks: Mapping[str, int]) -> dict[str, int]:
    """The tracks of someone whom a hit can put out."""
    return {key: min(value, LEFT.get(key, value)) if key != "damage" else 13 for key, value in tracks.items()}


def _falls(slug: str, state: State, seed: int) -> bool:
    """Whether one attack falls through to the next."""
    struck = attack(GAMES[slug], join(GAMES[slug], state), THUGS[0], seed, hero=state.combatants[HERO])
    return struck is not None and any(one.over for one in struck[1])


def do(system: System, state: State, name: str, command: Command, seed: int) -> Done:
    """Do a command with dice of a seed; its facts alone give its state."""
    done = run(system, state, find_action(system, name), command, AutoDriver(random.Random(seed)))
    assert isinstance(done, Done)
    assert encode(fold_all(state, done.facts)) == encode(done.state)
    return done


def decide(system: System, state: State, what: str, /, **fields: object) -> State:
    """What the GM decides."""
    return do(system, state, what, read_command(find_action(system, what), fields), 1).state


def attack(
    system: System, state: State, target: str, seed: int, hero: Combatant | None = None
) -> tuple[Done, list[Share]] | None:
    """The hero's usual attack at one of them, fresh as in their first action, with its shares; None if it
    cannot be."""
    hero = hero or find_fight(system.slug).combatants[HERO]
    ready = replace(state, combatants={**state.combatants, HERO: hero})
    usual = find_usual(system, ready, HERO, system.actions.attack)
    if usual is None or usual.command is None or target not in usual.targets:
        return None
    command = change(usual.command, target=target, adjust=ADJUST)
    try:
        with shares() as noted:
            done = do(system, ready, usual.action.name, command, seed)
    except Refused:
        return None
    return done, noted


def check_shares(before: State, noted: list[Share]) -> None:
    """Each point is borne once: what one leaves over is just what the next is given."""
    passed = set[str]()
    for one, following in zip_longest(noted, noted[1:]):
        assert one.bears + one.over == one.points
        assert one.bears >= 0 <= one.over
        assert bool(one.mate) == bool(one.over)
        passed = {*passed, one.who} if one.mate else {one.who}
        assert one.mate not in passed, "no point comes back"
        passed = passed if one.mate else set()
        if one.mate:
            assert following is not None
            assert (following.who, following.points) == (one.mate, one.over)
            assert before.combatants[one.mate].marks.get(SQUAD) == before.combatants[one.who].marks[SQUAD]


MOVES = st.one_of(
    st.tuples(st.just("attack"), st.sampled_from(THUGS), st.integers(0, 99)),
    st.tuples(st.sampled_from(("join", "split")), st.just(""), st.just(0)),
)


@each_game
@settings(max_examples=12)
@given(moves=st.lists(MOVES, min_size=4, max_size=10))
def test_harm_in_any_portions_is_neither_lost_nor_doubled(
    slug: str, moves: list[tuple[str, str, int]]
) -> None:
    """Attacks, and squads that form and split between them; who is in none bears all."""
    system, state = GAMES[slug], join(GAMES[slug], find_fight(slug))
    for what, target, seed in moves:
        if what == "join":
            state = state if list_squads(state) else join(system, state)
        elif what == "split":
            state = decide(system, state, "split_squad", target=THUGS[0]) if list_squads(state) else state
        elif struck := attack(system, state, target, seed):
            done, noted = struck
            check_shares(state, noted)
            if not list_squads(state):
                assert not any(one.over for one in noted)
            state = done.state


@each_game
@settings(max_examples=12)
@given(seeds=st.lists(st.integers(0, 99), min_size=1, max_size=4))
def test_who_bears_all_of_a_hit_is_hurt_as_one_alone_would_be(slug: str, seeds: list[int]) -> None:
    """The same dice at the same person: without anything left over, a squad makes no difference."""
    system, alone = GAMES[slug], find_fight(slug)
    for seed in seeds:
        first, second = (
            attack(system, alone, THUGS[0], seed),
            attack(system, join(system, alone), THUGS[0], seed),
        )
        assert (first is None) == (second is None)
        if first is None or second is None:
            continue
        if not any(one.over for one in second[1]):
            one, other = (done.state.combatants[THUGS[0]] for done, _ in (first, second))
            assert (other.tracks, other.conditions) == (one.tracks, one.conditions)
        alone = first[0].state


@pytest.mark.parametrize("slug", FALLS)
def test_hits_fall_through_to_the_last_one_who_bears_them_all(slug: str) -> None:
    system, fell = GAMES[slug], 0
    state = join(system, find_fight(slug))
    for seed in range(60):
        health = {who: system.characters.health(state.combatants[who]) for who in THUGS}
        target = next((who for who in THUGS if not health[who].is_out), "")
        if not target:
            break
        struck = attack(system, state, target, seed)
        if struck is None:  # such as a weapon that is too long at this distance
            continue
        check_shares(state, struck[1])
        fell += any(one.over for one in struck[1])
        if sum(not one.is_out for one in health.values()) == 1:
            assert not any(one.over for one in struck[1])
        state = struck[0].state
    assert fell


@each_game
def test_a_squad_that_is_split_again_leaves_nothing(slug: str) -> None:
    """Besides one score for all, and their places beside one another."""
    system, state = GAMES[slug], find_fight(slug)
    joined = join(system, state)
    split = decide(system, joined, "split_squad", target=THUGS[1])
    assert encode(replace(split, made=0)) != encode(replace(joined, made=0))
    for who in THUGS:
        assert change(split.combatants[who], initiative=None, marks={}) == change(
            state.combatants[who], initiative=None, marks={}
        )
        assert SQUAD not in split.combatants[who].marks
    assert join(system, split).combatants == joined.combatants


def join(system: System, state: State) -> State:
    return decide(system, state, "join_squad", targets=list(THUGS), name=NAME)
