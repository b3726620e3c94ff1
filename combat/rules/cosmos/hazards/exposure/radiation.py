"""Radiation: damage that rest does not heal."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    find_condition,
    has_condition,
    replace,
)
from combat.rules.core.turn.turns import add_condition


def irradiate(context: RuleContext, who: str, points: int) -> None:
    """Mark `points` HP as lost to radiation: rest does not restore them. [COS-HAZ-16]"""
    held = find_condition(context.state[who], "irradiated")
    if not points or has_condition(context.state[who], "dead"):
        return
    if held is None:
        add_condition(context, who, "irradiated", level=points)
    else:
        more = replace(held, level=held.level + points)
        context.emit(e.ConditionChanged(who, more), "COS-HAZ-16")
