"""Paths: where they lead, who may walk them, and walking; the fields for a destination."""

from __future__ import annotations

from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.commands.commands import Field, name_goals
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.spots import find_middle
from combat.rules.core.gm.ways import find_landing
from combat.rules.core.map.bodies import (
    end_in_room,
    find_beside,
    find_other_at,
    find_spot,
    find_taken,
    is_clear,
    lead_round,
    meters_of,
    nearest,
)
from combat.rules.core.space import (
    Point,
    Zone,
    check_goal,
    map_of,
    on_ground,
    path_length,
    plan_distance,
    read_points,
    ship_distance,
    towards,
    with_map,
)
from combat.rules.core.space.battle_map import knows_no_decks
from combat.rules.core.state.state import Combatant, State, has_condition, replace

from ..characters.sheet import find_speed
from ..world.heights import (
    SHORT_OF_WALL_M,
    check_passages,
    find_wall,
    go_through,
    part_at_decks,
    settle,
    span,
)
from ..world.sight_lines import find_grid, in_meters, stop_at_walls
from .cost import ARM_M, LOW_OBSTACLE_M, Pace, check_cost, make_way, movement_cost, shorten
from .moving import MOVER, Steps, check_free, end_alone

HERE = "here"
FAR = Field("far", "Go as far as it takes", "flag", value="true")


def find_goal(state: State, actor: str, to: str) -> tuple[Point, ...]:
    """The path from the combatant to the destination of a command."""
    combatant = state[actor]
    kind, _, name = to.partition(":")
    if to == HERE:
        return (combatant.at, combatant.at)
    if kind == "zone":
        zone = check_goal(state.scene, name)
        return (combatant.at, find_spot(state, combatant, _find_middle(state, combatant, zone), 2))
    if kind == "near":
        return go_through(state.scene, (combatant.at, _spot_near(state, combatant, state[name])))
    if kind == "away":
        there = _far_from(combatant.at, state[name].at)
        there = stop_at_walls(state, combatant.at, there, meters_of(combatant))
        return (combatant.at, settle(state.scene, there))
    return go_through(
        state.scene, (combatant.at, *(on_ground(state.scene, point) for point in read_points(to)))
    )


def _find_middle(state: State, combatant: Combatant, zone: Zone) -> Point:
    return find_middle(state.scene, zone, find_grid(state), meters_of(combatant))


def _spot_near(state: State, combatant: Combatant, other: Combatant) -> Point:
    """The place 1 m short of `other`, or a free one beside them on the same ground."""
    near = on_ground(state.scene, find_beside(combatant, other, 1.0))
    is_taken = find_other_at(state, combatant, near) is not None and near != combatant.at
    if meters_of(combatant) or meters_of(other) or (span(near, other.at) <= 1.01 and not is_taken):
        return near
    taken = find_taken(state, combatant)
    ring = [
        Point(other.at.x + x, other.at.y + y, other.at.z, other.at.shift)
        for x in (0, 1, -1)
        for y in (0, 1, -1)
    ]
    level = (spot for spot in ring if on_ground(state.scene, spot) == spot)
    free = [spot for spot in level if is_clear(spot, taken)]
    return min(free, key=lambda spot: ship_distance(combatant.at, spot), default=near)


def _far_from(start: Point, danger: Point) -> Point:
    whole = plan_distance(start, danger)
    if whole < 0.01:
        return Point(start.x + 100, start.y)
    scale = 100 / whole
    x, y = start.x + (start.x - danger.x) * scale, start.y + (start.y - danger.y) * scale
    return Point(round(x, 3), round(y, 3))


def walk(
    context: RuleContext,
    who: str,
    path: tuple[Point, ...],
    allowed: int,
    *,
    how: str,
    rule: str,
    low: int = 0,
    careful: bool = False,
    pace: Pace = find_speed,
    way: str = "walk",
) -> None:
    """Walk along a path for at most `allowed` meters of movement. [COS-MOVE-02] [COS-TERR-06]"""
    state = context.state
    cost = check_walk(state, who, path, allowed, low=low, pace=pace, way=way)
    way = _name_way(state, who, way)
    MOVER.carry(context, Steps(who, path, way, rule, how, cost=cost, low=low, careful=careful, pace=pace))


def _name_way(state: State, who: str, way: str) -> str:
    """The way to move of a walk; the prone crawl. [COS-COND-28]"""
    return "crawl" if way == "walk" and has_condition(state[who], "prone") else way


