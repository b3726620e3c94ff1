"""Improvised acts: what any deed of a round asks, costs and does to the one who does it."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.improvising import Acting, Cost, Fields
from combat.rules.core.state.state import State
from combat.rules.core.turn.turns import spend

from ..book.tables import ACTION, BODILY
from ..fight.attack import exert
from ..world.acting import check_free_to_act
from ..world.reach import is_within


def check_act(state: State, actor: str, fields: Fields) -> None:
    """Refuse any act of the dead, the stunned and the exhausted. [CG-STUN-01] [CG-FAT-04]  RULING R51"""
    check_free_to_act(state, actor)


def begin_act(context: RuleContext, who: str, fields: Fields, then: Then) -> Then:
    """Count the round as active, and as physical if muscles or limbs are rolled. [CG-FAT-01]  RULING R51"""
    exert(context, who, fields.get("name") in BODILY)
    return then


COSTS = (
    Cost(ACTION, "Action", lambda context, who: spend(context, who, {ACTION: 1}, "This act", "CG-ACT-05")),
)
ACTING = Acting(check=check_act, reaches=is_within, begin=begin_act)
