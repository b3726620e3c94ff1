"""The start of a fight: readiness and rolls; later changes of Initiative."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.cepheus.world.order import pay_reaction
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import LiveDriver, Waiting, run
from combat.rules.core.state import events as e
from combat.rules.core.state.state import is_acting
from tests.combat.rules.cepheus.figures import ADA, BO, CY, CepheusStage
from tests.combat.rules.cepheus.turn.lineup import begin, lower, order, scores, three, to_round

# ---------------------------------------------------------------- rolling


@pytest.mark.rule("CE-SEQ-02", "CE-SEQ-04")
def test_round_1_waits_for_the_rolls_of_all_who_are_not_ready() -> None:
    stage = three()
    start = stage.system.action("start")
    wanted = read_command(start, {"typed": True, "aware": [ADA]})
    waiting = run(stage.system, stage.state, start, wanted, LiveDriver(typed=True))
    assert isinstance(waiting, Waiting)
    assert [request.people for request in waiting.requests] == [(BO,), (CY,)]
    assert not any(isinstance(fact.event, e.RoundStarted) for fact in waiting.facts)


@pytest.mark.full_rules
@pytest.mark.rule("CE-SEQ-02", "CE-INIT-06", "CE-ROUND-14")
def test_form_asks_who_is_ready_who_hastens_and_if_leaders_plan() -> None:
    stage = three()
    fields = {f.name: f for f in stage.system.action("start").find_fields(stage.state, "")}
    assert [option.value for option in fields["aware"].options] == [ADA, BO, CY]
    assert [option.value for option in fields["hasty"].options] == [ADA, BO, CY]
    assert fields["tactics"].kind == "flag"


@pytest.mark.parametrize(
    ("field", "value", "option"), [("hasty", [BO], "use_hasten"), ("tactics", True, "use_tactics")]
)
def test_the_form_asks_nothing_about_rules_that_are_switched_off(field: str, value: Any, option: str) -> None:
    """RULING R61"""
    for stage in (three(**{option: False}), three(system=QUICK)):
        fields = stage.system.action("start").find_fields(stage.state, "")
        assert field not in [one.name for one in fields]
        assert "switch it on" in stage.refused("start", **{field: value}).message
        assert stage.state.phase == "prep"


def test_a_table_without_tactics_has_no_commanders() -> None:
    """RULING R61"""
    assert "without Tactics" in three(use_tactics=False).refused("mark_commander", target=ADA).message


@pytest.mark.rule("CE-SEQ-02")
@pytest.mark.parametrize("aware", [[], [ADA, BO, CY]])
def test_when_all_are_ready_or_nobody_is_everybody_rolls(aware: list[str]) -> None:
    stage = three()
    begin(stage, 5, 6, 7, aware=aware)
    assert scores(stage) == [5, 6, 7]
    assert not any(stage.has(who, "surprised") for who in (ADA, BO, CY))


@pytest.mark.rule("CE-INIT-05")
def test_who_has_noticed_the_others_may_stay_out_of_the_fight() -> None:
    stage = three()
    assert stage.refused("avoid", aware=[ADA, CY]).code == "bad_target"
    assert stage.refused("avoid", aware=[]).code == "bad_target"
    (field,) = stage.system.action("avoid").find_fields(stage.state, "")
    assert [option.value for option in field.options] == [ADA, BO, CY]
    stage.do("avoid", aware=[ADA])
    assert (stage.state.phase, stage.state.round) == ("over", 0)
    assert "CE-INIT-05" in stage.rules()
    begin(stage, 5, 6, 7)
    assert stage.refused("avoid", aware=[ADA]).code == "not_allowed"


def test_a_fight_begins_once_and_with_someone() -> None:
    assert CepheusStage().refused("start").code == "not_allowed"
    stage = three()
    begin(stage, 5, 6, 7)
    assert stage.refused("start").code == "not_allowed"


def test_who_joins_rolls_and_takes_its_place() -> None:
    stage = three()
    begin(stage, 4, 6, 8)
    stage.do("join", name="Di", side="enemies", sheet=stage[ADA].sheet, dice=[(3, 4)])
    assert order(stage) == "Zed Di Bo Ada"


@pytest.mark.rule("CE-ROUND-09")
def test_a_score_the_gm_sets_is_the_new_base() -> None:
    stage = three()
    begin(stage, 4, 6, 8)
    stage.do("set_initiative", target=ADA, score=7)
    assert order(stage) == "Zed Ada Bo"
    to_round(stage, 2)
    assert stage[ADA].initiative == 7


# ---------------------------------------------------------------- dynamic Initiative


@pytest.mark.rule("CE-ROUND-10")
def test_haste_and_a_reaction_before_the_turn_cancel_out() -> None:
    stage = three()
    begin(stage, 11, 8, 4)
    stage.do("hasten", BO)
    stage.run(lambda context: pay_reaction(context, BO))
    assert scores(stage) == [11, 8, 4]
    to_round(stage, 2)
    assert scores(stage) == [11, 8, 4]


@pytest.mark.rule("CE-ROUND-11", "CE-ROUND-08")
def test_a_change_after_the_turn_counts_for_the_next_round_only() -> None:
    stage = three()
    begin(stage, 9, 7, 4)
    stage.do("next_turn")
    lower(stage, ADA, -2)
    lower(stage, ADA, -2)
    assert stage[ADA].initiative == 9
    to_round(stage, 2)
    assert scores(stage) == [5, 7, 4]
    assert not stage.asked
    to_round(stage, 3)
    assert scores(stage) == [9, 7, 4]


@pytest.mark.rule("CE-ROUND-11")
def test_a_change_in_ones_own_turn_counts_for_the_next_round() -> None:
    stage = three()
    begin(stage, 9, 8, 4)
    lower(stage, ADA, -2)
    assert scores(stage) == [9, 8, 4]
    to_round(stage, 2)
    assert scores(stage) == [7, 8, 4]
    assert order(stage) == "Bo Ada Zed"
    to_round(stage, 3)
    assert scores(stage) == [9, 8, 4]


@pytest.mark.rule("CE-ROUND-11")
def test_a_change_for_who_delays_counts_at_once() -> None:
    stage = three()
    begin(stage, 9, 8, 4)
    stage.do("delay", ADA)
    lower(stage, ADA, -2)
    assert scores(stage) == [7, 8, 4]


@pytest.mark.rule("CE-ROUND-03", "CE-ROUND-11")
def test_initiative_has_no_floor_and_who_is_below_zero_acts_last() -> None:
    stage = three()
    begin(stage, 9, 2, 3)
    lower(stage, CY, -6)
    assert scores(stage) == [9, 2, -3]
    assert order(stage) == "Ada Bo Zed"


@pytest.mark.rule("CE-INIT-03", "CE-ROUND-12", "CE-REACT-02", "CE-REACT-03", "CE-REACT-04", "CE-REACT-06")
def test_reactions_cost_two_points_each_and_add_up_without_limit() -> None:
    stage = three()
    begin(stage, 11, 10, 4)
    for count in range(1, 7):
        stage.run(lambda context: pay_reaction(context, BO))
        assert stage[BO].initiative == 10 - 2 * count
    (held,) = (c for c in stage[BO].conditions if c.kind == "reacted")
    assert held.level == 6
    to_round(stage, 2)
    assert stage[BO].initiative == 10
    assert not stage.has(BO, "reacted")


@pytest.mark.rule("CE-REACT-03")
def test_penalty_of_a_reaction_may_last_to_the_next_turns_end() -> None:
    stage = three(reaction_penalty_ends="end_of_next_turn")
    begin(stage, 11, 10, 4)
    stage.do("next_turn")
    stage.run(lambda context: pay_reaction(context, ADA))
    to_round(stage, 2)
    assert stage.has(ADA, "reacted")
    while not stage[ADA].acted:
        stage.do("next_turn")
    assert not stage.has(ADA, "reacted")


# ---------------------------------------------------------------- ties


@pytest.mark.rule("CE-ROUND-05")
def test_who_ties_in_both_acts_at_the_same_moment() -> None:
    stage = three("777777", "777777", "777777")
    begin(stage, 9, 4, 9)
    assert {stage.state.active, *stage.state.sharing} == {ADA, CY}
    stage.do("next_turn", target=CY)
    assert is_acting(stage.state, ADA)
    stage.do("next_turn")
    assert stage.state.active == BO


@pytest.mark.rule("CE-ROUND-05")
def test_what_the_tied_do_takes_effect_together() -> None:
    stage = CepheusStage()
    for name, side in (("Ada", "allies"), ("Zed", "enemies")):
        stage.add(
            name,
            side,
            (0 if name == "Ada" else 5, 0),
            {"attributes": stage_scores(2), "skills": {"slug_rifle": 4}, "weapons": ["rifle"]},
        )
    begin(stage, 9, 9)
    for who, other in ((ADA, BO), (BO, ADA)):
        weapon = next(item for item in stage[who].items if item.kind == "weapon")
        if weapon.place != "held":
            stage.do("ready", who, weapon=weapon.id)
        stage.do("attack", who, target=other, weapon=weapon.id, dice=["none", (6, 6), (6, 6, 6)])
        assert not stage.has(other, "dead")
    stage.do("next_turn", whole=True)
    assert stage.has(ADA, "dead")
    assert stage.has(BO, "dead")


def stage_scores(physical: int) -> dict[str, int]:
    return {"str": physical, "dex": physical, "end": physical, "int": 7, "edu": 7, "soc": 7}


# ---------------------------------------------------------------- hastening


@pytest.mark.rule("CE-ROUND-07", "CE-ROUND-13", "CE-ROUND-14", "CE-ROUND-15", "CE-ROUND-16")
def test_hastening_at_the_start_acts_earlier_at_a_rounds_penalty() -> None:
    stage = three()
    begin(stage, 8, 7, 4)
    stage.do("hasten", BO)
    assert stage[BO].initiative == 9
    assert stage.state.active == BO
    assert not stage[ADA].acted
    stage.do("check", BO, skill="", characteristic="dex", dice=[(4, 3)])
    assert stage.check().total == 6
    to_round(stage, 2)
    assert stage[BO].initiative == 7
    assert not stage.has(BO, "hastened")


@pytest.mark.rule("CE-ROUND-14", "CE-ROUND-15")
def test_hastening_may_be_declared_for_next_round_and_taken_back() -> None:
    stage = three()
    begin(stage, 8, 7, 4)
    stage.do("hasten_next", CY)
    stage.do("hasten_next", BO)
    stage.do("hasten_next", BO)
    to_round(stage, 2)
    assert scores(stage) == [8, 7, 6]
    assert stage.has(CY, "hastened")
    to_round(stage, 3)
    assert scores(stage) == [8, 7, 4]


@pytest.mark.rule("CE-ROUND-17")
def test_nobody_hastens_twice_in_a_round() -> None:
    stage = three()
    begin(stage, 8, 7, 4)
    stage.do("hasten", BO)
    assert stage.refused("hasten", BO).code == "not_allowed"
    assert stage[BO].initiative == 9
    to_round(stage, 2)
    stage.do("hasten", BO)
    assert stage[BO].initiative == 9


@pytest.mark.rule("CE-ROUND-17")
def test_the_table_may_have_it_once_in_a_combat() -> None:
    stage = three(hasten="once_a_combat")
    begin(stage, 8, 7, 4)
    stage.do("hasten", BO)
    to_round(stage, 2)
    assert stage.refused("hasten", BO).code == "not_allowed"
    assert stage.refused("hasten_next", BO).code == "not_allowed"


def test_a_table_without_hastening_refuses_it() -> None:
    stage = three(use_hasten=False)
    begin(stage, 8, 7, 4)
    assert "switch it on" in stage.refused("hasten", BO).message


# ---------------------------------------------------------------- by house rule


@pytest.mark.rule("CE-INIT-01")
def test_identical_opponents_share_one_roll_with_their_own_dms() -> None:
    """RULING R4"""
    stage = CepheusStage(group_initiative=True)
    ada = stage.hero("Ada")
    first, second = stage.foe("Thug 1"), stage.foe("Thug 2", "797777")
    begin(stage, 5, 8)
    assert [stage[who].initiative for who in (ada, first, second)] == [5, 8, 9]


@pytest.mark.rule("CE-ROUND-08")
def test_a_table_may_roll_anew_each_round_for_all_who_live() -> None:
    """RULING R4: haste in the new round still counts."""
    stage = three(initiative_each="round")
    begin(stage, 9, 7, 5)
    stage.do("next_turn")
    stage.do("hasten_next", BO)
    stage.do("next_turn")
    stage.do("next_turn", dice=[(1, 1), (3, 4), (6, 6)])
    assert (stage.state.round, scores(stage)) == (2, [2, 9, 12])
    assert order(stage) == "Zed Bo Ada"


@pytest.mark.rule("CE-ROUND-14")
def test_hidden_persons_act_keeps_no_player_from_hastening() -> None:
    """RULING R6: who acts for themself is asked what is true."""
    stage = three()
    begin(stage, 8, 7, 4)
    stage.do("move", ADA, to="3,0")
    stage.edit(ADA, hidden=True)
    stage.edit(CY, pc=False)
    assert stage.refused("hasten", CY).code == "not_allowed"
    stage.edit(BO, pc=True)
    stage.do("hasten", BO)
    assert stage[BO].initiative == 9
