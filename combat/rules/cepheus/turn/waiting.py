"""Delaying: letting the turn wait, interrupting someone, acting after them."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, find_condition, is_acting, replace
from combat.rules.core.turn.turns import add_condition

from ..book.options import find_option
from ..world.economy import find_budget
from ..world.order import is_delaying, step_before
from .delay import NEXT
from .rounds import settle_count


def check_delay(state: State, actor: str) -> None:
    """Refuse to delay once anything is done in the turn. [CE-OTHER-11]"""
    combatant = state[actor]
    if not find_option(state, "use_delay"):
        raise Refused("not_allowed", "This table plays without delaying: the GM can switch it on.")
    if combatant.budget != find_budget(state, combatant):
        raise Refused("not_allowed", "All actions come together: delay before doing anything.")


def delay(context: RuleContext, command: Command) -> Then | None:
    """Let the turn wait; the next one comes. [CE-OTHER-11]"""
    who = command.actor
    check_delay(context.state, who)
    add_condition(context, who, "delaying")
    context.emit(e.TurnEnded(who), "CE-OTHER-11")
    return None if context.state.active else Then(settle_count)


def check_step_in(state: State, actor: str) -> None:
    """Refuse to act later without a delay. [CE-OTHER-12]"""
    combatant = state[actor]
    if not is_delaying(combatant):
        raise Refused("not_allowed", f"{combatant.name} is not delaying.")
    if is_acting(state, actor):
        raise Refused("not_allowed", f"{combatant.name} has the turn.")


def interrupt(context: RuleContext, command: Command) -> None:
    """Act now, before the rest of the current turn, on its count. [CE-OTHER-12] [CE-OTHER-13]"""
    check_step_in(context.state, command.actor)
    step_before(context, command.actor)


def step_in(context: RuleContext, command: Command) -> None:
    """Act right after the current turn, on its count. [CE-OTHER-12]"""
    who = command.actor
    check_step_in(context.state, who)
    held = find_condition(context.state[who], "delaying")
    assert held is not None
    if NEXT in held.marks:
        raise Refused("not_allowed", f"{context.state[who].name} is next already.")
    active = context.state.combatants.get(context.state.active)
    count = (active.initiative if active else None) or 0
    waits = replace(held, marks={**held.marks, NEXT: count})
    context.emit(e.ConditionChanged(who, waits), "CE-OTHER-12")
    context.emit(e.Said("log.steps_in", who), "CE-OTHER-12")
