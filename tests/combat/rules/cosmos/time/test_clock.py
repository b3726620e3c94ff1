"""Time outside of turns: what falls due in between, and what stops it."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.state import events as e
from combat.rules.core.state.state import Until, find_condition
from tests.combat.rules.cosmos.figures import CosmosStage, lone

FAIL, GOOD = (1, 2), (9, 9)


def seconds(stage: CosmosStage) -> list[int]:
    """The steps in which time passed."""
    return [event.seconds for event in stage.told(e.TimePassed)]


def test_time_goes_by_in_one_step_when_nothing_is_due() -> None:
    stage, _ = lone()
    stage.do("pass_time", minutes=30, hours=2)
    assert (seconds(stage), stage.state.clock) == ([9000], 9000)


@pytest.mark.rule("COS-HAZ-21", "COS-HAZ-15")
def test_a_check_comes_due_each_hour() -> None:
    stage, ada = lone()
    stage.do("set_setting", key="radiation", value="moderate")
    stage.do("pass_time", minutes=150, dice=[GOOD, FAIL, (3,)])
    assert (seconds(stage), stage.hp(ada)) == ([3600, 3600, 1800], 93)


@pytest.mark.rule("COS-ENV-12")
def test_five_minutes_of_high_gravity_tire() -> None:
    stage, ada = lone()
    stage.do("set_setting", key="gravity", value="high")
    stage.do("pass_time", minutes=4)
    assert not stage.has(ada, "fatigued")
    stage.do("pass_time", minutes=1)
    assert stage.has(ada, "fatigued")


@pytest.mark.rule("COS-ENV-22", "COS-ENV-17", "COS-ENV-18")
def test_heat_asks_every_ten_minutes() -> None:
    stage, ada = lone()
    stage.do("set_setting", key="temperature", value="heat")
    stage.do("pass_time", minutes=25, dice=[FAIL, FAIL, (2,)])
    assert (stage.has(ada, "fatigued"), stage.hp(ada)) == (True, 94)


@pytest.mark.rule("COS-HAZ-21", "COS-ENV-21")
def test_when_the_suit_gives_out_the_checks_begin() -> None:
    stage, ada = lone(gear=["basic_suit"])
    stage.do("set_setting", key="temperature", value="cold")
    stage.do("set_suit", target=ada, item=stage.item(ada, "basic_suit").id)
    stage.do("pass_time", hours=4)
    assert not stage.checks()
    stage.do("pass_time", minutes=10, dice=[FAIL])
    assert stage.has(ada, "slowed")


@pytest.mark.rule("COS-ENV-13", "COS-HAZ-21")
def test_time_stops_when_the_air_runs_out() -> None:
    stage, ada = lone(gear=["basic_suit"])
    stage.do("set_setting", key="air", value="vacuum")
    stage.do("set_suit", target=ada, item=stage.item(ada, "basic_suit").id)
    stage.do("pass_time", hours=8)
    assert stage.state.clock == 4 * 3600
    assert stage.told(e.Said)[-1].key == "log.stops_airless"


def test_time_stops_when_someone_begins_to_die() -> None:
    stage, ada = lone()
    stage.set_track(ada, hp=2)
    stage.do("set_setting", key="radiation", value="moderate")
    stage.do("pass_time", hours=5, dice=[FAIL, (4,)])
    assert (stage.state.clock, stage.has(ada, "dying")) == (3600, True)


@pytest.mark.parametrize("kind", ["bleeding", "dying", "burning"])
def test_what_ticks_by_the_round_is_not_skipped(kind: str) -> None:
    stage, ada = lone()
    stage.give(ada, kind)
    refused = stage.refused("pass_time", minutes=1)
    assert (refused.code, "Ada is" in refused.message) == ("not_allowed", True)


def test_nobody_waits_in_vacuum_or_lethal_air() -> None:
    for air in ("vacuum", "toxic_lethal"):
        stage, _ = lone()
        stage.do("set_setting", key="air", value=air)
        assert stage.refused("pass_time", minutes=1).code == "not_allowed"


@pytest.mark.parametrize("fields", [{}, {"minutes": -5}, {"hours": 241}, {"hours": -1, "minutes": 90}])
def test_impossible_times_are_refused(fields: dict[str, Any]) -> None:
    stage, _ = lone()
    assert stage.refused("pass_time", **fields).code == "bad_value"


def test_too_many_checks_at_once_are_refused() -> None:
    stage, _ = lone()
    stage.do("set_setting", key="temperature", value="great_heat")
    assert stage.refused("pass_time", hours=5).code == "bad_value"


@pytest.mark.rule("COS-COND-05", "COS-COND-09")
def test_after_a_scene_what_lasts_for_the_scene_is_over() -> None:
    stage, ada = lone()
    for kind in ("blinded", "deafened", "frightened", "prone", "fatigued"):
        stage.give(ada, kind)
    stage.do("pass_time", minutes=9)
    assert len(stage[ada].conditions) == 5
    stage.do("pass_time", minutes=10)
    assert [c.kind for c in stage[ada].conditions] == ["prone", "fatigued"]


@pytest.mark.rule("COS-COND-30", "COS-COND-05")
def test_turns_that_nobody_plays_go_by_with_the_minutes() -> None:
    stage, ada = lone()
    stage.give(ada, "stunned", until=Until(ada, "end", 2))
    stage.give(ada, "deafened", until=Until(ada, "end", 12))
    stage.give(ada, "blinded")
    stage.do("pass_time", minutes=1)
    assert [held.kind for held in stage[ada].conditions] == ["deafened", "blinded"]
    deaf = find_condition(stage[ada], "deafened")
    assert deaf
    assert deaf.until == Until(ada, "end", 2)
