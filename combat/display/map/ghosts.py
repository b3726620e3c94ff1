"""Those who arrive later, drawn for the GM where they will: faint tokens to which nobody can do anything."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from msgspec.structs import replace as redraw

from characters.faces import split_name
from combat.play.campaigns.roster import find_side
from combat.rules.core.declaration.system import System
from combat.rules.core.gm.reserves import DOOR_OPENS
from combat.rules.core.space import Spot, map_of, plot, zone_named
from combat.rules.core.state.state import Reserve, State, replace

from ..combatants.tokens import find_look, find_tone, find_tones
from ..plane.callouts import FONT, LETTER, Body
from ..plane.crowd import LETTERS, TOKEN_METERS, find_body
from ..plane.names import Box
from ..shapes.scene_shapes import Ghost, SceneView
from ..shapes.table_shapes import say_when
from .scene import NEAR_HALF, find_near_scale

# Of the sides of a zone, or of an edge: where ghosts may stand, the middle first
SHARES = (0.5, 0.25, 0.75, 0.1, 0.9)
LINES = 2.2  # of the font size: the height of a ghost's two lines of words


def add_ghosts(system: System, state: State, scene: SceneView) -> SceneView:
    """The scene with all who wait for a place on it; the state of a player knows of none."""
    ghosts: list[Ghost] = []
    for one in state.all_reserves:
        if ghost := _view_ghost(system, state, scene, one=one, others=ghosts):
            ghosts.append(ghost)
    return redraw(scene, ghosts=tuple(ghosts)) if ghosts else scene


def _view_ghost(
    system: System, state: State, scene: SceneView, one: Reserve, others: Iterable[Ghost]
) -> Ghost | None:
    """Those who arrive together, as the token of the first of them; None where their side then is."""
    spots = _list_spots(state, scene, one)
    if not spots:
        return None
    first, name = state.combatants[one.who[0]], _name(state, one)
    tone = find_tones(state).get(first.side) or find_tone(first.side, find_side(state))
    shown = replace(first, name=name, hidden=first.id in one.hidden)
    ghost = Ghost(
        name,
        f"waits: {say_when(state, one)}",
        one.zone,
        spot=spots[0],
        look=find_look(system, shown, tone, active=False, down=False),
        scale=scene.scale,
        near_scale=find_near_scale(scene.scale, scene.box),
    )
    held = [_hold(redraw(ghost, spot=spot), scene) for spot in spots]
    return _find_clearest(held, scene, list(others))


def _name(state: State, one: Reserve) -> str:
    """Their name in short: "Pirate ×4", or the first of them "+3"."""
    names, count = [state.combatants[who].name for who in one.who], len(one.who)
    kinds = {split_name(name)[0] for name in names}
    if count == 1:
        return names[0]
    return f"{kinds.pop()} \N{MULTIPLICATION SIGN}{count}" if len(kinds) == 1 else f"{names[0]} +{count - 1}"


# ---- Places


def _list_spots(state: State, scene: SceneView, one: Reserve) -> list[Spot]:
    """Where they may be drawn, the best first: where they arrive, by their plan."""
    if one.at is not None:
        return [plot(one.at.x, one.at.y, scene.hexes)]
    left, top, width, height = scene.box
    if one.edge in ("north", "south"):
        return [(left + share * width, top + (one.edge == "south") * height) for share in SHARES]
    if one.edge:
        return [(left + (one.edge == "east") * width, top + share * height) for share in SHARES]
    if zone := zone_named(state.scene, one.zone):
        bent = scene.hexes and zone.upright is not True
        return [
            plot(zone.x + across * zone.width, zone.y + down * zone.depth, bent)
            for across, down in product(SHARES, SHARES)
        ]
    doors = (wall for wall in map_of(state.scene).walls if one.when == DOOR_OPENS and wall.id == one.of)
    return [((door.x1 + door.x2) / 2, (door.y1 + door.y2) / 2) for door in doors]


def _find_clearest(tried: list[Ghost], scene: SceneView, others: list[Ghost]) -> Ghost:
    """The first of these that covers least of tokens, zone names and other ghosts, on maps of both kinds."""
    wide = [*(find_body(token.spot, token.scale) for token in scene.tokens), *map(_find_box, others)]
    narrow = [Body(token.spot, NEAR_HALF * token.scale).box for token in scene.tokens]
    narrow += map(_find_near_box, others)
    for zone in scene.zones:
        wide += [name.box for name in zone.names[:1]]
        narrow += [name.box for name in zone.names[1:]]

    def count_covered(one: Ghost) -> float:
        kinds = ((_find_box(one), wide), (_find_near_box(one), narrow))
        return sum(_overlap(box, other) for box, others in kinds for other in others)

    return min(tried, key=count_covered)


def _hold(ghost: Ghost, scene: SceneView) -> Ghost:
    """The ghost at the nearest place at which it is on the drawn map with its words."""
    (x, y), (left, top, width, height) = ghost.spot, scene.box
    box = _find_near_box(ghost)
    side = min(x - box[0], width / 2)
    x = min(max(x, left + side), left + width - side)
    y = max(min(y, top + height - (box[3] - y)), top + y - box[1])
    return redraw(ghost, spot=(round(x, 2), round(y, 2)))


def _find_box(ghost: Ghost) -> Box:
    """What a ghost covers on a wide map."""
    return _find_area(ghost, TOKEN_METERS / 2, LETTERS * ghost.scale)


def _find_near_box(ghost: Ghost) -> Box:
    """What a ghost covers on a narrow map, where it is larger."""
    return _find_area(ghost, NEAR_HALF, FONT * ghost.near_scale)


def _find_area(ghost: Ghost, half: float, font: float) -> Box:
    (x, y), half = ghost.spot, half * ghost.scale
    side = max(half, max(len(ghost.name), len(ghost.words)) * LETTER * font / 2)
    return x - side, y - half, x + side, y + half + LINES * font


def _overlap(one: Box, other: Box) -> float:
    """The area that two boxes share, in square meters."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    return max(0.0, wide) * max(0.0, min(one[3], other[3]) - max(one[1], other[1]))
