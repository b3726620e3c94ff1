"""Turns by sides, as the second made-up game takes them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.turn.side_turns import SideTurns
from combat.rules.core.turn.turns import add_condition
from tests.combat.rules.boarders import SYSTEM
from tests.combat.rules.boarders.turn import TURNS
from tests.combat.rules.stage import Stage

ADA, RAY, BEA, RIK = "f1", "f2", "f3", "f4"


def stand(turns: SideTurns = TURNS) -> Stage:
    """Two allies and two enemies, who joined in turn."""
    actions = dict(SYSTEM.actions.by_name)
    for name, run in (("start", turns.start), ("next_turn", turns.next_turn)):
        actions[name] = replace(actions[name], run=run)
    system = replace(
        SYSTEM,
        actions=replace(SYSTEM.actions, by_name=actions),
        turn=replace(SYSTEM.turn, enter=turns.enter),
    )
    stage = Stage(system)
    for name, side in (("Ada", "allies"), ("Ray", "enemies"), ("Bea", "allies"), ("Rik", "enemies")):
        stage.add(name, side, (0, 0), {"hits": 10}, pc=side == "allies")
    return stage


def join(stage: Stage, name: str, side: str, *dice: tuple[int, ...]) -> str:
    """Add a latecomer; returns their id."""
    before = {*stage.state.combatants}
    stage.do("join", name=name, side=side, sheet={"hits": 10}, dice=dice)
    (who,) = {*stage.state.combatants} - before
    return who


def acting(stage: Stage) -> tuple[str, ...]:
    """Who acts now, the first of them first."""
    return tuple(who for who in (stage.state.active, *stage.state.sharing) if who)


def test_side_keeps_together_in_the_order_of_joining() -> None:
    stage = stand()
    stage.do("start", dice=((2,), (5,)))
    assert stage.state.order == (RAY, RIK, ADA, BEA)
    assert [stage[who].initiative for who in stage.state.order] == [5, 5, 2, 2]
    assert acting(stage) == (RAY, RIK)
    assert stage[RIK].budget == {"act": 2}


def test_tied_sides_go_as_they_joined() -> None:
    stage = stand()
    stage.do("start", dice=((4,), (4,)))
    assert stage.state.order == (ADA, BEA, RAY, RIK)


def test_without_a_roll_sides_go_as_they_joined() -> None:
    stage = stand(replace(TURNS, roll=None))
    stage.do("start")
    assert acting(stage) == (ADA, BEA)
    assert stage[ADA].initiative is None
    assert stage.state.order[-1] == RIK
    late = join(stage, "Cy", "enemies")
    assert (stage.state.order[-1], stage[late].initiative) == (late, None)


def test_round_ends_once_both_sides_have_acted() -> None:
    stage = stand()
    stage.do("start", dice=((6,), (1,)))
    stage.do("next_turn")
    assert acting(stage) == (BEA,)
    stage.do("next_turn")
    assert (acting(stage), stage.state.round) == ((RAY, RIK), 1)
    stage.do("next_turn", whole=True)
    assert (acting(stage), stage.state.round) == ((ADA, BEA), 2)


def test_those_who_cannot_act_are_passed_over() -> None:
    stage = stand()
    stage.give(ADA, "down")
    stage.do("start", dice=((6,), (1,)))
    assert acting(stage) == (BEA,)
    stage.give(RAY, "down")
    stage.give(RIK, "down")
    stage.do("next_turn")
    assert (acting(stage), stage.state.round) == ((BEA,), 2)


def test_fight_in_which_nobody_can_act_says_so() -> None:
    stage = stand()
    for who in (ADA, RAY, BEA, RIK):
        stage.give(who, "down")
    stage.do("start", dice=((6,), (1,)))
    assert acting(stage) == ()
    assert [said.key for said in stage.told(e.Said)] == ["log.nobody_able"]


def test_beginning_of_a_turn_may_end_it() -> None:
    def begins(context: RuleContext, who: str) -> None:
        if who == ADA:
            add_condition(context, who, "down")

    stage = stand(replace(TURNS, begins=begins))
    stage.do("start", dice=((6,), (1,)))
    assert acting(stage) == (BEA,)
    assert stage[ADA].acted


def test_latecomer_acts_with_their_side_from_its_next_turn() -> None:
    stage = stand()
    stage.do("start", dice=((6,), (1,)))
    late_ally = join(stage, "Cy", "allies")
    late_enemy = join(stage, "Dan", "enemies")
    assert (stage[late_ally].initiative, stage[late_enemy].initiative) == (6, 1)
    assert acting(stage) == (ADA, BEA)
    stage.do("next_turn", whole=True)
    assert acting(stage) == (RAY, RIK, late_enemy)
    stage.do("next_turn", whole=True)
    assert acting(stage) == (ADA, BEA, late_ally)


def test_latecomer_of_a_new_side_rolls_for_it() -> None:
    stage = stand()
    stage.do("start", dice=((6,), (1,)))
    third = join(stage, "Eve", "neutral", (3,))
    assert stage[third].initiative == 3
    stage.do("next_turn", whole=True)
    stage.do("next_turn", whole=True)
    assert (acting(stage), stage.state.round) == ((third,), 1)


def test_start_is_refused_without_people_and_twice() -> None:
    with pytest.raises(Refused, match="add some first"):
        Stage(SYSTEM).do("start")
    stage = stand()
    with pytest.raises(Refused, match="start one first"):
        stage.do("next_turn")
    stage.do("start", dice=((6,), (1,)))
    with pytest.raises(Refused, match="under way"):
        stage.do("start")
