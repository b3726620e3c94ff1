"""Held actions: for later in the round, or for the very start of the next.  RULING R8"""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, find_condition, find_holders, is_acting, replace
from combat.rules.core.turn.turns import add_condition, count_down_at, is_shared, remove_conditions, spend

from ..book.tables import ACTION
from ..fight.interrupt import step_in
from ..world.acting import act

CARRIED, READY = "carried", "ready"  # marks of a hold: kept into this round; used after this count
EARLY, AGAIN = "early", "again"  # marks of a combatant: acts before the count; still has a normal turn


def begin_hold(context: RuleContext, who: str) -> None:
    """Hold the action for later; others at the same count go first. [CG-ACT-06] [CG-INIT-06]"""
    spend(context, who, {ACTION: 1}, on="holding", rule="CG-ACT-06")
    add_condition(context, who, "holding", rule="CG-ACT-06")
    context.emit(e.TurnEnded(who))
    count_down_at(context, who, "end")


def check_hold(state: State, actor: str) -> None:
    """Refuse to hold an action that is already taken, or one held since the last round. [CG-ACT-07]"""
    if state[actor].marks.get(EARLY):
        raise Refused("not_allowed", "An action held since the last round is taken now, or lost.")
    if state[actor].budget.get(ACTION, 0) < 1:
        raise Refused("no_budget", "The action of this round is taken: nothing is left to hold.")


def act_now(context: RuleContext, command: Command) -> None:
    """Take the held action now, or straight after those who share this count. [CG-ACT-06]"""
    who = command.actor
    held = find_condition(context.state[who], "holding")
    assert held is not None
    if is_shared(context.state):
        ready = replace(held, marks={**held.marks, READY: True})
        context.emit(e.ConditionChanged(who, ready), "CG-INIT-06")
        context.emit(e.Said("log.after_count", who), "CG-INIT-06")
        return
    step_in(context, who)
    context.emit(e.Said("log.acts_now", who), "CG-ACT-06")


def check_act_now(state: State, actor: str) -> None:
    """Refuse someone who holds no action, or is already due after this count."""
    held = find_condition(state[actor], "holding")
    if held is None:
        raise Refused("not_allowed", f"{state[actor].name} holds no action.")
    if held.marks.get(READY):
        raise Refused("not_allowed", f"{state[actor].name} acts straight after this count.")


ACTIONS = (act("act_now", act_now, check_act_now, on_turn=False),)

# ---------------------------------------------------------------- into the next round


def carry_holds(context: RuleContext) -> None:
    """Keep holds into the round that begins. [CG-ACT-07]"""
    for combatant in find_holders(context.state, "holding"):
        held = find_condition(combatant, "holding")
        if held and not combatant.gone:
            kept = replace(held, marks={**held.marks, CARRIED: True, READY: False})
            context.emit(e.ConditionChanged(combatant.id, kept), "CG-ACT-07")


def find_early(state: State, holders: list[Combatant]) -> tuple[str, ...]:
    """Those who act before the count: the highest new initiative among carried holds. [CG-ACT-09]"""
    return _find_best(state, holders, CARRIED)


def find_ready(state: State, holders: list[Combatant]) -> tuple[str, ...]:
    """Those who act straight after the last shared count. [CG-INIT-06]"""
    return _find_best(state, holders, READY)


def _find_best(state: State, holders: list[Combatant], mark: str) -> tuple[str, ...]:
    found = [
        f
        for f in holders
        if (held := find_condition(f, "holding"))
        and held.marks.get(mark)
        and not (f.gone or is_acting(state, f.id))
    ]
    best = max((f.initiative or 0 for f in found), default=0)
    return tuple(f.id for f in found if (f.initiative or 0) == best)


def lose_hold(context: RuleContext, who: str, early: bool) -> None:
    """Turn a hold into a turn; before the count, it replaces this round's turn. [CG-ACT-08] [CG-ACT-09]"""
    remove_conditions(context, who, "holding", why="why.acts", rule="CG-ACT-09" if early else "CG-ACT-06")
    if early:
        context.emit(e.Marked(who, EARLY, True), "CG-ACT-09", e.GM_ONLY)
