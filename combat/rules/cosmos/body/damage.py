"""Damage: from the dice through armor to Hit Points, and on to dying and death."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, possessive, say
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    SURRENDERED,
    Combatant,
    Condition,
    Item,
    Scalar,
    State,
    Until,
    find_condition,
    has_condition,
    replace,
)
from combat.rules.core.turn.hands import drop
from combat.rules.core.turn.turns import add_condition, end_with_source, remove_condition, remove_conditions

from ..book.options import find_option
from ..book.tables import CRITICAL, HEALTH_STATES, find_health_state
from ..book.traits import has_tag
from ..characters.conditions import KINDS
from ..characters.sheet import ability, is_able, max_hp
from ..dice import save
from .supplies import find_supply, take_use

DEGRADES_EVERY = 20  # COS-ARMOR-10
UNCONSCIOUS_TN = 14  # COS-STATE-18
CLEARED = KINDS.ended_by("health mark")  # RULING R14
INTERRUPTED = "interrupted"  # the mark of one whose turn waits: how many waited with it when it began to
CLEAR_ANSWERS = (Choice("clear", "End"), Choice("keep", "Keep"))
OF_HP = {*KINDS.tagged("of HP")}  # the conditions that 0 HP or less bring
OUT = KINDS.ended_by("revival")  # what a revival by the GM ends


def worn_armor(combatant: Combatant) -> Item | None:
    """The armor a combatant wears."""
    for item in combatant.items:
        if item.kind == "armor" and item.place == "worn":
            return item
    return None


def shields(combatant: Combatant) -> list[Item]:
    """The shields in use; a shield that needs no hand is always in use."""
    return [i for i in combatant.items if i.kind == "shield" and i.place in ("held", "worn")]


def protection_of(state: State, combatant: Combatant) -> Modifier:
    """The armor points that count, and their source.

    [COS-ARMOR-01] [COS-ARMOR-03] [COS-ARMOR-05] [COS-ARMOR-07] [COS-DMG-10]  RULING R37: natural and worn
    armor do not add up.
    """
    worn = worn_armor(combatant)
    natural = max(int(combatant.sheet["natural_armor"]), ability(combatant, "natural_armor"))
    points = armor_points(state, worn) if worn else 0
    if natural >= points:
        return Modifier("term.natural_armor", natural, "COS-DMG-10")
    assert worn is not None
    return Modifier(worn.name, points, "COS-DMG-08")


def armor_points(state: State, worn: Item) -> int:
    """The protection of armor after damage to it, at least 0.

    [COS-ARMOR-09] [COS-ARMOR-10] [COS-CRIT-06]
    """
    lost = int(worn.marks.get("damaged", 0))
    if find_option(state, "armor_degradation"):
        lost += int(worn.marks.get("taken", 0)) // DEGRADES_EVERY
    return max(0, int(worn.data["protection"]) - lost)


def armor_terms(state: State, target: Combatant, kind: str, ap: int = 0, ignored: bool = False) -> Modifiers:
    """The reduction of a hit by armor and shields, as negative terms.

    [COS-DMG-06] [COS-DMG-08]  `kind` is the damage type, `ap` in points. [COS-DMG-09] Energy shields work
    against energy [COS-DMG-03], never against kinetic hits [COS-DMG-02]. Piercing or bypassing armor does not
    affect shields: RULING R37 adds a shield after AP.
    """
    terms: list[Modifier] = []
    armor = protection_of(state, target)
    if ignored and armor.value:
        terms.append(Modifier(say("term.bypassed", what=armor.label), 0, "COS-CRIT-04"))
    elif armor.value:
        counts = max(0, armor.value - ap)
        label = say("term.armor_ap", what=armor.label, ap=ap) if ap else armor.label
        terms.append(Modifier(label, -counts, "COS-DMG-06" if ap else armor.rule))
    return (*terms, *shield_terms(target)) if kind == "energy" else tuple(terms)


def armor_against(state: State, target: Combatant, weapon: Item, bypassed: bool = False) -> Modifiers:
    """The reduction of a hit with a weapon, as negative terms. [COS-DMG-06] [COS-CRIT-04]"""
    ignored = bypassed or has_tag(weapon.data, "ignores armor")
    return armor_terms(state, target, str(weapon.data["type"]), ap=int(weapon.data["ap"]), ignored=ignored)


def shield_terms(target: Combatant) -> Modifiers:
    """The reduction of energy damage by energy shields, as negative terms. [COS-DMG-09]"""
    points = [(shield.name, int(shield.data["energy_protection"])) for shield in shields(target)]
    return tuple(Modifier(name, -n, "COS-DMG-09") for name, n in points if n)


def count_damage(state: State, dealt: int, armor: Modifiers) -> int:
    """The damage in points that gets through, at least 0.  RULING R37."""
    least = 1 if find_option(state, "minimum_damage_1") and dealt > 0 else 0
    return max(least, dealt + add_up(armor))


def hurt(
    context: RuleContext,
    who: str,
    amount: int,
    *,
    why: Label,
    rule: str,
    terms: Modifiers = (),
    roll: Roll | None = None,
    by: str = "",
    nonlethal: bool = False,
) -> int:
    """Take HP from a combatant and apply all consequences; returns the HP lost."""
    before = context.state.combatants[who]
    hp = before.tracks["hp"]
    new = hp_after(before, amount, nonlethal)
    if has_condition(before, "dead"):
        new = hp
    context.emit(e.TrackChanged(who, "hp", hp, new=new, why=why, terms=terms, roll=roll, by=by), rule)
    if new < hp:
        if find_option(context.state, "armor_degradation"):
            _wear_armor(context, who, hp - new)
        after_change(context, before)
    return hp - new


def hp_after(combatant: Combatant, amount: int, nonlethal: bool = False) -> int:
    """The HP after a loss. Stun damage stops at the lower end of Injured.

    [COS-DMG-05]  RULING R36: the floor is a quarter of the maximum, rounded up.
    """
    hp = combatant.tracks["hp"]
    if not nonlethal:
        return hp - amount
    floor = ceil(max_hp(combatant) / 4)
    return min(hp, max(floor, hp - amount))


def _wear_armor(context: RuleContext, who: str, lost: int) -> None:
    """Count the damage that its wearer takes as wear of the armor. [COS-ARMOR-10]"""
    worn = worn_armor(context.state[who])
    if worn is None:
        return
    taken = int(worn.marks.get("taken", 0)) + lost
    changed = replace(worn, marks={**worn.marks, "taken": taken})
    context.emit(e.ItemChanged(who, changed, "item_is.takes_wear"), "COS-ARMOR-10", e.GM_ONLY)


def heal(
    context: RuleContext, who: str, amount: int, *, why: Label, rule: str, roll: Roll | None = None
) -> int:
    """Restore HP, up to the maximum; returns the HP gained."""
    before = context.state[who]
    hp = before.tracks["hp"]
    new = max(hp, min(max_hp(before), hp + amount))
    if new == hp or has_condition(before, "dead"):
        return 0
    context.emit(e.TrackChanged(who, "hp", hp, new=new, why=why, terms=(), roll=roll), rule)
    after_change(context, before)
    offer_clearing(context, who, hp)
    return new - hp


def after_change(context: RuleContext, before: Combatant) -> None:
    """Apply the consequences of a changed combatant: ended holds, dying, death, waking, fainting."""
    if context.state.combatants[before.id].conditions is not before.conditions:
        _follow_conditions(context, before)
        follow_hp(context, before)
    combatant = context.state.combatants[before.id]
    old, hp = before.tracks["hp"], combatant.tracks["hp"]
    if has_condition(combatant, "dead"):
        revive(context, before)
    elif hp == old or (combatant.conditions is not before.conditions and _is_marked(before, combatant)):
        return
    elif hp > 0:
        _rise(context, combatant, old)
    elif hp < death_border(combatant):
        die(context, combatant.id, "why.below_minus_might", "COS-DEATH-11")
    else:
        _drop(context, combatant, worse=hp < old)


def _follow_conditions(context: RuleContext, before: Combatant) -> None:
    """Apply the consequences of conditions just set by the GM.

    [COS-COND-33] [COS-COND-34] [COS-DEATH-12] [COS-DEATH-13] The GM may mark a combatant dead. RULING R40:
    the same condition counts once; bleeding wounds and injuries add up.
    """
    known = {held.id for held in before.conditions}
    for new in [held for held in context.state[before.id].conditions if held.id not in known]:
        if new.kind in ("dying", "stable"):
            _mark_dying_or_stable(context, before.id, new)
        if new.kind not in KINDS.tagged("adds up"):
            for old in before.conditions:
                if (old.kind, old.by) == (new.kind, new.by):
                    remove_condition(context, before.id, old, "why.renewed")
        _follow_condition(context, before.id, new)


def _follow_condition(context: RuleContext, who: str, new: Condition) -> None:
    begins = KINDS[new.kind].begins if new.kind in KINDS else ""
    if begins:
        BEGINS[begins](context, who, new)
    elif new.kind == SURRENDERED:
        release_holds(context, who, "condition.surrendered")
    elif not _can_be_source(context.state, new):
        remove_condition(context, who, new, "why.no_source")


def _mark_dying_or_stable(context: RuleContext, who: str, given: Condition) -> None:
    """Let each of the two end the other; both mean 0 HP or less. [COS-STATE-19] [COS-DEATH-09]"""
    hp = context.state[who].tracks["hp"]
    if hp > 0:
        context.emit(e.TrackChanged(who, "hp", hp, new=0, why="why.gm"), given.rule)
    other, why = ("stable", "why.hurt_again") if given.kind == "dying" else ("dying", "why.stable")
    remove_conditions(context, who, other, why=why, rule=given.rule)
    fall_unconscious(context, who, "COS-STATE-20")


def _is_marked(before: Combatant, combatant: Combatant) -> bool:
    """Whether the GM has just set dying or stable, and HP have followed."""
    known = {held.id for held in before.conditions}
    return any(held.kind in ("dying", "stable") and held.id not in known for held in combatant.conditions)


def _can_be_source(state: State, held: Condition) -> bool:
    """Whether the source of a condition can cause it.

    [COS-COND-21] The helpless hold nobody, and [COS-COND-17] the dead frighten nobody.
    """
    source = state.combatants.get(held.by)
    if source is None or held.kind not in KINDS or not KINDS[held.kind].bound:
        return True
    return not has_condition(source, "dead") if held.kind == "frightened" else is_able(source)


def _drop(context: RuleContext, combatant: Combatant, worse: bool) -> None:
    """Make a combatant at 0 HP or less dying and unconscious. [COS-STATE-19] [COS-STATE-20]

    RULING R17: new damage makes a stable character dying again. A worn patch stabilizes.
    """
    if has_condition(combatant, "stable"):
        if not worse:
            return
        remove_conditions(context, combatant.id, "stable", why="why.hurt_again", rule="COS-DEATH-09")
    if not has_condition(combatant, "dying"):
        add_condition(context, combatant.id, "dying")
    fall_unconscious(context, combatant.id, "COS-STATE-20")
    patch = find_supply(combatant, "stabilizes")
    if patch:
        take_use(context, combatant.id, patch, how="item_is.used_up", rule="COS-MED-03")
        stabilize(context, combatant.id, "COS-MED-03")


def stabilize(context: RuleContext, who: str, rule: str) -> None:
    """End dying [COS-DEATH-09]; still unconscious below 1 HP. [COS-DEATH-10]"""
    remove_conditions(context, who, "dying", why="why.stable", rule=rule)
    add_condition(context, who, "stable", rule=rule)


def fall_unconscious(context: RuleContext, who: str, rule: str, **marks: Scalar) -> None:
    """Make a combatant unconscious: no actions, and its holds end. [COS-COND-34]

    Without `marks`, the ends of a lighter faint, such as time, no longer count.
    """
    held = find_condition(context.state[who], "unconscious")
    if held is None:
        add_condition(context, who, "unconscious", rule=rule, marks=marks)
    elif not marks and (held.until or held.marks):
        deeper = replace(held, until=None, marks={}, rule=rule)
        context.emit(e.ConditionChanged(who, deeper), rule, e.GM_ONLY)
    _collapse(context, who, rule)


def _collapse(context: RuleContext, who: str, rule: str) -> None:
    """RULING R12: fall prone, but only by table option."""
    combatant = context.state[who]
    if context.option("unconscious_fall_prone") and not has_condition(combatant, "prone"):
        add_condition(context, who, "prone")
    go_limp(context, who)
    if any(combatant.budget.values()):
        context.emit(e.BudgetSet(who, dict.fromkeys(combatant.budget, 0)), rule)


def release_holds(context: RuleContext, holder: str, why: Label) -> None:
    """End every grapple a combatant holds. [COS-COND-21]"""
    end_with_source(context, holder, why, "grappled", "pinned")


def go_limp(context: RuleContext, who: str) -> None:
    """End the holds, the pressure on wounds and the guard of the helpless. [COS-COND-21] [COS-COND-03]"""
    release_holds(context, who, "why.the_holder_is_helpless")
    end_with_source(context, who, "why.nobody_presses", "pressed")
    remove_conditions(context, who, *KINDS.ended_by("helplessness"), why="why.helpless", rule="COS-COND-34")


def _rise(context: RuleContext, combatant: Combatant, old: int) -> None:
    """Above 0 HP: wake, or make the Might save on entering Critical.  RULING R15."""
    if old <= 0:
        remove_conditions(context, combatant.id, "dying", "stable", why="why.above_0_hp", rule="COS-DEATH-10")
        remove_conditions(context, combatant.id, "unconscious", why="why.above_0_hp", rule="COS-DEATH-10")
        _breathe_on(context, combatant)
        return
    most = int(combatant.marks["max_hp"])
    was, now = find_health_state(old, most), find_health_state(combatant.tracks["hp"], most)
    if now is CRITICAL is not was and not has_condition(combatant, "unconscious"):
        stay_conscious(context, combatant.id)
    elif now is not CRITICAL:
        _wake(context, combatant)


def _breathe_on(context: RuleContext, combatant: Combatant) -> None:
    """Above 0 HP, end the last countdown without air; the air left counts again. [COS-ENV-16]"""
    held = find_condition(combatant, "last_breath")
    if held:
        plain = replace(held, label="condition.last_breath")
        remove_condition(context, combatant.id, plain, why="why.above_0_hp", rule="COS-ENV-16")


def _wake(context: RuleContext, combatant: Combatant) -> None:
    fainted = find_condition(combatant, "unconscious")
    if fainted and fainted.marks.get("cause") == CRITICAL.name:
        remove_condition(context, combatant.id, fainted, why="why.quarter_hp", rule="COS-STATE-18")


def stay_conscious(context: RuleContext, who: str) -> None:
    """The Might save of the Critical state against TN 14. [COS-STATE-18]"""
    if not save(context, who, "MIG", target=UNCONSCIOUS_TN, rule="COS-STATE-18", why="roll.stay_conscious"):
        fall_unconscious(context, who, "COS-STATE-18", cause=CRITICAL.name)


def die(context: RuleContext, who: str, why: Label, rule: str) -> None:
    """Kill a combatant; conditions of the living end. [COS-DEATH-11]"""
    if has_condition(context.state[who], "dead"):
        return
    _leave_life(context, who, rule)
    add_condition(context, who, "dead", rule=rule, ends=why)


def _leave_life(context: RuleContext, who: str, rule: str) -> None:
    remove_conditions(context, who, *KINDS.ended_by("death"), why="why.dead", rule=rule)
    fall_unconscious(context, who, rule)
    end_with_source(context, who, "why.source_dead")  # RULING R39


def is_immune(combatant: Combatant, kind: str) -> bool:
    """Whether a combatant is immune to a condition by nature."""
    return kind in combatant.sheet["immune"]


def bleed(context: RuleContext, who: str, levels: int = 1) -> None:
    """Add a bleeding wound; wounds add up. [COS-COND-04]"""
    held = find_condition(context.state[who], "bleeding")
    if held is None:
        add_condition(context, who, "bleeding", level=levels)
        return
    more = replace(held, level=held.level + levels)
    context.emit(e.ConditionChanged(who, more), "COS-COND-04")


def afflict(context: RuleContext, who: str, kind: str) -> None:
    """Give a condition that a hit brings, or begin it again; not to someone who is immune to it."""
    if kind in GIVES:
        GIVES[kind](context, who)
    elif not is_immune(context.state[who], kind):
        remove_conditions(context, who, kind, why="why.renewed")
        add_condition(context, who, kind)


def stun(context: RuleContext, who: str) -> None:
    """Stun until the end of the next turn [COS-COND-30]; drop held items. [COS-COND-33]"""
    if is_immune(context.state[who], "stunned"):
        return
    remove_conditions(context, who, "stunned", why="why.stunned_again")
    add_condition(context, who, "stunned", until=_end_of_next_turn(context.state, who))
    _lose_grip(context, who)


# The conditions that a hit gives in a way of their own
GIVES: dict[str, Callable[[RuleContext, str], None]] = {"bleeding": bleed, "stunned": stun}


def _end_of_next_turn(state: State, who: str) -> Until:
    return Until(who, "end", 2 if is_under_way(state, who) else 1)


def find_interrupted(state: State) -> tuple[str, ...]:
    """Whose turns wait for the end of an interrupt: the one interrupted last first. [COS-INIT-07]"""
    waiting = [one for one in state.combatants.values() if INTERRUPTED in one.marks]
    waiting.sort(key=lambda one: -int(one.marks[INTERRUPTED]))
    return tuple([one.id for one in waiting])


def is_under_way(state: State, who: str) -> bool:
    """Whether a combatant's turn has begun and is not over, also while an interrupt holds it up."""
    return who == state.active or INTERRUPTED in state.combatants[who].marks


