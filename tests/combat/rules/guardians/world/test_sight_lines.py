"""Walls and obstacles on the battle map, which the page does not cover."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.space import Point
from combat.rules.guardians.world.reach import look
from tests.combat.rules.guardians.stage import ADA, BO, GuardStage, duel

WALL = {"id": "w", "x1": 3.5, "y1": -9, "x2": 3.5, "y2": 9}
CRATE = {"id": "c", "name": "Crate", "x": 4, "y": -2, "width": 1, "depth": 4, "cover": "minus_2"}


def across(**parts: Any) -> GuardStage:
    stage = duel("long_bow")
    stage.edit(BO, at=Point(7, 0))
    stage.do("set_map", map=parts)
    return stage


@pytest.mark.rule("CG-REF-11")
def test_nobody_shoots_through_a_wall_unless_the_table_says_so() -> None:
    stage = across(walls=[WALL])
    weapon = stage[ADA].items[0].id
    refused = stage.refused("attack", ADA, target=BO, weapon=weapon)
    assert refused.message == "A wall stands between Ada and Bo: move to see them."
    assert stage.preview("attack", ADA, target=BO, weapon=weapon, seen=True).against


@pytest.mark.rule("CG-REF-11")
def test_an_obstacle_takes_the_ranks_off_that_the_gm_gave_it() -> None:
    stage = across(obstacles=[CRATE])
    terms = stage.preview("attack", ADA, target=BO, weapon=stage[ADA].items[0].id).against
    found = [(stage.system.draw(t.label), t.value) for t in terms if t.rule == "CG-REF-11"]
    assert found == [("Obstacle: 16 of 16 lines cross the crate", -10)]  # five points a rank


@pytest.mark.rule("CG-REF-11")
def test_cover_is_told_with_its_lines_and_under_half_is_none() -> None:
    stage = across(obstacles=[CRATE])
    found = look(stage.state, stage[ADA], stage[BO])
    assert (found.seen, found.cover, found.rule) == (True, "minus_2", "CG-REF-11")
    assert stage.system.draw(found.label) == "Obstacle: 16 of 16 lines cross the crate"
    bare = across(obstacles=[{**CRATE, "y": 0.2}])
    found = look(bare.state, bare[ADA], bare[BO])
    assert (found.seen, found.cover, found.label, found.rule) == (True, "", "", "")


@pytest.mark.rule("CG-REF-11", "CG-MOVE-03")
@pytest.mark.parametrize("count", [(ADA,), (ADA, BO)])
def test_things_passed_on_the_way_to_a_blow_are_no_cover(count: tuple[str, ...]) -> None:
    stage = duel("long_sword", hero={"blades": 12, "running": 10})
    stage.edit(BO, at=Point(6, 0))
    stage.do("set_map", map={"obstacles": [{**CRATE, "x": 2, "blocks_way": False}]})
    stage.turn(*count)
    shown = stage.preview("attack", ADA, target=BO, weapon=stage.find_ready(ADA).id)
    stage.attack(99)
    assert (add_up(shown.against), stage.first().against) == (60, 60)


def test_ruler_says_yards() -> None:
    stage = duel("long_bow")
    assert stage.system.space.measure(stage.state, Point(), Point(3, 4.5)).words == "5.4 yd"
