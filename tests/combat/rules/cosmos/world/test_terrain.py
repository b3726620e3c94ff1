"""Terrain: rough and hazardous ground, and obstacles in the way."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from tests.combat.rules.cosmos.duels import ADA, BO, card, duel, labels, pass_turns, rule_of
from tests.combat.rules.cosmos.figures import CosmosStage


def ground(*tags: str, start: float = 2, depth: float = 30, **options: Any) -> CosmosStage:
    """Ada at the origin; from `start` meters north the ground is of these kinds."""
    stage = duel(apart=50, **options)
    stage.zone("patch", x=-5, y=start, width=10, depth=depth, terrain=list(tags))
    return stage


# ---------------------------------------------------------------- difficult terrain


@pytest.mark.rule("COS-TERR-02")
def test_as_far_as_it_takes_stops_in_the_rubble() -> None:
    stage = ground("rubble", start=5)
    stage.do("move", ADA, to="0,20", far=True)
    assert stage[ADA].at == Point(0, 8)


@pytest.mark.rule("COS-TERR-04")
@pytest.mark.parametrize(("go", "to"), [("move", "0,5"), ("full_move", "0,10")])
def test_rough_going_costs_two_defense_until_the_next_turn(go: str, to: str) -> None:
    stage = ground("rubble", start=0)
    stage.do(go, ADA, to=to)
    assert card(stage, ADA) == 16
    assert rule_of(stage.derived(ADA, "Defense").terms, "Difficult terrain") == (-2, "COS-TERR-04")
    pass_turns(stage, 1)
    assert card(stage, ADA) == 16
    pass_turns(stage, 1)
    assert card(stage, ADA) == 18


@pytest.mark.rule("COS-TERR-04")
def test_rough_going_counts_once_however_often() -> None:
    stage = ground("rubble", start=0)
    stage.do("move", ADA, to="0,2")
    stage.do("move", ADA, to="0,4")
    assert card(stage, ADA) == 16


@pytest.mark.rule("COS-TERR-04")
def test_standing_in_rubble_costs_nothing() -> None:
    assert card(ground("rubble", start=-5), ADA) == 18


# ---------------------------------------------------------------- hazardous terrain


@pytest.mark.rule("COS-TERR-08")
def test_fire_burns_on_entering_and_at_each_turn_inside() -> None:
    stage = ground("fire")
    stage.do("move", ADA, to="0,3", dice=[4])
    assert stage.hp(ADA) == 92
    stage.do("move", ADA, to="0,4")
    assert stage.hp(ADA) == 92
    stage.do("next_turn")
    stage.do("next_turn", dice=[2])
    assert (stage.state.active, stage.hp(ADA)) == (ADA, 90)
    stage.do("move", ADA, to="0,0")
    assert stage.hp(ADA) == 90
    pass_turns(stage)
    assert stage.hp(ADA) == 90


@pytest.mark.rule("COS-TERR-08")
def test_climbing_into_fire_burns() -> None:
    stage = ground("fire", start=2)
    stage.do("climb", ADA, obstacle="medium", to="0,3", dice=[(5, 5), 3])
    assert stage.hp(ADA) == 93


@pytest.mark.rule("COS-TERR-08", "COS-ACT-12")
def test_climbing_low_over_fire_burns() -> None:
    stage = ground("fire", start=1, depth=1)
    stage.do("climb", ADA, obstacle="low", to="0,3", dice=[3])
    assert (stage.hp(ADA), stage[ADA].at) == (93, Point(0, 3))


@pytest.mark.rule("COS-TERR-04", "COS-ACT-12")
def test_climbing_over_rough_ground_is_rough_going_too() -> None:
    stage = ground("rubble", start=1)
    stage.do("climb", ADA, obstacle="low", to="0,3")
    assert card(stage, ADA) == 16


@pytest.mark.rule("COS-TERR-07")
def test_the_gm_is_told_where_a_crossing_may_call_for_a_save() -> None:
    stage = ground("toxic waste")
    stage.do("move", ADA, to="0,3")
    (fact,) = [fact for fact in stage.facts if fact.rule == "COS-TERR-07"]
    assert fact.to == e.GM_ONLY


# ---------------------------------------------------------------- obstacles


@pytest.mark.rule("COS-TERR-09")
def test_low_walls_shorten_a_long_way() -> None:
    stage = duel()
    stage.do("move", ADA, to="0,30", low=2, far=True)
    assert stage[ADA].at == Point(0, 7)
    stage.turn(ADA)
    stage.do("full_move", ADA, to="0,60", low=1, far=True)
    assert stage[ADA].at == Point(0, 27)


@pytest.mark.rule("COS-TERR-09")
def test_stepping_over_is_free_before_and_after_other_moves() -> None:
    stage = duel()
    stage.do("move", ADA, to="here", low=1)
    assert "COS-TERR-09" in stage.rules()
    assert stage[ADA].budget == {"standard": 1, "move": 1, "quick": 3}
    stage.do("move", ADA, to="0,5")
    stage.do("move", ADA, to="here", low=1)
    assert stage[ADA].budget == {"standard": 1, "move": 0, "quick": 3}


@pytest.mark.rule("COS-TERR-09", "COS-MOD-08")
def test_stepping_over_is_movement_all_the_same() -> None:
    stage = duel()
    stage.do("move", ADA, to="here", low=1)
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"), aimed=True)
    assert no.message == "An aimed shot needs a turn without movement."


@pytest.mark.rule("COS-TERR-09")
@pytest.mark.parametrize("low", [-1, 21])
def test_so_many_walls_there_are_not(low: int) -> None:
    for go in ("move", "full_move", "sprint"):
        no = duel().refused(go, ADA, to="0,5", low=low)
        assert (no.code, no.message) == ("bad_value", "Cross 0 to 20 low obstacles at a time.")


def climber(athletics: int = 2, **options: Any) -> CosmosStage:
    """Ada, with some Athletics, before an obstacle."""
    return duel(ada={"skills": {"Combat": 5, "Athletics": athletics}}, **options)


@pytest.mark.rule("COS-TERR-11")
def test_climbing_gear_and_wounds_count() -> None:
    stage = duel(ada={"gear": ("climbing_gear",)})
    stage.set_track(ADA, hp=60)
    stage.do("climb", ADA, obstacle="medium", adjust=1, because="ledge", dice=[(2, 2)])
    check = stage.check("Athletics")
    assert check.total == 4 + 5 + 2 - 1 + 1
    assert labels(check.modifiers) == ["Might", "Wounded", "Climbing gear", "Situational: ledge"]


@pytest.mark.rule("COS-TERR-12", "COS-TERR-13")
@pytest.mark.parametrize(("tn", "against", "over"), [(0, 14, True), (14, 14, True), (17, 17, False)])
def test_high_obstacle_takes_a_standard_action_and_athletics_14(tn: int, against: int, over: bool) -> None:
    stage = climber()
    stage.do("climb", ADA, obstacle="high", metres=3, tn=tn, to="0,1", dice=[(5, 3)])
    check = stage.check("Athletics")
    assert (check.total, check.against, check.good) == (14, against, over)
    assert stage[ADA].at == (Point(0, 1) if over else Point(0, 0))
    assert stage[ADA].budget == {"standard": 0, "move": 1, "quick": 3}
    assert [fact.rule for fact in stage.facts if isinstance(fact.event, e.BudgetSpent)] == ["COS-TERR-12"]


@pytest.mark.rule("COS-TERR-13")
@pytest.mark.parametrize(("meters", "tn"), [(3, 14), (4, 14), (5, 17), (6, 17), (8, 20), (10, 23)])
def test_higher_obstacles_are_harder(meters: int, tn: int) -> None:
    stage = climber()
    (target,) = stage.preview("climb", ADA, obstacle="high", metres=meters).against
    assert (target.value, target.rule) == (tn, "COS-TERR-13")
    stage.do("climb", ADA, obstacle="high", metres=meters, dice=[(1, 2)])
    assert stage.check("Athletics").against == tn


@pytest.mark.rule("COS-TERR-13")
def test_the_number_may_be_the_table_s() -> None:
    stage = climber(default_tn=11)
    stage.do("climb", ADA, obstacle="high", metres=6, dice=[(1, 2)])
    assert stage.check("Athletics").against == 14


@pytest.mark.rule("COS-ACT-12", "COS-MOVE-02")
def test_low_climb_covers_what_is_next_and_no_more_than_speed() -> None:
    stage = duel(ada={"attributes": {"COO": 1}})
    assert stage.refused("climb", ADA, obstacle="low", to="0,10").code == "out_of_range"
    stage.give(ADA, "fatigued")
    stage.zone("rubble", x=-5, y=0.5, width=10, depth=10, terrain=["rubble"])
    no = stage.refused("climb", ADA, obstacle="low", to="0,3")
    assert no.message == "Too far: that way takes 5.5 m of movement, Ada has 3 m."
    stage.do("climb", ADA, obstacle="low", to="0,1.5")


@pytest.mark.rule("COS-ACT-12", "COS-TERR-08", "COS-TERR-10")
@pytest.mark.parametrize(
    ("wall", "low", "medium"),
    [
        ({"kind": "wall"}, False, False),
        ({"kind": "door", "locked": True}, False, False),
        ({"kind": "window"}, False, False),
        ({"kind": "fence"}, False, True),
    ],
)
def test_nobody_climbs_through_walls_and_shut_doors(wall: dict[str, object], low: bool, medium: bool) -> None:
    stage = duel()
    stage.zone("hall", x=-20, y=-20, width=40, depth=40)
    stage.do("set_map", map={"walls": [{"id": "w", "x1": -90, "y1": 1, "x2": 90, "y2": 1, **wall}]})
    for obstacle, passes in (("low", low), ("medium", medium)):
        if passes:
            stage.do("climb", ADA, obstacle=obstacle, to="0,2", dice=[(9, 9)])
            assert stage[ADA].at == Point(0, 2)
        else:
            no = stage.refused("climb", ADA, obstacle=obstacle, to="0,2")
            assert no.message == "Something too high is in the way: climb elsewhere."


@pytest.mark.rule("COS-TERR-08", "COS-TERR-10", "COS-ACT-12")
@pytest.mark.parametrize(("height", "kind"), [(1, "low"), (2, "medium"), (3, "high")])
def test_a_crate_of_the_map_is_climbed_by_its_height(height: float, kind: str) -> None:
    stage = duel()
    stage.zone("hall", x=-20, y=-20, width=40, depth=40)
    crate = {"id": "c", "name": "Crate", "x": -5, "y": 1, "width": 10, "depth": 1, "height": height}
    stage.do("set_map", map={"obstacles": [crate]})
    lower = {"low": [], "medium": ["low"], "high": ["low", "medium"]}[kind]
    for obstacle in lower:
        assert stage.refused("climb", ADA, obstacle=obstacle, to="0,3").code == "out_of_range"
    stage.do("climb", ADA, obstacle=kind, to="0,3", dice=[] if kind == "low" else [(9, 9)])
    assert stage[ADA].at == Point(0, 3)


@pytest.mark.rule("COS-TERR-12")
def test_impossible_climbs_are_refused() -> None:
    stage = climber()
    assert stage.refused("climb", ADA, obstacle="high", metres=2).message == "A high obstacle is 3 to 60 m."
    for tn in (-5, 1, 61):
        assert stage.refused("climb", ADA, obstacle="high", tn=tn).code == "bad_value"
        with pytest.raises(Refused):
            stage.preview("climb", ADA, obstacle="high", tn=tn)
    assert stage.refused("climb", ADA, obstacle="wide").code == "bad_value"
    no = stage.refused("climb", ADA, obstacle="medium", to="0,11")
    assert (no.code, no.message) == ("out_of_range", "A climb covers 3 m: move next to it first.")
    stage.give(ADA, "grappled", by=BO)
    assert stage.refused("climb", ADA, obstacle="medium").code == "not_allowed"


@pytest.mark.rule("COS-TERR-10", "COS-MOD-08")
def test_climbing_is_movement_for_who_wants_to_aim() -> None:
    stage = climber()
    stage.do("climb", ADA, obstacle="medium", dice=[(9, 9)])
    stage.do("give_budget", target=ADA, pool="move", left=1)
    no = stage.refused("attack", ADA, target=BO, weapon=stage.weapon(ADA, "pistol"), aimed=True)
    assert no.message == "An aimed shot needs a turn without movement."


@pytest.mark.rule("COS-TERR-10")
def test_each_try_at_a_medium_obstacle_costs_a_move_action() -> None:
    stage = climber()
    stage.do("climb", ADA, obstacle="medium", dice=[(1, 2)])
    stage.do("climb", ADA, obstacle="medium", dice=[(1, 2)])
    assert stage[ADA].budget == {"standard": 0, "move": 0, "quick": 3}
    assert stage.refused("climb", ADA, obstacle="medium").code == "no_budget"


# ---------------------------------------------------------------- saves that the GM requests


@pytest.mark.rule("COS-TERR-07")
def test_the_gm_asks_a_save_for_crossing_hazardous_ground() -> None:
    stage = ground("toxic waste")
    stage.do("save", target=ADA, attribute="COO", why="the vat", dice=[(4, 5)])
    check = stage.check("Coordination save")
    assert (check.total, check.against, check.good) == (15, 14, True)
    assert rule_of(check.modifiers, "Coordination") == (6, "COS-TERR-07")
    assert stage.preview("save", "", target=ADA).modifiers == check.modifiers
    assert stage[ADA].budget == {"standard": 1, "move": 1, "quick": 3}


@pytest.mark.rule("COS-TERR-07")
@pytest.mark.parametrize(("option", "sum_"), [(False, 15), (True, 15 - 1 - 2)])
def test_penalties_count_in_saves_only_where_the_table_says_so(option: bool, sum_: int) -> None:
    stage = ground("toxic waste", saves_take_penalties=option)
    stage.set_track(ADA, hp=60)
    stage.give(ADA, "fatigued")
    stage.do("save", target=ADA, dice=[(4, 5)])
    assert stage.check("Coordination save").total == sum_


@pytest.mark.rule("COS-TERR-07")
@pytest.mark.parametrize("tn", [11, 14, 17, 20])
def test_the_usual_number_of_a_save_is_the_table_s(tn: int) -> None:
    stage = ground("toxic waste", default_tn=tn)
    stage.do("save", target=ADA, dice=[(4, 5)])
    assert stage.check("Coordination save").against == tn
    stage.do("save", target=ADA, tn=16, dice=[(4, 5)])
    assert stage.check("Coordination save").against == 16


@pytest.mark.rule("COS-TERR-07")
def test_a_save_needs_someone_an_attribute_and_a_number() -> None:
    stage = ground("toxic waste")
    assert stage.refused("save", target="f9").code == "unknown"
    assert stage.refused("save", target=ADA, attribute="LUCK").code == "bad_value"
    assert stage.refused("save", target=ADA, tn=-3).code == "bad_value"
