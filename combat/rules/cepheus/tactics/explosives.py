"""Grenades and rockets in the tactics: aim where they do most, and never near the own side."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec

from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.space import Point
from combat.rules.core.state.state import Combatant, Item, State, replace

from ..characters.goods.launchers import find_launchers
from ..fight.aim import Attack, Sight
from ..fight.checks import check_attack
from ..fight.explosives.blasts import Rings, find_caught, find_rings
from ..fight.explosives.launch import find_payload, modifiers_for_flight
from ..fight.explosives.lobs import Lob, can_lob, check_lob, find_terms
from ..fight.weapons import Handle, check_ready_up
from ..world.bands import measure
from ..world.economy import MINOR
from .worth import count_chance, find_armor, mean_of

Submission = tuple[str, Command]
AT, BETWEEN = 2, 4  # the nearest enemies considered as targets, and those considered in pairs
MARGIN = 3.0  # meters between the own side and the outer ring: it may scatter


class Throw(msgspec.Struct, frozen=True):
    """A legal throw or shot of an explosive, and its expected points against all."""

    submission: Submission
    worth: float


def find_throw(state: State, combatant: Combatant, foes: list[Combatant], worth: float) -> Throw | None:
    """The best throw with a weapon in hand or drawn this turn; None unless it is worth more than so many
    points.

    [CE-EXPL-01] [CE-THROW-02]
    """
    lobs = [item for item in (*combatant.items, *find_launchers(combatant.items)) if can_lob(item)]
    if not lobs:
        return None
    best: Throw | None = None
    for item in lobs:
        if (ready := find_ready(state, combatant, item)) is not None:
            for throw in find_throws(ready, combatant.id, item, foes=foes, worth=worth):
                if best is None or throw.worth > best.worth:
                    best = throw
    if best is None:
        return None
    command = best.submission[1]
    assert isinstance(command, Attack | Lob), "find_throws makes no others"
    item = next(item for item in lobs if item.id == command.weapon)
    if item.place == "held":
        return best
    return Throw(("ready", Handle(actor=combatant.id, weapon=item.id)), best.worth)


def find_ready(state: State, combatant: Combatant, item: Item) -> State | None:
    """The state with an item in hand: now, or drawn with a spare minor action."""
    if item.place == "held":
        return state
    if item.loaded == 0 or not combatant.budget.get(MINOR, 0):
        return None
    if not allows(check_ready_up, state, Handle(actor=combatant.id, weapon=item.id)):
        return None
    items = tuple(replace(own, place="held") if own.id == item.id else own for own in combatant.items)
    ready = replace(combatant, items=items)
    return replace(state, combatants={**state.combatants, combatant.id: ready})


def find_throws(state: State, who: str, item: Item, foes: list[Combatant], worth: float) -> Iterator[Throw]:
    """The possible throws worth more than so many points."""
    for foe in foes[:AT]:
        attack = Attack(actor=who, target=foe.id, weapon=item.id)
        try:
            sight = check_attack(state, attack)
        except Refused:
            continue
        if (points := count_points(state, sight)) > worth:
            bonus = add_up(modifiers_for_flight(state, attack, sight))
            yield Throw(("attack", attack), count_chance(bonus) * points)
    for one, other in itertools.combinations(foes[:BETWEEN], 2):
        lob = Lob(actor=who, weapon=item.id, to=f"between:{one.id}:{other.id}")
        try:
            sight = check_lob(state, lob)
        except Refused:
            continue
        if (points := count_points(state, sight)) > worth:
            yield Throw(("lob", lob), count_chance(add_up(find_terms(state, lob, sight))) * points)


def count_points(state: State, sight: Sight) -> float:
    """The expected points of a throw that lands where it should; 0 for smoke and near the own side."""
    rings, at, own = find_rings(find_payload(sight) or sight.arm), sight.target.at, sight.combatant
    if not rings or is_near_own(state, own, at, rings):
        return 0.0
    points = 0.0
    for caught in find_caught(state, at, rings):
        other = state[caught.who]
        if not is_concealed_from(state, own, other):
            armor = find_armor(other, is_laser=False)
            points += max(0.0, mean_of(rings[caught.ring][1]) - armor)
    return points


def is_near_own(state: State, own: Combatant, at: Point, rings: Rings) -> bool:
    """Whether someone of the own side is so near that a small scatter would catch them."""
    safe = rings[-1][0] + MARGIN
    for friend in state.combatants.values():
        if friend.side == own.side and not friend.gone and measure(state, at, friend.at) < safe:
            return True
    return False
