"""Armor and Resistance, term by term. There are no other values.  [SS-DEF-01]"""

from __future__ import annotations

from combat.rules.core.basics.memory import Seen, remember, remember_by
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.state.state import Combatant, Item, State

from ..book.tables import BASE_VALUE, DEFENSIVE_BONUS, DEFENSIVES, VALUE_ATTRIBUTES, VALUE_RULES
from .sheet import attribute, attribute_terms, find_option


def worn_armor(combatant: Combatant) -> Item | None:
    """The armor a combatant wears."""
    return next((i for i in combatant.items if i.kind == "armor" and i.place == "worn"), None)


def _look_at_value(state: State, combatant: Combatant, value: str) -> Seen:
    return (state.options, combatant.sheet, combatant.conditions, *find_guards(combatant.items)), value


@remember
def find_guards(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The items that may change a value: all but weapons that do not guard."""
    return tuple([item for item in items if item.kind != "weapon" or item.data.get("armor")])


@remember_by(_look_at_value)
def value_terms(state: State, combatant: Combatant, value: str) -> Modifiers:
    """Every current term of Armor or Resistance.

    [SS-DEF-03] [SS-DEF-05] 7 and the better of two attributes; [SS-DEF-07] gear, actions and conditions
    change it. [SS-DEF-02] [SS-DEF-04] The weapon decides which of the two an attack is against.
    """
    rule = VALUE_RULES[value]
    return (
        Modifier("term.base", BASE_VALUE, rule),
        *_best_attribute(state, combatant, value, rule),
        *_gear(state, combatant, value),
        *_defensive_actions(state, combatant, value),
    )


def _best_attribute(state: State, combatant: Combatant, value: str, rule: str) -> Modifiers:
    raised = _raised(state, combatant)
    keys = VALUE_ATTRIBUTES[value]
    best = max(keys, key=lambda key: attribute(combatant, key) + (key in raised))
    terms = attribute_terms(combatant, best, rule)
    worn = worn_armor(combatant)
    return (*terms, Modifier(worn.name, 1, "SS-DEF-07")) if worn and best in raised else terms


def _raised(state: State, combatant: Combatant) -> tuple[str, ...]:
    """The attributes that armor raises, if the table plays it so.  RULING R30"""
    worn = worn_armor(combatant)
    if worn is None or find_option(state, "armor_conversion") == "flat":
        return ()
    return tuple(worn.data["raises"])


def _gear(state: State, combatant: Combatant, value: str) -> list[Modifier]:
    """Nature, worn armor and held shields. [SS-DEF-07]  RULING R30: shields count on top."""
    terms = []
    natural = int(combatant.sheet[f"natural_{value}"])
    if natural:
        terms.append(Modifier("term.natural", natural, "SS-DEF-07"))
    worn = worn_armor(combatant)
    if worn and worn.data[value] and not _raised(state, combatant):
        terms.append(Modifier(worn.name, int(worn.data[value]), "SS-DEF-07"))
    if value == "armor":
        held = [item for item in combatant.items if item.place == "held" and item.data.get("armor")]
        terms += [Modifier(item.name, int(item.data["armor"]), "SS-DEF-07") for item in held]
    return terms


def _defensive_actions(state: State, combatant: Combatant, value: str) -> list[Modifier]:
    """RULING R20: The two actions of a pair do not add up. [SS-OTHER-20] [SS-OTHER-21]"""
    rows = [(held.label, DEFENSIVES[held.kind]) for held in combatant.conditions if held.kind in DEFENSIVES]
    terms = [Modifier(label, DEFENSIVE_BONUS, row.rule) for label, row in rows if row.value == value]
    return terms if find_option(state, "defense_stacking") == "yes" else terms[:1]
