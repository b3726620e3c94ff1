"""Waiting with one's turn: stepping in later, interrupting, opening the next round."""

from __future__ import annotations

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.requests import Choice
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Condition, State, find_condition, is_acting, present, replace
from combat.rules.core.turns import add_condition, remove_conditions, run_out

from ..book.options import find_option
from ..people.values import is_conscious
from ..world.economy import find_budget
from ..world.order import BASE, INTERRUPTED, TACTICS, is_delaying, mark, step_before, take_delayed

NEXT = "next"  # mark of a delay: the turn comes as soon as the one under way is over, on its count
OPEN, WAIT = "first", "no"


def check_delay(state: State, actor: str) -> None:
    """[CE-OTHER-11] Wait with the whole turn, before anything is done in it."""
    fighter = state[actor]
    if not find_option(state, "use_delay"):
        raise Refused("not_allowed", "This table plays without delaying: the GM can switch it on.")
    if fighter.budget != find_budget(state, fighter):
        raise Refused("not_allowed", "All actions come together: delay before doing anything.")


def delay(context: RuleContext, command: Command) -> Then | None:
    """[CE-OTHER-11] Let the turn wait; the next one comes."""
    from .rounds import settle_count

    who = command.actor
    check_delay(context.state, who)
    budget = {pool: n for pool, n in context.state[who].budget.items()}
    add_condition(context, who, "delaying", marks=dict(budget))
    context.emit(e.TurnEnded(who), "CE-OTHER-11")
    return None if context.state.active else Then(settle_count)


def check_step_in(state: State, actor: str) -> None:
    """[CE-OTHER-12] Only who delays acts later."""
    fighter = state[actor]
    if not is_delaying(fighter):
        raise Refused("not_allowed", f"{fighter.name} is not delaying.")
    if is_acting(state, actor):
        raise Refused("not_allowed", f"{fighter.name} has the turn.")


def interrupt(context: RuleContext, command: Command) -> None:
    """[CE-OTHER-12] [CE-OTHER-13] Act now, before the rest of the turn under way, on its count."""
    check_step_in(context.state, command.actor)
    step_before(context, command.actor)


def step_in(context: RuleContext, command: Command) -> None:
    """[CE-OTHER-12] Act as soon as the turn under way is over, on its count."""
    who = command.actor
    check_step_in(context.state, who)
    held = find_condition(context.state[who], "delaying")
    assert held is not None
    if NEXT in held.marks:
        raise Refused("not_allowed", f"{context.state[who].name} is next already.")
    count = context.state[context.state.active].initiative or 0 if context.state.active else 0
    waits = replace(held, marks={**held.marks, NEXT: count})
    context.emit(e.ConditionChanged(who, waits), "CE-OTHER-12")
    context.emit(e.Said("log.steps_in", who), "CE-OTHER-12")


def find_stepping_in(state: State) -> str:
    """Who has said that a delayed turn comes next; the first in order."""
    return next((w for w in state.order if _is_next(state, w)), "")


def _is_next(state: State, who: str) -> bool:
    held = find_condition(state.combatants[who], "delaying")
    return held is not None and NEXT in held.marks and is_conscious(state.combatants[who])


def take_count(context: RuleContext, who: str) -> None:
    """[CE-OTHER-13] Begin a delayed turn on the count it was said for."""
    held = find_condition(context.state[who], "delaying")
    assert held is not None
    take_delayed(context, who, int(held.marks[NEXT]))


# ---------------------------------------------------------------- the end of the round


def open_with_delayers(context: RuleContext) -> None:
    """Who still delays may open the next round, and gives up the actions of this one.

    [CE-OTHER-14] [CE-OTHER-15] [CE-OTHER-16] [CE-OTHER-17] RULING R7: all of them on one more than the
    highest Initiative, in the order of Dexterity.
    """
    waiting = tuple(f.id for f in present(context.state) if is_delaying(f))
    able = tuple(who for who in waiting if is_conscious(context.state[who]))
    options = (Choice(OPEN, "go first next round"), Choice(WAIT, "lose this turn, keep the Initiative"))
    chosen = (
        context.ask_each(able, "ask.open_round", options, rule="CE-OTHER-14", default=OPEN) if able else {}
    )
    highest = max((_find_next_score(context.state, w) for w in context.state.order), default=0)
    for who in waiting:
        remove_conditions(context, who, "delaying", why="why.round_over", rule="CE-OTHER-15")
        run_out(context, who, "end")
        if chosen.get(who) == OPEN:
            own = highest + 1 - int(context.state[who].marks.get(TACTICS, 0))
            mark(context, who, BASE, own, "CE-OTHER-16")
            context.emit(e.Said("log.opens_round", who, args={"n": highest + 1}), "CE-OTHER-16")


def _find_next_score(state: State, who: str) -> int:
    """The score somebody keeps for the combat."""
    marks = state.combatants[who].marks
    return int(marks.get(BASE, 0)) + int(marks.get(TACTICS, 0))

