"""Find a spot in a zone for a combatant: away from everyone else and clear of walls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import product
from math import ceil, cos, sin, tau

import msgspec
from msgspec import UNSET

from ..basics.errors import Refused
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..map.bodies import find_free, is_concealed, meters_of, nearest, with_room
from ..map.moving import Course, shift
from ..map.starts import find_start
from ..space import (
    LIFT,
    SMOKE,
    Point,
    Scene,
    Spot,
    Zone,
    distance,
    find_zone,
    map_of,
    on_ground,
    over_ground,
    plan_distance,
    settle_zones,
    zone_named,
)
from ..space.decks import Deck, box_of, find_deck, fit_height, is_within
from ..space.grid import PULLED_IN, Grid, make_grid
from ..space.ground import find_enclosed, has_ground, is_ground, list_floors, list_near, read_ground
from ..space.lanes import find_lane_spots
from ..space.paths import find_exits, find_rooms, has_walls, is_filled
from ..space.plane import holds, plot
from ..state import events as e
from ..state.state import Combatant, State, present, replace

MAX_SPOTS = 24  # along each side of a zone
APART = 1.5  # meters between combatants who are put into a zone
STEP, NARROW_STEP = 2.0, 1.0  # meters between spots, and between those if walls leave none
BUILT = 4  # ratio to the area inside walls: open ground up to that size surrounds a building
EDGE = 4.0  # meters from an edge of the map to where people arrive there
FAR = 10  # cells: how far people who stand in a wall are moved
BESIDE, RING = 1.0, 16  # meters to someone beside whom another stands, and directions that are tried
PREP = "prep"  # the phase before a fight
CLOUDS = (SMOKE, "fire")  # how zones look that come and go in a fight: nobody begins in them
Room = Sequence[Point]


def free_spot(
    context: RuleContext,
    zone_id: str,
    combatant: Combatant,
    placed: State | None = None,
    place: Zone | None = None,
) -> Point:
    """A free spot in a zone for someone: clear of walls and things, and away from everyone else.

    Only those in `placed` stand somewhere already. Concealed combatants count only within their own area: the
    spot of others must not give them away. Without a zone, newcomers go to their side's start, or stand near
    their side, else at an end of the ground before a fight and in the first zone in it. If their zone is
    full, they stand in the nearest one that is not.

    On a map with walls the spot is in the room with most allies in the zone, else in the largest room: of
    those inside walls, if the zone is a building with the ground around it (BUILT).
    Refused("unknown") if there is no such zone. A `place` is the zone itself, which need not be of the scene.
    """
    state, hexes = placed or context.state, system_of(context).space.has_hexes(context.state)
    combatant = _give_room(context, combatant)
    friends = _find_friends(state, combatant, hexes) if combatant.id not in state.combatants else []
    if place is not None:
        zones, friends = [place, *list_near(state.scene, place, hexes)], [place.centre]
    else:
        zones = _find_zones(context, state, zone_id, combatant=combatant, friends=friends)
    people = [_give_room(context, one) for one in present(state)]
    shown = [other for other in people if not is_concealed(state, other, hexes)]
    free = _find_free(context, zones, combatant, friends=friends, taken=shown)
    anywhere = not place or not has_ground(state.scene)
    found = next((at for at in free if anywhere or is_ground(state.scene, at)), None)
    if found is None:
        found = find_middle(state.scene, zones[0], _make_grid(context), meters_of(combatant))
    elif is_concealed(state, replace(combatant, at=found), hexes):
        beside = _find_free(context, zones, combatant, friends=friends, taken=people)
        found = next((at for at in beside if is_concealed(state, replace(combatant, at=at), hexes)), found)
    return over_ground(state.scene, found)


def is_next_to(state: State, one: Combatant, other: Combatant) -> bool:
    """Whether two combatants are next to each other, where a game does not say how far hands reach."""
    return distance(*nearest(one, other)) <= APART


def find_within_reach(
    context: RuleContext,
    combatant: Combatant,
    other: Combatant,
    reaches: Callable[[State, Combatant, Combatant], bool],
) -> Point | None:
    """The free spot nearest to someone from which they reach another by hand.

    It is on the same ground and clear of walls; None if there is no such spot.
    """
    state, grid = context.state, _make_grid(context)
    battle_map, in_zone = map_of(state.scene), find_zone(state.scene, other.at) is not None
    mover = _give_room(context, combatant)
    rest = replace(state, combatants={who: f for who, f in state.combatants.items() if who != mover.id})
    near = sorted(_list_around(mover, other, grid), key=lambda spot: plan_distance(spot, combatant.at))
    spots = (on_ground(state.scene, spot) for spot in near)
    for spot in find_free(rest, mover, spots, grid.cell, grid.hexes):
        is_level = spot.shift == other.at.shift and abs(spot.z - other.at.z) <= LIFT
        is_ground = find_zone(state.scene, spot) is not None or not in_zone
        if not (is_level and is_ground) or is_filled(battle_map, grid, spot, meters_of(mover)):
            continue
        if reaches(state, replace(mover, at=spot), other):
            return spot
    return None


def _list_around(combatant: Combatant, other: Combatant, grid: Grid) -> Iterator[Point]:
    """The spots around someone where another may stand beside them: on rings, and middles of cells."""
    room = sum(max(0.0, meters_of(one) - grid.cell) / 2 for one in (combatant, other))
    at = other.at
    if not grid.hexes:
        for far, turn in product((BESIDE, grid.cell), range(RING)):
            x, y = cos(turn * tau / RING), sin(turn * tau / RING)
            out = (far + room) / max(abs(x), abs(y)) if room else far
            yield Point(round(at.x + x * out, 3), round(at.y + y * out, 3), at.z, at.shift)
    column, row = grid.find_cell(at)
    steps = range(-2 - ceil(room / grid.cell), 3 + ceil(room / grid.cell))
    for across, down in product(steps, steps):
        middle = grid.find_middle((column + across, row + down))
        yield Point(middle.x, middle.y, at.z, at.shift)


def _find_zones(
    context: RuleContext, placed: State, zone_id: str, combatant: Combatant, friends: Sequence[Point]
) -> list[Zone]:
    """Where to look for a spot: in a zone, or where they begin; for newcomers then in the zones around it."""
    scene, hexes = placed.scene, system_of(context).space.has_hexes(context.state)
    zone = zone_named(scene, zone_id)
    if zone is None and zone_id:
        raise Refused("unknown", "That zone is not part of the scene: choose one that is.")
    ends = context.state.phase == PREP and not friends
    zone = zone or find_start(context.state, placed, combatant, hexes, ends=ends)
    zone = zone or _find_home(context, scene, friends)
    is_new = combatant.id not in placed.combatants
    around = list_near(scene, zone, hexes) if is_new else ()
    return [zone, *(other for other in around if other != zone)]


def _give_room(context: RuleContext, combatant: Combatant) -> Combatant:
    return with_room(combatant, _is_vehicle(context, combatant))


def _is_vehicle(context: RuleContext, combatant: Combatant) -> bool:
    find_vehicle = system_of(context).look.vehicle
    return find_vehicle is not None and find_vehicle(combatant) is not None


def _make_grid(context: RuleContext) -> Grid:
    space = system_of(context).space
    return make_grid(map_of(context.state.scene), space.cell_meters, space.has_hexes(context.state))


def _find_friends(state: State, combatant: Combatant, hexes: bool) -> list[Point]:
    """The places of a side, without the concealed: nobody's place may give theirs away."""
    return [
        other.at
        for other in present(state)
        if other.side == combatant.side and other.id != combatant.id and not is_concealed(state, other, hexes)
    ]


