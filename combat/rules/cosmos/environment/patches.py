"""Patches of smoke and fire on the scene: for a while they change parts of zones.

A patch covers the zones it touches: each gets a piece with the same height, light and cover and one more
terrain tag. The id of a piece is ZONE~PATCH-number. Outside of zones, where nothing is drawn, a patch shows
only if its middle is there. A patch confined by walls has parts.
"""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.space import Piece, Point, Scene, Zone, find_zone
from combat.rules.core.space.pieces import keep_parts, piece_of
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, replace

SEPARATOR = "~"
MAX_ZONES = 200


def base_id(zone: Zone | None) -> str:
    """The id of the zone a piece belongs to; for other zones, their own."""
    return zone.id.split(SEPARATOR)[0] if zone else ""


def lay(
    context: RuleContext,
    centre: Point,
    half: float,
    tag: str,
    label: str,
    rule: str,
    ends_at: int | None = None,
    parts: tuple[Piece, ...] = (),
) -> None:
    """Lay a square patch of `half` meters to each side over the scene, with an optional end by the clock.

    `parts` limits it to those of the square.
    """
    state = context.state
    patch = f"{label.lower().replace(' ', '-')}{state.made + len(state.scene.zones)}"
    scene = state.scene
    found = (_piece(zone, n, centre, half, tag, label, patch) for n, zone in enumerate(scene.zones))
    ground = Zone(patch, label, centre.x - half, centre.y - half, 2 * half, 2 * half, terrain=(tag,))
    whole = (piece_of(ground),)
    cut = (keep_parts(p, parts or whole) if p and (parts or p.parts) else p for p in found)
    pieces = [piece for piece in cut if piece]
    if parts:
        ground = replace(ground, parts=parts)
    under = () if find_zone(scene, centre) else (ground,)
    zones = (*under, *scene.zones, *pieces)[:MAX_ZONES]
    context.emit(e.SceneSet(Scene(scene.name, zones, scene.settings, scene.notes)), rule, e.GM_ONLY)
    if ends_at is not None:
        context.emit(e.Marked("", f"patch:{patch}", ends_at), rule, e.GM_ONLY)


def _piece(zone: Zone, n: int, centre: Point, half: float, tag: str, label: str, patch: str) -> Zone | None:
    """The part of a zone under a patch; None if they do not overlap."""
    left, right = max(zone.x, centre.x - half), min(zone.x + zone.width, centre.x + half)
    low, high = max(zone.y, centre.y - half), min(zone.y + zone.depth, centre.y + half)
    if right - left < 0.1 or high - low < 0.1:
        return None
    return replace(
        zone,
        id=f"{base_id(zone)}{SEPARATOR}{patch}-{n}",
        name=f"{label} ({zone.name})"[:60],
        x=round(left, 3),
        y=round(low, 3),
        width=round(right - left, 3),
        depth=round(high - low, 3),
        terrain=(*zone.terrain, tag) if tag not in zone.terrain else zone.terrain,
    )


def clear(context: RuleContext, patch: str, rule: str) -> None:
    """Remove a patch from the scene."""
    scene = context.state.scene
    zones = tuple(zone for zone in scene.zones if not _is_of(zone, patch))
    context.emit(e.Marked("", f"patch:{patch}", None), rule, e.GM_ONLY)
    if zones != scene.zones:
        told = e.SceneSet(Scene(scene.name, zones, scene.settings, scene.notes))
        context.emit(told, rule, e.GM_ONLY)
        context.emit(e.Said("log.smoke_clears" if patch.startswith("smoke") else "log.flames_out"), rule)


def _is_of(zone: Zone, patch: str) -> bool:
    return zone.id == patch or zone.id.partition(SEPARATOR)[2].startswith(f"{patch}-")


def find_ending(state: State) -> dict[str, int]:
    """The patches that end by the clock, and when."""
    marks = ((key.partition(":")[2], at) for key, at in state.marks.items() if key.startswith("patch:"))
    return {patch: int(at) for patch, at in marks}
