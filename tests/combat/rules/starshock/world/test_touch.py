"""The reach of hands on a map: no one treats, strikes or picks up anything through a wall."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.space import Point
from combat.rules.core.state.state import replace
from combat.rules.starshock.people.sheet import weapon_item
from tests.combat.rules.starshock.figures import ADA, BO, StarStage, duel

WALL = {"id": "w", "x1": 0.5, "y1": -9, "x2": 0.5, "y2": 9}
WINDOW = {**WALL, "kind": "window", "blocks_sight": False, "cover": ""}
BETWEEN = "A wall stands between Ada and Bo: go round it."


def beside(wall: dict[str, Any], *weapons: str, **more: Any) -> StarStage:
    """Ada with these weapons, Bo a meter from her on the other side of a wall."""
    stage = StarStage()
    stage.map()
    stage.hero("Ada", at=(0, 0), **more)
    stage.foe("Bo", at=(1, 0))
    stage.hold(ADA, *weapons)
    stage.do("set_map", map={"walls": [wall]})
    return stage.begin(ADA, BO, actions=3)


def befriend(stage: StarStage) -> None:
    stage.edit(BO, side="heroes")


@pytest.mark.rule("SS-OTHER-12", "SS-UNC-06")
def test_nobody_treats_or_rouses_a_patient_through_a_wall() -> None:
    stage = beside(WALL)
    befriend(stage)
    stage.give(BO, "unconscious")
    assert stage.refused("emergency_medicate", ADA, target=BO).message == BETWEEN
    assert stage.refused("rouse", ADA, target=BO).message == BETWEEN
    greyed = {option.value: option.refused for option in stage.field("rouse", ADA, "target").options}
    assert greyed == {BO: BETWEEN}
    stage.do("set_map", map={})
    stage.do("emergency_medicate", ADA, dice=[(1, 1)], target=BO)


@pytest.mark.rule("SS-OTHER-24")
def test_a_dose_goes_through_an_open_door_and_no_shut_one() -> None:
    for is_open in (False, True):
        stage = beside({**WALL, "kind": "door", "open": is_open}, gear=("regenerative_enzymes",))
        befriend(stage)
        dose = {"item": stage.item(ADA, "regenerative_enzymes").id, "target": BO}
        if is_open:
            stage.do("use_consumable", ADA, **dose)
        else:
            why = "A door stands between Ada and Bo: go round it."
            assert stage.refused("use_consumable", ADA, **dose).message == why


@pytest.mark.rule("SS-PRONE-04")
def test_nobody_is_helped_up_through_a_wall_nor_when_dead() -> None:
    stage = beside(WALL)
    befriend(stage)
    stage.give(BO, "prone", marks={"stand": 9})
    assert stage.refused("raise_up", ADA, target=BO).message == BETWEEN
    stage.do("set_map", map={})
    stage.give(BO, "dead")
    assert stage.refused("raise_up", ADA, target=BO).message == "Bo is dead: choose someone else."


@pytest.mark.rule("SS-OTHER-02")
def test_nothing_is_picked_up_through_a_wall() -> None:
    stage = beside(WALL)
    baton = replace(weapon_item("baton"), id="g1", place="ground", at=Point(1, 0))
    stage.state = replace(stage.state, ground=(baton,))
    why = "A wall stands between Ada and Baton: go round it."
    assert stage.refused("pick_up", ADA, item="g1").message == why
    stage.do("set_map", map={})
    stage.do("pick_up", ADA, item="g1")


@pytest.mark.rule("SS-RANGE-01")
def test_no_blow_goes_through_a_window_but_a_dagger_is_thrown_through_it() -> None:
    stage = beside(WINDOW, "electric_baton")
    blow = {"target": BO, "weapon": stage.weapon(ADA, "electric_baton")}
    why = "A window stands between Ada and Bo: go round it."
    assert stage.refused("attack", ADA, **blow).message == why
    assert stage.preview("attack", ADA, **blow, seen=True).against
    stage = beside(WINDOW, "dagger")
    stage.attack("dagger", (1, 1))
    assert [item.name for item in stage.state.ground] == ["Dagger"]


@pytest.mark.rule("SS-MAP-01")
def test_a_capsule_is_not_thrown_through_a_wall_nor_at_the_dead() -> None:
    stage = beside(WALL, gear=("nerve_agent_capsule",))
    thrown = {"item": stage.item(ADA, "nerve_agent_capsule").id, "target": BO}
    why = "A wall stands between Ada and Bo: move to see them."
    assert stage.refused("use_device", ADA, **thrown).message == why
    (option,) = (o for o in stage.field("use_device", ADA, "target").options if o.value == BO)
    assert option.refused == why
    stage.do("set_map", map={})
    stage.give(BO, "dead")
    assert stage.refused("use_device", ADA, **thrown).message == "Bo is dead: choose someone else."


@pytest.mark.rule("SS-TURN-02", "SS-ACT-03")
def test_the_reason_is_the_cap_of_attacks_only_while_an_action_is_left() -> None:
    stage = duel("electric_baton")
    stage.turn(ADA, 1)
    stage.attack("electric_baton", (1, 1))
    assert stage.obstacle("attack", ADA) == "No action left this turn; Attack takes one."
    stage.turn(ADA, 2)
    stage.attack("electric_baton", (1, 1))
    assert stage.obstacle("attack", ADA) == "One attack a turn: a maneuver can allow another."


@pytest.mark.rule("SS-ZONE-07", "SS-ZONE-10")
def test_nobody_breaks_away_from_an_enemy_behind_a_wall() -> None:
    stage = beside(WALL)
    stage.do("set_option", key="map_leave_check", value="leaving_1m_of_hostile")
    stage.do("move", ADA, to="-3,0")
    assert not stage.checks("breaking_away")
    stage.do("set_map", map={})
    stage.edit(ADA, at=Point(0, 0))
    stage.do("move", ADA, to="-2,0", dice=[(6, 6)])
    assert stage.checks("breaking_away")
