"""The order of a round: changes of Initiative, simultaneous turns, the price of a reaction.

`Combatant.initiative` is the score of this round. Marks keep the rest: `base` is the score without changes,
`later` the change for the next round only, `tactics` the gain from the commander's plan.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    State,
    find_condition,
    find_holders,
    has_condition,
    is_acting,
    present,
    replace,
)
from combat.rules.core.turn.turns import TOGETHER, add_condition, remove_condition, remove_conditions

from ..book.options import find_option
from ..book.tables import REACTION_COST
from ..characters.conditions import KINDS, REACTION_SPAN
from ..characters.values import find_score
from .economy import INTERRUPTED, find_budget, find_interrupted, has_turn, write_interrupted

BASE, LATER, TACTICS, SPENT = "base", "later", "tactics", "spent"
LAST_ROUND = "last_round"  # mark of a condition: the last round of its effect
DELAYING = "delaying"
ASK_INTERRUPT = "An enemy acts: step in first with the delayed turn?"


# ---------------------------------------------------------------- the order


def rank(combatant: Combatant) -> tuple[int, int]:
    """The rank in the order: the score, then the Dexterity score; higher is earlier.

    [CE-INIT-02] [CE-ROUND-03] [CE-ROUND-04]
    """
    dexterity = combatant.tracks.get("dex")  # as `find_score`: everyone is ranked in every round
    if dexterity is None:
        dexterity = find_score(combatant, "dex")
    return (-(combatant.initiative or 0), -dexterity)


def sort_order(state: State, people: Iterable[str]) -> tuple[str, ...]:
    """Combatants in the order they act; ties keep their order.  [CE-SEQ-05]"""
    return tuple(sorted(people, key=lambda who: rank(state.combatants[who])))


def resort(context: RuleContext, why: Label, rule: str = "CE-ROUND-09") -> None:
    """Sort everyone by the score of this round.  RULING R4"""
    order = sort_order(context.state, context.state.order)
    if order != context.state.order:
        context.emit(e.OrderSet(order, why), rule)


def sort_ties(context: RuleContext, who: str) -> None:
    """Sort again after a change of someone's Dexterity, if others have the same Initiative. [CE-ROUND-04]
    RULING R1: it is the current score that counts."""
    state = context.state
    score = state.combatants[who].initiative
    if state.phase == "fight" and score is not None:
        if any(state.combatants[other].initiative == score for other in state.order if other != who):
            resort(context, "why.dexterity", "CE-ROUND-04")


def find_tied(state: State, who: str) -> tuple[str, ...]:
    """Those who act at the same moment as the next combatant: equal in score and Dexterity.

    [CE-ROUND-05] RULING R33
    """
    waiting = [f for w in state.order if not (f := state.combatants[w]).acted and not f.gone]
    if waiting and waiting[0].id == who:
        later = waiting[1] if len(waiting) > 1 else None
        if later is None or later.initiative != waiting[0].initiative or rank(later) != rank(waiting[0]):
            return (who,)
    groups = (tuple(f.id for f in group) for _, group in groupby(waiting, key=rank))
    return next((tied for tied in groups if who in tied), (who,))


# ---------------------------------------------------------------- changes


def change_initiative(
    context: RuleContext, who: str, points: int, why: Label, rule: str, *, at_once: bool = False
) -> None:
    """Raise or lower someone's Initiative for one round.

    [CE-ROUND-09] [CE-ROUND-10] [CE-ROUND-11] This round if they have yet to act, which sorts the order again;
    otherwise the next one. RULING R4: there is no floor. `at_once` makes it this round in any case.
    """
    if not points or context.state.phase != "fight":
        return
    combatant = context.state[who]
    if at_once or has_yet_to_act(context.state, who):
        set_score(context, who, (combatant.initiative or 0) + points, why=why, rule=rule)
        return
    later = int(combatant.marks.get(LATER, 0)) + points
    context.emit(e.Marked(who, LATER, later or None), rule, e.GM_ONLY)
    context.emit(e.Said("log.initiative_next", who, args={"n": points, "why": why}), rule)


def has_yet_to_act(state: State, who: str) -> bool:
    """Whether someone's turn of this round is still to come; a delayed turn is, an interrupted one has
    begun."""
    combatant = state[who]
    if is_delaying(combatant):
        return True
    return not combatant.acted and not has_turn(state, who)


def is_delaying(combatant: Combatant) -> bool:
    """Whether someone has delayed their turn.  [CE-OTHER-11]"""
    return bool(combatant.conditions) and has_condition(combatant, DELAYING)


def set_score(context: RuleContext, who: str, score: int, why: Label, rule: str) -> None:
    """Give someone another score for this round, and sort the order."""
    old = context.state[who].initiative or 0
    if score == old:
        return
    context.emit(e.InitiativeSet(who, score), rule, e.GM_ONLY)
    context.emit(e.Said("log.initiative_now", who, args={"n": score, "old": old, "why": why}), rule)
    resort(context, why, rule)


def set_base(context: RuleContext, who: str, score: int, why: Label) -> None:
    """Give someone another score for the rest of the combat.  [CE-OTHER-13] RULING R7"""
    own = score - int(context.state[who].marks.get(TACTICS, 0))
    mark(context, who, BASE, value=own, rule="CE-OTHER-13")
    set_score(context, who, score, why=why, rule="CE-OTHER-13")


def mark(context: RuleContext, who: str, key: str, value: Any, rule: str = "") -> None:
    """Set a mark of a combatant or, without one, of the fight; an unchanged mark is not logged."""
    marks = context.state.combatants[who].marks if who else context.state.marks
    if marks.get(key) != value:
        context.emit(e.Marked(who, key, value), rule, e.GM_ONLY)


def renew_scores(context: RuleContext) -> None:
    """Set the scores of a new round: base, Tactics, and changes left from the last round.

    [CE-ROUND-08] [CE-ROUND-11] No one rolls again.
    """
    for combatant in present(context.state):
        marks = combatant.marks
        score = int(marks.get(BASE, 0)) + int(marks.get(TACTICS, 0)) + int(marks.get(LATER, 0))
        if LATER in marks:
            mark(context, combatant.id, LATER, value=None, rule="CE-ROUND-11")
        if SPENT in marks:
            mark(context, combatant.id, SPENT, value=None, rule="CE-INIT-03")
        if combatant.initiative is not None and score != combatant.initiative:
            context.emit(e.InitiativeSet(combatant.id, score), "CE-ROUND-11", e.GM_ONLY)
    resort(context, "why.new_round", "CE-ROUND-11")


def end_of_round(context: RuleContext, ended: int) -> None:
    """End the effects that last to the end of a round.  [CE-ROUND-07] [CE-REACT-03] RULING R5"""
    keeps = find_option(context.state, "reaction_penalty_ends") == "end_of_next_turn"
    kinds = KINDS.ended_by("round") + (() if keeps else REACTION_SPAN)
    for combatant in present(context.state):
        for held in combatant.conditions:
            last = held.marks.get(LAST_ROUND)
            if held.kind in kinds or (last is not None and int(last) <= ended):
                remove_condition(context, combatant.id, held, "why.round_over")


# ---------------------------------------------------------------- reactions


def check_reaction(state: State, who: str) -> None:
    """Refuse a reaction that Initiative cannot pay for.

    [CE-REACT-04] There is no limit, unless Initiative is a purse.  RULING R61
    """
    combatant = state[who]
    if find_option(state, "reaction_limit") == "purse" and find_purse(combatant) < REACTION_COST:
        left = find_purse(combatant)
        text = f"No reaction: {combatant.name} has {left} Initiative left this round, it takes 2."
        raise Refused("no_budget", text)


def find_purse(combatant: Combatant) -> int:
    """Points of Initiative left for reactions this round.  RULING R61 R85"""
    return combatant.initiative or 0


def pays_at_once(state: State, who: str) -> bool:
    """Whether a reaction costs Initiative in this round, as a purse always does.  RULING R85"""
    return find_option(state, "reaction_limit") == "purse" or has_yet_to_act(state, who)


def pay_reaction(context: RuleContext, who: str) -> None:
    """Pay for a reaction: 2 points of Initiative and DM -1 on skill checks.

    [CE-INIT-03] [CE-ROUND-12] [CE-REACT-02] [CE-REACT-03] [CE-REACT-06] Several add up. RULING R85: as a
    purse Initiative goes down at once and is full again next round.
    """
    check_reaction(context.state, who)
    at_once = pays_at_once(context.state, who)
    change_initiative(context, who, -REACTION_COST, why="why.reacts", rule="CE-REACT-02", at_once=at_once)
    held = find_condition(context.state[who], "reacted")
    if held is None:
        add_condition(context, who, "reacted")
        return
    context.emit(e.ConditionChanged(who, replace(held, level=held.level + 1)), "CE-REACT-06")


# ---------------------------------------------------------------- interrupting


def offer_interrupt(context: RuleContext, who: str) -> bool:
    """Let those who delay interrupt the action just declared; returns whether one does.

    [CE-OTHER-12] RULING R7: an interrupt resolves first, so the declared action is not spent; its actor goes
    on afterwards. Call this before anything is paid or rolled.
    """
    if context.state.phase != "fight" or not is_acting(context.state, who):
        return False
    for other in find_holders(context.state, DELAYING):
        if not other.gone and other.id != who and other.side != context.state[who].side:
            options = (Choice("no", "keep waiting"), Choice("yes", "act first"))
            asked = context.ask(other.id, ASK_INTERRUPT, options, rule="CE-OTHER-12", default="no")
            if asked == "yes":
                step_before(context, other.id)
                return True
    return False


def step_before(context: RuleContext, who: str) -> None:
    """Begin a delayed turn before the rest of the turns under way.

    [CE-OTHER-12] [CE-OTHER-13] The combatant's Initiative becomes the count it acts on, for the rest of the
    combat.
    """
    state = context.state
    waiting = [w for w in (state.active, *state.sharing) if w]
    if waiting:
        groups = (*find_interrupted(state), tuple(waiting))
        mark(context, "", TOGETHER, None)
        mark(context, "", INTERRUPTED, value=write_interrupted(groups), rule="CE-OTHER-12")
        context.emit(e.Said("log.interrupts", who, waiting[0]), "CE-OTHER-12")
        count = state.combatants[waiting[0]].initiative
    else:
        count = state.combatants[who].initiative
    take_delayed(context, who, count or 0)


def take_delayed(context: RuleContext, who: str, count: int) -> None:
    """Begin a delayed turn on a count, with the actions its owner has now.  [CE-OTHER-13] RULING R7"""
    remove_conditions(context, who, "delaying", why="why.acts_now", rule="CE-OTHER-12")
    combatant = context.state[who]
    budget = find_budget(context.state, combatant)
    context.emit(e.TurnStarted(who, budget, again=combatant.acted), "CE-OTHER-12")
    set_base(context, who, count, say("why.count", n=count))
