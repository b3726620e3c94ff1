"""Damage counted up: consciousness checks, dropping, comas, waking, and death."""

from __future__ import annotations

from typing import Any

import msgspec

from combat.rules.core.basics.dice import Roll, parse_dice
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Item,
    State,
    find_condition,
    has_condition,
    is_acting,
    replace,
)
from combat.rules.core.turns import add_condition, remove_conditions

from ..book import tables
from ..book.tables import CHECK_FROM, COMA_MARGIN, DROP_AT, SLIPPERY_DIFFICULTY
from ..dice.rolls import Grade, Result, check_terms, roll_check, training_terms
from ..people.sheet import (
    attribute_terms,
    count_hands,
    damage_of,
    features_of,
    find_option,
    is_able,
    is_conscious,
    is_immune,
)
from ..people.values import worn_armor
from ..world.place import has_ground, zone_of

STATES = ("dead", "coma", "unconscious")  # the gravest first
Onward = tuple[Any, ...]  # a step and its arguments, to go on with


class Harm(msgspec.Struct, frozen=True, kw_only=True):
    """One time that damage is dealt: how much, why, and where it comes from.

    `resisted` says that the attack met Resistance.
    """

    amount: int
    why: Label
    rule: str
    terms: Modifiers = ()
    by: str = ""
    resisted: bool = False


def go(onward: Onward) -> Then | None:
    """The step to go on with."""
    return Then(onward[0], *onward[1:]) if onward else None


def roll_points(
    context: RuleContext, who: str, notation: str, rule: str, why: Label
) -> tuple[int, Roll | None]:
    """Points of a flat or rolled figure; a flat one needs no dice."""
    dice = parse_dice(notation)
    if not dice.count:
        return dice.plus, None
    roll = context.roll(notation, by=who, rule=rule, why=why)
    return max(0, roll.total), roll


# ---------------------------------------------------------------- taking damage


def hurt(
    context: RuleContext, who: str, harm: Harm, roll: Roll | None = None, onward: Onward = ()
) -> Then | None:
    """[SS-DMG-02] Add damage to the total, as one event; then what follows from it."""
    fighter = context.state[who]
    amount, terms = _soften(fighter, harm)
    old = damage_of(fighter)
    new = old if has_condition(fighter, "dead") else old + max(0, amount)
    context.emit(e.TrackChanged(who, "damage", old, new, harm.why, terms, roll, harm.by), harm.rule)
    if new == old:
        return go(onward)  # RULING R27: no damage, no check
    _remember_harm(context, who)
    return Then(face_damage, who, onward)


def _soften(fighter: Combatant, harm: Harm) -> tuple[int, Modifiers]:
    """What an implant takes off damage that is met with Resistance."""
    halved = next((f for f in features_of(fighter) if harm.resisted and f.halves_resistance_damage), None)
    if halved is None:
        return harm.amount, harm.terms
    taken = harm.amount // 2
    return taken, (*harm.terms, Modifier(halved.name, taken - harm.amount, harm.rule))


def _remember_harm(context: RuleContext, who: str) -> None:
    """Bile in the blood loses strength only in turns without damage."""
    if has_condition(context.state[who], "bile"):
        context.emit(e.Marked(who, "hurt_this_turn", True), to=e.GM_ONLY)


def face_damage(context: RuleContext, who: str, onward: Onward) -> Then | None:
    """The consciousness check, then what the ground does."""
    check_consciousness(context, who)
    if is_on_slippery_ground(context.state, context.state[who]):
        return Then(keep_footing, who, onward)
    return go(onward)


def check_consciousness(context: RuleContext, who: str) -> None:
    """[SS-DMG-04] [SS-DMG-06] After each time damage is dealt, from a total of 7.

    [SS-COMA-02] Not in a coma. [SS-DMG-10] Opponents may simply drop instead.
    [SS-UNC-02] The unconscious make it again, whether they like it or not.
    """
    fighter = context.state[who]
    if has_condition(fighter, "coma", "dead"):
        return
    drop_at = find_drop(context.state, fighter)
    if drop_at:
        if damage_of(fighter) >= drop_at and is_conscious(fighter):
            fall_unconscious(context, who, "SS-DMG-10")
        return
    if damage_of(fighter) < CHECK_FROM:
        return
    awake = is_conscious(fighter)
    why, grade = ("roll.stay_conscious", _grade_awake) if awake else ("roll.no_coma", _grade_out)
    _suffer(context, who, roll_consciousness(context, who, "SS-DMG-05", why, grade))


def find_drop(state: State, fighter: Combatant) -> int:
    """[SS-DMG-10] The damage at which an opponent simply drops; 0 if it makes checks.  RULING R25"""
    how = find_option(state, "npc_drop")
    if how == "full_checks" or fighter.pc or fighter.sheet["named"]:
        return 0
    return DROP_AT if how == "at_15" else int(find_option(state, "npc_drop_damage"))


