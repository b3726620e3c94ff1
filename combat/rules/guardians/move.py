"""Movement: the movement action, the rest of a move, and half a move around a blow."""

from __future__ import annotations

import math
from functools import partial

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say, say_needed
from combat.rules.core.commands.commands import Command, Field, Preview, first_open, folded_field, name_places
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.spots import find_middle
from combat.rules.core.gm.ways import find_doorway
from combat.rules.core.map.bodies import (
    check_room,
    end_in_room,
    find_beside,
    find_free,
    find_room,
    go_near_body,
    meters_of,
)
from combat.rules.core.map.moving import Course
from combat.rules.core.space import (
    FARTHEST,
    Point,
    Reach,
    away_from,
    check_goal,
    find_turns,
    map_of,
    on_ground,
    path_length,
    plan_distance,
    read_points,
    squares_around,
    towards,
)
from combat.rules.core.space.decks import RIM_M, find_hole
from combat.rules.core.space.paths import Way, cut_short, find_paths, go_round, has_walls, stop_short
from combat.rules.core.state.state import Combatant, State, replace
from combat.rules.core.turn.turns import spend

from .body.moving import MOVER
from .body.resolve import Effect, carry_out, find_spot
from .book.tables import ACTION, REACH_YARDS, YARDS
from .fight.attack import exert
from .world.acting import act, find_targets
from .world.reach import SLACK, are_enemies, describe_distance, find_grid
from .world.strides import count_left, is_crawling, keep_left, stride_terms, stride_yards, tell_hindrances

EPSILON = 1e-6
GOALS = ("near", "zone", "away")  # a move to them goes as far as the yards allow