def _stagger(context: RuleContext, who: str, stunned: Condition) -> None:
    """RULING R39: end a stun set without a limit with the next turn, as any other."""
    if stunned.until is None:
        limited = replace(stunned, until=_end_of_next_turn(context.state, who))
        context.emit(e.ConditionChanged(who, limited), "COS-COND-30", e.GM_ONLY)
    _lose_grip(context, who)


def _lose_grip(context: RuleContext, who: str) -> None:
    for item in context.state[who].items:
        if item.place == "held" and is_droppable(item):
            drop(context, who, item, "COS-COND-33")


def is_droppable(item: Item) -> bool:
    """Whether a held item can fall; teeth and force fields cannot."""
    return not has_tag(item.data, "built in") and item.data.get("hands", 1) != 0


# What follows when a condition begins, by the name in its row
BEGINS: dict[str, Callable[[RuleContext, str, Condition], None]] = {
    "collapse": lambda context, who, held: _collapse(context, who, held.rule),
    "leave_life": lambda context, who, held: _leave_life(context, who, held.rule),
    "stagger": _stagger,
}


def has_passed_mark(combatant: Combatant, old: int) -> bool:
    """Whether HP have risen into a better state.

    [COS-HEAL-05] At 25 percent Critical ends, [COS-HEAL-06] at 50 Injured, at 75 Wounded.  RULING R14.
    """
    was = find_health_state(old, max_hp(combatant))
    now = find_health_state(combatant.tracks["hp"], max_hp(combatant))
    return HEALTH_STATES.index(now) < HEALTH_STATES.index(was)


