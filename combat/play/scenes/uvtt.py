"""Universal VTT files (.dd2vtt, .uvtt, .df2vtt): a picture, walls, doors, windows and lights in one.

Nothing in such a file is trusted. Its units are cells, counted from its origin; the picture is stretched over
the cells it is said to cover, so changing its resolution shifts nothing. A portal that is not closed becomes
a window: that is how files describe windows. One file is read at a time, and one with too many parts is
refused before any of them is read.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise

import msgspec

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.typed import read_json
from combat.rules.core.gm.battle_map import MAX_METRES
from combat.rules.core.space import BattleMap, Light, Obstacle, Wall, Zone
from combat.rules.core.space.battle_map import DOOR, FULL, MAX_LIGHTS, MAX_OBSTACLES, MAX_WALLS, WINDOW

from .chains import Chain, fit_chains
from .uvtt_errors import NOT_JSON, describe_error, name_program

MAX_BYTES = 15_500_000
MAX_CORNERS = 20_000  # of walls and objects in a file, with doors and lights: more than any map needs
MAX_PART_BYTES = 200 * MAX_CORNERS  # of all these
COLOR = re.compile(rb'"#?(?:[\da-fA-F]{2})?([\da-fA-F]{2})([\da-fA-F]{2})([\da-fA-F]{2})"')
RED = 2  # times as much red as green and blue: a red lamp
TOO_MUCH = f"More than {MAX_CORNERS:,} corners, doors and lights are too much: simplify the map."
MAX_PATH = 300  # characters: a shorter one that names a picture is a path
MIN_SIDE = 0.1  # metres of a door or an object
WAIT_SECONDS = 3  # for other files
NO_LIGHT = (b"", b"null", b'""')
BUSY = "Another map is being imported: send yours again in a moment."
ADDRESS = re.compile(r"[?#]")  # what begins behind the path of an address
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".webm", ".mp4")

_reading = threading.Lock()


class Spot(msgspec.Struct, gc=False):
    """A place in cells."""

    x: float
    y: float


class Resolution(msgspec.Struct):
    """The size of the map in cells, and where they begin."""

    map_size: Spot
    map_origin: Spot | None = None


class Portal(msgspec.Struct):
    """A door or a window between two places."""

    bounds: list[Spot] | None = None
    closed: bool | None = True


class Lamp(msgspec.Struct):
    """A light source, its range in cells, and its color: alpha, red, green, blue, in hexadecimal digits."""

    position: Spot | None = None
    range: float | None = None
    color: msgspec.Raw = msgspec.Raw()


class Environment(msgspec.Struct):
    """The light of the whole map."""

    ambient_light: msgspec.Raw = msgspec.Raw()


class File(msgspec.Struct):
    """The fields of a file that we read; others are ignored. Mapping programs write null for none."""

    resolution: Resolution
    line_of_sight: list[list[Spot]] | None = None
    objects_line_of_sight: list[list[Spot]] | None = None
    portals: list[Portal] | None = None
    lights: list[Lamp] | None = None
    environment: Environment | None = None
    image: str | None = None


class Parts(msgspec.Struct):
    """The parts of a file that may be numerous, still encoded."""

    line_of_sight: msgspec.Raw = msgspec.Raw()
    objects_line_of_sight: msgspec.Raw = msgspec.Raw()
    portals: msgspec.Raw = msgspec.Raw()
    lights: msgspec.Raw = msgspec.Raw()


@dataclass(frozen=True)
class Imported:
    """The content of a file: the map in metres, a zone over all of it, its picture, and what was left out."""

    map: BattleMap
    zone: Zone
    picture: bytes
    report: tuple[str, ...]


@dataclass(frozen=True)
class Scale:
    """A scale from the cells of a file to metres: the first cell is around the middle of the plane."""

    origin: Spot
    cell: float

    def find(self, spot: Spot) -> tuple[float, float]:
        """The place of a spot, in metres."""
        x, y = spot.x - self.origin.x, spot.y - self.origin.y
        return round((x - 0.5) * self.cell, 3), round((y - 0.5) * self.cell, 3)


@dataclass
class Report:
    """What was done to a file: sentences, and how many parts were left out for which reason."""

    lines: list[str] = field(default_factory=list)
    left: Counter[tuple[str, str]] = field(default_factory=Counter)

    def drop(self, name: str, reason: str, number: int = 1) -> None:
        """Count parts that are left out."""
        self.left[name, reason] += number

    def write(self) -> tuple[str, ...]:
        """The whole report as sentences."""
        gone = (f"Left out: {_count(n, name)} {reason}." for (name, reason), n in self.left.items() if n > 0)
        return (*gone, *self.lines)


def read_file(raw: bytes, cell: float) -> Imported:
    """A file as a map with cells of `cell` metres; Refused for other files, or while others are read."""
    if len(raw) > MAX_BYTES:
        raise Refused("bad_value", f"The file is too large: send at most {MAX_BYTES / 1e6:g} MB.")
    with _one_at_a_time():
        return _convert(_decode(raw), cell)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    if not _reading.acquire(timeout=WAIT_SECONDS):
        raise Refused("busy", BUSY)
    try:
        yield
    finally:
        _reading.release()


def _decode(raw: bytes) -> File:
    """The fields of a file; their number is checked first, which takes almost no time."""
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        parts = read_json(raw, Parts)
        if sum(len(bytes(getattr(parts, name))) for name in parts.__struct_fields__) > MAX_PART_BYTES:
            raise Refused("bad_value", TOO_MUCH)
        file = read_json(raw, File)
    except msgspec.ValidationError as wrong:
        raise Refused("bad_value", name_program(raw) or describe_error(str(wrong))) from None
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise Refused("bad_value", NOT_JSON) from None
    if _is_too_much(file):
        raise Refused("bad_value", TOO_MUCH)
    return file


def _is_too_much(file: File) -> bool:
    """Whether a file has too many parts; counts them without decoding any."""
    lines = (file.line_of_sight or [], file.objects_line_of_sight or [])
    parts = sum(map(len, (*lines, file.portals or (), file.lights or ())))
    return parts > MAX_CORNERS or parts + sum(len(line) for some in lines for line in some) > MAX_CORNERS


def _convert(file: File, cell: float) -> Imported:
    size, origin = file.resolution.map_size, file.resolution.map_origin or Spot(0, 0)
    width, depth = size.x * cell, size.y * cell
    if not (1 <= width <= MAX_METRES and 1 <= depth <= MAX_METRES):
        text = f"The map would be {width:g} × {depth:g} m: 1 to {MAX_METRES:g} m per side work."
        raise Refused("bad_value", text)
    scale, report = Scale(origin, cell), Report()
    doors = tuple(_read_portals(file.portals or [], scale, report))
    walls = (*doors, *_read_walls(file.line_of_sight or [], scale, report, MAX_WALLS - len(doors)))
    drawn = BattleMap(
        walls=tuple(msgspec.structs.replace(wall, id=f"w{n}") for n, wall in enumerate(walls, 1)),
        obstacles=tuple(_read_obstacles(file.objects_line_of_sight or [], scale, report)),
        lights=tuple(_read_lights(file, scale, report)),
        cell=cell if cell != 1 else 0.0,
    )
    left, top = scale.find(origin)
    zone = Zone("zone1", "Map", left, top, round(width, 3), round(depth, 3))
    picture = _read_picture(file.image or "", report)
    return Imported(drawn, zone, picture, (_sum_up(drawn), *report.write()))


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


def _is_near(*places: tuple[float, float]) -> bool:
    """Whether all places are numbers, on the map or not far from it."""
    return all(abs(number) <= 2 * MAX_METRES for place in places for number in place)


def _find_sides(places: Iterable[tuple[float, float]]) -> tuple[float, float, float, float]:
    """The rectangle around some places: its corner, width and depth."""
    xs, ys = zip(*places, strict=True)
    return min(xs), min(ys), round(max(xs) - min(xs), 3), round(max(ys) - min(ys), 3)


def _read_portals(portals: list[Portal], scale: Scale, report: Report) -> Iterator[Wall]:
    """The walls for its portals: doors, and windows for those that are not closed."""
    made = 0
    for portal in portals:
        ends = [scale.find(spot) for spot in portal.bounds or ()]
        if problem := _find_flaw(ends):
            report.drop("portal", problem)
        elif made == MAX_WALLS:
            report.drop("portal", f"above {MAX_WALLS}")
        else:
            made += 1
            yield _make_portal(*ends[0], *ends[1], is_door=portal.closed is not False)


def _find_flaw(ends: list[tuple[float, float]]) -> str:
    """What is wrong with a portal between these places; empty if nothing is."""
    if len(ends) != 2:
        return "without two ends"
    if not _is_near(*ends):
        return "far off the map"
    _, _, width, depth = _find_sides(ends)
    if max(width, depth) > MAX_METRES:
        return f"wider than {MAX_METRES:g} m"
    return f"narrower than {MIN_SIDE:g} m" if max(width, depth) < MIN_SIDE else ""


def _make_portal(x1: float, y1: float, x2: float, y2: float, *, is_door: bool) -> Wall:
    if is_door:
        return Wall("", x1, y1, x2, y2, kind=DOOR)
    return Wall("", x1, y1, x2, y2, kind=WINDOW, cover="", blocks_sight=False)


def _read_walls(lines: list[list[Spot]], scale: Scale, report: Report, most: int) -> Iterator[Wall]:
    """Walls along the lines of sight; corners on a straight line are joined to one wall."""
    chains: list[Chain] = [[scale.find(spot) for spot in line] for line in lines if len(line) > 1]
    near = [chain for chain in chains if _is_near(*chain)]
    report.drop("wall", "far off the map", len(chains) - len(near))
    fitted = fit_chains(near, most, scale.cell)
    report.lines += fitted.report
    for chain in fitted.chains:
        for (x1, y1), (x2, y2) in pairwise(chain):
            if max(abs(x1 - x2), abs(y1 - y2)) > MAX_METRES:
                report.drop("wall", "far off the map")
            else:
                yield Wall("", x1, y1, x2, y2)


def _read_obstacles(lines: list[list[Spot]], scale: Scale, report: Report) -> Iterator[Obstacle]:
    """Objects that block sight and shots as walls do, each by the rectangle around it."""
    made = 0
    for line in lines:
        spots = [scale.find(spot) for spot in line]
        if not spots or not _is_near(*spots):
            report.drop("object", "without corners on the map")
            continue
        x, y, width, depth = _find_sides(spots)
        if min(width, depth) < MIN_SIDE or max(width, depth) > MAX_METRES:
            report.drop("object", f"thinner than {MIN_SIDE:g} m or wider than {MAX_METRES:g} m")
        elif made == MAX_OBSTACLES:
            report.drop("object", f"above {MAX_OBSTACLES}")
        else:
            made += 1
            name = f"Object {made}"
            yield Obstacle(f"o{made}", name, x, y, width, depth, cover=FULL, blocks_sight=True)
    if made:
        report.lines.append("Objects are imported as rectangles.")


def _find_tint(written: bytes) -> str:
    """The tint next to a color; "" for a warm one, or none that can be read."""
    found = COLOR.fullmatch(written)
    if not found:
        return ""
    red, green, blue = (int(part, 16) for part in found.groups())
    if red > RED * max(green, blue):
        return "red"
    return "cold" if blue > red else ""


def _read_lights(file: File, scale: Scale, report: Report) -> Iterator[Light]:
    """The lamps of a file, each in the tint next to its color."""
    made = 0
    for lamp in file.lights or ():
        place = scale.find(lamp.position) if lamp.position else None
        if place is None or not _is_near(place):
            report.drop("light", "far off the map")
        elif not (lamp.range and lamp.range > 0):
            report.drop("light", "without range")
        elif made == MAX_LIGHTS:
            report.drop("light", f"above {MAX_LIGHTS}")
        else:
            made += 1
            radius = min(round(lamp.range * scale.cell, 3), MAX_METRES)
            yield Light(f"l{made}", *place, radius=max(radius, 0.1), tint=_find_tint(bytes(lamp.color)))
    if made:
        report.lines.append("Left out: exact colors and brightness of lights.")
    if file.environment and bytes(file.environment.ambient_light) not in NO_LIGHT:
        report.lines.append("Left out: ambient light. Set the light of zones, or of the scene.")


def _read_picture(image: str, report: Report) -> bytes:
    """The bytes of the picture, not checked yet."""
    words = image.partition(",")[2] if image.startswith("data:") else image
    if not words:
        report.lines.append("The file has no picture.")
        return b""
    if len(words) <= MAX_PATH and ADDRESS.split(words.lower(), maxsplit=1)[0].endswith(PICTURES):
        report.lines.append("Left out: the picture, the file only names it. Add it with “Add picture”.")
        return b""
    try:
        return base64.b64decode("".join(words.split()), validate=True)
    except (binascii.Error, ValueError):
        report.lines.append("Left out: the picture, it is damaged.")
        return b""
