"""The size of combatants on the map: one cell, or the meters along each side that the GM sets.

Distances run from edge to edge: between the two nearest cells that the combatants cover. So does the reach of
hands, past all barriers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from msgspec import UNSET

from ..basics.errors import Refused
from ..space import (
    BattleMap,
    Point,
    beside,
    find_zone,
    map_of,
    on_ground,
    path_length,
    plan_distance,
    plot,
    towards,
)
from ..space.battle_map import is_hidden_at
from ..space.grid import Grid, round_hex
from ..space.paths import Way, cut_short, find_paths, find_way, go_near, go_round, has_walls, is_open
from ..space.rays.sight import Body, check_hand, find_bar
from ..state.state import Combatant, State, is_played, present, replace

SIZE = "decimeters"  # the mark of a combatant larger than one cell
MAX_METERS = 60
VEHICLE = 45  # tenths of a meter: the room of a vehicle whose size nobody has set
MAX_FREE = 10  # meters around a place in which room is looked for
OVERLAP = 0.01  # meters by which the squares of two bodies may overlap
SAME_SPOT = 0.5  # meters: two who are nearer along and across stand on one spot


def read_size(sheet: Mapping[str, Any]) -> dict[str, int]:
    """The size mark for a combatant with this sheet; empty for one cell."""
    tenths = round(10 * (sheet.get("metres") or 0))
    return {SIZE: tenths} if tenths else {}


def meters_of(combatant: Combatant) -> float:
    """The meters that someone covers along each side; 0: one cell."""
    return int(combatant.marks.get(SIZE, 0)) / 10


def with_room(combatant: Combatant, is_vehicle: bool) -> Combatant:
    """Someone as large as the room that they need where they are put: a vehicle needs that of its drawing."""
    tenths = max(int(combatant.marks.get(SIZE, 0)), VEHICLE if is_vehicle else 0)
    return replace(combatant, marks={**combatant.marks, SIZE: tenths}) if tenths else combatant


def body_of(combatant: Combatant) -> Body:
    """The body of a combatant on the map."""
    tenths = combatant.marks.get(SIZE)
    return Body(combatant.at, int(tenths) / 10) if tenths else Body(combatant.at)


def nearest(one: Combatant, other: Combatant, cell: float = 1.0, hexes: bool = False) -> tuple[Point, Point]:
    """The middles of the nearest cells of two combatants; heights do not change."""
    if SIZE not in one.marks and SIZE not in other.marks:
        return one.at, other.at
    return nearest_cells(body_of(one), body_of(other), cell, hexes)


def stand_in(combatant: Combatant, place: Point) -> Combatant:
    """A combatant of one cell at a place, to measure someone's distance to a thing that lies there."""
    marks = {key: mark for key, mark in combatant.marks.items() if key != SIZE}
    return replace(combatant, at=place, marks=marks)


def nearest_cells(one: Body, other: Body, cell: float = 1.0, hexes: bool = False) -> tuple[Point, Point]:
    """The same for two bodies."""
    mine, theirs = max(0.0, one.meters - cell) / 2, max(0.0, other.meters - cell) / 2
    if hexes:
        return _go_hexes(one.at, other.at, mine), _go_hexes(other.at, one.at, theirs)
    x, right = _close_in(one.at.x, other.at.x, mine, theirs)
    y, down = _close_in(one.at.y, other.at.y, mine, theirs)
    return Point(x, y, one.at.z, one.at.shift), Point(right, down, other.at.z, other.at.shift)


def _close_in(here: float, there: float, mine: float, theirs: float) -> tuple[float, float]:
    """Two places on a line, each moved towards the other by its body's reach, until they meet."""
    gap = abs(there - here)
    share = min(1.0, gap / (mine + theirs)) if mine + theirs else 0.0
    step = share if there > here else -share
    return here + step * mine, there - step * theirs


def _go_hexes(here: Point, there: Point, meters: float) -> Point:
    """The hex this many hexes along the line from here to there."""
    dx, dy = there.x - here.x, there.y - here.y
    whole = (abs(dx) + abs(dy) + abs(dx + dy)) / 2
    share = min(1.0, meters / whole) if whole else 0.0
    q, r = round_hex(here.x + dx * share, here.y + dy * share)
    return Point(float(q), float(r), here.z, here.shift)


# ---------------------------------------------------------------- room for them


