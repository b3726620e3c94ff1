"""Properties of any fight: one turn each a round, even with waiting, interrupting or hastening."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from combat.rules.cepheus.world.order import rank
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Next, read_command
from combat.rules.core.engine.engine import AutoDriver, Done, run
from combat.rules.core.state import events as e
from tests.combat.rules.cepheus.figures import CepheusStage
from tests.combat.rules.every_game.wild.wild import Whim
from tests.combat.rules.stage import Given

OUT_OF_TURN = ("interrupt", "step_in", "hasten", "hasten_next", "tactics")


def crowd(chance: random.Random, people: int) -> CepheusStage:
    """Several combatants on two sides, some alike, in a fight that has begun."""
    stage = CepheusStage()
    for number in range(people):
        add = stage.hero if number % 2 else stage.foe
        add(f"P{number}", f"7{chance.choice('678')}7777", at=(40 * number, 0))
    stage.do("start", dice=[(chance.randint(3, 5), 4) for _ in range(people)])
    return stage


def do_something(stage: CepheusStage, chance: random.Random) -> tuple[e.Fact, ...]:
    """Something that someone may want now; its facts, none if it is refused."""
    name = chance.choice(("next_turn", "delay", "move", "move", "move", *OUT_OF_TURN))
    who = stage.state.active if name in ("delay", "move") else chance.choice(list(stage.state.combatants))
    data = {} if name == "next_turn" else {"actor": who}
    data |= {"to": f"{stage[who].at.x + 1},{stage[who].at.y}"} if name == "move" else {}
    action = stage.system.action(name)
    try:
        done = run(stage.system, stage.state, action, read_command(action, data), Whim(chance))
    except Refused:
        return ()
    assert isinstance(done, Done)
    stage.state = done.state
    return done.facts


@pytest.mark.rule("CE-SEQ-01", "CE-SEQ-05", "CE-ROUND-07", "CE-OTHER-12")
@settings(deadline=None)
@given(seed=st.integers(0, 2**32), people=st.integers(2, 5))
def test_nobody_has_more_than_one_turns_actions_in_a_round(seed: int, people: int) -> None:
    chance = random.Random(seed)
    stage = crowd(chance, people)
    moves: Counter[str] = Counter()
    number = stage.state.round
    for _ in range(60):
        events = [fact.event for fact in do_something(stage, chance)]
        if stage.state.round != number:
            moves, number = Counter(), stage.state.round
        moves.update(x.who for x in events if isinstance(x, e.Moved))
        ranks = [rank(stage[who]) for who in stage.state.order]
        assert ranks == sorted(ranks)
        assert stage.state.active, "someone always has the turn"
        assert max(moves.values(), default=0) <= 3


@pytest.mark.rule("CE-ROUND-05")
@settings(deadline=None)
@given(seed=st.integers(0, 2**32))
def test_who_of_the_tied_is_played_first_makes_no_difference(seed: int) -> None:
    chance = random.Random(seed)
    faces = {
        who: (tuple(chance.randint(1, 6) for _ in range(2)), tuple(chance.randint(1, 6) for _ in range(3)))
        for who in ("f1", "f2")
    }
    ends = [duel(faces, order) for order in (("f1", "f2"), ("f2", "f1"))]
    assert ends[0] == ends[1]


def duel(faces: dict[str, tuple[tuple[int, ...], tuple[int, ...]]], order: tuple[str, ...]) -> list[object]:
    """Two tied shooters, played in this order; their states at the end."""
    stage = CepheusStage()
    for name, side, x in (("Ada", "allies", 0), ("Zed", "enemies", 30)):
        stage.hero(name, "444444", side=side, at=(x, 0), skills={"slug_rifle": 3}, weapons=["rifle"])
    stage.do("start", dice=[(4, 4), (4, 4)])
    for who in order:
        other = "f2" if who == "f1" else "f1"
        item = stage.item(who, "rifle")
        if item.place != "held":
            stage.do("ready", who, weapon=item.id)
        hits = sum(faces[who][0]) + 3 - 1 >= 8
        dice: Given = ["none", faces[who][0], *([faces[who][1]] if hits else [])]
        stage.do("attack", who, target=other, weapon=item.id, dice=dice)
    end = run(stage.system, stage.state, stage.system.action("next_turn"), Next(whole=True), AutoDriver())
    assert isinstance(end, Done)
    return [{key: end.state[who].tracks[key] for key in ("str", "dex", "end")} for who in ("f1", "f2")]
