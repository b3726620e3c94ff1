"""Where the sides begin: in a start of their own, or at the ends of the ground; and who leaves the ground."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import UNSET

from ..space import Point, Scene, Zone, map_of, on_ground, plan_distance
from ..space.ground import Box, find_drawn, find_enclosed, has_ground, is_drawn, list_floors, read_ground
from ..space.plane import Piece, cut_out, holds, overlap, piece_of
from ..state.state import Combatant, State, is_played, present, replace
from .bodies import is_concealed

LEAST, MOST = 3.0, 12.0  # meters that an end is deep
SHARE = 0.25  # of the ground that an end is deep
NARROW = 8.0  # meters: what is built on less is ground of this size around it


def find_start(
    state: State, placed: State, combatant: Combatant, hexes: bool, *, ends: bool = False
) -> Zone | None:
    """The start of someone's side; None in a scene without starts.

    With `ends`, those of a scene that names none are the far ends of its ground; None if it has no ground.

    It is the one where most of the side stand among those who are `placed`, else the first that no other side
    holds: from the last one backwards for sides without players, so that those find the first one
    free. If others hold all, it is the zone farthest from them. Concealed combatants hold none: the place of
    others must not give them away.
    """
    starts = list_starts(state, hexes, combatant.side) if state.scene.starts or ends else ()
    if not starts:
        return None
    others = [
        one for one in present(placed) if one.id != combatant.id and not is_concealed(placed, one, hexes)
    ]
    allies = [one for one in others if one.side == combatant.side]
    enemies = [one for one in others if one.side != combatant.side]
    most = max(starts, key=lambda start: _count(start, allies))
    if _count(most, allies):
        return most
    played = (one for one in (combatant, *present(state)) if is_played(state, one))
    has_players = any(one.side == combatant.side for one in played)
    free = [start for start in starts if not _count(start, enemies)]
    return next(iter(free if has_players else reversed(free)), None) or _find_farthest(state.scene, starts)


def list_starts(state: State, hexes: bool, side: str = "") -> tuple[Zone, ...]:
    """The starts that the scene names, as zones that lie as its own do; else the ends of its ground.

    There are two ends, or four for more than two sides; `side` is one that may not be there yet. A scene
    without rooms that names too few starts for its sides has the ends beside them, too.
    """
    scene = state.scene
    sides = {one.side for one in present(state)} | ({side} if side else set())
    if not scene.starts:
        return find_ends(scene, hexes, len(sides))
    ground = read_ground(scene)
    upright = next((zone.upright for zone in ground.zones or (find_drawn(scene, hexes),)), UNSET)
    is_short = len(sides) > len(scene.starts) and not ground.rooms
    more = _find_more(scene.starts, find_ends(scene, hexes, len(sides))) if is_short else ()
    starts = (
        Zone("", "", s.x, y=s.y, width=s.width, depth=s.depth, upright=upright)
        for s in (*scene.starts, *more)
    )
    return tuple(replace(start, height=on_ground(scene, start.centre).z) for start in starts)


def _find_more(starts: Iterable[Piece], ends: Iterable[Zone]) -> list[Piece]:
    """The largest part of each end that is free of starts, where people find room."""
    free = (max(cut_out((piece_of(end),), starts), key=measure, default=None) for end in ends)
    return [piece for piece in free if piece and min(piece.width, piece.depth) >= LEAST]


def measure(piece: Piece | None) -> float:
    """The size of a rectangle in square meters; 0 for none."""
    return piece.width * piece.depth if piece else 0.0


def reaches_ground(scene: Scene, start: Piece, hexes: bool) -> bool:
    """Whether a part of a start lies on the ground of a scene; everywhere is ground where there is none."""
    floors = (part for zone in list_floors(scene, hexes) for part in zone.parts or (piece_of(zone),))
    return not has_ground(scene) or any(overlap(floor, start) for floor in floors)


def _count(start: Zone, combatants: list[Combatant]) -> int:
    return sum(holds(start, one.at.x, one.at.y) for one in combatants)


def _find_farthest(scene: Scene, starts: tuple[Zone, ...]) -> Zone | None:
    """The zone whose middle is farthest from the starts."""
    zones = read_ground(scene).rooms
    gap = {zone.id: min(plan_distance(zone.centre, start.centre) for start in starts) for zone in zones}
    return max(zones, key=lambda zone: gap[zone.id], default=None)


# The ends of a map or of zones: where the sides begin in a scene that names no starts.


def leaves_ground(
    scene: Scene, path: Sequence[Point], goal: Point | None = None, hexes: bool = False
) -> bool:
    """Whether a path turns or ends outside of the drawn place in which it begins; never if its goal lies
    outside.

    The tactics of every game ask before they propose a move: a gap in the hull is no way round.
    """
    start, *way = path
    if all(is_drawn(scene, place, hexes) for place in way):
        return False
    return is_drawn(scene, start, hexes) and (goal is None or is_drawn(scene, goal, hexes))


def leads_out(
    scene: Scene,
    path: Sequence[Point],
    whole: Callable[[], Sequence[Point]],
    goal: Point | None = None,
    hexes: bool = False,
) -> bool:
    """Whether a move leads out of the drawn place: its path does, and so does the `whole` way.

    The move of one turn may end in a gap between two zones, from which the next one leads on.
    """
    return leaves_ground(scene, path, goal, hexes) and leaves_ground(scene, whole(), goal, hexes)


def find_ends(scene: Scene, hexes: bool, sides: int = 2) -> tuple[Zone, ...]:
    """Where the sides of a scene begin: the far ends of its ground, as zones; none without any ground.

    The first and the last lie opposite, along the longer way. More than two sides have all four ends.
    """
    if not has_ground(scene):
        return ()
    grounds = _find_grounds(scene, hexes)
    left, top = min(zone.x for zone in grounds), min(zone.y for zone in grounds)
    width = max(zone.x + zone.width for zone in grounds) - left
    depth = max(zone.y + zone.depth for zone in grounds) - top
    wide, deep = _find_depth(width), _find_depth(depth)
    west = Zone("", "", left, y=top, width=wide, depth=depth)
    east = replace(west, x=left + width - wide)
    north = Zone("", "", left, y=top, width=width, depth=deep)
    south = replace(north, y=top + depth - deep)
    first, last, *others = (west, east, north, south) if width >= depth else (north, south, west, east)
    strips = (first, *(others if sides > 2 else ()), last)
    return tuple(_cut(grounds, strip) for strip in strips)


def _find_grounds(scene: Scene, hexes: bool) -> Sequence[Zone]:
    """The zones that people can stand in; what walls enclose of a single one, or of ground without zones."""
    rooms, built = read_ground(scene).rooms, map_of(scene)
    if len(rooms) > 1 or (rooms and (not built.walls or (hexes and rooms[0].upright is not True))):
        return rooms
    floor = rooms[0] if rooms else find_drawn(scene, hexes)
    if rooms or built.decks or built.picture:
        return [_find_inner(floor, find_enclosed(built) if built.walls else None)]
    wide, deep = max(floor.width, NARROW), max(floor.depth, NARROW)
    x, y = floor.x - (wide - floor.width) / 2, floor.y - (deep - floor.depth) / 2
    return [replace(floor, x=x, y=y, width=wide, depth=deep)]


def _find_inner(floor: Zone, enclosed: Box | None) -> Zone:
    """The part of a piece of ground that walls and things enclose; all of it if that is narrow."""
    if enclosed is None:
        return floor
    left, top, right, low = enclosed
    inner = _overlap(floor, Zone("", "", left, y=top, width=right - left, depth=low - top))
    return inner if min(inner.width, inner.depth) >= NARROW else floor


def _find_depth(length: float) -> float:
    return min(length / 2, MOST, max(LEAST, length * SHARE))


def _cut(grounds: Sequence[Zone], strip: Zone) -> Zone:
    """The largest part of the ground in a strip along one of its ends."""
    parts = [_overlap(zone, strip) for zone in grounds]
    return max(parts, key=lambda part: max(0.0, part.width) * max(0.0, part.depth))


def _overlap(zone: Zone, strip: Zone) -> Zone:
    """The part of a zone within a rectangle, as a zone of no name."""
    x, y = max(zone.x, strip.x), max(zone.y, strip.y)
    right, low = (
        min(zone.x + zone.width, strip.x + strip.width),
        min(zone.y + zone.depth, strip.y + strip.depth),
    )
    return replace(zone, id="", name="", x=x, y=y, width=right - x, depth=low - y)
