"""Who counts as another combatant beside the target of a shot, in and around vehicles."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus.fight.aim import find_neighbours
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from combat.rules.core.state.state import replace
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO
from tests.combat.rules.cepheus.vehicles.garage import ROBOT

pytestmark = pytest.mark.rule("CE-INTO-01")
CAR = {
    "kind": "vehicle",
    "attributes": {"hull": 9, "structure": 9, "armor": 0},
    "drives_by": "wheeled_vehicle",
    "speed_kph": 100,
    "crew": 2,
}
INTO = "Someone beside the target"


def car(stage: RangeStage, x: float, **more: Any) -> str:
    """An empty vehicle."""
    return stage.machine("Car", (x, 0), {**CAR, **more})


def crew(stage: RangeStage, vehicle: str, name: str = "Cy") -> str:
    """Someone inside a vehicle."""
    who = stage.join(name, 90)
    stage.put_inside(who, vehicle)
    return who


def hide(stage: RangeStage, who: str) -> None:
    stage.state = replace(
        stage.state, combatants={**stage.state.combatants, who: replace(stage[who], hidden=True)}
    )


def test_an_empty_car_beside_the_target_is_nobody() -> None:
    stage = duel()
    car(stage, 20.5)
    assert INTO not in stage.terms()


@pytest.mark.rule("CE-INTO-02")
def test_miss_may_stray_into_a_manned_car_but_not_an_empty_one() -> None:
    stage = duel()
    vehicle = car(stage, 20.5)
    stage.attack((1, 1))
    assert [request.rule for request in stage.asked] == ["CE-ATK-08"]
    crew(stage, vehicle)
    stage.turn(ADA)
    stage.attack((1, 1), 3)
    assert [request.rule for request in stage.asked] == ["CE-ATK-08", "CE-INTO-02"]


@pytest.mark.parametrize("kind", ["", "dead", "wreck", "hidden"])
def test_a_vehicle_counts_while_someone_lives_in_it_openly(kind: str) -> None:
    stage = duel()
    vehicle = car(stage, 20.5)
    rider = crew(stage, vehicle)
    if kind == "hidden":
        hide(stage, rider)
    elif kind:
        stage.give(vehicle if kind == "wreck" else rider, kind)
    assert (INTO in stage.terms()) == (kind == "")


def test_a_wrecked_robot_is_nobody() -> None:
    stage = duel()
    robot = stage.machine("Robot", (20.5, 0), ROBOT)
    assert INTO in stage.terms()
    stage.give(robot, "wreck")
    assert INTO not in stage.terms()


@pytest.mark.parametrize("is_open", [True, False])
def test_two_in_the_same_vehicle_are_beside_each_other(is_open: bool) -> None:
    stage = duel()
    vehicle = car(stage, 20, open=is_open)
    stage.put_inside(BO, vehicle)
    assert INTO not in stage.terms()
    crew(stage, vehicle)
    assert stage.terms()[INTO] == -2


@pytest.mark.parametrize("is_open", [True, False])
def test_closed_vehicle_parts_those_inside_from_those_outside(is_open: bool) -> None:
    stage = duel()
    stage.put_inside(BO, car(stage, 20, open=is_open))
    stage.join("Cy", 20.5)
    assert (INTO in stage.terms()) == is_open


def test_those_aboard_a_target_are_not_beside_it() -> None:
    stage = duel()
    vehicle = car(stage, 20, open=True)
    stage.put_inside(BO, vehicle)
    assert INTO not in stage.terms(on=vehicle)


def test_the_vehicle_of_the_shooter_is_not_in_the_way() -> None:
    stage = duel("rifle", 1)
    vehicle = car(stage, 0, open=True)
    stage.put_inside(ADA, vehicle)
    assert INTO not in stage.terms()


def test_a_hold_into_an_open_vehicle_counts_at_any_distance() -> None:
    stage = duel()
    stage.put_inside(BO, car(stage, 20, open=True))
    other = stage.join("Cy", 23)
    assert INTO not in stage.terms()
    stage.give(BO, "grappled", by=other)
    stage.give(other, "grappled", by=BO)
    assert INTO in stage.terms()


@pytest.mark.rule("CE-INTO-02", "CE-INTO-03")
def test_a_miss_may_hit_whoever_sits_beside_the_target() -> None:
    stage = duel()
    vehicle = car(stage, 20, open=True)
    stage.put_inside(BO, vehicle)
    other = crew(stage, vehicle)
    stage.attack((1, 1), 4, (1, 1, 1))
    assert {told.who for told in stage.told(e.TrackChanged)} == {other}


@pytest.mark.rule("CE-THROW-02")
@pytest.mark.parametrize(
    ("weapon", "points"), [("rocket_launcher", -2), ("grenade_launcher", -2), ("grenade_frag", 0)]
)
def test_shot_at_a_person_beside_someone_is_fired_into_combat(weapon: str, points: int) -> None:
    stage = duel(weapon)
    if weapon != "grenade_frag":
        stage.load(ADA, 1)
    assert INTO not in stage.terms()
    stage.join("Cy", 21)
    assert stage.terms().get(INTO, 0) == points
    item = stage[ADA].items[0].id
    at = stage.preview("lob", ADA, weapon=item, to="20,0").modifiers
    assert INTO not in {stage.system.draw(term.label) for term in at}


def test_everyone_aboard_a_vehicle_is_beside_everyone_else_in_it() -> None:
    stage = duel()
    vehicle = car(stage, 20)
    stage.put_inside(BO, vehicle)
    assert INTO not in stage.terms()
    other = crew(stage, vehicle)
    stage.edit(other, at=Point(24, 0))  # a long vehicle
    stage.edit(BO, at=Point(16, 0))
    assert stage.terms()[INTO] == -2
    assert [one.id for one in find_neighbours(stage.state, BO)] == [other]
