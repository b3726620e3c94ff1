"""Turns: order and waiting. The rest is `SimpleTurns` of the core."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, add_up
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State
from combat.rules.core.turn.simple_turns import SimpleTurns
from combat.rules.core.turn.turns import add_condition
from tests.combat.rules.tiny.world import TABLE, is_up

BUDGET = {"act": 1, "step": 1}


def roll_order(context: RuleContext, who: str) -> None:
    """Roll 1d6 + Skill for a place in the order. [TINY-TURN-01]"""
    terms = (Modifier("term.skill", int(context.state[who].sheet["skill"]), "TINY-TURN-01"),)
    roll = context.roll("1d6", by=who, rule="TINY-TURN-01", why="check.order")
    score = roll.total + add_up(terms)
    context.emit(e.Checked(who, "check.order", roll, terms, score, str(score)), "TINY-TURN-01")
    context.emit(e.InitiativeSet(who, score), "TINY-TURN-01")


TURNS = SimpleTurns(
    budget=BUDGET,
    roll=roll_order,
    can_act=is_up,
    order_rule="TINY-TURN-01",
    turn_rule="TINY-TURN-02",
    waiting="waiting",
    wait_rule="TINY-TURN-03",
)


def wait(context: RuleContext, command: Command) -> Then:
    """Act last this round. [TINY-TURN-03]"""
    who = command.actor
    check_wait(context.state, who)
    add_condition(context, who, "waiting")
    order = (*(each for each in context.state.order if each != who), who)
    context.emit(e.OrderSet(order, "why.waits"), "TINY-TURN-03")
    return Then(TURNS.open_next, 0)


def check_wait(state: State, actor: str) -> None:
    """Refuse to wait after the first deed, or as the last. [TINY-TURN-03]"""
    if state[actor].budget != BUDGET or not TURNS.find_later(state, actor):
        raise Refused("not_allowed", "Wait before doing anything, while someone else is still to act.")


ACTIONS = (
    TABLE.act("wait", wait, check_wait),
    TABLE.gm("start", TURNS.start),
    TABLE.gm("next_turn", TURNS.next_turn),
)
