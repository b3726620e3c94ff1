"""Zones larger than those of the book, and people left outside all zones: the GM gets a note."""

from __future__ import annotations

import pytest

from combat.rules.core.state.events import GM_ONLY, Said
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


@pytest.mark.rule("SS-ZONE-02")
def test_people_whose_zone_is_deleted_are_pointed_out_once() -> None:
    stage = StarStage("dock", "hold")
    for name, x in (("Ada", 1), ("Bo", 2), ("Cy", 6)):
        stage.hero(name, at=(x, 1))
    zones = [
        {"id": zone.id, "name": zone.name, "x": zone.x, "width": 5, "depth": 5}
        for zone in stage.state.scene.zones
    ]
    stage.do("set_scene", scene={"zones": zones[1:]})
    assert stage.said() == ["Ada and Bo stand outside all zones now: place them in one."]
    assert {fact.to for fact in stage.facts if isinstance(fact.event, Said)} == {GM_ONLY}
    stage.describe("hold", height=1)
    assert stage.said() == []
    stage.do("set_setting", key="positioning", value="squares")
    stage.do("set_scene", scene={"zones": zones[:1], "settings": {"positioning": "squares"}})
    assert stage.said() == []
