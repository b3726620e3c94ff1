"""The timer of a turn, an option of a table."""

from __future__ import annotations

from combat.sharing.viewer_context import ViewerContext


def view_timer(context: ViewerContext) -> dict[str, int] | None:
    """When the turn began, in milliseconds, and how long it should take; None without a timer.

    It is also None in a pause, and if the viewer does not see who acts.
    """
    state, began = context.known_state, context.encounter.turn_began
    if state.phase != "fight" or state.is_paused or began is None or not (state.active or state.sharing):
        return None
    seconds = int(context.system.option(state, "turn_seconds"))
    return {"seconds": seconds, "began": int(began.timestamp() * 1000)} if seconds else None
