"""The GM's clocks: named, of 2 to 12 segments, for everyone, for some players or for the GM alone."""

from __future__ import annotations

from ..basics.errors import Refused
from ..basics.naming import make_id
from ..commands.context import RuleContext
from ..state import events as e
from ..state.state import Clock, State, replace
from ..turn.turns import set_clock
from .decisions import GmCommand, clean_name

MIN_SIZE, MAX_SIZE, MAX_CLOCKS = 2, 12, 12
ALL, SOME, GM = "all", "some", "gm"  # who sees a clock


class NewClock(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`size` and `filled` are segments, `each_round` those that fill with each round.

    `shown` is "all", "gm", or "some": the players of the combatants in `who`. Of a `veiled` clock players see
    only that it exists. The `seed` makes its id (basics/fresh_ids.py).
    """

    name: str
    size: int = 6
    filled: int = 0
    each_round: int = 0
    shown: str = ALL
    who: tuple[str, ...] = ()
    veiled: bool = False
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
    set_clock(context, _make_clock(context.state, command, fresh), None)


def change_clock(context: RuleContext, command: ChangeClock) -> None:
    """Change everything about a clock."""
    old = find_clock(context.state, command.clock)
    new = _make_clock(context.state, command, old.id)
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


def _make_clock(state: State, command: NewClock, clock_id: str) -> Clock:
    name, size = clean_name(command.name), command.size
    if not MIN_SIZE <= size <= MAX_SIZE:
        raise Refused("bad_value", f"A clock has {MIN_SIZE} to {MAX_SIZE} segments.")
    if not 0 <= command.filled <= size or not 0 <= command.each_round <= size:
        raise Refused("bad_value", f"Filled, and each round: 0 to {size} segments.")
    to = _find_audience(state, command)
    return Clock(clock_id, name, size, command.filled, command.each_round, to, command.veiled)


def _find_audience(state: State, command: NewClock) -> str:
    if command.shown != SOME:
        found = {ALL: e.EVERYONE, GM: e.GM_ONLY}.get(command.shown)
        if found is None:
            raise Refused("bad_value", "Choose who sees the clock: everyone, some, or only the GM.")
        return found
    if not command.who:
        raise Refused("bad_value", "Choose whose players see the clock.")
    return e.for_seats(state[who].id for who in dict.fromkeys(command.who))
