"""Clocks: named, of 2 to 12 segments, ticked by hand or with each round."""

from __future__ import annotations

from typing import Any

import pytest

from combat.audience.secrecy import redact
from combat.audience.viewer import GM, Viewer
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Clock
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Stage
from tests.typed import as_a

ZARA = Viewer("seat", frozenset({"f1"}))


def show(stage: Stage, viewer: Viewer) -> list[tuple[str, int]]:
    """The clocks a viewer sees, by name, and how full they look."""
    return [(clock.name, clock.filled) for clock in redact(stage.state, viewer).all_clocks]


def test_clock_fills_by_hand_until_it_is_full(duel: Stage) -> None:
    duel.do("start_clock", name=" The  alarm ", size=2)
    assert read_log(duel) == ["New clock: The alarm, 2 segments."]
    duel.do("tick_clock", clock="c1")
    assert read_log(duel) == ["The alarm: 1 of 2."]
    duel.do("tick_clock", clock="c1", by=5)
    assert read_log(duel) == ["The alarm is full: 2 of 2."]
    assert duel.refused("tick_clock", clock="c1").code == "not_allowed"
    duel.do("tick_clock", clock="c1", by=-1)
    assert duel.state.all_clocks == (Clock("c1", "The alarm", 2, filled=1),)


def test_clock_fills_with_each_round_after_the_first(duel: Stage) -> None:
    duel.do("start_clock", name="Air", size=3, each_round=2)
    duel.begin("f1", "f2", "f3")
    assert duel.state.all_clocks[0].filled == 0
    for filled in (2, 3, 3):
        for _ in duel.state.order:
            duel.do("next_turn")
        assert duel.state.all_clocks[0].filled == filled


def test_clock_is_seen_by_those_it_is_for(duel: Stage) -> None:
    duel.do("start_clock", name="Alarm")
    duel.do("start_clock", name="Betrayal", shown="gm", filled=1)
    duel.do("start_clock", name="Poison", shown="some", who=["f1"], filled=2)
    duel.do("start_clock", name="Doom", veiled=True, filled=3, each_round=1)
    assert show(duel, GM) == [("Alarm", 0), ("Betrayal", 1), ("Poison", 2), ("Doom", 3)]
    assert show(duel, ZARA) == [("Alarm", 0), ("Poison", 2), ("Doom", 0)]
    assert show(duel, Viewer()) == [("Alarm", 0), ("Doom", 0)]


def test_facts_of_a_veiled_clock_tell_players_only_that_it_exists(duel: Stage) -> None:
    told = [ZARA.select(duel.do("start_clock", name="Doom", size=4, veiled=True, filled=3))]
    told.append(ZARA.select(duel.do("tick_clock", clock="c1")))
    assert [[as_a(as_a(fact.event, e.ClockSet).clock, Clock).filled for fact in facts] for facts in told] == [
        [0],
        [],
    ]


def test_clock_moves_to_another_audience_and_goes(duel: Stage) -> None:
    duel.do("start_clock", name="Alarm", filled=2)
    duel.do("change_clock", clock="c1", name="Alarm", filled=2, shown="gm")
    assert (show(duel, ZARA), show(duel, GM)) == ([], [("Alarm", 2)])
    duel.do("remove_clock", clock="c1")
    assert duel.state.all_clocks == ()
    assert duel.refused("tick_clock", clock="c1").code == "unknown"


def test_clock_is_undone_like_anything(duel: Stage) -> None:
    before = duel.state
    duel.do("start_clock", name="Alarm")
    duel.do("remove_clock", clock="c1")
    assert duel.state.clocks is before.clocks


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "x" * 61},
        {"size": 1},
        {"size": 13},
        {"filled": 7},
        {"each_round": -1},
        {"shown": "nobody"},
        {"shown": "some"},
    ],
)
def test_clock_that_cannot_be_is_refused(duel: Stage, wrong: dict[str, Any]) -> None:
    assert duel.refused("start_clock", **{"name": "Alarm", **wrong}).code == "bad_value"
    assert duel.refused("start_clock", name="Alarm", shown="some", who=["f99"]).code == "unknown"


def test_table_has_up_to_twelve_clocks(duel: Stage) -> None:
    for number in range(12):
        duel.do("start_clock", name=f"Clock {number}")
    assert duel.refused("start_clock", name="One more").code == "not_allowed"
