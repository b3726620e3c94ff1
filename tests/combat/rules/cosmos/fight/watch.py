"""Ada on overwatch, and Bo who moves in front of her weapon."""

from __future__ import annotations

from typing import Any

from tests.combat.rules.cosmos.figures import CosmosStage

HIT, MISS = (9, 8), (1, 2)


def watch(
    trigger: str = "", fire: str = "any", zone: str = "", weapon: str = "pistol", **foe: Any
) -> tuple[CosmosStage, str, str]:
    """Ada at (0, 0) on overwatch; it is the turn of Bo at (10, 0). A corridor runs at y 5 to 8."""
    stage = CosmosStage()
    stage.zone("hall", x=-5, y=-5, width=30, depth=10)
    stage.zone("corridor", x=-5, y=5, width=30, depth=3)
    ada, bo = stage.hero(weapons=(weapon,)), stage.foe(**foe)
    stage.draw_all(bo)
    stage.begin()
    stage.do("overwatch", ada, weapon=stage.weapon(ada, weapon), trigger=trigger, when=fire, zone=zone)
    stage.do("next_turn")
    return stage, ada, bo


def rounds(stage: CosmosStage, who: str) -> int | None:
    return stage.item(who, "pistol").loaded


def add_friend(stage: CosmosStage) -> str:
    """Let Cy join Ada's side at (1, 1); return their id."""
    cy = f"f{stage.state.made + 1}"
    stage.do("join", sheet=stage["f1"].sheet, name="Cy", side="allies", dice=[1])
    stage.place(cy, 1, 1)
    return cy
