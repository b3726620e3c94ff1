"""The one way in which anybody changes place: on foot, driven, thrown, dragged. Holds and aims follow."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.map.bodies import metres_of
from combat.rules.core.people.aboard import find_aboard
from combat.rules.core.space import Point, find_zone, on_ground, path_length
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State

from ..dice.focus import lose_sight
from ..people import machinery
from ..world.motion import note_moved
from ..world.order import mark
from ..world.sight_lines import stop_at_walls
from .holds import end_far_holds


def go(
    context: RuleContext, who: str, path: tuple[Point, ...], how: str, rule: str, cost: float = 0.0
) -> None:
    """Move someone along a path, with everyone inside."""
    shift(context, who, path, how, rule, cost)
    settle_place(context, who)


def shift(
    context: RuleContext, who: str, path: tuple[Point, ...], how: str, rule: str, cost: float = 0.0
) -> None:
    """The movement alone, remembered because it affects shots at the mover: `settle_place` has to follow."""
    path = (*path[:-1], on_ground(context.state.scene, path[-1]))
    metres = round(path_length(path), 3)
    zone = find_zone(context.state.scene, path[-1])
    context.emit(e.Moved(who, path, metres, cost, how, zone.name if zone else ""), rule)
    note_moved(context, who, metres)


def push(context: RuleContext, who: str, goal: Point, how: str, rule: str) -> None:
    """Move someone straight to a place, by their own or another's will, no farther than the next wall."""
    if push_alone(context, who, goal, how, rule):
        settle_place(context, who)


def push_alone(context: RuleContext, who: str, goal: Point, how: str, rule: str) -> bool:
    """The same without its consequences; returns whether they moved. A closed vehicle keeps them in, out of
    an open one they come.  RULING R97"""
    combatant = context.state[who]
    free = stop_at_walls(context.state, combatant.at, goal, metres_of(combatant))
    if machinery.find_shell(context.state, combatant):
        return False
    if combatant.inside:
        context.emit(e.Boarded(who, "", ""), rule)
        mark(context, who, machinery.SECURED, None, "CE-COLL-07")
    if free != combatant.at:
        shift(context, who, (combatant.at, free), how, rule)
    return bool(combatant.inside) or free != combatant.at


def settle_place(context: RuleContext, *movers: str) -> None:
    """End the holds that no longer reach and the aims that no longer see, of all who moved or were carried.

    [CE-GRAP-02] [CE-MINOR-04]
    """
    moved = find_carried(context.state, movers)
    for who in moved:
        end_far_holds(context, who)
    lose_sight(context, moved)


def find_carried(state: State, movers: tuple[str, ...]) -> tuple[str, ...]:
    """These and everyone inside them, at any depth."""
    found = list(dict.fromkeys(movers))
    for who in found:  # it grows
        found += [rider.id for rider in find_aboard(state, who) if rider.id not in found]
    return tuple(found)
