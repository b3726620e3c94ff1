"""Straight lines over a battle map and between decks: sight, cover, and the reach of hands.

A line runs from each corner of one body to each corner of the other: 16 between squares, 36 between hexes.
A body has no corner beyond a wall that it stands at: fewer lines run to it.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left
from collections.abc import Callable, Iterator
from operator import attrgetter

import msgspec

from ...basics.errors import Refused
from ...basics.modifiers import Modifier, Modifiers
from ...basics.words import Label, say
from ..barriers import HULL, Barrier, Barriers, Edge, barriers_of
from ..battle_map import DOOR, FENCE, FULL, KINDS, WALL, WINDOW, BattleMap
from ..decks import Deck, box_of, find_deck, find_ends, find_hole, fit_height, is_within
from ..grid import Grid
from ..plane import (
    EPSILON,
    Piece,
    Point,
    Scene,
    Spot,
    find_across,
    find_share,
    map_of,
    plan_distance,
    towards,
)
from .fog import Rows, Window, find_cells, find_within

FLOOR = Barrier("", HULL, FULL, blocks_sight=True, blocks_way=True, edges=())
TOUCH = 0.06  # meters: an obstacle nearer than this to someone's own cell touches it
Box = tuple[float, float, float, float]

POINT_COVERS = (("minus_1", "−1 to attacks"), ("minus_2", "−2 to attacks"), ("minus_3", "−3 to attacks"))
# The name of a barrier without its own
BARRIERS = {WALL: "words.wall", DOOR: "words.a_door", WINDOW: "words.window", FENCE: "words.fence"}
EYES_M = 1.5  # meters above the ground: the height of eyes and muzzles
NUDGE_M = 1e-3  # meters that a line goes on past the side of a deck, to cross a wall that stands there


class Body(msgspec.Struct, frozen=True):
    """A combatant on the map: their place, and their size in meters; 0: one cell."""

    at: Point
    meters: float = 0.0


class Lines(msgspec.Struct, frozen=True):
    """The lines between two bodies, with the barriers that each one crosses."""

    rays: tuple[tuple[Barrier, ...], ...]

    @property
    def total(self) -> int:
        """The number of lines."""
        return len(self.rays)

    @property
    def blind(self) -> int:
        """The number of lines without sight."""
        return self.count(attrgetter("blocks_sight"))

    @property
    def are_seen(self) -> bool:
        """Whether the two see each other along at least one line."""
        return self is NO_LINES or self.blind < self.total

    def count(self, counts: Callable[[Barrier], bool]) -> int:
        """The number of lines that cross a barrier of some kind."""
        return sum(any(map(counts, ray)) for ray in self.rays)

    def name(self, counts: Callable[[Barrier], bool]) -> str:
        """The barrier of some kind that most lines cross; empty for none."""
        names = [barrier.name for ray in self.rays for barrier in ray if counts(barrier)]
        return max(names, key=lambda name: (names.count(name), name), default="")


class Rung(msgspec.Struct, frozen=True):
    """A row of a game's table of cover: its key, and the share of lines it needs.

    With `whole` it needs at least that share, else more than that.
    """

    key: str
    share: float
    whole: bool = False

    def is_reached(self, count: int, total: int) -> bool:
        """Whether `count` of all lines are enough."""
        return count >= self.share * total if self.whole else count > self.share * total


class Grade(msgspec.Struct, frozen=True):
    """Someone's cover: a row of the game's table, and the lines behind it."""

    key: str = ""
    count: int = 0
    total: int = 0
    name: str = ""


NO_LINES = Lines(((),))

# ---- Games without a table of cover: the GM gives obstacles points ----

_POINT_LADDER = tuple(Rung(key, 0.5, whole=True) for key, _ in POINT_COVERS)
NO_COVER = Grade()


def grade(lines: Lines, ladder: tuple[Rung, ...], rank: Callable[[str], int]) -> Grade:
    """The best row of a table of cover, from least to most, that has enough lines.

    `rank` is the place of a barrier's own cover in the table, −1 for none: a barrier of half cover never
    gives more, however many lines cross it.
    """
    if not any(lines.rays):
        return NO_COVER
    for place in reversed(range(len(ladder))):

        def counts(barrier: Barrier, least: int = place) -> bool:
            return rank(barrier.cover) >= least

        count = lines.count(counts)
        if count and ladder[place].is_reached(count, lines.total):
            return Grade(ladder[place].key, count, lines.total, lines.name(counts))
    return NO_COVER


def ranked(keys: tuple[str, ...]) -> Callable[[str], int]:
    """The rank of each of these keys; full cover has the last."""
    places = {key: place for place, key in enumerate(keys)} | {FULL: len(keys) - 1}
    return lambda key: places.get(key, -1)


def is_open(scene: Scene) -> bool:
    """Whether the map has no barriers at all."""
    battle_map = map_of(scene)
    return not (battle_map.walls or battle_map.obstacles or battle_map.decks)


def draw_lines(battle_map: BattleMap, grid: Grid, one: Body, other: Body) -> Lines:
    """The barriers between two bodies, as each line from corner to corner crosses them.

    Low barriers do not count: an obstacle no higher than the ground under the higher body, and one that
    touches the attacker without blocking sight, unless it touches the target too.
    """
    if not battle_map.walls and not battle_map.obstacles and not battle_map.decks:
        return NO_LINES
    plan = barriers_of(battle_map)
    key = (grid, one, other)
    found = plan.kept.get(key)
    return found if found is not None else plan.keep(key, _draw(plan, grid, one, other))


def find_corners(plan: Barriers, grid: Grid, body: Body) -> tuple[Spot, ...]:
    """The corners of a body that no barrier cuts off from its middle; only its middle if there are none.

    What is under its middle cuts off nothing, nor does what is no higher than its ground.
    """
    key = ("corners", grid, body)
    found = plan.kept.get(key)
    return found if found is not None else plan.keep(key, _cut_off(plan, grid, body))


def _cut_off(plan: Barriers, grid: Grid, body: Body) -> tuple[Spot, ...]:
    middle, corners = grid.plot(body.at), grid.find_corners(body.at, body.meters)
    if not plan.index.find_near(middle, middle, math.dist(middle, corners[0])):
        return corners
    low = (n for n, barrier in enumerate(plan.index.barriers) if barrier.top <= body.at.z)
    passed = plan.absent.union(plan.find_under(middle), low)
    free = (corner for corner in corners if passed.issuperset(plan.index.meet(middle, corner)))
    return tuple(free) or (middle,)


def _draw(plan: Barriers, grid: Grid, one: Body, other: Body) -> Lines:
    if one.at.shift != other.at.shift:
        return _draw_through(plan, grid, one, other)
    mine, theirs = find_corners(plan, grid, one), find_corners(plan, grid, other)
    a, b = grid.plot(one.at), grid.plot(other.at)
    wide = max(math.dist(middle, corner) for middle, body in ((a, mine), (b, theirs)) for corner in body)
    near = plan.index.find_near(a, b, wide)
    if not near:
        return Lines(((),) * (len(mine) * len(theirs)))
    rays = plan.index.cross_each(mine, theirs, plan.absent, places=sorted(near), enough=plan.solid)
    met = {number for ray in rays for number in ray}
    height = max(one.at.z, other.at.z)
    barriers = plan.index.barriers
    here, there = (_box(grid.find_corners(body.at, body.meters)) for body in (one, other))
    passed = {n for n in met if barriers[n].top <= height or _is_leant_over(barriers[n], here, there)}
    return Lines(tuple(tuple(barriers[n] for n in sorted(set(ray) - passed)) for ray in rays))


def _draw_through(plan: Barriers, grid: Grid, one: Body, other: Body) -> Lines:
    """The barriers between two bodies on decks above each other: lines pass only through open holes."""
    low, high = sorted((one, other), key=lambda body: _find_floor(plan, body.at))
    barriers = plan.index.barriers
    rays = []
    for below in find_corners(plan, grid, low):
        for above in find_corners(plan, grid, high):
            met = cross_decks(plan, low.at, high.at, (below, above), plan.absent | plan.pits)
            passed = (barriers[n] for n in sorted(met or ()) if barriers[n].top > high.at.z)
            rays.append((FLOOR,) if met is None else tuple(passed))
    return Lines(tuple(rays))


def _find_floor(plan: Barriers, at: Point) -> float:
    """The height of the deck of a place; beside all decks its own."""
    deck = find_deck(plan.battle_map.decks, at.x, at.y)
    return deck.height if deck else at.z


def _is_leant_over(barrier: Barrier, here: Box, there: Box) -> bool:
    """Whether the attacker stands right at it, and the target does not."""
    return not barrier.blocks_sight and _touches(barrier, here) and not _touches(barrier, there)


def _box(corners: tuple[Spot, ...]) -> Box:
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs) - TOUCH, min(ys) - TOUCH, max(xs) + TOUCH, max(ys) + TOUCH


def _touches(barrier: Barrier, box: Box) -> bool:
    return any(meets(edge, box) for edge in barrier.edges)


def meets(edge: Edge, box: Box) -> bool:
    """Whether a straight edge has a part inside a box or on its border."""
    low, high = 0.0, 1.0
    for start, end, least, most in ((edge[0], edge[2], box[0], box[2]), (edge[1], edge[3], box[1], box[3])):
        step = end - start
        if abs(step) < 1e-12:
            if not least <= start <= most:
                return False
            continue
        first, last = sorted(((least - start) / step, (most - start) / step))
        low, high = max(low, first), min(high, last)
    return low <= high


def sees(battle_map: BattleMap, grid: Grid, one: Body, other: Body) -> bool:
    """Whether one body sees another along at least one line. It is symmetric."""
    if not battle_map.walls and not battle_map.obstacles and not battle_map.decks:
        return True
    plan = barriers_of(battle_map)
    key = ("sees", grid, one, other)
    found = plan.kept.get(key)
    return found if found is not None else plan.keep(key, _draw(plan, grid, one, other).are_seen)


class Sighting(msgspec.Struct, frozen=True):
    """One combatant's view of another on a map: whether they see them, and the cover.

    `cover` is the game's own key, `label` its words with the lines behind it; both are empty for none.
    """

    seen: bool = True
    cover: str = ""
    label: Label = ""
    rule: str = ""
    grade: Grade = NO_COVER


def say_lines(cover: Label, found: Grade) -> Label:
    """The words of a cover with its reason: the number of lines and the barrier."""
    what = say(BARRIERS[found.name]) if found.name in BARRIERS else found.name
    return say("term.behind", cover=cover, n=found.count, of=found.total, what=what)


def describe_between(lines: Lines, one: str, other: str) -> str:
    """The barrier between two who do not see each other, by their names."""
    name = lines.name(lambda barrier: barrier.blocks_sight)
    wall = f"A {name.lower()}" if name in KINDS else name or "Something"
    return f"{wall} stands between {one} and {other}"


def check_lines(lines: Lines, one: str, other: str) -> None:
    """Raise Refused("bad_target") if two, by their names, do not see each other."""
    if not lines.are_seen:
        raise Refused("bad_target", f"{describe_between(lines, one, other)}: move to see them.")


_POINT_PLACES = {rung.key: place for place, rung in enumerate(_POINT_LADDER)}


def find_points(lines: Lines) -> tuple[int, Grade]:
    """The points of obstacles against an attack: those the GM gave them, if half of the lines cross them."""
    if lines is NO_LINES:
        return 0, NO_COVER
    found = grade(lines, _POINT_LADDER, lambda key: _POINT_PLACES.get(key, -1))
    return (_POINT_PLACES[found.key] + 1 if found.key else 0), found


def point_terms(lines: Lines, rule: str) -> Modifiers:
    """The points of obstacles against an attack, by a game's rule: one term, or none."""
    points, found = find_points(lines)
    return (Modifier(say_lines("term.obstacle", found), -points, rule),) if points else ()


