"""Initiative and turns: the order, delaying, and those who join or leave."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.dice.requests import RollRequest
from combat.rules.core.basics.words import say
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Until
from tests.combat.rules.cosmos.duels import ADA, BO, CY, card, pass_turns
from tests.combat.rules.cosmos.figures import CosmosStage

FRESH = {"standard": 1, "move": 1, "quick": 3}


def trio(*dice: int, **options: Any) -> CosmosStage:
    """Ada, Bo and Cy, all alike, with these initiative dice; Ada acts first by default."""
    stage = CosmosStage(**options)
    stage.hero("Ada", (0, 0))
    stage.foe("Bo", (10, 0))
    stage.hero("Cy", (0, 10))
    stage.do("start", dice=dice or (9, 6, 3))
    return stage


def turns(stage: CosmosStage, count: int) -> list[str]:
    """Those who have the next turns, beginning with the present one."""
    found = [stage.state.active]
    for _ in range(count - 1):
        stage.do("next_turn")
        found.append(stage.state.active)
    return found


def join(stage: CosmosStage, die: int) -> str:
    """Let Di, a pirate, join the fight with this initiative die; return its id."""
    stage.do("join", block="pirate_example", name="Di", dice=[die])
    return next(who for who, combatant in stage.state.combatants.items() if combatant.name == "Di")


# ---------------------------------------------------------------- the roll and the order


@pytest.mark.rule("COS-INIT-05")
def test_equals_roll_off_until_they_differ() -> None:
    stage = trio(7, 7, 7, *(3, 8, 8), *(2, 9))
    assert stage.state.order == (CY, BO, ADA)
    asked = [(one.dice, stage.system.draw(one.why)) for one in stage.asked if isinstance(one, RollRequest)]
    assert asked[3:] == [("1d10", "roll-off for the turn order")] * 5


@pytest.mark.rule("COS-INIT-05")
def test_equals_who_roll_equal_again_keep_the_order_of_joining() -> None:
    assert trio(7, 7, 7, *(4, 4, 4)).state.order == (ADA, BO, CY)


@pytest.mark.rule("COS-INIT-02")
def test_the_order_of_round_one_is_kept() -> None:
    stage = trio(3, 9, 6)
    first = stage.state.order
    assert turns(stage, 7) == [BO, CY, ADA, BO, CY, ADA, BO]
    assert stage.state.round == 3
    assert stage.state.order == first
    assert stage.state.clock == 12


@pytest.mark.rule("COS-INIT-02")
def test_initiative_is_rolled_once() -> None:
    stage = trio()
    no = stage.refused("start")
    assert (no.code, no.message) == ("not_allowed", "The fight is under way.")
    empty = CosmosStage()
    assert empty.refused("start").message == "Add combatants first: there is no one to fight."


@pytest.mark.rule("COS-INIT-01", "COS-INIT-03")
def test_who_joins_the_fight_rolls_and_takes_its_place() -> None:
    stage = trio()
    di = join(stage, 8)
    assert stage.state.order == (ADA, di, BO, CY)
    assert turns(stage, 4) == [ADA, di, BO, CY]


@pytest.mark.rule("COS-INIT-02", "COS-INIT-03")
def test_score_the_gm_sets_counts_next_round_and_log_says_why() -> None:
    stage = trio()
    stage.do("set_initiative", target=CY, score=20, reason="misread the die")
    assert stage[CY].initiative == 20
    assert stage.told(e.Overruled) == [e.Overruled(say("gm.initiative", who=CY), "misread the die")]
    assert turns(stage, 3) == [ADA, BO, CY]
    stage.do("next_turn")
    assert stage.told(e.OrderSet) == [e.OrderSet((CY, ADA, BO), "misread the die")]
    assert turns(stage, 4) == [CY, ADA, BO, CY]


@pytest.mark.rule("COS-INIT-02", "COS-INIT-06")
def test_a_score_the_gm_sets_leaves_the_places_of_others() -> None:
    stage = trio()
    stage.do("delay", ADA, after=BO)
    stage.do("set_initiative", target=CY, score=1)
    pass_turns(stage, 3)
    assert (stage.state.order, stage.told(e.OrderSet)) == ((BO, ADA, CY), [])


@pytest.mark.rule("COS-INIT-03")
def test_who_joins_too_late_for_its_place_acts_next_this_round() -> None:
    stage = trio()
    pass_turns(stage, 2)
    di = join(stage, 8)
    assert turns(stage, 3) == [CY, di, ADA]


# ---------------------------------------------------------------- delaying


@pytest.mark.rule("COS-INIT-06")
def test_one_who_delays_after_another_keeps_place_and_whole_turn() -> None:
    stage = trio()
    stage.do("delay", ADA, after=BO)
    assert turns(stage, 2) == [BO, ADA]
    assert (stage.has(ADA, "delaying"), stage[ADA].budget) == (False, FRESH)
    assert turns(stage, 2) == [ADA, CY]
    pass_turns(stage, 1)
    assert turns(stage, 3) == [BO, ADA, CY]


@pytest.mark.rule("COS-INIT-06")
def test_who_does_not_step_in_acts_last() -> None:
    stage = trio()
    stage.do("delay", ADA)
    assert turns(stage, 3) == [BO, CY, ADA]
    pass_turns(stage, 1)
    assert turns(stage, 3) == [BO, CY, ADA]


@pytest.mark.rule("COS-INIT-06")
def test_stepping_in_comes_right_after_the_turn_under_way() -> None:
    stage = trio()
    stage.do("delay", ADA)
    stage.do("step_in", ADA)
    assert stage.state.active == BO
    assert turns(stage, 3) == [BO, ADA, CY]
    assert stage.state.order == (BO, ADA, CY)


@pytest.mark.rule("COS-INIT-06")
def test_nobody_steps_in_between_turns() -> None:
    stage = trio()
    stage.do("delay", ADA)
    stage.do("remove", target=BO)
    assert stage.state.active == ""
    no = stage.refused("step_in", ADA)
    assert (no.code, no.message) == ("not_allowed", "Step in during someone else's turn.")


@pytest.mark.rule("COS-INIT-06")
def test_two_may_delay_and_step_in_one_after_the_other() -> None:
    stage = trio()
    stage.do("delay", ADA)
    stage.do("delay", BO)
    assert stage.state.active == CY
    stage.do("step_in", BO)
    assert turns(stage, 3) == [CY, BO, ADA]


@pytest.mark.rule("COS-INIT-06")
def test_delays_that_make_no_sense_are_refused() -> None:
    stage = trio()
    stage.do("next_turn")
    assert stage.refused("delay", BO, after="f99").code == "unknown"
    for wrong in (ADA, BO):
        no = stage.refused("delay", BO, after=wrong)
        assert (no.code, no.message) == ("bad_target", "Choose someone who has yet to act this round.")
    assert [option.value for option in stage.form("delay", BO)["after"].options] == ["", CY]
    stage.do("speak", BO)
    assert stage.refused("delay", BO).message == "Delay before doing anything else this turn."
    stage.do("next_turn")
    no = stage.refused("delay", CY)
    assert no.message == "No one acts after this turn: there is nothing to wait for."
    assert stage.refused("step_in", CY).message == "Cy is not delaying."


@pytest.mark.rule("COS-INIT-06")
def test_one_does_not_wait_for_those_who_cannot_act() -> None:
    stage = trio()
    stage.give(BO, "unconscious")
    stage.give(CY, "unconscious")
    assert stage.obstacle("delay", ADA) == "No one acts after this turn: there is nothing to wait for."


@pytest.mark.rule("COS-INIT-06")
def test_what_ends_with_the_turn_begun_does_not_end_twice() -> None:
    stage = trio()
    stage.give(ADA, "bleeding")
    stage.turn(CY)
    stage.edit(ADA, acted=True)
    stage.edit(BO, acted=True)
    stage.do("next_turn")
    assert (stage.state.active, stage.hp(ADA)) == (ADA, 95)
    stage.do("delay", ADA, after=BO)
    stage.do("next_turn")
    assert (stage.state.active, stage.hp(ADA)) == (ADA, 95)


@pytest.mark.rule("COS-INIT-06")
def test_a_stun_while_delaying_costs_the_standard_action() -> None:
    stage = trio()
    stage.do("delay", ADA, after=BO)
    stage.do("give_condition", target=ADA, kind="stunned")
    stage.do("next_turn")
    assert (stage.state.active, stage[ADA].budget["standard"]) == (ADA, 0)
    stage.do("next_turn")
    assert not stage.has(ADA, "stunned")


@pytest.mark.rule("COS-INIT-06")
def test_who_falls_while_delaying_has_no_turn_left() -> None:
    stage = trio()
    stage.do("delay", ADA, after=BO)
    stage.do("adjust", target=ADA, track="hp", to=-1)
    stage.do("next_turn")
    assert stage.state.active == CY
    assert stage[ADA].acted


@pytest.mark.rule("COS-INIT-06", "COS-COMBO-05")
def test_a_delay_does_not_lengthen_the_price_of_a_charge() -> None:
    stage = CosmosStage()
    stage.hero(weapons=("sword",))
    stage.foe("Bo")
    stage.do("start", dice=[9, 1])
    stage.do("charge", ADA, target=BO, weapon=stage.weapon(ADA, "sword"), dice=[(1, 2)])
    pass_turns(stage, 1)
    assert card(stage, ADA) == 16
    pass_turns(stage, 1)
    assert card(stage, ADA) == 18
    stage.do("delay", ADA, after=BO)
    assert card(stage, ADA) == 18


# ---------------------------------------------------------------- those who leave


@pytest.mark.rule("COS-INIT-02")
def test_turn_of_one_who_left_goes_by_and_ends_what_it_anchors() -> None:
    stage = trio()
    stage.give(BO, "blinded", until=Until(ADA, "start"))
    stage.do("remove", target=ADA)
    stage.do("next_turn")
    assert stage.has(BO, "blinded")
    assert turns(stage, 3) == [BO, CY, BO]
    assert not stage.has(BO, "blinded")
    assert turns(stage, 3) == [BO, CY, BO]
    assert stage.state.order == (BO, CY)


@pytest.mark.rule("COS-INIT-07")
def test_an_interrupter_who_is_removed_gives_the_turn_back() -> None:
    stage = trio()
    stage.do("interrupt", CY, dice=[(6, 6)])
    stage.do("remove", target=CY)
    stage.do("next_turn")
    assert stage.state.active == ADA
    assert turns(stage, 3) == [ADA, BO, ADA]


@pytest.mark.rule("COS-INIT-07")
def test_when_the_interrupted_is_removed_the_next_one_acts() -> None:
    stage = trio()
    stage.do("interrupt", CY, dice=[(6, 6)])
    stage.do("remove", target=ADA)
    stage.do("next_turn")
    assert stage.state.active == BO


@pytest.mark.rule("COS-INIT-02")
def test_when_nobody_is_able_to_act_the_fight_says_so() -> None:
    stage = CosmosStage()
    stage.hero()
    stage.begin()
    stage.give(ADA, "unconscious")
    stage.do("next_turn")
    assert [said.key for said in stage.told(e.Said)] == ["log.nobody_able"]
    assert stage.state.active == ""
    stage.edit(ADA, conditions=(), at=Point(0, 0))
    stage.do("next_turn")
    assert stage.state.active == ADA
