"""Items that hit everyone around their target: on a map walls keep them out."""

from __future__ import annotations

import pytest

from combat.rules.core.commands.commands import read_command
from combat.rules.core.space.rays.area_shapes import Shape
from tests.combat.rules.starshock.figures import ADA, BO, CY, StarStage

WALL = {"id": "w", "x1": 3.5, "y1": -4, "x2": 3.5, "y2": 4}


def capsule(kind: str, *walls: object) -> tuple[tuple[str, ...], tuple[Shape, ...]]:
    """The targets of a nerve agent thrown at Bo, with Cy two cells from Bo; and the drawn shapes."""
    stage = StarStage("dock")
    stage.map(kind)
    stage.hero(at=(0, 0), gear=("nerve_agent_capsule",))
    stage.foe(at=(3, 0))
    stage.foe("Cy", at=(5, 0))
    stage.begin(ADA, BO, CY)
    stage.do("set_map", map={"walls": walls})
    action = stage.system.action("use_device")
    fields = {"actor": ADA, "item": stage.item(ADA, "nerve_agent_capsule").id, "target": BO}
    command = read_command(action, fields)
    assert action.find_caught
    assert action.find_area
    return action.find_caught(stage.state, command), action.find_area(stage.state, command)


@pytest.mark.rule("SS-MAP-01")
@pytest.mark.parametrize("kind", ["squares", "hexes"])
def test_gas_does_not_reach_behind_a_wall(kind: str) -> None:
    free, (shape,) = capsule(kind)
    assert set(free) == {ADA, BO, CY}
    assert (shape.kind, shape.meters) == ("circle", 3)
    assert set(capsule(kind, WALL)[0]) == {ADA, BO}


@pytest.mark.rule("SS-ZONE-06")
def test_in_zones_it_takes_the_zone_and_draws_nothing() -> None:
    assert capsule("zones", WALL) == ((ADA, BO, CY), ())