def sight_by_points(lines: Lines, rule: str) -> Sighting:
    """One combatant's view of another on a map with such obstacles."""
    _, found = find_points(lines)
    if not found.key:
        return Sighting(lines.are_seen, grade=found)
    return Sighting(lines.are_seen, found.key, say_lines("term.obstacle", found), rule=rule, grade=found)


# Lines from deck to deck: they pass a floor only through an open hole in it, from eye to eye.


Line = tuple[Spot, Spot]


def cross_decks(
    plan: Barriers, low: Point, high: Point, ends: tuple[Spot, Spot], ignored: frozenset[int]
) -> set[int] | None:
    """The barriers by number on a line from deck to deck, without the `ignored`; None if a floor stops it.

    The line runs from eye to eye, between two `ends` near the places of a lower and a higher person. It needs
    an open hole in the upper deck, and one in each deck between whose floor it crosses.
    """
    decks = plan.battle_map.decks
    lower, upper = find_deck(decks, low.x, low.y), find_deck(decks, high.x, high.y)
    if lower is None or upper is None or upper.height <= lower.height:
        return None
    between = [deck for deck in decks if lower.height < deck.height < upper.height]
    line = (ends[0][0] - lower.shift, ends[0][1]), (ends[1][0] - upper.shift, ends[1][1])
    stand = fit_height(decks, lower, low.z), fit_height(decks, upper, high.z)
    shares = {deck.id: _find_share(deck.height, *stand) for deck in (*between, upper)}
    if not 0 < shares[upper.id] < 1 or _is_stopped(plan, upper, line, shares[upper.id], is_whole=True):
        return None
    shares = {name: min(1.0, max(0.0, share)) for name, share in shares.items()}
    if any(_is_stopped(plan, deck, line, shares[deck.id]) for deck in between):
        return None
    open_sides = ignored.union(n for n, deck in zip(plan.hulls, decks, strict=True) if deck in between)
    parts = _find_parts(lower, upper, between, line, shares)
    return {n for part in parts for n in plan.index.cross(*part, open_sides)}