class Move(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`to` is near:COMBATANT, zone:ID, away:COMBATANT or points "x,y; x,y" in yards. [CG-ACT-03]

    A move toward someone, to a zone or away from someone goes as far as the yards allow. A `jump` leads
    straight down into an open hole.  RULING R48
    """

    to: str
    jump: bool = False


def move(context: RuleContext, command: Move) -> None:
    """Spend the round's action on a move: Running and 2 yards. [CG-ACT-03] [CG-MOVE-01]  RULING R10"""
    who = command.actor
    stride = stride_yards(context.state, context.state[who])
    path, gone = find_way(context.state, command, stride)
    spend(context, who, {ACTION: 1}, on="a movement action", rule="CG-ACT-02")
    exert(context, who, True)
    keep_left(context, who, stride - gone, "CG-MOVE-01")
    go(context, command, path, yards=gone, rule="CG-MOVE-01")


def check_way(state: State, who: str, to: str) -> None:
    """Refuse a movement action to a place where it does not lead."""
    find_way(state, Move(actor=who, to=to), stride_yards(state, state[who]))


def walk_on(context: RuleContext, command: Move) -> None:
    """Use the rest of a move, or of the half that goes with a blow. [CG-MOVE-01] [CG-MOVE-03]"""
    who = command.actor
    left = count_left(context.state, context.state[who])
    path, gone = find_way(context.state, command, left)
    keep_left(context, who, left - gone, "CG-MOVE-03")
    go(context, command, path, yards=gone, rule="CG-MOVE-03")


def check_left(state: State, actor: str) -> None:
    """Refuse unless a movement action or a melee attack left some movement. [CG-MOVE-04]"""
    combatant = state[actor]
    if not count_left(state, combatant):
        less = tell_hindrances(state, combatant) if combatant.budget.get(YARDS, 0) else ""
        text = f"No movement left this round{less}: only a move or a melee attack gives some."
        raise Refused("no_budget", text)


def find_way(state: State, command: Move, yards: float) -> tuple[tuple[Point, ...], float]:
    """The path of a command and its length in yards; Refused if it is unreadable or too long."""
    start = find_spot(state, command.actor)
    kind, _, name = command.to.partition(":")
    path: tuple[Point, ...] = (start, _find_goal(state, command, start, kind=kind, name=name, yards=yards))
    if kind not in GOALS:
        path = (start, *read_points(command.to, FARTHEST))
    path = _go_round(state, command, path, yards)
    if kind in GOALS:
        path = end_in_room(state, state[command.actor], path)
    length = path_length(path)
    if length <= EPSILON:
        raise Refused("not_allowed", "That is where they are already: choose another place.")
    if length > yards + SLACK:
        needed = say_needed(length)
        less = tell_hindrances(state, state[command.actor])
        raise Refused("out_of_range", f"That is {needed} yd, and {yards:g} yd are left{less}: go less far.")
    check_room(state, state[command.actor], path[-1])
    MOVER.check(state, Course(command.actor, path, _find_manner(state[command.actor], command)))
    return path, length


def _find_manner(combatant: Combatant, command: Move) -> str:
    """The way to move of someone who walks, crawls or jumps."""
    return "jump" if command.jump else "crawl" if is_crawling(combatant) else "walk"


def _go_round(state: State, command: Move, path: tuple[Point, ...], yards: float) -> tuple[Point, ...]:
    """The path around obstacles on the battle map; to someone or a zone, as far as the yards go."""
    combatant = replace(state[command.actor], at=path[0])
    battle_map, way = map_of(state.scene), Way(find_grid(state), meters=meters_of(combatant))
    kind, _, name = command.to.partition(":")
    if not has_walls(battle_map):
        return path
    if command.jump:
        return _jump(state, combatant, path)
    if kind == "away":
        return (path[0], stop_short(battle_map, way.grid, path[0], goal=path[-1], meters=way.meters))
    if kind not in ("near", "zone"):
        return go_round(battle_map, way, path)
    whole = _find_goal(state, command, path[0], kind=kind, name=name, yards=math.inf)
    found = (
        go_near_body(battle_map, way, combatant, other=state[name], gap=REACH_YARDS)
        if kind == "near"
        else None
    )
    found = found or go_round(battle_map, way, (path[0], whole))
    return cut_short(found, path_length, _shorten, yards)


def _jump(state: State, combatant: Combatant, path: tuple[Point, ...]) -> tuple[Point, ...]:
    """The straight way of a jump into the first open hole on it; Refused if there is none.  RULING R48"""
    battle_map, start = map_of(state.scene), path[0]
    end = stop_short(battle_map, find_grid(state), start, goal=path[-1], meters=meters_of(combatant))
    if not find_hole(battle_map.ways, end.x, end.y, RIM_M):
        raise Refused("out_of_range", "There is no open hole to jump into that way: walk.")
    return (start, end)


def find_way_to_door(state: State, combatant: Combatant, goal: Point) -> str:
    """The path of a move toward the first shut door on the way; empty without one. [CG-MOVE-01]"""
    way = Way(find_grid(state), meters=meters_of(combatant))
    doorway = find_doorway(state, combatant, goal, way)
    return find_way_to(state, combatant, doorway) if doorway else ""


def find_way_to(state: State, combatant: Combatant, goal: Point) -> str:
    """The path of a move toward a place of the map, as far as one move leads; empty without one."""
    battle_map, way = map_of(state.scene), Way(find_grid(state), meters=meters_of(combatant))
    try:
        whole = go_round(battle_map, way, (combatant.at, goal))
    except Refused:
        return ""
    path = cut_short(whole, path_length, _shorten, stride_yards(state, combatant))
    return "; ".join(f"{at.x:g},{at.y:g}" for at in path[1:])


def _shorten(leg: tuple[Point, ...], yards: float) -> tuple[Point, ...]:
    """The first yards of a straight leg."""
    return leg[0], towards(leg[0], leg[1], yards)


def _find_goal(state: State, command: Move, start: Point, kind: str, name: str, yards: float) -> Point:
    """The end of a path toward someone or something, as far as the yards go."""
    if kind == "near":
        goal = find_beside(replace(state[command.actor], at=start), state[name], REACH_YARDS)
    elif kind == "away":
        goal = away_from(start, state[name].at, yards)
    elif kind == "zone":
        zone = check_goal(state.scene, name)
        goal = find_middle(state.scene, zone, find_grid(state), meters_of(state[command.actor]))
        goal = find_room(state, state[command.actor], goal)
    else:
        return start
    return towards(start, goal, yards) if plan_distance(start, goal) > yards else goal


def go(context: RuleContext, command: Move, path: tuple[Point, ...], yards: float, rule: str) -> None:
    """Move to the end of a path now, or at the end of a shared count."""
    who, at = command.actor, on_ground(context.state.scene, path[-1])
    way, cost = _find_manner(context.state[who], command), round(yards, 1)
    how = f"how.{way}s" if way != "walk" else "how.moves"
    carry_out(
        context,
        Effect(kind="move", who=who, rule=rule, at=at, points=round(yards), cost=cost, how=how, way=way),
    )


def preview_move(state: State, command: Move) -> Preview:
    """The length of a whole move."""
    combatant = state[command.actor]
    yards = stride_yards(state, combatant)
    find_way(state, command, yards)
    notes = () if yards.is_integer() else (say("note.stride", yards=yards),)
    return Preview(stride_terms(state, combatant), (), "", dice="", notes=notes)


def find_reach(state: State, actor: str) -> tuple[Reach, ...]:
    """The squares of the map that a whole move reaches."""
    combatant = replace(state[actor], at=find_spot(state, actor))
    return _squares(state, combatant, stride_yards(state, combatant))


def find_reach_left(state: State, actor: str) -> tuple[Reach, ...]:
    """The squares that the rest of a move reaches."""
    combatant = replace(state[actor], at=find_spot(state, actor))
    return _squares(state, combatant, count_left(state, combatant))


def _squares(state: State, combatant: Combatant, yards: float) -> tuple[Reach, ...]:
    free = find_free(state, combatant, squares_around(state.scene, combatant.at, yards))
    way = Way(find_grid(state), meters=meters_of(combatant))
    paths = find_paths(map_of(state.scene), way, combatant.at, goals=free, most=yards)
    costs = ((way, path_length(way)) for way in paths)
    return tuple(
        Reach(way[-1], round(cost, 1), turns=find_turns(way), left=yards - cost)
        for way, cost in costs
        if cost <= yards + EPSILON
    )


def move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The goal: next to others, zones, away from enemies, or a place on the map. [CG-ACT-03]"""
    combatant, others = state[actor], find_targets(state, actor)
    describe = partial(describe_distance, state, combatant)
    options = name_places(state, others, describe, partial(are_enemies, combatant))
    jump = folded_field("jump", "Jump down into an open hole", "flag", rule="CG-REF-11")
    return (
        Field("to", "Where to", "place", options=options, value=first_open(options), rule="CG-MOVE-01"),
        *((jump,) if any(way.hole and way.open for way in map_of(state.scene).ways) else ()),
    )


ACTIONS = (
    act(
        "move",
        move,
        fields=move_fields,
        preview=preview_move,
        reach=find_reach,
        brief=lambda words, state, combatant: words.format(yards=f"{stride_yards(state, combatant):g}"),
    ),
    act(
        "walk_on",
        walk_on,
        check_left,
        fields=move_fields,
        reach=find_reach_left,
        brief=lambda words, state, combatant: words.format(yards=f"{count_left(state, combatant):g}"),
    ),
)
