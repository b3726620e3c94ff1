"""Doors of the battle map for combatants: the base of each game's own door action.

The game sets the cost. Only the GM can open a locked door, or a secret one that is shut. A request for a
secret door, or for one in a hidden area, gets the same answer as for no door at all.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import hypot, inf

import msgspec

from ..basics.dice.requests import Choice
from ..basics.errors import Refused, why_refused
from ..commands.commands import Check, Command, Field, first_open
from ..commands.context import RuleContext
from ..map.bodies import is_concealed, nearest, stand_in
from ..space import BattleMap, Point, Scene, Spot, Wall, map_of, on_ground, plan_distance, towards, unplot
from ..space.barriers import find_nearest, plan_of
from ..space.battle_map import DOOR, is_hidden_at
from ..space.grid import Grid
from ..space.paths import Way, find_cells_on, find_way, is_open, stop_short
from ..state import events as e
from ..state.state import Combatant, State, present, replace
from .battle_map import find_covers, name_door, tell_door

IN_THE_WAY_M = 0.25  # anyone this near to a door stands in it
INWARD = 0.1  # share of the way from a door's end to its middle
BEFORE_M = 0.1  # the ground this far before a door is where it stands


class UseDoor(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Use a door by its id: a shut door opens, an open one shuts."""

    door: str


class Arm(msgspec.Struct, frozen=True):
    """A game's reach for doors: the cells of its map, and the reach in meters."""

    grid: Grid
    meters: float


FindArm = Callable[[State], Arm]


def find_doors(state: State, who: str, arm: Arm) -> tuple[Wall, ...]:
    """The doors within someone's reach, in the order of the map; none for someone inside a carrier."""
    if state[who].inside:
        return ()
    battle_map = map_of(state.scene)
    doors = [wall for wall in battle_map.walls if wall.kind == DOOR and (wall.open or not wall.secret)]
    if battle_map.ways:
        doors += find_covers(battle_map)
    return tuple(door for door in doors if _is_near(state.scene, door, state[who], arm))


def _find_cell(combatant: Combatant, door: Wall, grid: Grid) -> Point:
    """The middle of the cell of a combatant that is nearest to a door."""
    spot = _unplot(grid, find_nearest((door.x1, door.y1, door.x2, door.y2), grid.plot(combatant.at)))
    return nearest(combatant, stand_in(combatant, spot), grid.cell, grid.hexes)[0]


def _unplot(grid: Grid, spot: Spot) -> Point:
    return Point(*unplot(*spot)) if grid.hexes else Point(*spot)


def _is_near(scene: Scene, door: Wall, combatant: Combatant, arm: Arm) -> bool:
    """Whether a door is near and known, with nothing in between that stops movement.

    It is as high as the ground before it, and no farther up or down than along.
    """
    at = _find_cell(combatant, door, arm.grid)
    battle_map, spot = map_of(scene), arm.grid.plot(at)
    there = find_nearest((door.x1, door.y1, door.x2, door.y2), spot)
    if _count_rise(scene, arm.grid, at, there) > arm.meters + 0.01:
        return False
    if is_hidden_at(battle_map.hidden, (door.x1 + door.x2) / 2, (door.y1 + door.y2) / 2):
        return False
    return _measure_to(battle_map, door, spot) <= arm.meters + 0.01


def _measure_to(battle_map: BattleMap, door: Wall, spot: Spot) -> float:
    """The meters from a spot to a door; infinite if something that stops movement is in between.

    At its very end a door meets walls, so the look goes a little nearer to its middle.
    """
    x, y = find_nearest((door.x1, door.y1, door.x2, door.y2), spot)
    inner = x + ((door.x1 + door.x2) / 2 - x) * INWARD, y + ((door.y1 + door.y2) / 2 - y) * INWARD
    plan = plan_of(battle_map)
    crossed = plan.index.cross(spot, inner, plan.free)
    is_barred = any(plan.index.barriers[number].id != door.id for number in crossed)
    return inf if is_barred else hypot(x - spot[0], y - spot[1])


def _count_rise(scene: Scene, grid: Grid, at: Point, there: Spot) -> float:
    """The meters up or down from a place to the ground on its side of a spot of the picture."""
    end = _unplot(grid, there)
    before = towards(end, at, min(BEFORE_M, plan_distance(end, at)))
    return abs(on_ground(scene, before).z - at.z)


