"""Sight on a battle map with fog: each side sees by the eyes of those who can still fight.

Fog limits only sides with someone whom a person plays; the GM sees all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from math import hypot

import msgspec

from ..space import (
    Area,
    BattleMap,
    Deck,
    Obstacle,
    Passage,
    Point,
    Scene,
    Spot,
    Wall,
    Zone,
    map_of,
    with_map,
)
from ..space.barriers import TINY, Edge, barriers_of, find_edges
from ..space.battle_map import DOOR, is_hidden_at
from ..space.decks import DOWN, GALLERY, UP, find_ends, find_known_ends, without_lone_deck
from ..space.grid import Cell, Grid
from ..space.plane import keep_parts, piece_of
from ..space.rays.fog import (
    Rows,
    Window,
    find_bounds,
    find_strips,
    find_visible,
    find_within,
    holds,
    make_window,
    read_cells,
    unite,
    without_areas,
    write_cells,
)
from ..space.rays.sight import Body, find_through, sees
from ..state.state import Combatant, State, is_played, present, replace
from .bodies import body_of, is_concealed, meters_of

MAX_PARTS = 40_000  # of walls and obstacles checked for one viewer
BESIDE = (0.5, -0.5, 0.75, -0.75)  # cells from a wall to checked places; 0.75 is more than half a diagonal
WITHIN = 0.01  # share of a path: a spot just beside its start
IsOut = Callable[[Combatant], bool]


class Eyes(msgspec.Struct, frozen=True):
    """How a game sees its maps: the cells, and which combatants can no longer look."""

    grid: Grid
    is_out: IsOut


class Known(msgspec.Struct, frozen=True):
    """Known cells of a map: those seen now, and all that are known."""

    window: Window
    seen: Rows
    known: Rows

    def knows(self, x: float, y: float) -> bool:
        """Whether a spot of the plane is known."""
        return holds(self.window, self.known, self.window.find_cell((x, y)))


def keeps_secrets(scene: Scene) -> bool:
    """Whether players know only what their side sees."""
    return map_of(scene).fog


def find_player_sides(state: State) -> tuple[str, ...]:
    """The sides with someone whom a person plays, sorted."""
    return tuple(sorted({combatant.side for combatant in present(state) if is_played(state, combatant)}))


def find_eyes(state: State, side: str, eyes: Eyes) -> list[Combatant]:
    """The combatants of a side who can still look."""
    return [f for f in present(state) if f.side == side and not eyes.is_out(f)]


class Observer(msgspec.Struct, frozen=True):
    """The viewpoints of a side: the bodies of those who can look, each place once."""

    side: str
    bodies: tuple[Body, ...]


def make_observers(state: State, eyes: Eyes, sides: Iterable[str]) -> tuple[Observer, ...]:
    """The viewpoints of each of these sides."""
    return tuple(
        Observer(
            side, tuple({(f.at, meters_of(f)): body_of(f) for f in find_eyes(state, side, eyes)}.values())
        )
        for side in sides
    )


def is_seen(state: State, eyes: Eyes, observer: Observer, combatant: Combatant) -> bool:
    """Whether a side sees a combatant: always its own, others in line of sight, none in a hidden area."""
    if combatant.side == observer.side:
        return True
    battle_map = map_of(state.scene)
    if is_hidden_at(battle_map.hidden, *eyes.grid.plot(combatant.at)):
        return False
    return not battle_map.fog or _looks_at(battle_map, eyes, observer, body_of(combatant))


def is_spot_seen(state: State, eyes: Eyes, observer: Observer, at: Point) -> bool:
    """Whether a side has a line of sight to someone who would stand at a place."""
    return _looks_at(map_of(state.scene), eyes, observer, Body(at))


def _looks_at(battle_map: BattleMap, eyes: Eyes, observer: Observer, body: Body) -> bool:
    return any(sees(battle_map, eyes.grid, eye, body) for eye in observer.bodies)


# ---------------------------------------------------------------- who may know of a combatant


def find_unknown(
    state: State, eyes: Eyes, sides: Iterable[str], among: frozenset[str] | None = None
) -> frozenset[str]:
    """The combatants (of `among`) that some of these sides do not know of, including those who left.

    In fog, without any sides nobody is known.
    """
    people = [f for f in state.combatants.values() if among is None or f.id in among]
    concealed = frozenset(f.id for f in people if is_concealed(state, f, eyes.grid.hexes))
    if not keeps_secrets(state.scene):
        return concealed
    looking = make_observers(state, eyes, sides)
    return concealed.union(
        f.id
        for f in people
        if not (looking and all(is_seen(state, eyes, observer, f) for observer in looking))
    )


def find_witnesses(state: State, eyes: Eyes, people: Iterable[str]) -> frozenset[str] | None:
    """The combatants whose players may know of all these people; None if everyone may.

    Each may know of themself. In fog, so may those whom people play on the sides that see them.
    """
    asked = [state.combatants[who] for who in people if who in state.combatants]
    looking = _find_looking(state, eyes) if asked and keeps_secrets(state.scene) else None
    found: frozenset[str] | None = None
    for combatant in asked:
        knowing = _find_knowing(state, eyes, looking, combatant)
        if knowing is not None:
            found = knowing if found is None else found & knowing
    return found


def _find_looking(state: State, eyes: Eyes) -> dict[str, Observer]:
    return {observer.side: observer for observer in make_observers(state, eyes, find_player_sides(state))}


def _find_knowing(
    state: State, eyes: Eyes, looking: dict[str, Observer] | None, combatant: Combatant
) -> frozenset[str] | None:
    """The combatants whose players may know of one combatant; `looking` are the sides of players in fog."""
    own = frozenset((combatant.id,))
    if is_concealed(state, combatant, eyes.grid.hexes):
        return own
    if looking is None:
        return None
    seeing = {side for side, observer in looking.items() if is_seen(state, eyes, observer, combatant)}
    if looking and len(seeing) == len(looking):
        return None
    return own.union(f.id for f in present(state) if is_played(state, f) and f.side in seeing)


# ---------------------------------------------------------------- cells


def find_window(state: State, eyes: Eyes) -> Window:
    """The cells around the drawn map and all combatants."""
    spots = [eyes.grid.plot(combatant.at) for combatant in present(state)]
    grid = eyes.grid
    return make_window(map_of(state.scene), state.scene.zones, spots, cell=grid.cell, hexes=grid.hexes)


def look_about(state: State, eyes: Eyes, side: str, window: Window) -> Rows:
    """The cells that a side sees now."""
    battle_map = map_of(state.scene)
    if not battle_map.fog:
        whole = {window.top + n: window.whole for n in range(window.rows)}
        return without_areas(window, whole, battle_map.hidden)
    plan = barriers_of(battle_map)
    looking = [f.at for f in find_eyes(state, side, eyes)]
    here = (find_visible(plan, window, eyes.grid.plot(at)) for at in looking)
    through = (find_through(plan, window, at) for at in looking)
    return without_areas(window, unite((*here, *through)), battle_map.hidden)


def find_known(state: State, eyes: Eyes, sides: Iterable[str]) -> Known:
    """What all of these sides know of the map; nothing without sides."""
    window, battle_map = find_window(state, eyes), map_of(state.scene)
    seen, known = None, None
    for side in sides:
        now = look_about(state, eyes, side, window)
        before = read_cells(window, battle_map.explored.get(side, "")) if battle_map.remembers else {}
        both = without_areas(window, unite((now, before)), battle_map.hidden)
        seen, known = _intersect(seen, now), _intersect(known, both)
    return Known(window, seen or {}, known or {})


def _intersect(one: Rows | None, other: Rows) -> Rows:
    return other if one is None else {y: row & other.get(y, 0) for y, row in one.items()}


def newly_seen(state: State, eyes: Eyes, side: str) -> str:
    """The cells that a side sees for the first time, as a text; empty for none."""
    window = find_window(state, eyes)
    before = read_cells(window, map_of(state.scene).explored.get(side, ""))
    now = look_about(state, eyes, side, window)
    return write_cells(window, {y: row & ~before.get(y, 0) for y, row in now.items()})


# ---------------------------------------------------------------- the known part of the scene


def knows_wall(state: State, eyes: Eyes, wall: Wall) -> bool:
    """Whether every player knows of a wall or a door: it is beside cells that all know, in no hidden area."""
    hidden, middle = map_of(state.scene).hidden, ((wall.x1 + wall.x2) / 2, (wall.y1 + wall.y2) / 2)
    if is_hidden_at(hidden, *middle):
        return False
    if not keeps_secrets(state.scene):
        return True
    known = find_known(state, eyes, find_player_sides(state))
    return bool(_hide_fogged_wall(wall, known, _find_step(map_of(state.scene), known)))


def hide_fogged(scene: Scene, eyes: Eyes, known: Known) -> Scene:
    """The scene without its unknown parts: walls and zones are cut where knowledge ends."""
    drawn = map_of(scene)
    zones = (_hide_fogged_zone(zone, eyes, known) for zone in scene.zones)
    step = _find_step(drawn, known)
    decks = tuple(deck for deck in drawn.decks if find_within(known.window, known.known, deck))
    ways = tuple(way for one in drawn.ways if (way := _hide_fogged_way(one, drawn.decks, known)))
    shown = BattleMap(
        _hide_fogged_walls(drawn.walls, known.window, tuple(known.known.items()), step),
        tuple(thing for thing in drawn.obstacles if _is_known(thing, drawn, known, step)),
        tuple(light for light in drawn.lights if known.knows(light.x, light.y)),
        picture=None,
        grid=drawn.grid,
        cell=drawn.cell,
        hidden=(),
        fog=drawn.fog,
        remembers=drawn.remembers,
        decks=without_lone_deck(decks, ways),
        ways=ways,
    )
    return with_map(replace(scene, zones=tuple(zone for zone in zones if zone)), shown)


def _hide_fogged_way(way: Passage, decks: tuple[Deck, ...], known: Known) -> Passage | None:
    """The known part of a way: whole, blind from the end that is known, or only its opening; None if unknown.

    A blind way tells nothing of its far end: neither where it is nor how far away, only whether it is above.
    """
    ends = find_ends(decks, way)
    if way.blind or ends is None:
        return way if known.knows(*find_known_ends(way)[0]) else None
    low, high = known.knows(way.x1, way.y1), known.knows(way.x2, way.y2)
    if low and high:
        return way
    above, below = _find_known_opening(way, ends, known)
    hole = way.hole if above else None
    if low and way.kind != GALLERY:
        x2, y2 = above or (way.x1, way.y1)
        return replace(way, x2=x2, y2=y2, hole=hole, blind=UP)
    top = (way.x2, way.y2) if high and way.kind != GALLERY else above
    if top is None:
        return None
    x1, y1 = below or top
    kind, name = (way.kind, way.name) if top == (way.x2, way.y2) else (GALLERY, "")
    return replace(way, kind=kind, name=name, x1=x1, y1=y1, x2=top[0], y2=top[1], hole=hole, blind=DOWN)


def _find_known_opening(
    way: Passage, ends: tuple[Deck, Deck], known: Known
) -> tuple[Spot | None, Spot | None]:
    """The middle of an open hole if part of it is known, and the spot under it if that deck is known."""
    if not way.hole or not way.open:
        return None, None
    x, y, width, depth = way.hole
    if not find_within(known.window, known.known, Area("", x, y, width, depth)):
        return None, None
    above = x + width / 2, y + depth / 2
    below = round(above[0] - ends[1].shift + ends[0].shift, 3), above[1]
    return above, below if find_within(known.window, known.known, ends[0]) else None


@lru_cache(maxsize=64)  # 15 ms on a map of 400 walls
def _hide_fogged_walls(
    walls: tuple[Wall, ...], window: Window, rows: tuple[tuple[int, int], ...], step: float
) -> tuple[Wall, ...]:
    """The known pieces of walls, with neutral ids; `rows` are the known cells."""
    known = Known(window, {}, dict(rows))
    pieces = (piece for wall in walls for piece in _hide_fogged_wall(wall, known, step))
    return tuple(name_wall(wall, number) for number, wall in enumerate(pieces, 1))


def name_wall(wall: Wall, number: int) -> Wall:
    """A wall with a neutral id, except for doors: real ids would reveal the number of walls."""
    return wall if wall.kind == DOOR else replace(wall, id=f"wall-{number}")


def _find_step(drawn: BattleMap, known: Known) -> float:
    """The length of a wall piece in meters: half a cell, more on a map with very many walls."""
    total = sum(abs(wall.x2 - wall.x1) + abs(wall.y2 - wall.y1) for wall in drawn.walls)
    total += sum(2 * (thing.width + thing.depth) for thing in drawn.obstacles)
    return max(known.window.cell / 2, total / MAX_PARTS)


def _hide_fogged_wall(wall: Wall, known: Known, step: float) -> list[Wall]:
    """The pieces of a wall with a known cell on either side; a door whole or not at all."""
    shown = _find_shown((wall.x1, wall.y1, wall.x2, wall.y2), known, step)
    if wall.kind == DOOR or all(shown):
        return [wall] if any(shown) else []
    return _cut(wall, shown)


def _find_shown(edge: Edge, known: Known, step: float) -> list[bool]:
    """For each piece of an edge, from its first end, whether a cell beside it is known."""
    window, rows = known.window, known.known
    return [any(holds(window, rows, cell) for cell in cells) for _, cells in _find_beside(edge, known, step)]


def _find_beside(edge: Edge, known: Known, step: float) -> Iterator[tuple[Spot, Iterator[Cell]]]:
    """The middle of each piece of an edge, with the cells beside it whose middle is on the same side.

    If a wall runs through the middle of cells, or across them, these cells may be one cell away.
    """
    x1, y1, x2, y2 = edge
    dx, dy = x2 - x1, y2 - y1
    long, parts = hypot(dx, dy) or 1.0, max(1, round(max(abs(dx), abs(dy)) / step))
    off = -dy / long, dx / long
    for n in range(parts):
        spot = x1 + dx * (n + 0.5) / parts, y1 + dy * (n + 0.5) / parts
        yield spot, _find_cells_beside(spot, off, known.window)


def _find_cells_beside(spot: Spot, off: Spot, window: Window) -> Iterator[Cell]:
    (x, y), (off_x, off_y), cell = spot, off, window.cell
    for by in BESIDE:
        column, row = window.find_cell((x + off_x * by * cell, y + off_y * by * cell))
        if ((column * cell - x) * off_x + (row * cell - y) * off_y) * by >= -TINY:
            yield column, row


def _cut(wall: Wall, shown: list[bool]) -> list[Wall]:
    """The stretches of a wall whose pieces are shown."""
    parts, pieces, start = len(shown), [], None
    dx, dy = (wall.x2 - wall.x1) / parts, (wall.y2 - wall.y1) / parts
    for n, is_shown in enumerate([*shown, False]):
        if is_shown and start is None:
            start = n
        if not is_shown and start is not None:
            x1, y1 = wall.x1 + dx * start, wall.y1 + dy * start
            pieces.append(replace(wall, x1=x1, y1=y1, x2=wall.x1 + dx * n, y2=wall.y1 + dy * n))
            start = None
    return pieces


def _is_known(thing: Obstacle, drawn: BattleMap, known: Known, step: float) -> bool:
    """Whether any part of an obstacle is known; it is shown whole or not at all.

    Nobody sees the inside of an obstacle that blocks sight, so its sides count, unless a wall covers them.
    """
    if known.knows(thing.x + thing.width / 2, thing.y + thing.depth / 2):
        return True
    if find_within(known.window, known.known, thing, TINY):
        return True
    return thing.blocks_sight and any(
        _is_side_known(thing, edge, drawn, known=known, step=step) for edge in find_edges(thing)
    )


def _is_side_known(thing: Obstacle, edge: Edge, drawn: BattleMap, known: Known, step: float) -> bool:
    """Whether a known cell is in front of a side of an obstacle, with no wall between it and the inside."""
    plan, cell = barriers_of(drawn), known.window.cell
    through = plan.dark | {len(drawn.walls) + drawn.obstacles.index(thing)}
    middle = thing.x + thing.width / 2, thing.y + thing.depth / 2
    for spot, cells in _find_beside(edge, known, step):
        within = _go_on(spot, middle)
        for column, row in cells:
            if holds(known.window, known.known, (column, row)):
                there = column * cell, row * cell
                beyond = _go_on(there, (2 * there[0] - within[0], 2 * there[1] - within[1]))
                if not plan.index.cross(within, beyond, through):
                    return True
    return False


def _go_on(spot: Spot, towards: Spot) -> Spot:
    """A place right beside a spot, towards another."""
    return spot[0] + (towards[0] - spot[0]) * WITHIN, spot[1] + (towards[1] - spot[1]) * WITHIN


def _hide_fogged_zone(zone: Zone, eyes: Eyes, known: Known) -> Zone | None:
    """The known part of a zone: the smallest rectangle around its known cells; None if none is known."""
    window, cell = known.window, known.window.cell
    if zone.parts:
        return keep_parts(zone, map(piece_of, find_strips(window, known.known)))
    if eyes.grid.hexes:
        near = Area(zone.id, *eyes.grid.plot(zone.centre), 0.01, 0.01)
        return zone if known.knows(near.x, near.y) else None
    bounds = find_bounds(window, find_within(window, known.known, zone))
    if bounds is None:
        return None
    first, high, last, deep = (number * cell for number in bounds)
    left, top = max(zone.x, first - cell / 2), max(zone.y, high - cell / 2)
    right, low = min(zone.x + zone.width, last + cell / 2), min(zone.y + zone.depth, deep + cell / 2)
    return replace(zone, x=left, y=top, width=right - left, depth=low - top, links={})
