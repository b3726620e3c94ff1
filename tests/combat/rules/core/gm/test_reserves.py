"""Reinforcements: held back until the GM, a round, a clock or a door brings them in."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from combat.audience.secrecy import redact
from combat.audience.viewer import Viewer
from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import Done, TryDriver, find_action, run
from combat.rules.core.gm.reserves import plan_reserves
from combat.rules.core.odds.forecast import play_many
from combat.rules.core.sides import find_verdict
from combat.rules.core.space import find_zone
from combat.rules.core.state.state import Berth, Until, encode, find_waiting, present
from combat.rules.core.wording import describe_facts
from tests.combat.rules.reading import read_log
from tests.combat.rules.stage import Stage
from tests.typed import sure

ADA, BO, CY = "f1", "f2", "f3"
WATCHER = Viewer()
DOOR = {"id": "d1", "name": "Airlock", "x1": 10, "y1": 0, "x2": 12, "y2": 0, "kind": "door"}


def read_all(stage: Stage) -> list[str]:
    """The lines that the GM reads of the last command, without those of initiative."""
    names = {who: one.name for who, one in stage.state.combatants.items()}
    lines = [line.text for line in describe_facts(stage.system, stage.facts, names)]
    return [line for line in lines if "nitiative" not in line and "order" not in line]


def pass_round(stage: Stage, arriving: int = 0) -> list[str]:
    """Pass turns until the next round has begun; return the lines of that step, in which some arrive."""
    now = stage.state.round
    while stage.state.round == now:
        last = all(stage[who].acted or who == stage.state.active for who in stage.state.order)
        stage.do("next_turn", dice=[3] * arriving if last else [])
    return read_log(stage)


def bring(stage: Stage, arriving: int = 1, reserve: str = "r1") -> list[str]:
    """Bring in those who wait; return the lines about it, without those of their initiative."""
    stage.do("arrive", reserve=reserve, dice=[3] * arriving)
    return read_all(stage)


def names(stage: Stage) -> list[str]:
    return [one.name for one in present(stage.state)]


def test_reserves_take_no_part_until_the_gm_brings_them_in(duel: Stage) -> None:
    duel.do("hold_back", targets=[BO, CY])
    assert read_all(duel) == ["Bo and Cy wait until you bring them in."]
    assert names(duel) == ["Ada"]
    assert duel.refused("hide", target=BO).code == "unknown"
    duel.do("next_turn")
    assert (duel.state.active, duel.state.round) == (ADA, 2)
    assert bring(duel, 2) == ["Reinforcements: Bo and Cy arrive at Yard."]
    assert names(duel) == ["Ada", "Bo", "Cy"]
    assert duel.state.reserves is UNSET
    assert set(duel.state.order) == {ADA, BO, CY}


def test_reserves_arrive_when_their_round_begins(duel: Stage) -> None:
    duel.do("hold_back", targets=[CY], when="round", at_round=3)
    assert read_all(duel) == ["Cy waits until round 3."]
    assert "Reinforcements: Cy arrives at Yard." not in pass_round(duel)
    assert "Reinforcements: Cy arrives at Yard." in pass_round(duel, 1)
    assert duel.state.round == 3
    assert CY in duel.state.order


def test_reserves_arrive_by_a_full_clock_by_hand_or_by_round(duel: Stage) -> None:
    duel.do("start_clock", name="Alarm", size=2)
    duel.do("start_clock", name="Air", size=2, each_round=2)
    duel.do("hold_back", targets=[BO], when="clock", of="c1")
    duel.do("hold_back", targets=[CY], when="clock", of="c2")
    duel.do("tick_clock", clock="c1")
    assert names(duel) == ["Ada"]
    duel.do("tick_clock", clock="c1", dice=[3])
    assert read_log(duel)[:2] == ["Alarm is full: 2 of 2.", "Reinforcements: Bo arrives at Yard."]
    assert "Reinforcements: Cy arrives at Yard." in pass_round(duel, 1)


def test_reserves_come_through_the_door_they_wait_for(duel: Stage) -> None:
    duel.do("set_map", map={"walls": [DOOR]})
    duel.do("hold_back", targets=[BO, CY], when="door", of="d1")
    duel.do("set_door", door="d1", open=True, dice=[3, 3])
    assert read_log(duel)[:2] == ["Airlock opens.", "Reinforcements: Bo and Cy arrive at Wall."]
    assert all(abs(duel[who].at.x - 11) <= 3 and abs(duel[who].at.y) <= 3 for who in (BO, CY))


def test_no_clock_and_no_door_brings_them_in_before_the_fight(duel: Stage) -> None:
    duel.do("set_map", map={"walls": [DOOR]})
    duel.do("end_fight")
    duel.do("hold_back", targets=[CY], when="door", of="d1")
    duel.do("set_door", door="d1", open=True)
    assert names(duel) == ["Ada", "Bo"]


@pytest.mark.parametrize(
    ("where", "log", "near"),
    [
        ({"zone": "bay"}, "at bay", (35, 5)),
        ({"edge": "east"}, "at the east edge", (38, 5)),
        ({"edge": "south"}, "at the south edge", (20, 8)),
        ({"x": 22, "y": 4}, "at hall", (22, 4)),
    ],
)
def test_reserves_arrive_at_their_place(duel: Stage, where: dict[str, Any], log: str, near: Any) -> None:
    duel.zone("hall", x=0, y=0, width=30, depth=10)
    duel.zone("bay", x=30, y=0, width=10, depth=10)
    duel.do("hold_back", targets=[BO, CY], **where)
    assert bring(duel, 2) == [f"Reinforcements: Bo and Cy arrive {log}."]
    for who in (BO, CY):
        at = duel[who].at
        assert max(abs(at.x - near[0]), abs(at.y - near[1])) <= 4
        assert find_zone(duel.state.scene, at)


def test_before_the_fight_they_can_be_there_from_the_start(duel: Stage) -> None:
    duel.do("end_fight")
    duel.do("hold_back", targets=[CY], when="round", at_round=2)
    duel.do("arrive", reserve="r1")
    assert names(duel) == ["Ada", "Bo", "Cy"]


def test_plan_can_change_or_be_dropped(duel: Stage) -> None:
    duel.do("hold_back", targets=[CY])
    duel.do("change_arrival", reserve="r1", when="round", at_round=2, edge="north")
    assert read_all(duel) == ["Cy waits until round 2."]
    assert duel.refused("change_arrival", reserve="r1", when="round", at_round=2, edge="north")
    duel.do("drop_reserve", reserve="r1")
    assert read_all(duel) == ["Cy waits no longer: removed."]
    pass_round(duel)
    assert names(duel) == ["Ada", "Bo"]
    assert duel.refused("arrive", reserve="r1").code == "unknown"


def test_hidden_ones_arrive_hidden_and_only_the_gm_reads_of_it(duel: Stage) -> None:
    duel.do("hide", target=CY)
    duel.do("hold_back", targets=[BO, CY])
    assert bring(duel, 2) == ["Reinforcements: Bo arrives at Yard.", "Reinforcements: Cy arrives at Yard."]
    assert CY not in redact(duel.state, WATCHER).combatants
    told = [fact for fact in WATCHER.select(duel.facts) if b"f3" in msgspec.json.encode(fact.event)]
    assert told == []


def test_nobody_but_the_gm_knows_of_them(duel: Stage) -> None:
    duel.do("hide", target=CY)
    facts = duel.do("hold_back", targets=[CY], when="round", at_round=2)
    assert WATCHER.select(facts) == []
    seen = encode(redact(duel.state, WATCHER))
    assert not any(trace in seen for trace in (b"Cy", b"reserve", b"f3"))


def test_reserves_do_not_keep_a_fight_from_its_end(duel: Stage) -> None:
    duel.do("hold_back", targets=[CY], when="round", at_round=9)
    duel.do("surrender", target=BO)
    verdict = sure(find_verdict(duel.system, duel.state))
    assert verdict.standing == duel[ADA].side


def test_name_that_is_taken_meanwhile_gets_a_number(duel: Stage) -> None:
    duel.do("hold_back", targets=[CY])
    duel.do("rename", target=BO, name="Cy")
    bring(duel)
    assert names(duel) == ["Ada", "Cy", "Cy 2"]


def test_reserves_inside_a_carrier_arrive_inside_it(duel: Stage) -> None:
    duel.edit(CY, berth=Berth(BO))
    duel.edit(ADA, berth=Berth(BO))
    duel.do("hold_back", targets=[CY, BO], edge="west")
    assert duel[ADA].inside == ""
    bring(duel, 2)
    assert duel[CY].inside == BO
    assert duel[CY].at == duel[BO].at


def test_who_had_the_turn_ends_it_and_keeps_no_second_place(duel: Stage) -> None:
    duel.give(BO, "dazed", until=Until(ADA, "end", 3))
    duel.do("hold_back", targets=[ADA])
    assert duel.state.active == ""
    assert ADA in duel.state.order  # for what lasts until their turn
    bring(duel)
    assert duel.state.order.count(ADA) == 1


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"when": "round", "at_round": 1}, "Choose a round from 2 to 99."),
        ({"when": "round", "at_round": 100}, "Choose a round from 2 to 99."),
        ({"when": "clock", "of": "c9"}, "That clock is gone: reload the page."),
        ({"when": "clock", "of": "c1"}, "Full is full already: choose another clock."),
        ({"when": "door", "of": "d9"}, "That door is not on the map: choose one that is."),
        ({"when": "door", "of": "d1"}, "Airlock stands open already: choose one that is shut."),
        ({"when": "soon"}, "Choose when they arrive: by hand, in a round, by a clock or a door."),
        ({"zone": "nowhere"}, "That zone is not part of the scene: choose one that is."),
        ({"edge": "up"}, "The edges of the map are north, east, south, west."),
        ({"x": 10_000, "y": 0}, "Enter meters from −9999 to 9999."),
        ({"targets": []}, "Select combatants first."),
    ],
)
def test_impossible_plan_is_refused(duel: Stage, wrong: dict[str, Any], says: str) -> None:
    duel.do("start_clock", name="Full", size=2, filled=2)
    duel.do("set_map", map={"walls": [DOOR | {"open": True}]})
    refused = duel.refused("hold_back", **{"targets": [CY], **wrong})
    assert refused.message == says


@pytest.mark.parametrize("place", [(34, 5), (5, 14), (-4, 5), (500, 500)])
def test_place_off_the_map_is_refused(duel: Stage, place: tuple[float, float]) -> None:
    x, y = place
    duel.do("set_scene", scene={})
    duel.do("hold_back", targets=[BO], x=x, y=y)  # open ground may go on
    duel.zone("hall", x=0, y=0, width=30, depth=10)
    refused = duel.refused("hold_back", targets=[CY], x=x, y=y)
    assert refused.message == "That place is off the map: choose one on it, or an edge."
    assert duel.refused("change_arrival", reserve="r1", x=x, y=y).message == refused.message
    duel.do("change_arrival", reserve="r1", x=32, y=-2)  # beside an edge


def test_forecast_leaves_them_out_unless_it_is_asked(duel: Stage) -> None:
    duel.do("hold_back", targets=[CY], when="round", at_round=9)
    state = duel.state
    assert plan_reserves(state, None).reserves is UNSET
    assert plan_reserves(state, 0) == state
    assert [one.at_round for one in plan_reserves(state, 3).all_reserves] == [3]
    assert [one.name for one in find_waiting(state)] == ["Cy"]
    bring(duel)
    assert plan_reserves(duel.state, 3) is duel.state
    duel.do("hold_back", targets=[CY], when="hand")
    assert plan_reserves(duel.state, 0).reserves is UNSET, "nobody brings them in"


def test_fight_without_reserves_stores_nothing_of_them(duel: Stage) -> None:
    before = encode(duel.state)
    assert b"reserves" not in before
    duel.do("hold_back", targets=[CY])
    assert b"reserves" in encode(duel.state)
    bring(duel)
    assert b"reserves" not in encode(duel.state)


def test_trial_runs_and_odds_leave_them_out(duel: Stage) -> None:
    duel.do("start_clock", name="Alarm", size=2, filled=1)
    duel.do("hold_back", targets=[CY], when="clock", of="c1")
    action = find_action(duel.system, "tick_clock")
    done = run(duel.system, duel.state, action, read_command(action, {"clock": "c1"}), TryDriver())
    assert isinstance(done, Done)
    assert CY not in [one.id for one in present(done.state)]


def test_forecast_plays_them_only_if_it_is_asked(duel: Stage) -> None:
    duel.do("hold_back", targets=[CY], when="round", at_round=9)
    fought = {
        plan: {
            who
            for ending in play_many(duel.system, plan_reserves(duel.state, plan), 10, 1)
            for who in ending.dropped
        }
        for plan in (None, 2)
    }
    assert BO in fought[None]
    assert CY not in fought[None]
    assert CY in fought[2]


def test_who_joins_for_a_round_waits_for_it(duel: Stage) -> None:
    duel.do("join", block=next(iter(duel.system.book.find_blocks())), name="Late", later=True, at_round=3)
    (reserve,) = duel.state.all_reserves
    assert (reserve.when, reserve.at_round) == ("round", 3)
    gone = duel.refused("join", block=next(iter(duel.system.book.find_blocks())), later=True, at_round=1)
    assert gone.message == "Choose a round from 2 to 99."
    pass_round(duel)
    assert "Late" not in names(duel)
    pass_round(duel, arriving=1)
    assert "Late" in names(duel)