def check_door(state: State, who: str, door_id: str, arm: Arm) -> Wall:
    """The door with this id; Refused if it is out of reach, locked, or cannot be shut."""
    door = next((door for door in find_doors(state, who, arm) if door.id == door_id), None)
    if door is None:
        raise Refused("out_of_range", "That door is not within reach: move next to one first.")
    if door.locked:
        raise Refused("not_allowed", f"{name_door(door)} is locked: the GM can unlock it.")
    if door.open and (other := _find_between(state, door, state[who].at.z, arm)):
        raise Refused("not_allowed", f"{other.name} stands in the doorway: wait until it is clear.")
    return door


def _find_between(state: State, door: Wall, height: float, arm: Arm) -> Combatant | None:
    """Someone who stands in an open door at this height; concealed combatants do not count."""
    for combatant in present(state):
        spot = arm.grid.plot(_find_cell(combatant, door, arm.grid))
        meters = _measure_to(map_of(state.scene), door, spot)
        if (
            meters < IN_THE_WAY_M
            and not is_concealed(state, combatant, arm.grid.hexes)
            and abs(combatant.at.z - height) <= arm.meters
        ):
            return combatant
    return None


def check_any_door(find_arm: FindArm) -> Check:
    """A check that refuses if no door is within reach."""

    def check(state: State, who: str) -> None:
        if not find_doors(state, who, find_arm(state)):
            raise Refused("not_allowed", "No door is within reach: move next to one first.")

    return check


def leave_door(context: RuleContext, who: str, door_id: str, is_open: bool, rule: str) -> None:
    """Open or shut a door and log who did; nothing if it is so already, locked or gone."""
    battle_map = map_of(context.state.scene)
    doors = (wall for wall in battle_map.walls if wall.kind == DOOR)
    door = next((wall for wall in (*doors, *find_covers(battle_map)) if wall.id == door_id), None)
    if door is None or door.locked or door.open == is_open:
        return
    context.emit(e.DoorSet(door_id, is_open, False), rule, e.GM_ONLY)
    tell_door(context, door, "", who)


def door_fields(state: State, who: str, arm: Arm) -> tuple[Field, ...]:
    """The doors within reach, each with what the action would do."""
    doors = find_doors(state, who, arm)
    numbers = {d.id: n for n, d in enumerate((w for w in map_of(state.scene).walls if w.kind == DOOR), 1)}
    options = tuple(
        _make_choice(state, who, door=door, number=numbers.get(door.id, 0), arm=arm) for door in doors
    )
    return (Field("door", "Door", "choice", options=options, value=first_open(options)),)


def form_of_doors(find_arm: FindArm) -> Callable[[State, str], tuple[Field, ...]]:
    """The form of a game's door action: the doors within reach."""
    return lambda state, actor: door_fields(state, actor, find_arm(state))


def _make_choice(state: State, who: str, door: Wall, number: int, arm: Arm) -> Choice:
    label = f"{'Shut' if door.open else 'Open'} {door.name or f'door {number}'}"
    return Choice(door.id, label, refused=why_refused(check_door, state, who, door.id, arm))


def find_shut(state: State, who: str, arm: Arm) -> Wall | None:
    """A shut door within reach that someone could open, for automatic play."""
    return next((door for door in find_doors(state, who, arm) if not (door.open or door.locked)), None)


def find_doorway(state: State, combatant: Combatant, goal: Point, way: Way) -> Point | None:
    """The place before the first shut door on the way to a goal; None if no door there can be opened.

    The way never leads to a door that is locked, secret, or in a hidden area.
    """
    battle_map = map_of(state.scene)
    shut = frozenset(wall.id for wall in battle_map.walls if _may_open(battle_map, wall))
    if not shut:
        return None
    walls = tuple(replace(wall, open=True) if wall.id in shut else wall for wall in battle_map.walls)
    opened = replace(battle_map, walls=walls)
    try:
        path = (find_cells_on if way.snaps else find_way)(opened, way, combatant.at, goal)
    except Refused:
        return None
    for a, b in pairwise(path or ()):
        if not is_open(battle_map, way.grid, a, b=b, meters=way.meters):
            return a if way.snaps else stop_short(battle_map, way.grid, a, goal=b, meters=way.meters)
    return None


def _may_open(battle_map: BattleMap, door: Wall) -> bool:
    """Whether a combatant in front of a shut door could open it."""
    middle = (door.x1 + door.x2) / 2, (door.y1 + door.y2) / 2
    is_plain = door.kind == DOOR and not (door.open or door.locked or door.secret)
    return is_plain and not is_hidden_at(battle_map.hidden, *middle)