def _find_share(height: float, start: float, end: float) -> float:
    """The share of a line from eye to eye at which it has a height, in meters as those on which the two
    stand; 0 if it is level."""
    rise = end - start
    return (height - start - EYES_M) / rise if abs(rise) > EPSILON else 0.0


def _is_stopped(plan: Barriers, deck: Deck, line: Line, share: float, is_whole: bool = False) -> bool:
    """Whether a line meets a deck's floor at a share of its length, and no open hole there.

    A deck `is_whole` if nothing passes beside it, either.
    """
    x, y = _find_spot(line, share)
    is_floor = is_whole or is_within(box_of(deck), x + deck.shift, y)
    return is_floor and not find_hole(plan.battle_map.ways, x + deck.shift, y)


def _find_parts(
    lower: Deck, upper: Deck, between: list[Deck], line: Line, shares: dict[str, float]
) -> list[Line]:
    """The parts of a line on the plane, each where the deck under it is drawn."""
    through = shares[upper.id]
    over = [(deck, *_find_stay(deck, line, (shares[deck.id], through))) for deck in between]
    over = [(deck, first, last) for deck, first, last in over if first < last]
    cuts = sorted({0.0, through, *(share for _, *stay in over for share in stay)})
    parts = [_put(upper, line, through, 1.0)]
    for first, last in itertools.pairwise(cuts):
        under = [deck for deck, start, end in over if start <= first and last <= end]
        deck = max(under, key=lambda deck: deck.height, default=lower)
        parts.append(_put(deck, line, first, last, NUDGE_M if under else 0.0))
    return parts


