"""The end of a shared count: simultaneous actions take effect together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.basics.typed import read_json
from combat.rules.core.commands.context import RuleContext, Then

from ..body.healing import Aided, take_aid
from ..body.hits import Hit
from ..vehicles.collisions import Collided, take_collision
from ..vehicles.stunts import SetUp, take_set_up
from .attacks.suppression import Pinned, take_pin
from .clouds import Raised, take_cloud
from .explosives.blasts import Stunned, take_stun
from .grapple import Gripped, take_grip
from .shots import take_hit

Effect = Hit | Collided | Pinned | Gripped | Stunned | Raised | Aided | SetUp
_TAKERS: dict[type, Callable[..., Then | None]] = {
    Hit: take_hit,
    Pinned: take_pin,
    Gripped: take_grip,
    Stunned: take_stun,
    Raised: take_cloud,
    Collided: take_collision,
    Aided: take_aid,
    SetUp: take_set_up,
}


def resolve_count(context: RuleContext, effects: tuple[str, ...]) -> Then | None:
    """Apply the actions of tied combatants in turn, even those of combatants who are down by then: wounds,
    collisions, suppression, holds, stuns, smoke and help. [CE-ROUND-05]  RULING R33"""
    if not effects:
        return None
    effect: Any = read_json(effects[0], Effect)  # type: ignore[arg-type]  # a union is no `type`
    return _TAKERS[type(effect)](context, effect, (resolve_count, effects[1:]))