def check_walk(
    state: State,
    who: str,
    path: tuple[Point, ...],
    allowed: int,
    low: int = 0,
    pace: Pace = find_speed,
    way: str = "walk",
) -> float:
    """The movement that a path costs; Refused if it is too long, or by what its way to move asks before."""
    cost = check_cost(state, who, path, allowed, low=low, pace=pace)
    MOVER.check(state, Steps(who, path, _name_way(state, who, way)))
    return cost


def check_may_move(state: State, actor: str) -> None:
    """Refuse movement to the held and the holding, to gray out an action."""
    check_free(state, state[actor])


def check_low(low: int) -> None:
    """Refuse impossible numbers of obstacles."""
    if not 0 <= low <= 20:
        raise Refused("bad_value", "Cross 0 to 20 low obstacles at a time.")


def find_path(
    state: State,
    who: str,
    to: str,
    allowed: int,
    far: bool = False,
    low: int = 0,
    pace: Pace = find_speed,
) -> tuple[Point, ...]:
    """The path to a destination, with `far` as much as the movement allows; Refused if there is none."""
    name = state[who].name
    if allowed < 1:
        raise Refused("out_of_range", f"{name} cannot move: Speed {allowed} m.")
    path = find_goal(state, who, to)
    if path_length(path) < 0.01:
        raise Refused("bad_value", f"{name} is there already: choose another place.")
    kind, _, other = to.partition(":")
    _check_passages(state, state[who], path)
    if far:
        path = _end_beside(state, state[who], path)
    path = _lead_round(state, state[who], path, state[other] if kind == "near" else None)
    if not far and kind != "away":
        return path
    left, parts = allowed - LOW_OBSTACLE_M * low, part_at_decks(state.scene, path)
    if len(parts) == 1:
        path = shorten(state, who, stop_at_wall(state, who, path), left, pace=pace)
    elif movement_cost(state, who, path, pace=pace) > left:
        path = shorten(state, who, parts[0], left, pace=pace)
    path = end_alone(state, state[who], end_in_room(state, state[who], path))
    if path_length(path) < 0.01:
        raise Refused("not_allowed", f"{name} gets nowhere: there is no free place on that way.")
    return path


def _check_passages(state: State, combatant: Combatant, path: tuple[Point, ...]) -> None:
    """Refuse a path to another deck but through a hole; where nobody knows of decks, as on a map without."""
    try:
        check_passages(state, combatant, part_at_decks(state.scene, path))
    except Refused:
        battle_map = map_of(state.scene)
        if not battle_map.fog and knows_no_decks(battle_map):
            flat = with_map(state.scene, replace(battle_map, decks=(), ways=()))
            lead_round(replace(state, scene=flat), combatant, path, make_way)
        raise


def _lead_round(
    state: State, combatant: Combatant, path: tuple[Point, ...], other: Combatant | None
) -> tuple[Point, ...]:
    """A path around obstacles, on each deck that it crosses."""
    parts = part_at_decks(state.scene, path)
    if len(parts) == 1:
        return lead_round(state, combatant, path, make_way, other=other, gap=ARM_M)
    led = (lead_round(state, combatant, part, make_way) for part in parts)
    return tuple(place for done, part in zip(led, parts, strict=True) for place in (*done[:-1], part[-1]))


def _end_beside(state: State, combatant: Combatant, path: tuple[Point, ...]) -> tuple[Point, ...]:
    """A path to the nearest free cell beside its goal, if someone stands there; else the whole path."""
    if find_other_at(state, combatant, path[-1]) is None:
        return path
    free = find_landing(state, combatant, path[-1], find_grid(state))
    return (*path[:-1], free) if free else path


def stop_at_wall(state: State, who: str, path: tuple[Point, ...]) -> tuple[Point, ...]:
    """A straight path up to the first thing to climb; the whole path if that is at its start."""
    wall = find_wall(state, state[who], path)
    if wall is None or len(path) != 2 or wall[0] <= SHORT_OF_WALL_M:
        return path
    return (path[0], on_ground(state.scene, towards(*path, wall[0] - SHORT_OF_WALL_M)))


def places(state: State, actor: str) -> tuple[Choice, ...]:
    """The likely destinations of a combatant, with the meters to each."""
    combatant = state[actor]
    middle = partial(_find_middle, state, combatant)
    return name_goals(
        state,
        combatant,
        lambda place: in_meters(plan_distance(combatant.at, place)),
        middle,
        describe_other=lambda other: in_meters(plan_distance(*nearest(combatant, other))),
    )


def place_field(state: State, actor: str, hint: str = "", required: bool = True) -> Field:
    """The form field for a destination."""
    options = places(state, actor)
    value = options[0].value if options and required else ""
    return Field("to", "Where to", "place", options, value=value, help=hint, required=required)
