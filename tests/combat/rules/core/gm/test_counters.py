"""Counters: named, for everyone or the GM alone; spent by hand, and filled as time goes on."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import UNSET

from combat.audience.secrecy import redact
from combat.audience.viewer import GM, Viewer
from combat.rules.core.aftermath import make_aftermath
from combat.rules.core.gm.counters import REFILLS
from combat.rules.core.sheets.sheets import MAX_COUNTED, MAX_COUNTERS, write_counters
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Counter, encode
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Stage

ZARA = Viewer("seat", frozenset({"f1"}))


def show(stage: Stage, viewer: Viewer, who: str = "f1") -> list[tuple[str, int]]:
    """The counters of a combatant that a viewer sees, by name, and what is left."""
    return [(one.name, one.left) for one in redact(stage.state, viewer).combatants[who].all_counters]


def left(stage: Stage, who: str = "f1") -> dict[str, int]:
    return {one.name: one.left for one in stage[who].all_counters}


def test_players_spend_their_own_until_it_is_empty(duel: Stage) -> None:
    duel.do("start_counter", target="f1", name=" Lucky  breaks ", most=2)
    assert read_log(duel) == ["Ada counts Lucky breaks: 2 of 2."]
    duel.do("spend_counter", "f1", counter="n1")
    assert read_log(duel) == ["Ada spends Lucky breaks: 1 of 2 left."]
    duel.do("spend_counter", "f1", counter="n1", by=5)
    assert (
        duel.refused("spend_counter", "f1", counter="n1").message
        == "Lucky breaks is empty: count the other way."
    )
    duel.do("spend_counter", "f1", counter="n1", by=-1)
    assert read_log(duel) == ["Ada gets Lucky breaks back: 1 of 2."]
    assert duel.refused("spend_counter", "f2", counter="n1").code == "unknown"
    duel.do("remove_counter", target="f1", counter="n1")
    assert read_log(duel) == ["Ada no longer counts Lucky breaks."]
    assert duel["f1"].counters is UNSET
    assert b"counters" not in encode(duel.state)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"name": ""}, "1 to 60 characters"),
        ({"name": "x" * 31}, "1 to 30 characters"),
        ({"most": 0}, f"has 1 to {MAX_COUNTED}"),
        ({"most": MAX_COUNTED + 1}, f"has 1 to {MAX_COUNTED}"),
        ({"most": 2, "left": 3}, "0 to all of them are left"),
        ({"most": 2, "left": -1}, "0 to all of them are left"),
        ({"refills": "week"}, "each round"),
        ({"shown": "some"}, "only the GM"),
        ({"name": "LUCK"}, "another name"),
    ],
)
def test_impossible_counters_are_refused(duel: Stage, fields: dict[str, Any], why: str) -> None:
    duel.do("start_counter", target="f1", name="Luck")
    refused = duel.refused("start_counter", target="f1", **{"name": "Wit", **fields})
    assert refused.code == "bad_value"
    assert why in refused.message


def test_the_longest_name_and_the_fewest_and_most_are_taken(duel: Stage) -> None:
    long = "x" * 30
    duel.do("start_counter", target="f1", name=long, most=1)
    duel.do("start_counter", target="f1", name="None left", most=1, left=0)
    duel.do("start_counter", target="f1", name="All left", most=2, left=2)
    duel.do("start_counter", target="f1", name="Many", most=MAX_COUNTED)
    assert left(duel) == {long: 1, "None left": 0, "All left": 2, "Many": MAX_COUNTED}
    duel.do("change_counter", target="f1", counter="n3", name="all left", most=3, left=1)
    assert left(duel)["all left"] == 1, "its own name is free for it"


def test_number_of_counters_is_limited(duel: Stage) -> None:
    for number in range(MAX_COUNTERS):
        duel.do("start_counter", target="f1", name=f"Luck {number}")
    assert duel.refused("start_counter", target="f1", name="Wit").code == "not_allowed"


def test_counters_fill_when_their_time_begins(duel: Stage) -> None:
    for name in REFILLS:
        duel.do("start_counter", target="f1", name=name, left=0, refills=name)
    duel.begin("f1", "f2", "f3")
    duel.do("next_turn")
    assert left(duel) == {"hand": 0, "round": 0, "turn": 0, "scene": 0}
    for _ in duel.state.order[1:]:
        duel.do("next_turn")
    assert left(duel) == {"hand": 0, "round": 3, "turn": 3, "scene": 0}
    duel.do("end_fight")
    duel.do("start", dice=(4, 3, 2))
    assert left(duel)["scene"] == 3
    assert left(duel)["hand"] == 0


def test_secret_counter_is_for_the_gm_alone(duel: Stage) -> None:
    duel.do("start_counter", target="f1", name="Doom", shown="gm")
    assert duel.audiences() == {e.GM_ONLY}
    duel.do("start_counter", target="f1", name="Luck")
    duel.do("tick_counter", target="f1", counter="n1")
    assert duel.audiences() == {e.GM_ONLY}
    assert show(duel, GM) == [("Doom", 2), ("Luck", 3)]
    assert show(duel, ZARA) == [("Luck", 3)]
    gone = duel.refused("spend_counter", "f1", counter="n9").message
    assert duel.refused("spend_counter", "f1", counter="n1").message == gone
    duel.do("change_counter", target="f1", counter="n2", name="Luck", shown="gm")
    assert [(type(one.event), one.to) for one in duel.facts] == [
        (e.CounterRemoved, e.EVERYONE),
        (e.CounterSet, e.GM_ONLY),
    ]
    assert redact(duel.state, ZARA).combatants["f1"].counters is UNSET
    assert (
        duel.refused("change_counter", target="f1", counter="n2", name="Luck", shown="gm").code
        == "not_allowed"
    )


def test_counters_come_from_a_sheet_and_go_back_without_secrets(duel: Stage) -> None:
    counters = [{"name": "Luck", "most": 4, "left": 2}, {"name": "Doom", "gm": True, "refills": "round"}]
    duel.do("join", dice=((3,),), name="Eve", side="allies", sheet={**duel["f1"].sheet, "counters": counters})
    (eve,) = (one for one in duel.state.combatants.values() if one.name == "Eve")
    assert eve.counters == (
        Counter("n1", "Luck", 4, 2),
        Counter("n2", "Doom", 3, 3, refills="round", to="gm"),
    )
    assert write_counters(eve.all_counters) == [
        {"name": "Luck", "most": 4, "left": 2},
        {"name": "Doom", "refills": "round", "gm": True},
    ]
    assert not make_aftermath(duel.system, eve).changes
    duel.do("spend_counter", eve.id, counter="n1")
    duel.do("tick_counter", target=eve.id, counter="n2")
    duel.do("start_counter", target=eve.id, name="Dread", shown="gm")
    after = make_aftermath(duel.system, duel[eve.id])
    assert after.lines == ("Counters: Doom 3 of 3, Luck 2 of 4 → Doom 3 of 3, Luck 1 of 4",)
    assert [one["name"] for one in after.sheet["counters"]] == ["Doom", "Luck"]