def offer_clearing(context: RuleContext, who: str, old: int) -> None:
    """After a mark is passed upward, let the GM clear conditions of wounds. [COS-HEAL-07]  RULING R14.

    Conditions with their own time, such as a sleep from gas, do not count.
    """
    combatant = context.state[who]
    held = [c for c in combatant.conditions if c.kind in CLEARED and "ends_at" not in c.marks]
    if not held or not has_passed_mark(combatant, old) or has_condition(combatant, "dead"):
        return
    names = ", ".join(dict.fromkeys(context.system.draw(condition.label) for condition in held))
    question = f"{possessive(combatant.name)} health improved. End {names}?"
    if context.ask(GM, question, CLEAR_ANSWERS, rule="COS-HEAL-07", default="clear") == "clear":
        for condition in held:
            remove_condition(context, who, condition, why="why.better", rule="COS-HEAL-07")


# The effect on Hit Points when the GM ends a condition or revives a combatant.


def find_least(combatant: Combatant) -> dict[str, int]:
    """The HP with which someone comes back: 1, or more if they have more."""
    return {"hp": max(1, combatant.tracks["hp"])}


def keep_state(before: Combatant, after: Combatant, key: str, left: int) -> int:
    """The HP left once someone's figures are corrected: who is up stays up, who is down stays down and alive.

    Of the dead they are what the harm leaves.  RULING R63
    """
    if key != "hp" or has_condition(before, "dead"):
        return left
    return max(1, left) if before.tracks["hp"] > 0 else max(death_border(after), min(0, left))


