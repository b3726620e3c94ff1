"""Damage: consciousness checks, dropping, comas, waking, and death."""

from __future__ import annotations

from typing import Any

import msgspec

from combat.rules.core.basics.dice.dice import Roll, parse_dice
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say
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
from combat.rules.core.turn.hands import drop
from combat.rules.core.turn.squads import LEFT_OVER, SQUAD, over_terms, share_harm
from combat.rules.core.turn.turns import add_condition, remove_conditions

from ..book.options import find_option
from ..book.tables import CHECK_FROM, COMA_MARGIN, DROP_AT, SLIPPERY_DIFFICULTY, Feature
from ..characters.conditions import KINDS, OUT, find_burning, is_down, terms_of
from ..characters.sheet import (
    MAX_DICE,
    attribute_terms,
    count_hands,
    damage_of,
    features_of,
    is_able,
    is_conscious,
    is_immune,
    worn_armor,
)
from ..dice import Grade, Result, check_terms, roll_check, training_terms
from ..world.place import has_ground, zone_of

STATES = tuple(reversed(OUT))  # the gravest first
Onward = tuple[Any, ...]  # the next step and its arguments


class Harm(msgspec.Struct, frozen=True, kw_only=True):
    """Damage dealt at one time: how much, why, and by whom.

    `resisted` says that the attack was against Resistance.
    """

    amount: int
    why: Label
    rule: str
    terms: Modifiers = ()
    by: str = ""
    resisted: bool = False


def go(onward: Onward) -> Then | None:
    """The step to continue with."""
    return Then(onward[0], *onward[1:]) if onward else None


def roll_points(
    context: RuleContext, who: str, notation: str, rule: str, why: Label
) -> tuple[int, Roll | None]:
    """The points of a flat or rolled value; a flat one needs no dice."""
    dice = parse_dice(notation)
    if not dice.count:
        return dice.plus, None
    roll = context.roll(notation, by=who, rule=rule, why=why)
    return max(0, roll.total), roll


# ---------------------------------------------------------------- taking damage


def hurt(
    context: RuleContext, who: str, harm: Harm, roll: Roll | None = None, onward: Onward = ()
) -> Then | None:
    """Add damage to the total, as one event, and continue with its effects. [SS-DMG-02]"""
    combatant = context.state[who]
    amount, terms = _soften(combatant, harm)
    old = damage_of(combatant)
    new = old if has_condition(combatant, "dead") else old + max(0, amount)
    context.emit(
        e.TrackChanged(who, "damage", old, new=new, why=harm.why, terms=terms, roll=roll, by=harm.by),
        harm.rule,
    )
    if new == old:
        return go(onward)  # RULING R27: no damage, no check
    _remember_harm(context, who)
    return Then(face_damage, who, onward)


def hurt_squad(
    context: RuleContext, who: str, harm: Harm, roll: Roll | None = None, onward: Onward = ()
) -> Then | None:
    """Add damage as `hurt` does; what is beyond certain unconsciousness falls to the next of a squad.

    The table's own, in no text. What checks alone decide stays with those who make them.
    """
    combatant = context.state[who]
    if SQUAD not in combatant.marks:
        return hurt(context, who, harm, roll, onward)
    amount, terms = _soften(combatant, harm)
    most = _find_most(context.state, combatant) if is_conscious(combatant) else 0
    here, over, mate = share_harm(context, who, amount, most)
    if not mate:
        return hurt(context, who, harm, roll, onward)
    bears = replace(harm, amount=here, terms=(*terms, *over_terms(over)), resisted=False)
    rest = Harm(amount=over, why=say(LEFT_OVER, who=who), rule="", by=harm.by)
    return hurt(context, who, bears, roll, (hurt_squad, mate, rest, None, onward))


def _find_most(state: State, combatant: Combatant) -> int:
    """The points until someone drops, or until no check can keep them conscious."""
    certain = find_drop(state, combatant) or find_bearable(state, combatant) + 1
    return certain - damage_of(combatant)


