"""The GM's clocks: named, of 2 to 12 segments; some act in the order of turns."""

from __future__ import annotations

from contextlib import suppress

from msgspec import UNSET

from ..basics.checking import tidy
from ..basics.errors import Refused
from ..basics.names import make_id
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..space import find_zone
from ..state import events as e
from ..state.state import Clock, Happening, State, find_own_condition, is_acting, present, replace
from ..turn.turns import set_clock
from .decisions import (
    MAX_NUMBER,
    AdjustEach,
    GiveCondition,
    GmCommand,
    adjust_each,
    clean_name,
    give_condition,
)

MIN_SIZE, MAX_SIZE, MAX_CLOCKS = 2, 12, 12
ALL, SOME, GM = "all", "some", "gm"  # who sees a clock
NEVER, AT_START, AT_SCORE, AFTER = "", "start", "at", "after"  # when it acts
MAX_ROUND, MAX_NOTE, MAX_TITLE = 99, 300, 100


class NewClock(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`size` and `filled` are segments, `each_round` those that fill with each round.

    `shown` is "all", "gm", or "some": the players of the combatants in `who`. Of a `veiled` clock players see
    only that it exists. The `seed` makes its id (basics/fresh_ids.py).

    It acts in the order of turns (gm/clocks.py): at the "start" of a round, "at" a score or "after" a
    combatant, from round `first` on each `every` rounds, or once at 0. What then happens is in the rest.
    """

    name: str
    size: int = 6
    filled: int = 0
    each_round: int = 0
    shown: str = ALL
    who: tuple[str, ...] = ()
    veiled: bool = False
    acts: str = NEVER
    score: int = 0
    after: str = ""
    first: int = 1
    every: int = 1
    note: str = ""
    handout: str = ""
    zone: str = ""
    track: str = ""
    harm: int = 0
    condition: str = ""
    seed: str = ""


class ChangeClock(NewClock, frozen=True, kw_only=True, forbid_unknown_fields=True):
    clock: str


class TickClock(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fill `by` segments, or empty them if it is negative."""

    clock: str
    by: int = 1


class RemoveClock(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    clock: str


def start_clock(context: RuleContext, command: NewClock) -> None:
    """Make a clock."""
    known = context.state.all_clocks
    if len(known) >= MAX_CLOCKS:
        raise Refused("not_allowed", f"A table has up to {MAX_CLOCKS} clocks: remove one first.")
    number = 1 + max((int(clock.id.removeprefix("c")) for clock in known), default=0)
    fresh = make_id("c", command.seed, number, [clock.id for clock in known])
    set_clock(context, _make_clock(context, command, fresh), None)


def change_clock(context: RuleContext, command: ChangeClock) -> None:
    """Change everything about a clock."""
    old = find_clock(context.state, command.clock)
    new = _make_clock(context, command, old.id)
    if new == old:
        raise Refused("not_allowed", f"{old.name} is like that already: change something.")
    if (old.to, old.veiled, old.name, old.size) == (new.to, new.veiled, new.name, new.size):
        set_clock(context, new, old.filled)
    else:  # those who no longer see it learn that it is gone
        context.emit(e.ClockRemoved(old.id, old.name), to=old.to)
        set_clock(context, new, None)


def tick_clock(context: RuleContext, command: TickClock) -> None:
    """Fill or empty segments of a clock."""
    clock = find_clock(context.state, command.clock)
    filled = min(max(clock.filled + command.by, 0), clock.size)
    if filled == clock.filled:
        what = "is full" if command.by > 0 else "is empty"
        raise Refused("not_allowed", f"{clock.name} {what}: remove it or change it.")
    set_clock(context, replace(clock, filled=filled), clock.filled)


def remove_clock(context: RuleContext, command: RemoveClock) -> None:
    """Take a clock away."""
    clock = find_clock(context.state, command.clock)
    context.emit(e.ClockRemoved(clock.id, clock.name), to=clock.to)


def find_clock(state: State, clock_id: str) -> Clock:
    """The clock with this id; Refused("unknown") if there is none."""
    found = next((clock for clock in state.all_clocks if clock.id == clock_id), None)
    if found is None:
        raise Refused("unknown", "That clock is gone: reload the page.")
    return found


def _make_clock(context: RuleContext, command: NewClock, clock_id: str) -> Clock:
    name, size = clean_name(command.name), command.size
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise Refused("bad_value", f"A clock has {MIN_SIZE} to {MAX_SIZE} segments.")
    if not 0 <= command.filled <= size or not 0 <= command.each_round <= size:
        raise Refused("bad_value", f"Filled, and each round: 0 to {size} segments.")
    to, track = _find_audience(context.state, command), _find_track(context, command)
    return Clock(
        clock_id,
        name,
        size,
        filled=command.filled,
        each_round=command.each_round,
        to=to,
        veiled=command.veiled,
        acts=_make_happening(context, command, track) if command.acts else UNSET,
    )


def _find_track(context: RuleContext, command: NewClock) -> str:
    """The number that a clock takes from; Refused if there is no such number, or no such condition."""
    characters, kind = system_of(context).characters, command.condition
    if kind and kind not in characters.conditions and find_own_condition(context.state, kind) is None:
        raise Refused("unknown", "There is no such condition: choose one from the list.")
    shared = characters.shared_track
    tracks = [*([shared.key] if shared else []), *(track.key for track in characters.tracks)]
    if command.track not in ("", *tracks):
        raise Refused("unknown", "There is no such stat: choose one from the list.")
    return command.track or tracks[0]


def _make_happening(context: RuleContext, command: NewClock, track: str) -> Happening:
    """What a clock does in the order of turns; it never acts at a moment of this round that has passed."""
    state = context.state
    if command.acts not in (AT_START, AT_SCORE, AFTER):
        raise Refused(
            "bad_value", "Choose when it acts: at the start of a round, at a score, or after someone."
        )
    if not 1 <= command.first <= MAX_ROUND or not 0 <= command.every <= MAX_ROUND:
        raise Refused("bad_value", f"Rounds are 1 to {MAX_ROUND}; each 0 rounds is once.")
    if abs(command.score) > MAX_NUMBER or not 0 <= command.harm <= MAX_NUMBER:
        raise Refused("bad_value", f"A score or damage goes up to {MAX_NUMBER}.")
    note = tidy(command.note)
    if len(note) > MAX_NOTE or len(command.handout) > MAX_TITLE:
        raise Refused("bad_value", f"A note has at most {MAX_NOTE} characters.")
    made = Happening(
        command.first,
        command.every,
        at=command.score if command.acts == AT_SCORE else None,
        after=state[command.after].id if command.acts == AFTER else "",
        note=note,
        handout=tidy(command.handout),
        zone=command.zone,
        track=track if command.harm else "",
        harm=command.harm,
        condition=command.condition,
    )
    return skip_past(state, made)


def _find_audience(state: State, command: NewClock) -> str:
    if command.shown != SOME:
        found = {ALL: e.EVERYONE, GM: e.GM_ONLY}.get(command.shown)
        if found is None:
            raise Refused("bad_value", "Choose who sees the clock: everyone, some, or only the GM.")
        return found
    if not command.who:
        raise Refused("bad_value", "Choose whose players see the clock.")
    return e.for_seats(state[who].id for who in dict.fromkeys(command.who))


# Clocks that act in the order of turns: a note, a handout, damage or a condition for those in a zone. After
# each command `act_due` lets those act whose place has passed, in the same step: one "after" someone acts
# when the next turn has just begun. The table shows the handout (play/writing/due_handouts.py). Players
# read of a hidden clock only what it does to people they know of, without its name.


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
