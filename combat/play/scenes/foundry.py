"""Scenes of Foundry VTT (JSON): walls, doors, windows and lights, and where the sides stand.

Their units are pixels, counted from the corner of the padding around the scene; a square has `grid.size` of
them, and `grid.distance` feet or meters. Tokens are people of another game: only their places are used.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import ceil
from typing import Any, TypeVar

import msgspec

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.battle_map import MAX_CELL, MAX_METERS
from combat.rules.core.space import BattleMap, Piece, Wall
from combat.rules.core.space.battle_map import DOOR, FENCE, FREE, MAX_WALLS, WALL, WINDOW
from combat.rules.core.space.decks import MAX_DECKS

from .chains import Chain, Place
from .imported import (
    MAX_CORNERS,
    MAX_PART_BYTES,
    SCENE,
    Imported,
    Report,
    Scale,
    Spot,
    are_heavy,
    count_parts,
    describe_error,
    find_flaw,
    find_sides,
    is_near,
    make_lights,
    make_walls,
    number_walls,
    read_parts,
    read_picture,
    still_encoded,
    tell_outside,
)
from .stacking import Level, is_on, list_levels, read_any, read_levels

T = TypeVar("T", "SceneWall", "SceneLamp")
TOO_MUCH = (
    f"More than {MAX_CORNERS:,} walls, lights and tokens, or {MAX_PART_BYTES // 1_000_000} MB of them, "
    "are too much: delete some in Foundry, then export the scene again."
)
TOO_MUCH_ON_LEVELS = (
    f"More than {MAX_CORNERS:,} walls and lights on all levels together are too much: give each its levels "
    "in Foundry, where one without any is on all of them, then export the scene again."
)
NOT_JSON = f"Not a {SCENE}: open its menu in Foundry, choose “Export Data”, and send that file."
METERS = {
    **dict.fromkeys(("m", "meter", "meters", "metre", "metres"), 1.0),
    **dict.fromkeys(("ft", "ft.", "feet", "foot"), 0.3),
    **dict.fromkeys(("yd", "yd.", "yard", "yards"), 0.9),
}
REGULAR, SECRET = 1, 2  # doors
OPEN, LOCKED = 1, 2  # states of a door
TERRAIN = (2, 10)  # of sight: one may look over one such wall
SEEN_THROUGH = (0, 30, 40)
PROXIMITY = 30  # of sight, and all above: from near, or from far
OWN_FLAGS = ("core", "exportSource")  # flags of a scene that say nothing of it
GRIDLESS, SQUARE = 0, 1
LEAST = 0.001  # of the distance that a square stands for
MAX_PADDING = 1  # times the size of the scene; the program itself allows half of that
FRIENDLY, HOSTILE = 1, -1
PLAIN: dict[str, Any] = {"kind": WALL}
MAX_NAMED = 6  # names of tokens in the report
BESIDES = {
    "tiles": "tile",
    "drawings": "drawing",
    "notes": "note",
    "sounds": "sound",
    "templates": "template",
    "regions": "region",
}
DEFAULT_LEVEL = "defaultLevel0000"  # of tokens that nobody has put on another one
ON_DELETED = "on a deleted level"
PARTS = still_encoded("walls", "lights", "tokens", *BESIDES)


class SceneWall(msgspec.Struct):
    """A wall with its two ends, and what it stops; older files write `sense` for `sight`.

    Programs that add heights to walls write them into `flags`.
    """

    c: list[float] | None = None
    move: int | None = None
    sight: int | None = None
    sense: int | None = None
    door: int | None = None
    ds: int | None = None
    dir: int | None = None
    light: msgspec.Raw = msgspec.Raw()
    flags: msgspec.Raw = msgspec.Raw()
    levels: msgspec.Raw = msgspec.Raw()


class LampFigures(msgspec.Struct):
    """The ranges of a light source in feet or meters, its color and its angle."""

    dim: float | None = None
    bright: float | None = None
    color: msgspec.Raw = msgspec.Raw()
    angle: float | None = None
    negative: bool | None = None


class SceneLamp(msgspec.Struct, rename="camel"):
    """A light source; older files have its figures beside its place."""

    x: float
    y: float
    hidden: bool | None = None
    config: LampFigures | None = None
    dim: float | None = None
    bright: float | None = None
    tint_color: msgspec.Raw = msgspec.Raw()
    angle: float | None = None
    elevation: msgspec.Raw = msgspec.Raw()
    walls: msgspec.Raw = msgspec.Raw()
    levels: msgspec.Raw = msgspec.Raw()


class SceneToken(msgspec.Struct):
    """A token: the pixels of its corner, its size in squares, and whether it is a friend."""

    x: float
    y: float
    name: str | None = None
    width: float | None = None
    height: float | None = None
    disposition: int | None = None
    level: msgspec.Raw = msgspec.Raw()


class SceneGrid(msgspec.Struct):
    """A grid: the pixels of a square, how far that is, and its kind."""

    size: float
    type: int | None = SQUARE
    distance: float | None = None
    units: str | None = None


class Background(msgspec.Struct, rename="camel"):
    """The picture of a scene, how far it is shifted in pixels, and turned in degrees."""

    src: str | None = None
    offset_x: float | None = None
    offset_y: float | None = None
    rotation: msgspec.Raw = msgspec.Raw()


class File(msgspec.Struct, rename="camel"):
    """The fields of a scene that we read, in the spelling of all versions; others are ignored."""

    width: float
    height: float
    grid: SceneGrid | float
    walls: list[msgspec.Raw]
    lights: list[msgspec.Raw] | None = None
    tokens: list[msgspec.Raw] | None = None
    padding: float | None = None
    background: Background | None = None
    img: str | None = None
    shift_x: float | None = None
    shift_y: float | None = None
    grid_type: int | None = SQUARE
    grid_distance: float | None = None
    grid_units: str | None = None
    tiles: list[msgspec.Raw] | None = None
    drawings: list[msgspec.Raw] | None = None
    notes: list[msgspec.Raw] | None = None
    sounds: list[msgspec.Raw] | None = None
    templates: list[msgspec.Raw] | None = None
    regions: list[msgspec.Raw] | None = None
    levels: msgspec.Raw = msgspec.Raw()
    initial_level: msgspec.Raw = msgspec.Raw()
    foreground: msgspec.Raw = msgspec.Raw()
    weather: msgspec.Raw = msgspec.Raw()
    darkness: msgspec.Raw = msgspec.Raw()
    environment: msgspec.Raw = msgspec.Raw()
    flags: msgspec.Raw = msgspec.Raw()


class Layout:
    """The measures of a scene: pixels of a square, its side in meters, and the corner of the picture."""

    def __init__(self, file: File, cell: float | None, usual: float, unit: str) -> None:
        grid = file.grid
        if not isinstance(grid, SceneGrid):  # an older file has its figures one by one
            grid = SceneGrid(grid, file.grid_type, file.grid_distance, file.grid_units)
        if not grid.size >= 1:
            raise Refused(
                "bad_value", f"Not a {SCENE}: a square is {grid.size:g} pixels wide, 1 is the least."
            )
        self.size, self.kind, self.distance = grid.size, grid.type, max(grid.distance or 1.0, LEAST)
        meters = METERS.get((grid.units or "").strip().casefold(), 0.0) * self.distance / METERS[unit]
        self.is_stated = cell is None and 0.1 <= meters <= MAX_CELL
        self.cell = cell or (round(meters, 3) if self.is_stated else usual)
        back = file.background or Background()
        left, top = back.offset_x or file.shift_x or 0.0, back.offset_y or file.shift_y or 0.0
        around = file.padding or 0.0
        if not 0 <= around <= MAX_PADDING:
            raise Refused("bad_value", f"Not a {SCENE}: its padding is {around:g}, 0 to {MAX_PADDING} works.")
        corner = (_round_up(file.width * around, self.size), _round_up(file.height * around, self.size))
        self.scale = Scale(Spot(corner[0] - left / self.size, corner[1] - top / self.size), self.cell)

    def follow(self, x: float, y: float) -> None:
        """Let the corner be that of a picture that lies so many pixels off the scene."""
        corner = self.scale.origin
        self.scale = Scale(Spot(corner.x + x / self.size, corner.y + y / self.size), self.cell)

    def find(self, x: float, y: float) -> Place:
        """The place of a pixel in meters."""
        return self.scale.find(Spot(x / self.size, y / self.size))


def _round_up(pixels: float, size: float) -> float:
    """Pixels as whole squares: the padding is at least as wide as it is set."""
    return float(ceil(pixels / size))


def read_scene(raw: bytes, cell: float | None, usual: float, unit: str) -> Imported:
    """A scene as a map; Refused for other files.

    A square is `cell` wide, else as wide as the file says, else as `usual` in the game, which measures in
    `unit`: m or yd.
    """
    file, report = _decode(raw), Report()
    layout = Layout(file, cell, usual, unit)
    levels = read_levels(file.levels, layout.cell / layout.distance)
    _follow_pictures(levels, layout, report)
    zone = layout.scale.make_zone(*(side / layout.size * layout.cell for side in (file.width, file.height)))
    walls = _keep_present(read_parts(file.walls, SceneWall, "wall", report), "wall", file, report)
    lamps = _keep_present(read_parts(file.lights, SceneLamp, "light", report), "light", file, report)
    decks = tuple(
        replace(level, map=_draw(*parts, layout, usual=usual, report=report))
        for level, parts in _share_out(walls, lamps, levels if len(levels) > 1 else ())
    )
    drawn = decks[0].map if decks else _draw(walls, lamps, layout, usual=usual, report=report)
    tokens = _find_floors(read_parts(file.tokens, SceneToken, "token", report), file, levels, report)
    starts = _read_starts(tokens, layout, report)
    for name, label in BESIDES.items():
        report.drop(label, "", len(getattr(file, name) or ()))
    if layout.kind not in (None, GRIDLESS, SQUARE):
        report.lines.append("The file has hexes: the grid here is the game's.")
    if layout.is_stated:
        report.lines.append(f"A square is {layout.cell:g} {unit} wide, as the file says.")
    tell_outside(drawn, zone, report)
    only = levels[0] if len(levels) == 1 else None
    _tell_depth(file, walls, only is not None and only.front, report)
    _tell_lamps_and_picture(lamps, file.background, report)
    named = (file.background and file.background.src) or file.img or (only.picture if only else "")
    picture = b"" if decks and not named else read_picture(named, report)
    if not picture:
        report.lines.append(f"The map is {zone.width:g} {unit} wide.")
    if decks:
        zone = msgspec.structs.replace(zone, name=decks[0].name)
        listed = ", ".join(level.name for level in decks)
        report.lines.append(f"{len(decks)} levels are decks now ({listed}). Draw the ways between them.")
        _tell_levels(decks, len(list_levels(file.levels)), report)
    return Imported(
        drawn,
        zone,
        picture,
        report=report.write(_join(decks) or drawn),
        starts=tuple(start for start, _ in starts),
        levels=decks,
        floors=tuple(n for _, n in starts),
    )


def _follow_pictures(levels: tuple[Level, ...], layout: Layout, report: Report) -> None:
    """Measure from the corner of the picture, which may lie off the scene; tell what else is done to it.

    Pictures of several levels that lie off by different distances are told.
    """
    pictured = [level for level in levels if level.picture]
    shifts = {level.shift for level in pictured}
    if len(shifts) > 1:
        listed = ", ".join(f"{level.name} {_write_shift(level.shift)}" for level in pictured)
        report.lines.append(
            f"Foundry shifts the pictures of levels, in pixels: {listed}. Shift them likewise."
        )
    elif any(shift := next(iter(shifts), (0.0, 0.0))):
        layout.follow(*shift)
        report.lines.append(
            f"Foundry shifts the picture by {_write_shift(shift)} pixels: walls lie on it as there."
        )
    for level in pictured:
        if level.change:
            which = f" of {level.name}" if len(levels) > 1 else ""
            works = "turn" if level.change == "turned" else "scale"
            report.lines.append(
                f"The picture{which} is not {level.change} here: {works} it in a picture editor, then add it."
            )


def _write_shift(shift: tuple[float, float]) -> str:
    return f"{shift[0]:g} × {shift[1]:g}".replace("-", "\u2212")


def _keep_present(parts: list[T], label: str, file: File, report: Report) -> list[T]:
    """The walls or lights without those that hang on nothing but deleted levels, which are counted."""
    levels = list_levels(file.levels)
    kept = [one for one in parts if not levels or is_on(one.levels, levels)]
    report.drop(label, ON_DELETED, len(parts) - len(kept))
    return kept


def _find_floors(
    tokens: list[SceneToken], file: File, levels: tuple[Level, ...], report: Report
) -> list[tuple[SceneToken, int]]:
    """The tokens with the numbers of their levels, without those on levels that are not here.

    One that names none is on the lowest. On the default level, if that is gone, are those that nobody has put
    elsewhere: they count for the level that the scene opens with, else for the lowest.
    """
    listed, numbers = list_levels(file.levels), {level.id: n for n, level in enumerate(levels)}
    first = numbers.get(str(read_any(file.initial_level)), 0)
    placed, moved = [], 0
    for token in tokens:
        named = read_any(token.level)
        if named is None or not levels or named in numbers:
            placed.append((token, numbers.get(named, 0)))
        elif named == DEFAULT_LEVEL and named not in listed:
            placed.append((token, first))
            moved += 1
        else:
            report.drop("token", "on levels that are left out" if named in listed else ON_DELETED)
    if moved and len(levels) > 1:
        report.lines.append(f"{count_parts(moved, 'token')} without a level: on {levels[first].name} here.")
    return placed


def _share_out(
    walls: list[SceneWall], lamps: list[SceneLamp], levels: Iterable[Level]
) -> list[tuple[Level, tuple[list[SceneWall], list[SceneLamp]]]]:
    """Each level with its walls and lights; Refused if they are too many together to be drawn in a second."""
    shared = [
        (
            level,
            (
                [one for one in walls if is_on(one.levels, (level.id,))],
                [one for one in lamps if is_on(one.levels, (level.id,))],
            ),
        )
        for level in levels
    ]
    if sum(len(part) for _, parts in shared for part in parts) > MAX_CORNERS:
        raise Refused("bad_value", TOO_MUCH_ON_LEVELS)
    return shared


def _draw(
    walls: list[SceneWall], lamps: list[SceneLamp], layout: Layout, usual: float, report: Report
) -> BattleMap:
    """Walls and lights as a map."""
    return BattleMap(
        walls=number_walls(_read_walls(walls, layout, report)),
        lights=tuple(make_lights(_read_lamps(lamps, layout, report), report)),
        grid=FREE if layout.kind == GRIDLESS else "",
        cell=layout.cell if layout.cell != usual else 0.0,
    )


def _join(levels: Iterable[Level]) -> BattleMap:
    """All walls and lights of all levels, to be counted."""
    maps = [level.map for level in levels]
    return BattleMap(
        tuple(wall for one in maps for wall in one.walls),
        lights=tuple(lamp for one in maps for lamp in one.lights),
    )


def _decode(raw: bytes) -> File:
    """The fields of a scene; the bytes of its parts are counted first, which takes almost no time."""
    try:
        file = None if are_heavy(PARTS, raw) else read_json(raw, File)
    except msgspec.ValidationError as wrong:
        raise Refused("bad_value", describe_error(str(wrong), SCENE)) from None
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        raise Refused("bad_value", NOT_JSON) from None
    if file is None or sum(map(len, (file.walls, file.lights or (), file.tokens or ()))) > MAX_CORNERS:
        raise Refused("bad_value", TOO_MUCH)
    return file


# ---- Walls and doors ----


def _read_walls(walls: list[SceneWall], layout: Layout, report: Report) -> Iterator[Wall]:
    """Doors and walls of other kinds first, then plain walls as far as a map holds them."""
    chains: list[Chain] = []
    one_way = made = 0
    for one in walls:
        c = one.c or []
        ends = [layout.find(*c[:2]), layout.find(*c[2:])] if len(c) == 4 else []
        kind = _find_kind(one)
        if not kind:
            report.drop("wall", "that stops neither sight nor movement")
        elif kind == PLAIN and ends and ends[0] == ends[1]:
            report.drop("wall", "whose ends are one place")
        elif kind == PLAIN and ends:
            _add_to_chains(chains, ends)
        elif problem := find_flaw(ends):
            report.drop("door" if kind["kind"] == DOOR else "wall", problem)
        elif made == MAX_WALLS:
            report.drop("door" if kind["kind"] == DOOR else "wall", f"above {MAX_WALLS}")
        else:
            made += 1
            yield Wall("", *ends[0], *ends[1], **kind)
        one_way += bool(one.dir)
    yield from make_walls(chains, MAX_WALLS - made, layout.cell, report)
    if one_way:
        report.lines.append(f"Walls work from both sides here ({one_way} did not).")


def _find_kind(one: SceneWall) -> dict[str, Any]:
    """What a wall is here, as fields of a Wall; empty for one that stops nothing but sound."""
    sight = one.sight if one.sight is not None else one.sense
    clear = sight in (*SEEN_THROUGH, *TERRAIN)
    if one.door in (REGULAR, SECRET):
        look = {"cover": "", "blocks_sight": False} if clear else {}
        state = {"open": one.ds == OPEN, "locked": one.ds == LOCKED, "secret": one.door == SECRET}
        return {"kind": DOOR, **look, **state}
    if one.move == 0:
        return {} if clear else {"kind": WALL, "cover": "", "blocks_way": False}
    if clear:
        return {"kind": FENCE if sight in TERRAIN else WINDOW, "cover": "", "blocks_sight": False}
    return PLAIN


def _add_to_chains(chains: list[Chain], ends: list[Place]) -> None:
    """Add a wall to the last chain if it begins at its end: people draw walls in a row."""
    if chains and chains[-1][-1] == ends[0]:
        chains[-1].append(ends[1])
    else:
        chains.append(ends)


# ---- Lights and tokens ----


def _read_lamps(
    lamps: Iterable[SceneLamp], layout: Layout, report: Report
) -> Iterator[tuple[Place | None, float, bytes]]:
    """The lamps that shine, by place, range in meters and encoded color."""
    narrow = 0
    for lamp in lamps:
        found = lamp.config or LampFigures(lamp.dim, lamp.bright, lamp.tint_color, lamp.angle)
        most = max(found.dim or 0.0, found.bright or 0.0)
        if lamp.hidden:
            report.drop("light", "switched off")
        elif found.negative or min(found.dim or 0.0, found.bright or 0.0) < 0:
            report.drop("light", "that spreads darkness")
        else:
            narrow += 0 < (found.angle or 360) < 360
            yield layout.find(lamp.x, lamp.y), most / layout.distance * layout.cell, bytes(found.color)
    if narrow:
        report.lines.append(f"{count_parts(narrow, 'light')} that shone one way: all around here.")


def _read_starts(
    placed: list[tuple[SceneToken, int]], layout: Layout, report: Report
) -> tuple[tuple[Piece, int], ...]:
    """Where friends and enemies begin, each with the number of the level.

    Each begins around its tokens on the level with most of them, with one square more on every side.
    """
    if not placed:
        return ()
    tokens = [one for one, _ in placed]
    names = Counter(tidy(one.name or "")[:40] or "no name" for one in tokens)
    listed = ", ".join(f"{n} × {name}" if n > 1 else name for name, n in names.most_common(MAX_NAMED))
    more = ", …" if len(names) > MAX_NAMED else ""
    who = f"{count_parts(len(tokens), 'token')} ({listed}{more})"
    report.lines.append(f"Left out: {who}. Add them as combatants.")
    ours, theirs = (_make_start(placed, side, layout) for side in (FRIENDLY, HOSTILE))
    if ours is None or theirs is None or (ours[1] == theirs[1] and _overlap(ours[0], theirs[0])):
        report.lines.append(
            "Left out: where they stood. Only friends and enemies apart give each side a start."
        )
        return ()
    report.lines.append("The sides begin where the friendly and the hostile tokens stood.")
    return ours, theirs


def _make_start(placed: list[tuple[SceneToken, int]], side: int, layout: Layout) -> tuple[Piece, int] | None:
    """The ground around the tokens of a side, and its level; None without any on the map."""
    corners = defaultdict[int, list[Place]](list)
    for one, level in placed:
        wide, deep = ((side or 1.0) * layout.size for side in (one.width, one.height))
        ends = layout.find(one.x, one.y), layout.find(one.x + wide, one.y + deep)
        if one.disposition == side and is_near(*ends):
            corners[level] += ends
    if not corners:
        return None
    level = max(sorted(corners), key=lambda n: len(corners[n]))
    x, y, width, depth = find_sides(corners[level])
    cell = layout.cell
    start = Piece(x - cell, y - cell, max(width + 2 * cell, 1.0), max(depth + 2 * cell, 1.0))
    return (start, level) if max(start.width, start.depth) <= MAX_METERS else None


def _overlap(one: Piece, other: Piece) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.depth
        and other.y < one.y + one.depth
    )


# ---- What a flat map has not ----


def _tell_depth(file: File, walls: list[SceneWall], is_covered: bool, report: Report) -> None:
    """Tell what a scene has above and around its ground: heights, light and weather of the whole."""
    around = read_any(file.environment)
    tall = sum(_has_height(read_any(wall.flags)) for wall in walls)
    if tall:
        report.lines.append(f"Walls reach from the ground to the ceiling here ({tall} did not).")
    unlike = sum(_lets_light_otherwise(wall) for wall in walls)
    if unlike:
        report.lines.append(f"Walls stop light where they stop sight here ({unlike} did not).")
    near = sum((wall.sight or 0) >= PROXIMITY for wall in walls)
    if near:
        report.lines.append(f"{count_parts(near, 'wall')} seen through from near or far: windows here.")
    dark = read_any(file.darkness) or (around.get("darknessLevel") if isinstance(around, dict) else 0)
    front = read_any(file.foreground)
    if is_covered or (front.get("src") if isinstance(front, dict) else front):
        report.lines.append("Left out: the foreground picture.")
    if read_any(file.weather):
        report.lines.append("Left out: weather.")
    if dark:
        report.lines.append("Left out: darkness. Set the light of zones, or of the scene.")
    flags = read_any(file.flags)
    added = [tidy(key)[:40] for key in flags if key not in OWN_FLAGS] if isinstance(flags, dict) else []
    if added:
        listed = ", ".join(added[:MAX_NAMED]) + (", …" if len(added) > MAX_NAMED else "")
        report.lines.append(f"Left out: what modules of Foundry added ({listed}).")


def _tell_levels(levels: tuple[Level, ...], total: int, report: Report) -> None:
    """Tell what several levels lose: their pictures, since a map has one, and those that are too many."""
    report.drop("level", f"above {MAX_DECKS}, with what is only there", total - len(levels))
    pictured = ", ".join(level.name for level in levels if level.picture)
    if pictured:
        report.lines.append(
            f"Left out: the pictures of levels ({pictured}), the file only names them. A map has one: "
            "join them in a picture editor as the decks lie side by side, then “Add picture”."
        )
    if any(level.front for level in levels):
        report.lines.append("Left out: the foreground pictures of levels.")


def _tell_lamps_and_picture(lamps: list[SceneLamp], picture: Background | None, report: Report) -> None:
    """Tell of lights above the ground or through walls, and of a picture that is turned."""
    above = sum(bool(read_any(lamp.elevation)) for lamp in lamps)
    if above:
        report.lines.append(f"Lights stand on the ground here ({above} did not).")
    free = sum(read_any(lamp.walls) is False for lamp in lamps)
    if free:
        report.lines.append(f"Walls stop the light of all lights here ({free} shone through).")
    if picture and read_any(picture.rotation):
        report.lines.append("The picture is not turned here: turn it in a picture editor, then add it again.")


def _has_height(flags: Any) -> bool:
    """Whether the flags of a wall say where it begins or ends above the ground."""
    heights = flags.get("wall-height") if isinstance(flags, dict) else None
    return isinstance(heights, dict) and any(heights.get(end) is not None for end in ("top", "bottom"))


def _lets_light_otherwise(wall: SceneWall) -> bool:
    """Whether a wall stops light but not sight, or sight but not light."""
    light, sight = read_any(wall.light), wall.sight
    if not isinstance(light, int) or sight is None:
        return False
    return (light in SEEN_THROUGH) != (sight in SEEN_THROUGH)
