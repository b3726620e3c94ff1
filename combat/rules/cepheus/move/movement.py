"""Going somewhere on foot: how far a movement action leads, and what shortens it."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.memory import remember_latest
from combat.rules.core.bodies import check_room, find_beside, is_concealed, lead_round, metres_of
from combat.rules.core.commands.commands import Command
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.gm.spots import find_middle
from combat.rules.core.space import (
    Point,
    away_from,
    distance,
    find_zone,
    map_of,
    metres_through,
    on_ground,
    path_length,
    read_points,
    towards,
    zone_named,
)
from combat.rules.core.space.ways import cut_short, has_walls
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, present

from ..book.options import find_option
from ..book.tables import SQUARE_METRES
from ..dice.focus import lose_aim, lose_sight
from ..fight.checks import check_free_hands
from ..people.values import is_vehicle
from ..world.bands import is_grid, snap
from ..world.economy import check_minor, pay_minor
from ..world.lines import find_grid, stop_at_walls
from ..world.motion import ROUGH, find_allowed, find_cost, note_moved
from ..world.ways import make_way

MAX_ACTIONS = 3
BESIDE_METRES = 1.0  # how near to somebody one goes, off a grid
FAR_AWAY = 100.0


class Move(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`to` is zone:ID, near:FIGHTER, away:FIGHTER or points "x,y; x,y" in metres.

    `actions` are the most minor actions to spend on it, no more than the way takes; with `far` one goes as
    far as they lead.
    """

    to: str
    actions: int = 1
    far: bool = False


# ---------------------------------------------------------------- where to


def find_goal(state: State, who: str, to: str) -> tuple[Point, ...]:
    """The way from somebody to the place a command names."""
    fighter = state[who]
    kind, _, name = to.partition(":")
    if kind == "zone":
        zone = zone_named(state.scene, name)
        if zone is None:
            raise Refused("unknown", "That zone is not part of the scene.")
        middle = find_middle(state.scene, zone, find_grid(state), metres_of(fighter))
        return (fighter.at, _find_spot(state, fighter, middle))
    if kind == "near":
        place = find_beside(fighter, state[name], _find_gap(state), SQUARE_METRES)
        return (fighter.at, on_ground(state.scene, place))
    if kind == "away":
        there = away_from(fighter.at, state[name].at, FAR_AWAY)
        there = stop_at_walls(state, fighter.at, there, metres_of(fighter))
        return (fighter.at, on_ground(state.scene, there))
    return (fighter.at, *(on_ground(state.scene, point) for point in read_points(to)))


def _find_gap(state: State) -> float:
    """How near to somebody one goes, in metres."""
    return SQUARE_METRES if is_grid(state) else BESIDE_METRES


def _find_spot(state: State, fighter: Combatant, centre: Point) -> Point:
    """The middle of a zone, or next to it where others stand already; the concealed give no way."""
    taken = [f.at for f in present(state) if f.id != fighter.id and not is_concealed(state, f)]
    steps = (0, SQUARE_METRES, -SQUARE_METRES)
    spots = [Point(centre.x + x, centre.y + y, centre.z) for y in steps for x in steps]
    return next((s for s in spots if all(distance(s, other) >= 1 for other in taken)), centre)


@remember_latest
def find_path(state: State, who: str, to: str, allowed: float, far: bool = False) -> tuple[Point, ...]:
    """The way to go, with `far` only as far as the movement leads; Refused if it leads nowhere."""
    fighter = state[who]
    start, *way = find_goal(state, who, to)
    kind, _, name = to.partition(":")
    other = state[name] if kind == "near" else None
    path = (start, *(snap(state, place) for place in way))
    path = lead_round(state, fighter, path, make_way, other, _find_gap(state))
    if path_length(path) < 0.01:
        raise Refused("bad_value", f"{fighter.name} is there already: choose another place.")
    if far or to.startswith("away:"):
        path = shorten(state, path, allowed)
    cost = find_cost(state, path)
    if cost > allowed + 0.01:
        text = f"Too far: that way takes {cost:g} m of movement, {fighter.name} has {allowed:g} m."
        raise Refused("out_of_range", text)
    if path_length(path) < 0.01:
        raise Refused("out_of_range", f"{fighter.name} cannot get any closer: {allowed:g} m of movement.")
    check_room(state, fighter, path[-1], SQUARE_METRES)
    return path