def _find_home(context: RuleContext, scene: Scene, friends: Sequence[Point]) -> Zone:
    """The zone of most of a side, or the ground around its last one; else the first zone, or all the map."""
    system = system_of(context)
    homes = [zone for at in friends if (zone := find_zone(scene, at)) and zone.patch is not True]
    if homes:
        return max(homes, key=homes.count)
    floors, zones = list_floors(scene, system.space.has_hexes(context.state)), read_ground(scene).zones
    if zones and not friends:
        looks = dict(system.kinds.ground)
        clear = (z for z in zones if not any(looks.get(tag) in CLOUDS for tag in z.terrain))
        return next(clear, zones[0])
    held = (floor for floor in floors if not friends or holds(floor, friends[-1].x, friends[-1].y))
    if floor := next(held, None):
        return floor
    return Zone("", "", friends[-1].x - 10.0, y=friends[-1].y - 10.0, width=20.0, depth=20.0)


def find_strip(context: RuleContext, edge: str) -> Zone:
    """The ground along an edge of the map, as `find_bounds` has it; "north" is the upper one."""
    left, top, right, low = find_bounds(context)
    wide, deep = min(EDGE, right - left), min(EDGE, low - top)
    strips = {
        "north": (left, top, right - left, deep),
        "south": (left, low - deep, right - left, deep),
        "west": (left, top, wide, low - top),
        "east": (right - wide, top, wide, low - top),
    }
    hexes = system_of(context).space.has_hexes(context.state)
    return Zone("", "", *strips[edge], upright=hexes or UNSET)


