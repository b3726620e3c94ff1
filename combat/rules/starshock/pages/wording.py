"""The current numbers of a combatant, each with its sum, for rows and cards."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Derived, Modifier, Modifiers, add_up
from combat.rules.core.state.state import Combatant, State

from ..body.damage import consciousness_terms
from ..dice.rolls import action_penalty
from ..people.sheet import damage_of
from ..people.values import value_terms


def describe_combatant(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """Armor, Resistance, damage with its next check, and the Action Penalty, each with its terms.

    [SS-DEF-01] [SS-DMG-03] [SS-PEN-05]
    """
    damage = damage_of(combatant)
    return (
        _derived("Armor", value_terms(state, combatant, "armor"), "SS-DEF-03"),
        _derived("Resistance", value_terms(state, combatant, "resistance"), "SS-DEF-05"),
        Derived("Damage Taken", damage, (Modifier("term.total_damage", damage, "SS-DMG-02"),), "SS-DMG-03"),
        _derived("Consciousness check", consciousness_terms(combatant), "SS-DMG-05", signed=True),
        _derived("Action Penalty", action_penalty(state, combatant), "SS-PEN-05", signed=True),
    )


def _derived(label: str, terms: Modifiers, rule: str, *, signed: bool = False) -> Derived:
    return Derived(label, add_up(terms), terms, rule, signed=signed)
