"""Uses once a session, a combat or a day, and how they return."""

from __future__ import annotations

import pytest

from combat.rules.core.aftermath import make_aftermath
from combat.rules.core.state import events as e
from tests.combat.rules.starshock.figures import ADA, BO, StarStage
from tests.combat.rules.starshock.turn.test_initiative import against, roll

REFLEX, AWARE = "acrobat_reflex", "mercenary_tactical_awareness"


@pytest.fixture
def stage() -> StarStage:
    """Ada against one enemy; she has used her luck and her features."""
    stage = against(1, 1)
    sheet = {**stage[ADA].sheet, "features": [REFLEX, AWARE], "luck": 2}
    used = {f"used {REFLEX}": True, f"used {AWARE}": True, "dosed": 0}
    stage.edit(ADA, sheet=sheet, marks={**stage[ADA].marks, **used})
    stage.set_track(ADA, luck=0)
    return stage


@pytest.mark.rule("SS-ATK-03", "SS-ACT-02")
def test_new_session_gives_back_luck_and_what_works_once(stage: StarStage) -> None:
    stage.do("new_session")
    assert stage[ADA].tracks["luck"] == 2
    assert set(stage[ADA].marks) == {"dosed"}
    (said,) = stage.told(e.Said)
    assert said.key == "log.renewed"
    assert "used anything up" in stage.refused("new_session").message


@pytest.mark.rule("SS-OTHER-24", "SS-ATK-03")
def test_new_day_leaves_what_works_once_a_session(stage: StarStage) -> None:
    stage.do("new_day")
    assert stage[ADA].marks.keys() & {"dosed", f"used {REFLEX}", f"used {AWARE}"} == {f"used {REFLEX}"}
    assert stage[ADA].tracks["luck"] == 0


@pytest.mark.rule("SS-ACT-02")
def test_luck_that_is_used_up_says_what_brings_it_back(stage: StarStage) -> None:
    roll(stage, 10)
    stage.do("declare", ADA, actions=1)
    words = stage.refused("luck", ADA).message
    assert words == "Luck is used up this session: the GM can start a new session."


@pytest.mark.rule("SS-ATK-03", "SS-OTHER-24")
def test_uses_go_home_and_come_back_until_the_session_is_over(stage: StarStage) -> None:
    stage.do("pass_time", hours=2)
    after = make_aftermath(stage.system, stage[ADA], state=stage.state)
    assert after.sheet["uses"] == {"dosed": -7200, f"used {REFLEX}": True}
    assert after.sheet["tracks"]["luck"] == 0
    assert "Luck: 2 → 0" in after.lines
    stage.do("join", name="Ada again", sheet=after.sheet, pc=True)
    again = list(stage.state.combatants.values())[-1]
    assert again.marks == {"dosed": 0, f"used {REFLEX}": True}
    stage.do("new_session")
    home = make_aftermath(stage.system, stage[again.id], after.sheet, state=stage.state)
    assert (home.sheet["uses"], home.sheet["tracks"]) == ({"dosed": -7200}, {})


@pytest.mark.rule("SS-INIT-04", "SS-INIT-10")
def test_rounds_count_from_one_in_a_second_fight(stage: StarStage) -> None:
    roll(stage, 10)
    while stage.state.round < 3:
        stage.end_turn()
    clock = stage.state.clock
    stage.edit(BO, marks={**stage[BO].marks, "free_round": stage.state.round})
    stage.do("end_fight")
    roll(stage, 10)
    assert (stage.state.round, stage.state.clock) == (1, clock + stage.system.turn.round_seconds)
    assert "free_round" not in stage[BO].marks
