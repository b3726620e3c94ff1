"""The golden fight: the chapter's Quick Combat Example with its dice, continued to the end."""

from __future__ import annotations

import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.state.state import replace
from tests.combat.rules.cosmos.figures import words
from tests.combat.rules.stage import Stage

ZARA, PIRATE, MARCUS = "f1", "f2", "f3"


@pytest.fixture
def stage() -> Stage:
    """The demo fight before initiative."""
    ready = Stage("cosmos")
    for step in ready.system.demo.make_first().setup:
        ready.do(step.name, dice=step.answers, **step.command)
    return ready


def play(stage: Stage, first: int, last: int) -> None:
    """Play steps of the script, counted from 0, up to but not including `last`."""
    for step in stage.system.demo.make_first().script[first:last]:
        stage.do(step.name, dice=step.answers, **step.command)


def read_defense(stage: Stage, who: str) -> int:
    """Defense as a combatant's card shows it, without cover."""
    facts = stage.system.people.facts_of(stage.state, stage[who])
    return next(fact.value for fact in facts if fact.label == "Defense")


def defense_against_shot(stage: Stage, shooter: str, target: str) -> int:
    """The target's Defense against the shooter's pistol, cover included."""
    items = tuple(replace(item, place="held") for item in stage[shooter].items if item.kind == "weapon")
    stage.edit(shooter, items=items)
    weapon = stage.item(shooter, "pistol").id
    return add_up(stage.preview("attack", shooter, target=target, weapon=weapon).against)


@pytest.mark.rule("COS-EX-01", "COS-INIT-03")
def test_initiative_16_12_10(stage: Stage) -> None:
    play(stage, 0, 1)
    assert [stage[who].initiative for who in (ZARA, PIRATE, MARCUS)] == [16, 12, 10]
    assert stage.state.order == (ZARA, PIRATE, MARCUS)
    assert stage.state.active == ZARA


@pytest.mark.rule("COS-EX-01", "COS-INIT-02")
def test_zara_pirate_and_marcus_act_in_that_order_in_both_rounds(stage: Stage) -> None:
    turns: list[tuple[int, str]] = []
    for number in range(len(stage.system.demo.make_first().script)):
        play(stage, number, number + 1)
        turn = (stage.state.round, stage.state.active)
        if turn not in turns:
            turns.append(turn)
    rounds = [(n, who) for n in (1, 2) for who in (ZARA, PIRATE, MARCUS)]
    assert turns[: len(rounds)] == rounds


@pytest.mark.rule("COS-EX-02", "COS-EX-03")
def test_zara_rolls_18_against_12_and_hits_for_8(stage: Stage) -> None:
    play(stage, 0, 2)
    shot = stage.check("check.attack")
    assert (shot.total, shot.against, shot.outcome) == (18, 12, "outcome.hit")
    assert stage[PIRATE].tracks["hp"] == 72


@pytest.mark.rule("COS-EX-04", "COS-COMBO-05")
def test_pirate_charges_and_misses_with_14_against_17(stage: Stage) -> None:
    play(stage, 0, 4)
    strike = stage.check("check.attack")
    assert (strike.total, strike.against, strike.outcome) == (14, 17, "outcome.miss")
    assert stage.has(PIRATE, "charging")
    assert read_defense(stage, PIRATE) == 10
    turns = [10] * 6 + [12]  # through the turns of the others to its own next one
    for number, defense in enumerate(turns, 4):
        play(stage, number, number + 1)
        assert read_defense(stage, PIRATE) == defense, number


@pytest.mark.rule("COS-EX-05", "COS-EX-06", "COS-CRIT-01")
def test_marcus_moves_to_cover_and_crits_for_maximum_damage(stage: Stage) -> None:
    play(stage, 0, 7)
    assert stage.check("check.attack").outcome == "outcome.critical"
    assert stage[PIRATE].tracks["hp"] == 61
    assert stage[MARCUS].budget == {"standard": 0, "move": 0, "quick": 3}
    assert read_defense(stage, MARCUS) == 16
    assert defense_against_shot(stage, PIRATE, MARCUS) == 18


@pytest.mark.rule("COS-EX-07", "COS-EX-08", "COS-EX-09")
def test_zara_aims_quickly_and_wounds_the_pirate(stage: Stage) -> None:
    play(stage, 0, 10)
    shot = stage.check("check.attack")
    assert (shot.total, shot.against, shot.outcome) == (19, 10, "outcome.hit")
    assert stage[ZARA].budget["quick"] == 2
    assert stage[PIRATE].tracks["hp"] == 57
    assert words(stage.system.people.health(stage[PIRATE]).word) == "Wounded"


@pytest.mark.rule("COS-EX-10", "COS-MANV-01", "COS-MANV-02")
def test_pirate_grapples_marcus(stage: Stage) -> None:
    play(stage, 0, 13)
    seize = stage.check("check.grapple")
    assert (seize.total, seize.against, seize.outcome) == (18, 16, "outcome.hit")
    assert [(words(term.label), term.value) for term in seize.modifiers] == [
        ("Might", 4),
        ("Combat", 2),
        ("Wounded", -1),
    ]
    assert stage.has(MARCUS, "grappled")


@pytest.mark.rule("COS-EX-11", "COS-MANV-03")
def test_marcus_fails_to_break_free(stage: Stage) -> None:
    play(stage, 0, 15)
    struggle = stage.check("check.break_free")
    assert (struggle.total, struggle.against, struggle.outcome) == (11, 13, "outcome.failure")
    assert [(words(term.label), term.value) for term in struggle.modifiers] == [
        ("Might", 4),
        ("Grappled", -2),
    ]
    assert [(words(term.label), term.value) for term in struggle.against_terms] == [
        ("Dice", 10),
        ("Might", 4),
        ("Wounded", -1),
    ]
    assert stage.has(MARCUS, "grappled")


@pytest.mark.rule("COS-DEATH-07", "COS-DEATH-09")
def test_the_fight_ends_with_the_pirate_stable(stage: Stage) -> None:
    play(stage, 0, 1000)
    assert stage.state.phase == "over"
    assert stage[PIRATE].tracks["hp"] == -1
    assert words(stage.system.people.health(stage[PIRATE]).word) == "Stable"
    assert stage[ZARA].tracks["hp"] == 80
    assert stage[MARCUS].tracks["hp"] == 84
