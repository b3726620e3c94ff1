"""Attacks from the roll to the outcome: hit, maneuvers, damage, checks, bonus attacks.

[SS-ATK-12] The order is fixed: method, target, roll, compare, count maneuvers, execute them,
damage, outcome.  RULING R11
"""

from __future__ import annotations

from functools import partial

from combat.rules.core.basics.dice.dice import Roll
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field, Preview, first_open, folded_field, seen_fields
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.parts import name_weapon
from combat.rules.core.odds.harm import Hit, find_sums, weigh
from combat.rules.core.state import events as e
from combat.rules.core.state.state import (
    Combatant,
    Item,
    State,
    find_item,
    has_condition,
    replace,
    with_loaded,
)

from ..body.damage import Harm, describe_outcome, find_halving, go, hurt, hurt_squad, roll_points
from ..body.doses import burn, poison_points
from ..book import tables
from ..book.options import find_option
from ..book.tables import AGAINST, BASE_VALUE, POINTS_PER_MANEUVER, Feature, Weapon
from ..characters.catalogue import is_limb
from ..characters.sheet import features_of, is_conscious, read_payload, read_weapon, value_terms, worn_armor
from ..dice import BOXCARS, DICE, SNAKE_EYES, Grade, Result, roll_check, use_assist
from ..world.acting import act, attribute_options, find_targets, target_field
from ..world.economy import can_afford, pay
from .aim import (
    PAYLOAD,
    Attack,
    Swing,
    attack_attribute,
    check_attack,
    check_way,
    find_mode,
    find_weapon,
    modifiers_for_attack,
    value_against,
    weapon_choices,
)
from .maneuvers import (
    ask_bonus_target,
    ask_second_target,
    choose,
    count_maneuvers,
    effects_of,
    execute,
    find_maneuvers,
)

CHANCES = {  # of reaching each number with 2d6
    needed: sum(chance for total, chance in find_sums("2d6") if total >= needed) for needed in range(2, 13)
}
ALL, BASE, EXTRA = "all", "base", "extra"
EARNED = "earned.maneuvers"


def attack(context: RuleContext, command: Attack) -> Then | None:
    """Pay for one attack on one target, then roll it. [SS-ATK-01] [SS-ATK-02]"""
    check_attack(context.state, command)
    pay(context, command.actor, "attack", on="Attack", rule="SS-TURN-02", per=command.weapon, attacks=1)
    return burn(context, command.actor, 1, (strike, Swing(command=command)))


def strike(context: RuleContext, swing: Swing) -> Then | None:
    """Roll, compare, and count the maneuvers of a hit. [SS-ATK-03] [SS-ATK-07]"""
    command = swing.command
    if not is_conscious(context.state[command.actor]):
        return go(swing.onward)
    item = find_item(context.state[command.actor], command.weapon)
    result = roll_attack(context, swing)
    if PAYLOAD in item.marks:
        swing = replace(swing, payload=str(item.marks[PAYLOAD]))
    _use_up(context, swing, item)
    if not result.good:
        return _miss(context, swing)
    earned = count_maneuvers(context.state, result.margin)
    versus = read_weapon(item).versus
    _emit_earned(context, swing, earned, "SS-MANV-02" if versus == "resistance" else "SS-MANV-01")
    if context.option("maneuver_order") == "after_knockout_check":
        return Then(deal, swing, BASE, earned)
    return Then(buy, swing, ALL, earned)


def _emit_earned(context: RuleContext, swing: Swing, earned: int, rule: str) -> None:
    """Emit the maneuvers of the attack for the odds; those of bonus attacks are only logged."""
    who, target = swing.command.actor, swing.command.target
    if not swing.bonus:
        context.emit(e.Earned(who, EARNED, earned, target), rule)
    elif earned:
        context.emit(e.Said("log.earns", who, target, {"what": say(EARNED, n=earned)}), rule)


def roll_attack(context: RuleContext, swing: Swing) -> Result:
    """Roll 2d6 and the terms against Armor or Resistance; equaling it hits. [SS-DEF-06]  RULING R10"""
    command, state = swing.command, context.state
    weapon = read_weapon(find_weapon(state, command))
    special = find_option(state, "criticals") != "flag_only"
    terms = modifiers_for_attack(state, swing, weapon)
    against = _roll_value(context, command, weapon) or value_terms(
        state, state[command.target], weapon.versus
    )
    result = roll_check(
        context,
        command.actor,
        terms,
        add_up(against),
        rule="SS-ATK-03",
        what="check.attack",
        why=say("roll.attack", item=weapon.name, target=command.target),
        against=AGAINST[weapon.versus],
        against_terms=against,
        target=command.target,
        grade=_grade(special),
        also=partial(find_margins, state, swing, weapon),
        again="attack",
        special=special,
    )
    attacker = state[command.actor]
    if has_condition(attacker, "assisted"):
        key = attack_attribute(attacker, weapon, command.using)
        use_assist(context, command.actor, key, *weapon.skills)
    return result


