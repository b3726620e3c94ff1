"""Held actions that interrupt a declared action.  RULING R8"""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, has_condition, is_acting, present
from combat.rules.core.turn.turns import is_shared, remove_conditions

from ..book.options import find_option
from ..book.tables import TURN_BUDGET
from ..characters.sheet import is_able
from ..world.place import are_enemies

DECLARED = "declared"  # the mark of an action about which the holders were asked
WAIT, ACT = "wait", "act"


def is_forestalled(context: RuleContext, actor: str) -> bool:
    """Whether someone with a held action comes first, so that this action waits. [CG-ACT-06]

    The holders are asked once for each declared action.
    """
    if not may_forestall(context.state, actor):
        return False
    context.emit(e.Marked(actor, DECLARED, True), "CG-ACT-06", e.GM_ONLY)
    name = context.state[actor].name
    options = (Choice(WAIT, "Go on holding"), Choice(ACT, "Act first"))
    holders = find_holders(context.state, actor)
    question = f"{name} is about to attack. Act first?"
    chosen = context.ask_each(holders, question, options, rule="CG-ACT-06", default=WAIT)
    early = [who for who in holders if chosen[who] == ACT]
    for who in early:
        step_in(context, who)
        context.emit(e.Said("log.forestalls", who, actor), "CG-ACT-06")
    return bool(early)


def may_forestall(state: State, actor: str) -> bool:
    """Whether held actions may come before a declared one, and their holders were not yet asked."""
    if find_option(state, "hold_interrupts") != "may_preempt_declared_action":
        return False
    asked = state[actor].marks.get(DECLARED)
    return not asked and not is_shared(state) and bool(find_holders(state, actor))


def find_holders(state: State, actor: str) -> tuple[str, ...]:
    """The enemies of someone who hold an action and can act."""
    combatant = state[actor]
    return tuple(
        other.id
        for other in present(state)
        if has_condition(other, "holding")
        and is_able(other)
        and are_enemies(combatant, other)
        and not is_acting(state, other.id)
    )


def step_in(context: RuleContext, who: str) -> None:
    """Take a held action now, between the actions of others. [CG-ACT-06]"""
    remove_conditions(context, who, "holding", why="why.acts", rule="CG-ACT-06")
    kind = e.TurnShared if context.state.active else e.TurnStarted
    context.emit(kind(who, dict(TURN_BUDGET), context.state[who].acted), "CG-ACT-06")
