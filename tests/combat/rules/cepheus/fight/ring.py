"""A ring: Ada and Bo beside each other, and checks to grapple."""

from __future__ import annotations

from typing import Any

from tests.combat.rules.cepheus.fight.range import RangeStage, duel
from tests.combat.rules.cepheus.figures import ADA, BO


def ring(meters: float = 1, *, held: bool = False, **options: Any) -> RangeStage:
    """Ada and Bo beside each other, both with Natural Weapons 0."""
    stage = duel("unarmed_strike", meters, **options)
    stage.skilled(ADA, natural_weapons=0)
    stage.skilled(BO, natural_weapons=0)
    stage.edit(BO, items=())
    if held:
        stage.give(ADA, "grappled", by=BO)
        stage.give(BO, "grappled", by=ADA)
    return stage


def grapple(stage: RangeStage, by: int, *answers: Any, who: str = ADA, on: str = BO) -> None:
    """Win or lose a check by this many points."""
    mine, theirs = ((3, 3), (3, 3)) if not by else ((1, 1), (1, 1))
    low, high = 2, 2 + abs(by)
    dice = (high // 2, high - high // 2), (low // 2, low - low // 2)
    mine, theirs = dice if by > 0 else dice[::-1]
    stage.turn(who)
    stage.do("grapple", who, dice=(mine, theirs, *answers), target=on)
