"""Walls and obstacles on a map of squares or hexes."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.starshock.world.sight_lines import look
from tests.combat.rules.starshock.figures import ADA, BO, StarStage

WALL = {"id": "w", "x1": 3.5, "y1": -9, "x2": 3.5, "y2": 9}
CRATE = {"id": "c", "name": "Crate", "x": 4, "y": -2, "width": 1, "depth": 4, "cover": "minus_2"}


def across(kind: str = "squares", **parts: Any) -> StarStage:
    stage = StarStage()
    stage.hero("Ada", "ray_gun", at=(0, 0))
    stage.foe("Bo", "dagger", at=(7, 0))
    stage.map(kind)
    stage.do("set_map", map=parts)
    return stage.begin(ADA, BO)


def ray_gun(stage: StarStage) -> str:
    return next(item.id for item in stage[ADA].items if item.kind == "weapon" and item.name == "Ray gun")


@pytest.mark.rule("SS-MAP-01")
@pytest.mark.parametrize("kind", ["squares", "hexes"])
def test_nobody_shoots_through_a_wall_unless_the_table_says_so(kind: str) -> None:
    stage = across(kind, walls=[WALL])
    weapon = stage[ADA].items[0].id
    refused = stage.refused("attack", ADA, target=BO, weapon=weapon)
    assert refused.message == "A wall stands between Ada and Bo: move to see them."
    assert stage.preview("attack", ADA, target=BO, weapon=weapon, seen=True).modifiers


@pytest.mark.rule("SS-MAP-01")
def test_in_zones_walls_on_the_plane_mean_nothing() -> None:
    stage = across(walls=[WALL])
    stage.do("set_setting", key="positioning", value="zones")
    assert look(stage.state, stage[ADA], stage[BO]).seen


@pytest.mark.rule("SS-ZONE-11")
def test_an_obstacle_takes_the_points_off_that_the_gm_gave_it() -> None:
    stage = across(obstacles=[CRATE])
    terms = stage.preview("attack", ADA, target=BO, weapon=stage[ADA].items[0].id).modifiers
    found = [(stage.system.draw(t.label), t.value, t.rule) for t in terms if t.rule == "SS-ZONE-11"]
    assert found == [("Obstacle: 16 of 16 lines cross the crate", -2, "SS-ZONE-11")]


@pytest.mark.rule("SS-ZONE-11")
def test_cover_is_told_with_its_lines_and_under_half_is_none() -> None:
    stage = across(obstacles=[CRATE])
    found = look(stage.state, stage[ADA], stage[BO])
    assert (found.seen, found.cover, found.rule) == (True, "minus_2", "SS-ZONE-11")
    assert stage.system.draw(found.label) == "Obstacle: 16 of 16 lines cross the crate"
    bare = across(obstacles=[{**CRATE, "y": 0.2}])
    found = look(bare.state, bare[ADA], bare[BO])
    assert (found.seen, found.cover, found.label, found.rule) == (True, "", "", "")
