"""The one door for every change of place: what each way to move asks before, on the way and on arrival.

A game's `moving.toml` has a row for each way to move, and its `Mover` answers what the rows ask. Nothing else
emits `Moved`, so a new way needs a row, and each cell of the row says what it asks and by which rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from ..basics.data import DataError, load_table, read_toml
from ..basics.words import Label
from ..commands.context import RuleContext
from ..space import Point, map_of, name_zone, on_ground, path_length
from ..space.decks import RIM_M, find_deck, find_hole
from ..state import events as e
from ..state.state import State, present

FILE = "moving.toml"
# Before a move: stance (prone, crouched), wounds that limit it, arms to hold on with, those who hold the
# mover or are held, fear. On the way: watchers, hazards entered, the cost of terrain, edges and holes. After
# it: a fall, and landing on someone.
BEFORE = ("stance", "wounds", "arms", "holders", "fear")
ON_THE_WAY = ("watchers", "hazards", "terrain", "edges")
AFTER = ("falls", "landing")
ASKS = (*BEFORE, *ON_THE_WAY, *AFTER)
# Every way to move that a table has a row for. Between decks, `way` are stairs, `ladder` is all that is
# climbed, `lift` what carries people. `ride` is movement inside a carrier, `scatter` that of a thing thrown.
WAYS = (
    "walk", "sprint", "charge", "crawl", "climb", "jump", "swim", "way", "ladder", "lift", "drive", "ride",
    "push", "throw", "escape", "drift", "scatter", "fall", "lid", "placed",
)  # fmt: skip

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
    "falls",
    "landing",
]
Path_ = tuple[Point, ...]


class WayToMove(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way to move, as a game plays it.

    `willing` is whether the mover wants it, `cost` what it costs in words. `asks` has each question that it
    asks, with the rule; `never` each that it does not ask, with the rule or ruling that says so. A way that
    the game `lacks` has only the rule or ruling that says so.
    """

    id: str
    willing: bool = True
    rule: str = ""
    cost: str = ""
    asks: dict[Ask, str] = {}
    never: dict[Ask, str] = {}
    lacks: str = ""


class Course(msgspec.Struct, frozen=True):
    """A change of place: who, along which path, by which way to move.

    `meters` is its length, if not that of the path; `cost` the movement spent, both in meters. `rule` and
    `how` are those of its fact, which goes to the audience `to`.
    """

    who: str
    path: Path_
    way: str
    rule: str = ""
    how: Label = "how.moves"
    cost: float = 0.0
    meters: float | None = None
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
    """

    ways: Mapping[str, WayToMove] = {}
    checks: Mapping[str, Check] = {}
    travel: Procedure = _travel
    arrive: Procedure = _arrive
    floats: Callable[[State, str], bool] = lambda state, who: False

    def find(self, way: str) -> WayToMove:
        """The row of a way to move; DataError for one that the game's table does not have."""
        row = self.ways.get(way)
        if row is None or row.lacks:
            raise DataError(f"{FILE}: this game has no way to move “{way}”: give it a row")
        return row

    def check(self, state: State, course: Course) -> None:
        """Refuse a course by all that its way to move asks before it begins."""
        asks = self.find(course.way).asks
        for ask, check in self.checks.items():
            if ask in asks:
                check(state, course)

    def go(self, context: RuleContext, course: Course) -> None:
        """Move someone along a course: the checks, the way with all that happens on it, the arrival."""
        self.check(context.state, course)
        self.carry(context, course)

    def carry(self, context: RuleContext, course: Course) -> None:
        """The move and the arrival, after the checks."""
        way = self.find(course.way)
        self.travel(context, course, way)
        self.arrive(context, course, way)


def load_ways(folder: Path) -> Mapping[str, WayToMove]:
    """The ways to move of a game's `moving.toml`; DataError unless each cell of each row is decided."""
    path = folder / FILE
    ways: dict[str, WayToMove] = load_table(path, WayToMove, "way")
    missing = [way for way in WAYS if way not in ways]
    if missing or "way" not in read_toml(path):
        raise DataError(f"{path}: it has no row for {', '.join(missing)}")
    for way in ways.values():
        open_ = [ask for ask in ASKS if (ask in way.asks) == (ask in way.never)]
        if not way.lacks and open_:
            raise DataError(f"{path}: {way.id} neither asks nor excludes {', '.join(open_)}, or does both")
    return ways


def fall_through(context: RuleContext, mover: Mover, who: str = "") -> None:
    """Let everyone fall who stands on what has just opened, or one who was put over an opening."""
    ways = map_of(context.state.scene).ways
    for combatant in [context.state[who]] if who else present(context.state):
        at = combatant.at
        if (
            combatant.inside
            or find_hole(ways, at.x, at.y, RIM_M) is None
            or mover.floats(context.state, combatant.id)
        ):
            continue
        below = on_ground(context.state.scene, at)
        if below != at:
            fallen = round(at.z - below.z, 3)
            course = Course(combatant.id, (at, below), "lid", how="how.falls_through", meters=fallen)
            mover.go(context, course)