def find_margins(state: State, swing: Swing, weapon: Weapon) -> tuple[int, ...]:
    """The margins at which a hit earns another maneuver; for a bonus attack, only useful ones."""
    most = BOXCARS
    if swing.bonus:
        most = sum(maneuver.cost for maneuver in find_maneuvers(state, swing))
    less = 1 if find_option(state, "maneuver_rounding") == "up" else 0
    return tuple(POINTS_PER_MANEUVER * count - less for count in range(1, most + 1))


def _grade(special: bool) -> Grade:
    """Equaling the value hits. [SS-DEF-06]  RULING R10: two ones and two sixes by option."""

    def grade(margin: int, roll: Roll) -> tuple[str, bool]:
        good = margin >= 0
        if special and roll.natural in (SNAKE_EYES, BOXCARS):
            good = roll.natural == BOXCARS
        return ("outcome.hit", True) if good else ("outcome.miss", False)

    return grade


def _roll_value(context: RuleContext, command: Attack, weapon: Weapon) -> Modifiers:
    """The wearer's Resistance, rolled for each attack if a shield generator does that."""
    worn = worn_armor(context.state[command.target]) if weapon.versus == "resistance" else None
    dice = str(worn.data.get("rolled_resistance", "")) if worn else ""
    if worn is None or not dice:
        return ()
    roll = context.roll(dice, by=command.target, rule="SS-DEF-05", why=worn.name)
    return (Modifier("term.base", BASE_VALUE, "SS-DEF-05"), Modifier(worn.name, roll.total, "SS-DEF-07"))


def _use_up(context: RuleContext, swing: Swing, item: Item) -> None:
    """Use up a round of ammunition, the payload, or the thrown weapon itself.  RULING R17 R46"""
    who = swing.command.actor
    changed = item if item.loaded is None else with_loaded(item, item.loaded - 1)
    if PAYLOAD in item.marks:
        changed = replace(changed, marks={k: v for k, v in item.marks.items() if k != PAYLOAD})
    if changed is not item:
        context.emit(e.ItemChanged(who, changed, ""), "SS-ATK-01")
    may_fly = "thrown" in item.data["modes"]
    if may_fly and find_mode(context.state, swing.command) == "thrown" and context.option("thrown_lands"):
        lying = replace(changed, place="ground", at=context.state[swing.command.target].at)
        context.emit(e.ItemLost(who, lying, "how.throws"), "SS-RANGE-02")


def _miss(context: RuleContext, swing: Swing) -> Then | None:
    """Continue after a miss; a feature may still do some damage."""
    least = find_least(context.state, swing)
    if least is None:
        return go(swing.onward)
    harm = Harm(
        amount=least.melee_minimum,
        why=least.name,
        rule="SS-ATK-10",
        by=swing.command.actor,
        resisted=_is_resisted(context.state, swing),
    )
    return hurt(context, swing.command.target, harm, roll=None, onward=(report, swing))


def find_least(state: State, swing: Swing) -> Feature | None:
    """The feature that makes a melee attack always do some damage."""
    features = features_of(state[swing.command.actor])
    if not features:
        return None
    known = (feature for feature in features if feature.melee_minimum)
    least = max(known, key=lambda feature: feature.melee_minimum, default=None)
    return least if least and find_mode(state, swing.command) == "melee" else None


# ---------------------------------------------------------------- maneuvers and damage


def buy(context: RuleContext, swing: Swing, part: str, earned: int) -> Then | None:
    """Choose all maneuvers, then carry them out one by one. [SS-MANV-03]"""
    return Then(carry_out, choose(context, swing, earned), part, 0)


def carry_out(context: RuleContext, swing: Swing, part: str, place: int) -> Then | None:
    """Apply the effects that come before the damage, in the chosen order. [SS-ATK-12]"""
    if place >= len(swing.taken):
        return deal(context, swing, part, 0)
    execute(context, swing, place)
    return Then(carry_out, swing, part, place + 1)


