"""Delayed turns: they come next, or open the next round."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, find_condition, find_holders
from combat.rules.core.turn.turns import remove_conditions

from ..people.values import is_conscious
from ..world.order import BASE, DELAYING, LATER, TACTICS, mark, take_delayed

NEXT = "next"  # mark of a delay: the turn comes right after the current one, on its count
ASK_OPEN = "The round is over: go first in the next one?"
OPEN, WAIT = "first", "no"


def find_stepping_in(state: State) -> str:
    """The first in order whose delayed turn is to come next."""
    waiting = find_holders(state, DELAYING)
    due = {f.id for f in waiting if _is_due(f) and is_conscious(f)} if waiting else ()
    return next((who for who in state.order if who in due), "") if due else ""


def _is_due(combatant: Combatant) -> bool:
    held = find_condition(combatant, DELAYING)
    return held is not None and NEXT in held.marks


def take_count(context: RuleContext, who: str) -> None:
    """Begin a delayed turn on the count chosen for it. [CE-OTHER-13]"""
    held = find_condition(context.state[who], "delaying")
    assert held is not None
    take_delayed(context, who, int(held.marks.get(NEXT, 0)))


# ---------------------------------------------------------------- the end of the round


def open_with_delayers(context: RuleContext) -> tuple[str, ...]:
    """Let those who still delay open the next round; returns all who delayed: their turn of this round is
    over.

    [CE-OTHER-14] [CE-OTHER-15] [CE-OTHER-16] [CE-OTHER-17] RULING R7: all of them on one more than the
    highest Initiative, in the order of Dexterity.
    """
    waiting = tuple(f.id for f in find_holders(context.state, DELAYING) if not f.gone)
    if not waiting:
        return ()
    able = tuple(who for who in waiting if is_conscious(context.state[who]))
    options = (Choice(OPEN, "Go first next round"), Choice(WAIT, "Lose this turn, keep the Initiative"))
    chosen = context.ask_each(able, ASK_OPEN, options, rule="CE-OTHER-14", default=OPEN) if able else {}
    highest = max((_total_next_score(context.state, w) for w in context.state.order), default=0)
    for who in waiting:
        remove_conditions(context, who, "delaying", why="why.round_over", rule="CE-OTHER-15")
        if chosen.get(who) == OPEN:
            own = highest + 1 - int(context.state[who].marks.get(TACTICS, 0))
            mark(context, who, BASE, own, "CE-OTHER-16")
            context.emit(e.Said("log.opens_round", who, args={"n": highest + 1}), "CE-OTHER-16")
    return waiting


def _total_next_score(state: State, who: str) -> int:
    """Someone's score in the next round."""
    marks = state.combatants[who].marks
    return sum(int(marks.get(key, 0)) for key in (BASE, TACTICS, LATER))
