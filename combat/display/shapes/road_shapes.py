"""The shapes of a chase along a road: frozen, already filtered for one viewer."""

from __future__ import annotations

from collections.abc import Sized

from characters.display.shapes import Shape
from combat.audience.viewer import HealthView

from ..combatants.tokens import Look

LANE = 76  # pixels across a lane of a road that lies
FEW, BROAD, NARROW = 2, 84, 60  # pixels across a lane of an upright road: with up to so few, and with more
STRIP = 44  # pixels: the height of what stretches say on a road that lies
RULER, ASIDE = 46, 84  # pixels across the ruler of an upright road, and across what stretches say there
COVERED = 16  # percent of a low upright road: nearer to the middle of a vehicle, it covers a name
SEATS = ((21, -11), (-18, 11), (21, 11), (-18, -11))  # pixels ahead and to the right of the middle


def find_broad(lanes: int, ways: Sized) -> int:
    """The pixels across a lane of an upright road: names stand beside it, so many lanes, and those with
    stretches beside them, are narrow."""
    return NARROW if ways or lanes > FEW else BROAD


class Seated(Shape, frozen=True):
    """Someone inside a vehicle, with their place there."""

    id: str
    name: str
    full_name: str
    station: str
    look: Look
    opens: bool
    is_out: bool


class Car(Shape, frozen=True):
    """A vehicle on the road.

    `at` is its place in percent of the shown part, `lane` counts from the left of those who drive ahead,
    `turn` are the degrees clockwise that it heads off the road. `gap` says how far it is from the one that
    the bands are around, `gain` how that changes. `label_at` is the place of its name beside an upright road,
    `broad` the pixels across a lane there.
    """

    id: str
    name: str
    full_name: str
    look: Look
    health: HealthView
    opens: bool
    active: bool
    riders: tuple[Seated, ...]
    speed: float
    top: float
    meters: float
    at: float
    lane: int
    turn: float
    gap: str
    gain: str
    is_yours: bool
    is_off_map: bool = False
    label_at: float = 0
    broad: int = BROAD

    @property
    def moves(self) -> bool:
        """It does not stand still."""
        return self.speed != 0

    @property
    def across(self) -> float:
        """The middle of its lane in pixels, on a road that lies."""
        return LANE * (self.lane + 0.5)

    @property
    def aside(self) -> float:
        """The middle of its lane in pixels, on a road that stands upright."""
        return self.broad * (self.lane + 0.5)

    @property
    def place(self) -> str:
        """How far it is from the one that the bands are around, without the band."""
        return self.gap.partition(" · ")[0]

    @property
    def down(self) -> float:
        """Its place from the top in percent, on a road that stands upright."""
        return round(100 - self.at, 2)

    @property
    def label_down(self) -> float:
        """The place of its name from the top in percent, on a road that stands upright."""
        return round(100 - self.label_at, 2)

    @property
    def upright_turn(self) -> float:
        """Its turn on a road that stands upright."""
        return (self.turn - 90) % 360

    @property
    def seats(self) -> tuple[tuple[float, float, Seated], ...]:
        """Those inside, each with the place of the seat in pixels; more than four share seats."""
        return tuple((*SEATS[n % len(SEATS)], rider) for n, rider in enumerate(self.riders))


class Stretch(Shape, frozen=True):
    """A part of the road in percent of what is shown: a range band with its name, or a gap in words.

    `edge` is the far end of a band, 0 for none: it is out of sight, or those of near bands are too close.
    """

    name: str
    start: float
    end: float
    level: int = 0
    edge: float = 0

    @property
    def long(self) -> float:
        """Its length in percent."""
        return round(self.end - self.start, 2)

    @property
    def middle(self) -> float:
        """Its middle in percent."""
        return round((self.start + self.end) / 2, 2)

    @property
    def edge_down(self) -> float:
        """Its far end from the top in percent, on a road that stands upright."""
        return round(100 - self.edge, 2)

    @property
    def down(self) -> float:
        """Its upper end from the top in percent, on a road that stands upright."""
        return round(100 - self.end, 2)

    @property
    def middle_down(self) -> float:
        """Its middle from the top in percent, on a road that stands upright."""
        return round(100 - self.middle, 2)

    @property
    def low(self) -> float:
        """Its lower end from the top in percent, on a road that stands upright."""
        return round(100 - self.start, 2)


class Way(Stretch, frozen=True):
    """A stretch of the road that a driver can reach now.

    `name` is its length in meters, `gap` how far its end is from where the nearest opponent is now;
    `query` is the address that chooses it.
    """

    gap: str = ""
    query: str = ""


class RoadView(Shape, frozen=True):
    """A chase: the vehicles from the rear to the front, the range bands around one of them, and a ruler.

    `notch` is the first of the ruler's smaller marks in percent, `notches` how many fit after it.
    """

    cars: tuple[Car, ...]
    bands: tuple[Stretch, ...]
    ticks: tuple[tuple[float, str], ...]
    gap: Stretch | None
    lanes: int
    unit: str
    name: str = ""
    notch: float = 0
    notches: float = 0
    ways: tuple[Way, ...] = ()

    @property
    def across(self) -> int:
        """The width of a road that lies, in pixels."""
        return LANE * self.lanes

    @property
    def ruler_at(self) -> int:
        """The top of the ruler of a road that lies, in pixels: below names, and below what stretches say."""
        return self.across + 116 + (STRIP if self.ways else 0)

    @property
    def left(self) -> int:
        """Where an upright road begins, in pixels: stretches stand in place of the ruler's numbers."""
        return ASIDE if self.ways else RULER

    @property
    def broad(self) -> int:
        """The pixels across a lane of an upright road."""
        return find_broad(self.lanes, self.ways)

    @property
    def narrow(self) -> int:
        """The width of a road that stands upright, in pixels."""
        return self.broad * self.lanes

    @property
    def lines(self) -> tuple[tuple[int, int], ...]:
        """The lines between lanes in pixels: on a road that lies, and on one that stands upright."""
        return tuple((LANE * n, self.broad * n) for n in range(1, self.lanes))

    def find_free_lane(self, at: float) -> int:
        """The lane whose vehicles cover least of the name of a band, which stands at so many percent."""

        def clearance(lane: int) -> float:
            return min((abs(car.at - at) for car in self.cars if car.lane == lane), default=COVERED)

        return max(range(self.lanes), key=lambda lane: min(clearance(lane), COVERED))

    @property
    def notch_down(self) -> float:
        """The first of the smaller marks from the top in percent, on a road that stands upright."""
        return round(100 - self.notch, 2)

    @property
    def upright_ticks(self) -> tuple[tuple[float, str], ...]:
        """The ruler of a road that stands upright, from the top in percent."""
        return tuple((round(100 - at, 2), words) for at, words in self.ticks)
