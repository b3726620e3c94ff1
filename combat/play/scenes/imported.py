"""What every reader of maps makes: a battle map, a zone over all of it, a picture, and a report."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from combat.audience.map_fog import Clip, find_shares
from combat.models import Encounter, ScenePicture
from combat.rules.core.basics.data import read_json
from combat.rules.core.basics.errors import Refused
from combat.rules.core.gm.battle_map import MAX_METERS
from combat.rules.core.space import BattleMap, Light, Picture, Piece, Scene, Wall, Zone, map_of, with_map
from combat.rules.core.space.battle_map import DOOR, FENCE, MAX_LIGHTS, WINDOW
from cosmos_site.base.file_kinds import DATA, EDITOR, PEOPLE, PICTURE, find_kind
from cosmos_site.base.pictures import Picture as RemadePicture
from cosmos_site.base.pictures import cut_out

from .chains import Chain, Place, fit_chains
from .stacking import Level

T = TypeVar("T")
MAX_CORNERS = 20_000  # of walls and objects in a file, with doors and lights: more than any map needs
MAX_PART_BYTES = 200 * MAX_CORNERS  # of all these
COLOR = re.compile(rb'"#?(?:[\da-fA-F]{2})?([\da-fA-F]{2})([\da-fA-F]{2})([\da-fA-F]{2})"')
RED = 2  # times as much red as green and blue: a red lamp
MAX_PATH = 300  # characters: a shorter one that names a picture is a path
MAX_STRETCH = 0.02  # of a side of the picture, before people are told
MIN_SIDE = 0.1  # meters of a door or an object
UNREADABLE = "that cannot be read"
ADDRESS = re.compile(r"[?#]")  # what begins behind the path of an address
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".webm", ".mp4")
MAP, SCENE = "Universal VTT file", "scene of Foundry VTT"
WORKS = f"choose a .dd2vtt, .uvtt or .df2vtt file, or a {SCENE}."
NOT_JSON = f"Not a {MAP}: {WORKS}"
MAX_FIELD = 80  # characters of a field's name
_AT = re.compile(r"^(?P<what>.*?)(?: - at `\$\.?(?P<where>.*)`)?$", re.DOTALL)
_MISSING = re.compile(r"missing required field `(?P<field>\w+)`")
_EXPECTED = re.compile(r"Expected `(?P<wanted>[^`]+)`, got `(?P<got>[^`]+)`")
_KINDS = {
    "object": "a group of fields",
    "array": "a list",
    "str": "text",
    "float": "a number",
    "int": "a number",
    "bool": "true or false",
    "null": "null",
}
_WANTED = {**_KINDS, "int": "a whole number"}
MAX_PICTURES = 5  # per encounter: an undo may need an older one
PIXELS_PER_METER = 50  # until someone scales the picture
MAX_CUT = 16  # cut pictures that this process keeps


class Spot(msgspec.Struct, gc=False):
    """A place in cells."""

    x: float
    y: float


def still_encoded(*names: str) -> type[msgspec.Struct]:
    """The shape of the parts of a file that may be numerous."""
    return msgspec.defstruct("Parts", [(name, msgspec.Raw, msgspec.Raw()) for name in names])


def are_heavy(shape: type[msgspec.Struct], raw: bytes) -> bool:
    """Whether the parts of a file are more than any map needs."""
    return sum(len(bytes(part)) for part in msgspec.structs.astuple(read_json(raw, shape))) > MAX_PART_BYTES


@dataclass(frozen=True)
class Imported:
    """The content of a file: the map in meters, a zone over all of it, its picture, and what was left out.

    `starts` are where the sides begin, if the file says so: the players' first. A file with several `levels`
    has the lowest as its map; `floors` are the numbers of the levels on which the starts are.
    """

    map: BattleMap
    zone: Zone
    picture: bytes
    report: tuple[str, ...]
    starts: tuple[Piece, ...] = ()
    levels: tuple[Level, ...] = ()
    floors: tuple[int, ...] = ()


@dataclass(frozen=True)
class Scale:
    """A scale from the cells of a file to meters: the first cell is around the middle of the plane."""

    origin: Spot
    cell: float

    def find(self, spot: Spot) -> Place:
        """The place of a spot, in meters."""
        x, y = spot.x - self.origin.x, spot.y - self.origin.y
        return round((x - 0.5) * self.cell, 3), round((y - 0.5) * self.cell, 3)

    def make_zone(self, width: float, depth: float) -> Zone:
        """A zone over a map of this size in meters; Refused for a size that no map has."""
        if not (1 <= width <= MAX_METERS and 1 <= depth <= MAX_METERS):
            text = f"The map would be {width:g} × {depth:g} m: 1 to {MAX_METERS:g} m per side work."
            raise Refused("bad_value", text)
        return Zone("zone1", "Map", *self.find(self.origin), round(width, 3), round(depth, 3))


@dataclass
class Report:
    """What was done to a file: sentences, and how many parts were left out for which reason."""

    lines: list[str] = field(default_factory=list)
    left: Counter[tuple[str, str]] = field(default_factory=Counter)

    def drop(self, name: str, reason: str, number: int = 1) -> None:
        """Count parts that are left out."""
        self.left[name, reason] += number

    def write(self, drawn: BattleMap) -> tuple[str, ...]:
        """The whole report as sentences, with what the map has."""
        gone = (
            f"Left out: {' '.join(filter(None, (count_parts(n, name), reason)))}."
            for (name, reason), n in self.left.items()
            if n > 0
        )
        return (_sum_up(drawn), *gone, *self.lines)


def read_part(encoded: msgspec.Raw, shape: type[T]) -> T | None:
    """A part of a file; None if its fields are of other kinds."""
    try:
        return read_json(bytes(encoded), shape)
    except msgspec.ValidationError:
        return None


def read_parts(encoded: Iterable[msgspec.Raw] | None, shape: type[T], name: str, report: Report) -> list[T]:
    """The parts of a file that can be read; the others are left out, and take none of these along."""
    parts = [read_part(one, shape) for one in encoded or ()]
    report.drop(name, UNREADABLE, parts.count(None))
    return [one for one in parts if one is not None]


def _sum_up(drawn: BattleMap) -> str:
    kinds = Counter(wall.kind for wall in drawn.walls)
    doors, windows, fences = kinds[DOOR], kinds[WINDOW], kinds[FENCE]
    parts = (
        ("wall", len(drawn.walls) - doors - windows - fences),
        ("door", doors),
        ("window", windows),
        ("fence", fences),
        ("obstacle", len(drawn.obstacles)),
        ("light", len(drawn.lights)),
    )
    words = [count_parts(count, name) for name, count in parts if count]
    return f"Imported: {', '.join(words) or 'no walls'}."


def count_parts(number: int, name: str) -> str:
    """How many parts there are, in words: 2 walls."""
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def is_near(*places: Place) -> bool:
    """Whether all places are numbers, on the map or not far from it."""
    return all(abs(number) <= 2 * MAX_METERS for place in places for number in place)


def tell_outside(drawn: BattleMap, zone: Zone, report: Report) -> None:
    """Tell of walls, objects and lights that lie wholly beside the map and its picture."""
    low, high = (zone.x, zone.y), (zone.x + zone.width, zone.y + zone.depth)

    def lies_outside(*places: Place) -> bool:
        sides = zip(low, high, zip(*places, strict=True), strict=True)
        return any(max(there) < first or min(there) > last for first, last, there in sides)

    walls = sum(lies_outside((one.x1, one.y1), (one.x2, one.y2)) for one in drawn.walls)
    objects = sum(
        lies_outside((one.x, one.y), (one.x + one.width, one.y + one.depth)) for one in drawn.obstacles
    )
    lights = sum(lies_outside((one.x, one.y)) for one in drawn.lights)
    counts = ((walls, "wall"), (objects, "object"), (lights, "light"))
    if said := " and ".join(count_parts(number, name) for number, name in counts if number):
        report.lines.append(f"Outside the map: {said}. Move or remove them.")


def tell_shape(width: int, height: int, zone: Zone, unit: str) -> str:
    """A sentence about a picture of so many pixels that is stretched to cover the map; empty if it is not."""
    share = width * zone.depth / (height * zone.width)
    if abs(share - 1) <= MAX_STRETCH:
        return ""
    sides = f"{zone.width:g} × {zone.depth:g} {unit}"
    return f"The picture is stretched: {width} × {height} pixels cover {sides}."


def find_sides(places: Iterable[Place]) -> tuple[float, float, float, float]:
    """The rectangle around some places: its corner, width and depth."""
    xs, ys = zip(*places, strict=True)
    return min(xs), min(ys), round(max(xs) - min(xs), 3), round(max(ys) - min(ys), 3)


def find_flaw(ends: list[Place]) -> str:
    """What is wrong with a door or a window between these places; empty if nothing is."""
    if len(ends) != 2:
        return "without two ends"
    if not is_near(*ends):
        return "far off the map"
    _, _, width, depth = find_sides(ends)
    if max(width, depth) > MAX_METERS:
        return f"wider than {MAX_METERS:g} m"
    return f"narrower than {MIN_SIDE:g} m" if max(width, depth) < MIN_SIDE else ""


def make_walls(chains: list[Chain], most: int, cell: float, report: Report) -> Iterator[Wall]:
    """At most so many walls along chains; corners on a straight line are joined to one wall."""
    near = [run for chain in chains for run in _cut_far(chain) if len(run) > 1]
    report.drop("wall", "far off the map", _count_walls(chains) - _count_walls(near))
    fitted = fit_chains(near, most, cell)
    report.lines += fitted.report
    for chain in fitted.chains:
        for (x1, y1), (x2, y2) in pairwise(chain):
            if not _is_narrow((x1, y1), (x2, y2)):  # several on one line
                report.drop("wall", "far off the map")
            else:
                yield Wall("", x1, y1, x2=x2, y2=y2)


def _cut_far(chain: Chain) -> Iterator[Chain]:
    """The parts of a chain that are on the map or near it, without walls that are too wide for it."""
    run: Chain = []
    for place in chain:
        if run and not (is_near(place) and _is_narrow(run[-1], place)):
            yield run
            run = []
        if is_near(place):
            run.append(place)
    yield run


def _is_narrow(one: Place, other: Place) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) <= MAX_METERS


def _count_walls(chains: Iterable[Chain]) -> int:
    return sum(len(chain) - 1 for chain in chains)


def number_walls(walls: Iterable[Wall]) -> tuple[Wall, ...]:
    """The walls, each with its own id."""
    return tuple(msgspec.structs.replace(wall, id=f"w{n}") for n, wall in enumerate(walls, 1))


def make_lights(lamps: Iterable[tuple[Place | None, float, bytes]], report: Report) -> Iterator[Light]:
    """Lamps by place, range in meters and encoded color, each in the tint next to its color."""
    made = 0
    for place, meters, color in lamps:
        if place is None or not is_near(place):
            report.drop("light", "far off the map")
        elif not meters > 0:
            report.drop("light", "without range")
        elif made == MAX_LIGHTS:
            report.drop("light", f"above {MAX_LIGHTS}")
        else:
            made += 1
            radius = min(round(meters, 3), MAX_METERS)
            yield Light(f"l{made}", *place, radius=max(radius, 0.1), tint=_find_tint(color))
    if made:
        report.lines.append("Left out: exact colors and brightness of lights.")


def _find_tint(written: bytes) -> str:
    """The tint next to a color; "" for a warm one, or none that can be read."""
    found = COLOR.fullmatch(written)
    if not found:
        return ""
    red, green, blue = (int(part, 16) for part in found.groups())
    if red > RED * max(green, blue):
        return "red"
    return "cold" if blue > red else ""


def read_picture(image: str, report: Report) -> bytes:
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


# What is wrong with the file of a map, in words: the field, and what it should be.


class _SceneFields(msgspec.Struct):
    """The fields that every scene of Foundry VTT has, and no other map."""

    walls: msgspec.Raw
    grid: msgspec.Raw


def name_kind(raw: bytes) -> str:
    """Why a file of another kind is no map, and what works instead; empty for maps, and for unknown files."""
    kind = find_kind(raw)
    if kind is None or kind.reader == EDITOR:  # it is a map, with a flaw in a field
        return ""
    if kind.family == PICTURE:
        return f"This is {kind.words}, not a {MAP}: lay it under the map with “Add picture”."
    if kind.inner == EDITOR and not kind.field:
        return f"This is {kind.words}: export one of them, and send that."
    works = "export it as one, or add a picture of it and draw." if kind.family in (DATA, PEOPLE) else WORKS
    unwrapped = kind if kind.inner == EDITOR else kind._replace(field="")  # what is in it is no map either
    return unwrapped.refuse(f"a {MAP}", works)


def is_map(raw: bytes) -> bool:
    """Whether a file looks like a map that we read."""
    raw = raw.removeprefix(codecs.BOM_UTF8)
    return is_scene(raw) or _read_fields(raw).keys() >= {"resolution", "line_of_sight"}


def is_scene(raw: bytes) -> bool:
    """Whether a file looks like a scene of Foundry VTT."""
    try:
        read_json(raw, _SceneFields)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return False
    return True


def _read_fields(raw: bytes) -> dict[str, msgspec.Raw]:
    """The fields of a JSON object, still encoded; none of anything else."""
    try:
        return read_json(raw, dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return {}


def describe_error(error: str, kind: str) -> str:
    """A decoder's error about a file of this kind as a refusal that names the field."""
    found = _AT.match(error)
    what, where = (found["what"], found["where"] or "") if found else (error, "")
    where = where.replace("[...]", "")[:MAX_FIELD]
    if missing := _MISSING.search(what):
        whole = ".".join(filter(None, (where, missing["field"])))
        return f"Not a {kind}: it has no “{whole}”. Export it again."
    field = f"“{where}”" if where else "the file"
    if kinds := _EXPECTED.search(what):
        both = kinds["got"], kinds["wanted"].removesuffix(" | null")
        got, wanted = (
            kinds.get(kind, "something else") for kinds, kind in zip((_KINDS, _WANTED), both, strict=True)
        )
        return f"Not a {kind}: {field} is {got} and should be {wanted}."
    return f"Not a {kind}: {field} cannot be read. Export it again."


