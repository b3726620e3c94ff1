"""Attacks from the roll to the outcome: hit, maneuvers, damage, checks, bonus attacks.

[SS-ATK-12] The order is fixed: method, target, roll, compare, count maneuvers, execute them,
damage, outcome.  RULING R11
"""

from __future__ import annotations

from ..core import events as e
from ..core.dice import Roll
from ..core.modifiers import Modifier, Modifiers, add_up
from ..core.state import Item, State, find_item, has_condition, replace
from ..core.table import Table, Then
from .aim import (
    PAYLOAD,
    Attack,
    Swing,
    attack_attribute,
    check_attack,
    find_mode,
    find_weapon,
    modifiers_for_attack,
    value_against,
)
from .damage import Harm, describe_outcome, go, hurt, roll_points
from .doses import burn, poison_points
from .economy import pay
from .maneuvers import (
    ask_bonus_target,
    ask_second_target,
    choose,
    count_maneuvers,
    effects_of,
    execute,
    find_maneuvers,
)
from .records import Weapon
from .rolls import BOXCARS, SNAKE_EYES, Grade, Result, roll_check, use_assist
from .sheet import features_of, find_option, read_payload, read_weapon
from .tables import BASE_VALUE, POINTS_PER_MANEUVER, VALUES
from .values import worn_armor

ALL, BASE, EXTRA = "all", "base", "extra"


def attack(table: Table, command: Attack) -> Then | None:
    """[SS-ATK-01] [SS-ATK-02] Pay for one attack on one target, then roll it."""
    check_attack(table.state, command)
    pay(table, command.actor, "attack", "Attack", "SS-TURN-02", per=command.weapon, attacks=1)
    return burn(table, command.actor, 1, (strike, Swing(command=command)))


def strike(table: Table, swing: Swing) -> Then | None:
    """[SS-ATK-03] [SS-ATK-07] Roll, compare, and count the maneuvers of a hit."""
    command = swing.command
    if has_condition(table.state[command.actor], "unconscious", "coma", "dead"):
        return go(swing.onward)
    item = find_item(table.state[command.actor], command.weapon)
    result = roll_attack(table, swing)
    swing = replace(swing, payload=str(item.marks.get(PAYLOAD, "")))
    _use_up(table, swing, item)
    if not result.good:
        return _miss(table, swing)
    earned = count_maneuvers(table.state, result.margin)
    versus = read_weapon(item).versus
    _tell_earned(table, swing, earned, "SS-MANV-02" if versus == "resistance" else "SS-MANV-01")
    if table.option("maneuver_order") == "after_knockout_check":
        return Then(deal, swing, BASE, earned)
    return Then(buy, swing, ALL, earned)


def _tell_earned(table: Table, swing: Swing, earned: int, rule: str) -> None:
    """The odds count the maneuvers of the attack itself; its bonus attacks only tell of theirs."""
    who, target = swing.command.actor, swing.command.target
    if not swing.bonus:
        table.tell(e.Earned(who, "maneuvers", earned, target), rule)
    elif earned:
        table.tell(e.Said(f"{{who}} earns maneuvers: {earned}.", who, target), rule)


def roll_attack(table: Table, swing: Swing) -> Result:
    """[SS-DEF-06] 2d6 and the terms against Armor or Resistance; equalling it hits.  RULING R10"""
    command, state = swing.command, table.state
    weapon = read_weapon(find_weapon(state, command))
    terms = modifiers_for_attack(state, swing)
    against = _roll_value(table, command, weapon) or value_against(state, command)
    result = roll_check(
        table,
        command.actor,
        terms,
        add_up(against),
        rule="SS-ATK-03",
        what="attack",
        why=f"{weapon.name} on {state[command.target].name}",
        against=VALUES[weapon.versus],
        against_terms=against,
        target=command.target,
        grade=_grade(state),
        also=find_margins(state, swing, weapon),
        again="attack",
        special=find_option(state, "criticals") != "flag_only",
    )
    key = attack_attribute(state[command.actor], weapon, command.using)
    use_assist(table, command.actor, key, *weapon.skills)
    return result


def find_margins(state: State, swing: Swing, weapon: Weapon) -> tuple[int, ...]:
    """The margins from which on a hit earns one more maneuver; of a bonus attack those of use."""
    most = BOXCARS
    if swing.bonus:
        most = sum(maneuver.cost for maneuver in find_maneuvers(state, swing))
    less = 1 if find_option(state, "maneuver_rounding") == "up" else 0
    return tuple(POINTS_PER_MANEUVER * count - less for count in range(1, most + 1))


def _grade(state: State) -> Grade:
    """[SS-DEF-06] At least the value hits.  RULING R10: two ones and two sixes by option."""
    special = find_option(state, "criticals") != "flag_only"

    def grade(margin: int, roll: Roll) -> tuple[str, bool]:
        good = margin >= 0
        if special and roll.natural in (SNAKE_EYES, BOXCARS):
            good = roll.natural == BOXCARS
        return ("hit", True) if good else ("miss", False)

    return grade


def _roll_value(table: Table, command: Attack, weapon: Weapon) -> Modifiers:
    """A shield generator rolls its wearer's Resistance anew for each attack."""
    worn = worn_armor(table.state[command.target])
    dice = str(worn.data.get("rolled_resistance", "")) if worn else ""
    if worn is None or not dice or weapon.versus != "resistance":
        return ()
    roll = table.roll(dice, by=command.target, rule="SS-DEF-05", why=worn.name)
    return (Modifier("Base", BASE_VALUE, "SS-DEF-05"), Modifier(worn.name, roll.total, "SS-DEF-07"))


