"""Blasts, gas and arcs on the battle map: walls keep them out, and who is named is who is hit."""

from __future__ import annotations

from typing import Any

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.space.areas import Shape
from combat.rules.core.state.events import TrackChanged
from tests.combat.rules.cosmos.duels import ADA, BO, add_ally, duel
from tests.combat.rules.cosmos.figures import CosmosStage

WALL = {"id": "w", "x1": 11.5, "y1": -9, "x2": 11.5, "y2": 9}


def thrown(*walls: dict[str, Any], **options: Any) -> tuple[CosmosStage, str]:
    """Bo stands 10 m from Ada, Cy 3 m behind Bo; with a wall between them if it is drawn."""
    stage = duel("grenade", apart=10, **options)
    cy = add_ally(stage, (13, 0))
    stage.do("set_map", map={"walls": walls})
    return stage, cy


def inside(stage: CosmosStage, **fields: Any) -> tuple[tuple[str, ...], tuple[Shape, ...]]:
    """Who is named before the throw, and the shapes that are drawn."""
    action = stage.system.action("blast")
    weapon = stage.item(ADA, "grenade").id
    command = read_command(action, {"actor": ADA, "weapon": weapon, "at": f"near:{BO}", **fields})
    assert action.find_caught
    assert action.find_area
    return action.find_caught(stage.state, command), action.find_area(stage.state, command)


def throw(stage: CosmosStage, count: int) -> set[str]:
    """Who loses Hit Points when everybody fails to save."""
    weapon = stage.item(ADA, "grenade")
    dice = [tuple([3] * int(str(weapon.data["damage"]).partition("d")[0])), *[(2, 2)] * count]
    stage.do("blast", ADA, weapon=weapon.id, at=f"near:{BO}", dice=dice)
    return {told.who for told in stage.told(TrackChanged)}


@pytest.mark.rule("COS-DMG-04")
def test_a_blast_does_not_reach_behind_a_wall() -> None:
    stage, cy = thrown()
    assert inside(stage) == ((BO, cy), (Shape("circle", stage[BO].at, 5.0),))
    stage, cy = thrown(WALL)
    assert inside(stage)[0] == (BO,)
    assert throw(stage, 1) == {BO}


@pytest.mark.rule("COS-DMG-04")
def test_whoever_is_named_is_hit() -> None:
    for walls in ((), (WALL,), ({**WALL, "blocks_sight": False, "kind": "window"},)):
        stage, _ = thrown(*walls)
        named, _ = inside(stage)
        assert throw(stage, len(named)) == set(named)


@pytest.mark.rule("COS-DMG-04", "COS-COVER-10")
def test_a_table_may_let_blasts_through() -> None:
    stage, cy = thrown(WALL, walls_stop_blasts=False)
    named, (shape,) = inside(stage)
    assert named == (BO, cy)
    assert not shape.is_stopped


@pytest.mark.rule("COS-HAZ-11")
def test_an_arc_ends_at_a_wall() -> None:
    for walls, hit in (((), {BO, "f3"}), ((WALL,), {BO})):
        stage, _ = thrown(*walls)
        stage.do("shock", kind="arc", start="8,0", to="20,0", dice=[(2, 2, 2)])
        assert {told.who for told in stage.told(TrackChanged)} == hit
