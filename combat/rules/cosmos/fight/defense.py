"""Defense, term by term."""

from __future__ import annotations

from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, say
from combat.rules.core.state.state import Combatant, State, has_condition

from ..body.damage import armor_points, shields, worn_armor
from ..book.tables import COVER
from ..people.conditions import KINDS
from ..people.sheet import ability, attribute, drug_terms, half_skill, skill
from ..world.sight_lines import COVER_TERMS


def is_flat_footed(target: Combatant, unaware: bool = False) -> bool:
    """Surprised, or unaware of this attacker. [COS-DEF-12]"""
    return unaware or KINDS.loses(target, "combat")


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
    none = KINDS.find_loss(target, "defense")
    if none:
        return (Modifier("term.no_defense", 0, none[1]),)
    flat, level = is_flat_footed(target, unaware), COVER[cover]
    terms = [
        Modifier("term.base", 10, "COS-DEF-11" if flat else "COS-DEF-01"),
        *_coordination(target, behind),
        *_training(state, target, flat),
        *_equipment(state, target),
    ]
    if level.value:
        terms.append(Modifier(cover_term or COVER_TERMS[level.name], level.value, level.rule))
    return (*terms, *_conditions(target, melee))


def _coordination(target: Combatant, behind: bool) -> list[Modifier]:
    lost = KINDS.find_loss(target, "coordination")
    if lost:
        held, rule = lost
        return [Modifier(say("term.no_coordination", condition=held.label), 0, rule)]
    if behind:
        return [Modifier("term.from_behind_no_coordination", 0, "COS-POS-06")]
    return [Modifier("attribute.COO", attribute(target, "COO"), "COS-DEF-01")]


def _training(state: State, target: Combatant, flat: bool) -> list[Modifier]:
    """Flat-footed loses Combat, and Reactive Defense with it. [COS-DEF-13]"""
    if flat:
        return [Modifier("term.flat_footed_no_combat", 0, "COS-DEF-13")]
    terms = [Modifier("term.half_combat", half_skill(skill(target, "Combat"), state), "COS-DEF-02")]
    if has_condition(target, "reactive_defense") and not KINDS.loses(target, "reactive_defense"):
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
    terms = [*KINDS.terms(target, "defense"), *drug_terms(target, "defense")]
    return terms + KINDS.causes(target, "defense_melee" if melee else "defense_ranged")
