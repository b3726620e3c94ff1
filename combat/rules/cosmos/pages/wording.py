"""The numbers of a fighter that matter now, each with its sum, for rows and cards."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Derived, Modifiers, add_up
from combat.rules.core.state.state import Combatant, State

from ..body.damage import protection_of
from ..dice.rolls import action_penalties, initiative_terms
from ..fight.defense import defense_terms
from ..people.sheet import speed_terms


def describe_fighter(state: State, fighter: Combatant) -> tuple[Derived, ...]:
    """Defense, Speed, armor, initiative bonus and penalties, each opening to its terms."""
    armor = protection_of(state, fighter)
    shots = _derived("Defense", defense_terms(state, fighter), "COS-DEF-01")
    blows = _derived("Defense, melee", defense_terms(state, fighter, melee=True), "COS-COND-26")
    penalties = _derived("Own actions", action_penalties(state, fighter, physical=True), "COS-STATE-01")
    return (
        shots,
        *([blows] if blows.value != shots.value else []),
        _derived("Flat-footed", defense_terms(state, fighter, unaware=True), "COS-DEF-11"),
        _derived("Speed", speed_terms(state, fighter), "COS-MOVE-01", " m"),
        _derived("Armor", (armor,), armor.rule),
        _derived("Initiative", initiative_terms(fighter), "COS-INIT-01"),
        *([penalties] if penalties.terms else []),
    )


def _derived(label: str, terms: Modifiers, rule: str, unit: str = "") -> Derived:
    return Derived(label, max(0, add_up(terms)) if unit else add_up(terms), terms, rule, unit)
