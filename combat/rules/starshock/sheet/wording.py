"""The current numbers of a combatant, each with its sum, for rows and cards; the attacks of its sheet."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Derived, Modifier, Modifiers, add_up
from combat.rules.core.sheets.attacks import SheetAttack
from combat.rules.core.state.state import Combatant, Item, State

from ..body.damage import consciousness_terms
from ..book.records import Weapon
from ..book.tables import VALUES, ZONE_METERS
from ..characters.sheet import attribute_terms, damage_of, read_weapon
from ..characters.values import value_terms
from ..dice import DICE, action_penalty, made_up_terms, skill_terms
from ..fight.aim import attack_attribute, describe_modes, feature_terms


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


def find_attacks(state: State, combatant: Combatant) -> tuple[SheetAttack, ...]:
    """Every weapon, those in hand first. [SS-ATK-03]"""
    weapons = [item for item in combatant.items if item.kind == "weapon"]
    weapons.sort(key=lambda item: item.place != "held")
    return tuple(_view(state, combatant, weapon) for weapon in weapons)


def _view(state: State, combatant: Combatant, item: Item) -> SheetAttack:
    weapon = read_weapon(item)
    terms = (
        *attribute_terms(combatant, attack_attribute(combatant, weapon), "SS-ATK-04"),
        *skill_terms(combatant, *weapon.skills),
        *made_up_terms(state, combatant),
        *feature_terms(combatant, weapon, weapon.modes[0]),
    )
    return SheetAttack(
        item=item,
        terms=terms,
        dice=DICE,
        rule="SS-ATK-03",
        damage=weapon.damage,
        reach=_say_reach(weapon),
        how=f"{describe_modes(weapon.modes)}, vs {VALUES[weapon.versus]}",
        magazine=weapon.magazine or None if item.loaded is not None else None,
    )


def _say_reach(weapon: Weapon) -> str:
    """How far it reaches, or how far each step of its range is. [SS-RANGE-02] [SS-RANGE-03]"""
    if set(weapon.modes) == {"melee"}:
        return "melee"
    if weapon.max_zones:
        return f"{weapon.max_zones * ZONE_METERS} m"
    return f"\N{MINUS SIGN}1 per {weapon.zones_per_penalty * ZONE_METERS} m"
