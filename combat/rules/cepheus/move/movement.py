"""Movement on foot: its paths, its reach, and its limits."""

from __future__ import annotations

import math
from bisect import bisect_right
from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say_needed
from combat.rules.core.commands.commands import Command, Field, first_open
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.commands.forms import name_goals, number_field
from combat.rules.core.gm.spots import find_middle
from combat.rules.core.map.bodies import (
    check_room,
    find_beside,
    find_free,
    find_spot,
    lead_round,
    lead_to_each,
    meters_of,
)
from combat.rules.core.space import (
    Point,
    Reach,
    away_from,
    check_zone,
    find_turns,
    is_ground,
    map_of,
    meters_through,
    on_ground,
    path_length,
    read_points,
    squares_around,
    towards,
)
from combat.rules.core.space.grid import Grid
from combat.rules.core.space.paths import Way, cut_short, find_ground, has_walls
from combat.rules.core.state.state import Combatant, State

from ..body.moving import go
from ..book.options import find_option
from ..book.tables import SQUARE_METERS
from ..characters.conditions import crawls, creeps, limps
from ..characters.values import is_vehicle
from ..dice.focus import lose_aim
from ..world.acting import act, check_free_hands
from ..world.bands import describe_distance, is_grid, snap
from ..world.economy import check_minor, count_minors, pay_minor
from ..world.motion import ROUGH, allowed_meters, find_step, movement_cost
from ..world.scene import DIFFICULT
from ..world.sight_lines import find_grid, stop_at_walls

MAX_ACTIONS = 3
BESIDE_METERS = 1.0  # meters to keep from someone, off a grid
FAR_AWAY = 100.0


