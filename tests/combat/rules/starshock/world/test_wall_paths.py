"""Paths around the walls of a map, from cell to cell."""

from __future__ import annotations

import itertools

import pytest

from combat.rules.core.commands.commands import command_data
from combat.rules.core.gm.ways import find_shut
from combat.rules.core.space import Point
from combat.rules.core.state.events import Moved
from combat.rules.starshock.world.paths import are_in_the_way, find_clear, find_route, make_way
from combat.rules.starshock.world.place import count_between, count_meters
from combat.rules.starshock.world.sight_lines import find_arm
from tests.combat.rules.core.space.maps import wall_with_door
from tests.combat.rules.starshock.figures import ADA, BO, StarStage

WALL = {"id": "w", "x1": 1.5, "y1": -1.2, "x2": 1.5, "y2": 1.2}


def mapped(kind: str, *walls: dict[str, object]) -> StarStage:
    stage = StarStage()
    stage.hero("Ada", "ray_gun", at=(0, 0))
    stage.foe("Bo", "dagger", at=(20, 0))
    stage.zone("deck", x=-20, y=-20, width=60, depth=40)
    stage.map(kind)
    stage.do("set_map", map={"walls": walls})
    return stage.begin(ADA, BO)


@pytest.mark.rule("SS-MAP-04", "SS-MAP-07")
@pytest.mark.parametrize("kind", ["squares", "hexes"])
def test_free_move_leads_round_a_wall(kind: str) -> None:
    stage = mapped(kind, WALL)
    stage.do("free_move", ADA, to="3,0")
    (moved,) = [fact.event for fact in stage.facts if isinstance(fact.event, Moved)]
    assert stage[ADA].at == Point(3, 0)
    assert moved.cost > 3
    steps = [(abs(a.x - b.x), abs(a.y - b.y)) for a, b in itertools.pairwise(moved.path)]
    assert all(max(step) <= 1 for step in steps)


@pytest.mark.rule("SS-MAP-06")
def test_what_is_left_of_the_pool_may_not_lead_round() -> None:
    stage = mapped("squares", {**WALL, "y1": -3.2, "y2": 3.2})
    assert stage.refused("free_move", ADA, to="3,0").message.startswith("Too far: it takes 8 m")
    stage.do("free_move", ADA, to="3,0", far=True)
    assert stage[ADA].at != Point(0, 0)
    assert stage[ADA].at.y != 0


@pytest.mark.rule("SS-MAP-05")
def test_what_can_be_reached_lies_on_paths_round_the_wall() -> None:
    find = mapped("squares").system.action("move").find_reach
    assert find is not None
    free = {(r.at.x, r.at.y): r.meters for r in find(mapped("squares").state, ADA)}
    costs = {(r.at.x, r.at.y): r.meters for r in find(mapped("squares", WALL).state, ADA)}
    assert costs.keys() <= free.keys()
    assert all(free[at] <= cost for at, cost in costs.items())
    assert costs[(3, 0)] > free[(3, 0)]


@pytest.mark.rule("SS-MAP-04")
@pytest.mark.parametrize("kind", ["squares", "hexes"])
def test_a_large_target_is_as_far_as_its_nearest_cell(kind: str) -> None:
    stage = mapped(kind)
    stage.do("place", target=BO, x=6, y=0)
    stage.do("resize", target=BO, metres=5)
    assert count_between(stage.state, stage[ADA], stage[BO]) == 4
    stage.do("free_move", ADA, to=f"near:{BO}")
    assert stage[ADA].at == Point(3, 0)
    assert stage.refused("free_move", ADA, to="4,0").message.startswith("Bo is in the way there")


# ---------------------------------------------------------------- the search for a path


@pytest.mark.rule("SS-MAP-05")
@pytest.mark.parametrize(("diagonal", "slant"), [("one", 1.0), ("five_ten_alternate", 1.5)])
def test_path_counts_corners_as_set_and_has_room_for_the_body(diagonal: str, slant: float) -> None:
    stage = mapped("squares", WALL)
    stage.do("set_option", key="diagonal", value=diagonal)
    stage.do("resize", target=ADA, metres=3)
    way = make_way(stage.state, stage[ADA])
    assert (way.slant, way.meters) == (slant, 3)


@pytest.mark.rule("SS-OTHER-07")
@pytest.mark.parametrize("side", [1, -1])
def test_the_path_round_a_wall_keeps_out_of_the_mud(side: int) -> None:
    stage = mapped("squares", WALL)
    mud = {"id": "mud", "name": "Mud", "x": 0.5, "y": 0.5, "width": 2, "depth": 9, "terrain": ["difficult"]}
    zones = [mud if side > 0 else {**mud, "y": -9.5}]
    stage.do("set_scene", scene={"zones": zones, "settings": {"positioning": "squares"}})
    way = find_route(stage.state, stage[ADA], "3,0")
    assert way[-1] == Point(3, 0)
    assert all(place.y * side <= 0 for place in way)
    assert any(place.y * side < 0 for place in way)


@pytest.mark.rule("SS-MAP-01")
def test_between_zones_no_wall_is_in_the_way() -> None:
    stage = mapped("squares", WALL)
    assert are_in_the_way(stage.state)
    stage.do("set_setting", key="positioning", value="zones")
    assert not are_in_the_way(stage.state)
    assert find_route(stage.state, stage[ADA], "3,0") == (Point(0, 0), Point(3, 0))


@pytest.mark.rule("SS-MAP-04", "SS-RANGE-01")
def test_next_to_someone_is_a_meter_off_on_their_side_of_a_wall() -> None:
    stage = mapped("squares", {**WALL, "x1": 2.5, "x2": 2.5})
    stage.do("place", target=BO, x=3, y=0)
    goal = find_route(stage.state, stage[ADA], f"near:{BO}")[-1]
    assert goal.x >= 3
    assert count_meters(stage.state, goal, stage[BO].at) == 1


@pytest.mark.rule("SS-MANV-03")
@pytest.mark.parametrize(("meters", "stops"), [(1, 9), (3, 7)])
def test_a_wall_stops_whoever_is_pushed_and_too_large_to_pass_it(meters: int, stops: int) -> None:
    stage = mapped("squares", {**WALL, "x1": 8.5, "x2": 8.5, "y1": 0.8, "y2": 4})
    stage.do("resize", target=BO, metres=meters)
    cells = tuple(Point(x, 0) for x in range(5, 10))
    assert find_clear(stage.state, stage[BO], cells)[-1] == Point(stops, 0)


def armed(*walls: dict[str, object]) -> StarStage:
    """Ada with a dagger, Bo behind a wall."""
    stage = StarStage()
    stage.hero("Ada", "dagger", at=(0, 0))
    stage.foe("Bo", "dagger", at=(6, 0))
    stage.zone("deck", x=-20, y=-20, width=60, depth=40)
    stage.map("squares")
    stage.do("set_map", map={"walls": walls})
    return stage.begin(ADA, BO)


@pytest.mark.slow
@pytest.mark.rule("SS-OTHER-07")
def test_tactics_walk_to_the_door_that_leads_to_an_enemy() -> None:
    stage = armed(*wall_with_door(1.5))
    name, command = stage.system.tactics.suggest(stage.state, ADA) or pytest.fail("nothing to do")
    assert name in ("move", "free_move")
    stage.do(name, **command_data(command))
    assert find_shut(stage.state, ADA, find_arm(stage.state)), "it is within reach"
