"""Universal VTT files (.dd2vtt, .uvtt, .df2vtt): a picture, walls, doors, windows and lights in one.

Their units are cells, counted from the origin; the picture is stretched over the cells it is said to cover,
so changing its resolution shifts nothing. A portal that is not closed becomes a window: that is how files
describe windows.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.battle_map import MAX_METERS
from combat.rules.core.space import BattleMap, Obstacle, Wall
from combat.rules.core.space.battle_map import DOOR, FULL, MAX_OBSTACLES, MAX_WALLS, WINDOW

from .imported import (
    MAP,
    MAX_CORNERS,
    MIN_SIDE,
    NOT_JSON,
    UNREADABLE,
    Imported,
    Report,
    Scale,
    Spot,
    are_heavy,
    describe_error,
    find_flaw,
    find_sides,
    is_near,
    make_lights,
    make_walls,
    name_kind,
    number_walls,
    read_part,
    read_parts,
    read_picture,
    still_encoded,
    tell_outside,
)

TOO_MUCH = f"More than {MAX_CORNERS:,} corners, doors and lights are too much: simplify the map."
PARTS = still_encoded("line_of_sight", "objects_line_of_sight", "portals", "lights")
NO_LIGHT = (b"", b"null", b'""')


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
    line_of_sight: list[msgspec.Raw] | None = None
    objects_line_of_sight: list[msgspec.Raw] | None = None
    portals: list[msgspec.Raw] | None = None
    lights: list[msgspec.Raw] | None = None
    environment: Environment | None = None
    image: str | None = None


def read_map(raw: bytes, cell: float, usual: float) -> Imported:
    """A file as a map with cells of `cell` meters; those of the game are `usual`. Refused for other files."""
    file = _decode(raw)
    scale, report = Scale(file.resolution.map_origin or Spot(0, 0), cell), Report()
    size = file.resolution.map_size
    zone = scale.make_zone(size.x * cell, size.y * cell)
    doors = tuple(_read_portals(read_parts(file.portals, Portal, "portal", report), scale, report))
    lines = [[scale.find(spot) for spot in line] for line in _read_lines(file.line_of_sight, report)]
    report.drop("wall", "without two ends", sum(len(set(line)) < 2 for line in lines))
    lines = [line for line in lines if len(set(line)) > 1]
    objects = read_parts(file.objects_line_of_sight, list[Spot], "object", report)
    lamps = read_parts(file.lights, Lamp, "light", report)
    walls = (*doors, *make_walls(lines, MAX_WALLS - len(doors), cell, report))
    drawn = BattleMap(
        walls=number_walls(walls),
        obstacles=tuple(_read_obstacles(objects, scale, report)),
        lights=tuple(make_lights(_read_lamps(lamps, scale), report)),
        cell=cell if cell != usual else 0.0,
    )
    if file.environment and bytes(file.environment.ambient_light) not in NO_LIGHT:
        report.lines.append("Left out: ambient light. Set the light of zones, or of the scene.")
    tell_outside(drawn, zone, report)
    picture = read_picture(file.image or "", report)
    return Imported(drawn, zone, picture, report.write(drawn))


def _decode(raw: bytes) -> File:
    """The fields of a file; their number is checked first, which takes almost no time."""
    try:
        file = None if are_heavy(PARTS, raw) else read_json(raw, File)
    except msgspec.ValidationError as wrong:
        raise Refused("bad_value", name_kind(raw) or describe_error(str(wrong), MAP)) from None
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise Refused("bad_value", name_kind(raw) or NOT_JSON) from None
    if file is None or _is_too_much(file):
        raise Refused("bad_value", TOO_MUCH)
    return file


def _is_too_much(file: File) -> bool:
    """Whether a file has too many parts; counts them without decoding any."""
    lines = [*(file.line_of_sight or ()), *(file.objects_line_of_sight or ())]
    parts = len(lines) + len(file.portals or ()) + len(file.lights or ())
    if parts > MAX_CORNERS:
        return True
    return parts + sum(len(read_part(line, list[msgspec.Raw]) or ()) for line in lines) > MAX_CORNERS


def _read_lines(encoded: list[msgspec.Raw] | None, report: Report) -> Iterator[list[Spot]]:
    """The lines of walls; one with a corner that cannot be read goes on behind it as another line."""
    for corners in read_parts(encoded, list[msgspec.Raw], "wall", report):
        line: list[Spot] = []
        for corner in corners:
            spot = read_part(corner, Spot)
            if spot is not None:
                line.append(spot)
                continue
            report.drop("corner", UNREADABLE)
            if len(line) > 1:
                yield line
            line = []
        if len(line) > 1 or len(line) == len(corners):
            yield line


def _read_portals(portals: list[Portal], scale: Scale, report: Report) -> Iterator[Wall]:
    """The walls for its portals: doors, and windows for those that are not closed."""
    made = 0
    for portal in portals:
        ends = [scale.find(spot) for spot in portal.bounds or ()]
        if problem := find_flaw(ends):
            report.drop("portal", problem)
        elif made == MAX_WALLS:
            report.drop("portal", f"above {MAX_WALLS}")
        else:
            made += 1
            yield _make_portal(*ends[0], *ends[1], is_door=portal.closed is not False)


def _make_portal(x1: float, y1: float, x2: float, y2: float, *, is_door: bool) -> Wall:
    if is_door:
        return Wall("", x1, y1, x2=x2, y2=y2, kind=DOOR)
    return Wall("", x1, y1, x2=x2, y2=y2, kind=WINDOW, cover="", blocks_sight=False)


def _read_obstacles(lines: list[list[Spot]], scale: Scale, report: Report) -> Iterator[Obstacle]:
    """Objects that block sight and shots as walls do, each by the rectangle around it."""
    made = 0
    for line in lines:
        spots = [scale.find(spot) for spot in line]
        if not spots or not is_near(*spots):
            report.drop("object", "without corners on the map")
            continue
        x, y, width, depth = find_sides(spots)
        if min(width, depth) < MIN_SIDE or max(width, depth) > MAX_METERS:
            report.drop("object", f"thinner than {MIN_SIDE:g} m or wider than {MAX_METERS:g} m")
        elif made == MAX_OBSTACLES:
            report.drop("object", f"above {MAX_OBSTACLES}")
        else:
            made += 1
            name = f"Object {made}"
            yield Obstacle(f"o{made}", name, x, y=y, width=width, depth=depth, cover=FULL, blocks_sight=True)
    if made:
        report.lines.append("Objects are imported as rectangles.")


def _read_lamps(lamps: list[Lamp], scale: Scale) -> Iterator[tuple[tuple[float, float] | None, float, bytes]]:
    """The lamps of a file by place, range in meters and encoded color."""
    for lamp in lamps:
        place = scale.find(lamp.position) if lamp.position else None
        yield place, (lamp.range or 0) * scale.cell, bytes(lamp.color)
