"""The current key numbers of a combatant, each with its sum, for rows and cards; the attacks of its sheet."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Derived, Modifiers, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.sheets.attacks import SheetAttack, with_points
from combat.rules.core.state.state import Combatant, Item, State

from ..body.damage import protection_of
from ..book.traits import find_area_row, has_tag
from ..characters.sheet import drug_terms, speed_terms
from ..dice import DICE, action_penalties, initiative_terms
from ..fight.aim import body_terms, defense_terms, skill_terms
from ..fight.attack import own_damage
from ..fight.weapons import weapon_terms
from ..world.scene import is_melee


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
    return Derived(label, max(0, add_up(terms)) if unit else add_up(terms), terms, rule=rule, unit=unit)


def _signed(label: str, terms: Modifiers, rule: str) -> Derived:
    return Derived(label, add_up(terms), terms, rule, signed=True)


def find_attacks(state: State, combatant: Combatant) -> tuple[SheetAttack, ...]:
    """Every weapon, those in hand first. [COS-ATK-01] [COS-DMG-04]"""
    weapons = [item for item in combatant.items if item.kind == "weapon"]
    weapons.sort(key=lambda item: item.place != "held")
    return tuple(_view(state, combatant, weapon) for weapon in weapons)


def _view(state: State, combatant: Combatant, weapon: Item) -> SheetAttack:
    has_area, data = has_tag(weapon.data, "area"), weapon.data
    terms = [*skill_terms(state, combatant, weapon), *weapon_terms(weapon)]
    bonus = [*own_damage(state, combatant, weapon), *drug_terms(combatant, "damage")]
    dice = "" if data["damage"] == "0" else data["damage"]
    return SheetAttack(
        item=weapon,
        terms=() if has_area else (*terms, *body_terms(state, combatant, is_melee(weapon))),
        dice="" if has_area else DICE,
        rule="COS-DMG-04" if has_area else "COS-ATK-01",
        damage=dice if has_area else with_points(dice, bonus),
        reach=f"{data.get('reach_m') or 1} m" if is_melee(weapon) else f"{data['range_m']} m",
        how=_say_how(weapon),
        magazine=data["magazine"] or None if weapon.loaded is not None else None,
    )


def _say_how(weapon: Item) -> Label:
    if has_tag(weapon.data, "area"):
        return say("attack.blast", metres=weapon.data["radius_m"], n=find_area_row(weapon).tn)
    return say("attack.typed", use=f"attack.{weapon.data['mode']}", type=weapon.data["type"])
