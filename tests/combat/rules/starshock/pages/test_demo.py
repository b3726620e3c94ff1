"""The golden fight: criminals against a crew in three zones, with its dice, to the end."""

from __future__ import annotations

import pytest

from combat.rules.core.people.sides import standing_sides
from combat.rules.starshock import SYSTEM
from tests.combat.rules.games import demo_moments
from tests.combat.rules.starshock.figures import StarStage

VEGA, OSLO, IMANI, ENFORCER, THUG, SMUGGLER = (f"f{n}" for n in range(1, 7))


def play(count: int) -> StarStage:
    """The demo after this many steps of its script."""
    stage = StarStage()
    demo = SYSTEM.demo.make_first()
    for step in (*demo.setup, *demo.script[:count]):
        stage.do(step.name, dice=step.answers, **step.command)
    return stage


def count_to(name: str, actor: str, number: int = 1) -> int:
    """The number of steps up to the n-th action of this name of a combatant, itself included."""
    places = [
        n
        for n, step in enumerate(SYSTEM.demo.make_first().script, 1)
        if step.name == name and step.command.get("actor") == actor
    ]
    return places[number - 1]


@pytest.mark.rule("SS-INIT-04", "SS-INIT-06")
def test_vega_and_imani_act_before_the_criminals_and_oslo_after() -> None:
    stage = play(1)
    assert [check.total for check in stage.checks("initiative")] == [11, 7, 11]
    assert stage.state.order == (VEGA, IMANI, ENFORCER, THUG, SMUGGLER, OSLO)


@pytest.mark.rule("SS-MANV-03", "SS-ZONE-12")
def test_vega_fires_twice_and_the_enforcer_slips() -> None:
    stage = play(count_to("attack", VEGA))
    assert [(s.total, s.against, s.outcome) for s in stage.checks("attack")] == [
        (12, 8, "hit"),
        (9, 8, "hit"),
    ]
    assert stage[ENFORCER].tracks["damage"] == 6
    assert stage.has(ENFORCER, "prone")


@pytest.mark.rule("SS-BLIND-03", "SS-OTHER-21")
def test_imani_blinds_the_thug_and_concentrates() -> None:
    stage = play(count_to("concentrate", IMANI))
    assert stage[THUG].tracks["damage"] == 4
    assert stage.has(THUG, "blinded")
    facts = SYSTEM.people.facts_of(stage.state, stage[IMANI])
    assert next(fact.value for fact in facts if fact.label == "Resistance") == 11


@pytest.mark.rule("SS-INIT-05", "SS-PEN-02")
def test_the_criminals_share_one_turn() -> None:
    stage = play(count_to("declare", ENFORCER))
    assert (stage.state.active, stage.state.sharing) == (ENFORCER, (THUG, SMUGGLER))
    stage = play(count_to("attack", ENFORCER))
    assert (stage.check("attack").total, stage.check("attack").against) == (10, 8)
    assert stage.state.combatants[OSLO].at.x > 5  # pushed into the hold
    stage = play(count_to("attack", SMUGGLER))
    assert stage[OSLO].tracks["damage"] == 12
    assert stage.has(OSLO, "unconscious")


@pytest.mark.rule("SS-INIT-10", "SS-UNC-07")
def test_the_second_round_runs_the_other_way_without_oslo() -> None:
    stage = play(count_to("block", SMUGGLER) + 1)
    assert (stage.state.round, stage.state.active) == (2, IMANI)
    assert stage.state.order[:3] == (IMANI, OSLO, VEGA)


@pytest.mark.rule("SS-ZONE-08", "SS-OTHER-16")
def test_imani_breaks_away_under_a_blow_and_brings_oslo_round() -> None:
    stage = play(count_to("move", IMANI))
    assert stage.check("breaking_away").total == 9
    assert stage[IMANI].tracks["damage"] == 4
    stage = play(count_to("emergency_medicate", IMANI))
    assert not stage.has(OSLO, "unconscious")
    assert stage[OSLO].tracks["damage"] == 6


@pytest.mark.rule("SS-ATK-09", "SS-DMG-08")
def test_vega_brings_two_of_them_down() -> None:
    stage = play(count_to("attack", VEGA, 2))
    assert len(stage.checks("attack")) == 3
    assert stage.has(ENFORCER, "unconscious")
    assert stage.has(THUG, "unconscious")
    assert "Enforcer is out of the fight." in stage.said()


@pytest.mark.rule("SS-DMG-03")
def test_the_crew_wins() -> None:
    stage = play(1000)
    assert stage.state.phase == "over"
    assert standing_sides(SYSTEM, stage.state) == ("crew",)
    damage = {f.name: f.tracks["damage"] for f in stage.state.combatants.values()}
    assert damage == {"Vega": 3, "Oslo": 6, "Imani": 4, "Enforcer": 12, "Thug": 12, "Smuggler": 9}


@pytest.mark.rule("SS-INIT-01", "SS-MANV-03", "SS-DMG-05", "SS-UNC-01")
def test_the_players_are_asked_for_what_is_theirs() -> None:
    """The questions on a phone in the fight through the browser: initiative, maneuvers, consciousness."""
    moments = demo_moments(SYSTEM.slug)
    asked = {(answer.rule, answer.who) for moment in moments for answer in moment.step.answers}
    assert {("SS-INIT-01", who) for who in (VEGA, OSLO, IMANI)} <= asked
    assert {("SS-MANV-03", VEGA), ("SS-MANV-03", IMANI), ("SS-DMG-05", OSLO), ("SS-UNC-01", OSLO)} <= asked
