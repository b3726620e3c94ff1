"""High gravity: it wears people out."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import (
    has_condition,
)
from combat.rules.core.turns import add_condition


def tire(context: RuleContext, who: str) -> None:
    """[COS-ENV-12] High gravity wears a fighter out after as many minutes as its Might."""
    if not has_condition(context.state[who], "fatigued"):
        add_condition(context, who, "fatigued", rule="COS-ENV-12")
