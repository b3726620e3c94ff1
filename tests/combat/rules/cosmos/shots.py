"""One shot of 9 damage, as in the ledger's checks, and its cost to the target."""

from __future__ import annotations

from typing import Any

from tests.combat.rules.cosmos.figures import CosmosStage

HIT = (9, 9)  # beats every Defense of these tests and is no critical
NINE = (4, 5)  # on 2d6


def duel(
    weapon: str = "pistol", options: dict[str, Any] | None = None, **target: Any
) -> tuple[CosmosStage, str, str]:
    """Ada on her turn, her weapon doing 2d6, and Bo 10 m away (1 m for a blade)."""
    stage = CosmosStage(**(options or {}))
    ada, bo = stage.hero(weapons=(weapon,)), stage.foe(**target)
    stage.change(ada, weapon, damage="2d6")
    if stage.item(ada, weapon).data["mode"] == "melee":
        stage.place(bo, 1, 0)
    stage.begin()
    return stage, ada, bo


def shoot(stage: CosmosStage, actor: str, target: str, *dice: Any, **fields: Any) -> None:
    """Attack with the weapon in hand on a fresh turn."""
    stage.turn(actor)
    weapon = next(i for i in stage[actor].items if i.kind == "weapon" and i.place == "held")
    stage.do("attack", actor, target=target, weapon=weapon.id, dice=dice, **fields)


def lose(weapon: str = "pistol", options: dict[str, Any] | None = None, ap: int = 0, **target: Any) -> int:
    """The Hit Points lost to a hit of 9."""
    stage, ada, bo = duel(weapon, options, **target)
    stage.change(ada, weapon, ap=ap)
    before = stage.hp(bo)
    shoot(stage, ada, bo, HIT, NINE)
    return before - stage.hp(bo)
