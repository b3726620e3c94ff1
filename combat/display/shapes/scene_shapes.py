"""The shapes of the scene: zones, stages of a board, tokens, cells, and the part of a map to begin with."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from math import dist
from typing import NamedTuple

from characters.display.shapes import Shape
from combat.audience.viewer import HealthView
from combat.rules.core.space import Spot, plot
from combat.rules.core.space.decks import DOWN, UP

from ..combatants.tokens import Look
from ..plane.callouts import Callout
from ..plane.crowd import NAMES_AT, TOKEN_METERS
from ..plane.land import NO_LAND, LandView, ThingsView
from ..plane.names import Box, Name
from ..plane.plan import NO_PLAN, FogView, PlanView
from ..plane.plotting import outline_area

RIGHT, IS_DOWN, FAR = "right", "down", "far"
WHO = "@"  # before a combatant's id, in place of coordinates
NEAR = 10.0  # meters around those who act: a usual move, and close range
LEAST = (16.0, 12.0)  # meters across and down: nearer than that, nobody sees where they are
NEAR_BELOW, NEAR_LINE = 1.8, 0.9  # meters at scale 1: to a ghost's words on narrow maps, and a line of them
LANE = 76  # pixels across a lane of a road that lies
FEW, BROAD, NARROW = 2, 84, 60  # pixels across a lane of an upright road: with up to so few, and with more
STRIP = 44  # pixels: the height of what stretches say on a road that lies
RULER, ASIDE = 46, 84  # pixels across the ruler of an upright road, and across what stretches say there
COVERED = 16  # percent of a low upright road: nearer to the middle of a vehicle, it covers a name
SEATS = ((21, -11), (-18, 11), (21, 11), (-18, -11))  # pixels ahead and to the right of the middle


class Person(Shape, frozen=True):
    """Someone in a zone, reduced to what is drawn of them there, so that few changes draw it again."""

    id: str
    name: str
    full_name: str
    opens: bool
    look: Look
    health: HealthView


class Way(Shape, frozen=True):
    """A way to another zone: its name, the distance in words, and where it is drawn on the board."""

    to: str
    words: str
    side: str


class Mark(Shape, frozen=True):
    """What matters in a zone: a kind for its icon, and the words."""

    look: str
    words: str


class Stand(Shape, frozen=True):
    """The place of a combatant on a stage; `scale` is the size of its token, `label` its name if it fits."""

    spot: Spot
    scale: float
    label: str


class Stage(Shape, frozen=True):
    """A zone on the board: its column and row from 1, its floor, where its people stand, and its ways.

    `land` are its hazards, `things` what gives cover there.
    """

    column: int
    row: int
    floor: str
    marks: tuple[Mark, ...]
    stands: tuple[Stand, ...]
    ways: tuple[Way, ...]
    land: LandView = NO_LAND
    things: tuple[ThingsView, ...] = ()

    @property
    def is_covered(self) -> bool:
        """Whether anything lies on its floor."""
        return bool(self.things or self.land.signs)


class ZoneView(Shape, frozen=True):
    """A zone of the scene and who is in it.

    `refused` is why the acting combatant cannot move there now; `refused_at` is the id of the note above the
    zones that says it for several. On the map it is the path `outline`; `names`
    are its name on a wide map and on a narrow one. `stage` is set if the scene is a board. `light` is "dark",
    "dim" or empty.
    """

    id: str
    name: str
    note: str
    x: float
    y: float
    width: float
    depth: float
    light: str
    cover: str
    combatants: tuple[Person, ...]
    way: str = ""
    here: bool = False
    refused: str = ""
    refused_at: str = ""
    names: tuple[Name, ...] = ()
    outline: str = ""
    upright: bool = False
    stage: Stage | None = None

    @property
    def people(self) -> tuple[tuple[Person, Stand], ...]:
        """Who is on the stage, each with their place there."""
        return tuple(zip(self.combatants, self.stage.stands, strict=True)) if self.stage else ()

    def bounds(self, hexes: bool) -> Box:
        """The rectangle around it as drawn: left, top, right, bottom."""
        corners = outline_area(self.x, self.y, self.width, depth=self.depth, hexes=hexes and not self.upright)
        xs, ys = zip(*corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def marks(self) -> tuple[tuple[str, Look], ...]:
        """The names and looks of those in it."""
        return tuple((one.name, one.look) for one in self.combatants)


class Token(Shape, frozen=True):
    """A combatant on the map: its place in meters, and where it is drawn.

    `moves` is how its viewer moves it: on a "way" by the rules, or to a "place" as the GM. `scale` is its
    size, smaller if it would cover another. One with `meters` is larger than a square and drawn to scale.
    `label` is its name or a part of it, `name_at` how far that is below its middle, `name_x` how far to the
    right, in meters at scale 1. `near` is the same for narrow maps, at scale 1; `near_scale` is their size of
    names. `opens` is as in its row. `thin` keeps the name, and the bar of a large one, as large as those of
    others. `inside` is the id of its carrier; `seated`: it is drawn on that. `mover` is who drives it now.
    """

    id: str
    name: str
    x: float
    y: float
    active: bool
    is_out: bool
    spot: Spot
    look: Look
    moves: str = ""
    scale: float = 1.0
    meters: float = 0.0
    name_at: float = 0.0
    name_x: float = 0.0
    full_name: str = ""
    opens: bool = False
    played: bool = False
    label: str = ""
    near: Callout | None = None
    near_scale: float = 1.0
    thin: float = 1
    inside: str = ""
    seated: bool = False
    mover: str = ""

    @property
    def name_scale(self) -> float:
        """The size of its name."""
        return self.scale * self.thin

    @property
    def at(self) -> dict[str, str]:
        """Its place and those of its names, as SVG writes them: all that differs where it stands elsewhere.

        Empty for what need not be written, and for the name on narrow maps if it has none.
        """
        (x, y), near = self.spot, self.near
        return {
            "place": f"translate({x:g} {y:g}) scale({self.scale:g})",
            "thin": f"{self.thin:g}" if self.thin != 1 else "",
            "name_x": f"{self.name_x:g}" if self.name_x else "",
            "name_y": f"{self.name_at:g}",
            "near_x": f"{near.across:g}" if near else "",
            "near_y": f"{near.down:g}" if near else "",
            "near_thin": f"{self.near_scale / self.scale:g}" if near else "",
        }


class Ghost(Shape, frozen=True):
    """Those who arrive later together, at the place where they will: nothing can be done to them there.

    `name` is theirs in short, `words` say when. `scale` and `near_scale` are as those of
    a token.
    """

    name: str
    words: str
    zone: str
    spot: Spot
    look: Look
    scale: float
    near_scale: float

    @property
    def near(self) -> float:
        """How much larger its words are on narrow maps."""
        return self.near_scale / self.scale

    @property
    def near_y(self) -> float:
        """How far below its middle they are there, in their own size."""
        return NEAR_BELOW / self.near + NEAR_LINE


class CellView(Shape, frozen=True):
    """A square or hex of the map that can be chosen: its place, its outline, its cost and address.

    The chosen one also has the path to it, the name of its zone, its exact cost in the game's unit, and what
    to know of it in words.
    """

    x: float
    y: float
    side: int
    outline: str
    spot: Spot
    cost: str
    query: str
    way: str = ""
    name: str = ""
    price: str = ""
    told: str = ""


class NoWay(Shape, frozen=True):
    """Why the acting combatant cannot move into any of several zones, and the id of the note that says so."""

    id: str
    zones: tuple[str, ...]
    why: str


def _is_in(spot: Spot, box: tuple[float, ...]) -> bool:
    left, top, width, height = box
    return left <= spot[0] <= left + width and top <= spot[1] <= top + height


class SquadBand(Shape, frozen=True):
    """The band under the tokens of a squad: its line and its width in meters; `tone` is that of its side."""

    name: str
    path: str
    width: float
    tone: str


class SceneView(Shape, frozen=True):
    """The scene: zones with their combatants, and the same as a map.

    `box` is the shown part in meters: left, top, width, height. `grid` is a tile of its squares, `step`
    meters wide, or of hexes. `plan` is what is built there, `land` the ground. `no_way` is why nobody can
    move now, `no_ways` why not into several zones. `scale` is the size of names and tokens: they look the
    same in scenes of any width. `cell` is the side of a square in the game's `unit`. `road` is the fight as a
    chase. `board` are the hazards of all stages. `ghosts` arrive later: only the GM sees them. `outside` are
    those who stand in none of the zones. `elsewhere` are people who are
    on another deck, above or below these places. `bands` join the tokens of each squad.
    """

    name: str
    zones: tuple[ZoneView, ...]
    tokens: tuple[Token, ...]
    box: tuple[int, int, int, int]
    grid: str
    ground: tuple[str, ...]
    columns: int
    no_way: str = ""
    no_ways: tuple[NoWay, ...] = ()
    scale: float = 1.0
    hexes: bool = False
    step: float = 1
    plan: PlanView = NO_PLAN
    land: LandView = NO_LAND
    fog: FogView | None = None
    cell: float = 1
    unit: str = "m"
    road: RoadView | None = None
    board: LandView = NO_LAND
    ghosts: tuple[Ghost, ...] = ()
    outside: tuple[Person, ...] = ()
    decks: tuple[DeckView, ...] = ()
    ways: tuple[WayEnd, ...] = ()
    holes: tuple[HoleView, ...] = ()
    elsewhere: tuple[DeckGhost, ...] = ()
    bands: tuple[SquadBand, ...] = ()

    @property
    def is_drawn(self) -> bool:
        """Whether there is anything to draw except tokens."""
        return bool(self.zones or self.decks) or self.plan != NO_PLAN

    @property
    def is_board(self) -> bool:
        """Whether zones are all that is known of the scene: then they are shown as a board."""
        return bool(self.zones) and self.plan == NO_PLAN and not self.decks

    @property
    def is_map(self) -> bool:
        """Whether the map says where everything is: neither a board of zones nor a road."""
        return self.is_drawn and not self.is_board and self.road is None

    @property
    def ways_here(self) -> tuple[WayEnd, ...]:
        """The ways on the deck of who acts, the nearest first."""
        boxes = [deck.box for deck in self.decks if deck.acts]
        found = [way for way in self.ways for box in boxes if _is_in(way.spot, box)]
        at = next((one.spot for one in self.tokens if one.active), None)
        return tuple(sorted(found, key=lambda way: dist(way.spot, at)) if at else found)

    @property
    def around(self) -> tuple[int, int, int, int]:
        """The box extended by its own size on each side, for what is drawn beside the map."""
        left, top, width, height = self.box
        return left - width, top - height, 3 * width, 3 * height

    @property
    def opening(self) -> tuple[float, ...]:
        """What a page shows of it first: left, top, width, height, and the width of the smallest token."""
        people = [
            MapFigure(one.spot, one.scale, one.active, one.is_out) for one in self.tokens if not one.seated
        ]
        least = min((one.scale for one in people if not one.is_out), default=self.scale)
        return (*find_opening(people, self.box), round(least * TOKEN_METERS, 2))

    @property
    def rooms(self) -> tuple[float, ...]:
        """The part with the people and all zones they stand in: left, top, width, height."""
        left, top, wide, tall, _ = self.opening
        boxes = [zone.bounds(self.hexes) for zone in self.zones if zone.combatants]
        lefts, tops, rights, lows = zip((left, top, left + wide, top + tall), *boxes, strict=True)
        x, width = _hold(min(lefts), max(rights), wide, (self.box[0], self.box[2]))
        y, height = _hold(min(tops), max(lows), tall, (self.box[1], self.box[3]))
        return x, y, width, height

    @property
    def named(self) -> tuple[tuple[str, tuple[Name, ...]], ...]:
        """The names of the zones, each with its places on the map."""
        return tuple((zone.name, zone.names) for zone in self.zones)

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """Everything with a name on the map, with its place: combatants, zones, doors.

        A combatant's place is its id, and they come in the order in which they joined, so that neither moves
        nor turns change this.
        """
        middles = (
            plot(z.x + z.width / 2, z.y + z.depth / 2, self.hexes and not z.upright) for z in self.zones
        )
        zones = zip(middles, (zone.name for zone in self.zones), strict=True)
        doors = ((door.spot, door.name) for door in self.plan.doors)
        still = ((f"{x:g},{y:g}", name) for (x, y), name in (*zones, *doors))
        joined = sorted(self.tokens, key=lambda token: (len(token.id), token.id))
        return (*((f"{WHO}{token.id}", token.full_name or token.name) for token in joined), *still)

    @property
    def shift(self) -> float:
        """The offset of the first grid line: places are the centres of squares, whatever the step."""
        return self.cell / 2


class MapFigure(NamedTuple):
    """Someone on the map: where and how large they are drawn, whether they act, whether they are out."""

    spot: Spot
    scale: float
    acts: bool
    is_out: bool

    @property
    def box(self) -> Box:
        """What they cover with their name, and around those who act what is near, in meters."""
        (x, y), half = self.spot, TOKEN_METERS * self.scale
        low = max(half, (NAMES_AT[0] + 0.4) * self.scale)
        if self.acts:
            return x - max(half, NEAR), y - max(half, NEAR), x + max(half, NEAR), y + max(low, NEAR)
        return x - half, y - half, x + half, y + low


def find_opening(people: Iterable[MapFigure], whole: tuple[int, int, int, int]) -> tuple[float, ...]:
    """The part of a map to begin with: left, top, width, height in meters; the `whole` without people.

    The fallen count only if nobody else is there.
    """
    known = list(people)
    boxes = [one.box for one in known if not one.is_out] or [one.box for one in known]
    if not boxes:
        return whole
    lefts, tops, rights, lows = zip(*boxes, strict=True)
    left, top, width, height = whole
    x, wide = _hold(min(lefts), max(rights), LEAST[0], (left, width))
    y, tall = _hold(min(tops), max(lows), LEAST[1], (top, height))
    return x, y, wide, tall


def _hold(start: float, end: float, least: float, whole: tuple[float, float]) -> tuple[float, float]:
    """A stretch of at least so many meters within the whole one: where it starts, and how long it is."""
    first, most = whole
    start, end = max(start, first), min(end, first + most)
    long = min(most, max(least, end - start))
    middle = (start + end) / 2
    return round(min(max(first, middle - long / 2), first + most - long), 1), round(long, 1)


# The decks of a scene, as templates draw them; all in meters of the plane.


class DeckView(Shape, frozen=True):
    """A deck: its number from below, its name and rectangle, and the people on it who can still act."""

    number: int
    name: str
    box: tuple[float, float, float, float]
    people: tuple[str, ...]
    acts: bool = False


class WayEnd(Shape, frozen=True):
    """One end of a way: what it is, and the deck that it leads up or down to; `state` is shut or locked.

    `leads` is empty if its viewer does not know that deck.
    """

    id: str
    kind: str
    name: str
    spot: Spot
    leads: str
    up: bool
    state: str = ""

    @property
    def course(self) -> str:
        """Where it leads: "up to Quarters", or only "up" if nobody knows."""
        way = UP if self.up else DOWN
        return f"{way} to {self.leads}" if self.leads else way

    @property
    def words(self) -> str:
        """What stands above it on the map."""
        state = f" ({self.state})" if self.state else ""
        return f"{'↑' if self.up else '↓'} {self.leads or '?'}{state}"


class HoleView(Shape, frozen=True):
    """An open hole: on the upper deck the opening itself, on the lower one what lies under it."""

    x: float
    y: float
    width: float
    depth: float
    upper: bool


class DeckGhost(Shape, frozen=True):
    """Someone on another deck, drawn pale where they are above (`up`) or below.

    `words` is where the line of their name is, from their spot; None where there is no room for words.
    """

    name: str
    deck: str
    spot: Spot
    up: bool
    words: Spot | None = None


# The shapes of a chase along a road: frozen, already filtered for one viewer.


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


class RoadWay(Stretch, frozen=True):
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
    ways: tuple[RoadWay, ...] = ()

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
