"""Paths around the walls of the battle map."""

from __future__ import annotations

import random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from combat.rules.core.commands.commands import command_data, read_command
from combat.rules.core.engine.engine import AutoDriver, Done, run
from combat.rules.core.gm.ways import find_shut
from combat.rules.core.map.vision import is_seen, make_observers
from combat.rules.core.space import NO_MAP, BattleMap, Point, distance, with_map
from combat.rules.core.state.events import Moved
from combat.rules.core.state.state import State, decode, encode, replace
from combat.rules.cosmos.move.movement import find_arm
from tests.combat.rules.core.space.maps import make_city, wall_with_door
from tests.combat.rules.cosmos.duels import ADA, BO, add_ally, duel
from tests.combat.rules.cosmos.figures import CosmosStage
from tests.typed import as_a

WALL = {"id": "w", "x1": 2.5, "y1": -6.5, "x2": 2.5, "y2": 6.5}
DOOR = {"id": "d", "x1": 2.5, "y1": -450, "x2": 2.5, "y2": 450, "kind": "door", "name": "Hatch"}


def before(*walls: dict[str, object]) -> CosmosStage:
    stage = duel("club", apart=5)
    stage.zone("hall", x=-20, y=-20, width=40, depth=40)
    stage.do("set_map", map={"walls": walls})
    return stage


@pytest.mark.rule("COS-MOVE-02")
def test_a_move_leads_round_a_wall_and_costs_the_way() -> None:
    stage = before(WALL)
    refused = stage.refused("move", ADA, to="4.4,0")
    assert refused.message.startswith("Too far: that way takes")
    stage.do("full_move", ADA, to="4.4,0")
    (moved,) = [fact.event for fact in stage.facts if isinstance(fact.event, Moved)]
    assert len(moved.path) > 2
    assert 14 < moved.cost <= 20
    assert stage[ADA].at == Point(4.4, 0)


@pytest.mark.rule("COS-MOVE-02")
def test_as_far_as_it_takes_stops_on_the_path_round() -> None:
    stage = before(WALL)
    stage.do("move", ADA, to=f"near:{BO}", far=True)
    assert 0 < distance(Point(0, 0), stage[ADA].at) <= 10
    assert abs(stage[ADA].at.y) > 1


@pytest.mark.rule("COS-MOVE-06")
def test_a_sprint_bends_round_nothing() -> None:
    assert before(WALL).refused("sprint", ADA, to="4.4,0").message == "A sprint follows one straight line."


@pytest.mark.slow
@pytest.mark.rule("COS-ACT-11")
def test_a_shut_door_is_named() -> None:
    stage = before(DOOR)
    refused = stage.refused("full_move", ADA, to="4.4,0")
    assert refused.message == "Hatch is shut, and the way round it is too long: open it first."
    stage.do("set_door", door="d", open=True)
    stage.do("move", ADA, to="4.4,0")
    assert stage[ADA].at == Point(4.4, 0)


@pytest.mark.rule("COS-MOVE-03")
def test_what_can_be_reached_lies_on_paths_round_the_wall() -> None:
    stage = before(WALL)
    find = stage.system.action("move").find_reach
    assert find is not None
    costs = {(r.at.x, r.at.y): r.meters for r in find(stage.state, ADA)}
    assert (2, 0) in costs
    assert (4, 0) not in costs
    free = {(r.at.x, r.at.y): r.meters for r in find(before().state, ADA)}
    assert all(free[at] <= cost for at, cost in costs.items())


@pytest.mark.rule("COS-MANV-06")
def test_someone_thrown_ends_at_a_wall() -> None:
    for walls, x in (((), 3.0), (({**WALL, "x1": 2.3, "x2": 2.3},), 2.0)):
        stage = duel("club", apart=1)
        stage.do("set_map", map={"walls": walls})
        stage.give(BO, "grappled", by=ADA)
        stage.give(ADA, "grappled", by=BO)
        stage.do("squeeze", ADA, target=BO, effect="throw", dice=[(10, 9), (1, 2), 3])
        assert stage[BO].at.x == x


@pytest.mark.rule("COS-MANV-06")
def test_large_one_thrown_ends_where_they_have_room() -> None:
    stage = duel("club", apart=1)
    stage.do("set_map", map={"walls": [{**WALL, "x1": 3.2, "x2": 3.2}]})
    stage.do("resize", target=BO, metres=3)
    stage.give(BO, "grappled", by=ADA)
    stage.give(ADA, "grappled", by=BO)
    stage.do("squeeze", ADA, target=BO, effect="throw", dice=[(10, 9), (1, 2), 3])
    assert stage[BO].at.x == 1.5, "1.5 m of their own, 0.5 m at a time"


@pytest.mark.rule("COS-ZG-06")
def test_nobody_drifts_through_a_wall() -> None:
    stage = duel("club", apart=9)
    stage.zone("hall", x=-20, y=-20, width=40, depth=40)
    stage.do("set_map", map={"walls": [{**WALL, "x1": 1.5, "x2": 1.5}]})
    stage.do("set_setting", key="gravity", value="zero")
    stage.give(ADA, "drifting", marks={"x": 1000, "y": 0})
    for _ in range(2):
        stage.turn(ADA)
        stage.do("next_turn")
    assert stage[ADA].at == Point(1, 0)


