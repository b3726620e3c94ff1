"""How much of a map somebody takes up: one cell, or as many metres along each side as the GM says.

Distances run from edge to edge: between the two cells nearest to each other, of all that each covers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from .basics.errors import Refused
from .space import BattleMap, Point, beside, distance, map_of, on_ground
from .space.battle_map import is_hidden_at
from .space.grid import round_hex
from .space.hexes import plot
from .space.sight import Body
from .space.ways import Way, find_way, find_ways, go_near, go_round, has_walls, is_open
from .state.state import Combatant, State, present, replace

SIZE = "decimeters"  # the mark of who is larger than one cell
MAX_METRES = 60


def read_size(sheet: Mapping[str, Any]) -> dict[str, int]:
    """The mark of the size that a sheet says, for whoever joins with it; nothing for one cell."""
    tenths = round(10 * (sheet.get("metres") or 0))
    return {SIZE: tenths} if tenths else {}


def metres_of(fighter: Combatant) -> float:
    """The metres that somebody takes up along each side; 0: one cell."""
    return int(fighter.marks.get(SIZE, 0)) / 10


def body_of(fighter: Combatant) -> Body:
    """Somebody as they stand on the map."""
    return Body(fighter.at, metres_of(fighter))


def nearest(one: Combatant, other: Combatant, cell: float = 1.0, hexes: bool = False) -> tuple[Point, Point]:
    """The middles of the cells of two combatants that are nearest to each other, height as it is."""
    if SIZE not in one.marks and SIZE not in other.marks:
        return one.at, other.at
    mine, theirs = (max(0.0, metres_of(each) - cell) / 2 for each in (one, other))
    if hexes:
        return _go_hexes(one.at, other.at, mine), _go_hexes(other.at, one.at, theirs)
    x, right = _close_in(one.at.x, other.at.x, mine, theirs)
    y, down = _close_in(one.at.y, other.at.y, mine, theirs)
    return Point(x, y, one.at.z), Point(right, down, other.at.z)


def _close_in(here: float, there: float, mine: float, theirs: float) -> tuple[float, float]:
    """Two places on a line, each moved towards the other by what its body reaches, till they meet."""
    gap = abs(there - here)
    share = min(1.0, gap / (mine + theirs)) if mine + theirs else 0.0
    step = share if there > here else -share
    return here + step * mine, there - step * theirs


def _go_hexes(here: Point, there: Point, metres: float) -> Point:
    """The hex so many hexes from here on the line to there."""
    dx, dy = there.x - here.x, there.y - here.y
    whole = (abs(dx) + abs(dy) + abs(dx + dy)) / 2
    share = min(1.0, metres / whole) if whole else 0.0
    q, r = round_hex(here.x + dx * share, here.y + dy * share)
    return Point(float(q), float(r), here.z)


# ---------------------------------------------------------------- room for them


def find_beside(
    fighter: Combatant, other: Combatant, gap: float, cell: float = 1.0, hexes: bool = False
) -> Point:
    """Where somebody stands who goes straight towards another up to so many metres between their cells."""
    if SIZE not in fighter.marks and SIZE not in other.marks:
        return beside(fighter.at, other.at, gap)
    here, there = nearest(fighter, other, cell, hexes)
    end = beside(here, there, gap)
    return Point(fighter.at.x + end.x - here.x, fighter.at.y + end.y - here.y, end.z)


def go_near_body(
    battle_map: BattleMap, way: Way, fighter: Combatant, other: Combatant, gap: float
) -> tuple[Point, ...] | None:
    """The way next to another round what stands between; None where nothing does."""
    if SIZE not in fighter.marks and SIZE not in other.marks:
        return go_near(battle_map, way, fighter.at, other.at, gap)
    goal = find_beside(fighter, other, gap, way.grid.cell, way.grid.hexes)
    if is_open(battle_map, way.grid, fighter.at, goal, way.metres):
        return None
    far = gap + sum(max(0.0, metres_of(each) - way.grid.cell) / 2 for each in (fighter, other))
    far = math.ceil(far - 1e-9) if way.snaps else far
    sides = [
        Point(other.at.x + x * far, other.at.y + y * far, other.at.z)
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    for place in sorted(sides, key=lambda side: distance(side, fighter.at)):
        with suppress(Refused):
            return find_way(battle_map, way, fighter.at, place)
    raise Refused("out_of_range", f"No way leads next to {other.name}: choose another place.")


def lead_round(
    state: State,
    fighter: Combatant,
    path: tuple[Point, ...],
    make_way: Callable[[State, Combatant], Way],
    other: Combatant | None = None,
    gap: float = 0.0,
) -> tuple[Point, ...]:
    """A path over the ground round what stands in its way; next to an `other` up to a gap in metres.

    `make_way` says how the game walks. Refused("out_of_range") where no way leads round it.
    """
    battle_map = map_of(state.scene)
    if not has_walls(battle_map):
        return path
    way = make_way(state, fighter)
    near = go_near_body(battle_map, way, fighter, other, gap) if other and len(path) == 2 else None
    found = near or go_round(battle_map, way, path)
    return (found[0], *(on_ground(state.scene, place) for place in found[1:]))


def lead_to_each(
    state: State, fighter: Combatant, way: Way, goals: Iterable[Point], metres: float
) -> Iterator[tuple[Point, ...]]:
    """The ways of somebody to each of some places that so many metres of movement could lead to."""
    return find_ways(map_of(state.scene), way, fighter.at, goals, metres / way.grid.cell)


def is_concealed(state: State, fighter: Combatant, hexes: bool = False) -> bool:
    """Whether the GM keeps a combatant from all but their own player: hidden, or in an unrevealed area.

    A combatant who has left counts as long as the place where they were last seen does.
    """
    return fighter.hidden or _is_in_the_dark(state, fighter, hexes)


def is_concealed_from(state: State, seer: Combatant, other: Combatant, hexes: bool = False) -> bool:
    """Whether a combatant acts without knowing of another one: the GM conceals them.

    Only players are kept from areas that the GM has not revealed: a side without them knows who is there.
    """
    if other.hidden:
        return True
    is_dark = seer.id != other.id and _is_in_the_dark(state, other, hexes)
    return is_dark and any(each.pc and each.side == seer.side for each in present(state))


def _is_in_the_dark(state: State, fighter: Combatant, hexes: bool) -> bool:
    areas = map_of(state.scene).hidden
    return bool(areas) and is_hidden_at(areas, *plot(fighter.at.x, fighter.at.y, hexes))


def find_free(
    state: State, fighter: Combatant, places: Iterable[Point], cell: float = 1.0, hexes: bool = False
) -> Iterator[Point]:
    """Those of some places where nobody stands, and where a large one has room among the others."""
    shown = [each for each in present(state) if not is_concealed(state, each, hexes)]
    if not any(SIZE in each.marks for each in shown):
        return (place for place in places if all(distance(place, each.at) >= 1 for each in shown))
    others = _find_others(state, fighter, hexes)
    bodies = ((place, replace(fighter, at=place)) for place in places)
    return (place for place, body in bodies if not any(_overlaps(body, each, cell, hexes) for each in others))


def check_room(
    state: State, fighter: Combatant, place: Point, cell: float = 1.0, hexes: bool = False
) -> None:
    """Refuse a place where a large body and another one would overlap.

    In a fog nobody is told who is there, nor of the concealed.
    """
    if map_of(state.scene).fog or not any(SIZE in each.marks for each in state.combatants.values()):
        return
    body = replace(fighter, at=place)
    for other in _find_others(state, fighter, hexes):
        is_large = SIZE in fighter.marks or SIZE in other.marks
        if is_large and _overlaps(body, other, cell, hexes):
            raise Refused("not_allowed", f"{other.name} is in the way there: choose a place with more room.")


def _find_others(state: State, fighter: Combatant, hexes: bool) -> list[Combatant]:
    """Those in the open who take up room beside somebody; a carrier and who is inside do not."""
    return [
        each
        for each in present(state)
        if each.id not in (fighter.id, fighter.inside)
        and not (each.inside or is_concealed(state, each, hexes))
    ]


def _overlaps(one: Combatant, other: Combatant, cell: float, hexes: bool) -> bool:
    """Whether two bodies cover a cell both."""
    if SIZE not in one.marks and SIZE not in other.marks:
        return distance(one.at, other.at) < 1
    a, b = nearest(one, other, cell, hexes)
    return a == b if hexes else max(abs(a.x - b.x), abs(a.y - b.y)) < cell - 0.01
