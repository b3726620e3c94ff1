"""A chase along a road as one viewer sees it: who drives where, how fast, and how far apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import ceil, cos, floor, radians, sin

import msgspec

from combat.audience.viewer import Viewer
from combat.rules.core.basics.words import say_number
from combat.rules.core.commands.commands import find_refusal
from combat.rules.core.declaration.parts import Band, Chase
from combat.rules.core.space import Point, distance, find_zone
from combat.rules.core.space.ground import is_off_map
from combat.rules.core.state.state import State, is_played
from combat.sharing.viewer_context import ViewerContext

from ..shapes.scene_shapes import FEW, Car, CellView, RoadView, RoadWay, Seated, Stretch, find_broad
from ..shapes.table_shapes import CombatantView
from .scene import view_cells

LEAST = 120  # meters of road that are shown
MARGIN = 0.2  # of the distance from the first to the last vehicle, shown beyond them
LENGTH = 18  # percent of the shown road that a drawn vehicle takes
LABEL = 12.5  # percent of an upright road that the three lines of a name take
LEAST_BAND = 4  # percent of the shown road whose far end is marked
CLOSE = 30  # meters that a pursuer keeps at most
MOST_LANES, MOST_TICKS = 4, 10
NOTCHES = 5  # parts between two marks of the ruler
STEPS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000)  # meters between the marks of the ruler


@dataclass(frozen=True)
class Axis:
    """The direction of a road, in degrees clockwise from the top of the map, and where it is 0 m."""

    heading: float
    start: float = 0

    def find_meters(self, at: Point) -> float:
        """How far along the road a place is, in meters."""
        turn = radians(self.heading)
        return at.x * sin(turn) - at.y * cos(turn) - self.start


@dataclass(frozen=True)
class Window:
    """The shown part of a road, in meters."""

    low: float
    high: float

    def place(self, meters: float) -> float:
        """A place in percent of the part."""
        return round(100 * (meters - self.low) / (self.high - self.low), 2)


def view_road(
    context: ViewerContext, combatants: dict[str, CombatantView], whose: str = ""
) -> RoadView | None:
    """The fight as a chase, as far as the viewer knows it; None if it is none now.

    With the stretches that `whose` vehicle can reach, if they drive and the viewer plays them.
    """
    system, state, viewer = context.system, context.known_state, context.viewer
    chase = system.look.chase(state) if system.look.chase else None
    shown = [who for who in chase.motions if who in combatants] if chase else []
    if chase is None or len(shown) < 2:
        return None
    middle = _find_middle(state, shown, viewer)
    axis = _find_axis(state, chase, combatants, shown=shown, middle=middle)
    meters = {who: axis.find_meters(state[who].at) for who in shown}
    cells = _find_cells(context, shown, whose)
    ends = [axis.find_meters(Point(cell.x, cell.y)) for cell in cells]
    window = _find_window([*meters.values(), *ends])
    road = _Road(
        chase, state, combatants, viewer=viewer, axis=axis, window=window, meters=meters, middle=middle
    )
    placed = road.view_cars()
    lanes = max(FEW, *(car.lane + 1 for car in placed))
    cars, step = _place_labels(placed, find_broad(lanes, cells)), _find_step(window)
    part = step / NOTCHES
    notch = ceil(window.low / part) * part
    return RoadView(
        cars,
        road.view_bands(),
        tuple((window.place(at), say_number(at)) for at in _list_ticks(window, step)),
        gap=road.view_gap(),
        lanes=lanes,
        unit=chase.unit,
        name=state.scene.name,
        notch=window.place(notch),
        notches=round((window.high - notch) / part, 3),
        ways=road.view_ways(state[whose].inside or whose, cells, ends) if cells else (),
    )


def _find_cells(context: ViewerContext, shown: list[str], whose: str) -> tuple[CellView, ...]:
    """The places that someone in one of these vehicles can drive to now."""
    one = context.known_state.combatants.get(whose)
    if one is None or (one.inside or whose) not in shown or not context.viewer.plays(whose):
        return ()
    system, state = context.system, context.obscured_state
    for action in system.actions.by_name.values():
        if action.leads_there and not find_refusal(action, state, whose):
            return view_cells(system, state, action, whose)
    return ()


def _find_middle(state: State, shown: list[str], viewer: Viewer) -> str:
    """The vehicle that distances are from: the viewer's, else a player's, else the first."""
    inside = [one for one in state.combatants.values() if one.inside in shown]
    own = (one.inside for one in inside if one.id in viewer.seats)
    played = (one.inside for one in inside if is_played(state, one))
    driven = (who for who in shown if is_played(state, state[who]))
    return next((who for each in (own, played, driven) for who in each), shown[0])


def _find_axis(
    state: State, chase: Chase, combatants: dict[str, CombatantView], shown: list[str], middle: str
) -> Axis:
    """The direction of the road: where the one in the middle heads, or the fastest if that one stands."""
    leader = middle if chase.motions[middle].speed else max(shown, key=lambda who: chase.motions[who].speed)
    axis = Axis(combatants[leader].look.heading)
    zone = find_zone(state.scene, state[middle].at)
    zones = (zone,) if zone else state.scene.zones  # beyond the end of a road its meters go on
    if not zones:
        return replace(axis, start=min(axis.find_meters(state[who].at) for who in shown))
    ends = [Point(x, y) for z in zones for x in (z.x, z.x + z.width) for y in (z.y, z.y + z.depth)]
    return replace(axis, start=min(map(axis.find_meters, ends)))


def _find_window(meters: Iterable[float]) -> Window:
    low, high = min(places := list(meters)), max(places)
    more = max((LEAST - (high - low)) / 2, (high - low) * MARGIN)
    return Window(low - more, high + more)


def _find_step(window: Window) -> int:
    return next(step for step in (*STEPS, 10**9) if window.high - window.low <= step * MOST_TICKS)


def _list_ticks(window: Window, step: int) -> list[int]:
    return [n * step for n in range(ceil(window.low / step), floor(window.high / step) + 1)]


@dataclass(frozen=True)
class _Road:
    """A road and everyone on it, while it is viewed."""

    chase: Chase
    state: State
    combatants: dict[str, CombatantView]
    viewer: Viewer
    axis: Axis
    window: Window
    meters: dict[str, float]
    middle: str

    def view_cars(self) -> list[Car]:
        """The vehicles from the rear to the front, each in the first lane with room."""
        ends: list[float] = []  # of the last vehicle in each lane
        cars: list[Car] = []
        for who in sorted(self.meters, key=lambda who: self.meters[who]):
            at = self.window.place(self.meters[who])
            free = (lane for lane, end in enumerate(ends) if end <= at)
            lane = next(free, len(ends))
            if lane >= MOST_LANES:
                lane = min(range(MOST_LANES), key=lambda lane: ends[lane])
            ends[lane:] = [at + LENGTH, *ends[lane + 1 :]]
            if len(cars) == 1 and lane == 0:  # two far apart still take both lanes
                lane, ends = 1, [ends[0], at + LENGTH]
            cars.append(self._view_car(who, at, lane))
        return cars

    def _view_car(self, who: str, at: float, lane: int) -> Car:
        row, motion = self.combatants[who], self.chase.motions[who]
        riders = tuple(_seat(self.combatants[one.id]) for one in row.aboard if one.id in self.combatants)
        is_own = self.viewer.plays(who) or any(self.viewer.plays(one.id) for one in riders)
        return Car(
            id=who,
            name=row.name,
            full_name=row.full_name,
            look=row.look,
            health=row.health,
            opens=row.opens,
            active=row.active or any(self.combatants[one.id].active for one in riders),
            riders=riders,
            speed=motion.speed,
            top=motion.top if is_own else 0,
            meters=round(self.meters[who]),
            at=at,
            lane=lane,
            turn=(row.look.heading - self.axis.heading) % 360,
            gap=self._tell_gap(who),
            gain=self._tell_gain(who),
            is_off_map=is_off_map(self.state.scene, self.state[who].at),
            is_yours=any(each in self.viewer.seats for each in (who, *(one.id for one in riders))),
        )

    def _tell_gap(self, who: str) -> str:
        """How far a vehicle is from the one in the middle, and its band; for that one, how far it leads."""
        ahead = round(self.meters[who] - self.meters[self.middle])
        if who == self.middle:
            nearest = self._find_nearest()
            lead = round(self.meters[who] - self.meters[nearest])
            return f"leads by {say_number(lead)} m" if lead > 0 else ""
        place = f"{say_number(abs(ahead))} m {'ahead' if ahead > 0 else 'behind'}" if ahead else "level"
        band = self._find_band(self._measure(who))
        return f"{place} · {band.lower()} range" if band else place

    def _tell_gain(self, who: str) -> str:
        """How the gap to the one in the middle changes in a round at these speeds."""
        if who == self.middle:
            return ""
        faster = self.chase.motions[who].speed - self.chase.motions[self.middle].speed
        meters = round(abs(faster) * self.chase.meters_a_turn)
        is_ahead = self.meters[who] > self.meters[self.middle]
        if not meters:
            return "keeps the distance"
        if self._is_caught(who, meters if (faster > 0) != is_ahead else 0):
            gap = round(abs(self.meters[who] - self.meters[self.middle]))
            kept = f"keeps {say_number(gap)} m {'ahead' if is_ahead else 'behind'}"
            return kept if gap <= CLOSE else "is caught up with" if is_ahead else "catches up"
        how = ("loses" if is_ahead else "falls back") if faster < 0 else "pulls away" if is_ahead else "gains"
        return f"{how} {say_number(meters)} m a round"

    def _is_caught(self, who: str, meters: int) -> bool:
        """Whether a pursuer has the one it pursues within reach: it stays behind instead of passing."""
        pair = (who, self.middle)
        behind, ahead = sorted(pair, key=self.meters.__getitem__)
        return self.chase.motions[behind].quarry == ahead and meters >= self._measure(who)

    def _measure(self, who: str) -> float:
        return distance(self.state[self.middle].at, self.state[who].at)

    def _find_band(self, meters: float) -> str:
        return next((band.name for band in self.chase.bands if meters <= band.to_m), "")

    def _find_nearest(self) -> str:
        """The nearest vehicle of another side, else the nearest."""
        side = self.state[self.middle].side
        others = [who for who in self.meters if who != self.middle]
        hostile = [who for who in others if self.state[who].side != side]
        return min(hostile or others, key=self._measure)

    def view_gap(self) -> Stretch:
        """The gap to the nearest opponent, with its distance and range band."""
        who = self._find_nearest()
        ends = sorted(self.window.place(self.meters[each]) for each in (who, self.middle))
        meters = self._measure(who)
        band = self._find_band(meters)
        words = f"{say_number(round(meters))} m" + (f": {band.lower()} range" if band else "")
        return Stretch(words, ends[0], ends[1])

    def view_ways(self, who: str, cells: tuple[CellView, ...], ends: list[float]) -> tuple[RoadWay, ...]:
        """The stretches from a vehicle to these places, each from the end of the one before."""
        other, here, ways = self._find_nearest(), self.meters[who], list[RoadWay]()
        for cell, end in zip(cells, ends, strict=True):
            low, high = sorted((here, end))
            ahead, here = round(end - self.meters[other]), end
            gap = f"{say_number(abs(ahead))} m {'ahead' if ahead > 0 else 'behind'}" if ahead else "level"
            start, stop = map(self.window.place, (low, high))
            ways.append(RoadWay(f"{cell.cost} m", start, stop, gap=gap, query=cell.query))
        return tuple(ways)

    def view_bands(self) -> tuple[Stretch, ...]:
        """The range bands ahead of the middle and behind it, as far as they are shown."""
        here, found = self.meters[self.middle], []
        for level, band in enumerate(self.chase.bands):
            for side in (-1, 1):
                ends = sorted((here + side * band.from_m, here + side * band.to_m))
                low, high = max(ends[0], self.window.low), min(ends[1], self.window.high)
                if low < high:
                    found.append(self._view_band(band, level, (low, high), here + side * band.to_m))
        return tuple(found)

    def _view_band(self, band: Band, level: int, span: tuple[float, float], far: float) -> Stretch:
        start, end = map(self.window.place, span)
        is_seen = span[0] <= far <= span[1] and end - start > LEAST_BAND
        return Stretch(band.name, start, end, level=level, edge=self.window.place(far) if is_seen else 0)


def _seat(rider: CombatantView) -> Seated:
    look = msgspec.structs.replace(rider.look, active=False)  # of a vehicle that acts, all is marked
    return Seated(
        rider.id,
        rider.name,
        rider.full_name,
        station=rider.station,
        look=look,
        opens=rider.opens,
        is_out=rider.is_out,
    )


def _place_labels(cars: list[Car], broad: int) -> tuple[Car, ...]:
    """The vehicles with the places of their names, from the front to the rear, none over another."""
    last, placed = 100.0, list[Car]()
    for car in reversed(cars):
        last = min(car.at, last - LABEL)
        placed.append(msgspec.structs.replace(car, label_at=round(max(0.0, last), 2), broad=broad))
    return tuple(reversed(placed))
