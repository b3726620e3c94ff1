"""Grappling in the tactics: continuing a hold, and grabbing if that is worth more than a blow."""

from __future__ import annotations

from combat.rules.core.basics.dice.dice import count_sums
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import add_up
from combat.rules.core.commands.commands import Command, Targeted
from combat.rules.core.state.state import Combatant, State, find_condition

from ..book.options import find_option
from ..dice.rolls import better_of, modifiers_for_check
from ..fight.grapple import BASE_DAMAGE, NATURAL, check_grapple
from ..people.values import find_skill
from .worth import find_armor

Submission = tuple[str, Command]
TRAINED = 1  # the least level of Natural Weapons at which someone chooses to grab


def go_on(combatant: Combatant) -> Submission | None:
    """Make the next check of a grapple, the only action in one. [CE-GRAP-14]"""
    held = find_condition(combatant, "grappled")
    return ("grapple", Targeted(actor=combatant.id, target=held.by)) if held else None


def find_grab(state: State, combatant: Combatant, foes: list[Combatant], worth: float) -> Submission | None:
    """A target that a grab would hurt more than the best attack; the untrained grab only without an
    alternative. [CE-GRAP-01]"""
    if worth and find_skill(combatant, NATURAL) < TRAINED:
        return None
    for foe in foes:
        grab = Targeted(actor=combatant.id, target=foe.id)
        try:
            check_grapple(state, grab)
        except Refused:
            continue
        if find_worth(state, combatant, foe) > worth:
            return "grapple", grab
    return None


def find_worth(state: State, combatant: Combatant, foe: Combatant) -> float:
    """The expected points of one check whose winner inflicts damage.  [CE-GRAP-09]"""
    edge = _sum(state, combatant) - _sum(state, foe)
    armor = find_armor(foe, is_laser=False) if find_option(state, "grapple_armor") else 0
    return weigh_contest(edge, armor)


def _sum(state: State, combatant: Combatant) -> int:
    key = better_of(combatant, "str", "dex")
    return add_up(modifiers_for_check(state, combatant.id, NATURAL, key, fights=True))


def weigh_contest(edge: int, armor: int) -> float:
    """The mean points of a check; a lost one counts 0."""
    sums = count_sums(2, 6)
    return sum(
        mine * theirs * max(0, BASE_DAMAGE + a + edge - b - armor)
        for a, mine in sums.items()
        for b, theirs in sums.items()
        if a + edge > b
    ) / (36 * 36)
