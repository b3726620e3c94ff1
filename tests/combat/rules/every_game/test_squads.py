"""Squads in every game: they form and split, act one after the other, and fight to the end."""

from __future__ import annotations

import random

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, find_action, run
from combat.rules.core.odds.forecast import is_contested
from combat.rules.core.state.fold import fold_all
from combat.rules.core.state.state import State, encode, present
from combat.rules.core.turn.squads import SQUAD, gather_squads, list_squads
from tests.combat.rules.every_game.autoplay import ENEMIES, find_people, is_idle, play, play_turn, set_up
from tests.combat.rules.games import GAMES
from tests.combat.rules.stage import Stage

LONG = 600  # rounds: some fights are slow


def add_squads(system: System, state: State, seed: int) -> State:
    """The fight with two squads of three more enemies each, of a kind drawn for each."""
    chance, stage = random.Random(seed), Stage(system)
    stage.state = state
    for _ in range(2):
        before, block = set(stage.state.combatants), chance.choice(find_people(system))
        stage.do("join", block=block, side=ENEMIES, count=3)
        stage.do("join_squad", targets=[who for who in stage.state.combatants if who not in before])
    return stage.state


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_fights_with_squads_end_and_members_act_in_succession(slug: str, seed: int) -> None:
    system = GAMES[slug]
    start = add_squads(system, set_up(system, "", seed, most=2), seed)
    assert len(list_squads(start)) == 2
    fight = play(system, start, seed, LONG)
    assert not fight.odd
    assert not fight.is_open or is_idle(fight), f"still fighting in round {fight.end.round}"
    assert all(gather_squads(move.before) == move.before.order for move in fight.moves)
    assert list_squads(fight.end).keys() == list_squads(start).keys()


@pytest.mark.parametrize("slug", GAMES)
def test_squad_formed_in_a_fight_has_one_place_and_leaves_whole(slug: str) -> None:
    system, auto = GAMES[slug], AutoDriver(random.Random(1))
    stage = Stage(system)
    stage.stays, people = False, find_people(system)
    for side, count in (("allies", 2), (ENEMIES, 4)):
        stage.do("join", block=people[0], side=side, count=count)
    foes = [one.id for one in present(stage.state) if one.side == ENEMIES]
    start = find_action(system, system.actions.start)
    done = run(system, stage.state, start, read_command(start, {}), auto)
    assert isinstance(done, Done)
    stage.state = before = done.state
    facts = stage.do("join_squad", targets=foes[1:], name="The three")
    assert list_squads(stage.state) == {("The three", ENEMIES): tuple(foes[1:])}
    places = [stage.state.order.index(who) for who in foes[1:]]
    assert max(places) - min(places) == 2
    assert encode(fold_all(before, facts)) == encode(stage.state)
    stage.do("split_squad", target=foes[2])
    assert not list_squads(stage.state)
    assert not any(SQUAD in one.marks for one in present(stage.state))
    for move, after in play_turn(system, stage.state, auto):
        stage.state = after
        assert move is None or not move.odd
    assert is_contested(system, before, stage.state)
