"""Refusals before an action is spent: helping up, lying down, challenges, luck."""

from __future__ import annotations

import pytest

from combat.rules.core.state.state import Until
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage, duel
from tests.combat.rules.starshock.turn.test_stance import party


@pytest.mark.rule("SS-PRONE-04")
def test_only_someone_near_who_is_pinned_down_is_helped_up() -> None:
    stage = party(3)
    why = "Choose someone else who is pinned down."
    assert stage.refused("raise_up", ADA, target=CY).message == why
    stage.give(CY, "prone", marks={"stand": 10})
    stage.put(CY, "hold")
    assert (
        stage.refused("raise_up", ADA, target=CY).message == "Cy is out of reach (1 zone): move there first."
    )
    stage.give(ADA, "prone", marks={"stand": 10})
    assert stage.refused("raise_up", ADA, target=ADA).message == why
    assert stage[ADA].budget["actions"] == 3


@pytest.mark.rule("SS-FREE-03", "SS-FREE-04", "SS-FREE-07")
def test_lying_down_again_in_the_same_cycle_takes_an_action() -> None:
    stage = party(2)
    stage.do("drop_prone", ADA)
    assert stage.refused("drop_prone", ADA).message == "Ada is already prone."
    stage.do("stand_up", ADA)
    stage.do("drop_prone", ADA)
    assert stage[ADA].budget["actions"] == 0
    stage.edit(ADA, conditions=())
    assert stage.refused("drop_prone", ADA).message == "No action left this turn; Drop prone again takes one."


@pytest.mark.rule("SS-OTHER-17")
def test_a_challenge_takes_a_skill_that_there_is() -> None:
    stage = party()
    wrong = {"name": "The reactor", "attribute": "int", "skill": "Juggling"}
    assert stage.refused("skill_challenge", ADA, **wrong).message == "There is no skill “Juggling”."


@pytest.mark.rule("SS-OTHER-09", "SS-OTHER-17")
def test_help_is_used_up_by_the_attempt_at_a_challenge() -> None:
    stage = party()
    stage.give(ADA, "assisted", by=CY, marks={"attribute": "int", "skill": ""})
    stage.do("skill_challenge", ADA, dice=[(5, 3)], name="The reactor", attribute="int")
    assert stage.check("skill_challenge").total == 8 + 1 + 1
    assert not stage.has(ADA, "assisted")


@pytest.mark.rule("SS-ACT-01", "SS-ACT-02")
def test_luck_gives_no_action_before_the_number_is_said() -> None:
    stage = party()
    stage.set_track(ADA, luck=1)
    stage.turn(ADA, None)
    assert stage.obstacle("luck", ADA) == "Declare first how many actions this turn has (0 to 3)."


@pytest.mark.rule("SS-UNC-07", "SS-BLIND-03", "SS-COND-02")
def test_what_ends_with_a_turn_ends_with_one_that_is_passed_over() -> None:
    stage = duel()
    stage.give(BO, "unconscious")
    stage.give(BO, "blinded", until=Until(BO, "end"))
    stage.next_turn_of(ADA)
    assert [held.kind for held in stage[BO].conditions] == ["unconscious"]


@pytest.mark.rule("SS-UNC-07", "SS-COND-01")
@pytest.mark.parametrize(("kind", "rule"), [("unconscious", "SS-UNC-07"), ("paralyzed", "SS-COND-01")])
def test_a_turn_passed_over_cites_what_takes_it(kind: str, rule: str) -> None:
    stage = duel()
    stage.give(BO, kind)
    stage.end_turn()
    idle = [fact.rule for fact in stage.facts if getattr(fact.event, "key", "") == "log.idle"]
    assert idle == [rule]


@pytest.mark.rule("SS-INIT-03", "SS-INIT-06")
def test_a_score_that_changes_nothing_moves_nobody() -> None:
    stage = StarStage("dock")
    for name in ("Ada", "Cy"):
        stage.hero(name, zone="dock")
    stage.foe("Bo", zone="dock")
    stage.do("start", dice=[(5, 5), (1, 1)])
    order = stage.state.order
    stage.do("set_initiative", target="f2", score=3)
    assert stage.state.order == order
    stage.do("set_initiative", target="f2", score=12)
    assert stage.state.order == ("f1", "f2", "f3")


@pytest.mark.rule("SS-INIT-05")
def test_only_who_has_no_seat_follows_and_only_someone_with_one() -> None:
    stage = duel()
    dog = stage.add("Dog", "allies", sheet=stage[ADA].sheet)
    for ally, player in ((dog, BO), (ADA, ADA)):
        why = "Choose an ally without a seat, and a player."
        assert stage.refused("follow", target=ally, player=player).message == why
    stage.do("follow", target=dog, player=ADA)


@pytest.mark.rule("SS-OTHER-05", "SS-FREE-05")
def test_a_move_leads_to_a_zone_and_free_move_stays_in_one() -> None:
    stage = party()
    why = "Choose the zone to move to; inside a zone use Free Move."
    assert stage.refused("move", ADA, to=f"near:{CY}").message == why


@pytest.mark.rule("SS-OTHER-08", "SS-OTHER-09")
def test_help_is_used_up_by_the_check_that_a_way_needs() -> None:
    stage = party()
    stage.give(ADA, "assisted", by=CY, marks={"attribute": "dex", "skill": "Move"})
    stage.do("move", ADA, dice=[(5, 3)], to="zone:hold", difficulty=11)
    assert (stage.zone_of(ADA), stage.has(ADA, "assisted")) == ("hold", False)
