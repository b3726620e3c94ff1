"""Squads: combatants of one kind who act as one, at one place in the order; harm falls through to the next.

A squad is a mark of its members: its name. All else about them stays their own, so each has the states that
the text gives them. No text has squads: they are the table's convenience, and say so in the log.
"""

from __future__ import annotations

from collections.abc import Collection

from ..basics.modifiers import Modifier, Modifiers
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..state import events as e
from ..state.state import Combatant, State, present

SQUAD = "squad"  # the mark of its members: the name of the squad
LEFT_OVER = "why.squad"  # the words of harm that one of them passes on


def find_members(state: State, who: str) -> tuple[str, ...]:
    """All of someone's squad who are here, in the order they joined; none for those who act alone."""
    one = state.combatants[who]
    name = one.marks.get(SQUAD)
    if not name:
        return ()
    return next((people for people in list_squads(state).values() if who in people), ())


def list_squads(state: State) -> dict[tuple[str, str], tuple[str, ...]]:
    """The members of each squad who are here, by its name and side; one alone is no squad."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for one in present(state):
        if name := one.marks.get(SQUAD):
            key = (str(name), one.side)
            found[key] = (*found.get(key, ()), one.id)
    return {key: people for key, people in found.items() if len(people) > 1}


def has_squads(state: State) -> bool:
    """Whether anyone is marked as one of a squad. A plain loop: every new order asks."""
    for one in state.combatants.values():  # noqa: SIM110 - a generator is a call for each combatant
        if SQUAD in one.marks:
            return True
    return False


def find_others(state: State, combatant: Combatant) -> tuple[Combatant, ...]:
    """The others of someone's squad, whether they still stand or not."""
    members = find_members(state, combatant.id)
    return tuple(state.combatants[who] for who in members if who != combatant.id)


def find_later_mates(state: State, who: str) -> tuple[str, ...]:
    """The others of someone's squad who still have a turn in this round, in their order."""
    mates = set(find_members(state, who)) - {who, *state.sharing}
    return tuple(one for one in state.order if one in mates and not state.combatants[one].acted)


def share_harm(
    context: RuleContext, who: str, points: int, most: int, passed: Collection[str] = ()
) -> tuple[int, int, str]:
    """How many points of a hit someone bears, how many are left over, and who takes those.

    `most` are the points that put them out of the fight: what is beyond falls through to the first of their
    squad who still stands. The last one bears all, as anyone does, and so does who is out already. Those whom
    the hit has `passed` get nothing back: where harm is counted before it fells anyone, they still stand.
    """
    if not 0 < most < points:
        return points, 0, ""
    health = system_of(context).characters.health
    for mate in find_others(context.state, context.state.combatants[who]):
        if mate.id not in passed and not health(mate).is_out:
            return most, points - most, mate.id
    return points, 0, ""


def over_terms(points: int) -> Modifiers:
    """The points that fall to the next of a squad, as a term of the harm; none for 0."""
    return (Modifier("term.squad", -points),) if points else ()


def gather_squads(state: State) -> tuple[str, ...]:
    """The order of turns with each squad at the place of its first member."""
    whose = {who: people for people in list_squads(state).values() for who in people}
    order = dict[str, None]()
    for who in state.order:
        together = whose.get(who, (who,))
        order |= dict.fromkeys(one for one in state.order if one in together)
    return tuple(order)


def keep_together(context: RuleContext) -> None:
    """Let the members of each squad follow one another in the order."""
    if not has_squads(context.state):
        return
    order = gather_squads(context.state)
    if order != context.state.order:
        context.emit(e.OrderSet(order), to=e.GM_ONLY)


def level_scores(context: RuleContext) -> list[str]:
    """Give the members of each squad the highest score of them; returns whose score is another one now."""
    changed = []
    for people in list_squads(context.state).values():
        scores = [context.state.combatants[who].initiative for who in people]
        best = max((score for score in scores if score is not None), default=None)
        for who, score in zip(people, scores, strict=True):
            if score is not None and score != best:
                context.emit(e.InitiativeSet(who, best), to=e.GM_ONLY)
                changed.append(who)
    return changed
