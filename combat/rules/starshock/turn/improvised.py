"""Improvised acts: what a check that is an action asks, costs and burns, for acts that no action is for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.improvising import Acting, Cost, Fields
from combat.rules.core.state.state import State

from ..body.doses import burn
from ..book.tables import PHYSICAL
from ..characters.sheet import is_able
from ..world.acting import check_free_to_act
from ..world.economy import is_declaring, pay
from ..world.sight_lines import is_within


def check_act(state: State, actor: str, fields: Fields) -> None:
    """Refuse any act of those who are out, stunned or paralyzed. [SS-UNC-07] [SS-COND-01]"""
    check_free_to_act(state, actor)


def begin_act(context: RuleContext, who: str, fields: Fields, then: Then) -> Then | None:
    """Let what burns hurt those who exert themselves, as any physical action does. [SS-OTHER-24]"""
    onward = (then.step, *then.args)
    if is_able(context.state[who]):  # else the GM lets them act all the same
        onward = (_go_on, who, *onward)
    return burn(context, who, int(fields.get("attribute") in PHYSICAL), onward)


def _go_on(context: RuleContext, who: str, step: Callable[..., Then | None], *args: Any) -> Then | None:
    return Then(step, *args) if is_able(context.state[who]) else None


def await_declaring(state: State, who: str) -> str:
    """What comes before an act costs an action: the number of actions of the turn. [SS-ACT-01]"""
    return "once the turn is declared" if is_declaring(state, state[who]) else ""


COSTS = (
    Cost(
        "actions",
        "An action",
        lambda context, who: pay(context, who, "check", "This act", "SS-OTHER-01"),
        awaits=await_declaring,
    ),
)
ACTING = Acting(check=check_act, reaches=is_within, begin=begin_act)