def crowd(drawn: BattleMap) -> tuple[CosmosStage, State]:
    """Sixty on both sides of a city, and Ada in the middle of it."""
    stage, chance = duel("pistol", apart=20), random.Random(3)
    stage.edit(ADA, at=Point(50, 50), pc=True)
    for number in range(58):
        at = Point(float(chance.randrange(100)), float(chance.randrange(100)))
        other = replace(stage[BO], id=f"g{number}", at=at, side=("allies", "enemies")[number % 2])
        stage.state = replace(stage.state, combatants={**stage.state.combatants, other.id: other})
    return stage, replace(stage.state, scene=with_map(stage.state.scene, drawn))


@pytest.mark.parametrize(
    "drawn", [NO_MAP, make_city(), replace(make_city(), fog=True)], ids=["none", "walls", "fog"]
)
def test_a_move_among_sixty_and_two_thousand_walls(benchmark: BenchmarkFixture, drawn: BattleMap) -> None:
    """From stored state to stored state: 1 ms without a map, 2 more with walls, 5 with fog."""
    stage, state = crowd(drawn)
    stored, action = encode(state), stage.system.action("move")
    command = read_command(action, {"actor": ADA, "to": "50,51"})

    def move() -> bytes:
        done = run(stage.system, decode(stored), action, command, AutoDriver(random.Random(1)))
        return encode(as_a(done, Done).state)

    assert decode(benchmark(move)).combatants[ADA].at == Point(50, 51)


@pytest.mark.slow
@pytest.mark.rule("COS-MOVE-02")
def test_no_refusal_names_a_door_in_a_hidden_area() -> None:
    stage = before(DOOR)
    stage.do("change_map", hidden=[{"id": "a", "x": 2, "y": -1, "width": 9, "depth": 2}])
    assert "Hatch" not in stage.refused("full_move", ADA, to="5,0").message


def test_where_a_fog_begins_and_a_hidden_area_ends_agree() -> None:
    """A combatant on the edge of a hidden area is seen, with fog and without."""
    for fog in (False, True):
        stage = before()
        area = {"id": "a", "x": 5, "y": -1, "width": 9, "depth": 2}
        stage.do("change_map", hidden=[area], look={"fog": fog})
        stage.edit(ADA, pc=True)
        eyes = stage.system.find_eyes(stage.state)
        (lookout,) = make_observers(stage.state, eyes, [stage[ADA].side])
        for x, seen in ((5.0, True), (6.0, False)):
            stage.edit(BO, at=Point(x, 0))
            assert is_seen(stage.state, eyes, lookout, stage[BO]) == seen


@pytest.mark.rule("COS-ATK-05", "COS-MOVE-02")
def test_a_large_target_is_reached_at_its_edge() -> None:
    stage = before()
    stage.do("place", target=BO, x=9, y=0)
    club = stage.item(ADA, "club").id
    assert stage.refused("attack", ADA, target=BO, weapon=club).code == "out_of_range"
    stage.do("resize", target=BO, metres=5)
    refused = stage.refused("full_move", ADA, to="8,0")
    assert refused.message == "Bo is in the way there: choose a place with more room."
    stage.do("move", ADA, to=f"near:{BO}")
    assert stage[ADA].at == Point(6, 0)
    stage.do("attack", ADA, target=BO, weapon=club, dice=((2, 2),))


@pytest.mark.rule("COS-MOVE-02")
def test_a_large_one_goes_up_to_others_with_their_edge() -> None:
    stage = before()
    stage.do("resize", target=ADA, metres=4)
    stage.edit(BO, at=Point(9, 0))
    stage.do("move", ADA, to=f"near:{BO}")
    assert stage[ADA].at == Point(6.5, 0)


@pytest.mark.rule("COS-MOVE-02")
def test_a_large_one_does_not_pass_a_narrow_door() -> None:
    stage = before({**WALL, "y2": -0.8}, {**WALL, "id": "v", "y1": 0.8})
    stage.do("resize", target=ADA, metres=3)
    assert stage.refused("move", ADA, to="4,0").message.startswith("Too far: that way takes")


@pytest.mark.rule("COS-MOVE-02")
def test_furthest_move_ends_before_a_large_body_in_the_way() -> None:
    stage = before()
    stage.edit(BO, at=Point(19, 0))
    stage.do("resize", target=add_ally(stage, (11, 0)), metres=5)
    stage.do("move", ADA, to=f"near:{BO}", far=True)
    assert stage[ADA].at.x == 8


@pytest.mark.rule("COS-ACT-11")
def test_tactics_walk_to_the_door_that_leads_to_an_enemy() -> None:
    stage = before(*wall_with_door(2.5))
    name, command = stage.system.tactics.suggest(stage.state, ADA) or pytest.fail("nothing to do")
    assert name in ("move", "free_move")
    stage.do(name, **command_data(command))
    assert find_shut(stage.state, ADA, find_arm(stage.state)), "it is within reach"


@pytest.mark.rule("COS-MOVE-02")
def test_a_zone_that_a_wall_halves_is_entered_beside_the_wall() -> None:
    stage = before({"id": "w", "x1": 0.5, "y1": -20, "x2": 0.5, "y2": 20})
    stage.zone("room", x=-3.5, y=2, width=8, depth=4)  # its center is on the wall
    stage.do("move", ADA, to="zone:room")
    assert stage[ADA].at.y > 2
    assert stage[ADA].at.x != 0.5
