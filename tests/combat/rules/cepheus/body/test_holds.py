"""Holds end when the two no longer reach each other, by whatever action."""

from __future__ import annotations

from typing import Any

import pytest

from tests.combat.rules.cepheus.figures import ADA, BO, CepheusStage

WALL = {"id": "w", "x1": 0.5, "y1": -9, "x2": 0.5, "y2": 9}
DOOR = {**WALL, "kind": "door", "name": "Hatch", "open": True}


def held() -> CepheusStage:
    """Ada and Bo in each other's hold, side by side."""
    stage = CepheusStage()
    stage.hero("Ada")
    stage.hero("Bo", at=(1, 0))
    stage.do("set_map", map={"walls": [DOOR]})
    stage.give(ADA, "grappled", by=BO)
    stage.give(BO, "grappled", by=ADA)
    return stage


@pytest.mark.rule("CE-GRAP-02")
@pytest.mark.parametrize(
    ("name", "fields", "ends"),
    [
        ("place", {"target": BO, "x": 30, "y": 0}, True),
        ("place", {"target": BO, "x": 0, "y": 1}, False),
        ("set_door", {"door": "w", "open": False}, True),
        ("change_map", {"walls": [WALL]}, True),
        ("change_map", {"walls": [{**WALL, "id": "w2", "x1": 9, "x2": 9}]}, False),
    ],
)
def test_a_hold_ends_out_of_reach_also_by_what_the_gm_does(
    name: str, fields: dict[str, Any], ends: bool
) -> None:
    stage = held()
    stage.do(name, **fields)
    assert (stage.has(ADA, "grappled"), stage.has(BO, "grappled")) == (not ends, not ends)
