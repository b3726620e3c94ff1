"""The moments of the newest steps for spectators: someone is down or dead, a critical result, the end.

A moment says nothing that the log does not say to the same viewer: it needs a fact that they may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from combat.display.dice import view_faces
from combat.display.log_view import mark_of, names_of
from combat.display.shapes.result_shapes import ACT, DEATH, DOWN, OVER, Moment, Moments
from combat.display.shapes.result_shapes import CRITICAL as CRITICAL_MOMENT
from combat.display.shapes.table_shapes import CombatantView
from combat.models import StoredStep
from combat.play.writing.verification import read_step
from combat.rules.core.basics.words import capitalized
from combat.rules.core.gm.improvising import RULED
from combat.rules.core.report.story import CRITICAL_OUTCOME, find_weapon
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.state import Combatant
from combat.rules.core.wording import Pen, find_deed, tell_facts
from combat.sharing.viewer_context import ViewerContext

from .end_view import find_title, view_someone
from .result_view import find_said, view_roll
from .waiting_view import find_helpers, find_order

MOST_TOLD = 2  # sentences on what followed from an improvised act
FOLLOWING = (e.Moved, e.TrackChanged, e.ConditionGained, e.ItemLost, e.ItemGained, e.Renamed, e.DoorSet)
MAX_STEPS = 8  # the newest ones: a page that missed more shows no moment of them


def view_moments(
    context: ViewerContext, rows: Iterable[StoredStep], combatants: Mapping[str, CombatantView]
) -> Moments:
    """The moments of the newest steps, newest first; while someone is asked, only their keys.

    `rows` are the steps that the viewer can read, newest first.
    """
    if not context.viewer.is_spectator:
        return Moments()
    people = {who: context.full_state.combatants[who] for who in combatants}
    found = []
    standing = [row for row in rows if row.kind == COMMAND and not row.struck][:MAX_STEPS]
    newest = standing[0] if standing else None
    for row in standing:
        facts = read_step(row).facts
        seen = context.viewer.select(facts)
        later = dict(people)
        rewind(people, facts)
        if row.target:  # done again after an overruled roll: it was shown when it was done first
            continue
        key = mark_of(row, context.viewer)
        moments = [
            *_find_fates(
                context, key, seen, before=people, after=later, combatants=combatants, is_newest=row is newest
            )
        ]
        moments += _find_others(context, key, seen, combatants)
        found += [max(moments, key=lambda one: one.weight)] if moments else []
    return Moments(tuple(one.key for one in found), () if context.pending else tuple(found))


def rewind(people: dict[str, Combatant], facts: Iterable[e.Fact]) -> None:
    """Take the numbers and new conditions of these facts back from those they changed."""
    for fact in reversed(list(facts)):
        event = fact.event
        one = people.get(getattr(event, "who", ""))
        if one is None:
            continue
        if isinstance(event, e.TrackChanged):
            people[one.id] = msgspec.structs.replace(one, tracks={**one.tracks, event.track: event.old})
        elif isinstance(event, e.ConditionGained):
            kept = tuple(held for held in one.conditions if held.id != event.condition.id)
            people[one.id] = msgspec.structs.replace(one, conditions=kept)


def _find_fates(
    context: ViewerContext,
    key: str,
    seen: Iterable[e.Fact],
    before: Mapping[str, Combatant],
    after: Mapping[str, Combatant],
    combatants: Mapping[str, CombatantView],
    *,
    is_newest: bool,
) -> Iterator[Moment]:
    """Those who went down or died in a step, as far as the viewer has seen what did it.

    Of the newest step it is also said who can help.
    """
    pen = Pen(context.system, names_of(context.known_state))
    health, seen = context.system.characters.health, list(seen)
    for event in (fact.event for fact in seen):
        if not isinstance(event, e.TrackChanged | e.ConditionGained) or event.who not in after:
            continue
        was, now = health(before[event.who]), health(after[event.who])
        kind = DEATH if now.dead and not was.dead else DOWN if now.is_out and not was.is_out else ""
        if kind:
            by, what = _find_cause(pen, seen, event.who)
            words = "dies" if kind == DEATH else "is down"
            who, other = view_someone(combatants[event.who]), combatants.get(by)
            helper = say_helper(context, combatants, event.who) if kind == DOWN and is_newest else ""
            yield Moment(
                key, kind, words, who=who, by=view_someone(other) if other else None, what=what, helper=helper
            )


def say_helper(context: ViewerContext, combatants: Mapping[str, CombatantView], who: str) -> str:
    """Who can help someone of the players who is down now, how far away and how; empty if nobody can.

    They "may" if something is in the way, such as the distance. Of others it is not said: what they can do
    is not for everybody.
    """
    friends = {one: row for one, row in combatants.items() if row.played}
    if who not in friends or not friends[who].is_out:
        return ""
    order = find_order(context.system, context.known_state)
    helper = next(find_helpers(context, order, friends, who), None)
    if helper is None:
        return ""
    deed = f"{'may' if helper.obstacle else 'can'} help: {helper.actions[0]}"
    if not helper.distance:
        return f"{helper.name} {deed}."
    place = f"{helper.distance} away" if helper.distance[0].isdigit() else f"there ({helper.distance})"
    return f"{helper.name} is {place} and {deed}."


def _find_cause(pen: Pen, seen: Iterable[e.Fact], who: str) -> tuple[str, str]:
    """Who struck someone, as the viewer has seen it, and with what; nothing if the GM decided it."""
    by = what = ""
    for event in (fact.event for fact in seen):
        if isinstance(event, e.Overruled):
            return "", ""
        if isinstance(event, e.Checked) and event.target == who:
            by = event.who
        if isinstance(event, e.TrackChanged) and event.who == who:
            by, what = by or event.by, pen.draw(find_weapon(event.why))
    return by, what


def _find_act(
    pen: Pen, key: str, seen: Iterable[e.Fact], combatants: Mapping[str, CombatantView]
) -> Iterator[Moment]:
    """An improvised act: its words, its roll, how it went, and what followed for whom."""
    seen = list(seen)
    if not (quote := find_said(seen)):
        return
    events = [fact.event for fact in seen]
    said = next(one for one in events if isinstance(one, e.Said))
    ruled = next((one for one in events if isinstance(one, e.Said) and one.key == RULED), None)
    check = next((one for one in events if isinstance(one, e.Checked) and one.who == said.who), None)
    if ruled is None:
        return
    rolled, by = view_roll(pen, check) if check else None, combatants.get(said.who)
    changed = [getattr(event, "who", "") for event in events if isinstance(event, FOLLOWING)]
    other = next((combatants[who] for who in changed if who in combatants and who != said.who), None)
    followed = [
        line.text for event, line in tell_facts(pen.system, seen, pen.names) if isinstance(event, FOLLOWING)
    ]
    yield Moment(
        key,
        ACT,
        capitalized(pen.draw(str(ruled.args["how"]))),
        who=view_someone(other) if other else None,
        by=view_someone(by) if by else None,
        what=rolled.words if rolled else "",
        faces=rolled.faces if rolled else (),
        helper=" ".join(followed[:MOST_TOLD]),
        quote=quote,
    )


def _find_others(
    context: ViewerContext, key: str, seen: Iterable[e.Fact], combatants: Mapping[str, CombatantView]
) -> Iterator[Moment]:
    """The critical results of a step, and the end of the fight."""
    pen, seen = Pen(context.system, names_of(context.known_state)), list(seen)
    yield from _find_act(pen, key, seen, combatants)
    for event in (fact.event for fact in seen):
        if isinstance(event, e.FightEnded):
            yield Moment(key, OVER, find_title(context.system, context.known_state))
        if isinstance(event, e.Checked) and event.outcome == CRITICAL_OUTCOME:
            by, who = combatants.get(event.who), combatants.get(event.target)
            yield Moment(
                key,
                CRITICAL_MOMENT,
                capitalized(pen.draw(event.outcome)),
                who=view_someone(who) if who else None,
                by=view_someone(by) if by else None,
                what=pen.say(find_deed(pen, event)),
                faces=view_faces(event.roll),
            )
