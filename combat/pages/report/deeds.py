"""What the report adds to the people of the GM's end: how many attacks hit, by whom and when they fell."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from combat.play.after.reports import Fight
from combat.rules.core.declaration.system import System
from combat.rules.core.report.luck import Tally
from combat.rules.core.state.state import SURRENDERED, State
from combat.sharing.viewer_context import ViewerContext

from ..table.end_view import find_doer, find_ended
from ..table.rows import find_people
from .shapes import say_hits

FALLS = ("dead", "dying", "unconscious")  # the kinds of conditions by which someone is out


@dataclass(frozen=True)
class Deeds:
    """How many attacks of someone hit, such as "6 of 7", and why they are out: "by Zara, round 3".

    Both may be empty. `is_out`: the end has a place for the reason.
    """

    id: str
    hits: str
    why: str
    is_out: bool


def view_deeds(context: ViewerContext, fight: Fight) -> list[Deeds]:
    """The deeds of everyone whom the GM's end names; of a fight that is over."""
    people = find_people(context)
    standing, out = find_ended(context, people.values())
    gone = {one.id for one in out}
    names = {who: one.name for who, one in people.items()}
    falls = find_falls(context.system, fight, gone, names)
    return [
        Deeds(
            one.id,
            say_hits(fight.tallies.of.get(one.id, Tally())),
            why=falls.get(one.id, ""),
            is_out=one.id in gone,
        )
        for one in (*standing, *out)
    ]


def find_falls(system: System, fight: Fight, people: Set[str], names: Mapping[str, str]) -> dict[str, str]:
    """By whom and in which round these last fell or gave up, as the steps of the fight tell it.

    Who lay dying and is unconscious or dead now fell once: when they still stood before the step.
    """
    found = dict[str, str]()
    befores = [fight.before, *(state for _, state in fight.moves)]
    for before, (step, after) in reversed([*zip(befores, fight.moves, strict=False)]):
        for who in people - found.keys():
            if not _has_fallen(system, before, who) and _has_fallen(system, after, who):
                doer = find_doer([fact.event for fact in step.facts], who)
                by = names.get(doer, "") if doer != who else ""
                found[who] = f"by {by}, round {after.round}" if by else f"round {after.round}"
        if found.keys() >= people:
            break
    return found


def _has_fallen(system: System, state: State, who: str) -> bool:
    """Whether someone is out by a condition, or has given up."""
    one = state.combatants.get(who)
    kinds = [condition.kind for condition in one.conditions] if one else []
    return any(kind == SURRENDERED or system.kinds.of_condition(kind) in FALLS for kind in kinds)
