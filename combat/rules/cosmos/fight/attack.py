"""Attacks: the rolls, the hit and its critical effects; finishing off a helpless target."""

from __future__ import annotations

from combat.rules.core.basics.dice.dice import Roll, parse_dice
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, find_item, has_condition, present, replace
from combat.rules.core.turn.turns import add_condition, remove_conditions, spend

from ..body.damage import armor_terms, count_damage, die, hurt, stun
from ..book.options import find_option
from ..dice import DICE, find_cuts, is_natural_2, is_natural_20, save, succeeds
from ..people.conditions import KINDS
from ..people.sheet import ability, drug_terms, half_skill, skill
from ..world.scene import check_reach, has_trait, is_melee, longest_reach
from ..world.touch import is_within
from . import critical
from .aim import (
    BURST_ROUNDS,
    GUESS_DICE,
    GUESSED_FROM,
    SPRAY_ROUNDS,
    Attack,
    Charge,
    Strike,
    Sums,
    check_attack,
    find_sums,
    find_weapon,
    prepare,
    sprays,
)
from .weapons import check_may_attack, check_weapon, use_ammunition

HIT, MISS, CRITICAL = "outcome.hit", "outcome.miss", "outcome.critical"
AT_MERCY = KINDS.tagged("at mercy")  # COS-COND-35


def attack(context: RuleContext, command: Attack) -> Then:
    """Spend the actions, then roll each attack.  [COS-ACT-02] [COS-MOD-08] [COS-MOD-09]"""
    check_attack(context.state, command)
    cost = {"standard": 1, "move": 1} if command.aimed else {"standard": 1}
    rule = "COS-MOD-08" if command.aimed else "COS-ACT-02"
    spend(context, command.actor, cost, "Aimed shot" if command.aimed else "Attack", rule)
    if sprays(context.state, command):
        weapon = find_weapon(context.state, command)
        use_ammunition(context, command.actor, weapon, SPRAY_ROUNDS - command.attacks)
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
    if aim.concealment == "total" and not finds_target(context, command):
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


def finds_target(context: RuleContext, command: Strike) -> bool:
    """Whether an unseen target is where the attack goes; if not, the attack is lost. [COS-COVER-10]

    RULING R50: without a map a d10 of 6 or more is right.
    """
    if prepare(context.state, command).concealment != "total" or command.guess == "yes":
        return True
    if command.guess == "roll" and _guess(context, command):
        return True
    context.emit(e.Said("log.misses_place", command.actor, command.target), "COS-COVER-10")
    after_shot(context, command, find_weapon(context.state, command), None)
    return False


def _guess(context: RuleContext, command: Strike) -> bool:
    who, rule = command.actor, "COS-COVER-10"
    roll = context.roll(GUESS_DICE, by=who, rule=rule, why="roll.guess", cuts=(GUESSED_FROM,))
    right = roll.total >= GUESSED_FROM
    outcome = "outcome.success" if right else "outcome.failure"
    told = e.Checked(
        who,
        "check.guess",
        roll,
        (),
        roll.total,
        outcome,
        GUESSED_FROM,
        (),
        "against.tn",
        command.target,
        right,
    )
    context.emit(told, rule)
    return right


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
            sums.terms,
            total,
            outcome,
            defense,
            sums.against,
            "against.defense",
            command.target,
            good,
        ),
        "COS-ATK-02",
    )
    remove_conditions(context, command.target, "off_guard", why="why.used_by_attack", rule="COS-ATK-02")
    return roll, outcome


def after_shot(context: RuleContext, command: Strike, weapon: Item, roll: Roll | None) -> None:
    """Use ammunition and a quick aim; jam the weapon on two ones."""
    each = BURST_ROUNDS if isinstance(command, Attack) and command.burst else 1
    there = context.state.combatants[command.target].at if roll else None  # a wrong guess tells nothing
    use_ammunition(context, command.actor, weapon, each, there)
    if not is_melee(weapon):
        remove_conditions(context, command.actor, "quick_aim", why="why.used", rule="COS-EX-07")
    if roll is None or not is_natural_2(roll):
        return
    if context.option("fumbles"):
        critical.fumble(context, command.actor, weapon.id)
    if has_trait(weapon, "jamming"):
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
    """The modifiers of the damage dice.  [COS-ATK-07] [COS-COMBO-04]  RULING R8."""
    combatant = state.combatants[command.actor]
    terms = [*own_damage(state, combatant, weapon)]
    if isinstance(command, Attack) and command.burst:
        terms.append(Modifier("term.burst", 2, "COS-ATK-11"))
    terms += drug_terms(combatant, "damage")
    is_lethal = "lethal" in weapon.data.get("traits", ())
    if is_lethal and not armor_terms(state, state[command.target], str(weapon.data["type"])):
        terms.append(Modifier("term.lethal_against_no_armor", 2, "COS-ATK-07"))
    if isinstance(command, Charge):
        terms.append(Modifier("term.charge", 2, "COS-COMBO-04"))
    return tuple(terms)


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
    roll = roll_damage(context, command.actor, weapon, effect, target)
    bonus = damage_bonus(state, command, weapon)
    if effect:
        bonus = (*bonus, *critical.brittle_terms(target, effect))
    ignored = effect == critical.BYPASS or "ignores_armor" in weapon.data.get("traits", ())
    armor = armor_terms(state, target, str(weapon.data["type"]), int(weapon.data["ap"]), ignored)
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
    if effect or _is_stunning(weapon) or _trips(command):
        return Then(aftermath, command, left, effect)
    return Then(swing, command, left - 1) if left > 1 else None


