"""Universal VTT files (.dd2vtt, .uvtt, .df2vtt): a picture, walls, doors, windows and lights in one.

Nothing in such a file is trusted. Its units are cells, counted from its origin; the picture is stretched over
the cells it is said to cover, so whatever becomes of its pixels shifts nothing. A portal that is not closed
is taken for a window: that is how windows arrive.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import hypot

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.typed import read_json
from combat.rules.core.space import BattleMap, Light, Obstacle, Wall, Zone
from combat.rules.core.space.battle_map import DOOR, FULL, MAX_LIGHTS, MAX_OBSTACLES, MAX_WALLS, WINDOW

from .chains import Chain, fit_chains

MAX_BYTES = 15_500_000
MAX_CORNERS = 50_000  # in a file; more than any map needs
MAX_METRES = 1000.0  # across
STRANGE = "Not a Universal VTT file: export it again as .dd2vtt, .uvtt or .df2vtt."


class Spot(msgspec.Struct):
    """A place in cells."""

    x: float
    y: float


class Resolution(msgspec.Struct):
    """How many cells the map has, and where they begin."""

    map_size: Spot
    map_origin: Spot = msgspec.field(default_factory=lambda: Spot(0, 0))


class Portal(msgspec.Struct):
    """A door or a window between two places."""

    bounds: list[Spot]
    closed: bool = True


class Lamp(msgspec.Struct):
    """A source of light and how many cells far it shines."""

    position: Spot
    range: float = 0.0


class Environment(msgspec.Struct):
    """The light everywhere."""

    ambient_light: str = ""


class File(msgspec.Struct):
    """What we read of a file; whatever else is in it is left alone."""

    resolution: Resolution
    line_of_sight: list[list[Spot]] = []
    objects_line_of_sight: list[list[Spot]] = []
    portals: list[Portal] = []
    lights: list[Lamp] = []
    environment: Environment | None = None
    image: str = ""


@dataclass(frozen=True)
class Imported:
    """What a file holds: the map in metres, a zone over all of it, its picture, and what was left out."""

    map: BattleMap
    zone: Zone
    picture: bytes
    report: tuple[str, ...]


@dataclass(frozen=True)
class Scale:
    """From the cells of a file to metres: the first cell is the one around the middle of the plane."""

    origin: Spot
    cell: float

    def find(self, spot: Spot) -> tuple[float, float]:
        """The place of a spot, in metres."""
        x, y = spot.x - self.origin.x, spot.y - self.origin.y
        return round((x - 0.5) * self.cell, 3), round((y - 0.5) * self.cell, 3)


def read_file(raw: bytes, cell: float) -> Imported:
    """A file as a map with cells of so many metres; Refused for what is no such file."""
    if len(raw) > MAX_BYTES:
        raise Refused("bad_value", f"The file is too large: send at most {MAX_BYTES / 1e6:g} MB.")
    try:
        file = read_json(raw, File)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise Refused("bad_value", STRANGE) from None
    size = file.resolution.map_size
    if not (1 <= size.x * cell <= MAX_METRES and 1 <= size.y * cell <= MAX_METRES):
        raise Refused(
            "bad_value", f"The map would be {size.x * cell:g} m wide: at most {MAX_METRES:g} m works."
        )
    scale, report = Scale(file.resolution.map_origin, cell), list[str]()
    walls = (*_read_portals(file, scale), *_read_walls(file, scale, report))
    drawn = BattleMap(
        walls=tuple(msgspec.structs.replace(wall, id=f"w{n}") for n, wall in enumerate(walls, 1)),
        obstacles=_read_obstacles(file, scale, report),
        lights=_read_lights(file, scale, report),
        cell=cell if cell != 1 else 0.0,
    )
    left, top = scale.find(file.resolution.map_origin)
    zone = Zone("zone1", "Map", left, top, round(size.x * cell, 3), round(size.y * cell, 3))
    return Imported(drawn, zone, _read_picture(file, report), (_sum_up(drawn), *report))


def _sum_up(drawn: BattleMap) -> str:
    doors = sum(wall.kind == DOOR for wall in drawn.walls)
    windows = sum(wall.kind == WINDOW for wall in drawn.walls)
    parts = (
        ("wall", len(drawn.walls) - doors - windows),
        ("door", doors),
        ("window", windows),
        ("obstacle", len(drawn.obstacles)),
        ("light", len(drawn.lights)),
    )
    words = [_count(count, name) for name, count in parts if count]
    return f"Imported: {', '.join(words) or 'no walls'}."


def _count(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _read_portals(file: File, scale: Scale) -> Iterable[Wall]:
    """Doors, and windows: those portals that are not closed."""
    for portal in file.portals[:MAX_WALLS]:
        if len(portal.bounds) == 2:
            (x1, y1), (x2, y2) = map(scale.find, portal.bounds)
            if hypot(x1 - x2, y1 - y2) < 0.1 or not _is_near((x1, y1), (x2, y2)):
                continue
            if portal.closed:
                yield Wall("", x1, y1, x2, y2, kind=DOOR)
            else:
                yield Wall("", x1, y1, x2, y2, kind=WINDOW, cover="", blocks_sight=False)


def _is_near(*places: tuple[float, float]) -> bool:
    return all(abs(number) <= 2 * MAX_METRES for place in places for number in place)


def _read_walls(file: File, scale: Scale, report: list[str]) -> Iterable[Wall]:
    """Walls along the lines of sight: corners that lie on a straight line are one wall."""
    lines = file.line_of_sight
    if sum(map(len, lines)) > MAX_CORNERS:
        raise Refused(
            "bad_value", f"The map draws more than {MAX_CORNERS} corners of walls: simplify it first."
        )
    chains: list[Chain] = [[scale.find(spot) for spot in line] for line in lines if len(line) > 1]
    near = [chain for chain in chains if _is_near(*chain)]
    if len(near) < len(chains):
        report.append(f"Left out: {_count(len(chains) - len(near), 'wall')} far off the map.")
    fitted = fit_chains(near, MAX_WALLS - len(file.portals), scale.cell)
    report += fitted.report
    for chain in fitted.chains:
        yield from (Wall("", *a, *b) for a, b in pairwise(chain))


def _read_obstacles(file: File, scale: Scale, report: list[str]) -> tuple[Obstacle, ...]:
    """Objects that block sight and shots as walls do, each by the rectangle around it."""
    found: list[Obstacle] = []
    for line in file.objects_line_of_sight[:MAX_OBSTACLES]:
        spots = [scale.find(spot) for spot in line]
        if len(spots) < 2 or not _is_near(*spots):
            continue
        xs, ys = [x for x, _ in spots], [y for _, y in spots]
        width, depth = round(max(xs) - min(xs), 3), round(max(ys) - min(ys), 3)
        if min(width, depth) >= 0.1:
            number = len(found) + 1
            name = f"Object {number}"
            box = Obstacle(f"o{number}", name, min(xs), min(ys), width, depth, cover=FULL, blocks_sight=True)
            found.append(box)
    if left := len(file.objects_line_of_sight) - len(found):
        report.append(f"Left out: {_count(left, 'object')}, too many or too thin. The others are rectangles.")
    return tuple(found)


def _read_lights(file: File, scale: Scale, report: list[str]) -> tuple[Light, ...]:
    """Lamps; their colors are only on the picture."""
    near = [lamp for lamp in file.lights if lamp.range > 0 and _is_near(scale.find(lamp.position))]
    lights = []
    for number, lamp in enumerate(near[:MAX_LIGHTS], 1):
        radius = min(round(lamp.range * scale.cell, 3), MAX_METRES)
        lights.append(Light(f"l{number}", *scale.find(lamp.position), radius=max(radius, 0.1)))
    if len(file.lights) > len(lights):
        gone = _count(len(file.lights) - len(lights), "light")
        report.append(f"Left out: {gone} without range, or above {MAX_LIGHTS}.")
    if lights:
        report.append("Left out: colors and brightness of lights.")
    if file.environment and file.environment.ambient_light:
        report.append("Left out: ambient light. Set the light of zones, or of the scene.")
    return tuple(lights)


def _read_picture(file: File, report: list[str]) -> bytes:
    """The bytes of the picture, not looked at yet."""
    words = file.image.partition(",")[2] if file.image.startswith("data:") else file.image
    try:
        raw = base64.b64decode("".join(words.split()), validate=True)
    except (binascii.Error, ValueError):
        raw = b""
        report.append("Left out: the picture, it is damaged.")
    if not words:
        report.append("The file has no picture.")
    return raw
