"""The GM's clocks: named, of 2 to 12 segments, for everyone, for some players or for the GM alone."""

from __future__ import annotations

from msgspec import UNSET

from ..basics.checking import tidy
from ..basics.errors import Refused
from ..basics.naming import make_id
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..space import zone_named
from ..state import events as e
from ..state.state import Clock, Happening, State, find_own_condition, replace
from ..turn.turns import set_clock
from .decisions import MAX_NUMBER, GmCommand, clean_name
from .happenings import skip_past

MIN_SIZE, MAX_SIZE, MAX_CLOCKS = 2, 12, 12
ALL, SOME, GM = "all", "some", "gm"  # who sees a clock
NEVER, AT_START, AT_SCORE, AFTER = "", "start", "at", "after"  # when it acts
MAX_ROUND, MAX_NOTE, MAX_TITLE = 99, 300, 100


class NewClock(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`size` and `filled` are segments, `each_round` those that fill with each round.

    `shown` is "all", "gm", or "some": the players of the combatants in `who`. Of a `veiled` clock players see
    only that it exists. The `seed` makes its id (basics/fresh_ids.py).

    It acts in the order of turns (gm/happenings.py): at the "start" of a round, "at" a score or "after" a
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
    to = _find_audience(context.state, command)
    return Clock(
        clock_id,
        name,
        size,
        filled=command.filled,
        each_round=command.each_round,
        to=to,
        veiled=command.veiled,
        acts=_make_happening(context, command) if command.acts else UNSET,
    )


def _make_happening(context: RuleContext, command: NewClock) -> Happening:
    """What a clock does in the order of turns; it never acts at a moment of this round that has passed."""
    state, system = context.state, system_of(context)
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
    if command.zone and zone_named(state.scene, command.zone) is None:
        raise Refused("unknown", "That zone is not part of the scene: choose one that is.")
    shared = system.characters.shared_track
    tracks = [*([shared.key] if shared else []), *(track.key for track in system.characters.tracks)]
    if command.track not in ("", *tracks):
        raise Refused("unknown", "There is no such stat: choose one from the list.")
    kind = command.condition
    if kind and kind not in system.characters.conditions and find_own_condition(state, kind) is None:
        raise Refused("unknown", "There is no such condition: choose one from the list.")
    made = Happening(
        command.first,
        command.every,
        at=command.score if command.acts == AT_SCORE else None,
        after=state[command.after].id if command.acts == AFTER else "",
        note=note,
        handout=tidy(command.handout),
        zone=command.zone,
        track=(command.track or tracks[0]) if command.harm else "",
        harm=command.harm,
        condition=kind,
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
