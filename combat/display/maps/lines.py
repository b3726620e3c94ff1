"""Lines of sight in words, distances, and rings around whoever acts: all by the game's own functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from combat.display.namesakes import name_fully
from combat.display.plotting import write_outline
from combat.rules.core.space import Point, Zone, find_zone
from combat.rules.core.space.hexes import Spot, plot, unplot
from combat.rules.core.space.rings import Ring, outline_ring
from combat.rules.core.space.sight import is_open
from combat.rules.core.state.state import Combatant, State, present
from combat.rules.core.system import System
from combat.sharing.viewer_context import ViewerContext

CLEAR, UNSEEN = "Nothing in the way", "No line of sight"


@dataclass(frozen=True)
class LineView:
    """A line from one combatant to another: how far it is and what the map does to it, in words."""

    id: str
    name: str
    far: str
    words: str
    seen: bool
    spot: Spot


def view_line(system: System, state: State, one: Combatant, other: Combatant) -> LineView:
    """What the map says of one combatant who looks at another."""
    spot = plot(other.at.x, other.at.y, system.has_hexes(state))
    far = "" if one.id == other.id else describe_far(system, state, one, other)
    name = name_fully(state, other)
    if system.look is None or is_open(state.scene) or one.id == other.id:
        return LineView(other.id, name, far, "", True, spot)
    found = system.look(state, one, other)
    words = system.draw(found.label) if found.label else CLEAR
    return LineView(other.id, name, far, words if found.seen else UNSEEN, found.seen, spot)


def describe_far(system: System, state: State, one: Combatant, other: Combatant) -> str:
    """How far somebody is, as the game counts: as far as a zone with its middle there."""
    home, at = find_zone(state.scene, other.at) or Zone("", ""), other.at
    there = replace(home, x=at.x, y=at.y, width=0.0, depth=0.0, height=at.z)
    words = system.describe_way(state, one, there)
    return "same zone" if words.startswith("0 zone") else words


def say_lines(context: ViewerContext, form: Any, actor: str) -> None:
    """Add to each target that a form offers what the map says of the line to it."""
    system, state, field = context.system, context.obscured_state, form.fields.get("target")
    if field is None or system.look is None or is_open(state.scene) or actor not in state.combatants:
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
        "from": plot(one.at.x, one.at.y, system.has_hexes(state)),
        "lines": [
            {"id": x.id, "at": x.spot, "seen": x.seen, "words": [w for w in (x.name, x.far, x.words) if w]}
            for x in lines
        ],
        "rings": [view_ring(ring, cell) for ring in system.rings(state, one)],
    }


def measure(context: ViewerContext, start: Spot, end: Spot) -> dict[str, Any]:
    """How far it is from one spot of the map to another, and from where to where the game counts that."""
    system, state = context.system, context.known_state
    hexes = system.has_hexes(state)
    a, b = (Point(*(unplot(*spot) if hexes else spot)) for spot in (start, end))
    found = system.measure(state, a, b)
    ends = (plot(place.x, place.y, hexes) for place in (found.start, found.end))
    return {"words": found.words, "ends": [[round(number, 2) for number in spot] for spot in ends]}


def view_ring(ring: Ring, cell: float) -> dict[str, Any]:
    """A ring as it is drawn around the middle of the plane; one without a path is round."""
    corners = outline_ring(ring, cell)
    low = max((y for _, y in corners), default=ring.metres)
    path = write_outline(corners) if corners else ""
    return {"item": ring.item, "path": path, "metres": ring.metres, "low": round(low, 2), "words": ring.words}
