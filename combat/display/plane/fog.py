"""The fog of a map: what its viewer does not know, and what they remember but do not see now."""

from __future__ import annotations

from characters.display.shapes import Shape
from combat.audience.map_fog import find_known_map
from combat.audience.viewer import Viewer
from combat.rules.core.space.rays.fog import Rows, Window, find_strips
from combat.rules.core.state.state import State

PLAYERS = Viewer()  # spectators know what all players know


class FogView(Shape, frozen=True):
    """Cells as paths: the known ones, and among them those only remembered.

    With `sheer` the GM sees through it: it then shows what players do not know.
    """

    known: str
    dim: str
    sheer: bool = False


def view_fog(state: State, viewer: Viewer) -> FogView | None:
    """The fog of a state with all its secrets, for one viewer; None without fog."""
    known = find_known_map(state, PLAYERS if viewer.is_gm else viewer)
    if known is None:
        return None
    dim = {y: row & ~known.seen.get(y, 0) for y, row in known.known.items()}
    return FogView(outline_rows(known.window, known.known), outline_rows(known.window, dim), viewer.is_gm)


def outline_rows(window: Window, rows: Rows) -> str:
    """A set of cells as an SVG path, a rectangle for each run of a row."""
    strips = find_strips(window, rows)
    return "".join(f"M{s.x:g} {s.y:g}h{s.width:g}v{s.depth:g}h{-s.width:g}z" for s in strips)
