"""The GM's actions for the battle map: draw it, change parts and doors, reveal it."""

from __future__ import annotations

from collections.abc import Iterable

from ..basics.errors import Refused
from ..basics.words import say
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..map.moving import fall_through
from ..space import Area, BattleMap, Deck, Light, Obstacle, Passage, Picture, Wall, map_of
from ..space.battle_map import (
    DOOR,
    FULL,
    GRIDS,
    HEXES,
    KINDS,
    MAX_AREAS,
    MAX_LIGHTS,
    MAX_OBSTACLES,
    MAX_WALLS,
    SKIES,
    THINGS,
    TINTS,
    WEATHERS,
    Look,
    Part,
    change_map,
    look_of,
)
from ..space.decks import (
    GALLERY,
    GAP_M,
    MAX_DECKS,
    MAX_WAYS,
    SHUTTERS,
    WAY_KINDS,
    box_of,
    find_ends,
    find_known_ends,
    is_within,
)
from ..state import events as e
from ..state.state import replace
from .decisions import MAX_LENGTH, MAX_NUMBER, GmCommand, clean_name
from .several import follow_ground
from .spots import go_along, settle_ground

MAP_ACTIONS = frozenset(("set_map", "change_map", "set_scene"))  # those that can bring a whole map
MAX_METERS = 1000.0  # of one wall or one side of an obstacle
MIN_METERS = 0.05
MAX_CELL = 100.0
COVER_M = 0.5
SHUT_KINDS = tuple(kind for kind in WAY_KINDS if kind != GALLERY)


