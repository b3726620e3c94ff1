"""Cached answers: valid as long as their arguments are the very same objects."""

from __future__ import annotations

from operator import attrgetter

import pytest

from combat.rules.core.basics import memory
from combat.rules.core.basics.memory import forget, remember, remember_each
from combat.rules.core.declaration.system import System
from combat.rules.core.odds.forecast import play_many
from combat.rules.core.state.state import Combatant, State
from tests.combat.rules.games import every_game, set_up

FIGHTS = 6


class Counter:
    """Counts how often it was called."""

    def __init__(self) -> None:
        self.asked = 0

    def count_items(self, combatant: Combatant, most: int = 9) -> int:
        self.asked += 1
        return min(most, len(combatant.items))


def make(who: str = "f1") -> Combatant:
    return Combatant(who, "Zara", "crew", {})


def test_same_object_is_computed_once_but_an_equal_one_again() -> None:
    counter, combatant = Counter(), make()
    count = remember(counter.count_items)
    assert [count(combatant), count(combatant), counter.asked] == [0, 0, 1]
    assert make() == combatant
    assert [count(make()), counter.asked] == [0, 2]


def test_words_and_numbers_make_other_answers() -> None:
    counter, combatant = Counter(), make()
    count = remember_each(counter.count_items)
    asked = [(count(combatant, 9), counter.asked), (count(combatant, 3), counter.asked)]
    asked += [(count(combatant, 3), counter.asked), (count(combatant, 4), counter.asked)]
    assert asked == [(0, 1), (0, 2), (0, 2), (0, 3)]


def test_remembered_answer_keeps_its_object_so_no_id_is_reused() -> None:
    name = remember(attrgetter("id"))
    assert [name(make(f"f{number}")) for number in range(300)] == [f"f{number}" for number in range(300)]


def test_no_more_is_kept_than_a_state_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    counter, combatants = Counter(), [make() for _ in range(6)]
    monkeypatch.setattr(memory, "MAX_ANSWERS", 4)
    count = remember(counter.count_items)
    for combatant in combatants:
        count(combatant)
    assert counter.asked == 6
    for combatant in combatants[3:]:
        count(combatant)
    assert counter.asked == 6, "the fifth found no room: the first three were forgotten, not the fourth"
    count(combatants[2])
    assert counter.asked == 7
    forget()
    count(combatants[5])
    assert counter.asked == 8


@every_game
def test_a_fight_ends_the_same_with_nothing_remembered(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cached function reads nothing but the arguments it declares."""
    start: State = set_up(system).state
    known = list(play_many(system, start, FIGHTS, seed=11))
    monkeypatch.setattr(memory, "MAX_ANSWERS", 0)
    forget()
    assert list(play_many(system, start, FIGHTS, seed=11)) == known
