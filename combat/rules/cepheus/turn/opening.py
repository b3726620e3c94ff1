"""The start of a fight: awareness, Initiative, plans; and haste before anyone has acted."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.engine.engine import follow
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state import events as e
from combat.rules.core.state.state import is_acting, present
from combat.rules.core.turn.turns import add_condition, begin_fight, remove_conditions, take_deferred

from ..body.states import bring_in_line
from ..book.options import check_used
from ..people.conditions import KINDS
from ..people.machinery import CONTROLLED
from ..world.economy import INTERRUPTED, LOST
from ..world.motion import MOVED_M, MOVED_ROUND
from ..world.order import LATER, SPENT, TACTICS, mark, sort_order
from .initiative import (
    DICE,
    HASTEN_NEXT,
    HASTENED_ONCE,
    PLANNED,
    be_hasty,
    can_plan,
    find_actors,
    roll_initiative,
)
from .links import LOST_TACTICS
from .rounds import BEGUN, begin_fighting, reopen

TURN_MARKS = (
    *(LATER, SPENT, TACTICS, HASTEN_NEXT, HASTENED_ONCE, PLANNED),
    *(LOST, LOST_TACTICS, BEGUN, MOVED_M, MOVED_ROUND, CONTROLLED),
)


class Start(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`aware` are those who know that their opponents are there: if it is all or none, no one is surprised.
    With `tactics` the marked commanders roll for their units; `hasty` act hastily."""

    aware: tuple[str, ...] = ()
    tactics: bool = False
    hasty: tuple[str, ...] = ()


def start(context: RuleContext, command: Start) -> Then:
    """Roll Initiative once and begin round 1.

    [CE-SEQ-02] [CE-SEQ-03] [CE-SEQ-04] [CE-INIT-01] [CE-INIT-04] RULING R37: if all are aware, or none is,
    everyone rolls.
    """
    state, combatants = context.state, find_actors(context.state)
    if command.hasty:
        check_used(state, "use_hasten", "hastening")
    if command.tactics:
        check_used(state, "use_tactics", "Tactics")
    ready = {state[who].id for who in command.aware}
    ready = set() if ready >= {f.id for f in combatants} else ready
    hasty = tuple(state[who].id for who in dict.fromkeys(command.hasty))
    begin_fight(context)
    forget_last_fight(context)
    for combatant in present(context.state):
        bring_in_line(context, combatant.id)
    if ready:
        for combatant in combatants:
            if combatant.id not in ready:
                add_condition(context, combatant.id, "surprised")
    for who in hasty:
        mark(context, who, HASTEN_NEXT, True, "CE-ROUND-14")
    rolling = tuple(f.id for f in combatants if f.id not in ready)
    context.predict_rolls(DICE, rolling, rule="CE-INIT-01", why="check.initiative")
    return Then(roll_all, tuple(f.id for f in combatants), tuple(sorted(ready)), command.tactics)


def end_fight(context: RuleContext) -> None:
    """End delays, haste, reactions, surprise, plans, tasks and waiting with the fight."""
    follow(context, take_deferred(context))
    forget_last_fight(context, "why.fight_over")


def forget_last_fight(context: RuleContext, why: Label = "why.new_fight") -> None:
    """Remove the leftovers of turns from an earlier fight."""
    mark(context, "", INTERRUPTED, None)
    for combatant in present(context.state):
        for key in TURN_MARKS:
            if key in combatant.marks:
                mark(context, combatant.id, key, None)
        remove_conditions(context, combatant.id, *KINDS.ended_by("fight"), why=why)
        if any(combatant.budget.values()):
            context.emit(e.BudgetSet(combatant.id, {}), to=e.GM_ONLY)


def roll_all(context: RuleContext, left: tuple[str, ...], ready: tuple[str, ...], plans: bool) -> Then | None:
    """Roll for each in turn, or take the 12 of the ready; then the commanders roll, then round 1 begins."""
    if left:
        roll_initiative(context, left[0], left[0] in ready)
        return Then(roll_all, left[1:], ready, plans)
    order = sort_order(context.state, (f.id for f in find_actors(context.state)))
    context.emit(e.OrderSet(order, "why.initiative"), "CE-INIT-02")
    leaders = tuple(f.id for f in find_actors(context.state) if can_plan(context.state, f)) if plans else ()
    return Then(begin_fighting, leaders)


def hasten(context: RuleContext, command: Command) -> Then | None:
    """Act earlier this round, at DM -1. [CE-ROUND-13] [CE-ROUND-14] [CE-ROUND-15]"""
    be_hasty(context, command.actor)
    first = context.state.order[0] if context.state.order else ""
    return None if is_acting(context.state, first) else Then(reopen)


class Avoid(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`aware` know of the others and are unseen."""

    aware: tuple[str, ...]


def avoid(context: RuleContext, command: Avoid) -> None:
    """Avoid the fight, for those who noticed the others unseen: it ends before its first round.

    [CE-INIT-05]
    """
    state = context.state
    ready = {state[who].id for who in command.aware}
    sides = {state[who].side for who in ready}
    others = [f for f in present(state) if f.side not in sides]
    if not ready or not others:
        raise Refused("bad_target", "One group must know of another that does not: choose who knows.")
    context.emit(e.Said("log.avoids", sorted(ready)[0]), "CE-INIT-05")
    context.emit(e.FightEnded("why.avoided"), "CE-INIT-05")