def find_beside(
    combatant: Combatant,
    other: Combatant,
    gap: float,
    cell: float = 1.0,
    hexes: bool = False,
    snaps: bool = False,
) -> Point:
    """The place of someone who moves straight towards another, up to a gap in meters between their cells.

    Large bodies do not overlap there; if the game then `snaps` to a cell, it finds that one itself.
    """
    if SIZE not in combatant.marks and SIZE not in other.marks:
        return beside(combatant.at, other.at, gap)
    here, there = nearest(combatant, other, cell, hexes)
    end = beside(here, there, gap) if hexes or snaps else _stop_before(here, there, gap, cell)
    return Point(combatant.at.x + end.x - here.x, combatant.at.y + end.y - here.y, end.z, end.shift)


def _stop_before(here: Point, there: Point, gap: float, cell: float) -> Point:
    """The end of a way towards a cell; what would reach across its corner goes to its nearest side."""
    end = beside(here, there, gap)
    across, along = here.x - there.x, here.y - there.y
    if end == here or not _covers(end, there, cell):
        return end
    step = max(gap, cell - OVERLAP / 2)
    if abs(across) >= abs(along):
        return Point(round(there.x + math.copysign(step, across), 3), there.y, end.z, end.shift)
    return Point(there.x, round(there.y + math.copysign(step, along), 3), end.z, end.shift)


def _covers(a: Point, b: Point, cell: float) -> bool:
    """Whether two squares around these middles cover a common part."""
    return max(abs(a.x - b.x), abs(a.y - b.y)) < cell - OVERLAP


