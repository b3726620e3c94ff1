"""Ways between decks, holes in a floor, lids, and nobody on the spot of someone else."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.cepheus import SYSTEM
from combat.rules.cepheus.characters import machinery
from combat.rules.cepheus.move.ways import take_way_fields
from combat.rules.cepheus.quick import SYSTEM as QUICK
from combat.rules.core.space import Point, map_of, on_ground, plan_distance
from combat.rules.core.wording import describe_facts
from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.fight.ring import grapple, ring
from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage, sheet
from tests.combat.rules.cepheus.vehicles.garage import Garage, Road
from tests.combat.rules.every_game.decks import SHIFT, make_ship
from tests.combat.rules.stage import Stage

SHAFT = {"id": "shaft", "kind": "shaft", "x1": 12, "y1": 6, "x2": 36, "y2": 6, "hole": [37, 5, 3, 3]}
LID = {"id": "lid", "kind": "hatch", "x1": 12, "y1": 6, "x2": 36, "y2": 6, "hole": [37, 5, 3, 3]}
EDGE = 37  # where the hole of the upper deck begins


def put(stage: Stage, who: str, x: float, y: float = 6) -> None:
    stage.edit(who, at=on_ground(stage.state.scene, Point(x, y)))


def climb(stage: CepheusStage, meters: float, kind: str = "ladder") -> CepheusStage:
    """Ada at the foot of a way of some meters, on her turn; Bo far off."""
    ship = make_ship({"id": "up", "kind": kind, "x1": 4, "y1": 6, "x2": 4 + SHIFT, "y2": 6})
    low, high = ship["decks"]
    stage.do("set_map", map={**ship, "decks": [low, {**high, "height": meters}]})
    put(stage, ADA, 4)
    put(stage, BO, 20, 12)
    return stage


def walker(**options: Any) -> RangeStage:
    return duel("auto_pistol", 20, **options)


def go(stage: Stage) -> dict[str, int]:
    """Take the way; return what is left of the turn."""
    stage.do("way", ADA, way="up")
    assert stage[ADA].at.x == 4 + SHIFT
    return stage[ADA].budget


def price(stage: Stage) -> str:
    """What the form says of the way."""
    (option,) = take_way_fields(stage.state, ADA)[0].options
    return option.refused or option.detail


def log(stage: Stage, *names: str) -> list[str]:
    people = dict(zip((ADA, BO), names, strict=True))
    return [line.text for line in describe_facts(stage.system, stage.facts, people)]


# ---------------------------------------------------------------- what a way costs


@pytest.mark.full_rules
@pytest.mark.rule("CE-MINOR-15")
@pytest.mark.parametrize("kind", ["ladder", "stairs", "lift"])
@pytest.mark.parametrize(
    ("meters", "left", "told"),
    [
        (3, {"minor": 0, "significant": 1}, "3 m"),
        (6, {"minor": 0, "significant": 1}, "6 m"),
        (7, {"minor": 1, "significant": 0}, "7 m, 2 minor actions"),
        (18, {"minor": 0, "significant": 0}, "18 m, 3 minor actions"),
        (30, {"minor": 0, "significant": 0}, "30 m, the whole turn"),
    ],
)
def test_way_costs_a_minor_action_per_six_meters_up_to_a_turn(
    kind: str, meters: float, left: dict[str, int], told: str
) -> None:
    stage = climb(walker(), meters, kind)
    assert price(stage) == told
    assert go(stage) == left


@pytest.mark.parametrize("spent", [{"minor": 0, "significant": 1}, {"minor": 1, "significant": 0}])
def test_what_takes_a_whole_turn_begins_one(spent: dict[str, int]) -> None:
    stage = climb(walker(), 30)
    stage.edit(ADA, budget=spent)
    why = "That way takes a whole turn: begin a turn with it."
    assert stage.refused("way", ADA, way="up").message == why == price(stage)
    stage.edit(ADA, budget={"minor": 3, "significant": 0})
    assert go(stage) == {"minor": 0, "significant": 0}


def test_way_longer_than_what_is_left_of_the_turn_is_refused() -> None:
    stage = climb(walker(), 12)
    stage.edit(ADA, budget={"minor": 1, "significant": 0})
    assert stage.refused("way", ADA, way="up").code == "no_budget"
    stage.edit(ADA, budget={"minor": 2, "significant": 0})
    assert go(stage)["minor"] == 0


def test_longer_way_takes_both_actions_unless_one_is_exchanged() -> None:
    stage = climb(walker(three_minors=False), 12)
    assert go(stage) == {"minor": 0, "significant": 0}
    stage = climb(walker(three_minors=False), 12)
    stage.edit(ADA, budget={"minor": 1, "significant": 0})
    assert "whole turn" in stage.refused("way", ADA, way="up").message


@pytest.mark.full_rules
@pytest.mark.rule("CE-MINOR-18", "CE-MINOR-19")
@pytest.mark.parametrize("where", [0, SHIFT])
def test_the_crouched_and_rubble_at_an_end_of_a_way_halve_it(where: float) -> None:
    stage = climb(walker(), 5)
    stage.give(ADA, "crouched")
    assert price(stage) == "5 m, 2 minor actions"
    stage = climb(walker(), 5)
    stage.zone("rubble", x=where, y=0, width=10, depth=12, height=5 if where else 0, terrain=["difficult"])
    put(stage, ADA, 4)
    assert price(stage) == "5 m, 2 minor actions"
    assert go(stage) == {"minor": 1, "significant": 0}


@pytest.mark.parametrize(("kind", "told"), [("ladder", "3 m, 2 minor actions"), ("stairs", "3 m")])
def test_slow_ladders_take_twice_as_many_minor_actions(kind: str, told: str) -> None:
    assert price(climb(walker(slow_ladders=True), 3, kind)) == told


# ---------------------------------------------------------------- who takes a way


@pytest.mark.parametrize("kind", ["ladder", "stairs"])
@pytest.mark.parametrize("system", [SYSTEM, QUICK], ids=["full", "quick"])
def test_prone_and_seriously_wounded_take_no_way_past_their_move(kind: str, system: Any) -> None:
    stage = climb(walker(system=system), 3, kind)
    stage.give(ADA, "prone")
    assert stage.refused("way", ADA, way="up").message == "Ada is prone and crawls 1.5 m: stand up first."
    stage = climb(walker(system=system), 3, kind)
    stage.wounded(ADA, 6, 6, 6)
    why = "Too far for the seriously wounded: that takes 3 m, Ada has 1.5 m."
    assert stage.refused("way", ADA, way="up").message == why == price(stage)
    stage = climb(walker(system=system), 1.5, kind)
    stage.wounded(ADA, 6, 6, 6)
    go(stage)
    stage.turn(ADA)
    assert "that is done" in stage.refused("way", ADA, way="up").message, "in a whole round"


@pytest.mark.parametrize("system", [SYSTEM, QUICK], ids=["full", "quick"])
def test_a_lift_carries_the_seriously_wounded_who_have_limped(system: Any) -> None:
    stage = climb(walker(system=system), 6, "lift")
    put(stage, ADA, 2.5)
    stage.wounded(ADA, 6, 6, 6)
    stage.do("move", ADA, to="4,6")
    assert "1.5 m a round" in stage.refused("move", ADA, to="5,6").message
    go(stage)


@pytest.mark.rule("CE-VLOC-40")
def test_robot_without_limbs_climbs_no_ladder_but_takes_the_lift() -> None:
    for kind in ("ladder", "lift"):
        stage = Garage()
        robot = stage.robot()
        stage.foe()
        stage.begin()
        for limb in machinery.find_limbs(stage[robot]):
            stage.hurt(robot, "limb", 2, limb)
        climb(stage, 3, kind)
        if kind == "ladder":
            assert "limb" in stage.refused("way", ADA, way="up").message
        else:
            go(stage)


def test_a_way_ends_beside_those_who_stand_at_its_end() -> None:
    stage = climb(walker(), 3)
    put(stage, BO, 4 + SHIFT)
    stage.do("way", ADA, way="up")
    assert stage[ADA].at.z == 3
    assert plan_distance(stage[ADA].at, stage[BO].at) >= 1


# ---------------------------------------------------------------- holes


def drive(speed: int, *, controlled: bool = True) -> Road:
    """A car on an upper deck, 6 m before a hole."""
    road = Road()
    road.do("set_map", map=make_ship(SHAFT))
    put(road, road.car, EDGE - 6, 6.5)
    road.edit(road.driver, at=road[road.car].at)
    road.moving(road.car, speed, facing=90)
    if controlled:
        road.do("drive", road.driver, to="44,6.5")
    else:
        road.end_turn()
    return road


@pytest.mark.rule("CE-VEH-04")
def test_a_car_that_is_driven_stops_at_the_rim_of_a_hole() -> None:
    road = drive(50)
    assert EDGE - 1 <= road[road.car].at.x <= EDGE
    assert road[road.car].at.z == 3
    assert machinery.find_speed(road.state, road[road.car]) == 0
    lines = describe_facts(road.system, road.facts, {road.car: "Car"})
    assert lines[-1].text == "Car brakes at the rim of a hole."


@pytest.mark.rule("CE-VEH-05")
def test_a_car_out_of_control_falls_and_stands_below() -> None:
    road = drive(8, controlled=False)
    assert road[road.car].at.z == 0
    assert road[road.driver].at == road[road.car].at
    assert machinery.find_speed(road.state, road[road.car]) == 0
    lines = describe_facts(road.system, road.facts, {road.car: "Car"})
    assert "Car falls 3 m to the deck below." in [line.text for line in lines]


def at_hole(ada: float, bo: float, *ways: dict[str, Any]) -> RangeStage:
    """Ada and Bo in a grapple on the upper deck, each this far from its corner."""
    stage = ring(held=True)
    stage.do("set_map", map=make_ship(*(ways or (SHAFT,))))
    put(stage, ADA, ada, 6.5)
    put(stage, BO, bo, 6.5)
    return stage


@pytest.mark.rule("CE-GRAP-08")
def test_an_escape_does_not_lead_into_a_hole() -> None:
    stage = at_hole(EDGE - 1, EDGE - 2)
    grapple(stage, 4, "escape", "east-6")
    assert stage[ADA].at.z == 3
    assert stage[ADA].at.x <= EDGE


@pytest.mark.rule("CE-GRAP-07", "CE-GRAP-11")
def test_the_thrown_fall_and_those_who_drag_stop_at_the_rim() -> None:
    stage = at_hole(EDGE - 2, EDGE - 1)
    grapple(stage, 4, "throw", 3, "east-3")
    assert (stage[BO].at.z, stage[ADA].at.z) == (0, 3)
    assert "Bo falls 3 m to the deck below." in log(stage, "Ada", "Bo")
    stage = at_hole(EDGE - 2, EDGE - 1)
    grapple(stage, 4, "drag", "east-3")
    assert (stage[BO].at.z, stage[ADA].at.z) == (0, 3)
    assert stage[ADA].at.x <= EDGE
    assert not stage.has(BO, "grappled")


def test_without_gravity_nobody_falls_and_a_hole_can_be_left() -> None:
    stage = at_hole(EDGE - 2, EDGE - 1)
    stage.do("set_setting", key="gravity", value="zero")
    grapple(stage, 4, "throw", 3, "east-3")
    assert (stage[BO].at.x, stage[BO].at.z) == (EDGE + 2, 3)
    stage.turn(BO)
    stage.do("move", BO, to="44,6.5")
    assert stage[BO].at.x == 44


@pytest.mark.parametrize("by_gm", [False, True])
def test_person_on_a_lid_that_opens_falls_beside_those_below(by_gm: bool) -> None:
    stage = walker()
    stage.do("set_map", map=make_ship({**LID, "open": False}))
    put(stage, ADA, EDGE - 1, 6.5)
    put(stage, BO, EDGE + 1, 6.5)
    cy = stage.join("Cy", EDGE + 1 - SHIFT, 6.5)
    stage.turn(ADA)
    if by_gm:
        stage.do("set_door", door="lid", open=True)
    else:
        stage.do("door", ADA, door="lid")
    assert stage[BO].at.z == 0
    assert 1 <= plan_distance(stage[BO].at, stage[cy].at) < 4
    assert "Bo falls through the opening 3 m to Hold." in log(stage, "Ada", "Bo")
    assert stage[ADA].at.z == 3


def test_nobody_floats_down_when_a_lid_opens_without_gravity() -> None:
    stage = walker()
    stage.do("set_setting", key="gravity", value="zero")
    stage.do("set_map", map=make_ship({**LID, "open": False}))
    put(stage, BO, EDGE + 1, 6.5)
    stage.do("set_door", door="lid", open=True)
    assert stage[BO].at.z == 3


@pytest.mark.rule("CE-THROW-05")
@pytest.mark.parametrize(("gravity", "told"), [("normal", ", on the deck below."), ("zero", ".")])
def test_a_grenade_that_scatters_over_a_hole_comes_down_below(gravity: str, told: str) -> None:
    stage = duel("grenade_smoke", 20)
    stage.do("set_map", map=make_ship(SHAFT))
    stage.do("set_setting", key="gravity", value=gravity)
    put(stage, ADA, 25, 6.5)
    put(stage, BO, 44, 11)
    faces = (5, 2) if gravity == "normal" else (6, 4)  # without Zero-G she misses by more
    stage.do("lob", ADA, weapon=stage[ADA].items[0].id, to="29,6.5", dice=(faces, 1, 1))
    lines = [line for line in log(stage, "Ada", "Bo") if "comes down" in line]
    assert lines == [f"Smoke grenade comes down 9 m to the east{told}"]
    (cloud,) = stage.state.scene.zones
    assert (cloud.centre.x > SHIFT) == (gravity == "zero")


# ---------------------------------------------------------------- nobody on the spot of someone else


def test_a_move_ends_beside_those_who_stand_at_its_end() -> None:
    stage = walker()
    cy = stage.join("Cy", 5, 0)
    assert stage.refused("move", ADA, to="5,0.2").message.startswith("Someone stands there: choose a place")
    stage.do("move", ADA, to=f"near:{BO}", far=True)
    stage.turn(cy)
    stage.edit(cy, at=Point(0, 0))
    stage.do("move", cy, to=f"near:{BO}", far=True)
    assert plan_distance(stage[ADA].at, stage[cy].at) >= 1
    assert stage[cy].at.x > 4


def test_on_squares_one_enters_anothers_square_only_on_purpose() -> None:
    stage = walker()
    stage.do("set_setting", key="distances", value="squares")
    stage.edit(BO, at=Point(6, 0))
    cy = stage.join("Cy", 4.5, 0)
    stage.do("move", ADA, to=f"near:{BO}", far=True)
    assert stage[ADA].at not in (stage[BO].at, stage[cy].at)
    stage.turn(ADA)
    stage.do("move", ADA, to="6,0")
    assert stage[ADA].at == stage[BO].at


def test_in_fog_a_move_does_not_tell_of_enemies() -> None:
    stage = walker()
    stage.edit(BO, at=Point(5, 0))
    stage.do("set_map", map={"walls": [{"id": "w", "x1": -9, "y1": 30, "x2": 9, "y2": 30}], "fog": True})
    assert map_of(stage.state.scene).fog
    stage.do("move", ADA, to="5,0")
    assert stage[ADA].at == stage[BO].at


def test_smoke_lies_on_the_deck_where_it_is_raised() -> None:
    stage = duel("grenade_smoke", 20)
    stage.do("set_map", map=make_ship(SHAFT))
    put(stage, ADA, 25, 6.5)
    put(stage, BO, 44, 11)
    stage.do("lob", ADA, weapon=stage[ADA].items[0].id, to="29,6.5", dice=((6, 6), 1))
    stage.turn(ADA)
    stage.do("move", ADA, to="29,6.5")
    assert stage[ADA].at.z == 3


@pytest.mark.parametrize("lid", [False, True])
def test_a_car_that_falls_stands_beside_those_below(lid: bool) -> None:
    """One that rolls into a hole, and one on a lid that opens."""
    road = Road()
    road.do("set_map", map=make_ship({**(LID if lid else SHAFT), "open": not lid}))
    put(road, road.car, EDGE + 1.5 if lid else EDGE - 6, 6.5)
    road.edit(road.driver, at=road[road.car].at)
    people = [road.add("Cy", at=(0, 0), sheet=sheet()) for _ in range(3)]
    for who, x in zip(people, (0, 1, 2), strict=True):
        put(road, who, EDGE - SHIFT + x, 6.5)
    road.begin(road.driver, *people)
    if lid:
        road.do("set_door", door="lid", open=True)
    else:
        road.moving(road.car, 8, facing=90)
        road.end_turn()
    assert road[road.car].at.z == 0
    assert road[road.driver].at == road[road.car].at
    assert min(plan_distance(road[road.car].at, road[who].at) for who in people) >= 1