def _find_stay(deck: Deck, line: Line, shares: tuple[float, float]) -> tuple[float, float]:
    """The part of a line above a deck, of that between two shares of its length."""
    piece = Piece(deck.x - deck.shift, deck.y, deck.width, deck.depth)
    first, last = find_share(piece, *(Point(*spot) for spot in line))
    return max(first, shares[0]), min(last, shares[1])


def _find_spot(line: Line, share: float) -> Spot:
    (x, y), (u, v) = line
    return x + (u - x) * share, y + (v - y) * share


def _put(deck: Deck, line: Line, first: float, last: float, nudge: float = 0.0) -> Line:
    """A part of a line where a deck is drawn, some meters longer at both ends."""
    more = nudge / max(NUDGE_M, math.dist(*line))
    (x, y), (u, v) = _find_spot(line, first - more), _find_spot(line, last + more)
    return (x + deck.shift, y), (u + deck.shift, v)


# The cells of other decks that someone sees through open holes, as lines from eye to eye pass them. A cell
# lies at the height of its deck, and is seen if someone who stands in its middle would be.


def find_through(plan: Barriers, window: Window, eye: Point) -> Rows:
    """The cells on other decks visible from a place, row by row."""
    if not plan.pits:
        return {}
    key = ("through", window, eye)
    found = plan.kept.get(key)
    return found if found is not None else plan.keep(key, _look_through(plan, window, eye))


