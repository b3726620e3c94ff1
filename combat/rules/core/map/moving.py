"""The one door for every change of place: what each way to move asks before, on the way and on arrival.

A game's `moving.toml` has a row for each way to move, and its `Mover` answers what the rows ask. Nothing else
emits `Moved`, so a new way needs a row, and each cell of the row says what it asks and by which rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Literal, get_args

import msgspec

from ..basics.data import DataError, load_table, read_toml
from ..basics.errors import Refused
from ..basics.words import Label
from ..commands.context import RuleContext
from ..space import Point, map_of, name_zone, on_ground, over_ground, path_length
from ..space.decks import RIM_M, find_deck, find_hole
from ..space.grid import Grid
from ..space.paths import has_walls
from ..state import events as e
from ..state.state import Combatant, State, present, replace
from .bodies import meters_of
from .bounds import Straight, are_on_two_decks, find_last, find_stop, is_floored, is_walled

FILE = "moving.toml"
# Before a move: stance (prone, crouched), wounds that limit it, arms to hold on with, those who hold the
# mover or are held, fear. On the way: watchers, hazards entered, the cost of terrain, edges and holes; walls,
# floors between decks, and ground too high (`core/map/bounds.py`). After it: a fall, and landing on someone.
BEFORE = ("stance", "wounds", "arms", "holders", "fear")
ON_THE_WAY = ("watchers", "hazards", "terrain", "edges", "walls", "floors", "height")
AFTER = ("falls", "landing")
ASKS = (*BEFORE, *ON_THE_WAY, *AFTER)
# The ways to move that every game has: through a lid that opens, and put somewhere by the GM. Between decks,
# `way` are stairs, `ladder` is all that is climbed, `lift` what carries people. A game lacks what has no row.
WAYS = ("lid", "placed")
# What refuses a course, by whether it flies, and gets over something
WALLED = {
    (False, False): "Something is in the way: choose a way round it.",
    (False, True): "Something too high is in the way: climb elsewhere.",
    (True, True): "A wall or a shut door is in the way: choose a place before it.",
}

Ask = Literal[
    "stance",
    "wounds",
    "arms",
    "holders",
    "fear",
    "watchers",
    "hazards",
    "terrain",
    "edges",
    "walls",
    "floors",
    "height",
    "falls",
    "landing",
]
Path_ = tuple[Point, ...]


class WayToMove(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way to move, as a game plays it.

    `willing` is whether the mover wants it: then what stops it refuses it, else it ends there. One that
    `flies` leads through the air, over holes; one that is `lifted`, by someone's strength, rises at most 1 m.
    `cost` is what it costs in words. `asks` has each question that it asks, with the rule; `never` each that
    it does not ask, with the rule or ruling that says so.
    """

    id: str
    willing: bool = True
    flies: bool = False
    lifted: bool = False
    rule: str
    cost: str
    asks: dict[Ask, str] = {}
    never: dict[Ask, str] = {}


class Course(msgspec.Struct, frozen=True):
    """A change of place: who, along which path, by which way to move.

    `meters` is its length, if not that of the path; `cost` the movement spent, both in meters. It gets `over`
    obstacles of this height in meters. `rule` and `how` are those of its fact, which goes to the audience
    `to`.
    """

    who: str
    path: Path_
    way: str
    rule: str = ""
    how: Label = "how.moves"
    cost: float = 0.0
    meters: float | None = None
    over: float = 0.0
    to: str = ""

    @property
    def goal(self) -> Point:
        """The last place of the path."""
        return self.path[-1]


Check = Callable[[State, Course], None]
Procedure = Callable[[RuleContext, Course, WayToMove], None]


def shift(context: RuleContext, course: Course, part: Path_ = ()) -> None:
    """Change the place of someone along a course, or a part of it: the fact alone, nothing is asked."""
    path = part or course.path
    meters = round(path_length(path), 3) if part or course.meters is None else course.meters
    zone = name_zone(context.state.scene, path[-1]) or _name_other_deck(context.state, path)
    moved = e.Moved(course.who, path, meters, course.cost, how=course.how, zone=zone)
    context.emit(moved, course.rule, course.to)


