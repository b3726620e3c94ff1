"""Attacks: the rolls, the hit and its critical effects."""

from __future__ import annotations

from ..core import events as e
from ..core.dice import Roll, parse_dice
from ..core.modifiers import Modifier, Modifiers, add_up
from ..core.state import Combatant, Item, State, find_item, has_condition, replace
from ..core.table import Table, Then
from ..core.turns import gain, lift_kinds, spend
from . import critical
from .aim import (
    BURST_ROUNDS,
    GUESS_DICE,
    GUESSED_FROM,
    SPRAY_ROUNDS,
    Attack,
    Charge,
    Strike,
    check_attack,
    concealment_of,
    defense_against,
    find_weapon,
    modifiers_for_attack,
    sprays,
)
from .damage import armor_terms, count_damage, hurt, stun
from .rolls import (
    DICE,
    find_cuts,
    is_natural_2,
    is_natural_20,
    save,
    succeeds,
)
from .scene import (
    has_trait,
    is_melee,
)
from .sheet import ability, drug_terms, find_half, skill
from .weapons import use_ammunition


def attack(table: Table, command: Attack) -> Then:
    """Spend the actions, then roll each attack.  [COS-ACT-02] [COS-MOD-08] [COS-MOD-09]"""
    check_attack(table.state, command)
    cost = {"standard": 1, "move": 1} if command.aimed else {"standard": 1}
    rule = "COS-MOD-08" if command.aimed else "COS-ACT-02"
    spend(table, command.actor, cost, "Aimed shot" if command.aimed else "Attack", rule)
    if sprays(table.state, command):
        weapon = find_weapon(table.state, command)
        use_ammunition(table, command.actor, weapon, SPRAY_ROUNDS - command.attacks)
    return Then(swing, command, command.attacks)


def swing(table: Table, command: Strike, left: int) -> Then | None:
    """Roll one attack of a command; a hit goes on to its damage.  [COS-ATK-02]"""
    if left < 1 or has_condition(table.state[command.target], "dead"):
        return None
    if not can_go_on(table.state, command):
        table.tell(e.Said("{who} cannot go on attacking.", command.actor), "COS-MOD-09")
        return None
    if not finds_target(table, command):
        return Then(swing, command, left - 1) if left > 1 else None
    state, weapon = table.state, find_weapon(table.state, command)
    terms, against = modifiers_for_attack(state, command), defense_against(state, command)
    roll, outcome = roll_attack(table, command, terms, against)
    after_shot(table, command, weapon, roll)
    if outcome == "miss":
        return Then(swing, command, left - 1) if left > 1 else None
    if outcome == "critical":
        return Then(strike_critically, command, left, terms, add_up(against))
    return Then(wound, command, left, critical.NONE)


def can_go_on(state: State, command: Strike) -> bool:
    """Whether the weapon is still in hand and working: a fumble or a jam ends several attacks."""
    weapon = next((i for i in state[command.actor].items if i.id == command.weapon), None)
    return weapon is not None and weapon.place == "held" and not weapon.marks.get("jammed")


def finds_target(table: Table, command: Strike) -> bool:
    """[COS-COVER-10] Whether an unseen target is where the attack goes; if not, it is lost.

    RULING R50: without a map a d10 of 6 or more is right.
    """
    if concealment_of(table.state, command) != "total" or command.guess == "yes":
        return True
    if command.guess == "roll" and _guess(table, command):
        return True
    text = "{who} attacks where {target} is not."
    table.tell(e.Said(text, command.actor, command.target), "COS-COVER-10")
    after_shot(table, command, find_weapon(table.state, command), None)
    return False


def _guess(table: Table, command: Strike) -> bool:
    who, rule = command.actor, "COS-COVER-10"
    roll = table.roll(GUESS_DICE, by=who, rule=rule, why="guess the place", cuts=(GUESSED_FROM,))
    right = roll.total >= GUESSED_FROM
    outcome = "success" if right else "failure"
    told = e.Checked(
        who, "guess", roll, (), roll.total, outcome, GUESSED_FROM, (), "TN", command.target, right
    )
    table.tell(told, rule)
    return right


def roll_attack(
    table: Table,
    command: Strike,
    terms: Modifiers,
    against: Modifiers,
    what: str = "attack",
    fumble: int = 0,
) -> tuple[Roll, str]:
    """Roll 2d10 with the terms against Defense; the outcome is hit, miss or critical.

    `fumble` is the margin of failure, in points, from which on more happens.
    """
    why, defense = f"{what} on {table.state[command.target].name}", add_up(against)
    cuts = find_cuts(terms, defense, defense - fumble + 1)
    roll = table.roll(DICE, by=command.actor, rule="COS-ATK-01", why=why, cuts=cuts)
    total = roll.total + add_up(terms)
    outcome = "hit" if succeeds(roll, total, defense) else "miss"
    if is_natural_20(roll):
        outcome = "critical"
    good = outcome != "miss"
    table.tell(
        e.Checked(
            command.actor,
            what,
            roll,
            terms,
            total,
            outcome,
            defense,
            against,
            "Defense",
            command.target,
            good,
        ),
        "COS-ATK-02",
    )
    lift_kinds(table, command.target, "off_guard", why="used by an attack", rule="COS-ATK-02")
    return roll, outcome