def death_border(combatant: Combatant) -> int:
    """The lowest HP of the living. [COS-DEATH-11]  RULING R18, R41: minus Might without drugs."""
    return -int(combatant.sheet["attributes"]["MIG"])


def other_outcomes(before: Combatant, after: Combatant) -> tuple[Label, ...]:
    """Another outcome than going down, for the odds: death. [COS-DEATH-11]"""
    dies = has_condition(after, "dead") and not has_condition(before, "dead")
    return ("condition.dead",) if dies else ()


def revive(context: RuleContext, before: Combatant) -> None:
    """Revive a combatant whose HP the GM has raised from those of the dead to those of the living."""
    hp = context.state[before.id].tracks["hp"]
    if hp > before.tracks["hp"] and hp >= death_border(before):
        remove_conditions(context, before.id, "dead", why="why.alive_again")
        follow_hp(context, before)


def follow_hp(context: RuleContext, before: Combatant) -> None:
    """Restore the conditions of 0 HP or less after the GM ended one, so that the state stays valid.

    [COS-STATE-19] [COS-STATE-20] [COS-DEATH-11] Conditions that follow from HP come back. [COS-DEATH-09] A
    combatant no longer dying is stable. [COS-DEATH-10] One no longer dead wakes above 0 HP.
    """
    combatant = context.state[before.id]
    ended = OF_HP & ({held.kind for held in before.conditions} - {held.kind for held in combatant.conditions})
    if not ended or has_condition(combatant, "dead"):
        return
    hp = combatant.tracks["hp"]
    if hp > 0:
        if "dead" in ended:
            remove_conditions(context, combatant.id, "unconscious", why="why.above_0_hp", rule="COS-DEATH-10")
        return
    if hp < death_border(combatant):
        add_condition(context, combatant.id, "dead")
    elif not has_condition(combatant, "dying", "stable"):
        add_condition(context, combatant.id, "stable" if "dying" in ended else "dying")
    if not has_condition(combatant, "unconscious"):
        add_condition(context, combatant.id, "unconscious", rule="COS-STATE-20")
