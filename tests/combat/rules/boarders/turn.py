"""Turns: all of one side, then all of the other."""

from __future__ import annotations

from combat.rules.core.commands.commands import Next, form_of_next
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import present
from combat.rules.core.turn.side_turns import SideTurns
from combat.rules.core.turn.turns import remove_conditions
from tests.combat.rules.boarders.body import bleed
from tests.combat.rules.boarders.world import TABLE, is_up


def roll_side(context: RuleContext, who: str) -> int:
    """Roll 1d6 for a side, by its first. [BRD-TURN-01]"""
    roll = context.roll("1d6", by=who, rule="BRD-TURN-01", why="check.order")
    context.emit(e.make_checked(who, "check.order", roll), "BRD-TURN-01")
    return roll.total


TURNS = SideTurns(
    budget={"act": 2},
    can_act=is_up,
    order_rule="BRD-TURN-01",
    turn_rule="BRD-TURN-02",
    roll=roll_side,
    begins=bleed,
)


def start(context: RuleContext, command: Next) -> Then:
    """Begin the fight: first aid helps everyone again. [BRD-AID-01]"""
    for combatant in present(context.state):
        remove_conditions(context, combatant.id, "treated", why="why.new_fight")
    return TURNS.start(context, command)


ACTIONS = (
    TABLE.gm("start", start),
    TABLE.gm("next_turn", TURNS.next_turn, fields=form_of_next("BRD-TURN-02")),
)
