"""Everyday walks, as a game takes them that says no more than how far: the made-up one does."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from combat.rules import find_system
from combat.rules.core.basics.errors import Refused, why_refused
from combat.rules.core.gm.everyday import Approach, Walks
from combat.rules.core.space import path_length, paths
from tests.combat.rules.stage import Stage

WALKS = Walks(find_meters=lambda state, combatant: 6.0)
WALL = {"id": "w1", "kind": "wall", "x1": 1, "y1": -1.5, "x2": 1, "y2": 1.5}
ROOM = [
    {"id": f"r{number}", "kind": "wall", "x1": x1, "y1": y1, "x2": x2, "y2": y2}
    for number, (x1, y1, x2, y2) in enumerate(
        ((-9, -3, 1, -3), (-9, 3, 1, 3), (-9, -3, -9, 3), (1, -3, 1, -1), (1, 1, 1, 3))
    )
]
DOOR = {"id": "d1", "kind": "door", "x1": 1, "y1": -1, "x2": 1, "y2": 1}
SHUT = [*ROOM, {**DOOR, "kind": "wall"}]
ADA, BO = "f1", "f2"


def board(*walls: dict[str, Any], bo: tuple[float, float] = (4, 0)) -> Stage:
    """Ada at the origin, Bo four meters east of her."""
    stage = Stage(find_system("tiny"))
    stage.add("Ada", "allies", (0, 0), {"skill": 3, "hits": 8}, pc=True)
    stage.add("Bo", "enemies", bo, {"skill": 1, "hits": 6})
    stage.do("set_map", map={"walls": list(walls)})
    return stage


@pytest.mark.parametrize("to", ["2,0", "near:f2", "zone:far"])
def test_a_wall_is_gone_round(to: str) -> None:
    stage = board(WALL)
    stage.do(
        "set_scene", scene={"zones": [{"id": "far", "name": "Far", "x": 2, "y": -1, "width": 2, "depth": 2}]}
    )
    stage.do("set_map", map={"walls": [WALL]})
    path = WALKS.find_path(stage.state, ADA, to)
    assert len(path) > 2
    assert path_length(path) > path[-1].x


def test_nobody_walks_out_of_a_closed_room() -> None:
    stage = board(*SHUT)
    with pytest.raises(Refused, match="no way leads round it"):
        WALKS.find_path(stage.state, ADA, "2,0")
    assert all(square.at.x < 1 for square in WALKS.find_reach(stage.state, ADA))


def test_a_walk_ends_where_the_meters_do_or_is_refused() -> None:
    stage = board(bo=(30, 0))
    with pytest.raises(Refused, match="29 m, and Ada has 6 m: go less far"):
        WALKS.find_path(stage.state, ADA, "near:f2")
    assert WALKS.find_path(stage.state, ADA, "near:f2", far=True)[-1].x == 6
    assert WALKS.find_path(stage.state, ADA, "away:f2")[-1].x == -6
    with pytest.raises(Refused, match="is there already"):
        WALKS.find_path(stage.state, ADA, "0,0")


def test_every_square_within_reach_is_reached() -> None:
    """And none where another stands, or beyond the meters."""
    stage = board(WALL)
    squares = WALKS.find_reach(stage.state, ADA)
    assert len(squares) > 60
    for square in squares:
        path = WALKS.find_path(stage.state, ADA, f"{square.at.x:g},{square.at.y:g}")
        assert path_length(path) + square.left == pytest.approx(6.0)
    assert not any((square.at.x, square.at.y) == (4, 0) for square in squares)


def test_a_form_offers_only_goals_that_lead_on() -> None:
    stage = board(bo=(1, 0))
    goals = {one.value: one.refused for one in WALKS.find_fields(stage.state, ADA)[0].options}
    assert "is there already" in goals["near:f2"]
    assert goals["away:f2"] == ""


def test_a_hand_reaches_nobody_behind_a_wall() -> None:
    stage = board(bo=(1.5, 0))
    WALKS.check_hand(stage.state, stage[ADA], stage[BO], 2)
    with pytest.raises(Refused, match="Come within 1 m of Bo"):
        WALKS.check_hand(stage.state, stage[ADA], stage[BO], 1)
    stage = board(WALL, bo=(1.5, 0))
    with pytest.raises(Refused, match="wall stands between"):
        WALKS.check_hand(stage.state, stage[ADA], stage[BO], 2)


def test_an_approach_goes_to_the_nearest_whom_a_walk_leads_to() -> None:
    stage = board()
    inside = stage[stage.add("Cy", "enemies", (-6, 0), {"skill": 1, "hits": 6})]
    assert WALKS.find_approach(stage.state, ADA, [stage[BO], inside]) == Approach("walk", "near:f2")
    stage.do("set_map", map={"walls": SHUT})
    assert WALKS.find_approach(stage.state, ADA, [stage[BO], inside]) == Approach("walk", f"near:{inside.id}")
    assert WALKS.find_approach(stage.state, ADA, [stage[BO]]) is None
    assert WALKS.find_approach(stage.state, ADA, []) is None


def test_an_approach_opens_the_door_on_its_way() -> None:
    stage = board(*ROOM, DOOR)
    assert WALKS.find_approach(stage.state, ADA, [stage[BO]]) == Approach("door", "d1")
    stage.do("place", target=ADA, x=-7, y=0)
    approach = WALKS.find_approach(stage.state, ADA, [stage[BO]])
    assert approach is not None
    assert approach.deed == "walk"
    assert WALKS.find_path(stage.state, ADA, approach.goal, far=True)[-1].x == -1


@pytest.mark.parametrize("goal", ["near:f2", "zone:far"])
def test_walk_to_someone_or_a_zone_ends_before_a_large_body(goal: str) -> None:
    """A point that is pressed is refused instead: its player sees where."""
    stage = board(bo=(5, 0))
    large = stage.add("Cy", "enemies", (5.5, 0), {"skill": 1, "hits": 6})
    stage.do("resize", target=large, metres=3)
    stage.do(
        "set_scene", scene={"zones": [{"id": "far", "name": "Far", "x": 4, "y": -1, "width": 2, "depth": 2}]}
    )
    assert WALKS.find_path(stage.state, ADA, goal)[-1].x < 4
    with pytest.raises(Refused, match="Cy is in the way there"):
        WALKS.find_path(stage.state, ADA, "4.5,0")


@pytest.mark.parametrize("walls", [[WALL], ROOM, [*ROOM, DOOR], SHUT], ids=["wall", "gap", "door", "shut"])
@pytest.mark.parametrize("metres", [1, 3])
def test_form_refuses_what_each_walk_alone_is_refused(walls: list[dict[str, Any]], metres: int) -> None:
    """People and zones on both sides of walls, in a corner, and of two sizes."""
    stage = board(*walls)
    for number, at in enumerate([(-6, 2), (0.5, 2.5), (2, 0), (8, 6), (-12, -5)]):
        stage.add(f"X{number}", "enemies", at, {"skill": 1, "hits": 6})
    stage.do("resize", target="f4", metres=metres)
    zones = [
        {"id": "in", "name": "In", "x": -6, "y": -2, "width": 3, "depth": 3},
        {"id": "out", "name": "Out", "x": 5, "y": 2, "width": 3, "depth": 3},
    ]
    stage.do("set_scene", scene={"zones": zones})
    stage.do("set_map", map={"walls": walls})
    go_far = partial(WALKS.find_path, far=True)
    for goal in WALKS.find_fields(stage.state, ADA)[0].options:
        assert goal.refused == why_refused(go_far, stage.state, ADA, goal.value), goal.value


def test_form_searches_once_for_all_people(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = board(WALL)
    for number in range(9):
        stage.add(f"X{number}", "enemies", (3, (number - 4) / 4), {"skill": 1, "hits": 6})
    searches = []
    search = paths._search

    def count(*given: Any) -> Any:
        searches.append(given)
        return search(*given)

    monkeypatch.setattr(paths, "_search", count)
    options = WALKS.find_fields(stage.state, ADA)[0].options
    assert len([one for one in options if one.value.startswith("near:") and not one.refused]) == 10
    assert not searches
