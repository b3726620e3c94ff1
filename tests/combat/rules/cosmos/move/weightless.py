"""A deck and a bay without gravity, and the open space beside it."""

from __future__ import annotations

from typing import Any

from tests.combat.rules.cosmos.figures import CosmosStage

HOLD, DRIFT = (4, 5), (4, 4)  # Might save against 14 with Might 5: 14 and 13


def void(
    *, gear: tuple[str, ...] = (), at: tuple[float, float] = (8, 0), **more: Any
) -> tuple[CosmosStage, str, str]:
    """A deck from x 0 to 10, open space to x 30, no gravity. Ada on the deck, Bo at (9, 0)."""
    stage = CosmosStage()
    stage.do("set_setting", key="gravity", value="zero")
    stage.zone("deck", x=0, y=-5, width=10, depth=10)
    stage.zone("void", x=10, y=-5, width=20, depth=10, terrain=["open space"])
    ada, bo = stage.hero(at=at, gear=list(gear), **more), stage.foe(at=(9, 0))
    stage.draw_all(ada)
    stage.begin()
    return stage, ada, bo


def marks(stage: CosmosStage, who: str) -> tuple[int, int]:
    """The direction of a drift, in thousandths."""
    held = next(c for c in stage[who].conditions if c.kind == "drifting")
    return int(held.marks["x"]), int(held.marks["y"])


def bay(tag: str = "zero-g", at: float = -4, **ada: Any) -> tuple[CosmosStage, str, str]:
    """A floor from x -20 to 0, and a bay from there to 30 that is weightless, or under water."""
    stage = CosmosStage()
    stage.zone("floor", x=-20, y=-20, width=20, depth=40)
    stage.zone("bay", x=0, y=-20, width=30, depth=40, terrain=[tag])
    who, bo = stage.hero(at=(at, 0), **ada), stage.foe(at=(25, 15))
    stage.begin()
    return stage, who, bo
