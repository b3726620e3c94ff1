"""Rulings that are kept, in every game: done again without asking, to someone else, and taken away."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import command_data, read_command
from combat.rules.core.declaration.system import System
from combat.rules.core.engine.engine import AutoDriver, Done, ReplayDriver, find_action, run
from combat.rules.core.gm.improvising import ACT, MAX_RULINGS, Improvise
from combat.rules.core.gm.rulings import BRING, DROP, USE, check_ruling, make_act
from combat.rules.core.state.fold import fold_all
from combat.rules.core.state.rulings import Effect
from combat.rules.core.state.state import State, decode, encode, present
from tests.combat.rules.every_game.test_improvising import SENTENCES, every_ruled, find_turn, rule


def do(system: System, state: State, name: str, seed: int = 1, **fields: Any) -> Done:
    """Run an action, and check that its record comes back, its facts fold and its replay verifies."""
    action = find_action(system, name)
    command = read_command(action, fields, state)
    assert read_command(action, command_data(command), state) == command
    done = run(system, state, action, command, AutoDriver(random.Random(seed)))
    assert isinstance(done, Done)
    assert fold_all(state, done.facts) == done.state == decode(encode(done.state))
    assert run(system, state, action, command, ReplayDriver(), answers=done.answers) == done
    return done


def keep(system: System, words: str, name: str = "Kept", **changes: Any) -> tuple[State, Improvise, State]:
    """A turn, an act in it, and the state after it was kept: before its cost and its ends."""
    state, act = rule(system, words)
    act = replace(act, keep=name, **changes)
    after = do(system, state, ACT, **command_data(act)).state
    people = {
        **state.combatants,
        act.actor: replace(state[act.actor], rulings=after[act.actor].all_rulings),
    }
    return state, act, replace(state, combatants=people)


@every_ruled
def test_what_was_ruled_once_is_done_again_as_it_was(system: System) -> None:
    for words, _, works, _ in SENTENCES:
        if works == ["leaves"]:
            continue  # who is gone has no next time
        _, act, state = keep(system, words)
        (ruling,) = state[act.actor].all_rulings
        again = make_act(system, state, act.actor, ruling)
        assert replace(again, keep="Kept") == act, words
        seen = do(system, state, USE, actor=act.actor, ruling=ruling.id)
        first = do(system, state, ACT, **command_data(replace(act, keep="")))
        assert seen.facts == first.facts, words


@every_ruled
def test_it_is_done_to_someone_else(system: System) -> None:
    _, act, state = keep(system, SENTENCES[0][0])
    other = next(one for one in present(state) if one.id not in (act.actor, act.about))
    (ruling,) = state[act.actor].all_rulings
    again = make_act(system, state, act.actor, ruling, other.id)
    assert again.about == other.id
    assert again.words == f"Kept: {other.name}"
    named = {who for effect in (*again.works, *again.fails) for who in (*effect.who, effect.to)}
    assert named <= {act.actor, other.id, ""}
    with pytest.raises(Refused, match="someone else"):
        do(system, state, USE, actor=act.actor, ruling=ruling.id, target=act.actor)
    gone = replace(state, combatants={w: f for w, f in state.combatants.items() if w != act.about})
    with pytest.raises(Refused, match="whom it concerns"):
        make_act(system, gone, act.actor, ruling)


@every_ruled
def test_nothing_is_done_to_who_has_left(system: System) -> None:
    """Neither rolled nor paid: they have to choose someone else, and an act against them is ruled again."""
    _, act, state = keep(system, SENTENCES[7][0])
    left = replace(state[act.about], gone=True)
    gone = replace(state, combatants={**state.combatants, act.about: left})
    with pytest.raises(Refused, match="whom it concerns"):
        do(system, gone, USE, actor=act.actor, ruling="r1")
    with pytest.raises(Refused, match="not in this"):
        do(system, gone, USE, actor=act.actor, ruling="r1", target=act.about)
    for once in (act, replace(act, opposed=act.about, counter=act.check, works=(), fails=())):
        with pytest.raises(Refused, match="not in this"):
            do(system, gone, ACT, **command_data(once))


@every_ruled
def test_damage_is_points_or_dice_in_plain_digits(system: System) -> None:
    """Also in what another table has ruled: nothing fails only when it is done again."""
    state, act = rule(system, SENTENCES[7][0])
    (ruling,) = keep(system, SENTENCES[7][0])[2][act.actor].all_rulings
    for dice in ("²", "٣", "0", "1000", "9" * 5000, "-3", "+3", "2d6²", "d", ""):
        ending = (Effect(kind="harm", who=(act.about,), dice=dice),)
        with pytest.raises(Refused):
            do(system, state, ACT, **command_data(replace(act, check=(), works=ending, fails=())))
        with pytest.raises(Refused):
            check_ruling(system, replace(ruling, works=(Effect(kind="harm", who=("them",), dice=dice),)))
    assert check_ruling(system, replace(ruling, works=(Effect(kind="harm", who=("them",), dice="999"),)))


@every_ruled
def test_ruling_of_the_same_name_is_replaced_and_the_oldest_goes(system: System) -> None:
    state, actor, _ = find_turn(system)
    act = replace(rule(system, "I jump")[1], cost="", works=(), fails=())
    for n in range(MAX_RULINGS + 2):
        state = do(system, state, ACT, **command_data(replace(act, keep=f"Jump {n}"))).state
    names = [one.name for one in state[actor].all_rulings]
    assert names == [f"Jump {n}" for n in range(2, MAX_RULINGS + 2)]
    state = do(system, state, ACT, **command_data(replace(act, keep="jump 5", secret=True))).state
    assert [one.name for one in state[actor].all_rulings if one.secret] == ["jump 5"]
    assert len({one.id for one in state[actor].all_rulings}) == MAX_RULINGS


@every_ruled
def test_it_costs_what_it_costs_and_free_ones_come_once_a_turn(system: System) -> None:
    _, act, state = keep(system, "I jump", cost="")
    fields: dict[str, Any] = {"actor": act.actor, "ruling": "r1"}
    once = do(system, state, USE, **fields).state
    with pytest.raises(Refused, match="once a turn"):
        do(system, once, USE, **fields)
    idle = replace(once, active="", sharing=())
    with pytest.raises(Refused, match="turn"):
        do(system, idle, USE, **fields)
    with pytest.raises(Refused, match="gone"):
        do(system, state, USE, actor=act.actor, ruling="r9")


@every_ruled
def test_ruling_is_taken_away_and_brought_back(system: System) -> None:
    _, act, state = keep(system, SENTENCES[1][0])
    (ruling,) = state[act.actor].all_rulings
    gone = do(system, state, DROP, actor=act.actor, ruling=ruling.id).state
    assert gone[act.actor].all_rulings == ()
    assert encode(gone) == encode(decode(encode(gone)))
    plain = [msgspec.to_builtins(ruling)]
    back = do(system, gone, BRING, rulings={act.actor: plain}).state
    assert back[act.actor].all_rulings == (ruling,)
    assert do(system, back, BRING, rulings={act.actor: plain}).facts == ()


@every_ruled
def test_rulings_player_knows_no_secret_of_it_and_others_nothing(system: System) -> None:
    worlds = []
    rules = system.actions.improvising
    assert rules
    for step in rules.figures.grades[:2]:
        state, act = rule(system, SENTENCES[0][0])
        check = tuple((k, step.value if k == rules.figures.grade else v) for k, v in act.check)
        ending = (Effect(kind="words", text=f"Hidden {step.value}"),)
        act = replace(act, check=check, works=ending, keep="Kept", secret=True, hides=True, cost="")
        after = do(system, state, ACT, **command_data(act)).state
        player = Viewer("seat", frozenset((act.actor,)))
        mine, others = redact(after, player), redact(after, Viewer())
        assert others[act.actor].all_rulings == ()
        worlds.append(mine[act.actor].rulings)
        assert do(system, mine, USE, actor=act.actor, ruling="r1").facts, "its form can be tried"
    assert worlds[0] == worlds[1]