class Move(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`to` is zone:ID, near:COMBATANT, away:COMBATANT or points "x,y; x,y" in meters.

    `actions` is the maximum of minor actions to spend, no more than the path takes; with `far` the move goes
    as far as they lead.
    """

    to: str
    actions: int = 1
    far: bool = False


# ---------------------------------------------------------------- destinations


def find_goal(state: State, who: str, to: str) -> tuple[Point, ...]:
    """The path from someone to the place a command names."""
    combatant = state[who]
    kind, _, name = to.partition(":")
    if kind == "zone":
        zone = check_zone(state.scene, name)
        middle = find_middle(state.scene, zone, find_grid(state), meters_of(combatant))
        return (combatant.at, find_spot(state, combatant, middle, step=SQUARE_METERS, cell=SQUARE_METERS))
    if kind == "near":
        place = find_beside(combatant, state[name], _find_gap(state), SQUARE_METERS, snaps=is_grid(state))
        return (combatant.at, on_ground(state.scene, place))
    if kind == "away":
        there = away_from(combatant.at, state[name].at, FAR_AWAY)
        there = stop_at_walls(state, combatant.at, there, meters_of(combatant))
        return (combatant.at, on_ground(state.scene, there))
    return (combatant.at, *(on_ground(state.scene, point) for point in read_points(to)))


def _find_gap(state: State) -> float:
    """The distance to keep from someone, in meters."""
    return SQUARE_METERS if is_grid(state) else BESIDE_METERS


def find_path(state: State, who: str, to: str, allowed: float, far: bool = False) -> tuple[Point, ...]:
    """The path to take, with `far` only as far as the movement leads; Refused if it leads nowhere."""
    combatant = state[who]
    start, *way = find_goal(state, who, to)
    kind, _, name = to.partition(":")
    other = state[name] if kind == "near" else None
    path = (start, *(snap(state, place) for place in way))
    path = lead_round(state, combatant, path, make_way=make_way, other=other, gap=_find_gap(state))
    if path_length(path) < 0.01:
        raise Refused("bad_value", f"{combatant.name} is there already: choose another place.")
    if far or to.startswith("away:"):
        path = shorten(state, path, allowed)
    cost = movement_cost(state, path)
    if cost > allowed + 0.01:
        needed = say_needed(cost)
        text = f"Too far: that way takes {needed} m of movement, {combatant.name} has {allowed:g} m."
        raise Refused("out_of_range", text)
    if path_length(path) < 0.01:
        raise Refused("out_of_range", f"{combatant.name} cannot get any closer: {allowed:g} m of movement.")
    check_room(state, combatant, path[-1], SQUARE_METERS)
    return path


def shorten(state: State, path: tuple[Point, ...], allowed: float) -> tuple[Point, ...]:
    """The first part of a straight path, also around walls, that the movement pays for: in tenths of a meter
    or in squares."""
    if movement_cost(state, path) <= allowed + 0.01 or (
        len(path) != 2 and not has_walls(map_of(state.scene))
    ):
        return path
    if len(path) != 2:
        return cut_short(path, partial(movement_cost, state), partial(shorten, state), allowed)
    start, goal = path
    step = SQUARE_METERS if is_grid(state) else 0.1

    def spot(steps: int) -> Point:
        return on_ground(state.scene, snap(state, towards(start, goal, steps * step)))

    def cost(steps: int) -> float:
        return movement_cost(state, (start, spot(steps)))

    last, paid = int(path_length(path) / step), allowed + 0.01
    most = min(last, int(paid / step))  # places where a meter costs a meter
    if cost(most) > paid or (most < last and cost(most + 1) <= paid):
        most = bisect_right(range(last + 1), paid, key=cost) - 1
    return (start, spot(max(0, most)))


# ---------------------------------------------------------------- moving


def check_free_to_move(state: State, who: str) -> None:
    """Refuse movement of those who are held, sit in something, or are driven."""
    combatant = state[who]
    check_free_hands(combatant)
    if is_vehicle(combatant):
        raise Refused("not_allowed", f"{combatant.name} is driven: its driver acts for it.")
    if combatant.inside:
        raise Refused(
            "not_allowed", f"{combatant.name} is inside {state[combatant.inside].name}: get out first."
        )
    if limps(combatant) and allowed_meters(combatant) < 0.01:
        raise Refused("not_allowed", "The seriously wounded move 1.5 m a round, and that is done.")


def is_free(state: State, combatant: Combatant) -> bool:
    """Whether moving costs no action: the only movement of the seriously wounded in the summary.
    RULING R91"""
    return limps(combatant) and not find_option(state, "three_minors")


def check_move(state: State, who: str) -> None:
    """Refuse a movement action that is impossible now."""
    check_free_to_move(state, who)
    if not is_free(state, state[who]):
        check_minor(state, who, "Moving")


def move(context: RuleContext, command: Move) -> None:
    """Move up to 6 m for each minor action; spend only as many as needed. [CE-MINOR-15]"""
    who = command.actor
    if not 1 <= command.actions <= MAX_ACTIONS:
        raise Refused("bad_value", f"Move with 1 to {MAX_ACTIONS} minor actions.")
    check_free_to_move(context.state, who)
    combatant = context.state[who]
    path = find_path(
        context.state, who, command.to, allowed=allowed_meters(combatant, command.actions), far=command.far
    )
    if not is_free(context.state, combatant):
        pay_minor(context, who, "Moving", rule="CE-MINOR-15", n=count_actions(context.state, combatant, path))
    lose_aim(context, who, "why.moves")
    walk(context, who, path, how=find_manner(combatant), rule=find_rule(context.state, combatant, path))


def check_way(state: State, who: str, to: str) -> None:
    """Refuse a movement action, as the form starts with it, to a place where it does not lead.

    It takes one minor action, as far as that leads; `check_move` has refused those who cannot take it.
    """
    find_path(state, who, to, allowed=allowed_meters(state[who]), far=True)


def count_actions(state: State, combatant: Combatant, path: tuple[Point, ...]) -> int:
    """The fewest minor actions for a path. [CE-MINOR-15]"""
    cost = movement_cost(state, path)
    enough = (n for n in range(1, MAX_ACTIONS) if cost <= allowed_meters(combatant, n) + 0.01)
    return next(enough, MAX_ACTIONS)


def find_manner(combatant: Combatant) -> str:
    """The manner of moving, for the log."""
    if crawls(combatant):
        return "how.crawls"
    return "how.moves_crouched" if creeps(combatant) else "how.moves"


def find_rule(state: State, combatant: Combatant, path: tuple[Point, ...]) -> str:
    """The rule that limits a path."""
    if meters_through(state.scene, path, ROUGH) > 0:
        return "CE-MINOR-18"
    return "CE-MINOR-19" if creeps(combatant) else "CE-MINOR-15"


def walk(context: RuleContext, who: str, path: tuple[Point, ...], how: str, rule: str) -> None:
    """Move along a path, and remember its length: it affects shots at the mover."""
    go(context, who, path, how=how, rule=rule, cost=movement_cost(context.state, path))


def make_way(state: State, combatant: Combatant) -> Way:
    """A path: from square to square on a grid, diagonals as one; else straight. [CE-MINOR-16] [CE-MINOR-18]

    RULING R31
    """
    squares = is_grid(state)
    ground = find_ground(state.scene, frozenset({DIFFICULT}))
    grid = Grid(SQUARE_METERS) if squares else find_grid(state)
    slant = 1.0 if squares else math.sqrt(2)
    return Way(grid, squares, slant, ground, meters=meters_of(combatant))


def find_reach(state: State, who: str) -> tuple[Reach, ...]:
    """The places within one movement action.  [CE-MINOR-15] [CE-MINOR-17] [CE-MINOR-18]"""
    combatant = state[who]
    try:
        check_free_to_move(state, who)
    except Refused:
        return ()
    allowed = allowed_meters(combatant)
    around = _around(state, combatant.at, allowed)
    if combatant.at.z and not map_of(state.scene).decks:  # a roof: the squares lie as high as their zones
        around = tuple(on_ground(state.scene, place) for place in around)
    free = find_free(state, combatant, around, SQUARE_METERS)
    paths = lead_to_each(state, combatant, make_way(state, combatant), goals=free, meters=allowed)
    costs = ((way, movement_cost(state, way)) for way in paths)
    fit = ((way, cost) for way, cost in costs if 0 < cost <= allowed + 0.01)
    return tuple(Reach(way[-1], cost, turns=find_turns(way), left=allowed - cost) for way, cost in fit)


def _around(state: State, at: Point, meters: float) -> tuple[Point, ...]:
    """Possible destinations: whole meters, or on a grid the middles of its squares."""
    if not is_grid(state):
        return squares_around(state.scene, at, meters)
    most = range(-int(meters // SQUARE_METERS), int(meters // SQUARE_METERS) + 1)
    points = (Point(at.x + x * SQUARE_METERS, at.y + y * SQUARE_METERS) for y in most for x in most)
    return tuple(p for p in points if is_ground(state.scene, p))


def find_places(state: State, actor: str) -> tuple[Choice, ...]:
    """Likely destinations, with their distances."""
    combatant = state[actor]
    return name_goals(state, combatant, partial(describe_distance, state, combatant))


def move_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of moving."""
    places = find_places(state, actor)
    step = find_step(state[actor])
    most = max(1, min(MAX_ACTIONS, count_minors(state, actor)))
    hint = f"{step:g} m each; difficult terrain counts double"
    return (
        Field(
            "to", "Where to", "place", options=places, value=first_open(places), help=hint, rule="CE-MINOR-15"
        ),
        Field("far", "Go as far as it takes", "flag", value="true"),
        number_field("actions", "Minor actions", 1, low=1, high=most, rule="CE-MINOR-02"),
    )


ACTIONS = (
    act(
        "move",
        move,
        check_move,
        fields=move_fields,
        reach=find_reach,
        brief=lambda words, state, combatant: words.format(metres=f"{allowed_meters(combatant):g}"),
    ),
)
