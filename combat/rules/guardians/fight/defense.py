"""Defenses against a successful attack: dodging, parrying, blocking."""

from __future__ import annotations

import msgspec

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import possessive, say
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.declaration.parts import DEFENDED
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition
from combat.rules.core.turn.turns import remove_conditions

from ..body.resolve import has_guard
from ..book.options import find_option
from ..book.tables import skills
from ..characters.conditions import KINDS, terms_of
from ..characters.sheet import read_weapon
from ..characters.values import rank_terms, sum_ranks
from ..dice import count_highest, roll_under
from ..world.reach import count_item_hands, find_arms, find_shield

DODGE, PARRY, BLOCK = "dodge", "parry", "block"
HELPLESS, SLOW = KINDS.losing("defense"), KINDS.losing("reflexes")
NONE = "none"
EVERY = "every_attack"
USED = "defenses"  # the mark that counts defenses of a round
LABELS = {DODGE: "Dodge", PARRY: "Parry", BLOCK: "Block"}
NEEDS = {PARRY: "dodge, or block with a shield", BLOCK: "use a shield"}
RULES = {DODGE: "CG-DEF-02", PARRY: "CG-DEF-03", BLOCK: "CG-DEF-04"}


class Defense(msgspec.Struct, frozen=True):
    """A way to defend: its key, the skill that it takes, and the chance."""

    key: str
    skill: str
    chance: int


def can_defend(state: State, target: Combatant) -> bool:
    """Whether someone can defend at all.  [CG-STUN-01] [CG-FAT-04] [CG-REF-03]"""
    if target.gone or has_condition(target, *HELPLESS):
        return False
    return not has_condition(target, *SLOW) or find_option(state, "stunned_may_defend") == "yes"


def count_defenses_left(state: State, target: Combatant) -> int | None:
    """The defenses left this round; None if every attack may be met.  RULING R4"""
    free = find_option(state, "free_defenses_per_round")
    if free == EVERY:
        return None
    return max(0, int(free) + has_guard(target) - int(target.marks.get(USED, 0)))


def find_defenses(state: State, target: Combatant, distant: bool) -> tuple[Defense, ...]:
    """Someone's ways to defend, the best first. [CG-DEF-02] [CG-DEF-03] [CG-DEF-04]

    `distant` means thrown and missile attacks.
    """
    if not can_defend(state, target) or count_defenses_left(state, target) == 0:
        return ()
    found, change = list[Defense](), add_up(_change_terms(state, target, distant))
    for key, names in _find_skills(state, target, distant).items():
        # RULING R5 R38: the best of its skills after all modifiers
        ranks = {name: sum_ranks(state, target, name) + add_up(_bonus_terms(target, name)) for name in names}
        best = max(ranks, key=ranks.__getitem__, default="")
        if best and (chance := count_highest(state, ranks[best] + change)):
            found.append(Defense(key, best, chance))
    return tuple(sorted(found, key=lambda d: -d.chance))


def defense_terms(state: State, target: Combatant, defense: Defense, distant: bool) -> Modifiers:
    """The ranks of a way to defend, term by term."""
    terms = rank_terms(state, target, defense.skill, RULES[defense.key])
    return (*terms, *_bonus_terms(target, defense.skill), *_change_terms(state, target, distant))


def _find_skills(state: State, target: Combatant, distant: bool) -> dict[str, tuple[str, ...]]:
    """The skills of each way to defend; none if it may not be used."""
    return {
        DODGE: ("coordination", *(row.id for row in skills().values() if row.defends == DODGE)),
        PARRY: _find_parries(state, target, distant),
        BLOCK: _find_blocks(state, target, distant),
    }


def find_barred(state: State, target: Combatant, distant: bool) -> dict[str, str]:
    """Why each of the other ways to defend may not be used, by its key.  [CG-DEF-03] [CG-DEF-04]"""
    usable = {defense.key for defense in find_defenses(state, target, distant)}
    found = _find_skills(state, target, distant)
    return {
        key: f"{LABELS[key]}: no chance with 0 ranks." if names else _tell_why(state, key, distant)
        for key, names in found.items()
        if key not in usable
    }


def _tell_why(state: State, key: str, distant: bool) -> str:
    """Why someone has no means to parry or to block."""
    if distant and not _meets_missiles(state):
        return f"{LABELS[key]} does not meet thrown weapons or missiles: {NEEDS[key]}."
    return f"{LABELS[key]} needs a melee weapon in a sound hand."


def _meets_missiles(state: State) -> bool:
    return bool(find_option(state, "parry_and_unarmed_block_vs_missiles") == "yes")


