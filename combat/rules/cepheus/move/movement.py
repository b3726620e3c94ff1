"""Movement on foot: its paths, its reach, and its limits; starting places; standing, crouched or prone."""

from __future__ import annotations

import math
from bisect import bisect_right
from contextlib import suppress
from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import say, say_needed
from combat.rules.core.commands.commands import Command, Field, first_open, name_goals, number_field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.gm.spots import find_middle
from combat.rules.core.gm.ways import find_landing
from combat.rules.core.map.bodies import (
    check_room,
    find_beside,
    find_free,
    find_spot,
    find_taken,
    find_unseen,
    is_clear,
    lead_round,
    lead_to_each,
    meters_of,
)
from combat.rules.core.map.moving import Course
from combat.rules.core.space import (
    Point,
    Reach,
    away_from,
    check_goal,
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
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, present
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..body.moving import CRAWL, EDGE, MOVER, check_free_to_move, find_stop
from ..book.options import find_option
from ..book.tables import BANDS, RANGE_BANDS, SQUARE_METERS
from ..characters.conditions import crawls, creeps, limps
from ..characters.values import is_vehicle
from ..dice import lose_aim
from ..world.acting import act, gm
from ..world.bands import SITES, describe_distance, find_starting_band, is_grid, place_meters, snap
from ..world.economy import check_minor, count_minors, pay_minor
from ..world.motion import ROUGH, allowed_meters, find_step, movement_cost
from ..world.scene import DIFFICULT
from ..world.sight_lines import find_grid

MAX_ACTIONS = 3
BESIDE_METERS = 1.0  # meters to keep from someone, off a grid
FAR_AWAY = 100.0
SITE_NAMES = {"tight": "Tight quarters", "outdoors": "Outdoors", "open": "Wide open ground"}
STANDING, CROUCHED, PRONE = "standing", "crouched", "prone"
STANCES = {STANDING: "Stand", CROUCHED: "Crouch", PRONE: "Lie prone"}  # CE-STANCE-01


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
        zone = check_goal(state.scene, name)
        middle = find_middle(state.scene, zone, find_grid(state), meters_of(combatant))
        return (combatant.at, find_spot(state, combatant, middle, step=SQUARE_METERS, cell=SQUARE_METERS))
    if kind == "near":
        place = find_beside(combatant, state[name], _find_gap(state), SQUARE_METERS, snaps=is_grid(state))
        return (combatant.at, on_ground(state.scene, place))
    if kind == "away":
        there = away_from(combatant.at, state[name].at, FAR_AWAY)
        there = find_stop(state, combatant, there, "walk")
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
    is_exact = not far and kind not in ("near", "away", "zone")
    return (
        path if is_exact and is_grid(state) else end_beside(state, combatant, path, allowed, other, is_exact)
    )


def end_beside(
    state: State,
    combatant: Combatant,
    path: tuple[Point, ...],
    allowed: float,
    other: Combatant | None,
    is_exact: bool,
) -> tuple[Point, ...]:
    """A path that ends beside those who stand at its end, near the `other` if it leads to one. Refused if it
    `is_exact`, or if there is no room.

    RULING R100: on squares one may step into the square of someone else. In fog enemies give nothing away.
    """
    x, y, people = path[-1].x, path[-1].y, state.combatants.values()
    if not [f for f in people if f.id != combatant.id and abs(f.at.x - x) < 1 and abs(f.at.y - y) < 1]:
        return path  # as mostly
    unknown = find_unseen(state, combatant)
    beside = (*unknown, *((other.id,) if other else ()))
    taken = find_taken(state, combatant, beside)
    if is_clear(path[-1], taken):
        return path
    if is_exact:
        raise Refused("not_allowed", "Someone stands there: choose a place beside them.")
    with suppress(Refused):
        spot = find_landing(state, combatant, path[-1], find_grid(state), unknown)
        aside = lead_round(state, combatant, (path[0], spot or path[-1]), make_way=make_way)
        if spot and EDGE < movement_cost(state, aside) <= allowed + EDGE:
            return aside
    cost, step = movement_cost(state, path), _find_gap(state)
    shorter = (shorten(state, path, max(0.0, cost - n * step)) for n in range(1, MAX_ACTIONS + 1))
    free = (one for one in shorter if path_length(one) > EDGE and is_clear(one[-1], taken))
    if found := next(free, None):
        return found
    raise Refused("out_of_range", f"{combatant.name} cannot get any closer: others stand there.")


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
    combatant = context.state[who]
    path = find_path(
        context.state, who, command.to, allowed=allowed_meters(combatant, command.actions), far=command.far
    )
    course = find_course(context.state, combatant, path)
    MOVER.check(context.state, course)
    if not is_free(context.state, combatant):
        pay_minor(context, who, "Moving", rule="CE-MINOR-15", n=count_actions(combatant, course.cost))
    lose_aim(context, who, "why.moves")
    MOVER.carry(context, course)


def check_way(state: State, who: str, to: str) -> None:
    """Refuse a movement action, as the form starts with it, to a place where it does not lead.

    It takes one minor action, as far as that leads; `check_move` has refused those who cannot take it.
    """
    find_path(state, who, to, allowed=allowed_meters(state[who]), far=True)


def count_actions(combatant: Combatant, cost: float) -> int:
    """The fewest minor actions for a path that costs so many meters of movement. [CE-MINOR-15]"""
    enough = (n for n in range(1, MAX_ACTIONS) if cost <= allowed_meters(combatant, n) + 0.01)
    return next(enough, MAX_ACTIONS)


def find_course(state: State, combatant: Combatant, path: tuple[Point, ...]) -> Course:
    """The course of someone on foot: upright, crouched or crawling."""
    rule, cost = find_rule(state, combatant, path), movement_cost(state, path)
    if crawls(combatant):
        return Course(combatant.id, path, CRAWL, rule, "how.crawls", cost)
    how = "how.moves_crouched" if creeps(combatant) else "how.moves"
    return Course(combatant.id, path, "walk", rule, how, cost)


def find_rule(state: State, combatant: Combatant, path: tuple[Point, ...]) -> str:
    """The rule that limits a path."""
    if meters_through(state.scene, path, ROUGH) > 0:
        return "CE-MINOR-18"
    return "CE-MINOR-19" if creeps(combatant) else "CE-MINOR-15"


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


# The starting places of the groups.


class PlaceGroups(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Place the sides apart: as usual at a `site`, or at the `band` of the GM's choice."""

    site: str = "outdoors"
    band: str = ""


def check_not_fighting(state: State, actor: str) -> None:
    """Refuse to set the starting range during a fight. [CE-RANGE-19]"""
    if state.phase == "fight":
        raise Refused("not_allowed", "The fight is under way: move combatants one by one.")
    if len({f.side for f in present(state)}) < 2:
        raise Refused("not_allowed", "There is only one group: add their opponents first.")


def place_groups(context: RuleContext, command: PlaceGroups) -> None:
    """Place each side in a line, at the starting range from the one before.

    [CE-RANGE-19] [CE-RANGE-20] [CE-RANGE-21] [CE-RANGE-22] [CE-RANGE-23] [CE-RANGE-24]
    """
    if command.site not in SITES or command.band not in ("", *BANDS):
        raise Refused("bad_value", "Choose a kind of place and, if you like, a range band from the lists.")
    state = context.state
    band = find_starting_band(state, command.site, command.band)
    sides = list(dict.fromkeys(f.side for f in present(state)))
    courses = []
    for column, side in enumerate(sides):
        outside = [f for f in present(state) if f.side == side and not f.inside]
        for row, combatant in enumerate(outside):
            path = (combatant.at, Point(column * place_meters(band), row * SQUARE_METERS))
            courses.append(Course(combatant.id, path, "placed", "CE-RANGE-19", "how.is_placed", meters=0.0))
    MOVER.carry_all(context, *courses)
    wanted = command.band or SITES[command.site][0]
    rule = "CE-RANGE-19" if band == wanted else "CE-RANGE-23" if band == "short" else "CE-RANGE-24"
    context.emit(e.Said("log.starts_at", args={"band": say(f"band.{band}")}), rule)


def placing_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: the kind of place, with its usual range."""
    sites = tuple(
        Choice(site, SITE_NAMES[site], f"usually {RANGE_BANDS[bands[0]].name}")
        for site, bands in SITES.items()
    )
    bands = (Choice("", "as usual"), *(Choice(band, RANGE_BANDS[band].name) for band in BANDS))
    return (
        Field("site", "Where", "choice", options=sites, value="outdoors", rule="CE-RANGE-19"),
        Field("band", "Range", "choice", options=bands, value="", rule="CE-RANGE-19", required=False),
    )


# Standing, crouched or prone.


class Take(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a stance."""

    stance: str


def find_stance(combatant: Combatant) -> str:
    """Someone's stance; standing by default.  [CE-STANCE-01] [CE-STANCE-02]"""
    return next((kind for kind in (PRONE, CROUCHED) if has_condition(combatant, kind)), STANDING)


def check_stance(state: State, actor: str) -> None:
    """Refuse a stance without a minor action, or for a vehicle. [CE-MINOR-11]"""
    combatant = state[actor]
    if is_vehicle(combatant):
        raise Refused("not_allowed", "A vehicle takes no stance.")
    check_minor(state, actor, "Changing stance")


def take_stance(context: RuleContext, command: Take) -> None:
    """Change between standing, crouched and prone. [CE-MINOR-11] [CE-STANCE-01]"""
    who = command.actor
    if command.stance not in STANCES:
        raise Refused("bad_value", f"Choose one of {', '.join(STANCES)}.")
    if find_stance(context.state[who]) == command.stance:
        raise Refused("not_allowed", f"{context.state[who].name} is {command.stance} already.")
    pay_minor(context, who, "Changing stance", "CE-MINOR-11")
    lose_aim(context, who, "why.changes_stance")
    set_stance(context, who, command.stance)


def set_stance(context: RuleContext, who: str, stance: str) -> None:
    """Put someone into a stance, for any reason."""
    remove_conditions(context, who, PRONE, CROUCHED, why="why.changes_stance", rule="CE-MINOR-11")
    if stance == STANDING:
        context.emit(e.Said("log.stands", who), "CE-MINOR-11")
    else:
        add_condition(context, who, stance)


def stance_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form: the stances other than the current one."""
    now = find_stance(state[actor])
    options = tuple(Choice(key, label) for key, label in STANCES.items() if key != now)
    return (Field("stance", "Stance", "choice", options=options, value=options[0].value, rule="CE-MINOR-11"),)


ACTIONS = (
    act(
        "move",
        move,
        check_move,
        fields=move_fields,
        reach=find_reach,
        brief=lambda words, state, combatant: words.format(metres=f"{allowed_meters(combatant):g}"),
    ),
    gm("place_groups", place_groups, check_not_fighting, fields=placing_fields, has_odds=False),
    act("stance", take_stance, check_stance, fields=stance_fields),
)
