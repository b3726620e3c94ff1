"""Tactics: a sensible legal action for a combatant, and automatic answers to choices."""

from __future__ import annotations

from combat.rules.core.basics.errors import allows
from combat.rules.core.commands.commands import Command, Handle, Targeted
from combat.rules.core.gm.doors import UseDoor, find_shut
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.state.state import Combatant, Item, State, has_condition, replace

from ..book.tables import ACTION
from ..care import FirstAid, check_first_aid, check_painkillers, find_needs
from ..move import Move, find_way, find_way_to_door
from ..people.sheet import is_able, is_conscious
from ..people.values import find_ranks
from ..turn.basic_actions import check_draw, check_pick_up, check_prone, find_arm
from ..world.place import NEUTRAL, count_yards, is_near
from ..world.strides import stride_yards
from .worth import find_best

Submission = tuple[str, Command]
GOOD_AID = 6  # the ranks at which First Aid comes before fighting
GAIN = 2.0  # how many times as much an attack must be worth with the weapon: taking it costs a round


def suggest(state: State, actor: str) -> Submission | None:
    """The next sensible action of a combatant; None to end its turn."""
    combatant = state.combatants.get(actor)
    if combatant is None or combatant.budget.get(ACTION, 0) < 1 or not is_able(combatant):
        return None
    aid = find_aid(state, combatant)
    if aid:
        return aid
    foes = find_foes(state, combatant)
    return find_deed(state, combatant, foes) if foes else None


def find_foes(state: State, combatant: Combatant) -> list[Combatant]:
    """Enemies worth attacking, nearest first."""
    if combatant.side == NEUTRAL:
        return []
    foes = [
        f
        for f in state.combatants.values()
        if f.side not in (combatant.side, NEUTRAL)
        and is_conscious(f)
        and not is_concealed_from(state, combatant, f)
    ]
    return sorted(foes, key=lambda foe: count_yards(combatant, foe))


def find_deed(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """Take a weapon in hand if that pays, attack, else get up or close in."""
    best = find_best(state, combatant, foes)
    if best is None and allows(check_prone, state, combatant.id):
        return ("stand_up", Command(actor=combatant.id))
    if arming := find_arming(state, combatant, foes, best.worth if best else 0.0):
        return arming
    return ("attack", best.command) if best else find_approach(state, combatant, foes)


# ---------------------------------------------------------------- help for others


def find_aid(state: State, combatant: Combatant) -> Submission | None:
    """First Aid for someone in reach, else a move to someone who bleeds. [CG-BLEED-03]

    Painkillers for the combatant's own torso come next. [CG-TORSO-03]
    """
    friends = [f for f in state.combatants.values() if f.conditions and f.side == combatant.side]
    if not friends:
        return None
    if find_ranks(state, combatant, "first_aid") < GOOD_AID or has_condition(combatant, "prone"):
        return _find_dose(state, combatant)
    friends = [f for f in friends if not f.gone and find_needs(f)]
    friends = [f for f in friends if not is_concealed_from(state, combatant, f)]
    for friend in sorted(friends, key=lambda one: count_yards(combatant, one)):
        if not is_near(combatant, friend):
            move = Move(actor=combatant.id, to=f"near:{friend.id}")
            return ("move", move) if allows(_check_move, state, move) else None
        for place in find_needs(friend):
            aid = FirstAid(actor=combatant.id, target=friend.id, place=place)  # type: ignore[arg-type]  # of find_needs
            if allows(check_first_aid, state, aid):
                return ("first_aid", aid)
    return _find_dose(state, combatant)


def _find_dose(state: State, combatant: Combatant) -> Submission | None:
    wants = has_condition(combatant, "torso_wound") and not has_condition(combatant, "painkillers")
    if not wants or not allows(check_painkillers, state, combatant.id):
        return None
    return ("painkillers", Targeted(actor=combatant.id, target=combatant.id))


# ---------------------------------------------------------------- preparing


def find_approach(state: State, combatant: Combatant, foes: list[Combatant]) -> Submission | None:
    """A move to the nearest enemy, as far as it goes [CG-ACT-03]; else through a door. [CG-ACT-05]"""
    for foe in foes:
        command = Move(actor=combatant.id, to=f"near:{foe.id}")
        if not is_near(combatant, foe) and allows(_check_move, state, command):
            return ("move", command)
    door = find_shut(state, combatant.id, find_arm(state))
    if door:
        return ("door", UseDoor(actor=combatant.id, door=door.id))
    to = find_way_to_door(state, combatant, foes[0].at) if foes else ""
    command = Move(actor=combatant.id, to=to)
    return ("move", command) if to and allows(_check_move, state, command) else None


def _check_move(state: State, command: Move) -> None:
    find_way(state, command, stride_yards(state, state[command.actor]))


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
