"""The turn's budget and the everyday actions that use it."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.words import say
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from combat.rules.cosmos.sheet import Save, check_save
from tests.combat.rules.cosmos.duels import ADA, BO, add_ally, duel, labels, pass_turns, rule_of, strike
from tests.combat.rules.cosmos.figures import CosmosStage

FRESH = {"standard": 1, "move": 1, "quick": 3}
NO_STANDARD = {"standard": 0, "move": 1, "quick": 3}
NO_MOVE = {"standard": 1, "move": 0, "quick": 3}
TWO_QUICK = {"standard": 1, "move": 1, "quick": 2}


def tell_rule(stage: CosmosStage) -> set[str]:
    """The rules that the last command's sentences cite."""
    return {fact.rule for fact in stage.facts if isinstance(fact.event, e.Said)}


# ---------------------------------------------------------------- rolled from the sheet


@pytest.mark.parametrize(("number", "is_one"), [(1, False), (2, True), (60, True), (61, False)])
def test_the_target_number_of_a_save_is_two_to_sixty(number: int, is_one: bool) -> None:
    assert allows(check_save, Save(actor=ADA, attribute="RES", tn=number)) == is_one


@pytest.mark.parametrize("attribute", ["", "res", "LUK"])
def test_a_save_of_no_attribute_is_refused(attribute: str) -> None:
    with pytest.raises(Refused, match="Choose one of PRE, RES, INT, MIG, AWA, COO"):
        check_save(Save(actor=ADA, attribute=attribute))


# ---------------------------------------------------------------- the budget


@pytest.mark.rule("COS-ACT-01", "COS-ACT-14")
def test_turn_begins_with_1_standard_1_move_and_3_quick_actions() -> None:
    stage = CosmosStage()
    stage.hero()
    stage.foe()
    stage.do("start", dice=[9, 1])
    assert stage[ADA].budget == FRESH
    stage.do("speak", ADA, what="go")
    assert stage.log()[-1] == "Ada says: go"
    pass_turns(stage)
    assert (stage.state.active, stage[ADA].budget) == (ADA, FRESH)


@pytest.mark.rule("COS-ACT-14")
def test_a_quick_species_has_more_quick_actions() -> None:
    stage = duel(ada={"abilities": {"extra_quick_actions": 1}})
    pass_turns(stage)
    assert stage[ADA].budget["quick"] == 4
    stage.do("full_move", ADA, to="0,20")
    assert stage[ADA].budget["quick"] == 0


@pytest.mark.rule("COS-ACT-02", "COS-ACT-08")
def test_a_move_action_never_pays_an_attack() -> None:
    stage = duel()
    stage.do("move", ADA, to="0,5")
    stage.do("move", ADA, to="0,8")
    assert stage[ADA].budget == {"standard": 0, "move": 0, "quick": 3}
    assert stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol")).code == "no_budget"


# ---------------------------------------------------------------- Standard Actions


@pytest.mark.rule("COS-ACT-03")
def test_a_skill_check_costs_the_standard_action() -> None:
    stage = duel(ada={"skills": {"Tech": 3}})
    submission = {"attribute": "INT", "skill": "Tech", "tn": 14, "adjust": 1, "because": "manual"}
    shown = stage.preview("skill", ADA, **submission)
    stage.do("skill", ADA, dice=[(4, 4)], **submission)
    check = stage.check("Tech")
    assert (check.total, check.against, check.good) == (8 + 4 + 1 + 1, 14, True)
    assert check.modifiers == shown.modifiers
    assert {term.rule for term in check.modifiers} == {"COS-ACT-03"}
    assert labels(check.modifiers) == ["Intellect", "Half Tech", "Situational: manual"]
    assert stage[ADA].budget == NO_STANDARD


@pytest.mark.rule("COS-ACT-03")
@pytest.mark.parametrize(("way", "sum_"), [("half", 13), ("full", 15)])
def test_how_much_a_skill_adds_is_the_table_s(way: str, sum_: int) -> None:
    stage = duel(ada={"skills": {"Tech": 3}}, skill_adds=way)
    stage.do("skill", ADA, attribute="INT", skill="Tech", dice=[(4, 4)])
    assert (stage.check("Tech").total, stage.check("Tech").against) == (sum_, 14)


