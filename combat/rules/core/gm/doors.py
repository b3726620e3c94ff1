"""Doors of the battle map for combatants: the base of each game's own door action.

The game sets the cost. Only the GM can open a locked door, or a secret one that is shut. A request for a
secret door, or for one in a hidden area, gets the same answer as for no door at all.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import hypot

import msgspec

from ..basics.dice.requests import Choice
from ..basics.errors import Refused, why_refused
from ..commands.commands import Check, Command, Field, first_open
from ..commands.context import RuleContext
from ..map.bodies import is_concealed
from ..space import BattleMap, Point, Spot, Wall, map_of
from ..space.barriers import find_nearest, plan_of
from ..space.battle_map import DOOR, is_hidden_at
from ..space.grid import Grid
from ..space.paths import Way, find_way, is_open, stop_short
from ..state import events as e
from ..state.state import Combatant, State, present, replace
from .battle_map import name_door, tell_door

IN_THE_WAY_M = 0.25  # anyone this near to a door stands in it


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
    battle_map, spot = map_of(state.scene), arm.grid.plot(state[who].at)
    doors = (wall for wall in battle_map.walls if wall.kind == DOOR and (wall.open or not wall.secret))
    return tuple(door for door in doors if _is_near(battle_map, door, spot, arm.meters))


def _is_near(battle_map: BattleMap, door: Wall, spot: Spot, meters: float) -> bool:
    """Whether a door is near and known, with nothing in between that stops movement."""
    there = find_nearest((door.x1, door.y1, door.x2, door.y2), spot)
    if hypot(there[0] - spot[0], there[1] - spot[1]) > meters + 0.01:
        return False
    if is_hidden_at(battle_map.hidden, (door.x1 + door.x2) / 2, (door.y1 + door.y2) / 2):
        return False
    plan = plan_of(battle_map)
    crossed = plan.index.cross(spot, there, plan.free)
    return all(plan.index.barriers[number].id == door.id for number in crossed)


def check_door(state: State, who: str, door_id: str, arm: Arm) -> Wall:
    """The door with this id; Refused if it is out of reach, locked, or cannot be shut."""
    door = next((door for door in find_doors(state, who, arm) if door.id == door_id), None)
    if door is None:
        raise Refused("out_of_range", "That door is not within reach: move next to one first.")
    if door.locked:
        raise Refused("not_allowed", f"{name_door(door)} is locked: the GM can unlock it.")
    if door.open and (other := _find_between(state, door, arm.grid)):
        raise Refused("not_allowed", f"{other.name} stands in the doorway: wait until it is clear.")
    return door


def _find_between(state: State, door: Wall, grid: Grid) -> Combatant | None:
    """Someone who stands in an open door; concealed combatants do not count."""
    edge = (door.x1, door.y1, door.x2, door.y2)
    for combatant in present(state):
        x, y = grid.plot(combatant.at)
        there = find_nearest(edge, (x, y))
        if (
            not is_concealed(state, combatant, grid.hexes)
            and hypot(there[0] - x, there[1] - y) < IN_THE_WAY_M
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
    doors = (wall for wall in map_of(context.state.scene).walls if wall.kind == DOOR)
    door = next((wall for wall in doors if wall.id == door_id), None)
    if door is None or door.locked or door.open == is_open:
        return
    context.emit(e.DoorSet(door_id, is_open, False), rule, e.GM_ONLY)
    tell_door(context, door, "", who)


def door_fields(state: State, who: str, arm: Arm) -> tuple[Field, ...]:
    """The doors within reach, each with what the action would do."""
    doors = find_doors(state, who, arm)
    numbers = {d.id: n for n, d in enumerate((w for w in map_of(state.scene).walls if w.kind == DOOR), 1)}
    options = tuple(_make_choice(state, who, door, numbers[door.id], arm) for door in doors)
    return (Field("door", "Door", "choice", options, first_open(options)),)


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
    try:
        path = find_way(replace(battle_map, walls=walls), way, combatant.at, goal)
    except Refused:
        return None
    for a, b in pairwise(path):
        if not is_open(battle_map, way.grid, a, b, way.meters):
            return a if way.snaps else stop_short(battle_map, way.grid, a, b, way.meters)
    return None


def _may_open(battle_map: BattleMap, door: Wall) -> bool:
    """Whether a combatant in front of a shut door could open it."""
    middle = (door.x1 + door.x2) / 2, (door.y1 + door.y2) / 2
    is_plain = door.kind == DOOR and not (door.open or door.locked or door.secret)
    return is_plain and not is_hidden_at(battle_map.hidden, *middle)