def shorten(state: State, path: tuple[Point, ...], allowed: float) -> tuple[Point, ...]:
    """The first part of a straight way that the movement pays for, in tenths of a metre or in squares; of one
    round walls too."""
    if find_cost(state, path) <= allowed + 0.01 or (len(path) != 2 and not has_walls(map_of(state.scene))):
        return path
    if len(path) != 2:
        return cut_short(path, partial(find_cost, state), partial(shorten, state), allowed)
    start, goal = path
    step = SQUARE_METRES if is_grid(state) else 0.1

    def spot(steps: int) -> Point:
        return on_ground(state.scene, snap(state, towards(start, goal, steps * step)))

    def cost(steps: int) -> float:
        return find_cost(state, (start, spot(steps)))

    last, paid = int(path_length(path) / step), allowed + 0.01
    most = min(last, int(paid / step))  # where a metre costs a metre
    if cost(most) > paid or (most < last and cost(most + 1) <= paid):
        most = bisect_right(range(last + 1), paid, key=cost) - 1
    return (start, spot(max(0, most)))


# ---------------------------------------------------------------- going


def check_free_to_move(state: State, who: str) -> None:
    """Refuse those who are held, sit in something, or are driven."""
    fighter = state[who]
    check_free_hands(fighter)
    if is_vehicle(fighter):
        raise Refused("not_allowed", f"{fighter.name} is driven: its driver acts for it.")
    if fighter.inside:
        raise Refused("not_allowed", f"{fighter.name} sits inside: leave first.")
    if has_condition(fighter, "seriously_wounded") and find_allowed(fighter) < 0.01:
        raise Refused("not_allowed", "The seriously wounded move 1.5 m a round, and that is done.")


def is_free(state: State, fighter: Combatant) -> bool:
    """Whether moving costs no action: what remains to the seriously wounded of the summary.  RULING R91"""
    return has_condition(fighter, "seriously_wounded") and not find_option(state, "three_minors")


def check_move(state: State, who: str) -> None:
    """What greys a movement action."""
    check_free_to_move(state, who)
    if not is_free(state, state[who]):
        check_minor(state, who, "Moving")


def move(context: RuleContext, command: Move) -> None:
    """[CE-MINOR-15] Go up to 6 m for each minor action, and spend no more of them than that takes."""
    who = command.actor
    if not 1 <= command.actions <= MAX_ACTIONS:
        raise Refused("bad_value", f"Move with 1 to {MAX_ACTIONS} minor actions.")
    check_free_to_move(context.state, who)
    fighter = context.state[who]
    path = find_path(context.state, who, command.to, find_allowed(fighter, command.actions), command.far)
    if not is_free(context.state, fighter):
        pay_minor(context, who, "Moving", "CE-MINOR-15", count_actions(context.state, fighter, path))
    lose_aim(context, who, "why.moves")
    walk(context, who, path, find_manner(fighter), find_rule(context.state, fighter, path))


def count_actions(state: State, fighter: Combatant, path: tuple[Point, ...]) -> int:
    """[CE-MINOR-15] The fewest minor actions that lead along a way."""
    cost = find_cost(state, path)
    enough = (n for n in range(1, MAX_ACTIONS) if cost <= find_allowed(fighter, n) + 0.01)
    return next(enough, MAX_ACTIONS)


def find_manner(fighter: Combatant) -> str:
    """How somebody moves, for the log."""
    if has_condition(fighter, "prone"):
        return "how.crawls"
    return "how.moves_crouched" if has_condition(fighter, "crouched") else "how.moves"


def find_rule(state: State, fighter: Combatant, path: tuple[Point, ...]) -> str:
    """The rule that limits a way."""
    if metres_through(state.scene, path, ROUGH) > 0:
        return "CE-MINOR-18"
    return "CE-MINOR-19" if has_condition(fighter, "crouched") else "CE-MINOR-15"


def walk(context: RuleContext, who: str, path: tuple[Point, ...], how: str, rule: str) -> None:
    """Go along a way, and remember how far: it tells on shots at who moves."""
    metres = round(path_length(path), 3)
    zone = find_zone(context.state.scene, path[-1])
    cost = find_cost(context.state, path)
    context.emit(e.Moved(who, path, metres, cost, how, zone.name if zone else ""), rule)
    note_moved(context, who, metres)
    lose_sight(context, who)
