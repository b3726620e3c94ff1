"""High gravity: it tires people."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import (
    has_condition,
)
from combat.rules.core.turn.turns import add_condition


def tire(context: RuleContext, who: str) -> None:
    """High gravity tires a combatant after as many minutes as its Might. [COS-ENV-12]"""
    if not has_condition(context.state[who], "fatigued"):
        add_condition(context, who, "fatigued", rule="COS-ENV-12")
