"""The current key numbers of a combatant, each with its sum, for rows and cards."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Derived, Modifiers, add_up
from combat.rules.core.state.state import Combatant, State

from ..body.damage import protection_of
from ..dice.rolls import action_penalties, initiative_terms
from ..fight.defense import defense_terms
from ..people.sheet import speed_terms


def describe_combatant(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """Defense, Speed, armor, initiative bonus and penalties, each with its terms."""
    armor = protection_of(state, combatant)
    shots = _derived("Defense", defense_terms(state, combatant), "COS-DEF-01")
    blows = _derived("Defense, melee", defense_terms(state, combatant, melee=True), "COS-COND-26")
    penalties = _signed("Own actions", action_penalties(state, combatant, physical=True), "COS-STATE-01")
    return (
        shots,
        *([blows] if blows.value != shots.value else []),
        _derived("Flat-footed", defense_terms(state, combatant, unaware=True), "COS-DEF-11"),
        _derived("Speed", speed_terms(state, combatant), "COS-MOVE-01", " m"),
        _derived("Armor", (armor,), armor.rule),
        _signed("Initiative", initiative_terms(combatant), "COS-INIT-01"),
        *([penalties] if penalties.terms else []),
    )


def _derived(label: str, terms: Modifiers, rule: str, unit: str = "") -> Derived:
    return Derived(label, max(0, add_up(terms)) if unit else add_up(terms), terms, rule, unit)


def _signed(label: str, terms: Modifiers, rule: str) -> Derived:
    return Derived(label, add_up(terms), terms, rule, signed=True)