def _name_other_deck(state: State, path: Path_) -> str:
    """The name of the deck on which a path ends; empty if it began there."""
    decks = map_of(state.scene).decks
    here, there = (find_deck(decks, at.x, at.y) for at in (path[0], path[-1]))
    return there.name if there and there != here else ""


def _travel(context: RuleContext, course: Course, way: WayToMove) -> None:
    shift(context, course)


def _arrive(context: RuleContext, course: Course, way: WayToMove) -> None:
    pass


class Mover(msgspec.Struct, frozen=True, kw_only=True):
    """A game's answers to what its ways to move ask.

    `checks` refuse a course, by question. `travel` makes the move, with all that is asked on the way, and
    `arrive` does what follows; both look up in the row what to ask. `floats` says who does not fall.
    `find_grid` has the grid on which walls, floors and heights count; None where they do not, as in zones.
    `find_steps` has the places of a straight way where one may stop, both ends included, if not all.
    """

    ways: Mapping[str, WayToMove] = {}
    checks: Mapping[str, Check] = {}
    travel: Procedure = _travel
    arrive: Procedure = _arrive
    floats: Callable[[State, str], bool] = lambda state, who: False
    find_grid: Callable[[State], Grid | None] = lambda state: None
    find_steps: Callable[[State, Point, Point], Path_] | None = None

    def find(self, way: str) -> WayToMove:
        """The row of a way to move; DataError for one that the game's table does not have."""
        row = self.ways.get(way)
        if row is None:
            raise DataError(f"{FILE}: this game has no way to move “{way}”: give it a row")
        return row

    def check(self, state: State, course: Course) -> None:
        """Refuse a course by all that its way to move asks before it begins."""
        way = self.find(course.way)
        for ask, check in self.checks.items():
            if ask in way.asks:
                check(state, course)
        if way.willing:
            self._check_bounds(state, course, way)

    def _check_bounds(self, state: State, course: Course, way: WayToMove) -> None:
        """Refuse a course through a wall or a floor."""
        battle_map = map_of(state.scene)
        grid = self.find_grid(state) if has_walls(battle_map) else None
        if grid is None:
            return
        meters, over = meters_of(state[course.who]), inf if way.flies else course.over
        for a, b in pairwise(course.path):
            if battle_map.decks and are_on_two_decks(battle_map, a, b):
                if "floors" in way.asks and is_floored(battle_map, grid, a, b, meters):
                    raise Refused("out_of_range", "No way leads there: choose a place that can be reached.")
                continue
            steps = pairwise(self.find_steps(state, a, b) if self.find_steps else (a, b))
            if "walls" in way.asks and any(is_walled(battle_map, grid, *one, meters, over) for one in steps):
                raise Refused("out_of_range", WALLED[over == inf, over > 0])

    def go(self, context: RuleContext, course: Course) -> None:
        """Move someone along a course: the checks, the way with all that happens on it, the arrival."""
        self.check(context.state, course)
        self.carry(context, course)

    def carry(self, context: RuleContext, course: Course) -> None:
        """The move and the arrival, after the checks."""
        way = self.find(course.way)
        course = self.bound(context.state, course, way)
        self.travel(context, course, way)
        self.arrive(context, course, way)

    def carry_all(self, context: RuleContext, *courses: Course) -> None:
        """Several moves at once, then their arrivals, so that those who hold each other stay together."""
        bound = [self.bound(context.state, course, self.find(course.way)) for course in courses]
        for course in bound:
            self.travel(context, course, self.find(course.way))
        for course in bound:
            self.arrive(context, course, self.find(course.way))

    def bound(self, state: State, course: Course, way: WayToMove) -> Course:
        """A course as far as it leads, on the ground at its end: one that nobody chose ends before a wall, a
        floor, and ground too high."""
        path = course.path if way.willing else self._cut(state, course)
        end = _come_down(state, path[-1]) if "height" in way.asks else path[-1]
        path = path if end is path[-1] else (*path[:-1], end)
        if path is course.path or self.find_grid(state) is None:
            return course
        is_whole = path[-1].x == course.goal.x and path[-1].y == course.goal.y
        return replace(course, path=path, meters=course.meters if is_whole else None)

    def _cut(self, state: State, course: Course) -> Path_:
        """The part of a path before what stops it."""
        path = course.path[:1]
        for there in course.path[1:]:
            path = (*path, self.find_stop(state, course.who, path[-1], there, course.way))
            if path[-1] != there:
                return path
        return course.path

    def find_stop(self, state: State, who: str, start: Point, goal: Point, name: str) -> Point:
        """The last place on the straight way of someone to a goal, by a way to move: before what stops it; in
        an open hole on it, unless it flies or minds edges."""
        way, battle_map = self.find(name), map_of(state.scene)
        is_bounded = way.lifted or has_walls(battle_map)
        grid = self.find_grid(state) if is_bounded else None
        if grid is None:
            return goal
        meters = meters_of(state[who])
        if are_on_two_decks(battle_map, start, goal):
            is_barred = "floors" in way.asks and is_floored(battle_map, grid, start, goal, meters)
            return start if is_barred else goal
        if "walls" not in way.asks:
            return goal
        floats = self.floats(state, who)
        course = Straight(
            grid,
            meters,
            flies=floats or way.flies,
            at_rims=way.willing and "edges" in way.asks,
            climbs=floats or not way.lifted,
        )
        if self.find_steps is None:
            return find_stop(state.scene, start, goal, course)
        return find_last(state.scene, self.find_steps(state, start, goal), course)


