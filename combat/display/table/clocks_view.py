"""The clocks of a table, as one viewer sees them."""

from __future__ import annotations

from math import cos, pi, sin

from combat.audience.viewer import Viewer
from combat.rules.core.gm.clocks import ALL, GM, MAX_CLOCKS, SOME
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Clock, State, present

from ..shapes.clock_shapes import ClockPerson, ClocksView, ClockView

RADIUS = 10  # of a dial, in units of its drawing


def view_clocks(state: State, viewer: Viewer) -> ClocksView:
    """The clocks that a viewer sees; the GM also gets all that their forms need."""
    people: tuple[ClockPerson, ...] = ()
    if viewer.is_gm:
        people = tuple(ClockPerson(one.id, one.name) for one in present(state) if one.pc)
    clocks = tuple(_view_clock(clock, state) for clock in state.all_clocks)
    return ClocksView(clocks, people, can_add=viewer.is_gm and len(clocks) < MAX_CLOCKS)


def _view_clock(clock: Clock, state: State) -> ClockView:
    shown = {e.EVERYONE: ALL, e.GM_ONLY: GM}.get(clock.to, SOME)
    who = e.seats_of(clock.to)
    names = ", ".join(one.name for one in present(state) if one.id in who)
    return ClockView(
        id=clock.id,
        name=clock.name,
        size=clock.size,
        filled=clock.filled,
        each_round=clock.each_round,
        veiled=clock.veiled,
        shown=shown,
        who=who,
        audience={ALL: "", GM: "only you"}.get(shown, names),
        lines=_draw_lines(clock.size),
    )


def _draw_lines(size: int) -> tuple[tuple[float, float], ...]:
    """The outer ends of the lines between segments; the first is at the top."""
    turns = (2 * pi * n / size for n in range(size))
    return tuple((round(RADIUS * sin(turn), 2), round(-RADIUS * cos(turn), 2)) for turn in turns)
