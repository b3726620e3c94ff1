"""Clocks that act in the order of turns: a note, a handout, damage or a condition for those in a zone.

After each command `act_due` lets those act whose place has passed, in the same step: one "after" someone acts
when the next turn has just begun. The table shows the handout (play/writing/due_handouts.py). Players read of
a hidden clock only what it does to people they know of, without its name.
"""

from __future__ import annotations

from contextlib import suppress

from msgspec import UNSET

from ..basics.errors import Refused
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..space import find_zone
from ..state import events as e
from ..state.state import Clock, Happening, State, is_acting, present, replace
from ..turn.turns import set_clock
from .decisions import GiveCondition, give_condition
from .tracks import AdjustEach, adjust_each


def act_due(context: RuleContext) -> None:
    """Let all clocks act whose place in this round has passed, in the order they were made."""
    if context.state.clocks is UNSET or context.state.phase != "fight":
        return
    for clock in context.state.all_clocks:
        if clock.acts and _is_due(context.state, clock.acts):
            _act(context, clock, clock.acts)


def skip_past(state: State, acts: Happening) -> Happening:
    """A new one, as if it had acted where its place in a running fight has passed already."""
    if state.phase != "fight":
        return acts
    return replace(acts, done=state.round if _has_passed(state, acts) else state.round - 1)


def find_next_round(state: State, acts: Happening) -> int | None:
    """The round in which it acts next; None if it never does again."""
    now = max(state.round, 1)
    if not acts.every:
        return acts.first if acts.done < acts.first and now <= acts.first else None
    last = _find_round(acts, now)
    return last if last > acts.done and last == now else max(acts.first, last + acts.every if last else 0)


def _find_round(acts: Happening, now: int) -> int:
    """The last round up to now in which it acts; 0 before the first."""
    if now < acts.first:
        return 0
    return now - (now - acts.first) % acts.every if acts.every else acts.first


def _is_due(state: State, acts: Happening) -> bool:
    last = _find_round(acts, state.round)
    return last > acts.done and (last < state.round or _has_passed(state, acts))


def _has_passed(state: State, acts: Happening) -> bool:
    """Whether all have acted in this round who come before it."""
    people = state.combatants
    if acts.after:
        one = people.get(acts.after)
        return one is None or one.gone or (one.acted and not is_acting(state, one.id))
    if acts.at is None:
        return True
    before = (people[who] for who in state.order if not people[who].gone)
    return not any(
        one.initiative is not None
        and one.initiative >= acts.at
        and (not one.acted or is_acting(state, one.id))
        for one in before
    )


def _act(context: RuleContext, clock: Clock, acts: Happening) -> None:
    set_clock(context, replace(clock, acts=replace(acts, done=context.state.round)), clock.filled)
    said = e.Said("log.clock_acts", args={"name": clock.name})
    if acts.note:
        said = e.Said("log.clock_acts_note", args={"name": clock.name, "note": acts.note})
    context.emit(said, to=clock.to)
    zones = ((one, find_zone(context.state.scene, one.at)) for one in present(context.state))
    people = [one.id for one, zone in zones if not acts.zone or (zone and zone.id == acts.zone)]
    reason = clock.name if clock.to == e.EVERYONE else ""
    if acts.harm and people:
        track = system_of(context).characters.find_track(acts.track)
        by = acts.harm if track.rises else -acts.harm
        with suppress(Refused):  # all of them are at the limit
            adjust_each(context, AdjustEach(targets=tuple(people), track=acts.track, by=by, reason=reason))
    for who in people if acts.condition else ():
        with suppress(Refused):  # an own condition that was deleted meanwhile
            give_condition(context, GiveCondition(target=who, kind=acts.condition, reason=reason))