# Pictures of scenes: stored with their encounter, so that backups include them.


_cut: OrderedDict[str, bytes] = OrderedDict()
_cutting = threading.Lock()  # one at a time: a large picture takes much memory


def keep_picture(encounter: Encounter, made: RemadePicture | ScenePicture) -> ScenePicture:
    """Store a picture that was drawn again, or one of another encounter; the oldest ones are dropped."""
    fields = {"image": made.image, "width": made.width, "height": made.height}
    kept, _ = ScenePicture.objects.update_or_create(encounter=encounter, digest=made.digest, defaults=fields)
    older = encounter.pictures.exclude(pk=kept.pk).order_by("-kept_at", "-pk").only("pk")
    encounter.pictures.filter(pk__in=[row.pk for row in older[MAX_PICTURES - 1 :]]).delete()
    return kept


def find_picture(encounter: Encounter, digest: str) -> bytes | None:
    """A stored picture; None if it is gone."""
    row = encounter.pictures.filter(digest=digest).first()
    return bytes(row.image) if row else None


def cut_picture(encounter: Encounter, clip: Clip) -> bytes | None:
    """The visible part of a picture, made once for all who see the same part; None if it is gone."""
    with _cutting:
        digest = clip.shown.digest
        if digest not in _cut:
            image = find_picture(encounter, clip.whole.digest)
            if image is None:
                return None
            _cut[digest] = _make_cut(image, clip)
            while len(_cut) > MAX_CUT:
                _cut.popitem(last=False)
        _cut.move_to_end(digest)
        return _cut[digest]


def _make_cut(image: bytes, clip: Clip) -> bytes:
    crop, *clear = find_shares(clip.whole, (clip.shown, *clip.clear))
    return cut_out(image, crop, clear, find_shares(clip.whole, clip.dark))


def copy_pictures(old: Encounter, new: Encounter, scene: Scene) -> None:
    """Store the picture of a scene for another encounter as well."""
    picture = map_of(scene).picture
    for row in old.pictures.filter(digest=picture.digest) if picture else ():
        ScenePicture.objects.create(
            encounter=new, digest=row.digest, image=row.image, width=row.width, height=row.height
        )


def lay_picture(scene: Scene, picture: ScenePicture | RemadePicture, meters: float | None = None) -> Scene:
    """The scene with a picture under it, `meters` wide, at the corner of the last one."""
    old = map_of(scene).picture
    width = meters or (old.width if old else round(picture.width / PIXELS_PER_METER, 3))
    laid = Picture(
        picture.digest,
        old.x if old else min((zone.x for zone in scene.zones), default=0.0),
        old.y if old else min((zone.y for zone in scene.zones), default=0.0),
        width=width,
        depth=round(width * picture.height / picture.width, 3),
    )
    return with_map(scene, replace(map_of(scene), picture=laid))