def _soften(combatant: Combatant, harm: Harm) -> tuple[int, Modifiers]:
    """The damage after a feature that halves damage against Resistance."""
    halved = find_halving(combatant) if harm.resisted else None
    if halved is None:
        return harm.amount, harm.terms
    taken = harm.amount // 2
    return taken, (*harm.terms, Modifier(halved.name, taken - harm.amount, harm.rule))


def find_halving(combatant: Combatant) -> Feature | None:
    """The feature of someone that halves damage against Resistance."""
    return next((f for f in features_of(combatant) if f.halves_resistance_damage), None)


def _remember_harm(context: RuleContext, who: str) -> None:
    """Mark the turn as one with damage: what burns weakens only in turns without."""
    if find_burning(context.state[who]):
        context.emit(e.Marked(who, "hurt_this_turn", True), to=e.GM_ONLY)


def face_damage(context: RuleContext, who: str, onward: Onward) -> Then | None:
    """Make the consciousness check, then the check for slippery ground."""
    check_consciousness(context, who)
    if is_on_slippery_ground(context.state, context.state[who]):
        return Then(keep_footing, who, onward)
    return go(onward)


def check_consciousness(context: RuleContext, who: str) -> None:
    """Check after each time damage is dealt, from a total of 7. [SS-DMG-04] [SS-DMG-06]

    Not in a coma. [SS-COMA-02] Opponents may simply drop instead. [SS-DMG-10] The unconscious must check
    again. [SS-UNC-02]
    """
    combatant = context.state[who]
    if has_condition(combatant, "coma", "dead"):
        return
    drop_at = find_drop(context.state, combatant)
    if drop_at:
        if damage_of(combatant) >= drop_at and is_conscious(combatant):
            fall_unconscious(context, who, "SS-DMG-10")
        return
    if damage_of(combatant) < CHECK_FROM:
        return
    awake = is_conscious(combatant)
    why, grade = ("roll.stay_conscious", _grade_awake) if awake else ("roll.no_coma", _grade_out)
    _suffer(context, who, roll_consciousness(context, who, "SS-DMG-05", why=why, grade=grade))


def find_drop(state: State, combatant: Combatant) -> int:
    """The damage at which an opponent simply drops; 0 if it makes checks. [SS-DMG-10]  RULING R25"""
    how = find_option(state, "npc_drop")
    if how == "full_checks" or combatant.pc or combatant.sheet["named"]:
        return 0
    return DROP_AT if how == "at_15" else int(find_option(state, "npc_drop_damage"))


def find_bearable(state: State, combatant: Combatant) -> int:
    """The damage at which someone drops, or at which two sixes still pass the check.

    [SS-DMG-05] [SS-DMG-10]  RULING R25
    """
    most = max(CHECK_FROM, MAX_DICE + add_up(consciousness_terms(combatant)))
    return find_drop(state, combatant) or most


def consciousness_terms(combatant: Combatant) -> Modifiers:
    """Str and bonuses of items; no Action Penalty, prone or blindness. [SS-DMG-05]  RULING R27"""
    strength = attribute_terms(combatant, "str", "SS-DMG-05")
    return (*strength, *training_terms(combatant, "str", "SS-DMG-05"), *terms_of(combatant, "consciousness"))


