"""Zones larger than those of the book: the GM gets a note."""

from __future__ import annotations

import pytest

from tests.combat.rules.starshock.figures import StarStage


@pytest.mark.rule("SS-ZONE-03")
@pytest.mark.parametrize(("width", "depth", "warnings"), [(4, 5, 0), (6, 5, 1), (5, 6, 1)])
def test_a_large_zone_is_pointed_out(width: float, depth: float, warnings: int) -> None:
    stage = StarStage("dock")
    stage.describe("dock", width=width, depth=depth)
    found = stage.said()
    assert len(found) == warnings
    assert all("split it" in text for text in found)
    assert stage.state.scene.zones[0].width == width


@pytest.mark.rule("SS-ZONE-03")
def test_large_zones_are_pointed_out_in_one_note_and_once() -> None:
    stage = StarStage("dock", "hold", "deck")
    zones = [
        {"id": name, "name": name.capitalize(), "width": 9, "depth": 4} for name in ("hall", "bay", "den")
    ]
    stage.do("set_scene", scene={"zones": zones})
    assert stage.said() == ["Hall, Bay and Den are over 5 m across: split them."]
    stage.describe("bay", height=2)
    assert stage.said() == []
    stage.describe("bay", width=8)
    assert stage.said() == ["Bay is 8 × 4 m, over 5 m across: split it."]
