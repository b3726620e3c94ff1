"""The reach of hands: every action by hand stops at walls, shut doors and the bodies of closed vehicles."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.characters.goods import make_gear
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO

WALL = {"id": "w", "x1": 0.6, "y1": -9, "x2": 0.6, "y2": 9}
CAR: dict[str, Any] = {
    "kind": "vehicle",
    "attributes": {"hull": 5, "structure": 5, "armor": 0},
    "crew": 4,
}
ROLLS: dict[str, tuple[Any, ...]] = {
    "attack": ((1, 1),),
    "grapple": ((1, 1), (6, 6)),
    "first_aid": ((1, 1),),
    "take_drug": (),
}


def beside(weapon: str = "dagger", meters: float = 1.2, **wall: Any) -> RangeStage:
    """Ada with a weapon, and Bo wounded and within reach, with a wall between them if its kind is given."""
    stage = duel(weapon, meters)
    stage.skilled(ADA, natural_weapons=0, melee_blade=0, medicine=0)
    stage.set_track(BO, end=4)
    stage.mark(BO, hurt_at=0)
    if wall:
        stage.do("set_map", map={"walls": [{**WALL, **wall}]})
    return stage


def acts(stage: RangeStage) -> dict[str, dict[str, Any]]:
    """Every action by hand on someone, with its fields."""
    weapon = stage[ADA].items[0].id
    drug = replace(make_gear("combat_drug"), id="f1-d")
    stage.edit(ADA, items=(*stage[ADA].items, drug))
    return {
        "attack": {"target": BO, "weapon": weapon, "mode": "melee"},
        "grapple": {"target": BO},
        "first_aid": {"target": BO},
        "take_drug": {"target": BO, "item": drug.id},
    }


@pytest.mark.rule("CE-COVER-01", "CE-GRAP-02", "CE-MED-02")
@pytest.mark.parametrize("action", ["attack", "grapple", "first_aid", "take_drug"])
@pytest.mark.parametrize("wall", [{"kind": "wall"}, {"kind": "window"}, {"kind": "door"}])
@pytest.mark.full_rules
def test_nothing_is_done_by_hand_through_a_wall(action: str, wall: dict[str, Any]) -> None:
    stage = beside(**wall)
    refused = stage.refused(action, ADA, **acts(stage)[action])
    assert "between Ada and Bo" in refused.message or "cannot see" in refused.message
    assert stage[ADA].budget == {"minor": 1, "significant": 1}


@pytest.mark.rule("CE-COVER-01", "CE-GRAP-02", "CE-MED-02")
@pytest.mark.parametrize("action", ["attack", "grapple", "first_aid", "take_drug"])
@pytest.mark.full_rules
def test_an_open_door_stops_no_hand(action: str) -> None:
    stage = beside(kind="door", open=True)
    stage.do(action, ADA, dice=ROLLS[action], **acts(stage)[action])
    assert stage[ADA].budget["significant"] == 0


@pytest.mark.rule("CE-ATK-10", "CE-ATK-11")
@pytest.mark.parametrize("weapon", ["dagger", "auto_pistol"])
def test_nobody_helpless_is_finished_off_through_a_wall(weapon: str) -> None:
    stage = beside(weapon, kind="window")
    stage.give(BO, "unconscious")
    fields: dict[str, Any] = {"target": BO, "weapon": f"{ADA}-w1", "sure": True}
    assert "between Ada and Bo" in stage.refused("coup_de_grace", ADA, **fields).message
    stage.do("set_map", map={"walls": []})
    stage.do("coup_de_grace", ADA, **fields)
    assert stage.has(BO, "dead")


@pytest.mark.rule("CE-MINOR-14")
def test_nothing_is_picked_up_through_a_wall() -> None:
    stage = beside()
    stage.do("drop", ADA, weapon=f"{ADA}-w1")
    stage.do("place", target=ADA, x=1.2, y=0)
    stage.do("set_map", map={"walls": [WALL]})
    refused = stage.refused("pick_up", ADA, weapon=f"{ADA}-w1")
    assert refused.message == "A wall stands between Ada and Dagger: go round it."
    stage.do("set_map", map={"walls": []})
    stage.do("pick_up", ADA, weapon=f"{ADA}-w1")


@pytest.mark.rule("CE-VEH-08")
def test_nobody_gets_into_a_vehicle_through_a_wall() -> None:
    stage = beside()
    car = stage.machine("Car", (1.2, 0), CAR)
    stage.do("set_map", map={"walls": [WALL]})
    assert (
        stage.refused("get_in", ADA, target=car).message == "A wall stands between Ada and Car: go round it."
    )
    stage.do("set_map", map={"walls": []})
    stage.do("get_in", ADA, target=car)
    assert stage[ADA].inside == car


@pytest.mark.rule("CE-GRAP-02", "CE-MED-02")
@pytest.mark.parametrize("action", ["grapple", "first_aid", "take_drug"])
@pytest.mark.full_rules
def test_hands_reach_into_open_vehicles_alone(action: str) -> None:
    stage = beside(meters=1)
    car = stage.machine("Car", (1, 0), CAR)
    stage.put_inside(BO, car)
    refused = stage.refused(action, ADA, **acts(stage)[action])
    assert refused.message == "Bo is inside Car, which is closed: get in or out."
    stage.edit(car, sheet={**stage[car].sheet, "open": True})
    stage.do(action, ADA, dice=ROLLS[action], **acts(stage)[action])
