"""Find a spot in a zone for a combatant: away from everyone else and clear of walls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from ..basics.errors import Refused
from ..basics.memory import Seen, remember_by
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..map.bodies import is_concealed, metres_of
from ..space import Point, Scene, Zone, distance, find_zone, map_of, on_ground, zone_named
from ..space.grid import PULLED_IN, Grid, make_grid
from ..space.paths import find_exits, find_rooms, has_walls, is_filled
from ..state import events as e
from ..state.state import Combatant, present, replace

MAX_SPOTS = 24  # along each side of a zone
APART = 1.5  # meters between combatants who are put into a zone
STEP, NARROW_STEP = 2.0, 1.0  # meters between spots, and between those if walls leave none
BUILT = 4  # ratio to the area inside walls: open ground up to that size surrounds a building
FAR = 10  # cells: how far people who stand in a wall are moved
Room = Sequence[Point]


def free_spot(context: RuleContext, zone_id: str, combatant: Combatant) -> Point:
    """A spot in a zone (or near the origin) for someone, at least 1.5 m from everyone else.

    Concealed combatants count only within their own area: the spot of others must not give them away.

    On a map with walls the spot is clear of them, in the room with most allies in the zone, else in the
    largest room: of those inside walls, if the zone is a building with the ground around it (BUILT).
    Refused("unknown") if there is no such zone.
    """
    state, hexes = context.state, system_of(context).space.has_hexes(context.state)
    zone = zone_named(state.scene, zone_id)
    if zone is None:
        if zone_id:
            raise Refused("unknown", "That zone is not part of the scene: choose one that is.")
        zone = state.scene.zones[0] if state.scene.zones else Zone("", "", 0.0, 0.0, 20.0, 20.0)
    people = [(other.at, is_concealed(state, other, hexes)) for other in present(state)]
    shown = [at for at, is_secret in people if not is_secret]
    found = next(_find_free(_find_all(context, zone, combatant), shown), zone.centre)
    if not is_concealed(state, replace(combatant, at=found), hexes):
        return found
    beside = _find_free(_find_all(context, zone, combatant), [at for at, _ in people])
    return next((spot for spot in beside if is_concealed(state, replace(combatant, at=spot), hexes)), found)


def _find_all(context: RuleContext, zone: Zone, combatant: Combatant) -> Iterator[Point]:
    """The spots of a zone, best first; on a map with walls, narrow ones only if needed."""
    if has_walls(map_of(context.state.scene)):
        yield from _find_clear(context, zone, combatant)
    yield from find_spots(zone, STEP)


def _find_free(spots: Iterable[Point], taken: Sequence[Point]) -> Iterator[Point]:
    """The spots that are far enough from everyone else."""
    return (spot for spot in spots if all(distance(spot, other) >= APART for other in taken))


def _look_at_zone(scene: Scene, zone: Zone, grid: Grid, metres: float = 0.0) -> Seen:
    return (scene, zone), (grid, metres)


@remember_by(_look_at_zone)
def find_middle(scene: Scene, zone: Zone, grid: Grid, metres: float = 0.0) -> Point:
    """The middle of a zone, or the nearest spot where a body of this size touches no wall."""
    battle_map = map_of(scene)
    if not has_walls(battle_map) or not is_filled(battle_map, grid, zone.centre, metres):
        return zone.centre
    clear = (spot for spot in find_spots(zone, NARROW_STEP) if not is_filled(battle_map, grid, spot, metres))
    return next(clear, zone.centre)


def find_spots(zone: Zone, step: float) -> tuple[Point, ...]:
    """The spots of a zone, `step` meters apart, from its middle outwards."""
    spots = _find_spots(zone.x, zone.y, zone.width, zone.depth, zone.height, step)
    return tuple(Point(*zone.unplot(s.x, s.y), s.z) for s in spots) if zone.upright else spots


@lru_cache(maxsize=32, typed=True)
def _find_spots(
    x: float, y: float, width: float, depth: float, height: float, step: float
) -> tuple[Point, ...]:
    """The spots of a rectangle; cached, since a crowd asks for the same ones."""
    middle = Zone("", "", x, y, width, depth).centre
    sides = _divide(x, width, step), _divide(y, depth, step)
    spots = (Point(a, b, height) for a in sides[0] for b in sides[1])
    return tuple(sorted(spots, key=lambda spot: distance(spot, middle)))


def _divide(start: float, size: float, step: float) -> list[float]:
    """Spots along a side, around its middle: enough for MAX_COMBATANTS, at any length."""
    count = max(1, int(size // step))
    first = max(0, count - MAX_SPOTS) // 2
    return [start + step / 2 + step * i for i in range(first, first + min(count, MAX_SPOTS))]


def _find_edges(zone: Zone, step: float) -> tuple[tuple[Point, Point], ...]:
    """The outermost of these spots, each with the next one beyond it."""
    xs, ys = _divide(zone.x, zone.width, step), _divide(zone.y, zone.depth, step)
    across = [((x, y), (x, y + out)) for x in xs for y, out in ((ys[0], -step), (ys[-1], step))]
    along = [((x, y), (x + out, y)) for y in ys for x, out in ((xs[0], -step), (xs[-1], step))]
    return tuple((_place(zone, one), _place(zone, other)) for one, other in (*across, *along))


def _place(zone: Zone, spot: tuple[float, float]) -> Point:
    return Point(*(zone.unplot(*spot) if zone.upright else spot), zone.height)


# ---------------------------------------------------------------- clear of walls


def _find_clear(context: RuleContext, zone: Zone, combatant: Combatant) -> Iterator[Point]:
    """The spots of a zone where someone has room on its map, those of the best room first."""
    state, system = context.state, system_of(context)
    battle_map = map_of(state.scene)
    grid = make_grid(battle_map, system.space.cell_metres, system.space.has_hexes(state))
    metres = metres_of(combatant)
    friends = [
        other.at
        for other in present(state)
        if other.side == combatant.side
        and other.id != combatant.id
        and not is_concealed(state, other, grid.hexes)
    ]
    friends = [at for at in friends if find_zone(state.scene, at) == zone]
    for step in (STEP, NARROW_STEP):
        rooms, inside = _find_rooms(state.scene, zone, grid, step, metres)
        for room in sorted(rooms, key=_rank(friends, step, inside), reverse=True):
            yield from room


def _look_at_rooms(scene: Scene, zone: Zone, grid: Grid, step: float, metres: float) -> Seen:
    return (scene, zone), (grid, step, metres)


@remember_by(_look_at_rooms)
def _find_rooms(
    scene: Scene, zone: Zone, grid: Grid, step: float, metres: float
) -> tuple[Sequence[Room], Sequence[Room]]:
    """The rooms of a zone for a body of this size, and those of them inside walls."""
    battle_map = map_of(scene)
    rooms = find_rooms(battle_map, grid, find_spots(zone, step), step, metres)
    exits = find_exits(battle_map, grid, _find_edges(zone, step), metres)
    return rooms, _find_inside(rooms, exits)


def _find_inside(rooms: Sequence[Room], exits: frozenset[Point]) -> Sequence[Room]:
    """The rooms inside walls, if the zone is a building with the ground around it; else none.

    The zone of a drawn or imported house often extends past the outer walls to the edge of the picture, and
    the ground there may be larger than any room, though the fight is inside. A hut on a field is the
    opposite: so the area inside walls must be a fair share of the whole.
    """
    enclosed = [room for room in rooms if exits.isdisjoint(room)]
    ground = max((len(room) for room in rooms if room not in enclosed), default=0)
    return enclosed if sum(map(len, enclosed)) * BUILT >= ground else ()


def _rank(
    friends: Sequence[Point], step: float, inside: Sequence[Room]
) -> Callable[[Room], tuple[int, bool, int]]:
    """The allies at the spots of a room, whether it is preferred, and its number of spots."""

    def rank(room: Room) -> tuple[int, bool, int]:
        near = sum(any(distance(at, spot) <= step for spot in room) for at in friends)
        return near, room in inside, len(room)

    return rank


# ---------------------------------------------------------------- out of walls


def step_clear(context: RuleContext) -> None:
    """Move everyone who stands in a wall or an obstacle of a new map to the nearest free spot."""
    state, system = context.state, system_of(context)
    battle_map = map_of(state.scene)
    grid = make_grid(battle_map, system.space.cell_metres, system.space.has_hexes(state))
    for combatant in present(state):
        if not combatant.inside and is_filled(battle_map, grid, combatant.at, metres_of(combatant)):
            goal = _find_beside(context, grid, combatant)
            if goal is not None:
                zone = find_zone(context.state.scene, goal)
                moved = e.Moved(
                    combatant.id, (combatant.at, goal), 0.0, 0.0, "how.placed", zone.name if zone else ""
                )
                context.emit(moved)


def _find_beside(context: RuleContext, grid: Grid, combatant: Combatant) -> Point | None:
    """The nearest middle of a cell with room for someone, in their zone if they have one; else None."""
    state = context.state
    battle_map, zone = map_of(state.scene), find_zone(state.scene, combatant.at)
    taken = [other.at for other in present(state) if other.id != combatant.id and not other.inside]
    column, row = grid.find_cell(combatant.at)
    steps = range(-FAR, FAR + 1)
    middles = (grid.find_middle((column + x, row + y)) for x in steps for y in steps)
    near = sorted(middles, key=lambda spot: distance(spot, combatant.at))
    found = None
    for spot in near:
        if any(distance(spot, other) < grid.cell * PULLED_IN for other in taken):
            continue
        if not is_filled(battle_map, grid, spot, metres_of(combatant)):
            if find_zone(state.scene, spot) == zone:
                return on_ground(state.scene, spot)
            found = found or on_ground(state.scene, spot)
    return found
