"""Improvised acts: what a skill check asks, costs and ends, for acts that no action is for."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.improvising import Acting, Cost, Fields, Side
from combat.rules.core.state.state import State

from ..characters.machinery import check_handling, check_sensing
from ..characters.values import find_score, read_skill
from ..dice import lose_aim
from ..world.acting import check_free_to_act
from ..world.economy import MINOR, SIGNIFICANT, pay_minor, pay_significant
from ..world.sight_lines import reaches

ON = "This act"


def check_act(state: State, actor: str, fields: Fields) -> None:
    """Refuse what a skill check refuses: a grapple, an extended action, destroyed sensors and limbs.

    [CE-GRAP-14] [CE-OTHER-06] [CE-VLOC-32] [CE-VLOC-40]  RULING R101
    """
    check_free_to_act(state, actor)
    skill = read_skill(fields.get("skill", ""))
    check_sensing(state, actor, skill)
    check_handling(state, state[actor], skill)


def begin_act(context: RuleContext, who: str, fields: Fields, then: Then) -> Then:
    """Lose the aim, as by any skill check. [CE-MINOR-04]  RULING R8 R101"""
    lose_aim(context, who, "why.does_else")
    return then


def settle_tie(state: State, one: Side, other: Side) -> bool | None:
    """Whether the first has the higher current score of the characteristic that each used; None if both roll
    again.  RULING R59"""
    mine, theirs = (
        find_score(state[who], fields.get("characteristic", "dex")) for who, fields in (one, other)
    )
    return None if mine == theirs else mine > theirs


COSTS = (
    Cost(MINOR, "Minor", lambda context, who: pay_minor(context, who, ON, "CE-MINOR-20")),
    Cost(SIGNIFICANT, "Significant", lambda context, who: pay_significant(context, who, ON, "CE-SIG-05")),
)
ACTING = Acting(check=check_act, reaches=reaches, begin=begin_act, settle=settle_tie)
