"""The end of holds that no longer reach."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import Combatant, Condition, State, present
from combat.rules.core.turn.turns import remove_condition

from ..people.conditions import KINDS
from ..world.touch import is_within

HOLDS = KINDS.tagged("hold")


def end_out_of_reach(context: RuleContext, before: State) -> None:
    """End the holds of those who no longer reach each other, or have a shut door between them. [COS-COND-21]

    RULING R32: after any change of place. A hold that the GM gave from afar stays.
    """
    for combatant in present(context.state):
        for held in combatant.conditions:
            if held.kind in HOLDS and _is_lost(context.state, before, combatant, held):
                remove_condition(context, combatant.id, held, "why.out_of_reach")


def _is_lost(state: State, before: State, held: Combatant, hold: Condition) -> bool:
    """Whether the source of a hold reaches the combatant no more, and did so before if the hold is older."""
    holder = state.combatants.get(hold.by)
    if holder is None or is_within(state, holder, held):
        return False
    was = before.combatants.get(held.id)
    if was is None or hold.id not in {one.id for one in was.conditions}:
        return True
    return is_within(before, before[holder.id], was)
