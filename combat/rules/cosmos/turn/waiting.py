"""Turns out of order: delaying, stepping in, interrupting."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.commands import Command, Field, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, has_condition
from combat.rules.core.turn.turns import add_condition

from ..book.options import find_option
from ..characters.conditions import KINDS
from ..characters.sheet import attribute_terms, is_able
from ..dice import DICE, did_succeed, roll_check, table_terms
from ..world.acting import act
from .rounds import begin, find_budget, open_next

INTERRUPT_TN = 17  # COS-INIT-07


class Delay(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Act after another combatant; without a name, step in later or act last."""

    after: str = ""


def delay(context: RuleContext, command: Delay) -> Then:
    """Act later: after a named combatant, by stepping in, or last. [COS-INIT-06]  RULING R22."""
    who = command.actor
    add_condition(context, who, "delaying")
    rest = [other for other in context.state.order if other != who]
    spot = len(rest)
    if command.after:
        if command.after not in find_later(context.state, who):
            raise Refused("bad_target", "Choose someone who has yet to act this round.")
        spot = rest.index(command.after) + 1
    order = (*rest[:spot], who, *rest[spot:])
    context.emit(e.OrderSet(order, "why.delays"), "COS-INIT-06")
    return Then(open_next, 0)


def check_delay(state: State, actor: str) -> None:
    """Refuse to delay after any action, or if nobody else is still to act."""
    combatant = state[actor]
    if combatant.budget != find_budget(combatant):
        raise Refused("not_allowed", "Delay before doing anything else this turn.")
    if not find_later(state, actor):
        raise Refused("not_allowed", "No one acts after this turn: there is nothing to wait for.")


def find_later(state: State, actor: str) -> list[str]:
    """The other combatants still to act this round, in order."""
    waiting = [w for w in state.order if w != actor and not state.combatants[w].acted]
    return [w for w in waiting if is_able(state.combatants[w])]


def delay_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a delay."""
    names = [Choice(w, f"after {state.combatants[w].name}") for w in find_later(state, actor)]
    options = (Choice("", "wait and step in later"), *names)
    return (Field("after", "Act", "choice", options, value="", rule="COS-INIT-06", required=False),)


def step_in(context: RuleContext, command: Command) -> None:
    """Let a delaying combatant act right after the current turn. [COS-INIT-06]

    After an interrupt the current turn is the interrupted one, which resumes first.
    """
    who = command.actor
    rest = [other for other in context.state.order if other != who]
    turn = str(context.state.marks.get("interrupted") or context.state.active)
    spot = rest.index(turn) + 1
    order = (*rest[:spot], who, *rest[spot:])
    context.emit(e.OrderSet(order, "why.steps_in"), "COS-INIT-06")


def check_step_in(state: State, actor: str) -> None:
    """Refuse to step in without delaying, or outside someone else's turn."""
    if not has_condition(state[actor], "delaying"):
        raise Refused("not_allowed", f"{state[actor].name} is not delaying.")
    if state.active not in state.order or state.active == actor:
        raise Refused("not_allowed", "Step in during someone else's turn.")


def interrupt(context: RuleContext, command: Command) -> Then | None:
    """Roll Awareness against 17 to act before the current turn. [COS-INIT-07]  RULING R22."""
    who = command.actor
    add_condition(context, who, "tried_interrupt")
    terms = interrupt_terms(context.state, command)
    roll_check(context, who, terms, INTERRUPT_TN, rule="COS-INIT-07", what="Awareness", why="roll.interrupt")
    if not did_succeed(context):
        return None
    context.emit(e.Marked("", "interrupted", context.state.active), "COS-INIT-07", e.GM_ONLY)
    return Then(begin, who, 0)


def interrupt_terms(state: State, command: Command) -> Modifiers:
    """Awareness alone: no skill, and no penalty of wounds or conditions.  RULING R5."""
    rule = "COS-INIT-07"
    return (*attribute_terms(state[command.actor], "AWA", rule), *table_terms(command, rule))


def preview_interrupt(state: State, command: Command) -> Preview:
    """The sums of the interrupt check."""
    check_interrupt(state, command.actor)
    target = (Modifier("term.target_number", INTERRUPT_TN, "COS-INIT-07"),)
    return Preview(interrupt_terms(state, command), target, "against.tn", DICE)


def check_interrupt(state: State, actor: str) -> None:
    """Refuse an interrupt during or after the own turn, and a second try in a round."""
    combatant = state[actor]
    if not state.active or state.active == actor:
        raise Refused("not_allowed", "Interrupt during someone else's turn.")
    if combatant.acted or not is_able(combatant):
        raise Refused("not_allowed", f"{combatant.name} has no turn left this round.")
    if state.marks.get("interrupted"):
        raise Refused("not_allowed", "This turn is an interrupt itself: wait until it is over.")
    KINDS.check(combatant, "interrupt")
    only = find_option(state, "interrupt_only_when_delaying")
    if only and not has_condition(combatant, "delaying"):
        raise Refused("not_allowed", "At this table only those who delay may interrupt.")


ACTIONS = (
    act("delay", delay, check_delay, fields=delay_fields),
    act("step_in", step_in, check_step_in, on_turn=False),
    act("interrupt", interrupt, check_interrupt, preview=preview_interrupt, on_turn=False),
)
