"""Damage counted up: consciousness checks, dropping, comas, waking, and death."""

from __future__ import annotations

from typing import Any

import msgspec

from ..core import events as e
from ..core.dice import Roll, parse_dice
from ..core.modifiers import Modifier, Modifiers
from ..core.state import Combatant, Item, State, find_condition, has_condition, is_acting, replace
from ..core.table import Table, Then
from ..core.turns import gain, lift_kinds
from . import tables
from .place import has_ground, zone_of
from .rolls import Result, check_terms, roll_check, training_terms
from .sheet import (
    attribute_terms,
    count_hands,
    damage_of,
    features_of,
    find_option,
    is_able,
    is_conscious,
    is_immune,
)
from .tables import CHECK_FROM, COMA_MARGIN, DROP_AT, SLIPPERY_DIFFICULTY
from .values import worn_armor

STATES = ("dead", "coma", "unconscious")  # the gravest first
Onward = tuple[Any, ...]  # a step and its arguments, to go on with


class Harm(msgspec.Struct, frozen=True, kw_only=True):
    """One time that damage is dealt: how much, why, and where it comes from.

    `resisted` says that the attack met Resistance.
    """

    amount: int
    why: str
    rule: str
    terms: Modifiers = ()
    by: str = ""
    resisted: bool = False


def go(onward: Onward) -> Then | None:
    """The step to go on with."""
    return Then(onward[0], *onward[1:]) if onward else None


def roll_points(table: Table, who: str, notation: str, rule: str, why: str) -> tuple[int, Roll | None]:
    """Points of a flat or rolled figure; a flat one needs no dice."""
    dice = parse_dice(notation)
    if not dice.count:
        return dice.plus, None
    roll = table.roll(notation, by=who, rule=rule, why=why)
    return max(0, roll.total), roll


# ---------------------------------------------------------------- taking damage


def hurt(table: Table, who: str, harm: Harm, roll: Roll | None = None, onward: Onward = ()) -> Then | None:
    """[SS-DMG-02] Add damage to the total, as one event; then what follows from it."""
    fighter = table.state[who]
    amount, terms = _soften(fighter, harm)
    old = damage_of(fighter)
    new = old if has_condition(fighter, "dead") else old + max(0, amount)
    table.tell(e.TrackChanged(who, "damage", old, new, harm.why, terms, roll, harm.by), harm.rule)
    if new == old:
        return go(onward)  # RULING R27: no damage, no check
    _remember_harm(table, who)
    return Then(face_damage, who, onward)


def _soften(fighter: Combatant, harm: Harm) -> tuple[int, Modifiers]:
    """What an implant takes off damage that is met with Resistance."""
    halved = harm.resisted and any(f.halves_resistance_damage for f in features_of(fighter))
    if not halved:
        return harm.amount, harm.terms
    taken = harm.amount // 2
    return taken, (*harm.terms, Modifier("Adaptive Skin", taken - harm.amount, harm.rule))


def _remember_harm(table: Table, who: str) -> None:
    """Bile in the blood loses strength only in turns without damage."""
    if has_condition(table.state[who], "bile"):
        table.tell(e.Marked(who, "hurt_this_turn", True), to=e.GM_ONLY)


def face_damage(table: Table, who: str, onward: Onward) -> Then | None:
    """The consciousness check, then what the ground does."""
    check_consciousness(table, who)
    if is_on_slippery_ground(table.state, table.state[who]):
        return Then(keep_footing, who, onward)
    return go(onward)


def check_consciousness(table: Table, who: str) -> None:
    """[SS-DMG-04] [SS-DMG-06] After each time damage is dealt, from a total of 7.

    [SS-COMA-02] Not in a coma. [SS-DMG-10] Opponents may simply drop instead.
    [SS-UNC-02] The unconscious make it again, whether they like it or not.
    """
    fighter = table.state[who]
    if has_condition(fighter, "coma", "dead"):
        return
    drop_at = find_drop(table.state, fighter)
    if drop_at:
        if damage_of(fighter) >= drop_at and is_conscious(fighter):
            fall_unconscious(table, who, "SS-DMG-10")
        return
    if damage_of(fighter) < CHECK_FROM:
        return
    _suffer(table, who, roll_consciousness(table, who, "SS-DMG-05", "stay conscious"))


def find_drop(state: State, fighter: Combatant) -> int:
    """[SS-DMG-10] The damage at which an opponent simply drops; 0 if it makes checks.  RULING R25"""
    how = find_option(state, "npc_drop")
    if how == "full_checks" or fighter.pc or fighter.sheet["named"]:
        return 0
    return DROP_AT if how == "at_15" else int(find_option(state, "npc_drop_damage"))


