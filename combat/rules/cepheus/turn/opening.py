"""The start of a fight: awareness, Initiative, plans; and haste before anyone has acted."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.commands import Command, Field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import folded_field
from combat.rules.core.engine.engine import follow
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, is_acting, present
from combat.rules.core.turn.turns import add_condition, begin_fight, remove_conditions, take_deferred

from ..body.states import bring_in_line
from ..book.options import check_used, find_option
from ..characters.conditions import KINDS
from ..characters.machinery import CONTROLLED
from ..time import UNPLAYED
from ..world.acting import act, check_unoccupied, gm
from ..world.economy import INTERRUPTED, LOST
from ..world.motion import MOVED_M, MOVED_ROUND
from ..world.order import LATER, SPENT, TACTICS, mark, sort_order
from .initiative import (
    HASTEN_NEXT,
    HASTENED_ONCE,
    PLANNED,
    be_hasty,
    can_plan,
    check_hasten_now,
    find_actors,
    predict_initiative,
    roll_or_share,
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
        mark(context, who, HASTEN_NEXT, value=True, rule="CE-ROUND-14")
    everyone = tuple(f.id for f in combatants)
    predict_initiative(context, tuple(who for who in everyone if who not in ready))
    return Then(roll_all, everyone, tuple(sorted(ready)), command.tactics)


def end_fight(context: RuleContext) -> None:
    """End delays, haste, reactions, surprise, plans, tasks and waiting with the fight."""
    follow(context, take_deferred(context))
    forget_last_fight(context, "why.fight_over")


def forget_last_fight(context: RuleContext, why: Label = "why.new_fight") -> None:
    """Remove the leftovers of turns from an earlier fight."""
    for key in (INTERRUPTED, UNPLAYED):
        mark(context, "", key, None)
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
        roll_or_share(context, left[0], ready)
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


# ---------------------------------------------------------------- forms


def name_all(state: State) -> tuple[Choice, ...]:
    """Everyone who has turns, by name and side."""
    return tuple(Choice(f.id, f.name, f.side) for f in find_actors(state))


def start_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Who knows that their opponents are there, and who declares haste for round 1. [CE-SEQ-02]

    RULING R61: nothing about rules that the table does not use.
    """
    people = name_all(state)
    hint = "selected people need not roll: they count as 12"
    fields = [
        Field(
            "aware", "Aware of their opponents", "many", people, help=hint, rule="CE-SEQ-02", required=False
        )
    ]
    if find_option(state, "use_tactics"):
        fields.append(Field("tactics", "Commanders roll Tactics", "flag", rule="CE-INIT-06", required=False))
    if find_option(state, "use_hasten"):
        fields.append(folded_field("hasty", "Hasten in round 1", "many", people, rule="CE-ROUND-14"))
    return tuple(fields)


def avoid_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The combatants who have noticed the others. [CE-INIT-05]"""
    return (Field("aware", "Have noticed the others", "many", name_all(state), rule="CE-INIT-05"),)


def check_start_now(state: State, actor: str) -> None:
    """Refuse to start a running fight, or one with no combatants."""
    if state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way: end it before another one begins.")
    if not find_actors(state):
        raise Refused("not_allowed", "There is no one to act: add combatants first.")


def check_avoid_now(state: State, actor: str) -> None:
    """Refuse during a fight, or with no one to avoid. [CE-INIT-05]"""
    if state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way: it can only be ended.")
    if len({f.side for f in present(state)}) < 2:
        raise Refused("not_allowed", "There is no one to avoid: add the other group first.")


ACTIONS = (
    gm("start", start, check_start_now, fields=start_fields),
    gm("avoid", avoid, check_avoid_now, fields=avoid_fields),
    act("hasten", hasten, check_hasten_now, bar=check_unoccupied, on_turn=False, has_odds=False),
)
