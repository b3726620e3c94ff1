"""Grappling in the tactics: going on with a hold, and grabbing where that is worth more than a blow."""

from __future__ import annotations

from functools import cache

from combat.rules.core.basics.dice import count_sums
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command
from combat.rules.core.state.state import Combatant, State, find_condition

from ..book.options import find_option
from ..dice.rolls import better_of, modifiers_for_check
from ..fight.grapple import BASE_DAMAGE, NATURAL, Grapple, check_grapple
from ..people.values import find_skill
from .worth import find_armor

Submission = tuple[str, Command]
TRAINED = 1  # the level of Natural Weapons from which on somebody grabs of their own accord


def go_on(fighter: Combatant) -> Submission | None:
    """[CE-GRAP-14] Whoever is in a grapple does nothing but the next check."""
    held = find_condition(fighter, "grappled")
    return ("grapple", Grapple(actor=fighter.id, target=held.by)) if held else None


def find_grab(state: State, fighter: Combatant, foes: list[Combatant], worth: float) -> Submission | None:
    """[CE-GRAP-01] Somebody to grab who would suffer more of it than the best attack does; those without
    training grab only where they can do nothing else."""
    if worth and find_skill(fighter, NATURAL) < TRAINED:
        return None
    for foe in foes:
        grab = Grapple(actor=fighter.id, target=foe.id)
        try:
            check_grapple(state, grab)
        except Refused:
            continue
        if find_worth(state, fighter, foe) > worth:
            return "grapple", grab
    return None


def find_worth(state: State, fighter: Combatant, foe: Combatant) -> float:
    """The points that one check may be expected to do, where the winner inflicts damage.  [CE-GRAP-09]"""
    edge = _sum(state, fighter) - _sum(state, foe)
    armor = find_armor(foe, is_laser=False) if find_option(state, "grapple_armor") else 0
    return weigh_contest(edge, armor)


def _sum(state: State, fighter: Combatant) -> int:
    key = better_of(fighter, "str", "dex")
    return add_up(modifiers_for_check(state, fighter.id, NATURAL, key, fights=True))


@cache
def weigh_contest(edge: int, armor: int) -> float:
    """The mean of the points of a won check, a lost one being worth nothing."""
    sums = count_sums(2, 6)
    return sum(
        mine * theirs * max(0, BASE_DAMAGE + a + edge - b - armor)
        for a, mine in sums.items()
        for b, theirs in sums.items()
        if a + edge > b
    ) / (36 * 36)