def _look_through(plan: Barriers, window: Window, eye: Point) -> Rows:
    decks, found = plan.battle_map.decks, dict[int, int]()
    own = find_deck(decks, eye.x, eye.y)
    others = [deck for deck in decks if own and deck.height != own.height]
    whole = {window.top + n: window.whole for n in range(window.rows)}
    for deck in others:
        for piece in _find_pieces(plan, max(own or deck, deck, key=attrgetter("height")), deck, eye=eye):
            for column, row in find_cells(window, find_within(window, whole, piece)):
                if _is_seen(plan, eye, deck, (column * window.cell, row * window.cell)):
                    found[row] = found.get(row, 0) | 1 << column - window.left
    return found


def _find_pieces(plan: Barriers, upper: Deck, deck: Deck, eye: Point) -> Iterator[Piece]:
    """The parts of a deck behind open holes in the upper one of two decks, as if no wall stood there."""
    decks = plan.battle_map.decks
    stands = fit_height(decks, find_deck(decks, eye.x, eye.y), eye.z)
    share = _find_share(upper.height, stands, deck.height)  # of the line from the eye, at the floor
    holes = [way for way in plan.battle_map.ways if way.hole and way.open] if 0 < share < 1 else []
    for way in holes:
        ends = find_ends(plan.battle_map.decks, way)
        if way.hole and ends and ends[1] == upper:
            x, y, width, depth = way.hole
            at = eye.x - (eye.shift or 0.0)
            left, top = at + (x - upper.shift - at) / share + deck.shift, eye.y + (y - eye.y) / share
            right, low = left + width / share, top + depth / share
            left, top = max(left, deck.x), max(top, deck.y)
            width, depth = min(right, deck.x + deck.width) - left, min(low, deck.y + deck.depth) - top
            if width > 0 and depth > 0:
                yield Piece(left, top, width, depth)


def _is_seen(plan: Barriers, eye: Point, deck: Deck, spot: Spot) -> bool:
    """Whether a line from eye to eye reaches someone in the middle of a cell of another deck."""
    there = Point(*spot, deck.height, deck.shift)
    low, high = sorted((eye, there), key=lambda at: _find_floor(plan, at))
    met = cross_decks(plan, low, high, ((low.x, low.y), (high.x, high.y)), plan.dark)
    return met is not None and all(plan.index.barriers[n].top <= high.z for n in met)


# Barriers to hands and missiles: walls, shut doors and full cover. Every game uses this for each action by
# hand: blows, holds, first aid, drugs, picking items up. The game sets the reach of a hand; this module
# checks the barriers for all of them.


