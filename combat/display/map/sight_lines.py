"""Lines of sight in words, distances, and rings around the actor: all by the game's own functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from combat.display.combatants.namesakes import name_fully
from combat.display.plane.plotting import write_outline
from combat.rules.core.declaration.system import System
from combat.rules.core.space import Point, Spot, on_ground, plot, unplot
from combat.rules.core.space.rays.sight import is_open
from combat.rules.core.space.rings import Ring, outline_ring
from combat.rules.core.state.state import Combatant, State, present
from combat.sharing.viewer_context import ViewerContext

CLEAR, UNSEEN = "Nothing in the way", "No line of sight"


@dataclass(frozen=True)
class LineView:
    """A line from one combatant to another: its length, and what the map does to it, in words."""

    id: str
    name: str
    far: str
    words: str
    seen: bool
    spot: Spot


def view_line(system: System, state: State, one: Combatant, other: Combatant) -> LineView:
    """The line of sight from one combatant to another."""
    spot = plot(other.at.x, other.at.y, system.space.has_hexes(state))
    far = "" if one.id == other.id else system.space.zones.describe_far(state, one, other)
    name = name_fully(state, other)
    if system.space.sight is None or is_open(state.scene) or one.id == other.id:
        return LineView(other.id, name, far, words="", seen=True, spot=spot)
    found = system.space.sight(state, one, other)
    words = system.draw(found.label) if found.label else CLEAR
    return LineView(other.id, name, far, words=words if found.seen else UNSEEN, seen=found.seen, spot=spot)


def say_lines(context: ViewerContext, form: Any, actor: str) -> None:
    """Add the line of sight to the label of each target in a form."""
    system, state, field = context.system, context.obscured_state, form.fields.get("target")
    if field is None or system.space.sight is None or is_open(state.scene) or actor not in state.combatants:
        return
    one = state.combatants[actor]
    lines = {
        who: view_line(system, state, one, state.combatants[who])
        for who, _ in field.choices
        if who in state.combatants
    }
    field.choices = [
        (who, ", ".join(filter(None, (label, _lower(lines[who].words)))) if who in lines else label)
        for who, label in field.choices
    ]


def _lower(words: str) -> str:
    return words[:1].lower() + words[1:]


def view_lines(context: ViewerContext, actor: str) -> dict[str, Any]:
    """The lines from one combatant to all others that a viewer knows of, and the rings of its weapons."""
    system, state = context.system, context.obscured_state
    one = state.combatants[actor]
    cell = system.find_eyes(state).grid.cell
    lines = [view_line(system, state, one, other) for other in present(state)]
    return {
        "from": plot(one.at.x, one.at.y, system.space.has_hexes(state)),
        "lines": [
            {"id": x.id, "at": x.spot, "seen": x.seen, "words": [w for w in (x.name, x.far, x.words) if w]}
            for x in lines
        ],
        "rings": [view_ring(ring, cell) for ring in system.space.rings(state, one)],
    }


def measure(context: ViewerContext, start: Spot, end: Spot) -> dict[str, Any]:
    """The distance between two spots of the map, and the points between which the game counts it."""
    system, state = context.system, context.known_state
    hexes = system.space.has_hexes(state)
    a, b = (on_ground(state.scene, Point(*(unplot(*spot) if hexes else spot))) for spot in (start, end))
    found = system.space.measure(state, a, b)
    ends = (plot(place.x, place.y, hexes) for place in (found.start, found.end))
    return {"words": found.words, "ends": [[round(number, 2) for number in spot] for spot in ends]}


def view_ring(ring: Ring, cell: float) -> dict[str, Any]:
    """A ring as drawn around the centre of the plane; one without a path is round."""
    corners = outline_ring(ring, cell)
    low = max((y for _, y in corners), default=ring.meters)
    path = write_outline(corners) if corners else ""
    return {"item": ring.item, "path": path, "metres": ring.meters, "low": round(low, 2), "words": ring.words}
