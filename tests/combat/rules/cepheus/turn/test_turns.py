"""Rounds, turns and their actions; tasks over rounds, free actions."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.dice import disturb_task
from combat.rules.cepheus.turn.tasks import TAKES
from combat.rules.core.commands.context import Then
from combat.rules.core.sides import Verdict, find_verdict
from combat.rules.core.state import events as e
from combat.rules.core.state.state import find_condition
from tests.combat.rules.cepheus.figures import ADA, BO, CY, CepheusStage, lone
from tests.combat.rules.cepheus.turn.lineup import begin, fight, order, scores, three, turns
from tests.combat.rules.cepheus.vehicles.garage import Garage


def task(stage: CepheusStage) -> dict[str, object]:
    held = find_condition(stage[ADA], "extended_action")
    assert held is not None
    return dict(held.marks)


# ---------------------------------------------------------------- rounds


@pytest.mark.rule("CE-SEQ-01", "CE-SEQ-05", "CE-SEQ-06", "CE-ROUND-03", "CE-ROUND-07", "CE-ROUND-08")
def test_everyone_has_one_turn_a_round_from_the_highest_down() -> None:
    stage = fight()
    assert turns(stage, 7) == ["Ada", "Bo", "Zed", "Ada", "Bo", "Zed", "Ada"]
    assert stage.state.round == 3
    assert [stage[who].initiative for who in (ADA, BO, CY)] == [11, 7, 4]


@pytest.mark.rule("CE-ROUND-01")
def test_ten_rounds_take_a_minute() -> None:
    stage = fight()
    start = stage.state.clock
    turns(stage, 30)
    assert stage.state.round == 11
    assert stage.state.clock - start == 60


@pytest.mark.rule("CE-SEQ-07")
def test_a_fight_does_not_end_by_itself() -> None:
    stage = fight()
    stage.give(CY, "dead")
    turns(stage, 3)
    assert stage.state.phase == "fight"
    stage.do("end_fight")
    assert stage.state.phase == "over"


@pytest.mark.rule("CE-SEQ-07")
@pytest.mark.parametrize("out", ["unconscious", "dead"])
def test_the_end_is_proposed_once_only_one_side_can_act(out: str) -> None:
    stage = fight()
    assert find_verdict(stage.system, stage.state) is None
    stage.give(CY, out)
    assert find_verdict(stage.system, stage.state) == Verdict("allies", ("enemies",))
    assert stage.state.phase == "fight"


@pytest.mark.rule("CE-SEQ-07")
def test_who_cannot_act_is_passed_over() -> None:
    stage = fight()
    stage.give(BO, "unconscious")
    assert turns(stage, 2) == ["Ada", "Zed"]
    stage.give(ADA, "unconscious")
    stage.give(CY, "dead")
    stage.do("next_turn")
    assert (stage.state.phase, stage.state.active) == ("fight", "")


@pytest.mark.rule("CE-ROUND-02", "CE-SIG-02")
def test_turn_has_a_minor_and_a_significant_action_until_ended() -> None:
    stage = fight()
    assert stage.refused("next_turn", target=BO).code == "not_your_turn"
    assert CepheusStage().refused("next_turn").code == "not_allowed"
    assert stage[ADA].budget == {"minor": 1, "significant": 1}
    stage.do("move", ADA, to="3,0")
    stage.do("check", ADA, skill="mechanics", characteristic="edu", dice=[(4, 3)])
    assert stage[ADA].budget == {"minor": 0, "significant": 0}
    assert stage.refused("check", ADA, skill="mechanics").code == "no_budget"


# ---------------------------------------------------------------- the exchange


@pytest.mark.rule("CE-MINOR-02", "CE-SIG-03", "CE-SIG-04")
def test_the_significant_action_makes_two_more_minor_ones() -> None:
    stage = fight()
    stage.do("exchange", ADA)
    assert stage[ADA].budget == {"minor": 3, "significant": 0}
    stage.do("exchange", ADA)
    assert stage[ADA].budget == {"minor": 1, "significant": 1}


@pytest.mark.rule("CE-MINOR-02", "CE-SIG-04")
def test_an_exchange_stands_once_its_second_minor_action_is_used() -> None:
    stage = fight()
    stage.do("exchange", ADA)
    stage.do("move", ADA, to="6,0")
    stage.do("move", ADA, to="6,6")
    assert stage.refused("exchange", ADA).code == "no_budget"


@pytest.mark.rule("CE-SIG-04")
def test_an_untraded_command_leaves_the_significant_action_alone() -> None:
    stage = fight()
    stage.do("move", ADA, to="3,0")
    assert stage.refused("move", ADA, to="6,0", untraded=True).code == "no_budget"


def test_a_table_without_the_exchange_refuses_it() -> None:
    stage = fight(three_minors=False)
    assert stage.refused("exchange", ADA).code == "no_budget"
    assert stage.refused("move", ADA, to="12,0", actions=2).code == "no_budget"


# ---------------------------------------------------------------- checks


@pytest.mark.rule("CE-MINOR-20", "CE-SIG-05")
@pytest.mark.full_rules
def test_an_act_without_a_check_takes_the_action_alone() -> None:
    stage = fight()
    stage.do("check", ADA, takes="minor", why="presses the door release")
    assert stage[ADA].budget == {"minor": 0, "significant": 1}
    assert not stage.checks()
    stage.do("check", ADA, takes="rounds", why="drags the crate", dice=[1])
    turns(stage, 3)
    assert not stage.has(ADA, "extended_action")


def test_words_of_an_act_are_one_line_of_a_hundred_characters() -> None:
    stage = fight()
    stage.do("check", ADA, takes="minor", why="opens\n" + "o" * 95)
    assert stage.told(e.Said)[-1].args == {"words": "opens " + "o" * 94}


@pytest.mark.parametrize(
    "wrong",
    [{"skill": "juggling"}, {"characteristic": "luck"}, {}, {"skill": "mechanics", "difficulty": "absurd"}],
)
def test_a_check_of_nothing_known_is_refused(wrong: dict[str, str]) -> None:
    stage = fight()
    assert stage.refused("check", ADA, **wrong).code == "bad_value"
    assert stage[ADA].budget == {"minor": 1, "significant": 1}


def test_the_form_of_a_check_offers_what_its_procedure_takes() -> None:
    stage = fight()
    fields = {f.name: f for f in stage.system.action("check").find_fields(stage.state, ADA)}
    assert fields["skill"].value == "mechanics"
    assert [option.value for option in fields["takes"].options] == list(TAKES)
    preview = stage.preview("check", ADA, skill="mechanics", characteristic="edu", difficulty="difficult")
    assert sum(term.value for term in preview.modifiers) == 0


# ---------------------------------------------------------------- extended actions


@pytest.mark.rule("CE-OTHER-04", "CE-OTHER-05", "CE-OTHER-06", "CE-SIG-06")
def test_task_of_rounds_takes_them_all_and_is_rolled_at_the_end() -> None:
    stage = fight()
    stage.do("check", ADA, skill="mechanics", characteristic="edu", takes="rounds", dice=[2])
    assert task(stage)["need"] == 2
    assert "extended action" in stage.refused("move", ADA, to="3,0").message
    assert turns(stage, 3) == ["Ada", "Bo", "Zed"]
    assert task(stage)["done"] == 1
    assert stage.state.active == BO
    stage.do("next_turn")
    stage.do("next_turn", dice=[(4, 4)])
    assert stage.check().total == 10
    assert not stage.has(ADA, "extended_action")
    assert stage.state.active == ADA
    assert stage[ADA].budget == {"minor": 1, "significant": 1}


@pytest.mark.rule("CE-OTHER-04")
def test_a_task_is_as_hard_at_its_end_as_when_it_was_begun() -> None:
    stage = fight()
    hard = {"skill": "mechanics", "characteristic": "edu", "difficulty": "difficult"}
    stage.do("check", ADA, takes="rounds", dice=[1], **hard)
    turns(stage, 2)
    stage.do("next_turn", dice=[(4, 4)])
    assert stage.check().total == 8


@pytest.mark.rule("CE-OTHER-04", "CE-OTHER-08")
def test_task_keeps_the_characteristic_and_modifier_of_its_start() -> None:
    stage = lone("Ada", "777797", skills={"mechanics": 2})
    stage.foe("Zed", at=(30, 0))
    stage.do("start", dice=[(6, 5), (2, 2)])
    skill = {"skill": "mechanics", "characteristic": "edu", "adjust": -2, "because": "no tools"}
    stage.do("check", ADA, takes="rounds", dice=[1], **skill)
    stage.hit(ADA, 3, (5, 2))
    assert stage.check("check.keep_working").total == 7 + 2 + 1 - 3
    assert turns(stage, 2) == ["Ada", "Zed"]
    stage.do("next_turn", dice=[(4, 4)])
    assert stage.check().total == 8 + 2 + 1 - 2


@pytest.mark.rule("CE-OTHER-07")
def test_a_task_may_be_given_up_at_any_time() -> None:
    stage = fight()
    assert stage.refused("abandon", ADA).code == "not_allowed"
    stage.do("check", ADA, skill="mechanics", characteristic="edu", takes="minutes", dice=[3])
    turns(stage, 2)
    stage.do("abandon", ADA)
    assert not stage.has(ADA, "extended_action")
    stage.do("next_turn")
    assert stage.state.active == ADA
    assert stage[ADA].budget == {"minor": 1, "significant": 1}


@pytest.mark.rule("CE-OTHER-08", "CE-OTHER-09", "CE-OTHER-10")
def test_a_hit_that_disturbs_costs_the_round() -> None:
    stage = fight()
    stage.do("check", ADA, skill="mechanics", characteristic="edu", takes="minutes", dice=[3])
    turns(stage, 3)
    stage.run(lambda context: Then(disturb_task, ADA, 3), [(5, 2)])
    assert stage.check().total == 6
    turns(stage, 2)
    assert task(stage)["done"] == 1
    turns(stage, 2)
    assert task(stage)["done"] == 2


@pytest.mark.rule("CE-OTHER-08")
def test_who_keeps_working_loses_nothing() -> None:
    stage = fight()
    stage.do("check", ADA, skill="mechanics", characteristic="edu", takes="minutes", dice=[3])
    stage.run(lambda context: Then(disturb_task, ADA, 3), [(5, 4)])
    turns(stage, 3)
    assert task(stage)["done"] == 1
    stage.run(lambda context: Then(disturb_task, ADA, 0))
    assert not stage.asked


# ---------------------------------------------------------------- free actions


@pytest.mark.rule("CE-OTHER-03")
def test_the_gm_may_charge_for_too_many() -> None:
    stage = fight()
    who, pool = stage.system.action("charge").find_fields(stage.state, "")
    assert [option.value for option in who.options] == [ADA]
    assert [option.value for option in pool.options] == ["minor", "significant"]
    stage.do("charge", target=ADA, pool="minor")
    assert stage[ADA].budget == {"minor": 0, "significant": 1}
    assert stage.refused("charge", target=ADA, pool="minor").code == "no_budget"
    assert stage.refused("charge", target=BO, pool="minor").code == "not_your_turn"
    stage.do("charge", target=ADA, pool="significant")
    assert stage[ADA].budget == {"minor": 0, "significant": 0}


@pytest.mark.rule("CE-MINOR-09")
def test_the_gm_may_distract_an_aimer() -> None:
    stage = fight()
    assert stage.refused("distract", target=ADA).code == "not_allowed"
    stage.give(ADA, "aiming_kill", by=CY)
    stage.do("distract", target=ADA)
    assert not stage.has(ADA, "aiming_kill")


# ---------------------------------------------------------------- wounds and ties


@pytest.mark.rule("CE-ROUND-04", "CE-ROUND-05")
@pytest.mark.parametrize(("dexterity", "then"), [(8, "Bo Zed"), (7, "Bo+Zed"), (6, "Zed Bo")])
def test_a_wound_that_lowers_dexterity_settles_a_tie_again(dexterity: int, then: str) -> None:
    stage = three("777777", "797777", "777777")
    begin(stage, 11, 5, 6)  # Bo's Dexterity gives a point
    assert (scores(stage), order(stage)) == ([11, 6, 6], "Ada Bo Zed")
    stage.do("adjust", target=BO, track="dex", to=dexterity)
    stage.do("next_turn")
    acting = [stage[who].name for who in (stage.state.active, *stage.state.sharing) if who]
    if len(acting) == 1:
        stage.do("next_turn")
        assert then == " ".join([*acting, stage[stage.state.active].name])
    else:
        assert then == "+".join(acting)


@pytest.mark.rule("CE-ROUND-04")
def test_healing_settles_a_tie_again_and_other_scores_stay() -> None:
    stage = three("777777", "797777", "777777")
    begin(stage, 11, 5, 6)
    stage.do("adjust", target=BO, track="dex", to=1)
    assert (scores(stage), order(stage)) == ([11, 6, 6], "Ada Zed Bo")
    stage.do("adjust", target=BO, track="dex", to=9)
    assert order(stage) == "Ada Bo Zed"
    stage.do("adjust", target=ADA, track="dex", to=1)
    assert order(stage) == "Ada Bo Zed"


@pytest.mark.rule("CE-ROUND-04", "CE-DMG-02")
@pytest.mark.full_rules
def test_a_hit_settles_a_tie_again() -> None:
    stage = three("777777", "797777", "777777")
    begin(stage, 11, 5, 6)
    stage.set_track(BO, end=6)
    stage.hit(BO, 3, "dex=3")
    assert (stage.body(BO)[1], order(stage)) == (6, "Ada Zed Bo")


@pytest.mark.rule("CE-ROUND-04")
def test_another_dexterity_of_a_robot_settles_a_tie_again() -> None:
    stage = Garage()
    ada, robot, zed = stage.hero("Ada"), stage.robot("Rob"), stage.foe("Zed")
    stage.begin(ada, zed, robot)
    for who, score in ((ada, 9), (robot, 5), (zed, 5)):
        stage.edit(who, initiative=score)
    for dexterity, names in ((8, "Ada Rob Zed"), (6, "Ada Zed Rob")):
        stage.do("adjust", target=robot, track="dex", to=dexterity)
        assert order(stage) == names
