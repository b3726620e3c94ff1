"""Sight and cover on a battle map: lines from corner to corner.

A line runs from each corner of one body to each corner of the other: 16 between squares, 36 between hexes.
A body has no corner beyond a wall that it stands at: fewer lines run to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import attrgetter

import msgspec

from ...basics.errors import Refused
from ...basics.modifiers import Modifier, Modifiers
from ...basics.words import Label, say
from ..barriers import HULL, Barrier, Plan, plan_of
from ..battle_map import DOOR, FENCE, FULL, KINDS, WALL, WINDOW, BattleMap
from ..doorways import Edge
from ..grid import Grid
from ..plane import Point, Scene, Spot, map_of
from .shafts import find_legs

FLOOR = Barrier("", HULL, FULL, blocks_sight=True, blocks_way=True, edges=())
TOUCH = 0.06  # meters: an obstacle nearer than this to someone's own cell touches it
Box = tuple[float, float, float, float]


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
    plan = plan_of(battle_map)
    key = (grid, one, other)
    found = plan.kept.get(key)
    return found if found is not None else plan.keep(key, _draw(plan, grid, one, other))


def find_corners(plan: Plan, grid: Grid, body: Body) -> tuple[Spot, ...]:
    """The corners of a body that no barrier cuts off from its middle; only its middle if there are none.

    What is under its middle cuts off nothing, nor does what is no higher than its ground.
    """
    key = ("corners", grid, body)
    found = plan.kept.get(key)
    return found if found is not None else plan.keep(key, _cut_off(plan, grid, body))


def _cut_off(plan: Plan, grid: Grid, body: Body) -> tuple[Spot, ...]:
    middle, corners = grid.plot(body.at), grid.find_corners(body.at, body.meters)
    if not plan.index.find_near(middle, middle, math.dist(middle, corners[0])):
        return corners
    low = (n for n, barrier in enumerate(plan.index.barriers) if barrier.top <= body.at.z)
    passed = plan.absent.union(plan.find_under(middle), low)
    free = (corner for corner in corners if passed.issuperset(plan.index.meet(middle, corner)))
    return tuple(free) or (middle,)


def _draw(plan: Plan, grid: Grid, one: Body, other: Body) -> Lines:
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


def _draw_through(plan: Plan, grid: Grid, one: Body, other: Body) -> Lines:
    """The barriers between two bodies on decks above each other: lines pass only through open holes."""
    low, high = (one, other) if one.at.z <= other.at.z else (other, one)
    barriers = plan.index.barriers
    rays = []
    for below in find_corners(plan, grid, low):
        for above in find_corners(plan, grid, high):
            legs = find_legs(plan.battle_map, low.at, high.at, (below, above))
            met = {n for a, b in legs or () for n in plan.index.cross(a, b, plan.absent | plan.pits)}
            passed = (barriers[n] for n in sorted(met) if barriers[n].top > high.at.z)
            rays.append(tuple(passed) if legs else (FLOOR,))
    return Lines(tuple(rays))


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
    plan = plan_of(battle_map)
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


# The name of a barrier without its own
BARRIERS = {WALL: "words.wall", DOOR: "words.a_door", WINDOW: "words.window", FENCE: "words.fence"}


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


# ---- Games without a table of cover: the GM gives obstacles points ----

POINT_COVERS = (("minus_1", "−1 to attacks"), ("minus_2", "−2 to attacks"), ("minus_3", "−3 to attacks"))
_POINT_LADDER = tuple(Rung(key, 0.5, whole=True) for key, _ in POINT_COVERS)
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
