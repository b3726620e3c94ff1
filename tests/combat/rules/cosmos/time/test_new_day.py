"""Uses once a day or once an encounter, and how they return."""

from __future__ import annotations

import pytest

from combat.rules.core.aftermath import make_aftermath
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.duels import ADA, BO
from tests.combat.rules.cosmos.figures import CosmosStage


@pytest.fixture
def stage() -> CosmosStage:
    """Ada and Bo, an hour into the encounter, no fight running."""
    stage = CosmosStage()
    stage.hero()
    stage.foe()
    stage.edit(ADA, pc=True)
    stage.do("pass_time", minutes=60)
    return stage


def mark(stage: CosmosStage, **marks: bool | int | str) -> None:
    """Mark these as used up by Ada."""
    stage.edit(ADA, marks={**stage[ADA].marks, **marks})


@pytest.mark.rule("COS-MED-05", "COS-MED-08", "COS-MED-11", "COS-DRUG-08")
def test_new_day_gives_back_daily_and_per_encounter_uses(stage: CosmosStage) -> None:
    mark(stage, first_aid_at=10, surgery_at=20, doses="adrenaline@30", field_medicine=True)
    stage.do("new_day")
    kept = {"first_aid_at", "surgery_at", "doses", "field_medicine"} & stage[ADA].marks.keys()
    assert not kept
    assert stage.log() == [
        "GM: a new day begins.",
        "Ada has Healing of first aid, Surgery, Tolerance of drugs and Field medicine again.",
    ]


@pytest.mark.rule("COS-MED-05")
def test_new_day_is_refused_in_a_fight_and_where_nothing_is_used(stage: CosmosStage) -> None:
    assert "used anything up" in stage.refused("new_day").message
    mark(stage, first_aid_at=10)
    stage.begin()
    assert stage.refused("new_day").message == "End the fight first."


@pytest.mark.rule("COS-MED-05")
def test_what_an_enemy_has_used_is_told_to_the_gm_alone(stage: CosmosStage) -> None:
    stage.edit(BO, marks={**stage[BO].marks, "first_aid_at": 10})
    said = [fact for fact in stage.do("new_day") if isinstance(fact.event, e.Said)]
    assert [fact.to for fact in said] == [e.GM_ONLY]


@pytest.mark.rule("COS-MED-08", "COS-HEAL-02")
def test_field_medicine_returns_after_a_days_rest_or_next_fight(
    stage: CosmosStage,
) -> None:
    mark(stage, field_medicine=True)
    stage.do("rest", kind="full", days=1)
    assert "field_medicine" not in stage[ADA].marks
    stage.do("start", dice=[9, 8])
    stage.do("end_fight")
    mark(stage, field_medicine=True)
    stage.do("start", dice=[9, 8])
    assert "field_medicine" not in stage[ADA].marks


@pytest.mark.rule("COS-MED-05", "COS-MED-11")
def test_todays_uses_go_home_and_come_back_with_their_time(stage: CosmosStage) -> None:
    mark(stage, first_aid_at=600, doses="adrenaline@0 steady@3000", surgery_at=3600 - 86_400)
    after = make_aftermath(stage.system, stage[ADA], state=stage.state)
    assert after.sheet["uses"] == {"first_aid_at": -3000, "doses": "adrenaline@-3600 steady@-600"}
    assert "Healing of first aid, this day: not used → used" in after.lines
    other = CosmosStage()
    other.hero()
    other.foe()
    other.do("pass_time", minutes=10)
    other.do("join", name="Ada again", sheet=after.sheet, pc=True)
    again = list(other.state.combatants.values())[-1]
    assert again.marks["first_aid_at"] == 600 - 3000
    assert again.marks["doses"] == "adrenaline@-3000 steady@0"
    other.do("rest", kind="full", days=1)
    back = make_aftermath(other.system, other[again.id], after.sheet, state=other.state)
    assert back.sheet["uses"] == {}


@pytest.mark.rule("COS-COND-05", "COS-COND-09")
def test_who_was_blinded_in_a_scene_goes_home_seeing(stage: CosmosStage) -> None:
    """Unless someone selects it: RULING R39."""
    for kind in ("blinded", "deafened", "fatigued"):
        stage.give(ADA, kind)
    changes = make_aftermath(stage.system, stage[ADA]).changes
    assert {change.label: change.is_usual for change in changes} == {
        "Blinded": False,
        "Deafened": False,
        "Fatigued": True,
    }


@pytest.mark.rule("COS-INIT-02")
def test_second_fight_counts_rounds_from_1_and_the_clock_goes_on(stage: CosmosStage) -> None:
    stage.do("start", dice=[9, 8])
    for _ in range(4):
        stage.do("next_turn")
    assert stage.state.round == 3
    clock = stage.state.clock
    stage.do("end_fight")
    facts = stage.do("start", dice=[9, 8])
    begun = [fact.event for fact in facts if isinstance(fact.event, e.RoundStarted)]
    assert begun == [e.RoundStarted(1, 0)]
    assert (stage.state.round, stage.state.clock) == (1, clock + stage.system.turn.round_seconds)