def go_near_body(
    battle_map: BattleMap, way: Way, combatant: Combatant, other: Combatant, gap: float
) -> tuple[Point, ...] | None:
    """The path to the side of another around obstacles; None if nothing is in the way."""
    if SIZE not in combatant.marks and SIZE not in other.marks:
        return go_near(battle_map, way, combatant.at, other=other.at, gap=gap)
    goal = find_beside(combatant, other, gap, cell=way.grid.cell, hexes=way.grid.hexes, snaps=way.snaps)
    if is_open(battle_map, way.grid, combatant.at, goal, way.meters, way.floats):
        return None
    far = gap + sum(max(0.0, meters_of(each) - way.grid.cell) / 2 for each in (combatant, other))
    far = math.ceil(far - 1e-9) if way.snaps else far
    sides = [
        Point(other.at.x + x * far, other.at.y + y * far, other.at.z, other.at.shift)
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    for place in sorted(sides, key=lambda side: plan_distance(side, combatant.at)):
        with suppress(Refused):
            return find_way(battle_map, way, combatant.at, place)
    raise Refused("out_of_range", f"No way leads next to {other.name}: choose another place.")


def lead_round(
    state: State,
    combatant: Combatant,
    path: tuple[Point, ...],
    make_way: Callable[[State, Combatant], Way],
    other: Combatant | None = None,
    gap: float = 0.0,
) -> tuple[Point, ...]:
    """A path on the ground around obstacles; with `other`, it ends a gap in meters away from them.

    `make_way` says how the game walks. Refused("out_of_range") if no path leads around.
    """
    battle_map = map_of(state.scene)
    if not has_walls(battle_map):
        return path
    way = make_way(state, combatant)
    near = (
        go_near_body(battle_map, way, combatant, other=other, gap=gap) if other and len(path) == 2 else None
    )
    found = near or go_round(battle_map, way, path)
    return (found[0], *[on_ground(state.scene, place) for place in found[1:]])


def lead_to_each(
    state: State, combatant: Combatant, way: Way, goals: Iterable[Point], meters: float
) -> Iterator[tuple[Point, ...]]:
    """The paths of someone to each of several places within a movement in meters."""
    return find_paths(map_of(state.scene), way, combatant.at, goals=goals, most=meters / way.grid.cell)


def is_concealed(state: State, combatant: Combatant, hexes: bool = False) -> bool:
    """Whether the GM conceals a combatant from all but their own player: hidden, or in an unrevealed area.

    A combatant who left is concealed if the place where they were last seen is.
    """
    drawn = state.scene.map
    if combatant.hidden or drawn is UNSET or not drawn.hidden:
        return combatant.hidden
    return _is_in_the_dark(state, combatant, hexes)


def is_concealed_from(state: State, seer: Combatant, other: Combatant, hexes: bool = False) -> bool:
    """Whether a combatant acts without knowledge of another: the GM conceals them.

    Areas that the GM has not revealed conceal only from players: a side without players knows who is there.
    """
    drawn = state.scene.map
    if other.hidden or drawn is UNSET or not drawn.hidden:
        return other.hidden
    is_dark = seer.id != other.id and _is_in_the_dark(state, other, hexes)
    return is_dark and any(each.side == seer.side and is_played(state, each) for each in present(state))


def _is_in_the_dark(state: State, combatant: Combatant, hexes: bool) -> bool:
    areas = map_of(state.scene).hidden
    return bool(areas) and is_hidden_at(areas, *plot(combatant.at.x, combatant.at.y, hexes))


def find_taken(state: State, combatant: Combatant, beside: Container[str] = ()) -> list[Point]:
    """The places of all others but those whom the GM conceals, and those `beside` them, by id."""
    return [other.at for other in find_takers(state, combatant, beside)]


def find_takers(
    state: State, combatant: Combatant, beside: Container[str] = (), hexes: bool = False
) -> list[Combatant]:
    """All others but those whom the GM conceals, and those `beside` them, by id."""
    return [
        other
        for other in state.combatants.values()
        if not (other.gone or other.hidden or other.id == combatant.id)
        and not is_concealed(state, other, hexes)
        and other.id not in beside
    ]


def find_unseen(state: State, combatant: Combatant) -> tuple[str, ...]:
    """Those of other sides whom fog may hide from someone: what they are offered or refused tells of none."""
    if not map_of(state.scene).fog:
        return ()
    return tuple(other.id for other in present(state) if other.side != combatant.side)


def has_room(combatant: Combatant, place: Point, takers: Iterable[Combatant], grid: Grid) -> bool:
    """Whether someone has room at a place: nobody stands within a meter, and no large body overlaps."""
    body, is_large = replace(combatant, at=place), SIZE in combatant.marks
    return all(
        math.hypot(place.x - other.at.x, place.y - other.at.y) >= 1
        and not ((is_large or SIZE in other.marks) and _overlaps(body, other, grid.cell, grid.hexes))
        for other in takers
    )


def is_clear(place: Point, taken: Iterable[Point]) -> bool:
    """Whether nobody stands within a meter of a place."""
    return all(math.hypot(place.x - other.x, place.y - other.y) >= 1 for other in taken)


def find_other_at(state: State, combatant: Combatant, place: Point) -> Combatant | None:
    """Who stands on the very spot where someone would come to stand; None if it is free.

    It never gives away who is concealed, or an enemy in fog.
    """
    fog = map_of(state.scene).fog
    for other in state.combatants.values():
        if max(abs(other.at.x - place.x), abs(other.at.y - place.y)) >= SAME_SPOT:
            continue
        is_other = other.id not in (combatant.id, combatant.inside) and not (other.gone or other.inside)
        if is_other and not (fog and other.side != combatant.side) and not is_concealed(state, other):
            return other
    return None


def is_taken(state: State, combatant: Combatant, place: Point, grid: Grid, known: bool = False) -> bool:
    """Whether someone would stand on the spot of another, or a large body would overlap.

    Those whom the GM conceals give no way; if it asks only what is `known`, nor do those whom fog hides.
    """
    near = [
        other
        for other in state.combatants.values()
        if SIZE in other.marks
        or SIZE in combatant.marks
        or (abs(other.at.x - place.x) < SAME_SPOT and abs(other.at.y - place.y) < SAME_SPOT)
    ]
    if all(other.id == combatant.id for other in near):
        return False  # as mostly
    unseen = find_unseen(state, combatant) if known else ()
    takers, body = find_takers(state, combatant, unseen, grid.hexes), replace(combatant, at=place)
    return any(
        _overlaps(body, other, grid.cell, grid.hexes)
        if SIZE in combatant.marks or SIZE in other.marks
        else max(abs(other.at.x - place.x), abs(other.at.y - place.y)) < SAME_SPOT
        for other in takers
        if not other.inside and other.id != combatant.inside
    )


def find_spot(state: State, combatant: Combatant, centre: Point, step: float, cell: float = 1.0) -> Point:
    """A place, or one a step beside it if others stand there; those whom the GM conceals give no way."""
    taken, steps = find_taken(state, combatant), (0, step, -step)
    spots = (Point(centre.x + x, centre.y + y, centre.z, centre.shift) for y in steps for x in steps)
    spot = next((spot for spot in spots if is_clear(spot, taken)), centre)
    is_barred = _find_blocker(state, combatant, spot, cell) is not None
    return find_room(state, combatant, centre, cell) if is_barred else spot


def find_room(state: State, combatant: Combatant, place: Point, cell: float = 1.0) -> Point:
    """A place, or the nearest one in its zone where no large body would overlap another, if possible where
    nobody stands; else the place."""
    if _find_blocker(state, combatant, place, cell) is None:
        return place
    zone, most = find_zone(state.scene, place), math.ceil(2 * MAX_FREE / cell)
    steps = [n * cell / 2 for n in range(-most, most + 1)]
    around = (Point(place.x + x, place.y + y, place.z, place.shift) for x in steps for y in steps)
    inside = [spot for spot in around if find_zone(state.scene, spot) == zone]
    taken = find_taken(state, combatant)

    def rank(spot: Point) -> tuple[bool, float, float]:
        return not is_clear(spot, taken), plan_distance(place, spot), plan_distance(combatant.at, spot)

    inside.sort(key=rank)
    return next((at for at in inside if _find_blocker(state, combatant, at, cell) is None), place)


def end_in_room(
    state: State, combatant: Combatant, path: tuple[Point, ...], cell: float = 1.0
) -> tuple[Point, ...]:
    """A path up to the last place on it where no large body would overlap another; else the whole path."""
    if _find_blocker(state, combatant, path[-1], cell) is None:
        return path
    whole = path_length(path)
    steps = (n * cell / 2 for n in range(1, math.ceil(2 * whole / cell)))
    parts = (_cut(state, path, whole - step) for step in steps)
    return next((p for p in parts if _find_blocker(state, combatant, p[-1], cell) is None), path)


def _cut(state: State, path: tuple[Point, ...], meters: float) -> tuple[Point, ...]:
    """The first meters of a path on the ground."""
    part = cut_short(path, path_length, lambda leg, left: (leg[0], towards(leg[0], leg[1], left)), meters)
    return (*part[:-1], on_ground(state.scene, part[-1]))


def find_free(
    state: State, combatant: Combatant, places: Iterable[Point], cell: float = 1.0, hexes: bool = False
) -> Iterator[Point]:
    """The places where nobody stands; for a large body, those with enough room."""
    shown = [each for each in present(state) if not is_concealed(state, each, hexes)]
    if not any(SIZE in each.marks for each in shown):
        return (place for place in places if all(plan_distance(place, each.at) >= 1 for each in shown))
    others = _find_others(state, combatant, hexes)
    bodies = ((place, replace(combatant, at=place)) for place in places)
    return (place for place, body in bodies if not any(_overlaps(body, each, cell, hexes) for each in others))


def check_room(
    state: State, combatant: Combatant, place: Point, cell: float = 1.0, hexes: bool = False
) -> None:
    """Refuse a place where a large body would overlap another."""
    if bar := _find_blocker(state, combatant, place, cell=cell, hexes=hexes):
        raise Refused("not_allowed", f"{bar.name} is in the way there: choose a place with more room.")


def _find_blocker(
    state: State, combatant: Combatant, place: Point, cell: float, hexes: bool = False
) -> Combatant | None:
    """Who would overlap someone at a place, if one of the two is large.

    It never gives away who is in fog or concealed.
    """
    some_large = any(SIZE in each.marks for each in state.combatants.values())
    if not some_large or map_of(state.scene).fog:
        return None
    body = replace(combatant, at=place)
    for other in _find_others(state, combatant, hexes):
        is_large = SIZE in combatant.marks or SIZE in other.marks
        if is_large and _overlaps(body, other, cell, hexes):
            return other
    return None


def _find_others(state: State, combatant: Combatant, hexes: bool) -> list[Combatant]:
    """The visible others who take up room beside someone; carriers and passengers do not."""
    return [
        each
        for each in present(state)
        if each.id not in (combatant.id, combatant.inside)
        and not (each.inside or is_concealed(state, each, hexes))
    ]


def _overlaps(one: Combatant, other: Combatant, cell: float, hexes: bool) -> bool:
    """Whether two bodies cover a common cell."""
    if SIZE not in one.marks and SIZE not in other.marks:
        return plan_distance(one.at, other.at) < 1
    a, b = nearest(one, other, cell, hexes)
    return a == b if hexes else _covers(a, b, cell)


def is_unbarred(state: State, grid: Grid, one: Combatant, other: Combatant) -> bool:
    """Whether no barrier is between two combatants."""
    return one.id == other.id or find_bar(map_of(state.scene), grid, body_of(one), body_of(other)) is None


def check_open(state: State, grid: Grid, one: Combatant, other: Combatant) -> None:
    """Refused("out_of_range") with the barrier between two combatants."""
    if one.id != other.id:
        names = (one.name, other.name)
        check_hand(map_of(state.scene), grid, body_of(one), other=body_of(other), names=names)


def check_open_to(state: State, grid: Grid, combatant: Combatant, place: Point, name: str) -> None:
    """Refused("out_of_range") with the barrier between a combatant and a named thing at a place."""
    names = (combatant.name, name)
    check_hand(map_of(state.scene), grid, body_of(combatant), other=Body(place), names=names)