class SetMap(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Set the whole map; an empty one removes it."""

    map: BattleMap


class ChangeMap(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Change parts of the map by id: those that are new or different, and those to `drop`.

    `look`, if set, replaces picture, grid and what players know of the map.
    """

    walls: tuple[Wall, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()
    lights: tuple[Light, ...] = ()
    hidden: tuple[Area, ...] = ()
    drop: tuple[str, ...] = ()
    look: Look | None = None
    decks: tuple[Deck, ...] = ()
    ways: tuple[Passage, ...] = ()


class SetDoor(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open, shut, lock or unlock a door, or a way to another deck."""

    door: str
    open: bool = False
    locked: bool = False


def set_map(context: RuleContext, command: SetMap) -> None:
    """Replace the whole map."""
    check_map(context, command.map)
    drawn = replace(command.map, explored={})
    before = context.state.scene
    context.emit(e.MapSet(drawn), to=e.GM_ONLY)
    settle_ground(context, before)
    follow_ground(context, before)


def change_parts(context: RuleContext, command: ChangeMap) -> None:
    """Add, replace and remove parts of the map."""
    before = map_of(context.state.scene)
    known = {part.id for part in _parts(before)}
    if unknown := [part for part in command.drop if part not in known]:
        raise Refused("unknown", f"“{unknown[0][:MAX_LENGTH]}” is no longer on the map.")
    parts = command.walls, command.obstacles, command.lights, command.hidden, command.drop, command.look
    decks = command.decks, command.ways
    after = change_map(before, *parts, *decks)
    if after == before:
        raise Refused("bad_value", "Nothing on the map would change: draw or choose something first.")
    check_map(context, after)
    was = context.state.scene
    context.emit(e.MapChanged(*parts, *decks), to=e.GM_ONLY)
    slid = go_along(context, was)
    settle_ground(context, was)
    if not slid:
        follow_ground(context, was)


def set_door(context: RuleContext, command: SetDoor) -> None:
    """Open or shut a door at any distance, lock or unlock it."""
    door = find_door(map_of(context.state.scene), command.door)
    if (door.open, door.locked) == (command.open, command.locked):
        raise Refused("not_allowed", f"{name_door(door)} is like that already.")
    if command.open and command.locked:
        raise Refused("bad_value", "A door that stands open cannot be locked: shut it, or unlock it.")
    context.emit(e.DoorSet(door.id, command.open, command.locked), to=e.GM_ONLY)
    is_public = not door.secret and system_of(context).knows_wall(context.state, door)
    tell_door(context, door, "" if is_public else e.GM_ONLY)
    fall_through(context, system_of(context).turn.mover)


def tell_door(context: RuleContext, door: Wall, to: str, who: str = "") -> None:
    """Log the new state of a door."""
    now = find_door(map_of(context.state.scene), door.id)
    key = "locked" if now.locked > door.locked else "open" if now.open else "shut"
    said = e.Said(
        f"log.door_{key}" + ("_by" if who else ""), who, args={"door": door.name or say("words.door")}
    )
    context.emit(said, to=to)


def find_door(battle_map: BattleMap, door: str) -> Wall:
    """The door with this id; Refused("unknown") if there is none."""
    doors = (*(wall for wall in battle_map.walls if wall.kind == DOOR), *find_covers(battle_map, SHUT_KINDS))
    found = next((wall for wall in doors if wall.id == door), None)
    if found is None:
        raise Refused("unknown", "That door is not on the map: choose one that is.")
    return found


def find_covers(battle_map: BattleMap, kinds: tuple[str, ...] = SHUTTERS) -> list[Wall]:
    """The ways to other decks as the doors they are: a meter wide, before each end, the lower one first."""
    return [
        Wall(
            way.id,
            x - COVER_M,
            y + COVER_M,
            x2=x + COVER_M,
            y2=y + COVER_M,
            kind=DOOR,
            name=way.name or f"The {way.kind}",
            open=way.open,
            locked=way.locked,
        )
        for way in battle_map.ways
        if way.kind in kinds
        for x, y in find_known_ends(way)
    ]


def name_door(door: Wall) -> str:
    """The name of a door at the start of a sentence."""
    return door.name or "The door"


# ---- Limits of a map ----


def _parts(battle_map: BattleMap) -> tuple[Part, ...]:
    walls, things, lights = battle_map.walls, battle_map.obstacles, battle_map.lights
    return (*walls, *things, *lights, *battle_map.hidden, *battle_map.decks, *battle_map.ways)


def check_map(context: RuleContext, battle_map: BattleMap) -> None:
    """Refuse a map that is too big or has wrong parts; the message says what would be right."""
    for most, what, parts in (
        (MAX_WALLS, "walls", battle_map.walls),
        (MAX_OBSTACLES, "obstacles", battle_map.obstacles),
        (MAX_LIGHTS, "lights", battle_map.lights),
        (MAX_AREAS, "hidden areas", battle_map.hidden),
        (MAX_DECKS, "decks", battle_map.decks),
        (MAX_WAYS, "ways between decks", battle_map.ways),
    ):
        if len(parts) > most:
            raise Refused("bad_value", f"A map has up to {most} {what}, this one has {len(parts)}.")
    _check_ids(_parts(battle_map))
    covers = {"", FULL, *(key for key, _ in system_of(context).space.wall_covers)}
    for wall in battle_map.walls:
        _check_wall(wall, covers)
    for thing in battle_map.obstacles:
        _check_obstacle(thing, covers)
    lights = {"", *(key for key, _ in system_of(context).space.lights)}
    for light in battle_map.lights:
        _check_light(light, lights)
    for area in battle_map.hidden:
        _check_box(area.name or "A hidden area", area)
    _check_look(context, look_of(battle_map))
    if battle_map.decks or battle_map.ways:
        _check_decks(context, battle_map)


def _check_decks(context: RuleContext, battle_map: BattleMap) -> None:
    """Decks lie apart on the plane and have different heights or shifts; ways lead from one up to another."""
    if system_of(context).space.has_hexes(context.state):
        raise Refused("bad_value", "A map of hexes has one deck: choose squares.")
    for deck in battle_map.decks:
        _check_box(clean_name(deck.name), deck)
        if not (abs(deck.height) <= MAX_METERS and abs(deck.shift) <= MAX_METERS):
            raise Refused("bad_value", f"{deck.name}: height and shift are up to {MAX_METERS:g} m.")
    for n, one in enumerate(battle_map.decks):
        for other in battle_map.decks[:n]:
            across = max(one.x, other.x) - min(one.x + one.width, other.x + other.width)
            along = max(one.y, other.y) - min(one.y + one.depth, other.y + other.depth)
            if max(across, along) < GAP_M:
                text = f"{one.name} and {other.name} are less than {GAP_M:g} m apart on the plan."
                raise Refused("bad_value", text)
    for way in battle_map.ways:
        _check_way(battle_map, way)


def _check_way(battle_map: BattleMap, way: Passage) -> None:
    name = clean_name(way.name) if way.name else f"Way {way.id}"
    ends = find_ends(battle_map.decks, way)
    if way.kind not in WAY_KINDS or (way.open and way.locked):
        raise Refused("bad_value", f"{name}: choose its kind; what stands open cannot be locked.")
    if ends is None or way.blind:
        raise Refused("bad_value", f"{name} has to lead from one deck up to a higher one.")
    if way.kind == GALLERY and not way.hole:
        raise Refused("bad_value", f"{name}: a gallery has an opening in the upper deck.")
    if way.hole:
        x, y, width, depth = way.hole
        is_inside = all(is_within(box_of(ends[1]), *spot) for spot in ((x, y), (x + width, y + depth)))
        if min(width, depth) < MIN_METERS or not is_inside or ends[0].shift == ends[1].shift:
            raise Refused("bad_value", f"{name}: its opening lies in the upper deck, above the lower one.")
        if way.kind != GALLERY and is_within(way.hole, way.x2, way.y2):
            raise Refused("bad_value", f"{name}: its upper end is beside its opening, not in it.")


def _check_ids(parts: Iterable[Part]) -> None:
    seen = set()
    for part in parts:
        if clean_name(part.id) != part.id or part.id in seen:
            raise Refused("bad_value", f"Two parts of the map are called “{part.id}”: each needs its own id.")
        seen.add(part.id)


def _check_wall(wall: Wall, covers: set[str]) -> None:
    name = clean_name(wall.name) if wall.name else f"Wall {wall.id}"
    if wall.kind not in KINDS or wall.cover not in covers:
        raise Refused("bad_value", f"{name}: choose its kind and its cover from the lists.")
    _check_place(name, wall.x1, wall.y1)
    _check_place(name, wall.x2, wall.y2)
    long = max(abs(wall.x2 - wall.x1), abs(wall.y2 - wall.y1))
    if not MIN_METERS <= long <= MAX_METERS:
        raise Refused("bad_value", f"{name}: a wall is {MIN_METERS:g} to {MAX_METERS:g} m long.")
    if wall.kind != DOOR and (wall.open or wall.locked or wall.secret):
        raise Refused("bad_value", f"{name}: only a door can be open, locked or secret.")
    if wall.open and wall.locked:
        raise Refused("bad_value", f"{name}: a door that stands open cannot be locked.")


def _check_obstacle(thing: Obstacle, covers: set[str]) -> None:
    clean_name(thing.name)
    if thing.cover not in covers:
        raise Refused("bad_value", f"{thing.name}: choose its cover from the list.")
    if thing.kind not in ("", *THINGS):
        raise Refused("bad_value", f"{thing.name}: choose how it looks from the list.")
    if not 0 <= thing.height <= MAX_METERS:
        raise Refused("bad_value", f"{thing.name}: an obstacle is 0 to {MAX_METERS:g} m high.")
    _check_box(thing.name, thing)


def _check_light(light: Light, lights: set[str]) -> None:
    _check_place("A light", light.x, light.y)
    if light.kind not in lights or not MIN_METERS <= light.radius <= MAX_METERS:
        text = f"A light has a kind from the list and shines {MIN_METERS:g} to {MAX_METERS:g} m far."
        raise Refused("bad_value", text)
    if light.tint not in ("", *TINTS):
        raise Refused("bad_value", f"The color of a light is {', '.join(TINTS)} or empty.")


def _check_box(name: str, box: Obstacle | Area | Picture | Deck) -> None:
    _check_place(name, box.x, box.y)
    if not (MIN_METERS <= box.width <= MAX_METERS and MIN_METERS <= box.depth <= MAX_METERS):
        raise Refused("bad_value", f"{name}: width and depth are {MIN_METERS:g} to {MAX_METERS:g} m.")


def _check_place(name: str, x: float, y: float) -> None:
    if not (abs(x) <= MAX_NUMBER and abs(y) <= MAX_NUMBER):
        raise Refused("bad_value", f"{name} lies too far away: stay within {MAX_NUMBER} m of the middle.")


def _check_look(context: RuleContext, look: Look) -> None:
    if look.grid not in GRIDS or (
        look.grid == HEXES and not system_of(context).space.has_hexes(context.state)
    ):
        raise Refused("bad_value", "This game has no such grid: choose squares, or none.")
    if look.cell and not 0.1 <= look.cell <= MAX_CELL:
        raise Refused("bad_value", f"A square is 0.1 to {MAX_CELL:g} m wide.")
    if look.weather not in WEATHERS or look.sky not in SKIES:
        raise Refused("bad_value", "Choose the weather and the sky from the lists.")
    if look.picture is not None:
        if len(look.picture.digest) > 128 or not look.picture.digest.isalnum():
            raise Refused("bad_value", "That picture is not stored here: upload it first.")
        _check_box("The picture", look.picture)
