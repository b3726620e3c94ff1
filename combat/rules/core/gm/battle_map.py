"""The GM's actions for the battle map: draw it, change parts and doors, reveal it."""

from __future__ import annotations

from collections.abc import Iterable

from ..basics.errors import Refused
from ..basics.words import say
from ..commands.context import RuleContext
from ..declaration.system import system_of
from ..space import Area, BattleMap, Light, Obstacle, Picture, Wall, map_of
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
from ..state import events as e
from ..state.state import replace
from .decisions import MAX_LENGTH, MAX_NUMBER, GmCommand, clean_name

MAP_ACTIONS = frozenset(("set_map", "change_map", "set_scene"))  # those that can bring a whole map
MAX_METERS = 1000.0  # of one wall or one side of an obstacle
MIN_METERS = 0.05
MAX_CELL = 100.0


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


class SetDoor(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Open, shut, lock or unlock a door."""

    door: str
    open: bool = False
    locked: bool = False


def set_map(context: RuleContext, command: SetMap) -> None:
    """Replace the whole map."""
    check_map(context, command.map)
    drawn = replace(command.map, explored={})
    context.emit(e.MapSet(drawn), to=e.GM_ONLY)


def change_parts(context: RuleContext, command: ChangeMap) -> None:
    """Add, replace and remove parts of the map."""
    before = map_of(context.state.scene)
    known = {part.id for part in _parts(before)}
    if unknown := [part for part in command.drop if part not in known]:
        raise Refused("unknown", f"“{unknown[0][:MAX_LENGTH]}” is no longer on the map.")
    parts = command.walls, command.obstacles, command.lights, command.hidden, command.drop, command.look
    after = change_map(before, *parts)
    if after == before:
        raise Refused("bad_value", "Nothing on the map would change: draw or choose something first.")
    check_map(context, after)
    context.emit(e.MapChanged(*parts), to=e.GM_ONLY)


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
    found = next((wall for wall in battle_map.walls if wall.id == door and wall.kind == DOOR), None)
    if found is None:
        raise Refused("unknown", "That door is not on the map: choose one that is.")
    return found


def name_door(door: Wall) -> str:
    """The name of a door at the start of a sentence."""
    return door.name or "The door"


# ---- Limits of a map ----


def _parts(battle_map: BattleMap) -> tuple[Part, ...]:
    return (*battle_map.walls, *battle_map.obstacles, *battle_map.lights, *battle_map.hidden)


def check_map(context: RuleContext, battle_map: BattleMap) -> None:
    """Refuse a map that is too big or has wrong parts; the message says what would be right."""
    for most, what, parts in (
        (MAX_WALLS, "walls", battle_map.walls),
        (MAX_OBSTACLES, "obstacles", battle_map.obstacles),
        (MAX_LIGHTS, "lights", battle_map.lights),
        (MAX_AREAS, "hidden areas", battle_map.hidden),
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


def _check_box(name: str, box: Obstacle | Area | Picture) -> None:
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