def find_bar(battle_map: BattleMap, grid: Grid, one: Body, other: Body) -> Barrier | None:
    """The barrier that every line from corner to corner crosses, so no hand gets past; None without one.

    Walls, windows, fences and shut doors stop hands. So does an obstacle that gives full cover and rises
    above the ground under both people.
    """
    if not battle_map.walls and not battle_map.obstacles and not battle_map.decks:
        return None
    plan = barriers_of(battle_map)
    key = ("hand", grid, one, other)
    if key in plan.kept:
        found: Barrier | None = plan.kept[key]
        return found
    return plan.keep(key, _find_bar(battle_map, grid, one, other))


def _find_bar(battle_map: BattleMap, grid: Grid, one: Body, other: Body) -> Barrier | None:
    plan, height = barriers_of(battle_map), max(one.at.z, other.at.z)
    mine, theirs = find_corners(plan, grid, one), find_corners(plan, grid, other)
    a, b = grid.plot(one.at), grid.plot(other.at)
    wide = max(math.dist(middle, corner) for middle, body in ((a, mine), (b, theirs)) for corner in body)
    barriers = plan.index.barriers
    near = sorted(plan.index.find_near(a, b, wide))
    numbers = {plan.index.edges[place][0] for place in near}
    passed = frozenset(number for number in numbers if not _stops_hands(barriers[number], height))
    rays = plan.index.cross_each(mine, theirs, plan.absent | passed, near)
    return barriers[rays[0][0]] if all(rays) else None


def _stops_hands(barrier: Barrier, height: float) -> bool:
    """Whether it stops all hands through and over it; the higher person stands at `height` meters."""
    if barrier.top == math.inf:
        return barrier.blocks_way or barrier.cover == FULL
    return barrier.cover == FULL and barrier.top > height


def check_hand(battle_map: BattleMap, grid: Grid, one: Body, other: Body, names: tuple[str, str]) -> None:
    """Refuse an action by hand between two named people; Refused("out_of_range") names the barrier."""
    if bar := find_bar(battle_map, grid, one, other):
        thing = f"A {bar.name.lower()}" if bar.name in KINDS else bar.name or "Something"
        raise Refused("out_of_range", f"{thing} stands between {names[0]} and {names[1]}: go round it.")


def stop_flight(battle_map: BattleMap, grid: Grid, start: Point, goal: Point) -> Point:
    """The last place on the straight line to a goal before a wall of full cover, in half meters.

    Missiles at a place fly through open doors and windows, and over obstacles. What a floor keeps from
    another deck comes down on its own, in line with the goal.
    """
    if not (battle_map.walls or battle_map.decks) or _is_clear(battle_map, grid, start, goal):
        return goal
    if start.shift != goal.shift:
        under = Point(start.x + find_across(start, goal), goal.y, start.z, start.shift)
        return stop_flight(battle_map, grid, start, under)
    steps = range(int(plan_distance(start, goal) * 2) + 1)
    first = bisect_left(
        steps, True, key=lambda n: not _is_clear(battle_map, grid, start, towards(start, goal, n / 2))
    )
    return towards(start, goal, max(0, first - 1) / 2)


def go_astray(battle_map: BattleMap, grid: Grid, start: Point, aimed: Point, goal: Point) -> Point:
    """Where a missile at one place ends that goes to another: on the deck of the first, before the next wall.

    From another deck it has come through the floor already. It is not on the ground: it may be over a hole.
    """
    goal = Point(goal.x, goal.y, aimed.z, aimed.shift)
    decks = battle_map.decks
    comes_through = find_deck(decks, start.x, start.y) != find_deck(decks, aimed.x, aimed.y)
    return stop_flight(battle_map, grid, aimed if comes_through else start, goal)


def _is_clear(battle_map: BattleMap, grid: Grid, start: Point, goal: Point) -> bool:
    plan, there = barriers_of(battle_map), grid.plot(goal)
    if start.shift != goal.shift:
        return sees(battle_map, grid, Body(start), Body(goal))
    met = plan.index.meet(grid.plot(start), there) - plan.absent
    barriers = plan.index.barriers
    return not any(barriers[n].cover == FULL and barriers[n].top == math.inf for n in met)