def roll_consciousness(context: RuleContext, who: str, rule: str, why: Label, grade: Grade) -> Result:
    """Roll 2d6 + Str against total damage [SS-DMG-05]; failing by 7 is a coma. [SS-DMG-09]

    `grade` names the result for someone awake, someone unconscious, or someone who may come round.
    """
    combatant = context.state[who]
    return roll_check(
        context,
        who,
        consciousness_terms(combatant),
        damage_of(combatant),
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
    """Success changes nothing [SS-DMG-07]; failure means unconscious. [SS-DMG-08]"""
    if margin >= 0:
        return "outcome.conscious", True
    return ("outcome.unconscious", False) if margin > -COMA_MARGIN else ("outcome.coma", False)


def _grade_out(margin: int, roll: Roll) -> tuple[str, bool]:
    """The check cannot wake anyone; it succeeds unless it fails by 7. [SS-UNC-03] [SS-UNC-04]"""
    return ("outcome.no_worse", True) if margin > -COMA_MARGIN else ("outcome.coma", False)


def _grade_waking(margin: int, roll: Roll) -> tuple[str, bool]:
    """Failure changes nothing, by any margin. [SS-UNC-01]  RULING R26"""
    return ("outcome.conscious", True) if margin >= 0 else ("outcome.no_better", False)


def _suffer(context: RuleContext, who: str, result: Result) -> None:
    """Apply a check after damage: it never wakes anyone. [SS-UNC-03] [SS-UNC-04]"""
    if result.outcome == "outcome.coma":
        fall_into_coma(context, who)
    elif not result.good and is_conscious(context.state[who]):
        fall_unconscious(context, who, "SS-DMG-08")


# ---------------------------------------------------------------- going down


def fall_unconscious(context: RuleContext, who: str, rule: str) -> None:
    """Fall unconscious, which ends the turn. [SS-DMG-08]  RULING R32: prone, held items are dropped."""
    add_condition(context, who, "unconscious", rule=rule, marks={"since": context.state.clock})
    _collapse(context, who, rule)


def fall_into_coma(context: RuleContext, who: str) -> None:
    """Fall into a coma: no more consciousness checks, one coma check a day. [SS-DMG-09]"""
    remove_conditions(context, who, "unconscious", why="why.coma", rule="SS-DMG-09")
    add_condition(context, who, "coma", marks={"since": context.state.clock})
    _collapse(context, who, "SS-DMG-09")


def _collapse(context: RuleContext, who: str, rule: str) -> None:
    """Fall prone, drop held items, and lose the turn's actions.  RULING R32"""
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
    """RULING R2: No more actions this turn, even after coming round without a declaration."""
    combatant = context.state[who]
    if any(combatant.budget.values()):
        context.emit(e.BudgetSet(who, dict.fromkeys(combatant.budget, 0)), rule)
    if is_acting(context.state, who) and "declared" not in combatant.marks:
        context.emit(e.Marked(who, "declared", 0), "SS-ACT-01", e.GM_ONLY)


def fall_prone(context: RuleContext, who: str, rule: str, **marks: int) -> None:
    """Fall prone, unless this combatant is so already or nothing can knock it down."""
    combatant = context.state[who]
    if not (is_immune(combatant, "prone") or has_condition(combatant, "prone")):
        add_condition(context, who, "prone", rule=rule, marks=marks)


def is_droppable(item: Item) -> bool:
    """Whether a held item can fall: it cannot if it is part of the body or built in."""
    return count_hands(item) > 0


def is_on_slippery_ground(state: State, combatant: Combatant) -> bool:
    """Whether damage may knock someone down. [SS-ZONE-12]  RULING R44: not the prone."""
    return (
        has_ground(zone_of(state, combatant), "slippery")
        and not has_condition(combatant, "prone", "dead")
        and not is_immune(combatant, "prone")
    )


def keep_footing(context: RuleContext, who: str, onward: Onward) -> Then | None:
    """A Dex check against 8, or fall prone. [SS-ZONE-12]  RULING R44: no skill, after the other check."""
    terms = check_terms(context.state, context.state[who], "dex", rule="SS-ZONE-12")
    result = roll_check(
        context, who, terms, SLIPPERY_DIFFICULTY, rule="SS-ZONE-12", what="check.footing", again="dex"
    )
    if not result.good:
        fall_prone(context, who, "SS-ZONE-12")
    return go(onward)


# ---------------------------------------------------------------- getting better


def heal(context: RuleContext, who: str, amount: int, why: Label, rule: str, roll: Roll | None = None) -> int:
    """Take points off the damage, at most all of it; the unconscious may come round. Return the points."""
    combatant = context.state[who]
    old = damage_of(combatant)
    new = max(0, old - max(0, amount))
    if new == old or has_condition(combatant, "dead"):
        return 0
    context.emit(e.TrackChanged(who, "damage", old, new=new, why=why, terms=(), roll=roll), rule)
    come_round(context, who)
    return old - new


def come_round(context: RuleContext, who: str) -> None:
    """Check again after healing: an unconscious character may wake. [SS-UNC-01] [SS-OTHER-16]

    RULING R26: once for each healing, failure changes nothing; 6 or less damage wakes at once. No one loses
    by this check, so it is rolled without asking.
    """
    combatant = context.state[who]
    if not has_condition(combatant, "unconscious"):
        return
    if damage_of(combatant) < CHECK_FROM and context.option("wake_below_7") == "automatic":
        wake(context, who, "why.below_7", "SS-UNC-01")
        return
    if roll_consciousness(context, who, "SS-UNC-01", why="roll.come_round", grade=_grade_waking).good:
        wake(context, who, "why.comes_round", "SS-UNC-01")


def wake(context: RuleContext, who: str, why: Label, rule: str) -> None:
    """Become conscious again; the damage stays."""
    remove_conditions(context, who, *KINDS.ended_by("waking"), why=why, rule=rule)


def die(context: RuleContext, who: str, rule: str) -> None:
    """Die; this ends any other state."""
    remove_conditions(context, who, *KINDS.ended_by("death"), why="why.death", rule=rule)
    add_condition(context, who, "dead", rule=rule)
    _collapse(context, who, rule)


def after_change(context: RuleContext, before: Combatant) -> None:
    """Apply what follows a GM's change of a combatant: checks, waking, and falling down."""
    combatant = context.state[before.id]
    old, new = damage_of(before), damage_of(combatant)
    _return_to_life(context, before, healed=new < old)
    if new > old:
        check_consciousness(context, combatant.id)
    elif new < old:
        come_round(context, combatant.id)
    _start_state(context, before)
    _hold_once(context, before.id)


def _return_to_life(context: RuleContext, before: Combatant, healed: bool) -> None:
    """Return from death by the GM's change or by healing; with much damage, unconscious.

    Healing then leads to the usual check to come round.
    """
    who = before.id
    if healed:
        remove_conditions(context, who, "dead", why="why.alive")
    was_dead, is_out = has_condition(before, "dead"), has_condition(context.state[who], *STATES)
    if was_dead and not is_out and damage_of(context.state[who]) >= CHECK_FROM:
        add_condition(context, who, "unconscious", marks={"since": context.state.clock})


def _hold_once(context: RuleContext, who: str) -> None:
    """Keep one of each condition given twice: a state keeps its start, a hindrance starts again."""
    for kind in (*STATES, *KINDS.tagged("renewed")):
        held = [held for held in context.state[who].conditions if held.kind == kind]
        for again in held[1:] if kind in STATES else held[:-1]:
            told = e.ConditionEnded(who, again.id, again.label, "why.one_is_enough")
            context.emit(told, again.rule, e.GM_ONLY)


def _start_state(context: RuleContext, before: Combatant) -> None:
    """Start a state that the GM gave like any other."""
    for kind in STATES:
        held = find_condition(context.state[before.id], kind)
        if held and not has_condition(before, kind) and "since" not in held.marks:
            others = {*STATES, *KINDS.ended_by("waking")} - {kind}
            remove_conditions(context, before.id, *others, why=held.label, rule=held.rule)
            started = replace(held, marks={**held.marks, "since": context.state.clock})
            context.emit(e.ConditionChanged(before.id, started), held.rule, e.GM_ONLY)
            _collapse(context, before.id, held.rule)
            return


def describe_outcome(context: RuleContext, who: str, by: str) -> None:
    """Log for the attacker whether the target is out of the fight. [SS-ATK-09]"""
    combatant = context.state[who]
    if not is_conscious(combatant):
        key = "log.out"
    elif not is_able(combatant):
        key = "log.awake_idle"
    else:
        key = "log.awake" if is_down(combatant) else "log.stands"
    context.emit(e.Said(key, by, who), "SS-ATK-09")
