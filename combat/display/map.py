"""The scene as a viewer sees it: zones with their fighters, and the same plane as a map."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from urllib.parse import urlencode

from combat.rules.core.commands.commands import Action
from combat.rules.core.space import Zone, find_zone
from combat.rules.core.state.state import Combatant, State, is_acting
from combat.rules.core.system import System

from .plotting import PATTERN, Spot, outline_area, outline_cell, plot, write_outline
from .shapes import (
    CellView,
    FighterView,
    SceneView,
    Token,
    ZoneView,
)

MAX_STEPS = 40  # grid lines across the map
USUAL_METRES = 30  # the width of a scene whose tokens are two metres wide
MIN_SCALE = 0.4
LETTER_METRES = 0.6  # how wide a letter of a name is at scale 1
GRID_STEPS = (1, 2, 5, 10, 20, 50, 100, 1000, 10_000)  # metres from one to the next


def letters_of(name: str) -> str:
    """One or two signs for a token: the initial, and a number if the name ends in one."""
    words = name.split()
    if len(words) > 1 and words[-1].isdigit():
        return (words[0][:1] + words[-1])[:3].upper()
    return name[:1].upper()


def view_scene(system: System, state: State, fighters: dict[str, FighterView]) -> SceneView:
    """The zones with their fighters, and the map of the same plane."""
    shown = [state.combatants[who] for who in fighters]
    active, hexes = state.combatants.get(state.active), system.has_hexes(state)
    zones = tuple(_zone_view(system, state, zone, shown, fighters, active) for zone in state.scene.zones)
    tokens = tuple(
        Token(
            f.id,
            f.name,
            letters_of(f.name),
            fighters[f.id].tone,
            f.at.x,
            f.at.y,
            is_acting(state, f.id),
            fighters[f.id].out,
            plot(f.at.x, f.at.y, hexes),
        )
        for f in shown
    )
    areas = tuple(outline_area(zone.x, zone.y, zone.width, zone.depth, hexes) for zone in zones)
    box = find_box([spot for area in areas for spot in area] + [token.spot for token in tokens])
    ground = tuple(f"{item.name} ({item.at.x:g}, {item.at.y:g})" for item in state.ground if item.at)
    rows = {zone.y for zone in zones}
    columns = max((sum(z.y == y for z in zones) for y in rows), default=1)
    scale = max(MIN_SCALE, box[2] / USUAL_METRES)
    drawn = tuple(_draw_zone(zone, area, scale) for zone, area in zip(zones, areas, strict=True))
    grid = PATTERN if hexes else draw_squares(box)
    return SceneView(state.scene.name, drawn, tokens, box, grid, ground, min(columns, 5), "", scale, hexes)


def _draw_zone(zone: ZoneView, area: tuple[Spot, ...], scale: float) -> ZoneView:
    """The zone as it stands on the map, its name in one line, else word by word, never wider."""
    lines = (zone.name,) if find_width(zone.name) * scale <= zone.width else tuple(zone.name.split())
    widest = max(map(find_width, lines), default=1)
    size = min(scale, zone.width / widest)
    return replace(zone, lines=lines, scale=size, outline=write_outline(area), spot=area[0])


def find_width(line: str) -> float:
    """How many metres a line of a name takes at scale 1, its margin included."""
    return LETTER_METRES * len(line) + 1


def _zone_view(
    system: System,
    state: State,
    zone: Zone,
    shown: list[Combatant],
    fighters: dict[str, FighterView],
    active: Combatant | None,
) -> ZoneView:
    inside = [f for f in shown if find_zone(state.scene, f.at) == zone]
    words = [
        f"{zone.cover} cover" if zone.cover and zone.cover != "none" else "",
        zone.light,
        *zone.terrain,
        f"{zone.height:g} m high" if zone.height else "",
        *(made_up.name for made_up in zone.properties),
    ]
    here = bool(active and active in inside)
    way = "" if here or active is None else system.describe_way(state, active, zone)
    return ZoneView(
        zone.id,
        zone.name,
        " · ".join(w for w in words if w),
        zone.x,
        zone.y,
        zone.width,
        zone.depth,
        zone.light == "dark",
        zone.cover,
        tuple(fighters[f.id] for f in inside),
        way,
        here,
    )


def find_box(spots: list[Spot]) -> tuple[int, int, int, int]:
    """The part of the plane to show so that all of this is on it: left, top, width, height."""
    if not spots:
        return 0, 0, 20, 10
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    left, top = int(min(xs)) - 1, int(min(ys)) - 1
    return left, top, int(max(xs)) - left + 2, int(max(ys)) - top + 2


def draw_squares(box: tuple[int, int, int, int]) -> str:
    """Grid lines between whole metres, as a path of SVG."""
    left, top, width, height = box
    step = next(step for step in GRID_STEPS if max(width, height) <= step * MAX_STEPS)
    down = "".join(f"M{x - 0.5} {top}v{height}" for x in range(left + 1, left + width, step))
    across = "".join(f"M{left} {y - 0.5}h{width}" for y in range(top + 1, top + height, step))
    return down + across


def view_cells(system: System, state: State, action: Action, actor: str) -> tuple[CellView, ...]:
    """The squares or hexes an action can lead to now, each with its cost and the address that chooses it."""
    if action.find_reach is None or not state.scene.zones:
        return ()
    hexes = system.has_hexes(state)
    return tuple(
        CellView(
            reach.at.x,
            reach.at.y,
            reach.side,
            write_outline(outline_cell(reach.at.x, reach.at.y, reach.side, hexes)),
            plot(reach.at.x, reach.at.y, hexes),
            str(ceil(reach.metres - 0.01)),
            urlencode({"fighter": actor, "do": action.name, "to": f"{reach.at.x:g},{reach.at.y:g}"}),
        )
        for reach in action.find_reach(state, actor)
    )
