"""Attacks: the form, the rolls, the hit and its critical effects."""

from __future__ import annotations

from functools import partial

from combat.rules.core.basics.dice.dice import Roll, parse_dice
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Field, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import number_field
from combat.rules.core.declaration.actions import name_weapon
from combat.rules.core.state import events as e
from combat.rules.core.state.checked import make_checked
from combat.rules.core.state.state import Combatant, Item, State, find_item, has_condition, replace
from combat.rules.core.turn.turns import add_condition, remove_conditions, spend

from ..body.damage import afflict, armor_against, armor_terms, count_damage, hurt
from ..book.options import find_option
from ..book.tables import traits
from ..book.traits import count_spray, find_afflicting, find_burst, find_traits, has_tag
from ..characters.catalogue import is_built_in
from ..characters.sheet import ability, drug_terms, half_skill, skill
from ..dice import DICE, OUTCOMES, find_cuts, is_natural_2, is_natural_20, save, succeeds
from ..hazards.drift import with_recoil
from ..world.acting import act, target_field
from ..world.scene import is_melee
from . import critical
from .aim import (
    GUESS_DICE,
    GUESSED_FROM,
    Aim,
    Attack,
    Charge,
    Strike,
    Sums,
    check_attack,
    count_attacks,
    find_sums,
    find_weapon,
    prepare,
    rounds_each,
    rounds_needed,
    sprays,
)
from .situation import situation_fields, using_field, weapon_field
from .weapons import check_attacks, use_ammunition

HIT, MISS, CRITICAL = "outcome.hit", "outcome.miss", "outcome.critical"


def attack(context: RuleContext, command: Attack) -> Then:
    """Spend the actions, then roll each attack.  [COS-ACT-02] [COS-MOD-08] [COS-MOD-09]"""
    check_attack(context.state, command)
    cost = {"standard": 1, "move": 1} if command.aimed else {"standard": 1}
    rule = "COS-MOD-08" if command.aimed else "COS-ACT-02"
    spend(context, command.actor, cost, on="Aimed shot" if command.aimed else "Attack", rule=rule)
    if sprays(context.state, command):
        weapon = find_weapon(context.state, command)
        rows = find_traits(weapon.data)
        each = command.attacks * rounds_each(command, rows)
        use_ammunition(context, command.actor, weapon, rounds_needed(context.state, command, rows) - each)
    return Then(swing, command, command.attacks)


def swing(context: RuleContext, command: Strike, left: int) -> Then | None:
    """Roll one attack of a command; a hit goes on to its damage.  [COS-ATK-02]"""
    target = context.state.combatants[command.target]
    if left < 1 or has_condition(target, "dead"):
        return None
    if not can_go_on(context.state, command):
        context.emit(e.Said("log.cannot_attack_on", command.actor), "COS-MOD-09")
        return None
    state, aim = context.state, prepare(context.state, command)
    if not finds_target(context, command, aim):
        return Then(swing, command, left - 1) if left > 1 else None
    sums = find_sums(state, command, aim)
    roll, outcome = roll_attack(context, command, sums)
    after_shot(context, command, aim.weapon, roll)
    if outcome == MISS:
        return Then(swing, command, left - 1) if left > 1 else None
    if outcome == CRITICAL:
        return Then(strike_critically, command, left, sums.terms, sums.defense)
    return Then(wound, command, left, critical.NONE)


def can_go_on(state: State, command: Strike) -> bool:
    """Whether the weapon is still in hand and working: a fumble or a jam ends a series of attacks."""
    for weapon in state.combatants[command.actor].items:
        if weapon.id == command.weapon:
            return weapon.place == "held" and not weapon.marks.get("jammed")
    return False


def finds_target(context: RuleContext, command: Strike, aim: Aim) -> bool:
    """Whether the target is where the attack goes; else an attack on an unseen one is lost. [COS-COVER-10]

    RULING R50: without a map a d10 of 6 or more is right.
    """
    if aim.concealment != "total" or command.guess == "yes":
        return True
    if command.guess == "roll" and _guess(context, command):
        return True
    context.emit(e.Said("log.misses_place", command.actor, command.target), "COS-COVER-10")
    after_shot(context, command, aim.weapon, None)
    return False


def _guess(context: RuleContext, command: Strike) -> bool:
    who, rule = command.actor, "COS-COVER-10"
    roll = context.roll(GUESS_DICE, by=who, rule=rule, why="roll.guess", cuts=(GUESSED_FROM,))
    told = make_checked(
        who,
        "check.guess",
        roll,
        against=GUESSED_FROM,
        against_label="against.tn",
        target=command.target,
        words=OUTCOMES,
    )
    context.emit(told, rule)
    return told.good


