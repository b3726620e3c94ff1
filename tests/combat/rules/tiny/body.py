"""Body: what follows from a wound."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import Combatant, Until, has_condition
from combat.rules.core.turn.turns import add_condition, remove_conditions


def after_change(context: RuleContext, before: Combatant) -> None:
    """Add what follows from fewer or more HP, by a wound or by the GM. [TINY-COND-02]"""
    combatant = context.state[before.id]
    if combatant.tracks["hits"] > 0:
        remove_conditions(context, combatant.id, "down", why="why.up_again")
    elif not has_condition(combatant, "down"):
        add_condition(context, combatant.id, "down")


def shake(context: RuleContext, who: str, rule: str) -> None:
    """Shake a combatant until the end of the next turn. [TINY-COND-01]"""
    remove_conditions(context, who, "shaken")
    turns = 2 if context.state.active == who else 1
    add_condition(context, who, "shaken", until=Until(who, "end", turns), rule=rule)
