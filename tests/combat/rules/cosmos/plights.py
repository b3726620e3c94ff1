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


def attack_total(*kinds: str, weapon: str = "bow", **more: Any) -> int:
    """The total of 5 and 6 on the dice: 19 with a bow, 18 with a club, without conditions."""
    stage, ada = alone(*kinds, weapons=(weapon,), **more)
    if weapon == "club":
        stage.place("f2", 1, 0)
    stage.give("f2", "total_defense")
    shoot(stage, ada, "f2", (5, 6), cover="heavy")
    return stage.check("attack").total


def medicine_total(*kinds: str) -> int:
    """The total of 4 and 4 with Intellect 4 and Medicine 4: 14 without conditions."""
    stage, ada = alone(*kinds, skills={"Medicine": 4})
    stage.do("skill", ada, attribute="INT", skill="Medicine", tn=14, dice=[(4, 4)])
    return stage.check("Medicine").total


def defense(*kinds: str, melee: bool = False, **fields: Any) -> int:
    """Bo's Defense under these conditions: 18 without any."""
    stage, ada = lone(weapons=("club" if melee else "bow",))
    bo = stage.foe(at=(1, 0))
    for kind in kinds:
        stage.give(bo, kind)
    stage.begin()
    shoot(stage, ada, bo, MISS, **fields)
    return stage.check("attack").against or 0


def speed(*kinds: str, hp: int = 96) -> int:
    """The Speed under these conditions: 11 m without any."""
    stage, ada = alone(*kinds)
    stage.set_track(ada, hp=hp)
    return stage.derived(ada, "Speed").value


def next_turn_of(stage: CosmosStage, who: str, *dice: Any) -> None:
    """Play on until this combatant's turn has begun."""
    stage.do("next_turn", dice=dice)
    while stage.state.active != who:
        stage.do("next_turn")