def consciousness_terms(fighter: Combatant) -> Modifiers:
    """[SS-DMG-05] Str and what items add; no Action Penalty, prone or blindness.  RULING R27"""
    rows = [tables.lasting()[c.kind] for c in fighter.conditions if c.kind in tables.lasting()]
    helped = [Modifier(row.name, row.consciousness, "SS-OTHER-24") for row in rows if row.consciousness]
    strength = attribute_terms(fighter, "str", "SS-DMG-05")
    return (*strength, *training_terms(fighter, "str", "SS-DMG-05"), *helped)


def roll_consciousness(table: Table, who: str, rule: str, why: str) -> Result:
    """[SS-DMG-05] 2d6 + Str against total damage; [SS-DMG-09] failing by 7 is a coma."""
    fighter = table.state[who]
    return roll_check(
        table,
        who,
        consciousness_terms(fighter),
        damage_of(fighter),
        rule=rule,
        what="consciousness",
        why=why,
        against="Damage",
        grade=_grade_consciousness,
        also=(1 - COMA_MARGIN,),
        again="str",
        secret=True,
    )


def _grade_consciousness(margin: int, roll: Roll) -> tuple[str, bool]:
    """[SS-DMG-07] Success changes nothing; [SS-DMG-08] failure is unconscious."""
    if margin >= 0:
        return "conscious", True
    return ("unconscious", False) if margin > -COMA_MARGIN else ("coma", False)


def _suffer(table: Table, who: str, result: Result) -> None:
    """[SS-UNC-03] [SS-UNC-04] What a check after damage does: it never wakes anybody."""
    if result.word == "coma":
        fall_into_coma(table, who)
    elif not result.good and is_conscious(table.state[who]):
        fall_unconscious(table, who, "SS-DMG-08")


# ---------------------------------------------------------------- going down


def fall_unconscious(table: Table, who: str, rule: str) -> None:
    """[SS-DMG-08] Unconscious, which ends the turn.  RULING R32: prone, and what is held is dropped."""
    gain(table, who, "unconscious", rule=rule, marks={"since": table.state.clock})
    _collapse(table, who, rule)


def fall_into_coma(table: Table, who: str) -> None:
    """[SS-DMG-09] In a coma: no more consciousness checks, one coma check a day."""
    lift_kinds(table, who, "unconscious", why="a coma", rule="SS-DMG-09")
    gain(table, who, "coma", marks={"since": table.state.clock})
    _collapse(table, who, "SS-DMG-09")


def _collapse(table: Table, who: str, rule: str) -> None:
    """What going down brings with it.  RULING R32"""
    if table.option("unconscious_prone") == "yes":
        fall_prone(table, who, rule)
    for item in table.state[who].items:
        if item.place == "held" and is_droppable(item):
            drop(table, who, item, rule)
    worn = worn_armor(table.state[who])
    if worn and worn.data.get("lost_when_unconscious"):
        table.tell(e.ItemLost(who, replace(worn, place="destroyed"), "is destroyed"), rule)
    _end_actions(table, who, rule)


def _end_actions(table: Table, who: str, rule: str) -> None:
    """RULING R2: nothing more this turn, not even for who comes round in it without having declared."""
    fighter = table.state[who]
    if any(fighter.budget.values()):
        table.tell(e.BudgetSet(who, dict.fromkeys(fighter.budget, 0)), rule)
    if is_acting(table.state, who) and "declared" not in fighter.marks:
        table.tell(e.Marked(who, "declared", 0), "SS-ACT-01", e.GM_ONLY)


def fall_prone(table: Table, who: str, rule: str, **marks: int) -> bool:
    """Prone, unless nothing brings this fighter down; returns whether it is new."""
    fighter = table.state[who]
    if is_immune(fighter, "prone") or has_condition(fighter, "prone"):
        return False
    gain(table, who, "prone", rule=rule, marks=marks)
    return True


def is_droppable(item: Item) -> bool:
    """Whether a held thing can fall: not what is part of the body or built in."""
    return count_hands(item) > 0


def drop(table: Table, who: str, item: Item, rule: str, how: str = "drops") -> None:
    """A held thing falls to the ground where its owner is."""
    fallen = replace(item, place="ground", at=table.state[who].at)
    table.tell(e.ItemLost(who, fallen, how), rule)