def _come_down(state: State, place: Point) -> Point:
    """A place at the height of its ground, also over an open hole."""
    level = over_ground(state.scene, place)
    if place.z == level.z:
        return place
    ground = on_ground(state.scene, place)
    return place if (ground.x, ground.z) == (place.x, place.z) else level


def load_ways(folder: Path) -> Mapping[str, WayToMove]:
    """The ways to move of a game's `moving.toml`; DataError unless each cell of each row is decided.

    `else` before the rows is the rule or ruling by which no row asks what it does not name.
    """
    path, told = folder / FILE, read_toml(folder / FILE)
    ways: dict[str, WayToMove] = load_table(path, WayToMove, "way")
    if rest := str(told.get("else", "")):
        ways = {name: _exclude_rest(way, rest) for name, way in ways.items()}
    missing = [way for way in WAYS if way not in ways]
    if missing or "way" not in told:
        raise DataError(f"{path}: it has no row for {', '.join(missing)}")
    for way in ways.values():
        open_ = [ask for ask in ASKS if (ask in way.asks) == (ask in way.never)]
        if open_:
            raise DataError(f"{path}: {way.id} neither asks nor excludes {', '.join(open_)}, or does both")
    return ways


def _exclude_rest(way: WayToMove, rule: str) -> WayToMove:
    """A row that asks nothing by a rule, but for what it names."""
    asked: tuple[Ask, ...] = get_args(Ask)
    rest = {ask: rule for ask in asked if ask not in way.asks}
    return replace(way, never={**rest, **way.never})


def fall_through(context: RuleContext, mover: Mover, who: str = "") -> None:
    """Let everyone fall together who stands on what has just opened, or one who was put over an opening."""
    state = context.state
    people = [state[who]] if who else present(state)
    falls = [course for one in people if (course := _find_fall(state, mover, one)) is not None]
    for course in falls:
        mover.check(state, course)
    mover.carry_all(context, *falls)


def _find_fall(state: State, mover: Mover, combatant: Combatant) -> Course | None:
    """The fall of someone who stands over an opening; None for all others."""
    at = combatant.at
    is_over = not combatant.inside and find_hole(map_of(state.scene).ways, at.x, at.y, RIM_M) is not None
    if not is_over or mover.floats(state, combatant.id):
        return None
    below = on_ground(state.scene, at)
    if below == at:
        return None
    fallen = round(at.z - below.z, 3)
    return Course(combatant.id, (at, below), "lid", how="how.falls_through", meters=fallen)
