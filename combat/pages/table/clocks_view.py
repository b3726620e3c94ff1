"""The clocks of a table and the timer of a turn, as one viewer sees them."""

from __future__ import annotations

from datetime import datetime
from math import cos, pi, sin

from combat.audience.changes import is_held_back
from combat.audience.viewer import Viewer
from combat.display.shapes.clock_shapes import ClocksView, ClockView
from combat.models import StoredStep
from combat.play.writing.cached_steps import find_rows
from combat.play.writing.verification import read_step
from combat.rules.core.declaration.actions import Actions
from combat.rules.core.gm.clocks import ALL, GM, MAX_CLOCKS, SOME
from combat.rules.core.state import events as e
from combat.rules.core.state.history import COMMAND
from combat.rules.core.state.state import Clock, State, present
from combat.sharing.viewer_context import ViewerContext

RADIUS = 10  # of a dial, in units of its drawing


def view_clocks(state: State, viewer: Viewer) -> ClocksView:
    """The clocks that a viewer sees; the GM also gets all that their forms need."""
    people = tuple((one.id, one.name) for one in present(state) if one.pc and viewer.is_gm)
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


def view_timer(context: ViewerContext) -> dict[str, int] | None:
    """When the turn began, in milliseconds, and how long it should take; None without a timer.

    It is also None in a pause, and if the viewer does not see who acts. A turn of someone unseen begins for
    those alone who know of it.
    """
    state, began = context.known_state, context.encounter.turn_began
    if state.phase != "fight" or state.is_paused or began is None or not (state.active or state.sharing):
        return None
    seconds = int(context.system.option(state, "turn_seconds"))
    if not seconds:
        return None
    began = began if context.unseen_turn else max(began, _find_unseen_began(context) or began)
    return {"seconds": seconds, "began": int(began.timestamp() * 1000)}


def _find_unseen_began(context: ViewerContext) -> datetime | None:
    """When the turn began, if not everybody may know of it."""
    passed = StoredStep.objects.filter(encounter=context.encounter, name=Actions.advance, struck=False)
    row = next(iter(find_rows(passed.filter(kind=COMMAND).order_by("-number")[:1])), None)
    return row.created if row and is_held_back(read_step(row), Viewer()) else None