def after_shot(table: Table, command: Strike, weapon: Item, roll: Roll | None) -> None:
    """Ammunition, a spent quick aim, and a jam on two ones."""
    each = BURST_ROUNDS if isinstance(command, Attack) and command.burst else 1
    there = table.state[command.target].at if roll else None  # a wrong guess tells nothing
    use_ammunition(table, command.actor, weapon, each, there)
    if not is_melee(weapon):
        lift_kinds(table, command.actor, "quick_aim", why="used", rule="COS-EX-07")
    if roll is None or not is_natural_2(roll):
        return
    if table.option("fumbles"):
        critical.fumble(table, command.actor, weapon.id)
    if has_trait(weapon, "jamming"):
        now = find_item(table.state[command.actor], weapon.id)
        jammed = replace(now, marks={**now.marks, "jammed": True})
        table.tell(e.ItemChanged(command.actor, jammed, "jams"), "COS-ATK-11")


def strike_critically(table: Table, command: Strike, left: int, terms: Modifiers, defense: int) -> Then:
    """[COS-CRIT-02] Confirm if the table does so, then choose or roll the effect."""
    if table.option("confirm_criticals") and not critical.confirm(table, command, terms, defense):
        return Then(wound, command, left, critical.MAXIMUM)
    weapon = find_weapon_anywhere(table.state, command)
    return Then(wound, command, left, critical.find_effect(table, command.actor, weapon))


def find_weapon_anywhere(state: State, command: Strike) -> Item:
    """The weapon of a command even after it was thrown."""
    items = (*state[command.actor].items, *state.ground)
    return next(item for item in items if item.id == command.weapon)


def damage_bonus(state: State, command: Strike, weapon: Item) -> Modifiers:
    """What is added to the damage dice.  [COS-ATK-07] [COS-COMBO-04]  RULING R8."""
    fighter, target = state[command.actor], state[command.target]
    terms = _combat_damage(state, fighter, weapon)
    if is_melee(weapon) and ability(fighter, "melee_damage"):
        terms.append(Modifier("Species", ability(fighter, "melee_damage"), "COS-ATK-07"))
    if isinstance(command, Attack) and command.burst:
        terms.append(Modifier("Burst", 2, "COS-ATK-11"))
    terms += drug_terms(fighter, "damage")
    unarmored = not armor_terms(state, target, str(weapon.data["type"]))
    if has_trait(weapon, "lethal") and unarmored:
        terms.append(Modifier("Lethal against no armor", 2, "COS-ATK-07"))
    if isinstance(command, Charge):
        terms.append(Modifier("Charge", 2, "COS-COMBO-04"))
    return tuple(terms)


def _combat_damage(state: State, fighter: Combatant, weapon: Item) -> list[Modifier]:
    mode = str(state.options.get("combat_damage", "melee_full"))
    points = skill(fighter, "Combat")
    if mode == "none" or not points or (mode.startswith("melee") and not is_melee(weapon)):
        return []
    if mode == "melee_full":
        return [Modifier("Combat", points, "COS-ATK-07")]
    return [Modifier("Half Combat", find_half(points, state), "COS-ATK-07")]


def wound(table: Table, command: Strike, left: int, effect: str) -> Then | None:
    """Roll and deal the damage of one hit, with its critical effect.  [COS-DMG-08]"""
    state, weapon = table.state, find_weapon_anywhere(table.state, command)
    target = state[command.target]
    roll = roll_damage(table, command.actor, weapon, effect, target)
    bonus = (*damage_bonus(state, command, weapon), *critical.brittle_terms(target, effect))
    ignored = effect == critical.BYPASS or has_trait(weapon, "ignores_armor")
    armor = armor_terms(state, target, str(weapon.data["type"]), int(weapon.data["ap"]), ignored)
    dealt = roll.total + add_up(bonus)
    lost = count_damage(state, dealt, armor)
    terms = (Modifier(f"Damage {roll.dice}", roll.total, "COS-DMG-08"), *bonus, *armor)
    hurt(
        table,
        target.id,
        lost,
        why=weapon.name,
        rule="COS-DMG-08",
        terms=terms,
        roll=roll,
        by=command.actor,
        nonlethal=weapon.data["type"] == "stun",
    )
    return Then(aftermath, command, left, effect)


def aftermath(table: Table, command: Strike, left: int, effect: str) -> Then | None:
    """What a hit does besides damage: critical effects, stunning weapons, a joined trip."""
    weapon, target = find_weapon_anywhere(table.state, command), command.target
    critical.apply(table, command.actor, target, effect, weapon)
    if has_trait(weapon, "stunning") and not has_condition(table.state[target], "dead"):
        if not save(table, target, "MIG", 14, "COS-COND-30", "not stunned"):
            stun(table, target)
    if isinstance(command, Attack) and command.trip:
        if not has_condition(table.state[target], "prone"):
            gain(table, target, "prone", rule="COS-MANV-13")
    return Then(swing, command, left - 1) if left > 1 else None


def roll_damage(table: Table, who: str, weapon: Item, effect: str, target: Combatant) -> Roll:
    """The damage dice; a critical of maximum damage needs none.  [COS-CRIT-03]"""
    dice = str(weapon.data["damage"])
    if effect != critical.MAXIMUM:
        return table.roll(dice, by=who, rule="COS-DMG-08", why=f"damage to {target.name}")
    most = parse_dice(dice)
    faces = (most.sides,) * most.count
    return Roll(dice, faces, most.most, "maximum", who, "COS-CRIT-03", "maximum damage")
