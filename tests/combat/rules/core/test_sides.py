"""Sides that can still fight: one notion for the page, the autopilot, the forecast and the end."""

from __future__ import annotations

import random

import pytest

from combat.rules.core.declaration.system import System
from combat.rules.core.odds.forecast import play_out
from combat.rules.core.sides import (
    Verdict,
    are_opposed,
    describe_beaten,
    describe_empty,
    describe_in_sight,
    find_verdict,
    say_standing,
    standing_sides,
)
from combat.rules.core.state import events as e
from combat.rules.core.wording import describe_facts
from tests.combat.rules import tiny
from tests.combat.rules.cepheus.vehicles.garage import Garage
from tests.combat.rules.games import every_game, set_up
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Stage
from tests.combat.rules.starshock.figures import StarStage


def under_way(system: System) -> Stage:
    stage = set_up(system)
    return stage.begin()


def put_out(stage: Stage, side: str) -> None:
    """Give everyone on a side every condition that the game counts as out."""
    for combatant in list(stage.state.combatants.values()):
        if combatant.side == side:
            for kind in stage.system.characters.conditions:
                stage.give(combatant.id, kind)
            assert stage.system.characters.health(stage[combatant.id]).is_out


@every_game
def test_a_fight_is_decided_when_one_side_is_left(system: System) -> None:
    stage = under_way(system)
    sides = standing_sides(system, stage.state)
    assert len(sides) == 2
    assert find_verdict(system, stage.state) is None
    put_out(stage, sides[0])
    assert find_verdict(system, stage.state) == Verdict(sides[1], (sides[0],))
    ending = play_out(system, stage.state, random.Random(1))
    assert (ending.standing, ending.rounds) == ((sides[1],), stage.state.round)
    put_out(stage, sides[1])
    found = find_verdict(system, stage.state)
    assert found is not None
    assert found.standing == ""
    assert set(found.beaten) == set(sides)


@every_game
def test_the_end_names_who_stands(system: System) -> None:
    stage = under_way(system)
    sides = standing_sides(system, stage.state)
    put_out(stage, sides[0])
    up = [f for f in stage.state.combatants.values() if f.side == sides[1]]
    stage.do("end_fight")
    assert read_log(stage)[-1] == f"Still standing: {', '.join(f.name for f in up)} ({sides[1]})."
    assert not any(f.name in str(stage.facts) for f in up), "facts hold ids, no names"
    assert find_verdict(system, stage.state) is None


@every_game
def test_the_end_names_the_hidden_to_the_gm_alone(system: System) -> None:
    stage = under_way(system)
    lurker = next(iter(stage.state.combatants.values()))
    stage.edit(lurker.id, hidden=True)
    stage.do("end_fight")
    told = [fact for fact in stage.facts if lurker.id in e.subjects_of(fact.event)]
    names = {lurker.id: lurker.name}
    lines = [line.text for line in describe_facts(system, told, names)]
    assert lines == [f"Hidden and standing: {lurker.name} ({lurker.side})."]
    assert {(fact.to, fact.redacted) for fact in told} == {(e.GM_ONLY, None)}


def test_bystanders_decide_nothing() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", zone="dock")
    stage.foe("Bo", zone="dock")
    clerk = stage.add("Clerk", "neutral", (0, 0), stage["f1"].sheet)
    stage.begin("f1", "f2", clerk)
    assert standing_sides(stage.system, stage.state) == ("allies", "enemies")
    assert not are_opposed(stage.system, stage[clerk], stage["f1"])
    stage.give("f2", "unconscious")
    assert find_verdict(stage.system, stage.state) == Verdict("allies", ("enemies",))


def test_a_stun_decides_nothing() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", zone="dock")
    stage.foe("Bo", zone="dock")
    stage.begin("f1", "f2")
    stage.give("f2", "stunned")
    assert find_verdict(stage.system, stage.state) is None


def test_one_side_alone_has_nothing_to_decide() -> None:
    stage = StarStage("dock")
    stage.hero("Ada", zone="dock")
    stage.begin("f1")
    assert find_verdict(stage.system, stage.state) is None


@pytest.mark.parametrize(
    ("standing", "beaten", "whole", "seen"),
    [
        ("crew", ("pirates",), "The pirates are out", "Of those in sight, only the crew can still fight."),
        (
            "crew",
            ("a", "b", "c"),
            "The a, the b and the c are out",
            "Of those in sight, only the crew can still fight.",
        ),
        ("", ("a", "b"), "No one can fight any longer", "Nobody in sight can fight any longer."),
    ],
)
def test_the_words_of_a_verdict(standing: str, beaten: tuple[str, ...], whole: str, seen: str) -> None:
    verdict = Verdict(standing, beaten)
    assert describe_beaten(verdict) == whole
    assert describe_in_sight(verdict) == seen
    assert tiny.SYSTEM.draw(say_standing([])) == "Still standing: nobody."


def test_a_side_of_empty_vehicles_is_said_to_be_so() -> None:
    stage = Garage()
    stage.hero()
    assert describe_empty(stage.system, stage.state) == ""
    car = stage.vehicle(side="raiders", pc=False)
    assert standing_sides(stage.system, stage.state) == ("allies",)
    assert describe_empty(stage.system, stage.state) == "nobody is in the vehicles of the raiders"
    stage.vehicle("Truck", side="police", pc=False)
    stage.vehicle("Van", pc=False)
    assert (
        describe_empty(stage.system, stage.state) == "nobody is in the vehicles of the raiders and the police"
    )
    stage.seat(stage.hero("Rik", pc=False, side="raiders"), car, "driver")
    assert describe_empty(stage.system, stage.state) == "nobody is in the vehicles of the police"


def test_a_side_that_gave_up_or_is_out_is_no_empty_vehicle(duel: Stage) -> None:
    for who in ("f2", "f3"):
        duel.do("surrender", target=who)
    assert describe_empty(duel.system, duel.state) == ""
    put_out(duel, duel["f2"].side)
    assert describe_empty(duel.system, duel.state) == ""