def _is_stunning(weapon: Item) -> bool:
    return "stunning" in weapon.data.get("traits", ())


def _trips(command: Strike) -> bool:
    return isinstance(command, Attack) and command.trip


def aftermath(context: RuleContext, command: Strike, left: int, effect: str) -> Then | None:
    """Apply the effects of a hit besides damage: critical effects, stunning weapons, a joined trip."""
    weapon, target = find_weapon_anywhere(context.state, command), command.target
    if effect:
        critical.apply(context, command.actor, target, effect, weapon)
    if _is_stunning(weapon) and not has_condition(context.state.combatants[target], "dead"):
        if not save(context, target, "MIG", 14, "COS-COND-30", "roll.avoid_stun"):
            stun(context, target)
    if _trips(command) and not has_condition(context.state.combatants[target], "prone"):
        add_condition(context, target, "prone", rule="COS-MANV-13")
    return Then(swing, command, left - 1) if left > 1 else None


def roll_damage(context: RuleContext, who: str, weapon: Item, effect: str, target: Combatant) -> Roll:
    """The damage dice; a critical of maximum damage needs none.  [COS-CRIT-03]"""
    dice = str(weapon.data["damage"])
    if effect != critical.MAXIMUM:
        return context.roll(dice, by=who, rule="COS-DMG-08", why=say("roll.damage_to", target=target.id))
    most = parse_dice(dice)
    faces = (most.sides,) * most.count
    return Roll(dice, faces, most.most, "maximum", who, "COS-CRIT-03", "roll.maximum_damage")


# ---------------------------------------------------------------- coup de grace


def find_helpless(state: State, actor: str) -> list[Combatant]:
    """The enemies that someone could finish off from where they stand. [COS-COND-35]"""
    combatant = state[actor]
    reach = longest_reach(combatant)
    return [
        other
        for other in present(state)
        if other.side != combatant.side
        and has_condition(other, *AT_MERCY)
        and not has_condition(other, "dead")
        and is_within(state, combatant, other, reach)
    ]


def check_helpless(state: State, actor: str) -> None:
    """Refuse the coup de grace unless someone helpless is in reach and the table option is on."""
    if not find_option(state, "coup_de_grace"):
        raise Refused("not_allowed", "This table plays without the coup de grace.")
    if not find_helpless(state, actor):
        raise Refused("not_allowed", "No helpless enemy is within reach of a melee weapon in hand.")


def check_finish(state: State, command: Strike) -> None:
    """Refuse targets that are not helpless or not within reach, and stun damage. [COS-COND-35]"""
    check_may_attack(state[command.actor])
    combatant, target = state[command.actor], state[command.target]
    if not has_condition(target, *AT_MERCY) or has_condition(target, "dead"):
        raise Refused("bad_target", f"{target.name} is not helpless.")
    weapon = find_weapon(state, command)
    check_weapon(state, combatant, weapon)
    if not is_melee(weapon):
        raise Refused("not_allowed", "A coup de grace takes a melee weapon.")
    if weapon.data["type"] == "stun":
        raise Refused("not_allowed", f"{weapon.name} only stuns: take a weapon that can kill.")
    check_reach(state, combatant, target, weapon)


def coup_de_grace(context: RuleContext, command: Strike) -> Then | None:
    """A Standard Action without a roll, once the attacker has confirmed it. [COS-COND-37]

    RULING R12.
    """
    check_finish(context.state, command)
    question = f"Finish off {context.state[command.target].name}?"
    options = (Choice("yes", "Finish them"), Choice("no", "Spare them (no action spent)"))
    if context.ask(command.actor, question, options, rule="COS-COND-37", default="yes") == "no":
        context.emit(e.Said("log.spares", command.actor, command.target), "COS-COND-37")
        return None
    spend(context, command.actor, {"standard": 1}, "Coup de grace", "COS-COND-37")
    return Then(_strike_dead, command)


def _strike_dead(context: RuleContext, command: Strike) -> None:
    _finish(context, command)
    if context.state[command.target].tracks["hp"] <= 0:
        die(context, command.target, "why.coup_de_grace", "COS-COND-37")


def _finish(context: RuleContext, command: Strike) -> None:
    """Deal maximum damage; armor counts as usual."""
    state, weapon = context.state, find_weapon(context.state, command)
    target = state[command.target]
    roll = roll_damage(context, command.actor, weapon, critical.MAXIMUM, target)
    bonus = damage_bonus(state, command, weapon)
    kind, ap = str(weapon.data["type"]), int(weapon.data["ap"])
    armor = armor_terms(state, target, kind, ap, has_trait(weapon, "ignores_armor"))
    lost = count_damage(state, roll.total + add_up(bonus), armor)
    terms = (Modifier(say("term.maximum_of", dice=roll.dice), roll.total, "COS-COND-37"), *bonus, *armor)
    hurt(
        context,
        target.id,
        lost,
        why="why.coup_de_grace",
        rule="COS-COND-37",
        terms=terms,
        roll=roll,
        by=command.actor,
    )