def consciousness_terms(fighter: Combatant) -> Modifiers:
    """[SS-DMG-05] Str and what items add; no Action Penalty, prone or blindness.  RULING R27"""
    rows = [(c.label, tables.lasting()[c.kind]) for c in fighter.conditions if c.kind in tables.lasting()]
    helped = [Modifier(name, row.consciousness, "SS-OTHER-24") for name, row in rows if row.consciousness]
    strength = attribute_terms(fighter, "str", "SS-DMG-05")
    return (*strength, *training_terms(fighter, "str", "SS-DMG-05"), *helped)


def roll_consciousness(context: RuleContext, who: str, rule: str, why: Label, grade: Grade) -> Result:
    """[SS-DMG-05] 2d6 + Str against total damage; [SS-DMG-09] failing by 7 is a coma.

    `grade` says what that means for somebody awake, somebody out, or somebody who may come round.
    """
    fighter = context.state[who]
    return roll_check(
        context,
        who,
        consciousness_terms(fighter),
        damage_of(fighter),
        rule=rule,
        what="check.consciousness",
        why=why,
        against="against.damage",
        grade=grade,
        also=(1 - COMA_MARGIN,),
        again="str",
        secret=True,
    )


def _grade_awake(margin: int, roll: Roll) -> tuple[str, bool]:
    """[SS-DMG-07] Success changes nothing; [SS-DMG-08] failure is unconscious."""
    if margin >= 0:
        return "outcome.conscious", True
    return ("outcome.unconscious", False) if margin > -COMA_MARGIN else ("outcome.coma", False)


def _grade_out(margin: int, roll: Roll) -> tuple[str, bool]:
    """[SS-UNC-03] [SS-UNC-04] It does not wake: all that it has to reach is not to fail by 7."""
    return ("outcome.no_worse", True) if margin > -COMA_MARGIN else ("outcome.coma", False)


def _grade_waking(margin: int, roll: Roll) -> tuple[str, bool]:
    """[SS-UNC-01] It makes nothing worse, whatever it fails by.  RULING R26"""
    return ("outcome.conscious", True) if margin >= 0 else ("outcome.no_better", False)


def _suffer(context: RuleContext, who: str, result: Result) -> None:
    """[SS-UNC-03] [SS-UNC-04] What a check after damage does: it never wakes anybody."""
    if result.outcome == "outcome.coma":
        fall_into_coma(context, who)
    elif not result.good and is_conscious(context.state[who]):
        fall_unconscious(context, who, "SS-DMG-08")


# ---------------------------------------------------------------- going down


def fall_unconscious(context: RuleContext, who: str, rule: str) -> None:
    """[SS-DMG-08] Unconscious, which ends the turn.  RULING R32: prone, and what is held is dropped."""
    add_condition(context, who, "unconscious", rule=rule, marks={"since": context.state.clock})
    _collapse(context, who, rule)


def fall_into_coma(context: RuleContext, who: str) -> None:
    """[SS-DMG-09] In a coma: no more consciousness checks, one coma check a day."""
    remove_conditions(context, who, "unconscious", why="why.coma", rule="SS-DMG-09")
    add_condition(context, who, "coma", marks={"since": context.state.clock})
    _collapse(context, who, "SS-DMG-09")


def _collapse(context: RuleContext, who: str, rule: str) -> None:
    """What going down brings with it.  RULING R32"""
    if context.option("unconscious_prone") == "yes":
        fall_prone(context, who, rule)
    for item in context.state[who].items:
        if item.place == "held" and is_droppable(item):
            drop(context, who, item, rule)
    worn = worn_armor(context.state[who])
    if worn and worn.data.get("lost_when_unconscious"):
        context.emit(e.ItemLost(who, replace(worn, place="destroyed"), "item_is.destroyed"), rule)
    _end_actions(context, who, rule)


def _end_actions(context: RuleContext, who: str, rule: str) -> None:
    """RULING R2: nothing more this turn, not even for who comes round in it without having declared."""
    fighter = context.state[who]
    if any(fighter.budget.values()):
        context.emit(e.BudgetSet(who, dict.fromkeys(fighter.budget, 0)), rule)
    if is_acting(context.state, who) and "declared" not in fighter.marks:
        context.emit(e.Marked(who, "declared", 0), "SS-ACT-01", e.GM_ONLY)


def fall_prone(context: RuleContext, who: str, rule: str, **marks: int) -> bool:
    """Prone, unless nothing brings this fighter down; returns whether it is new."""
    fighter = context.state[who]
    if is_immune(fighter, "prone") or has_condition(fighter, "prone"):
        return False
    add_condition(context, who, "prone", rule=rule, marks=marks)
    return True


def is_droppable(item: Item) -> bool:
    """Whether a held thing can fall: not what is part of the body or built in."""
    return count_hands(item) > 0


def drop(context: RuleContext, who: str, item: Item, rule: str) -> None:
    """A held thing falls to the ground where its owner is."""
    fallen = replace(item, place="ground", at=context.state[who].at)
    context.emit(e.ItemLost(who, fallen, "how.drops"), rule)


def is_on_slippery_ground(state: State, fighter: Combatant) -> bool:
    """[SS-ZONE-12] Whether damage may cost the footing.  RULING R44: not of the prone."""
    return (
        has_ground(zone_of(state, fighter), "slippery")
        and not has_condition(fighter, "prone", "dead")
        and not is_immune(fighter, "prone")
    )