def _use_up(table: Table, swing: Swing, item: Item) -> None:
    """A round of ammunition, the payload, or the thrown weapon itself.  RULING R17 R46"""
    who = swing.command.actor
    changed = item
    if item.loaded is not None:
        changed = replace(changed, loaded=item.loaded - 1)
    if PAYLOAD in item.marks:
        changed = replace(changed, marks={k: v for k, v in item.marks.items() if k != PAYLOAD})
    if changed != item:
        table.tell(e.ItemChanged(who, changed, ""), "SS-ATK-01")
    if find_mode(table.state, swing.command) == "thrown" and table.option("thrown_lands"):
        lying = replace(changed, place="ground", at=table.state[swing.command.target].at)
        table.tell(e.ItemLost(who, lying, "throws"), "SS-RANGE-02")


def _miss(table: Table, swing: Swing) -> Then | None:
    """Nothing happens, unless a feature does some damage even so."""
    fighter = table.state[swing.command.actor]
    least = max((f.melee_minimum for f in features_of(fighter)), default=0)
    if not least or find_mode(table.state, swing.command) != "melee":
        return go(swing.onward)
    harm = Harm(amount=least, why="tenacity", rule="SS-ATK-10", by=fighter.id)
    return hurt(table, swing.command.target, harm, None, (report, swing))


# ---------------------------------------------------------------- maneuvers and damage


def buy(table: Table, swing: Swing, part: str, earned: int) -> Then | None:
    """[SS-MANV-03] Choose all maneuvers, then carry them out one by one."""
    return Then(carry_out, choose(table, swing, earned), part, 0)


def carry_out(table: Table, swing: Swing, part: str, place: int) -> Then | None:
    """[SS-ATK-12] The effects that come before the damage, in the order chosen."""
    if place >= len(swing.taken):
        return deal(table, swing, part, 0)
    execute(table, swing, place)
    return Then(carry_out, swing, part, place + 1)


def deal(table: Table, swing: Swing, part: str, earned: int) -> Then | None:
    """[SS-ATK-10] [SS-ATK-11] The weapon's figure and what maneuvers add, as one event.

    `part` is all of it, or the base alone and later the extra (an option of RULING R11).
    """
    weapon = read_weapon(find_weapon(table.state, swing.command))
    roll: Roll | None = None
    terms: Modifiers = ()
    if part != EXTRA:
        points, roll = roll_points(table, swing.command.actor, weapon.damage, "SS-ATK-11", weapon.name)
        terms = (Modifier(f"{weapon.name} {weapon.damage}", points, "SS-ATK-11"),)
        swing = replace(swing, shown=points)
    if part != BASE:
        terms = (*terms, *roll_extra(table, swing, weapon))
    if part == EXTRA and not terms:
        return Then(report, swing)
    onward = (buy, swing, EXTRA, earned) if part == BASE else (report, swing)
    harm = Harm(
        amount=add_up(terms),
        why=weapon.name,
        rule="SS-ATK-10",
        terms=terms,
        by=swing.command.actor,
        resisted=weapon.versus == "resistance",
    )
    return hurt(table, swing.command.target, harm, roll, onward)


def roll_extra(table: Table, swing: Swing, weapon: Weapon) -> Modifiers:
    """What the maneuvers taken add to the damage, in points."""
    who, terms = swing.command.actor, []
    for effect in effects_of(table.state, swing, "damage", "reroll", "inject"):
        if effect.type == "damage":
            points, _ = roll_points(table, who, effect.amount, "SS-ATK-10", "maneuver")
            terms.append(Modifier("Maneuver", points, "SS-ATK-10"))
        elif effect.type == "reroll":
            again, _ = roll_points(table, who, weapon.damage, "SS-ATK-10", "damage again")
            terms.append(Modifier(f"Rolled again: {again}", max(0, again - swing.shown), "SS-ATK-10"))
        elif read_payload(swing.payload).damage != "0":
            dose = read_payload(swing.payload)
            points, _, _ = poison_points(table, swing.command.target, dose, who, "SS-ATK-10")
            terms.append(Modifier(dose.name, points, "SS-ATK-10"))
    return tuple(terms)


# ---------------------------------------------------------------- afterwards


def report(table: Table, swing: Swing) -> Then | None:
    """[SS-ATK-09] Say whether the target is out, then harm to others."""
    describe_outcome(table, swing.command.target, swing.command.actor)
    return splash(table, swing, 0)


def splash(table: Table, swing: Swing, place: int) -> Then | None:
    """Damage to a second character, as an event of its own.  RULING R11 R46"""
    found = effects_of(table.state, swing, "splash")
    if place >= len(found):
        return attack_again(table, swing)
    onward = (splash, swing, place + 1)
    other = ask_second_target(table, swing)
    if not other:
        return go(onward)
    points, roll = roll_points(table, swing.command.actor, found[place].amount, "SS-MANV-03", "maneuver")
    harm = Harm(amount=points, why="a second hit", rule="SS-MANV-03", by=swing.command.actor)
    return hurt(table, other, harm, roll, onward)


def attack_again(table: Table, swing: Swing) -> Then | None:
    """A bonus attack now, outside the declared number; it may be chained.  RULING R46"""
    effect = next((f for f in effects_of(table.state, swing, "extra_attack") if f.free), None)
    target = ask_bonus_target(table, swing, effect) if effect else ""
    if effect is None or not target:
        return go(swing.onward)
    who = swing.command.actor
    if effect.penalty and not swing.free:
        malus = int(table.state[who].marks.get("malus", 0)) - effect.penalty
        table.tell(e.Marked(who, "malus", malus), "SS-MANV-03", e.GM_ONLY)
    again = Swing(
        command=replace(swing.command, target=target),
        free=swing.free,
        bonus=swing.bonus + 1,
        malus=swing.malus - effect.penalty,
        onward=swing.onward,
    )
    return Then(strike, again)
