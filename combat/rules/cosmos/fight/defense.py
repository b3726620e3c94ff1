"""Defense, term by term."""

from __future__ import annotations

from combat.rules.core.basics.memory import Seen, remember_by
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, say
from combat.rules.core.state.state import Combatant, Condition, State, find_condition, has_condition

from ..body.damage import armor_points, shields, worn_armor
from ..book.tables import COVER
from ..people.sheet import ability, attribute, drug_terms, half_skill, skill
from ..world.sight_lines import COVER_TERMS

# Conditions with a fixed change of Defense until they end
DEFENSE_CONDITIONS = {
    "stunned": ("term.stunned", -2, "COS-COND-32"),
    "charging": ("term.charged", -2, "COS-COMBO-05"),
    "sprinting": ("term.sprinted", -2, "COS-MOVE-07"),
    "rough_going": ("term.difficult_terrain", -2, "COS-TERR-04"),
    "off_guard": ("term.off_guard", -2, "COS-ATK-02"),  # RULING R7: +2 to the next attacker
    "total_defense": ("term.total_defense", 4, "COS-COMBO-11"),
}
# RULING R11: these take Coordination away, once
LOSES_COORDINATION = {"blinded": "COS-COND-08", "pinned": "COS-MANV-05"}


def is_flat_footed(target: Combatant, unaware: bool = False) -> bool:
    """Surprised, or unaware of this attacker. [COS-DEF-12]"""
    return unaware or has_condition(target, "surprised")


def defense_terms(
    state: State,
    target: Combatant,
    *,
    melee: bool = False,
    cover: str = "none",
    cover_term: Label = "",
    behind: bool = False,
    unaware: bool = False,
) -> Modifiers:
    """Every term of the target's Defense against one attack.

    [COS-DEF-01] [COS-DEF-02] [COS-DEF-03] [COS-DEF-04] [COS-DEF-11] [COS-COND-36]
    """
    first, last = _find_own_terms(state, target, melee, behind, unaware)
    level = COVER[cover]
    if last is None or not level.value:
        return (*first, *(last or ()))
    return (*first, Modifier(cover_term or COVER_TERMS[level.name], level.value, level.rule), *last)


def look_at_target(state: State, target: Combatant, melee: bool, behind: bool, unaware: bool) -> Seen:
    """All that Defense depends on besides cover: of the items only armor and shields, of conditions without
    marks the kind and the label."""
    parts: list[object] = [state.options, target.sheet]
    plain: list[tuple[str, str] | None] = []
    for item in target.items:  # looked at for every attack: no calls
        if item.kind in ("armor", "shield"):
            parts.append(item)
    for held in target.conditions:
        if held.marks or not isinstance(held.label, str):
            parts.append(held)
            plain.append(None)
        else:
            plain.append((held.kind, held.label))
    return tuple(parts), (melee, behind, unaware, *plain)


@remember_by(look_at_target)
def _find_own_terms(
    state: State, target: Combatant, melee: bool, behind: bool, unaware: bool
) -> tuple[Modifiers, Modifiers | None]:
    """The terms before and after that of cover; None after those of the helpless, who have no cover."""
    if has_condition(target, "unconscious", "helpless", "dead"):
        return (Modifier("term.no_defense", 0, "COS-COND-36"),), None
    flat = is_flat_footed(target, unaware)
    terms = [Modifier("term.base", 10, "COS-DEF-11" if flat else "COS-DEF-01")]
    terms += _coordination(target, behind)
    terms += _training(state, target, flat)
    terms += _equipment(state, target)
    return tuple(terms), tuple(_conditions(target, melee))


def _coordination(target: Combatant, behind: bool) -> list[Modifier]:
    lost = next((c for c in target.conditions if c.kind in LOSES_COORDINATION), None)
    if lost:
        rule = LOSES_COORDINATION[lost.kind]
        return [Modifier(say("term.no_coordination", condition=lost.label), 0, rule)]
    if behind:
        return [Modifier("term.from_behind_no_coordination", 0, "COS-POS-06")]
    return [Modifier("attribute.COO", attribute(target, "COO"), "COS-DEF-01")]


def _training(state: State, target: Combatant, flat: bool) -> list[Modifier]:
    """Flat-footed loses Combat, and Reactive Defense with it. [COS-DEF-13]"""
    if flat:
        return [Modifier("term.flat_footed_no_combat", 0, "COS-DEF-13")]
    terms = [Modifier("term.half_combat", half_skill(skill(target, "Combat"), state), "COS-DEF-02")]
    reactive = find_condition(target, "reactive_defense")
    if reactive and not has_condition(target, "stunned"):
        half = half_skill(skill(target, "Combat"), state)
        terms.append(Modifier("term.reactive_defense", half, "COS-DEF-08"))
    return terms


def _equipment(state: State, target: Combatant) -> list[Modifier]:
    """What armor, shields and species add and take off.

    [COS-ARMOR-02] [COS-ARMOR-04] [COS-ARMOR-06] [COS-ARMOR-08]  RULING R9
    """
    terms = []
    worn = worn_armor(target)
    if worn:
        penalty = int(worn.data["defense_penalty"])
        terms.append(Modifier(worn.name, penalty, "COS-DEF-04"))
        if state.options.get("armor_adds_defense"):
            terms.append(
                Modifier(say("term.by_option", item=worn.name), armor_points(state, worn), "COS-DEF-04")
            )
    for shield in shields(target):
        terms.append(Modifier(shield.name, int(shield.data["defense_bonus"]), "COS-DEF-01"))
    if ability(target, "defense"):
        terms.append(Modifier("term.species", ability(target, "defense"), "COS-DEF-01"))
    return [term for term in terms if term.value]


def _conditions(target: Combatant, melee: bool) -> list[Modifier]:
    """Prone counts here and nowhere else: [COS-MOD-02] and [COS-MOD-03] say the same. [COS-POS-04]
    [COS-POS-05]  RULING R10."""
    terms = [_modifier_of(held) for held in target.conditions if held.kind in DEFENSE_CONDITIONS]
    terms += drug_terms(target, "defense")
    if has_condition(target, "prone"):
        if melee:
            terms.append(Modifier("term.prone_against_melee", -2, "COS-COND-26"))
        else:
            terms.append(Modifier("term.prone_against_ranged", 2, "COS-COND-27"))
    return terms


def _modifier_of(held: Condition) -> Modifier:
    label, value, rule = DEFENSE_CONDITIONS[held.kind]
    return Modifier(label, value, rule)
