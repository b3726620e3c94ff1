"""Clocks: named, of 2 to 12 segments, ticked by hand or with each round."""

from __future__ import annotations

from typing import Any

import pytest

from combat.audience.secrecy import redact
from combat.audience.viewer import GM, Viewer
from combat.rules.core.gm.clocks import find_next_round
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Clock, Happening, encode, replace
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


def test_veiled_clocks_facts_tell_players_only_that_it_exists(duel: Stage) -> None:
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


# Clocks that act in the order of turns, with damage or a condition; hidden ones tell nobody their name.


def act(stage: Stage, name: str = "Lava", **fields: Any) -> None:
    stage.do("start_clock", name=name, **fields)


def acted(stage: Stage) -> list[str]:
    """The names of the clocks that have just acted."""
    return [str(one.args["name"]) for one in stage.told(e.Said) if one.key.startswith("log.clock_acts")]


def play(stage: Stage, turns: int) -> list[tuple[int, str]]:
    """Who has the turn after each of the next turns that ended with a clock that acts, with the round."""
    found = []
    for _ in range(turns):
        stage.do("next_turn")
        if acted(stage):
            found.append((stage.state.round, stage.state.active))
    return found


def test_clock_acts_after_someone_each_second_round(duel: Stage) -> None:
    act(duel, acts="after", after="f2", first=2, every=2)
    assert play(duel, 12) == [(2, "f3"), (4, "f3")]


def test_clock_after_the_last_one_acts_as_the_next_round_begins(duel: Stage) -> None:
    act(duel, acts="after", after="f3", every=0)
    assert play(duel, 9) == [(2, "f1")]


def test_clock_acts_between_scores_and_at_the_start_of_rounds(duel: Stage) -> None:
    for who, score in (("f1", 9), ("f2", 5), ("f3", 2)):
        duel.edit(who, initiative=score)
    act(duel, "At five", acts="at", score=5)
    assert play(duel, 5) == [(1, "f3"), (2, "f3")]
    act(duel, "Bell", acts="start", first=4)
    assert play(duel, 3) == [(3, "f3")]
    assert play(duel, 3) == [(4, "f1"), (4, "f3")]


def test_new_clock_does_not_act_at_a_place_that_has_passed(duel: Stage) -> None:
    duel.do("next_turn")
    act(duel, acts="after", after="f1")
    assert not acted(duel)
    assert play(duel, 3) == [(2, "f2")]


def test_rounds_of_a_new_fight_count_again(duel: Stage) -> None:
    act(duel, acts="start", every=0)
    assert play(duel, 3) == []
    duel.do("end_fight")
    duel.do("start", dice=(4, 3, 2))
    assert acted(duel) == ["Lava"]


def test_those_in_the_zone_are_hurt_and_get_the_condition(duel: Stage) -> None:
    duel.zone("pit", x=0.5, y=-1, width=10, height=10)
    hits = duel.system.characters.tracks[0].key
    (kind, *_) = duel.system.characters.conditions
    before = {who: duel[who].tracks[hits] for who in duel.state.combatants}
    act(duel, acts="after", after="f1", zone="pit", harm=1, condition=kind, note="The floor glows.")
    duel.do("next_turn")
    change = 1 if duel.system.characters.tracks[0].rises else -1
    after = {who: duel[who].tracks[hits] - before[who] for who in duel.state.combatants}
    assert after == {"f1": 0, "f2": change, "f3": change}
    assert [duel.has(who, kind) for who in ("f1", "f2", "f3")] == [False, True, True]
    assert "Lava acts: The floor glows." in read_log(duel)


@pytest.mark.parametrize(
    "fields",
    [
        {"acts": "soon"},
        {"acts": "start", "first": 0},
        {"acts": "start", "every": 100},
        {"acts": "start", "harm": -1},
        {"acts": "start", "zone": "nowhere"},
        {"acts": "start", "track": "soul"},
        {"acts": "start", "condition": "odd"},
        {"acts": "start", "note": "x" * 301},
        {"acts": "after", "after": "f9"},
    ],
)
def test_impossible_acts_are_refused(duel: Stage, fields: dict[str, Any]) -> None:
    assert duel.refused("start_clock", name="Lava", **fields).code in ("bad_value", "unknown")


def test_hidden_clock_shows_only_what_it_does(duel: Stage) -> None:
    act(duel, "Xylotrap", shown="gm", acts="after", after="f1", harm=1, note="Xylonote")
    assert duel.audiences() == {e.GM_ONLY}
    facts = ZARA.select(duel.do("next_turn"))
    assert any(isinstance(fact.event, e.TrackChanged) for fact in facts)
    assert "Xylo" not in str(facts)
    assert b"Xylo" not in encode(redact(duel.state, ZARA))
    assert [one.name for one in redact(duel.state, GM).all_clocks] == ["Xylotrap"]


def test_clock_for_all_keeps_what_it_will_do_to_itself(duel: Stage) -> None:
    act(duel, acts="after", after="f2", harm=3, note="Xylonote", zone="", handout="Xylomap")
    assert "Xylo" not in str(ZARA.select(duel.facts))
    (seen,) = redact(duel.state, ZARA).all_clocks
    assert seen.acts == Happening(after="f2")
    duel.edit("f2", hidden=True)
    assert not redact(duel.state, ZARA).all_clocks[0].acts
    act(duel, "Second", acts="after", after="f2")
    assert "f2" not in str(ZARA.select(duel.facts))


def test_next_round_is_told(duel: Stage) -> None:
    state = replace(duel.state, round=4)
    each = Happening(2, 2)
    assert find_next_round(state, each) == 4
    assert find_next_round(state, replace(each, done=4)) == 6
    assert find_next_round(replace(state, round=1), each) == 2
    assert find_next_round(state, Happening(3, 0)) is None
    assert find_next_round(state, Happening(5, 0)) == 5
