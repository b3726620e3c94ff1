"""Tactics of taking a weapon in hand: drawn, or from the ground."""

from __future__ import annotations

from combat.rules.core.basics.errors import allows
from combat.rules.core.commands.commands import Command, Handle
from combat.rules.core.state.state import Combatant, Item, State, replace

from ..move.movement import Move, find_way
from ..people.values import find_ranks
from ..turn.basic_actions import check_draw, check_pick_up
from ..world.strides import stride_yards
from .worth import find_best

Submission = tuple[str, Command]
GAIN = 2.0  # how many times as much an attack must be worth with the weapon: taking it costs a round


def is_armed(combatant: Combatant) -> bool:
    """Whether someone holds a weapon that is no part of the body."""
    return any(i.kind == "weapon" and i.place == "held" and i.data["hands"] for i in combatant.items)


def find_arming(state: State, combatant: Combatant, foes: list[Combatant], worth: float) -> Submission | None:
    """Draw a weapon, pick one up, or go to one that lies on the ground. [CG-ACT-05]

    Only with bare hands, and only if the weapon makes an attack worth GAIN times as much as it is now.
    """
    if is_armed(combatant):
        return None
    carried = tuple(item for item in combatant.items if item.place == "carried")
    for item in (*_sort(state, combatant, carried), *_sort(state, combatant, state.ground)):
        if worth and _count_worth(state, combatant, item, foes) < GAIN * worth:
            continue
        if way := _find_way(state, combatant, item):
            return way
    return None


def _find_way(state: State, combatant: Combatant, item: Item) -> Submission | None:
    """The legal way to a weapon, carried or on the ground."""
    handle = Handle(actor=combatant.id, item=item.id)
    if item.place == "carried":
        return ("draw", handle) if allows(check_draw, state, handle) else None
    if allows(check_pick_up, state, handle):
        return ("pick_up", handle)
    move = Move(actor=combatant.id, to=f"{item.at.x:g},{item.at.y:g}") if item.at else None
    return ("move", move) if move and allows(_check_fetch, state, move) else None


def _sort(state: State, combatant: Combatant, items: tuple[Item, ...]) -> list[Item]:
    """The weapons among these that someone has ranks for, the most ranks first."""
    weapons = [item for item in items if item.kind == "weapon"]
    ranks = {item.id: find_ranks(state, combatant, str(item.data["skill"])) for item in weapons}
    return sorted((item for item in weapons if ranks[item.id]), key=lambda item: -ranks[item.id])


def _check_fetch(state: State, move: Move) -> None:
    find_way(state, move, stride_yards(state, state[move.actor]))


def _count_worth(state: State, combatant: Combatant, item: Item, foes: list[Combatant]) -> float:
    """What an attack would be worth with a weapon in hand."""
    held = replace(item, place="held", at=None)
    plan = find_best(state, combatant, foes, (held,))
    return plan.worth if plan else 0.0