def is_on_slippery_ground(state: State, fighter: Combatant) -> bool:
    """[SS-ZONE-12] Whether damage may cost the footing.  RULING R44: not of the prone."""
    return (
        has_ground(zone_of(state, fighter), "slippery")
        and not has_condition(fighter, "prone", "dead")
        and not is_immune(fighter, "prone")
    )


def keep_footing(table: Table, who: str, onward: Onward) -> Then | None:
    """[SS-ZONE-12] A Dex check against 8 or prone.  RULING R44: no skill, after the other check."""
    terms = check_terms(table.state, table.state[who], "dex", rule="SS-ZONE-12")
    result = roll_check(
        table, who, terms, SLIPPERY_DIFFICULTY, rule="SS-ZONE-12", what="footing", again="dex"
    )
    if not result.good:
        fall_prone(table, who, "SS-ZONE-12")
    return go(onward)


# ---------------------------------------------------------------- getting better


def heal(table: Table, who: str, amount: int, why: str, rule: str, roll: Roll | None = None) -> int:
    """Take points off the damage, at most all of it; the unconscious may come round."""
    fighter = table.state[who]
    old = damage_of(fighter)
    new = max(0, old - max(0, amount))
    if new == old or has_condition(fighter, "dead"):
        return 0
    table.tell(e.TrackChanged(who, "damage", old, new, why, (), roll), rule)
    come_round(table, who)
    return old - new


def come_round(table: Table, who: str) -> None:
    """[SS-UNC-01] [SS-OTHER-16] Less damage: an unconscious character checks again and may wake.

    RULING R26: once for each healing, failure changes nothing; 6 or less wakes at once.
    Nobody loses by this check, so it is rolled without asking.
    """
    fighter = table.state[who]
    if not has_condition(fighter, "unconscious"):
        return
    if damage_of(fighter) < CHECK_FROM and table.option("wake_below_7") == "automatic":
        wake(table, who, "damage below 7", "SS-UNC-01")
        return
    if roll_consciousness(table, who, "SS-UNC-01", "come round").good:
        wake(table, who, "comes round", "SS-UNC-01")


def wake(table: Table, who: str, why: str, rule: str) -> None:
    """Conscious again; the damage stays as it is."""
    lift_kinds(table, who, "unconscious", "coma", "treated", why=why, rule=rule)


def die(table: Table, who: str, rule: str) -> None:
    """Death ends whatever state came before."""
    lift_kinds(table, who, "unconscious", "coma", "treated", why="dead", rule=rule)
    gain(table, who, "dead", rule=rule)
    _collapse(table, who, rule)


def settle(table: Table, before: Combatant) -> None:
    """What follows when the GM has changed a fighter: checks, waking, and falling down."""
    fighter = table.state[before.id]
    old, new = damage_of(before), damage_of(fighter)
    if new > old:
        check_consciousness(table, fighter.id)
    elif new < old:
        come_round(table, fighter.id)
    _start_state(table, before)
    _hold_once(table, before.id)


def _hold_once(table: Table, who: str) -> None:
    """What one is or is not cannot be given twice: a state goes on as it began, a hindrance anew."""
    for kind in (*STATES, "prone", "blinded"):
        held = [held for held in table.state[who].conditions if held.kind == kind]
        for again in held[1:] if kind in STATES else held[:-1]:
            told = e.ConditionEnded(who, again.id, again.label, "one of the kind is enough")
            table.tell(told, again.rule, e.GM_ONLY)


def _start_state(table: Table, before: Combatant) -> None:
    """A state given by the GM begins like any other."""
    for kind in STATES:
        held = find_condition(table.state[before.id], kind)
        if held and not has_condition(before, kind) and "since" not in held.marks:
            others = [other for other in ("unconscious", "coma", "treated", "dead") if other != kind]
            lift_kinds(table, before.id, *others, why=held.label.lower(), rule=held.rule)
            started = replace(held, marks={**held.marks, "since": table.state.clock})
            table.tell(e.ConditionChanged(before.id, started), held.rule, e.GM_ONLY)
            _collapse(table, before.id, held.rule)
            return


def describe_outcome(table: Table, who: str, by: str) -> None:
    """[SS-ATK-09] Tell the attacker whether the target is out of the fight."""
    fighter = table.state[who]
    if not is_conscious(fighter):
        text = "{target} is out of the fight."
    elif not is_able(fighter):
        text = "{target} is awake, but cannot act."
    else:
        text = "{target} still stands." if not has_condition(fighter, "prone") else "{target} is still awake."
    table.tell(e.Said(text, by, who), "SS-ATK-09")
