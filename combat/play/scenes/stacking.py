"""Decks as a stack: added, named, ordered, aligned, removed; and the ways that stand on two of them.

Each function gives the changed scene. The rules check it when it is set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import msgspec
from msgspec.structs import replace

from combat.rules.core.basics.checking import tidy
from combat.rules.core.basics.errors import Refused
from combat.rules.core.space import (
    BattleMap,
    Deck,
    Passage,
    Point,
    Scene,
    Wall,
    Zone,
    find_height,
    lay_zone,
    map_of,
    with_map,
)
from combat.rules.core.space.decks import (
    LADDER,
    MAX_DECKS,
    SHAFT,
    Box,
    box_of,
    find_deck,
    find_ends,
    is_within,
)

RISE_M = 3.0  # meters from floor to floor, unless the stack says otherwise
BESIDE_M = 2.0  # meters at least between two decks on the plane
RIM_M = 1.0  # meters of a first deck around what is drawn
STEP_M = 0.5  # meters from the edge of a drawn opening to where its way begins
NO_DECK = "That deck is no longer there: reload the page."
MAX_NAME, MAX_HEIGHT = 40, 500.0  # letters; meters
MAX_SHIFT = 1e6  # pixels of a picture


def sort_decks(battle_map: BattleMap) -> list[Deck]:
    """The decks from below."""
    return sorted(battle_map.decks, key=lambda deck: (deck.height, deck.id))


def find_by_id(scene: Scene, deck_id: str) -> Deck:
    """A deck by its id; Refused if it is gone."""
    found = next((deck for deck in map_of(scene).decks if deck.id == deck_id), None)
    if found is None:
        raise Refused("unknown", NO_DECK)
    return found


def find_below(battle_map: BattleMap, deck: Deck) -> Deck | None:
    """The next deck below one; None for the lowest."""
    return max(
        (one for one in battle_map.decks if one.height < deck.height),
        key=lambda one: one.height,
        default=None,
    )


# ---- The stack ----


def add_deck(scene: Scene, above: bool, cell: float) -> Scene:
    """The scene with a deck on top of the stack or under it, of the size of the one that it touches.

    What is drawn becomes the first deck of a scene without any. The new one lies beside all others, whole
    cells of `cell` meters to the right of its place.
    """
    built = map_of(scene)
    if len(built.decks) == MAX_DECKS:
        raise Refused("not_allowed", f"A scene has up to {MAX_DECKS} decks: remove one first.")
    decks = sort_decks(built) or [_make_first(scene)]
    near, *others = reversed(decks) if above else decks
    rise = abs(near.height - others[0].height) if others else RISE_M
    right = max(deck.x + deck.width for deck in decks) + BESIDE_M
    aside = ceil((right - near.x) / cell) * cell
    number = _next_number(deck.id for deck in decks)
    new = replace(
        near,
        id=f"deck{number}",
        name=f"Deck {number}",
        x=round(near.x + aside, 3),
        height=near.height + (rise if above else -rise),
        shift=round(near.shift + aside, 3),
    )
    return with_map(scene, replace(built, decks=(*(built.decks or decks), new)))


def stack_map(scene: Scene, drawn: BattleMap, zone: Zone, cell: float, name: str = "") -> Scene:
    """The scene with a whole map as a deck on top, its corner of squares over that of the deck below."""
    scene = add_deck(scene, above=True, cell=cell)
    built = map_of(scene)
    deck = built.decks[-1]
    far = deck.shift
    box = (zone.x + far - RIM_M, zone.y - RIM_M, zone.width + 2 * RIM_M, zone.depth + 2 * RIM_M)
    x, y, width, depth = (round(number, 3) for number in box)

    def put(part: Any) -> Any:
        return replace(part, id=f"{deck.id}-{part.id}", x=round(part.x + far, 3))

    walls = (
        replace(one, id=f"{deck.id}-{one.id}", x1=round(one.x1 + far, 3), x2=round(one.x2 + far, 3))
        for one in drawn.walls
    )
    joined = replace(
        built,
        walls=(*built.walls, *walls),
        obstacles=(*built.obstacles, *map(put, drawn.obstacles)),
        lights=(*built.lights, *map(put, drawn.lights)),
        decks=(*built.decks[:-1], replace(deck, x=x, y=y, width=width, depth=depth)),
    )
    floor = lay_zone((deck,), replace(put(zone), name=name or deck.name))
    return with_map(replace(scene, zones=(*scene.zones, floor)), joined)


def _next_number(ids: Iterable[str]) -> int:
    words = (one.removeprefix("deck") for one in ids)
    return max((int(word) for word in words if word.isascii() and word.isdigit()), default=0) + 1


def _make_first(scene: Scene) -> Deck:
    """A deck around everything that is drawn."""
    built = map_of(scene)
    picture = (built.picture,) if built.picture else ()
    boxes = [(b.x, b.y, b.x + b.width, b.y + b.depth) for b in (*scene.zones, *built.obstacles, *picture)]
    boxes += [(wall.x1, wall.y1, wall.x2, wall.y2) for wall in built.walls]
    if not boxes:
        raise Refused("not_allowed", "Draw the first deck before another: a zone or some walls.")
    xs = [x for x1, _, x2, _ in boxes for x in (x1, x2)]
    ys = [y for _, y1, _, y2 in boxes for y in (y1, y2)]
    left, top = min(xs) - RIM_M, min(ys) - RIM_M
    sides = round(max(xs) + RIM_M - left, 3), round(max(ys) + RIM_M - top, 3)
    return Deck("deck1", "Deck 1", left, y=top, width=sides[0], depth=sides[1])


def change_deck(scene: Scene, deck_id: str, **fields: Any) -> Scene:
    """The scene with other values of a deck: its zones rise with it, and ways still lead up."""
    old = find_by_id(scene, deck_id)
    return _settle(scene, {deck_id: replace(old, **fields)})


def move_deck(scene: Scene, deck_id: str, up: bool) -> Scene:
    """The scene with a deck one higher or lower in the stack: it and its neighbor change heights."""
    decks, deck = sort_decks(map_of(scene)), find_by_id(scene, deck_id)
    at = decks.index(deck) + (1 if up else -1)
    if not 0 <= at < len(decks):
        raise Refused("not_allowed", f"{deck.name} is the {'highest' if up else 'lowest'} deck already.")
    other = decks[at]
    return _settle(
        scene,
        {deck.id: replace(deck, height=other.height), other.id: replace(other, height=deck.height)},
    )


def _settle(scene: Scene, changed: dict[str, Deck]) -> Scene:
    built = map_of(scene)
    decks = tuple(changed.get(deck.id, deck) for deck in built.decks)

    def lift(zone: Zone) -> Zone:
        old = find_deck(built.decks, zone.x + zone.width / 2, zone.y + zone.depth / 2)
        new = changed.get(old.id) if old else None
        risen = find_height(scene, zone) + new.height - old.height if old and new else zone.height
        return replace(zone, height=round(risen, 3))

    ways = tuple(_turn_up(way, decks) for way in built.ways)
    scene = replace(scene, zones=tuple(map(lift, scene.zones)))
    return with_map(scene, replace(built, decks=decks, ways=ways))


def _turn_up(way: Passage, decks: tuple[Deck, ...]) -> Passage:
    """The way with its lower end first, and its opening in the deck that is now the upper one."""
    low, high = find_deck(decks, way.x1, way.y1), find_deck(decks, way.x2, way.y2)
    if not low or not high or low.height <= high.height:
        return way
    hole = way.hole and (round(way.hole[0] - high.shift + low.shift, 3), *way.hole[1:])
    return replace(way, x1=way.x2, y1=way.y2, x2=way.x1, y2=way.y1, hole=hole)


def align_deck(scene: Scene, deck_id: str, across: float, down: float) -> Scene:
    """The scene with a deck farther to the right and down in the ship, in meters.

    To the right only its shift changes; down, all that is drawn on it goes along.
    """
    deck = find_by_id(scene, deck_id)
    scene = change_deck(scene, deck_id, shift=round(deck.shift - across, 3))
    return _slide(scene, find_by_id(scene, deck_id), down) if down else scene


def lay_over(scene: Scene, deck_id: str) -> Scene:
    """The scene with a deck right over the one below: the ends of their first way above each other."""
    apart = find_offset(map_of(scene), find_by_id(scene, deck_id))
    if apart is None:
        raise Refused("not_allowed", "Draw a way to the deck below first: its ends are laid on each other.")
    return align_deck(scene, deck_id, *apart)


def find_offset(battle_map: BattleMap, deck: Deck) -> tuple[float, float] | None:
    """How far a deck would go right and down, until its first way down is upright; None without one."""
    for way in battle_map.ways:
        ends = find_ends(battle_map.decks, way)
        if ends and ends[1] == deck and ends[0] == find_below(battle_map, deck):
            across = (way.x1 - ends[0].shift) - (way.x2 - deck.shift)
            return round(across, 3), round(way.y1 - way.y2, 3)
    return None


def _slide(scene: Scene, deck: Deck, down: float) -> Scene:
    """The scene with a deck and all that is drawn on it farther down on the plane."""
    built, box = map_of(scene), box_of(deck)

    def lower(part: Any) -> Any:
        wide, deep = getattr(part, "width", 0), getattr(part, "depth", 0)
        if not is_within(box, part.x + wide / 2, part.y + deep / 2):
            return part
        moved = replace(part, y=round(part.y + down, 3))
        pieces = getattr(part, "parts", None) or ()
        return replace(moved, parts=tuple(map(lower, pieces))) if pieces else moved

    def lower_wall(wall: Wall) -> Wall:
        if not is_within(box, (wall.x1 + wall.x2) / 2, (wall.y1 + wall.y2) / 2):
            return wall
        return replace(wall, y1=round(wall.y1 + down, 3), y2=round(wall.y2 + down, 3))

    def lower_way(way: Passage) -> Passage:
        if is_within(box, way.x1, way.y1):
            way = replace(way, y1=round(way.y1 + down, 3))
        if is_within(box, way.x2, way.y2):
            hole = way.hole and (way.hole[0], round(way.hole[1] + down, 3), *way.hole[2:])
            way = replace(way, y2=round(way.y2 + down, 3), hole=hole)
        return way

    homes = {name: tuple(map(lower, getattr(built, name))) for name in ("obstacles", "lights", "hidden")}
    moved = replace(
        built,
        walls=tuple(map(lower_wall, built.walls)),
        ways=tuple(map(lower_way, built.ways)),
        decks=tuple(replace(one, y=round(one.y + down, 3)) if one == deck else one for one in built.decks),
        picture=built.picture and lower(built.picture),
        **homes,
    )
    starts = tuple(map(lower, scene.starts)) if scene.starts else scene.starts
    return with_map(replace(scene, zones=tuple(map(lower, scene.zones)), starts=starts), moved)


def remove_deck(scene: Scene, deck_id: str) -> Scene:
    """The scene without a deck, all that is drawn on it, and its ways.

    The last deck is none any more: its zones are as high above the ground as they were above it.
    """
    built, deck = map_of(scene), find_by_id(scene, deck_id)
    box, left = box_of(deck), tuple(one for one in built.decks if one.id != deck_id)

    def stays(part: Any) -> bool:
        wide, deep = getattr(part, "width", 0), getattr(part, "depth", 0)
        return not is_within(box, part.x + wide / 2, part.y + deep / 2)

    gone = {zone.id for zone in scene.zones if not stays(zone)}
    floor = left[0].height if len(left) == 1 else 0.0
    zones = tuple(
        replace(
            zone,
            links={one: far for one, far in zone.links.items() if one not in gone},
            height=round(find_height(scene, zone) - floor, 3),
        )
        for zone in scene.zones
        if zone.id not in gone
    )
    ways = (way for way in built.ways if deck not in (find_ends(built.decks, way) or (deck,)))
    kept = replace(
        built,
        walls=tuple(w for w in built.walls if not is_within(box, (w.x1 + w.x2) / 2, (w.y1 + w.y2) / 2)),
        decks=left if len(left) > 1 else (),
        ways=tuple(ways) if len(left) > 1 else (),
        picture=built.picture if built.picture and stays(built.picture) else None,
        **{n: tuple(filter(stays, getattr(built, n))) for n in ("obstacles", "lights", "hidden")},
    )
    starts = tuple(one for one in scene.starts if stays(one)) if scene.starts else scene.starts
    return with_map(replace(scene, zones=zones, starts=starts), kept)


# ---- Ways ----


def draw_way(scene: Scene, points: tuple[Point, ...], name: str, way_id: str) -> Scene:
    """The scene with a way from a deck to the next one above it, or below the highest one.

    One point is a ladder there. Two are the corners of a shaft, whose ends are beside its opening.
    """
    built = map_of(scene)
    box = _find_box(points) if len(points) > 1 else None
    spot = (points[0].x, points[0].y) if box is None else (box[0] - STEP_M, round(box[1] + box[3] / 2, 3))
    decks = sort_decks(built)
    here = find_deck(decks, *spot)
    if here is None or len(decks) < 2:
        raise Refused("bad_value", "A way joins two decks: add a deck, then draw the way inside one of them.")
    at = decks.index(here)
    low, high = (here, decks[at + 1]) if here is not decks[-1] else (decks[at - 1], here)
    ends = [(round(spot[0] - here.shift + deck.shift, 3), spot[1]) for deck in (low, high)]
    for deck, end in zip((low, high), ends, strict=True):
        if not is_within(box_of(deck), *end):
            text = f"{deck.name} does not reach over this place: draw where both decks lie, or widen it."
            raise Refused("bad_value", text)
    hole = box and (round(box[0] - here.shift + high.shift, 3), *box[1:])
    way = Passage(
        way_id,
        SHAFT if hole else LADDER,
        *ends[0],
        x2=ends[1][0],
        y2=ends[1][1],
        name=name,
        hole=hole,
    )
    return with_map(scene, replace(built, ways=(*built.ways, way)))


def _find_box(points: tuple[Point, ...]) -> Box:
    a, b = points[0], points[-1]
    width, depth = round(abs(a.x - b.x), 3), round(abs(a.y - b.y), 3)
    return min(a.x, b.x), min(a.y, b.y), width, depth


def place_way(way: Passage, low: Point, high: Point) -> dict[str, Any]:
    """The fields of a way that is moved to other ends; its opening goes along with the upper one."""
    across, down = high.x - way.x2, high.y - way.y2
    hole = way.hole and (round(way.hole[0] + across, 3), round(way.hole[1] + down, 3), *way.hole[2:])
    return {"x1": low.x, "y1": low.y, "x2": high.x, "y2": high.y, "hole": hole}


def name_ways(battle_map: BattleMap, deck: Deck) -> str:
    """The ways from a deck down to the next one, by kind; empty without one."""
    below = find_below(battle_map, deck)
    kinds = [
        way.name or way.kind for way in battle_map.ways if find_ends(battle_map.decks, way) == (below, deck)
    ]
    return ", ".join(kinds)


# Levels of a scene of Foundry VTT (14 and later), which become decks here. Each scene lists one or more, with
# an id, a name, how high they begin and end, and their picture. A wall or a light names the ids of its
# levels, none for all of them; a token names one.


@dataclass(frozen=True)
class Level:
    """A level: its id in the file, its name, the height of its floor in meters, and its map.

    `picture` is what the file says of its picture, empty without one; `shift` by how many pixels it lies off
    the scene, `change` what else is done to it: “turned”, “scaled”. `front`: whether one lies above people.
    """

    id: str
    name: str
    height: float
    picture: str = ""
    shift: tuple[float, float] = (0.0, 0.0)
    change: str = ""
    front: bool = False
    map: BattleMap = field(default_factory=BattleMap)


def read_any(encoded: msgspec.Raw) -> Any:
    """The value of a field that nothing depends on; None for a missing one, or one nested too deeply."""
    try:
        return msgspec.json.decode(encoded) if bytes(encoded) else None
    except (msgspec.MsgspecError, RecursionError):
        return None


def read_levels(encoded: msgspec.Raw, meters: float) -> tuple[Level, ...]:
    """The levels of a scene from below, as many as a map has decks; none in files of earlier versions.

    A unit of the file is so many meters. Without heights that differ they are as far apart as drawn decks.
    """
    found = [(*_find_bottom(row), n, row) for n, row in enumerate(_find_rows(encoded))]
    found = sorted(found, key=lambda one: one[:3])[:MAX_DECKS]
    heights = [round(min(max(height * meters, -MAX_HEIGHT), MAX_HEIGHT), 2) for _, height, _, _ in found]
    if len(set(heights)) < len(heights):
        heights = [n * RISE_M for n in range(len(found))]
    return tuple(
        _read_level(row, n, height)
        for n, ((*_, row), height) in enumerate(zip(found, heights, strict=True), 1)
    )


def _read_level(row: dict[str, Any], number: int, height: float) -> Level:
    drawn = row.get("textures")
    drawn = drawn if isinstance(drawn, dict) else {}
    scaled = any(_find_number(drawn.get(name), 1.0) != 1 for name in ("scaleX", "scaleY"))
    return Level(
        row["_id"],
        tidy(str(row.get("name") or ""))[:MAX_NAME] or f"Deck {number}",
        height,
        picture=_find_picture(row.get("background")),
        shift=(_find_number(drawn.get("offsetX")), _find_number(drawn.get("offsetY"))),
        change="turned" if _find_number(drawn.get("rotation")) else "scaled" if scaled else "",
        front=bool(_find_picture(row.get("foreground"))),
    )


def _find_bottom(row: dict[str, Any]) -> tuple[bool, float]:
    """Where a level begins: whether it has a floor, and its height in the unit of the file.

    One without a floor is below all others, its height that of its ceiling if that is below the ground.
    """
    height = row.get("elevation")
    ends = height if isinstance(height, dict) else {}
    if "bottom" in ends and ends["bottom"] is None:
        return False, min(_find_number(ends.get("top")), 0.0)
    return True, _find_number(ends.get("bottom"))


def _find_number(said: Any, usual: float = 0.0) -> float:
    """A number of the file; the usual one for anything else."""
    return float(said) if isinstance(said, int | float) and abs(said) < MAX_SHIFT else usual


def _find_picture(said: Any) -> str:
    """The picture that a field of a level names, as its text or in its `src`; empty without one."""
    named = said.get("src") if isinstance(said, dict) else said
    return named if isinstance(named, str) else ""


def list_levels(encoded: msgspec.Raw) -> tuple[str, ...]:
    """The ids of all levels in a scene, also of those that are too many here."""
    return tuple(row["_id"] for row in _find_rows(encoded))


def _find_rows(encoded: msgspec.Raw) -> list[dict[str, Any]]:
    rows = read_any(encoded)
    known = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return [row for row in known if isinstance(row.get("_id"), str)]


def is_on(encoded: msgspec.Raw, levels: Iterable[str]) -> bool:
    """Whether a wall or a light is on one of some levels, by the ids that it names."""
    named = read_any(encoded)
    return any(level in named for level in levels) if isinstance(named, list) and named else True


def lay_levels(
    scene: Scene, levels: tuple[Level, ...], zone: Zone, cell: float, floors: Sequence[int] = ()
) -> Scene:
    """The scene of the lowest level with the others above it as decks.

    Its starts are on the levels with the numbers `floors`, else on the lowest.
    """
    for level in levels[1:]:
        scene = stack_map(scene, level.map, zone, cell, name=level.name)
    for deck, level in zip(map_of(scene).decks, levels, strict=True):
        scene = change_deck(scene, deck.id, name=level.name, height=level.height)
    if not scene.starts or not floors:
        return scene
    decks = map_of(scene).decks
    starts = (
        msgspec.structs.replace(start, x=round(start.x + decks[n].shift - decks[0].shift, 3))
        for start, n in zip(scene.starts, floors, strict=True)
    )
    return msgspec.structs.replace(scene, starts=tuple(starts))