def find_bounds(context: RuleContext) -> tuple[float, float, float, float]:
    """The map's left, top, right and lower edge as drawn: of its ground, and all built beside zones."""
    scene, hexes = context.state.scene, system_of(context).space.has_hexes(context.state)
    zones = read_ground(scene).zones
    box = find_enclosed(map_of(scene)) if zones else None
    corners = [box[:2], box[2:]] if box else []
    for zone in (*list_floors(scene, hexes), *zones):
        for x, y in product((zone.x, zone.x + zone.width), (zone.y, zone.y + zone.depth)):
            corners.append(plot(x, y, hexes and zone.upright is not True))
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _find_free(
    context: RuleContext,
    zones: Iterable[Zone],
    combatant: Combatant,
    friends: Sequence[Point],
    taken: Sequence[Combatant],
) -> Iterator[Point]:
    """The free spots of zones, best first; those close to others only if needed."""
    grid = _make_grid(context)
    if _is_vehicle(context, combatant):
        zones = tuple(zones)
        for spot in _find_in_lanes(context, zones[0], combatant, friends=friends):
            if _has_distance(combatant, spot, taken, grid, APART):
                yield spot
    for zone in zones:
        for step, apart in ((STEP, APART), (NARROW_STEP, NARROW_STEP)):
            for spot in _find_clear(context, zone, combatant, friends=friends, step=step):
                if _has_distance(combatant, spot, taken, grid, apart):
                    yield spot


def _has_distance(
    combatant: Combatant, spot: Point, taken: Iterable[Combatant], grid: Grid, apart: float
) -> bool:
    """Whether someone on a spot is so many meters apart from all others."""
    body = replace(combatant, at=spot)
    return all(plan_distance(*nearest(body, one, grid.cell, grid.hexes)) >= apart for one in taken)


def _find_in_lanes(
    context: RuleContext, place: Zone, combatant: Combatant, friends: Sequence[Point]
) -> list[Point]:
    """The spots in the lanes of roads that lie in a place, clear of walls and things: the nearest to friends
    first, else to its middle."""
    scene, grid, near = context.state.scene, _make_grid(context), friends or [place.centre]
    battle_map, meters = map_of(scene), meters_of(combatant)
    spots = (spot for road in scene.zones for spot in find_lane_spots(road, STEP))
    clear = (
        spot
        for spot in spots
        if holds(place, spot.x, spot.y) and not is_filled(battle_map, grid, spot, meters)
    )
    return sorted(clear, key=lambda spot: min(plan_distance(spot, at) for at in near))


def find_middle(scene: Scene, zone: Zone, grid: Grid, meters: float = 0.0) -> Point:
    """The middle of a zone, or the nearest spot where a body of this size touches no wall."""
    battle_map = map_of(scene)
    if not has_walls(battle_map) or not is_filled(battle_map, grid, zone.centre, meters):
        return zone.centre
    clear = (
        spot for spot in _find_inner_spots(zone, NARROW_STEP) if not is_filled(battle_map, grid, spot, meters)
    )
    return next(clear, zone.centre)


