"""What the GM sees before turns are passed: whose turns end, in order."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.play.passing import foresee
from combat.sharing.viewer_context import ViewerContext


class PassView(Shape, frozen=True):
    """One way to pass turns: its key, what it says, and the names of those whose turns end."""

    key: str
    label: str
    names: tuple[str, ...]


def view_passing(context: ViewerContext) -> tuple[PassView, ...]:
    """The ways to pass turns now; none if it is nobody's turn. The second only where it passes others."""
    system, state = context.system, context.full_state
    if state.active not in state.combatants:
        return ()
    labels = {"side": f"All of the {state.combatants[state.active].side}", "idle": "Those who can do nothing"}
    found: dict[tuple[str, ...], PassView] = {}
    for key, label in labels.items():
        people = tuple(who for turn in foresee(system, state, key) for who in turn)
        names = tuple(state.combatants[who].name for who in people)
        if people and people not in found:
            found[people] = PassView(key, label, names)
    return tuple(found.values())
