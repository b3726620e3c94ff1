"""Rounds, turns and actions by the summary: its worked checks, played by the quick rules."""

from __future__ import annotations

import pytest

from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.core.basics.dice.requests import ChoiceRequest
from tests.combat.rules.cepheus.fight.range import duel
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage


def gather(*profiles: str) -> CepheusStage:
    """Ada, Bo, Cy and so on, each on a side of their own, before the fight."""
    stage = CepheusStage(QUICK)
    for name, profile in zip(("Ada", "Bo", "Cy", "Di"), profiles, strict=False):
        stage.hero(name, profile, side=name)
    return stage


def fight(*totals: int) -> CepheusStage:
    """The same number with 7 in everything, who have rolled these sums."""
    stage = gather(*("777777" for _ in totals))
    stage.do("start", dice=[(total // 2, total - total // 2) for total in totals])
    return stage


def acting(stage: CepheusStage) -> set[str]:
    return {stage[who].name for who in (stage.state.active, *stage.state.sharing) if who}


# ---------------------------------------------------------------- Initiative


@pytest.mark.rule("CS-SEQ-01", "CS-ROUND-01")
@pytest.mark.parametrize(("rounds", "seconds"), [(5, 30), (10, 60)])
def test_a_round_is_six_seconds(rounds: int, seconds: int) -> None:
    stage = fight(9, 5)
    start = stage.state.clock
    while stage.state.round <= rounds:
        stage.do("next_turn")
    assert stage.state.clock - start == seconds


@pytest.mark.rule("CS-SEQ-02", "CS-SEQ-05", "CS-INIT-03")
def test_they_act_from_the_highest_initiative_down() -> None:
    stage = fight(3, 8, 12, 8)
    order = []
    for _ in range(3):
        order.append(acting(stage))
        stage.do("next_turn", whole=True)
    assert order == [{"Cy"}, {"Bo", "Di"}, {"Ada"}]


@pytest.mark.rule("CS-SEQ-03", "CS-SEQ-04", "CS-INIT-02")
def test_the_aware_have_12_and_only_the_others_roll() -> None:
    stage = gather("7C7777", "797777")
    stage.do("start", aware=[ADA], dice=[(4, 3)])
    assert (stage[ADA].initiative, stage[BO].initiative) == (12 + 2, 7 + 1)
    assert [request.who for request in stage.asked] == [BO]


@pytest.mark.rule("CS-SEQ-03")
def test_the_gm_is_asked_who_has_noticed_whom() -> None:
    stage = gather("777777", "777777")
    fields = stage.system.action("start").find_fields(stage.state, "")
    aware = next(field for field in fields if field.name == "aware")
    assert [option.value for option in aware.options] == [ADA, BO]


@pytest.mark.rule("CS-SEQ-04", "CS-INIT-01")
def test_initiative_is_two_dice_and_the_dexterity_dm() -> None:
    stage = gather("757777", "797777")
    stage.do("start", dice=[(6, 2), (4, 3)])
    assert (stage[ADA].initiative, stage[BO].initiative) == (8 - 1, 7 + 1)


@pytest.mark.rule("CS-INIT-03")
def test_fourteen_acts_before_seven() -> None:
    stage = gather("777777", "7C7777")
    stage.do("start", dice=[(4, 3), (6, 6)])
    assert [stage[who].initiative for who in stage.state.order] == [14, 7]
    assert acting(stage) == {"Bo"}


@pytest.mark.rule("CS-SEQ-06")
def test_a_hit_tells_before_the_next_turn() -> None:
    stage = duel("rifle", 20, system=QUICK)
    stage.attack((4, 4), (2, 2, 1))
    assert stage.state.active == ADA
    assert stage.body(BO) == (7, 7, 2)


@pytest.mark.rule("CS-SEQ-07")
def test_after_the_last_turn_comes_another_round_until_the_gm_ends_it() -> None:
    stage = fight(9, 5)
    stage.do("next_turn")
    assert (stage.state.round, acting(stage)) == (1, {"Bo"})
    stage.do("next_turn")
    assert (stage.state.round, acting(stage)) == (2, {"Ada"})
    stage.give(BO, "dead")
    stage.do("next_turn")
    assert (stage.state.phase, stage.state.round) == ("fight", 3)
    stage.do("end_fight")
    assert stage.state.phase == "over"


# ---------------------------------------------------------------- actions


@pytest.mark.rule("CS-ROUND-02", "CS-ROUND-03", "CS-SIG-01")
def test_an_attack_is_the_significant_action_and_there_is_one() -> None:
    stage = duel("rifle", 20, system=QUICK)
    stage.attack((1, 1))
    assert stage[ADA].budget == {"minor": 1, "significant": 0}
    refused = stage.refused("attack", ADA, target=BO, weapon=f"{ADA}-w1")
    assert refused.code == "no_budget"
    stage.do("next_turn")
    stage.do("next_turn")
    assert stage[ADA].budget == {"minor": 1, "significant": 1}


@pytest.mark.rule("CS-SIG-01", "CS-ATK-07")
def test_a_blow_is_a_significant_action_too() -> None:
    stage = duel("sword", 2, system=QUICK)
    stage.attack((1, 1))
    assert stage[ADA].budget == {"minor": 1, "significant": 0}


@pytest.mark.rule("CS-ROUND-04")
def test_drawing_and_moving_are_minor_actions() -> None:
    stage = duel("rifle", 20, system=QUICK)
    stage.do("put_away", ADA, weapon=f"{ADA}-w1")
    stage.turn(ADA)
    stage.do("ready", ADA, weapon=f"{ADA}-w1")
    assert stage[ADA].budget == {"minor": 0, "significant": 1}
    stage.turn(ADA)
    stage.do("move", ADA, to="3,0")
    assert stage[ADA].budget == {"minor": 0, "significant": 1}


@pytest.mark.rule("CS-ROUND-05")
def test_free_actions_cost_nothing_however_many() -> None:
    stage = fight(9, 5)
    for _ in range(6):
        stage.do("free", ADA, what="shouts")
    assert stage[ADA].budget == {"minor": 1, "significant": 1}


@pytest.mark.rule("CS-ROUND-06")
def test_a_reaction_is_asked_for_on_the_turn_of_who_attacks() -> None:
    stage = duel("rifle", 20, ready=True, system=QUICK)
    stage.attack("dodge", (1, 1))
    (asked,) = [request for request in stage.asked if isinstance(request, ChoiceRequest)]
    assert (asked.who, stage.state.active) == (BO, ADA)
    assert stage[BO].budget == {}


@pytest.mark.rule("CS-SIG-02")
def test_a_task_is_the_action_that_the_gm_says() -> None:
    stage = fight(9, 5)
    stage.do("check", ADA, skill="mechanics", characteristic="edu", dice=[(6, 5)])
    assert stage[ADA].budget == {"minor": 1, "significant": 0}
    assert stage.check().total == 11 - 3


@pytest.mark.rule("CS-MINOR-02")
def test_a_movement_action_leads_six_metres() -> None:
    stage = fight(9, 5)
    assert stage.refused("move", ADA, to="7,0").code == "out_of_range"
    stage.do("move", ADA, to="6,0")
    assert stage[ADA].at.x == 6
    assert stage.refused("move", ADA, to="0,0").code == "no_budget"


@pytest.mark.rule("CS-MINOR-03")
def test_loading_a_rocket_launcher_takes_three_rounds() -> None:
    stage = duel("rocket_launcher", 30, system=QUICK)
    stage.load(ADA, 0)
    loaded = []
    for _ in range(3):
        stage.turn(ADA)
        stage.do("reload", ADA, weapon=f"{ADA}-w1")
        assert stage[ADA].budget == {"minor": 0, "significant": 1}
        loaded.append(stage[ADA].items[0].loaded)
    assert loaded == [0, 0, 1]


@pytest.mark.rule("CS-MINOR-03")
def test_drawing_costs_what_the_weapon_says() -> None:
    stage = duel("rifle", 30, system=QUICK)
    item = stage[ADA].items[0]
    slow = item.__class__(item.id, item.kind, item.name, {**item.data, "draw_minor": 2}, "carried")
    stage.edit(ADA, items=(slow,))
    stage.do("ready", ADA, weapon=slow.id)
    assert stage[ADA].items[0].place == "carried"
    stage.turn(ADA)
    stage.do("ready", ADA, weapon=slow.id)
    assert stage[ADA].items[0].place == "held"


@pytest.mark.rule("CS-MINOR-04")
@pytest.mark.parametrize("stance", ["crouched", "prone"])
def test_another_stance_is_a_minor_action(stance: str) -> None:
    stage = fight(9, 5)
    stage.do("stance", ADA, stance=stance)
    assert stage.has(ADA, stance)
    assert stage[ADA].budget == {"minor": 0, "significant": 1}
    assert stage.refused("stance", ADA, stance="standing").code == "no_budget"
    stage.turn(ADA)
    stage.do("stance", ADA, stance="standing")
    assert not stage.has(ADA, stance)


@pytest.mark.rule("CS-MINOR-01")
def test_aim_in_three_rounds_adds_up_and_no_further_than_six() -> None:
    stage = duel("rifle", 20, system=QUICK)
    for _ in range(3):
        stage.turn(ADA)
        stage.do("aim", ADA, target=BO)
    assert stage.total() == 3
    for _ in range(5):
        stage.turn(ADA)
        stage.do("aim", ADA, target=BO)
    assert stage.total() == 6
    stage.attack((1, 1), (1, 1, 1))
    assert not stage.has(ADA, "aiming")


@pytest.mark.rule("CS-INIT-05")
def test_stepping_in_is_for_tables_that_want_it() -> None:
    assert "delay" in duel(system=QUICK).refused("delay", ADA).message.lower()
    stage = duel(ready=True, system=QUICK, use_delay=True)
    for who, score in ((ADA, 10), (BO, 7)):
        stage.edit(who, initiative=score, marks={"base": score})
    stage.arm(BO, "auto_pistol")
    stage.do("delay", ADA)
    assert stage.state.active == BO
    stage.do("attack", BO, target=ADA, weapon=f"{BO}-w1", dice=["yes"])
    assert stage.state.active == ADA
    assert stage[BO].budget == {"minor": 1, "significant": 1}
    assert not stage.checks()
