"""The shapes of the scene: zones, stages of a board, tokens, cells, and the part of a map to begin with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from characters.display.shapes import Shape
from combat.audience.viewer import HealthView
from combat.rules.core.space import Spot, plot

from ..combatants.tokens import Look
from ..plane.callouts import Callout
from ..plane.crowd import NAMES_AT, TOKEN_METERS
from ..plane.land import NO_LAND, LandView
from ..plane.names import Box, Name
from ..plane.plan import NO_PLAN, FogView, PlanView
from ..plane.plotting import outline_area
from ..plane.things import ThingsView
from .deck_shapes import DeckGhost, DeckView, HoleView, WayEnd
from .road_shapes import RoadView

RIGHT, DOWN, FAR = "right", "down", "far"
WHO = "@"  # before a combatant's id, in place of coordinates
NEAR = 10.0  # meters around those who act: a usual move, and close range
LEAST = (16.0, 12.0)  # meters across and down: nearer than that, nobody sees where they are


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
    others. `inside` is the id of its carrier; `seated`: it is drawn on that.
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
    pc: bool = False
    label: str = ""
    near: Callout | None = None
    near_scale: float = 1.0
    thin: float = 1
    inside: str = ""
    seated: bool = False

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


NEAR_BELOW, NEAR_LINE = 1.8, 0.9  # meters at scale 1: to a ghost's words on narrow maps, and a line of them


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


class SceneView(Shape, frozen=True):
    """The scene: zones with their combatants, and the same as a map.

    `box` is the shown part in meters: left, top, width, height. `grid` is a tile of its squares, `step`
    meters wide, or of hexes. `plan` is what is built there, `land` the ground. `no_way` is why nobody can
    move now, `no_ways` why not into several zones. `scale` is the size of names and tokens: they look the
    same in scenes of any width. `cell` is the side of a square in the game's `unit`. `road` is the fight as a
    chase. `board` are the hazards of all stages. `ghosts` arrive later: only the GM sees them. `outside` are
    those who stand in none of the zones. `elsewhere` are people who are
    on another deck, above or below these places.
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
    def around(self) -> tuple[int, int, int, int]:
        """The box extended by its own size on each side, for what is drawn beside the map."""
        left, top, width, height = self.box
        return left - width, top - height, 3 * width, 3 * height

    @property
    def opening(self) -> tuple[float, ...]:
        """What a page shows of it first: left, top, width, height, and the width of the smallest token."""
        people = [Seen(one.spot, one.scale, one.active, one.is_out) for one in self.tokens if not one.seated]
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


class Seen(NamedTuple):
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


def find_opening(people: Iterable[Seen], whole: tuple[int, int, int, int]) -> tuple[float, ...]:
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
