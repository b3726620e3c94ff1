"""Initiative: the rolls, the order, and scores that change."""

from __future__ import annotations

from itertools import groupby

from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.basics.words import Label, joined
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.checked import make_checked
from combat.rules.core.state.state import Combatant, State, present
from combat.rules.core.turn.turns import find_group

from ..book.options import find_option
from ..characters.sheet import attribute
from ..dice import initiative_terms, passing_initiative

COUNTED = "initiative_counted"  # the part of the score that comes from deafness and drugs


NEW_SCORE = "initiative_by_gm"  # why the GM has set the score since the round began


def roll_initiative(context: RuleContext, who: str) -> None:
    """1d10 + Awareness. [COS-INIT-01]"""
    combatant = context.state[who]
    terms = initiative_terms(combatant)
    roll = context.roll("1d10", by=who, rule="COS-INIT-01", why="roll.initiative")
    told = make_checked(who, "check.initiative", roll, terms)
    context.emit(told, "COS-INIT-01")
    context.emit(e.InitiativeSet(who, told.total), "COS-INIT-01", e.GM_ONLY)
    _note_counted(context, who, add_up(passing_initiative(combatant)))


def _note_counted(context: RuleContext, who: str, points: int) -> None:
    """Record the part of the new score that comes from deafness and drugs; drop the older record."""
    if points != int(context.state[who].marks.get(COUNTED, 0)):
        context.emit(e.Marked(who, COUNTED, points or None), "COS-COND-10", e.GM_ONLY)


def roll_for_all(context: RuleContext, combatants: list[Combatant]) -> None:
    """Roll for each of these, or once for each group, and set the order. [COS-INIT-01] [COS-INIT-02]"""
    leaders: dict[str, str] = {}
    for combatant in combatants:
        leaders.setdefault(group_of(context.state, combatant), combatant.id)
    context.predict_rolls("1d10", leaders.values(), rule="COS-INIT-01", why="roll.initiative")
    for combatant in combatants:
        leader = leaders[group_of(context.state, combatant)]
        if leader == combatant.id:
            roll_initiative(context, combatant.id)
        else:
            share_initiative(context, combatant.id, leader)
    set_order(context)


def group_of(state: State, combatant: Combatant) -> str:
    """The group that rolls together: numbered enemies of one kind by table option, else each alone."""
    return find_group(combatant) if find_option(state, "group_initiative") else combatant.id


def share_initiative(context: RuleContext, who: str, leader: str) -> None:
    """Share one roll among a group of identical enemies. [COS-INIT-02]

    Wounds, deafness and drugs still count for each alone.
    """
    own, other = (add_up(passing_initiative(context.state[f])) for f in (who, leader))
    score = (context.state[leader].initiative or 0) + own - other
    context.emit(e.InitiativeSet(who, score), "COS-INIT-02", e.GM_ONLY)
    _note_counted(context, who, own)


def rank(combatant: Combatant) -> tuple[int, int, int]:
    """The sort key of the order: score, Awareness, Coordination; higher is earlier.

    [COS-INIT-03] [COS-INIT-04] [COS-INIT-05]
    """
    score = combatant.initiative if combatant.initiative is not None else 0
    return (-score, -attribute(combatant, "AWA"), -attribute(combatant, "COO"))


def set_order(context: RuleContext) -> None:
    """Sort by score, highest first; remaining ties roll off on a d10. [COS-INIT-03]  RULING R21."""
    ranked = sorted(present(context.state), key=rank)
    order: list[str] = []
    for _, group in groupby(ranked, key=rank):
        order += _roll_off(context, [combatant.id for combatant in group])
    context.emit(e.OrderSet(tuple(order), "why.initiative"), "COS-INIT-03")


def _roll_off(context: RuleContext, tied: list[str]) -> list[str]:
    groups_of = {who: group_of(context.state, context.state[who]) for who in tied}
    if len(set(groups_of.values())) < 2:
        return tied
    rolls = _roll_for_groups(context, groups_of)
    ranked = sorted(tied, key=lambda who: (-rolls[who], groups_of[who]))
    groups = [list(group) for _, group in groupby(ranked, key=lambda who: rolls[who])]
    if len(groups) == 1:
        return tied  # still equal: the order of joining decides
    return [who for group in groups for who in _roll_off(context, group)]


def _roll_for_groups(context: RuleContext, groups_of: dict[str, str]) -> dict[str, int]:
    """Roll one d10 for each group among the tied; returns everyone's result."""
    first = {group: who for who, group in reversed(groups_of.items())}
    ranked = sorted(first.items(), key=lambda pair: list(groups_of).index(pair[1]))
    rule, why = "COS-INIT-05", "roll.roll_off"
    context.predict_rolls("1d10", [who for _, who in ranked], rule=rule, why=why)
    rolls = {group: context.roll("1d10", by=who, rule=rule, why=why).total for group, who in ranked}
    return {who: rolls[group] for who, group in groups_of.items()}


def enter(context: RuleContext, who: str) -> None:
    """Roll initiative for a combatant who joins a running fight, and place it.  [COS-INIT-01]"""
    roll_initiative(context, who)
    take_place(context, who, "why.joins")


def take_place(context: RuleContext, who: str, why: Label) -> None:
    """Place one combatant by its score; the others keep their places. [COS-INIT-03]"""
    state = context.state
    new = rank(state[who])
    rest = [other for other in state.order if other != who]
    spot = next((i for i, w in enumerate(rest) if rank(state.combatants[w]) > new), len(rest))
    order = (*rest[:spot], who, *rest[spot:])
    if order != state.order:
        context.emit(e.OrderSet(order, why), "COS-INIT-03")


def count_changes(context: RuleContext) -> None:
    """Apply changes of the score by deafness and drugs from the next round. [COS-COND-10] [COS-DRUG-01]

    RULING R21.
    """
    for combatant in present(context.state):
        terms, counted = passing_initiative(combatant), int(combatant.marks.get(COUNTED, 0))
        now = add_up(terms)
        if now == counted or combatant.initiative is None:
            continue
        rule = terms[0].rule if terms else "COS-COND-10"
        context.emit(e.Marked(combatant.id, COUNTED, now or None), rule, e.GM_ONLY)
        context.emit(e.InitiativeSet(combatant.id, combatant.initiative + now - counted), rule, e.GM_ONLY)
        take_place(context, combatant.id, joined(term.label for term in terms) if terms else "why.as_before")


def reseat(context: RuleContext, who: str, why: str) -> None:
    """Record a score that the GM sets; it counts from the next round. [COS-INIT-03]  RULING R21."""
    context.emit(e.Marked(who, NEW_SCORE, why), "COS-INIT-03", e.GM_ONLY)


def take_new_places(context: RuleContext) -> None:
    """Place everyone whose score the GM has set."""
    for combatant in present(context.state):
        why = combatant.marks.get(NEW_SCORE)
        if why is not None:
            context.emit(e.Marked(combatant.id, NEW_SCORE, None), "COS-INIT-03", e.GM_ONLY)
            take_place(context, combatant.id, str(why))
