"""Walls and edges of obstacles as barriers, indexed by buckets, and which ones a straight line crosses.

A map may have thousands of walls; a line checks only those in the buckets it passes. The index ignores open
doors, so opening a door needs no new index.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import repeat
from math import ceil, floor, hypot, inf
from operator import itemgetter
from typing import Any, TypeVar

import msgspec

from .battle_map import DOOR, FULL, WALL, BattleMap, Obstacle, Wall
from .decks import RIM_M, Box, Deck, box_of, find_deck, find_upper
from .plane import Spot

TINY = 1e-7  # meters that a line must extend beyond a wall to cross it
MAX_BUCKETS = 128  # along each side of a map
MIN_BUCKET_METERS = 1.0  # meters
MAX_CACHED = 8  # maps with a cached index
MAX_CACHED_LINES = 20_000  # cached results for each of them
NUDGES = (-1e-6, 1e-6)
HULL = "The deck"
T = TypeVar("T")
Bucket = tuple[int, int]

ON_WALL = 0.25  # meters: a door with both ends this near to the line of a wall is in it
LEAN = 0.5  # of a door's length: how far it may lean away from the line of its wall
SAME = 1e-6  # meters: nearer spots are the same place


class Barrier(msgspec.Struct, frozen=True):
    """A wall or an obstacle as a barrier: its name, its effect, and its edges.

    `top` is the height above which someone looks over it; walls have none.
    """

    id: str
    name: str
    cover: str
    blocks_sight: bool
    blocks_way: bool
    edges: tuple[Edge, ...]
    top: float = inf

    @property
    def is_solid(self) -> bool:
        """Whether nobody sees or shoots through it, or over it."""
        return self.blocks_sight and self.cover == FULL and self.top == inf


def barrier_of_wall(wall: Wall, edges: tuple[Edge, ...]) -> Barrier:
    """A wall, shut door, window or fence as a barrier, with the edges that doors leave."""
    name = WALL if wall.secret else wall.name or wall.kind
    return Barrier(
        wall.id, name, wall.cover, blocks_sight=wall.blocks_sight, blocks_way=wall.blocks_way, edges=edges
    )


def barrier_of_obstacle(thing: Obstacle, decks: tuple[Deck, ...] = ()) -> Barrier:
    """The four edges of an obstacle as a barrier; it stands on its deck."""
    edges = find_edges(thing)
    deck = find_deck(decks, thing.x + thing.width / 2, thing.y + thing.depth / 2) if decks else None
    return Barrier(
        thing.id,
        thing.name,
        thing.cover,
        blocks_sight=thing.blocks_sight,
        blocks_way=thing.blocks_way,
        edges=edges,
        top=thing.height + (deck.height if deck else 0.0),
    )


def find_edges(thing: Obstacle) -> tuple[Edge, ...]:
    """The four edges of an obstacle."""
    return edge_box((thing.x, thing.y, thing.width, thing.depth))


def edge_box(box: Box) -> tuple[Edge, ...]:
    """The four edges of a rectangle."""
    x, y, right, low = box[0], box[1], box[0] + box[2], box[1] + box[3]
    return ((x, y, right, y), (right, y, right, low), (right, low, x, low), (x, low, x, y))


def barriers_of_decks(battle_map: BattleMap) -> tuple[Barrier, ...]:
    """The edges of decks, which nothing passes on the plane, then open holes: people walk around those."""
    decks = battle_map.decks
    edges = (
        Barrier(d.id, name=HULL, cover=FULL, blocks_sight=True, blocks_way=True, edges=edge_box(box_of(d)))
        for d in decks
    )
    holes = [(way, way.hole, upper) for way in battle_map.ways if (upper := find_upper(decks, way))]
    return (
        *edges,
        *(
            Barrier(
                way.id,
                name=way.name or way.kind,
                cover="",
                blocks_sight=False,
                blocks_way=True,
                edges=edge_box(hole),
                top=upper.height,
            )
            for way, hole, upper in holes
            if hole and way.open
        ),
    )


class Index:
    """The barriers of one map, by the buckets they touch."""

    def __init__(self, barriers: tuple[Barrier, ...]) -> None:
        self.barriers = barriers
        self.edges = [
            (number, *edge, edge[2] - edge[0], edge[3] - edge[1])
            for number, barrier in enumerate(barriers)
            for edge in barrier.edges
        ]
        xs = [x for edge in self.edges for x in (edge[1], edge[3])] or [0.0]
        ys = [y for edge in self.edges for y in (edge[2], edge[4])] or [0.0]
        span = max(max(xs) - min(xs), max(ys) - min(ys))
        self.size = max(MIN_BUCKET_METERS, span / MAX_BUCKETS)
        self.left, self.top = min(xs), min(ys)
        self.buckets: dict[Bucket, list[int]] = {}
        for place, edge in enumerate(self.edges):
            for bucket in self._find_buckets(*edge[1:5]):
                self.buckets.setdefault(bucket, []).append(place)

    def _find_buckets(self, x1: float, y1: float, x2: float, y2: float) -> set[Bucket]:
        """The buckets of an edge, and those around its ends, where a line may just meet it."""
        ends = ((x + right, y + down) for x, y in ((x1, y1), (x2, y2)) for right in NUDGES for down in NUDGES)
        found = {(floor((x - self.left) / self.size), floor((y - self.top) / self.size)) for x, y in ends}
        return found.union(walk(x1, y1, x2, y2=y2, left=self.left, top=self.top, size=self.size))

    def find_near(self, a: Spot, b: Spot, meters: float = 0.0) -> set[int]:
        """The indexes in `edges` of all edges within some meters of the line from a to b, and a few more."""
        line: Iterable[Bucket] = walk(*a, *b, self.left, self.top, self.size)
        if meters:
            reach = ceil(meters / self.size)
            if (2 * reach + 1) ** 2 > len(self.buckets):
                return set(range(len(self.edges)))
            wide = range(-reach, reach + 1)
            line = {(x + right, y + down) for x, y in line for right in wide for down in wide}
        return set().union(*map(self.buckets.get, line, repeat(())))

    def find_touching(self, spot: Spot) -> list[int]:
        """The numbers of the barriers with an edge exactly at a spot."""
        x, y = spot
        found = []
        for place in self.find_near(spot, spot):
            number, x1, y1, _, _, ex, ey = self.edges[place]
            long = ex * ex + ey * ey
            share = min(1.0, max(0.0, ((x - x1) * ex + (y - y1) * ey) / long))
            if abs(x1 + share * ex - x) <= TINY and abs(y1 + share * ey - y) <= TINY:
                found.append(number)
        return found

    def cross(self, a: Spot, b: Spot, ignored: frozenset[int] = frozenset()) -> list[int]:
        """The numbers of the barriers that the line from a to b crosses, except the `ignored`."""
        return self.cross_each((a,), (b,), ignored, self.find_near(a, b))[0]

    def meet(self, a: Spot, b: Spot) -> set[int]:
        """The numbers of the barriers that the line from a to b crosses, or ends at."""
        return {*self.cross(a, b), *self.find_touching(b)}

    def cross_each(
        self,
        mine: tuple[Spot, ...],
        theirs: tuple[Spot, ...],
        ignored: frozenset[int],
        places: Iterable[int],
        enough: frozenset[int] = frozenset(),
    ) -> list[list[int]]:
        """The same for the lines from each of some spots to each of others, in order.

        A line that only touches a barrier with an end, or runs along it, does not cross it; a line that meets
        the end of a barrier does. The result is symmetric. `places` are the edges to check; the check ends
        once every line has crossed one of those that are `enough`.
        """
        rays = [(a, b, b[0] - a[0], b[1] - a[1]) for a in mine for b in theirs]
        found: list[list[int]] = [[] for _ in rays]
        left = set(range(len(rays)))
        for place in places:
            number, x1, y1, x2, y2, ex, ey = self.edges[place]
            if number in ignored:
                continue
            tiny = TINY * (abs(ex) + abs(ey))
            ours = [ex * (y - y1) - ey * (x - x1) for x, y in mine]
            others = [ex * (y - y1) - ey * (x - x1) for x, y in theirs]
            low, high = min(*ours, *others), max(*ours, *others)
            if low >= -tiny or high <= tiny:
                continue
            sides = [(one, other) for one in ours for other in others]
            for ray, (one, other) in enumerate(sides):
                if not ((one > tiny and other < -tiny) or (one < -tiny and other > tiny)):
                    continue
                (ax, ay), _, dx, dy = rays[ray]
                slack = TINY * (abs(dx) + abs(dy))
                first, last = dx * (y1 - ay) - dy * (x1 - ax), dx * (y2 - ay) - dy * (x2 - ax)
                if (first <= slack and last >= -slack) or (first >= -slack and last <= slack):
                    found[ray].append(number)
                    if number in enough:
                        left.discard(ray)
                        if not left:
                            return found
        return found


def find_nearest(edge: Edge, spot: Spot) -> Spot:
    """The point on a straight edge that is nearest to a spot."""
    x1, y1, x2, y2 = edge
    dx, dy = x2 - x1, y2 - y1
    share = ((spot[0] - x1) * dx + (spot[1] - y1) * dy) / (dx * dx + dy * dy or 1.0)
    share = min(1.0, max(0.0, share))
    return x1 + share * dx, y1 + share * dy


def walk(x1: float, y1: float, x2: float, y2: float, left: float, top: float, size: float) -> list[Bucket]:
    """The buckets that a straight line passes, in order (Amanatides and Woo)."""
    ax, ay, bx, by = (x1 - left) / size, (y1 - top) / size, (x2 - left) / size, (y2 - top) / size
    x, y, last_x, last_y = floor(ax), floor(ay), floor(bx), floor(by)
    passed = [(x, y)]
    dx, dy = bx - ax, by - ay
    step_x, step_y = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    each_x, each_y = (abs(1 / dx) if dx else inf), (abs(1 / dy) if dy else inf)
    next_x = ((x + 1 - ax) if dx > 0 else (ax - x)) * each_x if dx else inf
    next_y = ((y + 1 - ay) if dy > 0 else (ay - y)) * each_y if dy else inf
    for _ in range(abs(last_x - x) + abs(last_y - y)):
        if next_x < next_y:
            x += step_x
            next_x += each_x
        else:
            y += step_y
            next_y += each_y
        passed.append((x, y))
    return passed


def _find_inside(edges: tuple[Edge, ...]) -> Box:
    """The two corners of a hole within which people fall: all but its rim."""
    (left, top, right, _), (_, _, _, low) = edges[0], edges[1]
    return left + RIM_M, top + RIM_M, right - RIM_M, low - RIM_M


class Barriers:
    """The barriers of a map now: its index, and the numbers of absent ones.

    `absent` are open doors, `dark` adds what sight passes, `free` what movement passes; `solid` are walls
    that nothing passes, `hulls` edges of decks, `pits` open holes in decks, which stop only those who walk;
    `holes` has the inside of each.
    The plan caches which barriers lines crossed.
    """

    def __init__(self, battle_map: BattleMap, index: Index) -> None:
        self.battle_map = battle_map
        self.index = index
        numbered = list(enumerate(index.barriers))
        self.absent = frozenset(n for n, wall in enumerate(battle_map.walls) if wall.open)
        self.dark = self.absent | {n for n, barrier in numbered if not barrier.blocks_sight}
        self.solid = frozenset(n for n, barrier in numbered if barrier.is_solid)
        self.free = self.absent | {n for n, barrier in numbered if not barrier.blocks_way}
        hull = len(battle_map.walls) + len(battle_map.obstacles)
        self.hulls = range(hull, hull + len(battle_map.decks))
        self.pits = frozenset(range(self.hulls.stop, len(index.barriers)))
        insides = ((pit, _find_inside(index.barriers[pit].edges)) for pit in sorted(self.pits))
        self.holes = tuple((pit, box) for pit, box in insides if box[0] <= box[2] and box[1] <= box[3])
        self.has_secrets = any(wall.secret for wall in battle_map.walls)
        self.kept: dict[Any, Any] = {}

    def find_under(self, spot: Spot) -> list[int]:
        """The numbers of the obstacles and walls at a spot."""
        x, y = spot
        first = len(self.battle_map.walls)
        on = [
            first + place
            for place, thing in enumerate(self.battle_map.obstacles)
            if 0 <= x - thing.x <= thing.width and 0 <= y - thing.y <= thing.depth
        ]
        return [*on, *(number for number in self.index.find_touching(spot) if number < first)]

    def find_hulls(self, spot: Spot) -> list[int]:
        """The numbers of the decks whose edge runs through a spot."""
        return [number for number in self.index.find_touching(spot) if number in self.hulls]

    def find_hosts(self) -> dict[str, Wall]:
        """The wall that contains each door, by door id."""
        found: dict[str, Wall] | None = self.kept.get(find_hosts)
        return found if found is not None else self.keep(find_hosts, find_hosts(self.battle_map.walls))

    def keep(self, key: Any, thing: T) -> T:
        """Cache a result, and return it."""
        if len(self.kept) >= MAX_CACHED_LINES:
            self.kept.clear()
        self.kept[key] = thing
        return thing


_PLANS: list[Barriers] = []  # the newest last; replaced as a whole, since several threads read it


def barriers_of(battle_map: BattleMap) -> Barriers:
    """The barriers of a map, cached for equal maps and for maps that differ only in open doors."""
    for plan in reversed(_PLANS):
        if plan.battle_map is battle_map:
            return plan
    walls, things = battle_map.walls, battle_map.obstacles
    alike = (
        p
        for p in reversed(_PLANS)
        if p.battle_map.walls == walls
        and p.battle_map.obstacles == things
        and p.battle_map.decks == battle_map.decks
        and p.battle_map.ways == battle_map.ways
    )
    plan = next(alike, None) or _make_plan(battle_map)
    return _remember(plan, battle_map)


def _make_plan(battle_map: BattleMap) -> Barriers:
    walls = map(barrier_of_wall, battle_map.walls, cut_walls(battle_map.walls))
    things = (barrier_of_obstacle(thing, battle_map.decks) for thing in battle_map.obstacles)
    barriers = (*walls, *things, *(barriers_of_decks(battle_map) if battle_map.decks else ()))
    same = (plan.index for plan in _PLANS if plan.index.barriers == barriers)
    return Barriers(battle_map, next(same, None) or Index(barriers))


def _remember(plan: Barriers, battle_map: BattleMap) -> Barriers:
    """Put a plan first in the cache, under this very map."""
    plan.battle_map = battle_map
    _PLANS[:] = [*(other for other in _PLANS if other is not plan), plan][-MAX_CACHED:]
    return plan


# Doors in walls: a door drawn on a wall, a window or a fence cuts it, so an open door is a gap. The stored
# wall stays whole; moving or deleting the door closes the gap.


Edge = tuple[float, float, float, float]
Gap = tuple[float, float, Spot | None, Spot | None]  # meters along a wall, and the ends of the door there


def cut_walls(walls: Sequence[Wall]) -> list[tuple[Edge, ...]]:
    """The edges of each wall without its doors, with jambs to doors beside its line."""
    edges = ((wall.x1, wall.y1, wall.x2, wall.y2) for wall in walls)
    return [
        _leave(edge, sorted((gap for _, gap in found), key=itemgetter(0, 1))) if found else (edge,)
        for edge, found in zip(edges, find_gaps(walls), strict=True)
    ]


def find_hosts(walls: Sequence[Wall]) -> dict[str, Wall]:
    """The wall that contains each door, by door id; a door that fills a gap has none."""
    return {
        door.id: wall
        for wall, found in zip(walls, find_gaps(walls), strict=True)
        for door, gap in found
        if gap[2] and gap[3]
    }


def find_gaps(walls: Sequence[Wall]) -> list[list[tuple[Wall, Gap]]]:
    """The doors in each wall and the gaps they make; empty for doors themselves."""
    doors = [wall for wall in walls if wall.kind == DOOR]
    rows = (_Row(doors, 0), _Row(doors, 1)) if doors else ()
    return [_find_doors_in(wall, rows) if rows and wall.kind != DOOR else [] for wall in walls]


def _find_doors_in(wall: Wall, rows: tuple[_Row, ...]) -> list[tuple[Wall, Gap]]:
    near = min((row.find(wall) for row in rows), key=len)
    return [(door, gap) for door in near if (gap := find_gap(wall, door))]


class _Row:
    """The doors of a map by their middles, from left to right or from the top down."""

    def __init__(self, doors: list[Wall], axis: int) -> None:
        self.axis = axis
        middles = [((door.x1 + door.x2) / 2, (door.y1 + door.y2) / 2)[axis] for door in doors]
        pairs = sorted(zip(middles, doors, strict=True), key=itemgetter(0))
        self.places, self.doors = [place for place, _ in pairs], [door for _, door in pairs]

    def find(self, wall: Wall) -> list[Wall]:
        """The doors that may be in a wall."""
        low, high = sorted((wall.x1, wall.x2) if self.axis == 0 else (wall.y1, wall.y2))
        return self.doors[bisect_left(self.places, low - ON_WALL) : bisect_right(self.places, high + ON_WALL)]


def find_gap(wall: Wall, door: Wall) -> Gap | None:
    """The gap of a door in a wall; None if the door is not in it. An end beyond the wall's is None."""
    across, down = wall.x2 - wall.x1, wall.y2 - wall.y1
    long, wide = hypot(across, down), hypot(door.x2 - door.x1, door.y2 - door.y1)
    if long < SAME or wide < SAME:
        return None
    right, low = across / long, down / long
    ends = []
    for x, y in ((door.x1, door.y1), (door.x2, door.y2)):
        off = (x - wall.x1) * low - (y - wall.y1) * right
        if abs(off) > ON_WALL:
            return None
        ends.append(((x - wall.x1) * right + (y - wall.y1) * low, off, (x, y)))
    (start, off, one), (end, other_off, other) = sorted(ends)
    if not 0 <= (start + end) / 2 <= long or abs(off - other_off) > LEAN * wide:
        return None
    return (
        max(start, 0.0),
        min(end, long),
        one if start >= -SAME else None,
        other if end <= long + SAME else None,
    )


def _leave(edge: Edge, gaps: list[Gap]) -> tuple[Edge, ...]:
    """The rest of an edge between gaps, which are in order, with jambs to doors beside its line."""
    x1, y1, x2, y2 = edge
    long = hypot(x2 - x1, y2 - y1)

    def place(at: float) -> Spot:
        return x1 + (x2 - x1) * at / long, y1 + (y2 - y1) * at / long

    kept: list[Edge] = []
    at, jamb = 0.0, None
    for start, end, one, other in gaps:
        if start > at + SAME:
            kept += [*_join(place(at), jamb), (*place(at), *place(start)), *_join(place(start), one)]
        if end >= at:
            at, jamb = end, other
    if at < long - SAME:
        kept += [*_join(place(at), jamb), (*place(at), x2, y2)]
    return tuple(kept)


def _join(spot: Spot, jamb: Spot | None) -> tuple[Edge, ...]:
    """The short wall from a gap to the end of its door, if the door is beside the line."""
    if jamb is None or hypot(spot[0] - jamb[0], spot[1] - jamb[1]) < SAME:
        return ()
    return ((*spot, *jamb),)