def _find_parries(state: State, target: Combatant, distant: bool) -> tuple[str, ...]:
    """The skills of melee weapons in usable hands. [CG-DEF-03]  RULING R4"""
    if distant and not _meets_missiles(state):
        return ()
    arms = len(find_arms(target))
    held = [item for item in target.items if item.kind == "weapon" and item.place == "held"]
    weapons = [read_weapon(item) for item in held if 0 < count_item_hands(item) <= arms]
    return tuple([weapon.skill for weapon in weapons if weapon.kind == "melee"])


def _find_blocks(state: State, target: Combatant, distant: bool) -> tuple[str, ...]:
    """Unarmed Combat, or Shield with a shield on the arm. [CG-DEF-04]  RULING R4 R35"""
    has_means = {"": not distant or _meets_missiles(state), "shield": find_shield(target) is not None}
    return tuple(row.id for row in skills().values() if row.defends == BLOCK and has_means[row.needs])


def _bonus_terms(target: Combatant, name: str) -> Modifiers:
    """The ranks that a shield adds to its skill. [CG-REF-08]"""
    row = skills().get(name)
    shield = find_shield(target) if row and row.needs == "shield" else None
    ranks = int(shield.data.get("block_bonus_ranks") or 0) if shield else 0
    return (Modifier(shield.name, ranks, "CG-REF-08"),) if shield and ranks else ()


def _change_terms(state: State, target: Combatant, distant: bool) -> list[Modifier]:
    """What conditions change. RULING R22: Being prone helps only against missiles and throws.

    [CG-PRONE-02] [CG-PRONE-03]
    """
    return terms_of(state, target, "defense", "distant_defense" if distant else "close_defense")


# ---------------------------------------------------------------- rolling


def ward_off(context: RuleContext, attacker: str, who: str, distant: bool, margin: int) -> bool:
    """Ask for a defense, roll it, and return whether it succeeds. [CG-DEF-01] [CG-DEF-05] [CG-DEF-06]

    `margin` is the number of points by which the attack was under its chance.  RULING R3
    """
    first = _try(context, attacker, who, distant=distant, margin=margin, rule="CG-DEF-01")
    again = find_option(context.state, "free_defenses_per_round") == EVERY
    if first is not False or not again or not has_guard(context.state[who]):
        return bool(first)
    return bool(_try(context, attacker, who, distant=distant, margin=margin, rule="CG-ACT-04"))


def _try(context: RuleContext, attacker: str, who: str, distant: bool, margin: int, rule: str) -> bool | None:
    """Whether one defense succeeds; None if they cannot defend, or let the attack through."""
    target = context.state[who]
    found = find_defenses(context.state, target, distant)
    if not found:
        return None
    again = "Defend once more" if rule == "CG-ACT-04" else "Defend"
    question = f"{again} against {possessive(context.state[attacker].name)} attack?"
    chosen = context.ask(
        who, question, lambda: _list_ways(context.state, who, distant), rule=rule, default=found[0].key
    )
    if chosen == NONE:
        return None
    _pay(context, who, rule)
    defense = next(d for d in found if d.key == chosen)
    least = margin if find_option(context.state, "defense_rule") == "match_margin" else 0
    what, words = f"check.{chosen}", (DEFENDED, "outcome.not_defended")
    why = say("roll.against", target=attacker)
    return roll_under(
        context,
        who,
        defense_terms(context.state, target, defense, distant),
        rule=RULES[chosen],
        what=what,
        target="",
        why=why,
        words=words,
        least=least,
    ).good


def _list_ways(state: State, who: str, distant: bool) -> tuple[Choice, ...]:
    """The choices of someone under attack: their ways to defend, those they lack, and none."""
    options = [Choice(d.key, LABELS[d.key]) for d in find_defenses(state, state[who], distant)]
    barred = find_barred(state, state[who], distant)
    greyed = [Choice(key, LABELS[key], refused=why) for key, why in barred.items()]
    return (*options, *greyed, Choice(NONE, "Let it through"))


def _pay(context: RuleContext, who: str, rule: str) -> None:
    """Count the defense; a second roll, or one beyond the free ones, uses up the extra.  RULING R4"""
    combatant = context.state[who]
    free, used = find_option(context.state, "free_defenses_per_round"), int(combatant.marks.get(USED, 0))
    if rule == "CG-ACT-04" or (free != EVERY and used >= int(free)):
        remove_conditions(context, who, "extra_defense", why="why.used", rule="CG-ACT-04")
    if free != EVERY:
        context.emit(e.Marked(who, USED, used + 1), "CG-ACT-04", e.GM_ONLY)
    if not combatant.marks.get("defended"):
        context.emit(e.Marked(who, "defended", True), "CG-FAT-06", e.GM_ONLY)