def find_spots(zone: Zone, step: float) -> tuple[Point, ...]:
    """The spots of a zone, `step` meters apart, from its middle outwards."""
    middle = Zone("", "", zone.x, y=zone.y, width=zone.width, depth=zone.depth).centre
    sides = _divide(zone.x, zone.width, step), _divide(zone.y, zone.depth, step)
    spots = sorted(
        (Point(a, b, zone.height) for a in sides[0] for b in sides[1]),
        key=lambda at: plan_distance(at, middle),
    )
    return tuple(Point(*zone.unplot(s.x, s.y), s.z, s.shift) if zone.upright else s for s in spots)


def _divide(start: float, size: float, step: float) -> list[float]:
    """Spots along a side, around its middle: enough for MAX_COMBATANTS, at any length."""
    if size < step:
        return [start + size / 2]
    count = int(size // step)
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


def _find_clear(
    context: RuleContext, zone: Zone, combatant: Combatant, friends: Sequence[Point], step: float
) -> Iterator[Point]:
    """The spots of a zone where someone has room on its map: those of the best room first, near friends."""
    scene, grid = context.state.scene, _make_grid(context)
    near = [at for at in friends if find_zone(scene, at) == zone or (not zone.id and holds(zone, at.x, at.y))]
    if near and not any(holds(_find_part(zone, zone.centre, step), at.x, at.y) for at in near):
        zone = _find_part(zone, near[0], step)
    rooms: Sequence[Room] = [_find_inner_spots(zone, step)]
    if has_walls(map_of(scene)):
        rooms, inside = _find_rooms(scene, zone, grid, step=step, meters=meters_of(combatant))
        rooms = sorted(rooms, key=_rank(near, step, inside), reverse=True)
    for room in rooms:
        yield from (
            sorted(room, key=lambda spot: min(plan_distance(spot, at) for at in near)) if near else room
        )


def _find_part(zone: Zone, at: Point, step: float) -> Zone:
    """The part of a long zone around a place, with as many spots along each side as are tried."""
    x, y = zone.plot(at.x, at.y)
    (left, width), (top, depth) = _cut(zone.x, zone.width, x, step), _cut(zone.y, zone.depth, y, step)
    return replace(zone, x=left, y=top, width=width, depth=depth)


def _cut(start: float, size: float, middle: float, step: float) -> tuple[float, float]:
    """The start and length of the part of a side around its `middle`; spots stay where they are."""
    left_out = max(0, int(size // step) - MAX_SPOTS)
    first = min(max(0, round((middle - start) / step) - MAX_SPOTS // 2), left_out)
    return start + step * first, size - step * left_out


def _find_inner_spots(zone: Zone, step: float) -> tuple[Point, ...]:
    """The spots of a zone, without those outside its parts."""
    spots = find_spots(zone, step)
    return tuple(spot for spot in spots if holds(zone, spot.x, spot.y)) if zone.parts else spots


def _find_rooms(
    scene: Scene, zone: Zone, grid: Grid, step: float, meters: float
) -> tuple[Sequence[Room], Sequence[Room]]:
    """The rooms of a zone for a body of this size, and those of them inside walls."""
    battle_map = map_of(scene)
    rooms = find_rooms(battle_map, grid, _find_inner_spots(zone, step), step=step, meters=meters)
    exits = find_exits(battle_map, grid, _find_edges(zone, step), meters)
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
        near = sum(any(plan_distance(at, spot) <= step for spot in room) for at in friends)
        return near, room in inside, len(room)

    return rank


# ---------------------------------------------------------------- out of walls


def placing(combatant: Combatant, goal: Point, to: str = "") -> Course:
    """The course of someone whom the GM, or a change of the map, puts at a place."""
    return Course(combatant.id, (combatant.at, goal), "placed", how="how.placed", meters=0.0, to=to)


def settle_ground(context: RuleContext, before: Scene | None = None) -> None:
    """Set zones whose height lies in another deck on their own, and everyone on the ground that has changed.

    Without a scene `before` there was no other: an older release may have stored such heights.
    """
    scene = context.state.scene
    settled = settle_zones(scene)
    if settled != scene:
        context.emit(e.SceneSet(replace(settled, map=UNSET)), to=e.GM_ONLY)
    stand_on(context, before or scene)


def stand_on(context: RuleContext, before: Scene) -> None:
    """Lift or lower everyone who stood on ground of a scene whose height has changed since, or who is said
    to be on one deck at the height of another."""
    for combatant in present(context.state):
        at, scene = combatant.at, context.state.scene
        goal, decks = on_ground(scene, at), map_of(scene).decks
        is_beyond = fit_height(decks, find_deck(decks, at.x, at.y), at.z) != at.z
        if (is_beyond or at == on_ground(before, at)) and not combatant.inside and goal != at:
            shift(context, placing(combatant, goal, e.GM_ONLY))


def go_along(context: RuleContext, before: Scene) -> bool:
    """Move everyone on a deck that now lies elsewhere with all drawn on it; whether there is such a deck."""
    now, slid = context.state.scene, False
    for deck in map_of(before).decks:
        across, down = _find_slide(deck, before, now)
        if not across and not down:
            continue
        slid = True
        for combatant in present(context.state):
            at = combatant.at
            if is_within(box_of(deck), at.x, at.y) and not combatant.inside:
                goal = on_ground(now, Point(round(at.x + across, 3), round(at.y + down, 3)))
                goal = msgspec.structs.replace(goal, z=round(goal.z + at.z - on_ground(before, at).z, 3))
                shift(context, placing(combatant, goal, e.GM_ONLY))
    return slid


def _find_slide(deck: Deck, before: Scene, now: Scene) -> Spot:
    """How far a deck has moved across and down with all its zones and walls; 0 if these stayed."""
    new = next((one for one in map_of(now).decks if one.id == deck.id), None)
    if new is None or (new.x, new.y) == (deck.x, deck.y):
        return 0.0, 0.0
    across, down = round(new.x - deck.x, 3), round(new.y - deck.y, 3)
    there = _find_corners(now)
    drawn = [(one, x, y) for one, (x, y) in _find_corners(before).items() if is_within(box_of(deck), x, y)]
    gone_along = [there.get(one) == (round(x + across, 3), round(y + down, 3)) for one, x, y in drawn]
    return (across, down) if gone_along and all(gone_along) else (0.0, 0.0)


def _find_corners(scene: Scene) -> dict[str, Spot]:
    """A corner of each zone and an end of each wall, by id."""
    zones = {zone.id: (round(zone.x, 3), round(zone.y, 3)) for zone in scene.zones}
    return zones | {wall.id: (round(wall.x1, 3), round(wall.y1, 3)) for wall in map_of(scene).walls}


def step_clear(context: RuleContext) -> None:
    """Move everyone who stands in a wall or an obstacle of a new map to the nearest free spot."""
    state = context.state
    battle_map, grid = map_of(state.scene), _make_grid(context)
    for combatant in map(partial(_give_room, context), present(state)):
        if not combatant.inside and is_filled(battle_map, grid, combatant.at, meters_of(combatant)):
            goal = _find_beside(context, grid, combatant)
            if goal is not None:
                shift(context, placing(combatant, goal))


def _find_beside(context: RuleContext, grid: Grid, combatant: Combatant) -> Point | None:
    """The nearest middle of a cell with room for someone, in their zone if they have one; else None."""
    state = context.state
    battle_map, zone = map_of(state.scene), find_zone(state.scene, combatant.at)
    taken = [other.at for other in present(state) if other.id != combatant.id and not other.inside]
    column, row = grid.find_cell(combatant.at)
    steps = range(-FAR, FAR + 1)
    middles = (grid.find_middle((column + x, row + y)) for x in steps for y in steps)
    near = sorted(middles, key=lambda spot: plan_distance(spot, combatant.at))
    found = None
    for spot in near:
        if any(plan_distance(spot, other) < grid.cell * PULLED_IN for other in taken):
            continue
        if not is_filled(battle_map, grid, spot, meters_of(combatant)):
            if find_zone(state.scene, spot) == zone:
                return on_ground(state.scene, spot)
            found = found or on_ground(state.scene, spot)
    return found
