"""The end of holds: let go, or out of reach."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import State, present
from combat.rules.core.turn.turns import remove_condition

from ..world.touch import is_within


def let_go(context: RuleContext, one: str, other: str, rule: str) -> None:
    """Take the hold off both combatants."""
    for who, by in ((one, other), (other, one)):
        for held in context.state[who].conditions:
            if held.kind == "grappled" and held.by == by:
                remove_condition(context, who, held, "why.let_go", rule)


def end_far_holds(context: RuleContext, who: str) -> None:
    """End the holds of those who no longer reach each other. [CE-GRAP-02]"""
    for held in context.state[who].conditions:
        other = context.state.combatants.get(held.by) if held.kind == "grappled" else None
        if other and not is_within(context.state, context.state[who], other, closely=True):
            let_go(context, who, other.id, "CE-GRAP-02")


def end_out_of_reach(context: RuleContext, before: State) -> None:
    """End all holds that a move, a door or a wall has put out of reach, the GM's too. [CE-GRAP-02]"""
    for combatant in present(context.state):
        end_far_holds(context, combatant.id)
