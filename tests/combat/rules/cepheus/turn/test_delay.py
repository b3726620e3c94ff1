"""Waiting with a turn: acting later in the round, before others, or first in the next one."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.fight.explosives.blasts import dive
from combat.rules.core.state import events as e
from combat.rules.core.state.state import END, Until
from tests.combat.rules.cepheus.figures import ADA, BO, CY, CepheusStage
from tests.combat.rules.cepheus.turn.lineup import (
    begin,
    fight,
    lower,
    order,
    scores,
    three,
    to_round,
    turns,
    unit,
)


@pytest.mark.rule("CE-OTHER-11")
def test_only_a_whole_turn_waits() -> None:
    stage = fight()
    stage.do("move", ADA, to="3,0")
    assert stage.refused("delay", ADA).code == "not_allowed"
    assert stage.refused("interrupt", BO).code == "not_allowed"


@pytest.mark.rule("CE-OTHER-12", "CE-OTHER-13")
def test_who_delays_interrupts_and_keeps_that_count() -> None:
    stage = fight()
    stage.do("delay", ADA)
    stage.do("move", BO, to="3,0")
    stage.do("interrupt", ADA)
    assert stage.state.active == ADA
    assert stage[ADA].initiative == 7
    assert stage[ADA].budget == {"minor": 1, "significant": 1}
    stage.do("next_turn")
    assert stage.state.active == BO
    assert stage[BO].budget == {"minor": 0, "significant": 1}
    turns(stage, 2)
    assert stage.state.round == 2
    assert stage[ADA].initiative == 7


@pytest.mark.rule("CE-OTHER-12")
def test_who_interrupts_may_be_interrupted_and_both_go_on() -> None:
    stage = fight()
    stage.do("delay", ADA)
    stage.do("delay", BO)
    stage.do("interrupt", BO)
    stage.do("move", BO, to="3,0")
    stage.do("interrupt", ADA)
    assert [stage[who].initiative for who in (ADA, BO)] == [4, 4]
    stage.do("next_turn")
    assert stage.state.active == BO
    assert stage[BO].budget == {"minor": 0, "significant": 1}
    stage.do("next_turn")
    assert stage.state.active == CY
    stage.do("next_turn")
    assert stage.state.round == 2


@pytest.mark.rule("CE-OTHER-11")
def test_a_delayed_turn_has_the_actions_one_has_when_it_comes() -> None:
    stage = fight()
    stage.do("delay", ADA)
    stage.wounded(ADA, 6, 6, 6)
    stage.do("interrupt", ADA)
    assert stage[ADA].budget == {"minor": 0, "significant": 1}


@pytest.mark.rule("CE-INJ-05", "CE-OTHER-12")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"minor": 1, "significant": 1}, {"minor": 0, "significant": 1}),
        ({"minor": 1, "significant": 0}, {"minor": 0, "significant": 0}),
        ({"minor": 3, "significant": 0}, {"minor": 2, "significant": 0}),  # two of them were traded
    ],
)
def test_serious_wound_while_interrupted_costs_the_minor_action(
    before: dict[str, int], after: dict[str, int]
) -> None:
    stage = fight()
    stage.do("delay", ADA)
    stage.edit(BO, budget=before)
    stage.do("interrupt", ADA)
    stage.wounded(BO, 6, 8, 6)
    stage.do("next_turn")
    assert stage.state.active == BO
    assert stage[BO].budget == after


@pytest.mark.rule("CE-EXPL-06", "CE-OTHER-12")
def test_dive_while_interrupted_costs_its_significant_action() -> None:
    stage = fight()
    stage.do("delay", ADA)
    stage.do("interrupt", ADA)
    stage.run(lambda context: dive(context, BO))
    stage.do("next_turn")
    assert stage[BO].budget == {"minor": 1, "significant": 0}
    stage.do("next_turn")
    assert not stage.has(BO, "dived")
    assert not stage[BO].marks.get("lost_significant")


@pytest.mark.rule("CE-EXPL-06", "CE-OTHER-12", "CE-ROUND-10")
def test_dive_after_the_significant_action_costs_the_next_one() -> None:
    stage = fight()
    stage.do("delay", ADA)
    stage.edit(BO, budget={"minor": 1, "significant": 0})
    stage.do("interrupt", ADA)
    stage.run(lambda context: dive(context, BO))
    assert stage[BO].initiative == 7  # the reaction counts in the next round: this turn has begun
    to_round(stage, 2)
    assert stage[BO].initiative == 5
    stage.do("next_turn")
    assert stage.state.active == BO
    assert stage[BO].budget == {"minor": 1, "significant": 0}


def test_what_the_gm_puts_someone_to_has_no_end_of_its_own() -> None:
    stage = fight()
    stage.do("give_condition", target=ADA, kind="extended_action")
    stage.do("give_condition", target=BO, kind="delaying")
    stage.hit(ADA, 1, (6, 6))
    stage.do("interrupt", BO)
    stage.do("next_turn")
    turns(stage, 3)
    assert stage.has(ADA, "extended_action")
    stage.do("abandon", ADA)


@pytest.mark.rule("CE-OTHER-12")
def test_a_declared_attack_is_not_spent_on_who_steps_in_first() -> None:
    stage = fight(11, 4, 8)
    stage.do("delay", ADA)
    assert stage.state.active == CY
    unarmed = next(i.id for i in stage[CY].items if i.kind == "weapon")
    stage.edit(CY, at=stage[ADA].at)
    stage.do("attack", CY, target=ADA, weapon=unarmed, dice=["yes"])
    assert stage.state.active == ADA
    assert stage[CY].budget["significant"] == 1
    stage.do("next_turn")
    assert stage.state.active == CY


@pytest.mark.rule("CE-OTHER-12")
@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("suppress", {"weapon": "rifle", "target": BO}),
        ("panic_fire", {"weapon": "rifle", "target": BO}),
        ("blind_fire", {"weapon": "rifle", "target": BO}),
        ("blind_lob", {"weapon": "rifle", "to": "9,9"}),
        ("grapple", {"target": BO}),
        ("coup_de_grace", {"weapon": "unarmed_strike", "target": BO, "sure": True}),
    ],
)
def test_who_delays_may_step_in_before_an_attack_of_any_kind(name: str, fields: dict[str, Any]) -> None:
    stage = CepheusStage()
    stage.hero("Ada")
    stage.hero("Bo")
    stage.foe("Zed", weapons=["rifle"])
    begin(stage, 11, 4, 8)
    stage.change_item(CY, "rifle", place="held")
    if name == "coup_de_grace":
        stage.give(BO, "bound")
    stage.do("delay", ADA)
    if "weapon" in fields:
        fields = {**fields, "weapon": stage.weapon(CY, fields["weapon"])}
    stage.do(name, CY, dice=["yes"], **fields)
    assert stage.state.active == ADA
    assert stage[CY].budget["significant"] == 1
    stage.do("next_turn")
    assert stage.state.active == CY


@pytest.mark.rule("CE-OTHER-12", "CE-OTHER-13")
def test_who_delays_may_come_after_the_turn_under_way() -> None:
    stage = fight()
    stage.do("delay", ADA)
    stage.do("step_in", ADA)
    assert stage.state.active == BO
    assert stage.refused("step_in", ADA).code == "not_allowed"
    stage.do("next_turn")
    assert stage.state.active == ADA
    assert stage[ADA].initiative == 7
    stage.do("next_turn")
    assert stage.state.active == CY


def test_a_table_without_delays_refuses_them() -> None:
    assert "switch it on" in fight(use_delay=False).refused("delay", ADA).message


@pytest.mark.rule("CE-OTHER-16")
def test_opener_of_a_round_is_one_above_the_highest_plus_plan() -> None:
    stage = unit()
    stage.do("start", tactics=True, dice=[(3, 4), (3, 3), (3, 2), (2, 3), (4, 3)])
    assert order(stage) == "Ada Bo Di Zed"
    stage.do("delay", ADA)
    stage.do("delay", BO)
    stage.do("next_turn")
    stage.do("next_turn", dice=["no", "first"])
    assert [stage[who].initiative for who in (ADA, BO, CY, "f4")] == [9, 10, 5, 7]
    to_round(stage, 3)
    assert stage[BO].initiative == 10


@pytest.mark.rule("CE-OTHER-16")
def test_who_opens_the_round_is_above_what_others_have_in_it() -> None:
    stage = three()
    begin(stage, 9, 7, 4)
    stage.do("next_turn")
    lower(stage, ADA, 3)
    stage.do("delay", BO)
    stage.do("next_turn", dice=["first"])
    assert scores(stage) == [12, 13, 4]
    assert stage.state.active == BO


@pytest.mark.rule("CE-OTHER-13")
def test_count_of_a_delayed_turn_stays_with_a_plan_counted_in() -> None:
    stage = unit()
    stage.do("start", tactics=True, dice=[(3, 4), (3, 3), (3, 2), (2, 3), (4, 3)])
    stage.do("delay", ADA)
    stage.do("interrupt", ADA)
    assert [stage[who].initiative for who in (ADA, BO)] == [8, 8]
    to_round(stage, 2)
    assert [stage[who].initiative for who in (ADA, BO)] == [8, 8]


@pytest.mark.rule("CE-OTHER-15")
def test_a_turn_that_was_given_up_ends_what_lasts_to_its_end() -> None:
    stage = three()
    begin(stage, 9, 7, 4)
    stage.give(ADA, "ducking", until=Until(ADA, END))
    stage.do("delay", ADA)
    stage.do("next_turn")
    assert stage.has(ADA, "ducking")
    stage.do("next_turn", dice=["first"])
    assert stage.state.round == 2
    assert not stage.has(ADA, "ducking")


@pytest.mark.rule("CE-OTHER-11", "CE-OTHER-15")
def test_a_turn_that_was_given_up_ends_only_when_the_wait_begins() -> None:
    stage = fight()
    ended: list[str] = []
    stage.do("delay", ADA)
    ended += [told.who for told in stage.told(e.TurnEnded)]
    while stage.state.round == 1:
        stage.do("next_turn", dice=("no",) if stage.state.active == CY else ())
        ended += [told.who for told in stage.told(e.TurnEnded)]
    assert ended == [ADA, BO, CY]


@pytest.mark.rule("CE-OTHER-12")
def test_whose_turn_comes_waits_no_longer() -> None:
    stage = fight()
    stage.do("give_condition", target=BO, kind="delaying")
    stage.do("next_turn")
    assert stage.state.active == BO
    assert not stage.has(BO, "delaying")
