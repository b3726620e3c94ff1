"""The golden fight: the chapter's Quick Combat Example with its dice, continued to the end."""

from __future__ import annotations

import pytest

from combat.rules import find_system
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.state.state import replace
from tests.combat.rules.cosmos.figures import words
from tests.combat.rules.games import set_up
from tests.combat.rules.reading import read_all
from tests.combat.rules.stage import Stage

ZARA, PIRATE, MARCUS = "f1", "f2", "f3"


@pytest.fixture
def stage() -> Stage:
    """The demo fight before initiative."""
    return set_up(find_system("cosmos"))


def play(stage: Stage, first: int, last: int) -> None:
    """Play steps of the script, counted from 0, up to but not including `last`."""
    for step in stage.system.demo.make_first().script[first:last]:
        stage.do(step.name, dice=step.answers, **step.command)


def read_defense(stage: Stage, who: str) -> int:
    """Defense as a combatant's card shows it, without cover."""
    facts = stage.system.characters.facts_of(stage.state, stage[who])
    return next(fact.value for fact in facts if fact.label == "Defense")


def defense_against_shot(stage: Stage, shooter: str, target: str) -> int:
    """The target's Defense against the shooter's pistol, cover included."""
    items = tuple(replace(item, place="held") for item in stage[shooter].items if item.kind == "weapon")
    stage.edit(shooter, items=items)
    weapon = stage.item(shooter, "pistol").id
    return add_up(stage.preview("attack", shooter, target=target, weapon=weapon).against)


ON = pytest.mark.rule
PRINTED = (
    pytest.param(0, "Zara rolls initiative (16).", marks=ON("COS-EX-01")),
    pytest.param(0, "Pirate rolls initiative (12).", marks=ON("COS-EX-01")),
    pytest.param(0, "Marcus rolls initiative (10).", marks=ON("COS-EX-01")),
    pytest.param(1, "Zara attacks Pirate (18 vs Defense 12): hit.", marks=ON("COS-EX-02")),
    pytest.param(1, "Pirate loses 8 HP (80 → 72): Pistol.", marks=ON("COS-EX-03")),
    pytest.param(3, "Pirate attacks Zara (14 vs Defense 17): miss.", marks=ON("COS-EX-04")),
    pytest.param(5, "Marcus moves 5 m to Crates.", marks=ON("COS-EX-05")),
    pytest.param(6, "Marcus attacks Pirate (28 vs Defense 10): critical hit.", marks=ON("COS-EX-06")),
    pytest.param(6, "Pirate loses 11 HP (72 → 61): Long rifle.", marks=ON("COS-EX-06", "COS-CRIT-01")),
    pytest.param(8, "Zara takes quick aim.", marks=ON("COS-EX-07")),
    pytest.param(9, "Zara attacks Pirate (19 vs Defense 10): hit.", marks=ON("COS-EX-08")),
    pytest.param(9, "Pirate loses 4 HP (61 → 57): Pistol.", marks=ON("COS-EX-09")),
    pytest.param(12, "Pirate tries to grapple Marcus (18 vs Defense 16): hit.", marks=ON("COS-EX-10")),
    pytest.param(
        14, "Marcus tries to break free of Pirate (11 vs opposed Might 13): failure.", marks=ON("COS-EX-11")
    ),
)


@pytest.mark.parametrize(("step", "line"), PRINTED)
def test_the_chapter_is_played_as_printed(stage: Stage, step: int, line: str) -> None:
    play(stage, 0, step + 1)
    assert line in read_all(stage)


@pytest.mark.rule("COS-EX-01", "COS-INIT-02")
def test_zara_pirate_and_marcus_act_in_that_order_in_both_rounds(stage: Stage) -> None:
    turns = []
    for number in range(14):
        play(stage, number, number + 1)
        turns += [line for line in read_all(stage) if line.endswith(" turn.")]
    assert turns == ["Zara's turn.", "Pirate's turn.", "Marcus' turn."] * 2


@pytest.mark.rule("COS-EX-04", "COS-COMBO-05")
def test_the_charge_costs_defense_until_the_next_own_turn(stage: Stage) -> None:
    play(stage, 0, 4)
    defenses = [10] * 6 + [12]
    for number, defense in enumerate(defenses, 4):
        play(stage, number, number + 1)
        assert read_defense(stage, PIRATE) == defense, number


@pytest.mark.rule("COS-EX-05", "COS-EX-09")
def test_marcus_is_in_cover_and_the_pirate_wounded(stage: Stage) -> None:
    play(stage, 0, 7)
    assert stage[MARCUS].budget == {"standard": 0, "move": 0, "quick": 3}
    assert (read_defense(stage, MARCUS), defense_against_shot(stage, PIRATE, MARCUS)) == (16, 18)
    play(stage, 7, 10)
    assert words(stage.system.characters.health(stage[PIRATE]).word) == "Wounded"


@pytest.mark.rule("COS-DEATH-07", "COS-DEATH-09")
def test_the_fight_ends_with_the_pirate_stable(stage: Stage) -> None:
    play(stage, 0, 1000)
    assert stage.state.phase == "over"
    assert stage[PIRATE].tracks["hp"] == -1
    assert words(stage.system.characters.health(stage[PIRATE]).word) == "Stable"
    assert stage[ZARA].tracks["hp"] == 80
    assert stage[MARCUS].tracks["hp"] == 84