def deal(context: RuleContext, swing: Swing, part: str, earned: int) -> Then | None:
    """Deal the weapon's damage and the extra of maneuvers, as one event. [SS-ATK-10] [SS-ATK-11]

    `part` is all of it, or first the base and later the extra (an option of RULING R11).
    """
    weapon = read_weapon(find_weapon(context.state, swing.command))
    roll: Roll | None = None
    terms: Modifiers = ()
    if part != EXTRA:
        points, roll = roll_points(
            context, swing.command.actor, weapon.damage, rule="SS-ATK-11", why=weapon.name
        )
        label = say("term.weapon", item=weapon.name, dice=weapon.damage if roll else points)
        terms = (Modifier(label, points, "SS-ATK-11"),)
        swing = replace(swing, shown=points)
    if part != BASE:
        terms = (*terms, *roll_extra(context, swing, weapon))
    if part != EXTRA:
        terms = (*terms, *least_terms(context, swing, add_up(terms)))
    if part == BASE:
        swing = replace(swing, shown=add_up(terms))
    if part == EXTRA and not terms:
        return Then(report, swing)
    onward = (buy, swing, EXTRA, earned) if part == BASE else (report, swing)
    harm = Harm(
        amount=add_up(terms),
        why=weapon.name,
        rule="SS-ATK-10",
        terms=terms,
        by=swing.command.actor,
        resisted=_is_resisted(context.state, swing),
    )
    return hurt_squad(context, swing.command.target, harm, roll=roll, onward=onward)


def _is_resisted(state: State, swing: Swing) -> bool:
    """Whether all damage of an attack is of the kind that Resistance meets. [SS-ATK-07]"""
    return read_weapon(find_weapon(state, swing.command)).versus == "resistance"


def least_terms(context: RuleContext, swing: Swing, points: int) -> Modifiers:
    """The extra points that bring a melee hit up to the minimum of a feature."""
    least = find_least(context.state, swing)
    missing = least.melee_minimum - points if least else 0
    return (Modifier(least.name, missing, "SS-ATK-10"),) if least and missing > 0 else ()


def roll_extra(context: RuleContext, swing: Swing, weapon: Weapon) -> Modifiers:
    """The extra damage of the chosen maneuvers, in points."""
    who, terms = swing.command.actor, []
    for effect in effects_of(context.state, swing, "damage", "reroll", "inject"):
        if effect.type == "damage":
            points, _ = roll_points(context, who, effect.amount, rule="SS-ATK-10", why="roll.maneuver")
            terms.append(Modifier("term.maneuver", points, "SS-ATK-10"))
        elif effect.type == "reroll":
            again, _ = roll_points(context, who, weapon.damage, rule="SS-ATK-10", why="roll.damage_again")
            label = say("term.rolled_again", points=again)
            terms.append(Modifier(label, max(0, again - swing.shown), "SS-ATK-10"))
        elif read_payload(swing.payload).damage != "0":
            dose = read_payload(swing.payload)
            points, _, _ = poison_points(context, swing.command.target, dose, by=who, rule="SS-ATK-10")
            terms.append(Modifier(dose.name, points, "SS-ATK-10"))
    return tuple(terms)


# ---------------------------------------------------------------- afterwards


def report(context: RuleContext, swing: Swing) -> Then | None:
    """Log whether the target is out, then continue with damage to others. [SS-ATK-09]"""
    describe_outcome(context, swing.command.target, swing.command.actor)
    return splash(context, swing, 0)


def splash(context: RuleContext, swing: Swing, place: int) -> Then | None:
    """Damage a second character, as a separate event of the same kind.  RULING R11 R46"""
    found = effects_of(context.state, swing, "splash")
    if place >= len(found):
        return attack_again(context, swing)
    onward = (splash, swing, place + 1)
    other = ask_second_target(context, swing)
    if not other:
        return go(onward)
    points, roll = roll_points(
        context, swing.command.actor, found[place].amount, rule="SS-MANV-03", why="roll.maneuver"
    )
    harm = Harm(
        amount=points,
        why="why.second_hit",
        rule="SS-MANV-03",
        by=swing.command.actor,
        resisted=_is_resisted(context.state, swing),
    )
    return hurt(context, other, harm, roll=roll, onward=onward)


def attack_again(context: RuleContext, swing: Swing) -> Then | None:
    """Make a bonus attack now, outside the declared number; it may lead to another.  RULING R46"""
    again = effects_of(context.state, swing, "extra_attack")
    effect = next((f for f in again if f.free), None) if again else None
    target = ask_bonus_target(context, swing, effect) if effect else ""
    if effect is None or not target:
        return go(swing.onward)
    who = swing.command.actor
    if effect.penalty and not swing.free:
        malus = int(context.state[who].marks.get("malus", 0)) - effect.penalty
        context.emit(e.Marked(who, "malus", malus), "SS-MANV-03", e.GM_ONLY)
    onward = Swing(
        command=replace(swing.command, target=target),
        free=swing.free,
        bonus=swing.bonus + 1,
        malus=swing.malus - effect.penalty,
        onward=swing.onward,
    )
    return Then(strike, onward)