def roll_attack(
    context: RuleContext,
    command: Strike,
    sums: Sums,
    what: Label = "check.attack",
    fumble: int = 0,
) -> tuple[Roll, str]:
    """Roll 2d10 with their modifiers against Defense; the outcome is HIT, MISS or CRITICAL.

    `fumble` is the margin of failure, in points, that has further effects.
    """
    why, defense = say("roll.on", what=what, target=command.target), sums.defense

    def cuts() -> tuple[int, ...]:
        return find_cuts(sums.terms, defense, *([defense - fumble + 1] if fumble else []))

    roll = context.roll(DICE, by=command.actor, rule="COS-ATK-01", why=why, cuts=cuts)
    total = roll.total + sums.bonus
    outcome = HIT if succeeds(roll, total, defense) else MISS
    if outcome == HIT and is_natural_20(roll):
        outcome = CRITICAL
    good = outcome != MISS
    context.emit(
        e.Checked(
            command.actor,
            what,
            roll,
            modifiers=sums.terms,
            total=total,
            outcome=outcome,
            against=defense,
            against_terms=sums.against,
            against_label="against.defense",
            target=command.target,
            good=good,
        ),
        "COS-ATK-02",
    )
    remove_conditions(context, command.target, "off_guard", why="why.used_by_attack", rule="COS-ATK-02")
    return roll, outcome


def after_shot(context: RuleContext, command: Strike, weapon: Item, roll: Roll | None) -> None:
    """Use ammunition and a quick aim; jam the weapon on two ones."""
    each = rounds_each(command, find_traits(weapon.data))
    there = context.state.combatants[command.target].at if roll else None  # a wrong guess tells nothing
    use_ammunition(context, command.actor, weapon, rounds=each, at=there)
    if not is_melee(weapon):
        remove_conditions(context, command.actor, "quick_aim", why="why.used", rule="COS-EX-07")
    if roll is None or not is_natural_2(roll):
        return
    if context.option("fumbles"):
        critical.fumble(context, command.actor, weapon.id)
    if has_tag(weapon.data, "jams") and not has_tag(weapon.data, "reliable"):
        now = find_item(context.state.combatants[command.actor], weapon.id)
        jammed = replace(now, marks={**now.marks, "jammed": True})
        context.emit(e.ItemChanged(command.actor, jammed, "item_is.jams"), "COS-ATK-11")


def strike_critically(
    context: RuleContext, command: Strike, left: int, terms: Modifiers, defense: int
) -> Then:
    """Confirm under the table option, then choose or roll the effect. [COS-CRIT-02]"""
    if context.option("confirm_criticals") and not critical.confirm(context, command, terms, defense):
        return Then(wound, command, left, critical.MAXIMUM)
    weapon = find_weapon_anywhere(context.state, command)
    return Then(wound, command, left, critical.find_effect(context, command.actor, weapon))


def find_weapon_anywhere(state: State, command: Strike) -> Item:
    """The weapon of a command, even after it was thrown."""
    for items in (state.combatants[command.actor].items, state.ground):
        for item in items:
            if item.id == command.weapon:
                return item
    raise AssertionError(command.weapon)


def damage_bonus(state: State, command: Strike, weapon: Item) -> Modifiers:
    """The modifiers of the damage dice.  [COS-ATK-07] [COS-ATK-11] [COS-COMBO-04]  RULING R8."""
    combatant = state.combatants[command.actor]
    terms = [*own_damage(state, combatant, weapon)]
    burst = find_burst(find_traits(weapon.data)) if isinstance(command, Attack) and command.burst else None
    if burst:
        terms.append(Modifier("term.burst", burst.burst_damage, burst.rule))
    terms += drug_terms(combatant, "damage")
    terms += unarmored_terms(state, state[command.target], weapon)
    if isinstance(command, Charge):
        terms.append(Modifier("term.charge", 2, "COS-COMBO-04"))
    return tuple(terms)


def unarmored_terms(state: State, target: Combatant, weapon: Item) -> list[Modifier]:
    """The damage that a weapon's traits add against someone without armor. [COS-ATK-07]"""
    rows = find_traits(weapon.data)
    rows = [row for row in rows if row.damage_unarmored] if rows else []
    if not rows or armor_terms(state, target, str(weapon.data["type"])):
        return []
    return [
        Modifier(say("term.against_no_armor", trait=row.name), row.damage_unarmored, row.rule) for row in rows
    ]


def own_damage(state: State, combatant: Combatant, weapon: Item) -> list[Modifier]:
    """What skill and species add to the damage of every attack with a weapon. [COS-ATK-07]"""
    terms = _combat_damage(state, combatant, weapon)
    if is_melee(weapon) and ability(combatant, "melee_damage"):
        terms.append(Modifier("term.species", ability(combatant, "melee_damage"), "COS-ATK-07"))
    return terms