@pytest.mark.rule("COS-ACT-03")
@pytest.mark.parametrize(
    "submission",
    [
        {"attribute": "LUCK"},
        {"attribute": "INT", "skill": "Juggling"},
        {"attribute": "INT", "tn": 1},
        {"attribute": "INT", "tn": 61},
        {"attribute": "INT", "tn": "hard"},
        {"attribute": "INT", "colour": "red"},
    ],
)
def test_impossible_checks_are_refused_and_cost_nothing(submission: dict[str, Any]) -> None:
    stage = duel()
    assert stage.refused("skill", ADA, **submission).code == "bad_value"
    with pytest.raises(Refused):
        stage.preview("skill", ADA, **submission)
    assert stage[ADA].budget == FRESH


@pytest.mark.rule("COS-ACT-05")
def test_a_complex_device_costs_the_standard_action() -> None:
    stage = duel()
    stage.do("complex_device", ADA, what="the {reactor}\n console")
    assert stage[ADA].budget == NO_STANDARD
    assert stage.log()[-1] == "Ada operates a complex device: the {reactor} console"
    assert tell_rule(stage) == {"COS-ACT-05"}


def frightened(apart: float = 5) -> CosmosStage:
    """Ada, with Social 4, and a frightened ally some meters off."""
    stage = duel(apart=30, ada={"skills": {"Social": 4}})
    stage.give(add_ally(stage, (0, apart)), "frightened", by=BO)
    return stage


@pytest.mark.rule("COS-ACT-07")
@pytest.mark.parametrize(("faces", "sum_", "calm"), [((3, 4), 14, True), ((3, 3), 13, False)])
def test_rallying_ends_a_comrade_s_fear(faces: tuple[int, int], sum_: int, calm: bool) -> None:
    stage = frightened(apart=10)
    shown = stage.preview("rally", ADA, target="f3", adjust=0)
    stage.do("rally", ADA, target="f3", dice=[faces])
    check = stage.check("Social")
    assert (check.modifiers, check.against) == (shown.modifiers, shown.against[0].value)
    assert (check.total, check.against) == (sum_, 14)
    assert rule_of(check.modifiers, "Presence") == (5, "COS-ACT-07")
    assert stage.has("f3", "frightened") != calm
    assert stage[ADA].budget == NO_STANDARD


@pytest.mark.rule("COS-ACT-07")
@pytest.mark.parametrize("tn", [11, 17])
def test_rallying_is_against_14_whatever_the_default_target(tn: int) -> None:
    stage = frightened()
    stage.state = replace(stage.state, options={"default_tn": tn})
    assert stage.preview("rally", ADA, target="f3").against[0].value == 14
    stage.do("rally", ADA, target="f3", dice=[(3, 4)])
    assert (stage.check("Social").against, stage.has("f3", "frightened")) == (14, False)


@pytest.mark.rule("COS-ACT-07")
def test_whom_one_cannot_rally() -> None:
    no = frightened(apart=11).refused("rally", ADA, target="f3")
    assert (no.code, no.message) == ("out_of_range", "Cy is more than 10 m away.")
    with pytest.raises(Refused, match="more than 10 m"):
        frightened(apart=11).preview("rally", ADA, target="f3")
    stage = frightened()
    stage.do("take_condition", target="f3", condition=stage["f3"].conditions[0].id)
    no = stage.refused("rally", ADA, target="f3")
    assert (no.code, no.message) == ("bad_target", "Choose a frightened ally; Cy is not one.")
    assert stage.obstacle("rally", ADA) == no.message
    stage = duel()
    stage.give(ADA, "frightened", by=BO)
    assert stage.refused("rally", ADA, target=ADA).code == "bad_target"
    stage.give(BO, "frightened", by=ADA)
    assert stage.refused("rally", ADA, target=BO).code == "bad_target"


# ---------------------------------------------------------------- Quick Actions


