"""Hazardous ground: its harm on entry and at each turn begun in it; a path over it in parts."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.space import (
    Point,
    Scene,
    Zone,
    find_stretches,
    find_zone,
    on_ground,
    plan_distance,
    towards,
)
from combat.rules.core.state import events as e
from combat.rules.core.state.state import has_condition

from ..characters.sheet import is_able
from ..environment import base_id
from ..world.scene import is_hazardous
from .fire import burn, has_burned

Path = tuple[Point, ...]
INSIDE_M = 0.1  # how far inside the flames, in meters, a combatant lies who goes down on entering them


def find_entries(scene: Scene, path: Path) -> tuple[tuple[float, Zone], ...]:
    """Where a path enters hazardous ground: meters from its start, in order, with the zone. [COS-TERR-08]

    Ground at the start of the path is entered at 0 m; ground left and entered again counts once.
    """
    found: dict[tuple[str, bool], tuple[float, Zone]] = {}
    for stretch in find_stretches(scene, path):
        if stretch.zone and _acts(stretch.zone):
            key = (base_id(stretch.zone), _burns(stretch.zone))
            found.setdefault(key, (stretch.begin, stretch.zone))
    return tuple(found.values())


def _acts(zone: Zone) -> bool:
    """Whether ground harms combatants who enter it.

    RULING R47: zero gravity is hazardous ground, but its saves come at other times.
    """
    return is_hazardous(Zone("", "", terrain=tuple(tag for tag in zone.terrain if tag != "zero-g")))


def _burns(zone: Zone) -> bool:
    return "fire" in zone.terrain


def meet_hazards(context: RuleContext, who: str, path: Path) -> None:
    """Apply the hazards along a path that a combatant drifts or is thrown, in order. [COS-TERR-08]

    RULING R49: once per turn.
    """
    for _, zone in find_entries(context.state.scene, path):
        meet(context, who, zone)


def _find_ground(scene: Scene, place: Point) -> Zone | None:
    zone = find_zone(scene, place)
    return zone if zone and _acts(zone) else None


def meet(context: RuleContext, who: str, zone: Zone | None) -> None:
    """Apply the ground to a combatant who enters it or begins a turn on it. [COS-TERR-08]

    If a crossing can call for a save, the GM sees a notice. [COS-TERR-07] The dead are not affected.
    """
    if zone is None or not _acts(zone) or has_condition(context.state[who], "dead"):
        return
    if _burns(zone):
        burn(context, who)
    else:
        context.emit(e.Said("log.in_hazard", who, args={"zone": zone.name}), "COS-TERR-07", e.GM_ONLY)


def arrive(context: RuleContext, who: str) -> None:
    """Apply the ground to a combatant placed on it. [COS-TERR-08]"""
    ground = _find_ground(context.state.scene, context.state.combatants[who].at)
    if ground is not None:
        meet(context, who, ground)


def start_inside(context: RuleContext, who: str) -> None:
    """The hazard of the zone where a turn starts [COS-TERR-08]; the combatant's own flames. [COS-HAZ-05]"""
    arrive(context, who)
    combatant = context.state.combatants[who]
    if has_condition(combatant, "burning") and not has_condition(combatant, "dead"):
        burn(context, who)


class Course:
    """A walk along a path, part by part.  [COS-TERR-08]

    Hazardous ground acts where it begins, and a combatant who goes down there stops. `tell` emits the fact of
    a part of the path.
    """

    def __init__(self, context: RuleContext, who: str, path: Path, tell: Callable[[Path], None]) -> None:
        self.context, self.who, self.tell = context, who, tell
        self.path, self.left = path, path
        self.gone: Path = path[:1]
        self.meters = 0.0
        self.entries = list(find_entries(context.state.scene, path))

    def find_spot(self, meters: float) -> Point:
        """The place at `meters` from the start."""
        return on_ground(self.context.state.scene, split(self.path, meters)[0][-1])

    def burns_before(self, meters: float) -> bool:
        """Whether flames act on the way to `meters` from the start."""
        fires = (at for at, zone in self.entries if _burns(zone))
        return not has_burned(self.context.state, self.who) and any(at < meters for at in fires)

    def go(self, meters: float) -> bool:
        """Walk to `meters` from the start; whether the combatant can go farther."""
        while self.entries and self.entries[0][0] < meters:
            at, zone = self.entries.pop(0)
            if _burns(zone) and not has_burned(self.context.state, self.who):
                self._step(min(at + INSIDE_M, meters) if at > 0 else 0.0)
            meet(self.context, self.who, zone)
            if not is_able(self.context.state[self.who]):
                return False
        self._step(meters)
        return True

    def finish(self) -> None:
        """Walk to the end; a path of no length is also logged."""
        if self.go(float("inf")) and len(self.gone) == 1:
            self.tell(self.left)
            self.gone = (*self.gone, *self.left[1:])

    def _step(self, meters: float) -> None:
        part, rest = split(self.left, meters - self.meters)
        if len(part) < 2:
            return
        ground = (part[0], *[on_ground(self.context.state.scene, place) for place in part[1:]])
        self.tell(ground)
        self.gone, self.meters = (*self.gone, *ground[1:]), meters
        self.left = (ground[-1], *rest[1:])


def split(path: Path, meters: float) -> tuple[Path, Path]:
    """A path cut in two at `meters`; a part of no length is one place."""
    done: list[Point] = [path[0]]
    left = meters
    for n, (a, b) in enumerate(itertools.pairwise(path)):
        length = plan_distance(a, b)
        if left < length - 0.001:
            if left < 0.01:
                return tuple(done), path[n:]
            spot = towards(a, b, left)
            return (*done, spot), (spot, *path[n + 1 :])
        left -= length
        done.append(b)
    return tuple(done), (path[-1],)