def keep_footing(context: RuleContext, who: str, onward: Onward) -> Then | None:
    """[SS-ZONE-12] A Dex check against 8 or prone.  RULING R44: no skill, after the other check."""
    terms = check_terms(context.state, context.state[who], "dex", rule="SS-ZONE-12")
    result = roll_check(
        context, who, terms, SLIPPERY_DIFFICULTY, rule="SS-ZONE-12", what="check.footing", again="dex"
    )
    if not result.good:
        fall_prone(context, who, "SS-ZONE-12")
    return go(onward)


# ---------------------------------------------------------------- getting better


def heal(context: RuleContext, who: str, amount: int, why: Label, rule: str, roll: Roll | None = None) -> int:
    """Take points off the damage, at most all of it; the unconscious may come round."""
    fighter = context.state[who]
    old = damage_of(fighter)
    new = max(0, old - max(0, amount))
    if new == old or has_condition(fighter, "dead"):
        return 0
    context.emit(e.TrackChanged(who, "damage", old, new, why, (), roll), rule)
    come_round(context, who)
    return old - new


def come_round(context: RuleContext, who: str) -> None:
    """[SS-UNC-01] [SS-OTHER-16] Less damage: an unconscious character checks again and may wake.

    RULING R26: once for each healing, failure changes nothing; 6 or less wakes at once.
    Nobody loses by this check, so it is rolled without asking.
    """
    fighter = context.state[who]
    if not has_condition(fighter, "unconscious"):
        return
    if damage_of(fighter) < CHECK_FROM and context.option("wake_below_7") == "automatic":
        wake(context, who, "why.below_7", "SS-UNC-01")
        return
    if roll_consciousness(context, who, "SS-UNC-01", "roll.come_round", _grade_waking).good:
        wake(context, who, "why.comes_round", "SS-UNC-01")


def wake(context: RuleContext, who: str, why: Label, rule: str) -> None:
    """Conscious again; the damage stays as it is."""
    remove_conditions(context, who, "unconscious", "coma", "treated", why=why, rule=rule)


def die(context: RuleContext, who: str, rule: str) -> None:
    """Death ends whatever state came before."""
    remove_conditions(context, who, "unconscious", "coma", "treated", why="why.death", rule=rule)
    add_condition(context, who, "dead", rule=rule)
    _collapse(context, who, rule)


def settle(context: RuleContext, before: Combatant) -> None:
    """What follows when the GM has changed a fighter: checks, waking, and falling down."""
    fighter = context.state[before.id]
    old, new = damage_of(before), damage_of(fighter)
    _return_to_life(context, before, healed=new < old)
    if new > old:
        check_consciousness(context, fighter.id)
    elif new < old:
        come_round(context, fighter.id)
    _start_state(context, before)
    _hold_once(context, before.id)


def _return_to_life(context: RuleContext, before: Combatant, healed: bool) -> None:
    """Dead no more by the GM's word, or by healing: with much damage unconscious, as it would have been.

    What heals then calls for the usual check to come round.
    """
    who = before.id
    if healed:
        remove_conditions(context, who, "dead", why="why.alive")
    was_dead, is_out = has_condition(before, "dead"), has_condition(context.state[who], *STATES)
    if was_dead and not is_out and damage_of(context.state[who]) >= CHECK_FROM:
        add_condition(context, who, "unconscious", marks={"since": context.state.clock})


def _hold_once(context: RuleContext, who: str) -> None:
    """What one is or is not cannot be given twice: a state goes on as it began, a hindrance anew."""
    for kind in (*STATES, "prone", "blinded"):
        held = [held for held in context.state[who].conditions if held.kind == kind]
        for again in held[1:] if kind in STATES else held[:-1]:
            told = e.ConditionEnded(who, again.id, again.label, "why.one_is_enough")
            context.emit(told, again.rule, e.GM_ONLY)


def _start_state(context: RuleContext, before: Combatant) -> None:
    """A state given by the GM begins like any other."""
    for kind in STATES:
        held = find_condition(context.state[before.id], kind)
        if held and not has_condition(before, kind) and "since" not in held.marks:
            others = [other for other in ("unconscious", "coma", "treated", "dead") if other != kind]
            remove_conditions(context, before.id, *others, why=held.label, rule=held.rule)
            started = replace(held, marks={**held.marks, "since": context.state.clock})
            context.emit(e.ConditionChanged(before.id, started), held.rule, e.GM_ONLY)
            _collapse(context, before.id, held.rule)
            return


def describe_outcome(context: RuleContext, who: str, by: str) -> None:
    """[SS-ATK-09] Tell the attacker whether the target is out of the fight."""
    fighter = context.state[who]
    if not is_conscious(fighter):
        key = "log.out"
    elif not is_able(fighter):
        key = "log.awake_idle"
    else:
        key = "log.awake" if has_condition(fighter, "prone") else "log.stands"
    context.emit(e.Said(key, by, who), "SS-ATK-09")