@pytest.mark.rule("COS-ACT-15")
def test_what_was_dropped_can_be_picked_up_by_anybody_near() -> None:
    stage = duel(apart=1)
    pistol = stage.weapon(ADA, "pistol")
    stage.change_item(ADA, "pistol", loaded=7)
    stage.do("drop", ADA, item=pistol)
    (lying,) = stage.state.ground
    assert (lying.id, lying.at) == (pistol, Point(0, 0))
    no = stage.refused("drop", ADA, item=stage.weapon(ADA, "unarmed"))
    assert (no.code, no.message) == ("not_allowed", "Unarmed strike is not in hand.")
    stage.turn(BO)
    stage.edit(BO, at=Point(1.5, 0))
    no = stage.refused("pick_up", BO, item=pistol)
    assert (no.code, no.message) == ("out_of_range", "Out of reach: Pistol lies 1.5 m away.")
    no = stage.refused("pick_up", BO, item="gone")
    assert (no.code, no.message) == ("unknown", "That is not on the ground.")
    stage.edit(BO, at=Point(1, 0))
    no = stage.refused("pick_up", BO, item=pistol)
    assert no.message == "Pistol takes a hand: put Pistol and Club away first (Move Action)."
    stage.put(BO, "club", "carried")
    stage.do("pick_up", BO, item=pistol)
    assert stage[BO].budget == NO_MOVE
    assert [item.loaded for item in stage[BO].items if item.id == pistol] == [7]
    assert stage.refused("pick_up", BO, item=pistol).message == "Nothing lies on the ground."


@pytest.mark.rule("COS-ACT-19")
def test_looking_around_is_quick_and_the_gm_may_reveal_someone() -> None:
    stage = duel()
    stage.do("hide", target=BO)
    stage.do("look", ADA)
    assert stage[ADA].budget == TWO_QUICK
    secret = [fact for fact in stage.facts if getattr(fact.event, "key", "") == "log.still_hidden"]
    assert [(fact.to, fact.redacted) for fact in secret] == [(e.GM_ONLY, None)]
    stage.do("hide", target=BO, hidden=False)
    assert not stage[BO].hidden
    stage.do("look", ADA)
    assert all(fact.to == e.EVERYONE for fact in stage.facts)


# ---------------------------------------------------------------- Free Actions


@pytest.mark.rule("COS-ACT-20", "COS-ACT-21")
def test_concentration_is_kept_and_ended_freely() -> None:
    stage = duel()
    stage.do("concentrate", ADA)
    assert (stage.has(ADA, "concentrating"), stage[ADA].budget) == (True, FRESH)
    pass_turns(stage)
    assert stage.has(ADA, "concentrating")
    stage.do("concentrate", ADA)
    assert (stage.has(ADA, "concentrating"), stage[ADA].budget) == (False, FRESH)
    assert "COS-ACT-21" in stage.rules()


@pytest.mark.rule("COS-ACT-20")
def test_concentration_is_possible_when_nothing_is_left() -> None:
    stage = duel()
    stage.edit(ADA, budget={"standard": 0, "move": 0, "quick": 0})
    stage.do("concentrate", ADA)
    assert stage.has(ADA, "concentrating")


# ---------------------------------------------------------------- Reactions


@pytest.mark.rule("COS-ACT-23")
def test_nobody_is_asked_to_react_without_an_ability() -> None:
    stage = duel(apart=3)
    stage.do("move", ADA, to="2,5")
    assert not stage.asked
    stage.do("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"), dice=[(1, 2)])
    assert {request.who for request in stage.asked} == {ADA}


# ---------------------------------------------------------------- before and outside a fight


@pytest.mark.rule("COS-ACT-01")
def test_nobody_acts_before_the_fight_or_after_it() -> None:
    stage = CosmosStage()
    stage.hero()
    no = stage.refused("speak", ADA)
    assert (no.code, no.message) == ("not_allowed", "No fight is running: start one first.")
    assert stage.refused("next_turn").code == "not_allowed"
    stage.begin()
    stage.do("end_fight")
    assert stage.refused("speak", ADA).code == "not_allowed"


@pytest.mark.rule("COS-ACT-01")
def test_what_the_gm_gives_can_be_spent() -> None:
    stage = duel()
    strike(stage, "pistol", (1, 2))
    stage.do("give_budget", target=ADA, pool="standard", left=1)
    assert strike(stage).good
    assert stage[ADA].budget == NO_STANDARD


@pytest.mark.rule("COS-ACT-03")
def test_species_bonus_on_some_uses_is_told_not_added() -> None:
    stage = duel(ada={"abilities": {"negotiation_bonus": 2, "survival_living_world_bonus": 2}})
    shown = stage.preview("skill", ADA, attribute="PRE", skill="Social")
    assert shown.notes == (say("note.to_negotiate", n=2),)
    shown = stage.preview("skill", ADA, attribute="AWA", skill="Survival")
    assert shown.notes == (say("note.on_living_worlds", n=2),)
    assert stage.preview("skill", ADA, attribute="INT", skill="Tech").notes == ()