def attack_fields(state: State, actor: str) -> tuple[Field, ...]:
    """Weapon and target, filled with a pair that works now. [SS-ATK-01] [SS-ATK-02]"""
    target, weapon = _find_pair(state, actor)
    options = weapon_choices(state, state[actor])

    def check(other: Combatant) -> None:
        _check_any_weapon(state, actor, other)

    modes = (Choice("", "automatic"), Choice("melee", "melee"), Choice("thrown", "thrown"))
    keys = (Choice("", "the better"), *attribute_options())
    return (
        target_field(state, actor, check=check, wanted=target),
        Field(
            "weapon",
            "Weapon",
            "choice",
            options=options,
            value=weapon or first_open(options),
            rule="SS-ATK-01",
        ),
        folded_field("mode", "Used", "choice", options=modes, value="", rule="SS-RANGE-01"),
        folded_field("using", "Attribute", "choice", options=keys, value="", rule="SS-ATK-04"),
        *seen_fields(state, "SS-MAP-01"),
    )


def _find_pair(state: State, actor: str) -> tuple[str, str]:
    """The first target that a weapon in hand reaches, with the one that does most there."""
    weapons = [item for item in state[actor].items if item.kind == "weapon"]
    for target in find_targets(state, actor):
        usable = [item for item in weapons if _can_attack(state, actor, target, item)]
        if usable:
            return target.id, max(usable, key=partial(_count_worth, state, actor, target)).id
    return "", ""


def _count_worth(state: State, actor: str, target: Combatant, item: Item) -> float:
    attack = Attack(actor=actor, target=target.id, weapon=item.id)
    return expected_damage(state, attack, read_weapon(item))


def expected_damage(state: State, attack: Attack, weapon: Weapon) -> float:
    """The damage to expect of an attack with a ready weapon, in points; 0 if it does not reach.

    [SS-ATK-11] A feature may halve what meets Resistance.
    """
    target = state[attack.target]
    if not allows(check_way, state, state[attack.actor], target, weapon):
        return 0.0
    chance = find_chance(state, attack, weapon)
    halves = weapon.versus == "resistance" and find_halving(target) is not None
    return weigh((Hit(chance),), weapon.damage, keep=_halve if halves else None).mean


def _halve(points: int) -> int:
    return points // 2


def find_chance(state: State, attack: Attack, weapon: Weapon) -> float:
    """The chance of an attack to hit, before any defense; 0 if no dice hit.  RULING R10"""
    terms = modifiers_for_attack(state, Swing(command=attack), weapon, paid=False)
    needed = add_up(value_terms(state, state[attack.target], weapon.versus)) - add_up(terms)
    if not 3 <= needed <= 12 and find_option(state, "criticals") == "snake_eyes_miss_boxcars_hit":
        needed = min(12, max(3, needed))
    return CHANCES.get(max(2, needed), 0.0)


def _can_attack(state: State, actor: str, target: Combatant, item: Item) -> bool:
    return allows(check_attack, state, Attack(actor=actor, target=target.id, weapon=item.id))


def _check_any_weapon(state: State, actor: str, target: Combatant) -> None:
    """Refuse a target that no weapon in hand reaches; unready weapons say why themselves. [SS-ATK-02]"""
    weapons = [i for i in state[actor].items if i.kind == "weapon"]
    if all(option.refused for option in weapon_choices(state, state[actor])):
        return
    if not any(_can_attack(state, actor, target, item) for item in weapons):
        raise Refused("out_of_range", f"No weapon in hand reaches {target.name}: move closer.")


def _may_attack(state: State, actor: str) -> None:
    """Refuse an attack beyond the turn's limit; a missing action is a reason of its own. [SS-TURN-02]"""
    if not can_afford(state, actor, attack=True) and can_afford(state, actor):
        raise Refused("no_budget", "One attack a turn: a maneuver can allow another.")


def preview_attack(state: State, command: Attack) -> Preview:
    """The sums of the form, before any roll."""
    check_attack(state, command)
    weapon = read_weapon(find_weapon(state, command))
    maneuvers = (tables.maneuvers()[name] for name in weapon.maneuvers)
    listed = ", ".join(f"{maneuver.name} ({maneuver.cost})" for maneuver in maneuvers)
    damage = say("note.damage", dice=weapon.damage)
    notes = (damage, say("note.maneuvers", listed=listed)) if listed else (damage,)
    terms = modifiers_for_attack(state, Swing(command=command), weapon, paid=False)
    return Preview(terms, value_against(state, command), AGAINST[weapon.versus], dice=DICE, notes=notes)


ACTIONS = (
    act(
        "attack",
        attack,
        _may_attack,
        fields=attack_fields,
        preview=preview_attack,
        brief=partial(name_weapon, is_limb),
    ),
)