def _combat_damage(state: State, combatant: Combatant, weapon: Item) -> list[Modifier]:
    mode = str(find_option(state, "combat_damage"))
    points = skill(combatant, "Combat")
    if mode == "none" or not points or (mode.startswith("melee") and not is_melee(weapon)):
        return []
    if mode == "melee_full":
        return [Modifier("term.combat", points, "COS-ATK-07")]
    return [Modifier("term.half_combat", half_skill(points, state), "COS-ATK-07")]


def wound(context: RuleContext, command: Strike, left: int, effect: str) -> Then | None:
    """Roll and deal the damage of one hit, with its critical effect.  [COS-DMG-08]"""
    state, weapon = context.state, find_weapon_anywhere(context.state, command)
    target = state.combatants[command.target]
    roll = roll_damage(context, command.actor, weapon, effect=effect, target=target)
    bonus = damage_bonus(state, command, weapon)
    if effect:
        bonus = (*bonus, *critical.brittle_terms(target, effect))
    armor = armor_against(state, target, weapon, bypassed=effect == critical.BYPASS)
    dealt = roll.total + add_up(bonus)
    lost = count_damage(state, dealt, armor)
    terms = (Modifier(say("term.damage", dice=roll.dice), roll.total, "COS-DMG-08"), *bonus, *armor)
    hurt(
        context,
        target.id,
        lost,
        why=weapon.name,
        rule="COS-DMG-08",
        terms=terms,
        roll=roll,
        by=command.actor,
        nonlethal=weapon.data["type"] == "stun",
    )
    if effect or find_afflicting(weapon.data) or _trips(command):
        return Then(aftermath, command, left, effect)
    return Then(swing, command, left - 1) if left > 1 else None


def _trips(command: Strike) -> bool:
    return isinstance(command, Attack) and command.trip


def aftermath(context: RuleContext, command: Strike, left: int, effect: str) -> Then | None:
    """Apply the effects of a hit besides damage: critical effects, traits, a joined trip."""
    weapon, target = find_weapon_anywhere(context.state, command), command.target
    if effect:
        critical.apply(context, command.actor, target, effect=effect, weapon=weapon)
    afflict_with(context, target, weapon)
    if _trips(command) and not has_condition(context.state.combatants[target], "prone"):
        add_condition(context, target, "prone", rule="COS-MANV-13")
    return Then(swing, command, left - 1) if left > 1 else None


def afflict_with(context: RuleContext, target: str, weapon: Item) -> None:
    """A save against each condition that the traits of a weapon bring. [COS-COND-30]"""
    for row in find_afflicting(weapon.data):
        if not has_condition(context.state.combatants[target], "dead"):
            why = say("roll.against", item=weapon.name)
            if not save(context, target, row.save, target=row.tn, rule=row.rule, why=why):
                afflict(context, target, row.condition)


def roll_damage(context: RuleContext, who: str, weapon: Item, effect: str, target: Combatant) -> Roll:
    """The damage dice; a critical of maximum damage needs none.  [COS-CRIT-03]"""
    dice = str(weapon.data["damage"])
    if effect != critical.MAXIMUM:
        return context.roll(dice, by=who, rule="COS-DMG-08", why=say("roll.damage_to", target=target.id))
    most = parse_dice(dice)
    faces = (most.sides,) * most.count
    return Roll(
        dice, faces, most.most, source="maximum", by=who, rule="COS-CRIT-03", why="roll.maximum_damage"
    )


def attack_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of an attack."""
    rows = [row for item in state[actor].items if item.kind == "weapon" for row in find_traits(item.data)]
    most = max(count_spray(rows)[0], count_attacks(state))
    burst = find_burst(rows) or find_burst(traits().values())
    cost = f": {burst.burst_rounds} rounds, {burst.burst_damage:+} damage" if burst else ""
    return (
        target_field(state, actor),
        weapon_field(state, actor),
        *using_field(state, actor),
        number_field("attacks", "Attacks (−2 each per extra)", 1, low=1, high=most, rule="COS-MOD-09"),
        Field("aimed", "Aimed shot: whole turn, +3", "flag", rule="COS-MOD-08"),
        Field("burst", f"Burst{cost}", "flag", rule="COS-ATK-11"),
        Field("trip", "Trip as well, −2", "flag", rule="COS-MANV-13"),
        *situation_fields(state, actor),
    )


def preview_attack(state: State, command: Attack) -> Preview:
    """The sums of the form, before anything is rolled."""
    aim = check_attack(state, command)
    sums = find_sums(state, command, aim)
    unseen = aim.concealment == "total" and command.guess == "roll"
    notes = (say("note.guess", n=GUESSED_FROM, dice=GUESS_DICE),) if unseen else ()
    return Preview(sums.terms, sums.against, "against.defense", dice=DICE, notes=notes)


ACTIONS = (
    act(
        "attack",
        with_recoil(attack),
        check_attacks,
        fields=attack_fields,
        preview=preview_attack,
        brief=partial(name_weapon, is_built_in),
    ),
)
