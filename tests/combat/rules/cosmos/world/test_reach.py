"""Actions by hand: none reaches through a wall or a shut door."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.engine.engine import find_action
from combat.rules.core.odds.enumeration import find_all
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import has_condition
from tests.combat.rules.cosmos.duels import ADA, BO, add_ally, duel
from tests.combat.rules.cosmos.figures import CosmosStage

WALL = {"id": "w", "x1": 0.5, "y1": -9, "x2": 0.5, "y2": 9}
DOOR = {**WALL, "kind": "door"}


def beside(*walls: dict[str, Any], **more: Any) -> CosmosStage:
    """Ada with a club and a dose, Bo right beside her, with walls of the map in between."""
    stage = duel("club", apart=1, ada={"gear": ["adrenaline", "first_aid_kit"]}, **more)
    if walls:
        stage.do("set_map", map={"walls": list(walls)})
    return stage


@pytest.mark.rule("COS-COND-35")
def test_helpless_behind_a_wall_are_not_offered_a_coup_de_grace() -> None:
    stage = beside(WALL)
    stage.give(BO, "helpless")
    assert (
        stage.obstacle("coup_de_grace", ADA) == "No helpless enemy is within reach of a melee weapon in hand."
    )


@pytest.mark.rule("COS-COND-03")
def test_pressure_on_a_wound_ends_with_the_door_between() -> None:
    stage = beside({**DOOR, "open": True})
    stage.give(BO, "bleeding")
    stage.do("press", ADA, target=BO)
    hp = stage.hp(BO)
    stage.do("set_door", door="w", open=False)
    stage.do("next_turn")
    assert stage.hp(BO) == hp - 1


# ---------------------------------------------------------------- holds


@pytest.mark.rule("COS-COND-21")
@pytest.mark.parametrize("moved", [ADA, BO])
def test_a_hold_ends_when_either_is_taken_out_of_reach(moved: str) -> None:
    """RULING R32: a hold reaches 1 m."""
    stage = beside()
    stage.give(BO, "grappled", by=ADA)
    stage.give(BO, "pinned", by=ADA)
    stage.do("place", target=moved, x=0, y=7)
    assert not stage.has(BO, "grappled")
    assert not stage.has(BO, "pinned")
    ended = stage.told(e.ConditionEnded)
    assert [stage.read(told.why) for told in ended] == ["out of reach", "out of reach"]


@pytest.mark.rule("COS-COND-21")
def test_a_hold_lasts_while_the_two_stay_beside_each_other() -> None:
    stage = beside()
    stage.give(BO, "grappled", by=ADA)
    stage.do("place", target=BO, x=0, y=1)
    assert stage.has(BO, "grappled")


@pytest.mark.rule("COS-COND-21")
def test_a_hold_ends_when_a_door_shuts_between() -> None:
    stage = beside({**DOOR, "open": True})
    stage.give(BO, "grappled", by=ADA)
    stage.do("set_door", door="w", open=False)
    assert not stage.has(BO, "grappled")
    assert not stage.obstacle("move", ADA)


@pytest.mark.rule("COS-COND-21", "COS-MANV-06")
@pytest.mark.parametrize("catch", [(3, 1), (1, 1)])
def test_who_is_thrown_keeps_hold_of_those_still_in_reach_only(catch: tuple[int, int]) -> None:
    stage = beside()
    cy = add_ally(stage, catch)
    stage.give(BO, "grappled", by=ADA)
    stage.give(cy, "grappled", by=BO)
    stage.do("squeeze", ADA, target=BO, effect="throw", dice=[(9, 9), (1, 2), 3])
    assert stage[BO].at == Point(3, 0)
    assert stage.has(cy, "grappled") == (catch == (3, 1))


@pytest.mark.rule("COS-COND-21", "COS-MANV-06")
def test_odds_of_a_throw_count_ended_holds_as_play_does() -> None:
    stage = beside()
    stage.give(BO, "grappled", by=ADA)
    cy = add_ally(stage, (1, 1))
    stage.give(cy, "grappled", by=BO)
    action = find_action(stage.system, "squeeze")
    command = read_command(action, {"actor": ADA, "target": BO, "effect": "throw"})
    ends = [outcome.state for outcome in find_all(stage.system, stage.state, action, command)]
    held = {(end[BO].at == Point(3, 0), has_condition(end[cy], "grappled")) for end in ends}
    assert held == {(True, False), (False, True)}


@pytest.mark.rule("COS-COND-21", "COS-ZG-06")
def test_a_hold_ends_when_one_of_the_two_drifts_off() -> None:
    stage = beside()
    stage.do("set_setting", key="gravity", value="zero")
    stage.give(ADA, "drifting", marks={"x": -1000, "y": 0})
    stage.give(BO, "grappled", by=ADA)
    stage.do("next_turn")
    assert stage[ADA].at == Point(-1, 0)
    assert not stage.has(BO, "grappled")


@pytest.mark.rule("COS-COND-21")
@pytest.mark.parametrize("jumper", [ADA, BO])
def test_a_hold_ends_when_one_of_the_two_jumps_off(jumper: str) -> None:
    stage = beside()
    stage.give(BO, "grappled", by=ADA)
    stage.do("jump", target=jumper, metres=6, to="-5,0")
    assert not stage.has(BO, "grappled")


@pytest.mark.rule("COS-COND-21")
def test_a_hold_ends_when_a_large_one_becomes_small() -> None:
    stage = beside()
    stage.do("place", target=BO, x=3, y=0)
    stage.do("resize", target=BO, metres=6)
    stage.give(BO, "grappled", by=ADA)
    stage.do("resize", target=BO, metres=5)
    assert stage.has(BO, "grappled")
    stage.do("resize", target=BO, metres=0)
    assert not stage.has(BO, "grappled")


@pytest.mark.rule("COS-COND-21")
def test_a_hold_that_the_gm_gives_from_afar_stays() -> None:
    stage = beside()
    stage.do("place", target=BO, x=5, y=0)
    stage.do("give_condition", target=BO, kind="grappled", by=ADA)
    stage.do("place", target=ADA, x=1, y=0)
    assert stage.has(BO, "grappled")


# ---------------------------------------------------------------- flanking


@pytest.mark.rule("COS-POS-03")
@pytest.mark.parametrize("hindered", ["behind a wall", "grappled", "pinned"])
def test_a_partner_behind_a_wall_or_held_flanks_nobody(hindered: str) -> None:
    """RULING R27: a combatant behind total cover from the target does not threaten it."""
    stage = duel("knife", apart=1)
    cy = add_ally(stage, (2, 0))
    knife = {"target": BO, "weapon": stage.weapon(ADA, "knife")}
    before = len(stage.preview("attack", ADA, **knife).modifiers)
    if hindered == "behind a wall":
        stage.do("set_map", map={"walls": [{**WALL, "x1": 1.5, "x2": 1.5}]})
    else:
        stage.give(cy, hindered, by=BO)
    assert len(stage.preview("attack", ADA, **knife).modifiers) == before - 1


# ---------------------------------------------------------------- forms


@pytest.mark.rule("COS-MANV-01", "COS-MANV-11", "COS-ACT-06", "COS-ACT-07")
@pytest.mark.parametrize("action", ["grapple", "trip", "first_aid", "press"])
def test_the_form_greys_whom_no_hand_reaches_with_the_reason(action: str) -> None:
    stage = beside(WALL)
    why = stage.refused(action, ADA, target=BO).message
    assert why == "A wall stands between Ada and Bo: go round it."
    (option,) = (o for o in stage.form(action, ADA)["target"].options if o.value == BO)
    assert option.refused == why
