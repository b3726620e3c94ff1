"""Tactics of taking a weapon in hand: drawn, or from the ground."""

from __future__ import annotations

from collections.abc import Iterator

from combat.rules.core.basics.errors import allows
from combat.rules.core.basics.memory import remember
from combat.rules.core.commands.commands import Command
from combat.rules.core.state.state import Combatant, Item, State, replace

from ..move.movement import Move, find_way
from ..people.values import find_ranks
from ..turn.everyday import Handle, check_draw, check_pick_up
from ..world.strides import stride_yards
from .worth import find_plan

Submission = tuple[str, Command]
GAIN = 2.0  # how many times as much an attack must be worth with the weapon: taking it costs a round


def is_armed(combatant: Combatant) -> bool:
    """Whether someone holds a weapon that is no part of the body."""
    for item in combatant.items:
        if item.kind == "weapon" and item.place == "held" and item.data["hands"]:
            return True
    return False


def find_arming(state: State, combatant: Combatant, foes: list[Combatant], worth: float) -> Submission | None:
    """[CG-ACT-05] Draw a weapon, pick one up, or go to one that lies on the ground.

    Only with bare hands, and only if the weapon makes an attack worth GAIN times as much as it is now.
    """
    if is_armed(combatant):
        return None
    for item, submission in _find_ways(state, combatant):
        if not worth or _count_worth(state, combatant, item, foes) >= GAIN * worth:
            return submission
    return None


def _find_ways(state: State, combatant: Combatant) -> Iterator[tuple[Item, Submission]]:
    """The legal ways to a weapon: of those carried and then of those on the ground, the one with the most
    ranks first."""
    for item in _sort(state, combatant, combatant.items):
        handle = Handle(actor=combatant.id, item=item.id)
        if item.place == "carried" and allows(check_draw, state, handle):
            yield item, ("draw", handle)
    for item in _sort(state, combatant, state.ground):
        handle = Handle(actor=combatant.id, item=item.id)
        if allows(check_pick_up, state, handle):
            yield item, ("pick_up", handle)
        elif item.at:
            move = Move(actor=combatant.id, to=f"{item.at.x:g},{item.at.y:g}")
            if allows(_check_fetch, state, move):
                yield item, ("move", move)


def _sort(state: State, combatant: Combatant, items: tuple[Item, ...]) -> list[Item]:
    """The weapons among these that someone has ranks for, the most ranks first."""
    weapons = [item for item in items if item.kind == "weapon"]
    ranks = {item.id: find_ranks(state, combatant, str(item.data["skill"])) for item in weapons}
    return sorted((item for item in weapons if ranks[item.id]), key=lambda item: -ranks[item.id])


def _check_fetch(state: State, move: Move) -> None:
    find_way(state, move, stride_yards(state, state[move.actor]))


def _count_worth(state: State, combatant: Combatant, item: Item, foes: list[Combatant]) -> float:
    """What an attack would be worth with a weapon in hand."""
    held = _take(item)
    plans = (find_plan(state, combatant, foe, held) for foe in foes)
    return max((plan.worth for plan in plans if plan), default=0.0)


@remember
def _take(item: Item) -> Item:
    return replace(item, place="held", at=None)
