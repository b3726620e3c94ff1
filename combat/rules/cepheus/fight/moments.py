"""The end of a count that several share: what they did at the same moment takes effect together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.basics.typed import read_json
from combat.rules.core.commands.context import RuleContext, Then

from ..body.healing import Aided, take_aid
from ..body.hits import Hit
from ..vehicles.collisions import Collided, take_collision
from ..vehicles.stunts import SetUp, take_set_up
from .blasts import Stunned, take_stun
from .clouds import Raised, take_cloud
from .grapple import Gripped, take_grip
from .shots import take_hit
from .suppression import Pinned, take_pin

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


def take_effect(context: RuleContext, effects: tuple[str, ...]) -> Then | None:
    """[CE-ROUND-05] What tied combatants did takes effect, one after another but without regard to who is
    down by then: wounds, collisions, fire that suppresses, holds, stuns, smoke and help.  RULING R33"""
    if not effects:
        return None
    effect: Any = read_json(effects[0], Effect)  # type: ignore[arg-type]  # a union is no `type`
    return _TAKERS[type(effect)](context, effect, (take_effect, effects[1:]))
