"""Edges of the ground on a map: nobody walks over one, a jump does the whole damage.  RULING R31 R45"""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.space import Point
from combat.rules.core.state import events as e
from tests.combat.rules.every_game.decks import SHIFT
from tests.combat.rules.starshock.figures import ADA, BO, StarStage, find_notes
from tests.combat.rules.starshock.ways_to_move import RIM, board, put


def pit(depth: float, x: float = 2.5, width: float = 9, **options: Any) -> StarStage:
    """Ada at 0,0 of a map of squares; a pit of some meters begins at 3,0. Three actions."""
    stage = StarStage(**options)
    stage.hero("Ada", "dagger", at=(0, 0))
    stage.foe("Bo", "dagger", at=(30, 0))
    stage.map()
    zone = {"id": "pit", "name": "Pit", "x": x, "y": -5.5, "width": width, "depth": 11, "height": -depth}
    stage.do("set_scene", scene={"zones": [zone], "settings": dict(stage.state.scene.settings)})
    return stage.begin(ADA, BO, actions=3)


def falls(stage: StarStage) -> list[int]:
    return [told.new - told.old for told in stage.told(e.TrackChanged) if "why.fall" in str(told.why)]


@pytest.mark.rule("SS-FALL-04")
@pytest.mark.parametrize("name", ["move", "free_move"])
def test_nobody_walks_into_a_hole_of_fifty_meters(name: str) -> None:
    stage = pit(50)
    text = stage.refused(name, ADA, to="4,0").message
    assert "falls 50 m" in text
    assert "jump down" in text
    assert (stage[ADA].at, stage[ADA].budget["metres"]) == (Point(0, 0), 5)


@pytest.mark.rule("SS-FALL-02", "SS-FALL-04")
@pytest.mark.parametrize("name", ["move", "free_move"])
def test_a_jump_does_the_whole_damage(name: str) -> None:
    stage = pit(50)
    notes = find_notes(stage.preview(name, ADA, to="4,0", jump=True))
    assert "a drop of 50 m: 10d6" in notes
    stage.do(name, ADA, to="4,0", jump=True, dice=[(1,) * 10, (6, 6)])
    assert (stage[ADA].at, falls(stage)) == (Point(4, 0, -50), [10])


@pytest.mark.rule("SS-FALL-04")
@pytest.mark.parametrize(("depth", "free"), [(1, True), (5, True), (5.5, False)])
def test_a_harmless_drop_is_walked(depth: float, free: bool) -> None:
    stage = pit(depth)
    if free:
        stage.do("free_move", ADA, to="4,0")
        assert (stage[ADA].at.z, falls(stage)) == (-depth, [])
    else:
        assert stage.refused("free_move", ADA, to="4,0")


@pytest.mark.rule("SS-FALL-04")
def test_harmless_jump_lands_and_one_without_an_edge_is_refused() -> None:
    stage = pit(5)
    stage.do("free_move", ADA, to="3,0", jump=True)
    assert (stage[ADA].at.z, falls(stage)) == (-5, [])
    assert "No edge" in stage.refused("free_move", ADA, to="4,0", jump=True).message


@pytest.mark.rule("SS-FALL-04")
def test_a_jump_ends_where_the_ground_rises_again() -> None:
    stage = pit(20, width=2)  # cells 3 and 4
    stage.do("move", ADA, to="8,0", jump=True, dice=[(1, 1, 1, 1)])
    assert stage[ADA].at == Point(4, 0, -20)
    stage.do("move", ADA, to="6,0")
    assert stage[ADA].at.z == 0, "up there is no edge"


@pytest.mark.rule("SS-MAP-07")
def test_a_walk_leads_round_a_pit_and_reach_marks_no_cell_in_it() -> None:
    stage = pit(50, width=1)
    stage.turn(ADA, 3)
    for _ in range(3):
        stage.do("move", ADA, to="")
    stage.do("free_move", ADA, to="5,0")
    assert (stage[ADA].at, falls(stage)) == (Point(5, 0), [])
    stage = pit(50)
    find_reach = stage.system.action("move").find_reach
    assert find_reach
    assert {reach.at.x for reach in find_reach(stage.state, ADA)} <= set(range(-20, 3))


def test_who_flees_stops_before_an_edge() -> None:
    stage = pit(50)
    put(stage, BO, -2, 0)
    stage.do("free_move", ADA, to=f"away:{BO}", far=True)
    assert stage[ADA].at == Point(2, 0)


@pytest.mark.parametrize(("depth", "asked"), [(50, True), (2, False)])
def test_forms_ask_for_a_jump_where_an_edge_is(depth: int, asked: bool) -> None:
    stage = pit(depth)
    for name in ("move", "free_move"):
        fields = stage.system.action(name).find_fields(stage.state, ADA)
        assert ("jump" in [field.name for field in fields]) == asked


@pytest.mark.rule("SS-FALL-01", "SS-FALL-04")
def test_an_open_hole_of_a_deck_takes_a_jump() -> None:
    stage = board("jump")
    text = stage.refused("move", ADA, to=f"{SHIFT + 10},6").message
    assert "open hole" in text
    stage.do("move", ADA, to=f"{SHIFT + 10},6", jump=True, dice=[(5,)])
    assert (stage[ADA].at.x, stage[ADA].at.z, falls(stage)) == (10, 0, [5])


@pytest.mark.rule("SS-PRONE-01")
def test_the_prone_jump_nowhere() -> None:
    stage = board("jump")
    stage.give(ADA, "prone")
    assert "stand up to jump" in stage.refused("move", ADA, to=f"{SHIFT + 10},6", jump=True).message
    assert stage[ADA].at.x == RIM[0]


def test_a_drop_deeper_than_dice_can_count_is_refused() -> None:
    stage = pit(600)
    assert "100 dice" in stage.refused("free_move", ADA, to="3,0", jump=True).message


def test_two_people_never_end_on_one_spot() -> None:
    stage = pit(0)
    put(stage, BO, 3, 0)
    stage.do("free_move", ADA, to="3,0")
    assert stage[ADA].at != stage[BO].at
    assert abs(stage[ADA].at.x - 3) <= 1


def test_who_goes_next_to_someone_takes_a_free_side() -> None:
    stage = pit(0)
    put(stage, BO, 4, 0)
    cy = stage.foe("Cy", "dagger", at=(3, 0))
    stage.turn(ADA, 3)
    stage.do("free_move", ADA, to=f"near:{BO}")
    assert stage[ADA].at not in (stage[BO].at, stage[cy].at)
    assert max(abs(stage[ADA].at.x - 4), abs(stage[ADA].at.y)) == 1
