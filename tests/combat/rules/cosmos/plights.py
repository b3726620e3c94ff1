"""Combatants in trouble, and the sums of an action or a Defense under conditions."""

from __future__ import annotations

from typing import Any

from tests.combat.rules.cosmos.figures import CosmosStage, lone
from tests.combat.rules.cosmos.shots import shoot

MISS = (1, 2)


def alone(*kinds: str, options: dict[str, Any] | None = None, **more: Any) -> tuple[CosmosStage, str]:
    """Ada on her turn with these conditions, Bo 10 m away."""
    stage = CosmosStage(**(options or {}))
    ada = stage.hero(**more)
    stage.foe()
    for kind in kinds:
        stage.give(ada, kind)
    stage.begin()
    return stage, ada


def defense(*kinds: str, melee: bool = False, **fields: Any) -> int:
    """Bo's Defense under these conditions: 18 without any."""
    stage, ada = lone(weapons=("club" if melee else "bow",))
    bo = stage.foe(at=(1, 0))
    for kind in kinds:
        stage.give(bo, kind)
    stage.begin()
    shoot(stage, ada, bo, MISS, **fields)
    return stage.check("attack").against or 0


def next_turn_of(stage: CosmosStage, who: str, *dice: Any) -> None:
    """Play on until this combatant's turn has begun."""
    stage.do("next_turn", dice=dice)
    while stage.state.active != who:
        stage.do("next_turn")
