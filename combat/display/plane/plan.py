"""What is built on a scene, as one viewer may see it: walls, doors, obstacles, lights, a picture.

Pieces of wall are joined into lines, so that their corners are drawn as corners. Walls of one kind are one
path: two thousand of them are a few kilobytes and one element.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import atan2, degrees, hypot
from typing import NamedTuple

from characters.display.shapes import Shape
from combat.audience.map_fog import find_known_map
from combat.audience.viewer import Viewer
from combat.rules.core.gm.battle_map import find_covers
from combat.rules.core.space import Area, BattleMap, Deck, Light, Obstacle, Picture, Spot, Wall, Zone
from combat.rules.core.space.barriers import Barriers, Edge, barriers_of, find_nearest
from combat.rules.core.space.battle_map import DOOR, TINTS
from combat.rules.core.space.rays.fog import Rows, Window, find_strips
from combat.rules.core.space.rays.lights import outline_light
from combat.rules.core.state.state import State

from .land import ThingsView, view_things

WARM = TINTS[0]
JAMB, OPENED = 0.1, 0.18  # meters of a jamb; of an open door that is seen on each side
KINDS = ("fence", "wall", "window")  # from below
UNSEEN, MAX_PASSED = 0.02, 50  # meters that the edge of a light may be off; spots left out in a row
FLAT = 1e-6  # twice the area of three spots in square meters: less is one straight line
PLAYERS = Viewer()  # spectators know what all players know


class WallsView(Shape, frozen=True):
    """All walls of a kind, as one path."""

    kind: str
    path: str


class DoorView(Shape, frozen=True):
    """A door: its place, its state in words, its length in meters and its turn in degrees around its start.

    `state` is open, shut, locked or secret.
    """

    id: str
    name: str
    words: str
    path: str
    state: str
    open: bool
    spot: Spot
    start: Spot
    long: float
    turn: float

    @property
    def leaf(self) -> str:
        """Its leaf along its length; an open one is in its jambs."""
        inside = max(0.1, self.long - 2 * JAMB)
        part = round(inside * OPENED, 2)
        if self.open:
            return f"M{JAMB:g} 0h{part:g}M{round(JAMB + inside - part, 2):g} 0h{part:g}"
        return f"M{JAMB:g} 0h{round(inside, 2):g}"

    @property
    def back(self) -> float:
        """The turn that puts upright what is drawn on it."""
        return -self.turn

    @property
    def middle(self) -> float:
        """The middle of its length."""
        return round(self.long / 2, 2)


class LightView(Shape, frozen=True):
    """A lamp and its color, and the outline of its light, which ends at walls."""

    x: float
    y: float
    radius: float
    path: str = ""
    tint: str = WARM


class PlanView(Shape, frozen=True):
    """Everything built on a scene."""

    walls: tuple[WallsView, ...] = ()
    doors: tuple[DoorView, ...] = ()
    things: tuple[ThingsView, ...] = ()
    lights: tuple[LightView, ...] = ()
    hidden: tuple[Area, ...] = ()
    picture: Picture | None = None
    fog: bool = False
    remembers: bool = True

    @property
    def tints(self) -> tuple[str, ...]:
        """The colors of its lamps, each once."""
        return tuple(dict.fromkeys(light.tint for light in self.lights))


NO_PLAN = PlanView()


class Drawn(NamedTuple):
    """The walls of a map as paths, its doors, and two corners of the rectangle around them."""

    walls: tuple[WallsView, ...] = ()
    doors: tuple[DoorView, ...] = ()
    corners: tuple[Spot, ...] = ()


NOTHING_DRAWN = Drawn()


def view_plan(battle_map: BattleMap, zones: tuple[Zone, ...] = ()) -> PlanView:
    """A battle map as drawn; `zones` are those of its scene."""
    walls, doors, _ = find_drawn(battle_map)
    return PlanView(
        walls,
        doors,
        view_things(battle_map.obstacles, zones),
        lights=tuple(view_light(battle_map, light) for light in battle_map.lights),
        hidden=battle_map.hidden,
        picture=battle_map.picture,
        fog=battle_map.fog,
        remembers=battle_map.remembers,
    )


def view_light(battle_map: BattleMap, light: Light) -> LightView:
    """A lamp as drawn: its light ends at what blocks sight. Kept with the barriers of the map."""
    plan = barriers_of(battle_map)
    found: LightView | None = plan.kept.get((LightView, light))
    return found or plan.keep((LightView, light), _draw_light(plan, light))


def _draw_light(plan: Barriers, light: Light) -> LightView:
    corners = _thin([(round(x, 2), round(y, 2)) for x, y in outline_light(plan, light)])
    outline = _write([*corners, corners[0]]) if corners else ""
    return LightView(light.x, light.y, light.radius, path=outline, tint=light.tint or WARM)


def _thin(line: list[Spot]) -> list[Spot]:
    """A line without the spots that a straight one passes by less than anyone sees.

    A lamp has a spot for each of a hundred rays, most of them along a wall.
    """
    kept, passed = line[:1], line[:0]
    for spot in dict.fromkeys(line[1:]):
        if passed and (len(passed) == MAX_PASSED or any(_is_off(kept[-1], spot, one) for one in passed)):
            kept.append(passed[-1])
            passed = []
        passed.append(spot)
    return kept + passed[-1:]


def _is_off(start: Spot, end: Spot, spot: Spot) -> bool:
    """Whether a straight line between two others passes a spot by more than `UNSEEN`."""
    x, y = spot if start == end else find_nearest((*start, *end), spot)
    return hypot(x - spot[0], y - spot[1]) > UNSEEN


def find_drawn(battle_map: BattleMap) -> Drawn:
    """The walls and doors of a map as drawn, and two corners of the rectangle around them."""
    if not battle_map.walls:
        return NOTHING_DRAWN
    plan = barriers_of(battle_map)
    found: Drawn | None = plan.kept.get(Drawn)
    return found or plan.keep(Drawn, _draw(plan))


def _draw(plan: Barriers) -> Drawn:
    walls = plan.battle_map.walls
    doors = [wall for wall in walls if wall.kind == DOOR]
    covers = {cover.id: cover for cover in reversed(find_covers(plan.battle_map))}  # one end of each way
    doors += reversed(covers.values())
    named = tuple(view_door(door, number) for number, door in enumerate(doors, 1))
    xs = [x for wall in walls for x in (wall.x1, wall.x2)]
    ys = [y for wall in walls for y in (wall.y1, wall.y2)]
    return Drawn(_join(plan), named, ((min(xs), min(ys)), (max(xs), max(ys))))


def _join(plan: Barriers) -> tuple[WallsView, ...]:
    """The walls without the gaps of doors, one path for each kind."""
    found: dict[str, list[Edge]] = {kind: [] for kind in KINDS}
    for wall, barrier in zip(plan.battle_map.walls, plan.index.barriers, strict=False):
        if wall.kind in found:
            found[wall.kind] += barrier.edges
    return tuple(WallsView(kind, draw_chains(edges)) for kind, edges in found.items() if edges)


def draw_edge(edge: Edge) -> str:
    """A straight piece of wall as an SVG path."""
    x1, y1, x2, y2 = edge
    across, down = x2 - x1, y2 - y1
    start = f"M{round(x1, 2):g} {round(y1, 2):g}"
    if not across:
        return f"{start}v{round(down, 2):g}"
    return start + (f"l{round(across, 2):g} {round(down, 2):g}" if down else f"h{round(across, 2):g}")


def view_door(door: Wall, number: int) -> DoorView:
    """A door with its name and state in words."""
    states = [
        "secret" if door.secret else "",
        "open" if door.open else "locked" if door.locked else "closed",
    ]
    shut = "secret" if door.secret else "locked" if door.locked else "shut"
    across, down = door.x2 - door.x1, door.y2 - door.y1
    return DoorView(
        door.id,
        name_door(door, number),
        ", ".join(word for word in states if word),
        path=draw_edge((door.x1, door.y1, door.x2, door.y2)),
        state="open" if door.open else shut,
        open=door.open,
        spot=((door.x1 + door.x2) / 2, (door.y1 + door.y2) / 2),
        start=(round(door.x1, 2), round(door.y1, 2)),
        long=round(hypot(across, down), 2),
        turn=round(degrees(atan2(down, across)), 1),
    )


def name_door(door: Wall, number: int) -> str:
    """The name of a door, or its number among the doors."""
    return door.name or f"Door {number}"


def find_spots(battle_map: BattleMap) -> list[Spot]:
    """Spots that the picture must contain to show everything that is built."""
    spots = [*find_drawn(battle_map).corners]
    boxes: list[Obstacle | Picture | Deck] = [
        *battle_map.obstacles,
        *filter(None, [battle_map.picture]),
        *battle_map.decks,
    ]
    for box in boxes:
        spots += [(box.x, box.y), (box.x + box.width, box.y + box.depth)]
    return spots + [(light.x, light.y) for light in battle_map.lights]


class FogView(Shape, frozen=True):
    """Cells as paths: the known ones, and among them those only remembered.

    With `sheer` the GM sees through it: it then shows what players do not know.
    """

    known: str
    dim: str
    sheer: bool = False


def view_fog(state: State, viewer: Viewer) -> FogView | None:
    """The fog of a state with all its secrets, for one viewer; None without fog."""
    known = find_known_map(state, PLAYERS if viewer.is_gm else viewer)
    if known is None:
        return None
    dim = {y: row & ~known.seen.get(y, 0) for y, row in known.known.items()}
    return FogView(outline_rows(known.window, known.known), outline_rows(known.window, dim), viewer.is_gm)


def outline_rows(window: Window, rows: Rows) -> str:
    """A set of cells as an SVG path, a rectangle for each run of a row."""
    strips = find_strips(window, rows)
    return "".join(f"M{s.x:g} {s.y:g}h{s.width:g}v{s.depth:g}h{-s.width:g}z" for s in strips)


def draw_chains(edges: Iterable[Edge]) -> str:
    """Straight pieces as an SVG path: pieces that share an end become one line."""
    return "".join(map(_write, _join_edges(edges)))


def _join_edges(edges: Iterable[Edge]) -> Iterator[list[Spot]]:
    ends = [((round(x1, 2), round(y1, 2)), (round(x2, 2), round(y2, 2))) for x1, y1, x2, y2 in edges]
    at: dict[Spot, list[int]] = {}
    for number, (one, other) in enumerate(ends):
        at.setdefault(one, []).append(number)
        at.setdefault(other, []).append(number)
    done: set[int] = set()
    loose = [spot for spot, numbers in at.items() if len(numbers) % 2]
    for spot in (*loose, *at):  # lines begin at loose ends; what is left are loops
        while not done.issuperset(at[spot]):
            yield _follow(spot, ends, at, done)


def _follow(
    spot: Spot, ends: list[tuple[Spot, Spot]], at: dict[Spot, list[int]], done: set[int]
) -> list[Spot]:
    """One line as far as it goes, without the spots on straight parts."""
    line = [spot]
    while (number := next((n for n in at[spot] if n not in done), None)) is not None:
        done.add(number)
        one, other = ends[number]
        spot = other if spot == one else one
        if len(line) > 1 and _is_straight(line[-2], line[-1], spot):
            line.pop()
        line.append(spot)
    return line


def _is_straight(a: Spot, b: Spot, c: Spot) -> bool:
    ax, ay, cx, cy = b[0] - a[0], b[1] - a[1], c[0] - b[0], c[1] - b[1]
    return abs(ax * cy - ay * cx) < FLAT and ax * cx + ay * cy > 0


def _write(line: list[Spot]) -> str:
    is_closed = len(line) > 3 and line[0] == line[-1]
    spots = line[:-1] if is_closed else line
    (x, y), parts = spots[0], []
    for next_x, next_y in spots[1:]:
        if next_y == y:
            parts.append(f"H{next_x:g}")
        else:
            parts.append(f"V{next_y:g}" if next_x == x else f"L{next_x:g} {next_y:g}")
        x, y = next_x, next_y
    return f"M{spots[0][0]:g} {spots[0][1]:g}{''.join(parts)}{'z' if is_closed else ''}"
