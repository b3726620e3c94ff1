"""Clocks that fill: by the GM, and some with each round."""

from __future__ import annotations

from ..commands.context import RuleContext
from ..state import events as e
from ..state.state import Clock, replace


def set_clock(context: RuleContext, clock: Clock, old: int | None) -> None:
    """Set a clock that had `old` segments filled; None for a new one.

    Of a veiled clock its audience learns only that it exists, and the GM the rest.
    """
    if not clock.veiled:
        context.emit(e.ClockSet(clock, old), to=clock.to)
    elif old is None:
        context.emit(e.ClockSet(hide_count(clock)), to=clock.to)
        if clock != hide_count(clock):
            context.emit(e.ClockSet(clock, clock.filled), to=e.GM_ONLY)
    else:
        context.emit(e.ClockSet(clock, old), to=e.GM_ONLY)


def hide_count(clock: Clock) -> Clock:
    """A clock as if nothing was filled, and nothing fills."""
    return replace(clock, filled=0, each_round=0)


def tick_clocks(context: RuleContext) -> None:
    """Fill the clocks that fill with each round."""
    for clock in context.state.all_clocks:
        if clock.each_round and not clock.is_full:
            filled = min(clock.size, clock.filled + clock.each_round)
            set_clock(context, replace(clock, filled=filled), clock.filled)
