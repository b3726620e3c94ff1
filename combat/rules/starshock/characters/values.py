"""Armor and Resistance, term by term. There are no other values.  [SS-DEF-01]"""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.state.state import Combatant, Item, State

from ..book.options import find_option
from ..book.tables import BASE_VALUE, VALUE_ATTRIBUTES, VALUE_RULES
from .conditions import ACTIONS, terms_of
from .sheet import attribute, attribute_terms


def worn_armor(combatant: Combatant) -> Item | None:
    """The armor a combatant wears."""
    return next((i for i in combatant.items if i.kind == "armor" and i.place == "worn"), None)


def value_terms(state: State, combatant: Combatant, value: str) -> Modifiers:
    """Every current term of Armor or Resistance.

    [SS-DEF-03] [SS-DEF-05] 7 and the better of two attributes; [SS-DEF-07] gear, actions and conditions
    change it. [SS-DEF-02] [SS-DEF-04] The weapon decides which of the two an attack is against.
    """
    return (
        Modifier("term.base", BASE_VALUE, VALUE_RULES[value]),
        *_base_terms(state, combatant, value),
        *_defensive_actions(state, combatant, value),
        *terms_of(combatant, value),
    )


def _base_terms(state: State, combatant: Combatant, value: str) -> list[Modifier]:
    """The better attribute, nature, worn armor and held shields. [SS-DEF-07]

    RULING R30: armor raises attributes at some tables, and the value at others; shields count on top.
    """
    worn = worn_armor(combatant)
    raises = find_option(state, "armor_conversion") != "flat"
    raised = tuple(worn.data["raises"]) if worn and raises else ()
    best = max(VALUE_ATTRIBUTES[value], key=lambda key: attribute(combatant, key) + (key in raised))
    terms = [*attribute_terms(combatant, best, VALUE_RULES[value])]
    if worn and best in raised:
        terms.append(Modifier(worn.name, 1, "SS-DEF-07"))
    natural = int(combatant.sheet[f"natural_{value}"])
    if natural:
        terms.append(Modifier("term.natural", natural, "SS-DEF-07"))
    if worn and worn.data[value] and not raised:
        terms.append(Modifier(worn.name, int(worn.data[value]), "SS-DEF-07"))
    if value == "armor":
        held = [item for item in combatant.items if item.place == "held" and item.data.get("armor")]
        terms += [Modifier(item.name, int(item.data["armor"]), "SS-DEF-07") for item in held]
    return terms


def _defensive_actions(state: State, combatant: Combatant, value: str) -> list[Modifier]:
    """RULING R20: The two actions of a pair do not add up. [SS-OTHER-20] [SS-OTHER-21]"""
    terms = terms_of(combatant, ACTIONS[value])
    return terms if find_option(state, "defense_stacking") == "yes" else terms[:1]
