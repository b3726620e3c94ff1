"""Free actions, and the significant action in exchange for two minor ones."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Command, Words
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.commands.forms import words_fields
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State
from combat.rules.core.turn.turns import say_words

from ..book.tables import MINORS_FOR_SIGNIFICANT
from ..world.acting import act, check_unoccupied
from ..world.economy import MINOR, SIGNIFICANT, can_exchange, exchange


def act_freely(context: RuleContext, command: Words) -> None:
    """Take a free action, such as a shout, a button or a glance, as often as the actor likes.
    [CE-OTHER-02]"""
    say_words(context, command, "log.free", so="log.free_so", rule="CE-OTHER-02")


def check_exchange(state: State, actor: str) -> None:
    """Refuse an exchange without the significant action, or if the table forbids it. [CE-SIG-04]"""
    if can_take_back(state, actor):
        return
    if not can_exchange(state, state[actor]):
        raise Refused("no_budget", "The significant action is spent, or cannot be traded here.")


def can_take_back(state: State, actor: str) -> bool:
    """RULING R10: whether an exchange can be taken back: until its second minor action is used."""
    budget = state[actor].budget
    traded = SIGNIFICANT in budget and budget[SIGNIFICANT] == 0
    return traded and budget.get(MINOR, 0) >= MINORS_FOR_SIGNIFICANT


def trade(context: RuleContext, command: Command) -> None:
    """Trade the significant action for two minor ones, or take that back. [CE-SIG-03] [CE-SIG-04]
    RULING R10"""
    who = command.actor
    budget = context.state[who].budget
    if not can_take_back(context.state, who):
        exchange(context, who)
        return
    back = {**budget, MINOR: budget[MINOR] - MINORS_FOR_SIGNIFICANT, SIGNIFICANT: 1}
    context.emit(e.BudgetSet(who, back), "CE-SIG-04")
    context.emit(e.Said("log.takes_back", who), "CE-SIG-04")


ACTIONS = (
    act("exchange", trade, check_exchange, has_odds=False),
    act("free", act_freely, bar=check_unoccupied, fields=words_fields, on_turn=False, has_odds=False),
)
