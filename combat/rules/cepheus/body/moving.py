"""The one way in which anybody changes place: on foot, driven, thrown, dragged. Holds and aims follow."""

from __future__ import annotations

from combat.rules.core.commands.context import RuleContext
from combat.rules.core.map.bodies import meters_of
from combat.rules.core.passengers import find_aboard
from combat.rules.core.space import Point, name_zone, on_ground, path_length
from combat.rules.core.state import events as e
from combat.rules.core.state.state import State, present
from combat.rules.core.turn.turns import remove_condition

from ..characters import machinery
from ..dice.focus import lose_sight
from ..world.motion import note_moved
from ..world.order import mark
from ..world.reach import is_within
from ..world.sight_lines import stop_at_walls


def go(
    context: RuleContext, who: str, path: tuple[Point, ...], how: str, rule: str, cost: float = 0.0
) -> None:
    """Move someone along a path, with everyone inside."""
    shift(context, who, path, how=how, rule=rule, cost=cost)
    settle_place(context, who)


def shift(
    context: RuleContext, who: str, path: tuple[Point, ...], how: str, rule: str, cost: float = 0.0
) -> None:
    """The movement alone, remembered because it affects shots at the mover: `settle_place` has to follow."""
    meters = round(path_length(path), 3)
    path = (*path[:-1], on_ground(context.state.scene, path[-1]))
    zone = name_zone(context.state.scene, path[-1])
    context.emit(e.Moved(who, path, meters, cost=cost, how=how, zone=zone), rule)
    note_moved(context, who, meters)


def push(context: RuleContext, who: str, goal: Point, how: str, rule: str) -> None:
    """Move someone straight to a place, by their own or another's will, no farther than the next wall."""
    if push_alone(context, who, goal, how=how, rule=rule):
        settle_place(context, who)


def push_alone(context: RuleContext, who: str, goal: Point, how: str, rule: str) -> bool:
    """The same without its consequences; returns whether they moved. A closed vehicle keeps them in, out of
    an open one they come.  RULING R97"""
    combatant = context.state[who]
    free = stop_at_walls(context.state, combatant.at, goal, meters_of(combatant))
    if machinery.find_shell(context.state, combatant):
        return False
    if combatant.inside:
        context.emit(e.Boarded(who, "", ""), rule)
        mark(context, who, machinery.SECURED, value=None, rule="CE-COLL-07")
    if free != combatant.at:
        shift(context, who, (combatant.at, free), how=how, rule=rule)
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


def let_go(context: RuleContext, one: str, other: str, rule: str) -> None:
    """Take the hold off both combatants."""
    for who, by in ((one, other), (other, one)):
        for held in context.state[who].conditions:
            if held.kind == "grappled" and held.by == by:
                remove_condition(context, who, held, why="why.let_go", rule=rule)


def end_far_holds(context: RuleContext, who: str) -> None:
    """End the holds of those who no longer reach each other. [CE-GRAP-02]"""
    for held in context.state[who].conditions:
        other = context.state.combatants.get(held.by) if held.kind == "grappled" else None
        if other and not is_within(context.state, context.state[who], other, closely=True):
            let_go(context, who, other.id, "CE-GRAP-02")


def end_out_of_reach(context: RuleContext, before: State) -> None:
    """End all holds that a move, a door or a wall has put out of reach, the GM's too. [CE-GRAP-02]"""
    for combatant in present(context.state):
        end_far_holds(context, combatant.id)
