"""Attacks: the form, the rolls, the hit, its critical effects, and the coup de grace."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from combat.rules.core.basics.dice.dice import Roll, parse_dice
from combat.rules.core.basics.dice.requests import GM, Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Field, Preview, number_field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.parts import name_weapon
from combat.rules.core.state import events as e
from combat.rules.core.state.events import make_checked
from combat.rules.core.state.state import Combatant, Item, State, find_item, has_condition, present, replace
from combat.rules.core.turn.hands import drop
from combat.rules.core.turn.squads import LEFT_OVER, over_terms, share_harm
from combat.rules.core.turn.turns import add_condition, remove_conditions, spend

from ..body.damage import (
    afflict,
    armor_against,
    armor_points,
    armor_terms,
    count_damage,
    die,
    hurt,
    is_droppable,
    is_immune,
    worn_armor,
)
from ..book.options import find_option
from ..book.tables import CRITICAL_EFFECTS, traits
from ..book.traits import count_spray, find_afflicting, find_burst, find_traits, has_tag
from ..characters.catalogue import is_built_in
from ..characters.conditions import KINDS
from ..characters.sheet import ability, drug_terms, half_skill, skill
from ..dice import DICE, OUTCOMES, find_cuts, is_natural_2, is_natural_20, save, succeeds
from ..hazards.drift import is_loose, recoil, with_recoil
from ..world.acting import act, target_field, targets
from ..world.scene import check_reach, is_melee, longest_reach
from ..world.sight_lines import is_within
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
    situation_fields,
    sprays,
    using_field,
    weapon_field,
)
from .weapons import check_attacks, check_may_attack, check_weapon, equipment_bonus, use_ammunition

if TYPE_CHECKING:
    from .aim import Strike


HIT, MISS, CRITICAL = "outcome.hit", "outcome.miss", "outcome.critical"
NONE, MAXIMUM, BYPASS, CONDITION, EQUIPMENT, INJURY = (
    "",
    "maximum",
    "bypass_armor",
    "condition",
    "equipment",
    "injury",
)
INJURIES = (
    Choice("arm", "Injured arm", "−2 to physical actions until surgery"),
    Choice("leg", "Injured leg", "−2 to physical actions until surgery"),
    Choice("head", "Head wound", "−2 to physical actions until surgery"),
    Choice("dead", "Death", "the GM's decision"),
)
INJURY_LABELS = {
    "arm": "condition.injured_arm",
    "leg": "condition.injured_leg",
    "head": "condition.head_wound",
}
AT_MERCY = KINDS.tagged("at mercy")  # COS-COND-35


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
    return Then(wound, command, left, NONE)


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
        choose_fumble(context, command.actor, weapon.id)
    if has_tag(weapon.data, "jams") and not has_tag(weapon.data, "reliable"):
        now = find_item(context.state.combatants[command.actor], weapon.id)
        jammed = replace(now, marks={**now.marks, "jammed": True})
        context.emit(e.ItemChanged(command.actor, jammed, "item_is.jams"), "COS-ATK-11")


def strike_critically(
    context: RuleContext, command: Strike, left: int, terms: Modifiers, defense: int
) -> Then:
    """Confirm under the table option, then choose or roll the effect. [COS-CRIT-02]"""
    if context.option("confirm_criticals") and not confirm(context, command, terms, defense):
        return Then(wound, command, left, MAXIMUM)
    weapon = find_weapon_anywhere(context.state, command)
    return Then(wound, command, left, find_effect(context, command.actor, weapon))


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
        bonus = (*bonus, *brittle_terms(target, effect))
    armor = armor_against(state, target, weapon, bypassed=effect == BYPASS)
    dealt = roll.total + add_up(bonus)
    lost = count_damage(state, dealt, armor)
    terms = (Modifier(say("term.damage", dice=roll.dice), roll.total, "COS-DMG-08"), *bonus, *armor)
    why, rule, who, stuns = weapon.name, "COS-DMG-08", target.id, weapon.data["type"] == "stun"
    here, over, mate = (lost, 0, "") if stuns else share_harm(context, who, lost, target.tracks["hp"])
    terms = (*terms, *over_terms(over))
    hurt(context, who, here, why=why, rule=rule, terms=terms, roll=roll, by=command.actor, nonlethal=stuns)
    if mate:
        fall_through(context, who, over, mate=mate, by=command.actor)
    if effect or find_afflicting(weapon.data) or _trips(command):
        return Then(aftermath, command, left, effect)
    return Then(swing, command, left - 1) if left > 1 else None


def fall_through(context: RuleContext, who: str, points: int, mate: str, by: str) -> None:
    """Let the HP that a hit takes beyond 0 fall to the next of a squad, and on. The table's own, in no text.

    Stun damage has nothing left over: it stops at the lower end of Injured. [COS-DMG-05]
    """
    while mate:
        before, why = mate, say(LEFT_OVER, who=who)
        here, points, mate = share_harm(context, mate, points, context.state[mate].tracks["hp"])
        hurt(context, before, here, why=why, rule="", by=by)
        who = before


def _trips(command: Strike) -> bool:
    return isinstance(command, Attack) and command.trip


def aftermath(context: RuleContext, command: Strike, left: int, effect: str) -> Then | None:
    """Apply the effects of a hit besides damage: critical effects, traits, a joined trip."""
    weapon, target = find_weapon_anywhere(context.state, command), command.target
    if effect:
        apply(context, command.actor, target, effect=effect, weapon=weapon)
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
    if effect != MAXIMUM:
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


# Critical hits: confirming them, choosing or rolling the effect, and what each does.


def confirm(context: RuleContext, command: Strike, terms: Modifiers, defense: int) -> bool:
    """Repeat the attack roll [COS-CRIT-09]; a success confirms. [COS-CRIT-10]

    Only under the table option. [COS-CRIT-08]  RULING R35.
    """
    cuts = find_cuts(terms, defense)
    roll = context.roll(
        DICE, by=command.actor, rule="COS-CRIT-09", why="roll.confirm_the_critical", cuts=cuts
    )
    good = succeeds(roll, roll.total + add_up(terms), defense)
    told = make_checked(
        command.actor,
        "check.confirm",
        roll,
        terms,
        words=("outcome.confirmed", "outcome.not_confirmed"),
        against=defense,
        against_label="against.defense",
        target=command.target,
        good=good,
    )
    context.emit(told, "COS-CRIT-10" if good else "COS-CRIT-11")
    return good


def find_effect(context: RuleContext, attacker: str, weapon: Item) -> str:
    """The effect that the attacker chooses or 1d10 gives, by table option. [COS-CRIT-02]"""
    if context.option("critical_effect") == "roll":
        roll = context.roll("1d10", by=attacker, rule="COS-CRIT-02", why="roll.critical_effect", look="faces")
        return next(row.key for row in CRITICAL_EFFECTS if roll.total in row.faces)
    options = tuple(Choice(row.key, row.label.capitalize()) for row in CRITICAL_EFFECTS)
    question = f"Critical hit with {weapon.name}: which effect?"
    return context.ask(attacker, question, options, rule="COS-CRIT-02", default=MAXIMUM)


def brittle_terms(target: Combatant, effect: str) -> Modifiers:
    """The extra damage of a critical hit to a target of a brittle species."""
    points = ability(target, "extra_damage_from_criticals") if effect != NONE else 0
    return (Modifier(say("term.brittle", target=target.id), points, "COS-CRIT-02"),) if points else ()


def apply(context: RuleContext, attacker: str, target: str, effect: str, weapon: Item) -> None:
    """Apply an effect on top of the damage already dealt."""
    if effect in (NONE, MAXIMUM, BYPASS) or has_condition(context.state[target], "dead"):
        return
    if effect == CONDITION:
        _condition(context, attacker, target, weapon)
    elif effect == EQUIPMENT:
        _equipment(context, attacker, target)
    else:
        _injury(context, target)


def choose_fumble(context: RuleContext, who: str, weapon: str) -> None:
    """After two ones on an attack, the GM picks a fumble, if the table uses fumbles.  RULING R7."""
    combatant = context.state[who]
    held = next((i for i in combatant.items if i.id == weapon and i.place == "held"), None)
    options = tuple(_fumbles(combatant, held))
    question = f"{combatant.name} fumbles: what happens?"
    chosen = context.ask(GM, question, options, rule="COS-ATK-02", default="nothing")
    if chosen == "drop" and held:
        drop(context, who, held, "COS-ATK-02")
    elif chosen == "jam" and held:
        jammed = replace(held, marks={**held.marks, "jammed": True})
        context.emit(e.ItemChanged(who, jammed, "item_is.jams"), "COS-ATK-02")
    elif chosen == "prone":
        add_condition(context, who, "prone", rule="COS-ATK-02")
    elif chosen == "open":
        add_condition(context, who, "off_guard")


def _fumbles(combatant: Combatant, held: Item | None) -> Iterator[Choice]:
    """The possible fumbles with this weapon: teeth cannot fall, and reliable weapons never jam."""
    if held and is_droppable(held):
        yield Choice("drop", "Drops the weapon")
    if held and held.data["mode"] == "ranged" and not has_tag(held.data, "reliable"):
        yield Choice("jam", "The weapon jams", "a Move Action clears it")
    if not has_condition(combatant, "prone"):
        yield Choice("prone", "Falls prone")
    yield Choice("open", "Off guard", "+2 for the next attack against them")
    yield Choice("nothing", "Nothing more")


def _condition(context: RuleContext, attacker: str, target: str, weapon: Item) -> None:
    """Bleeding from kinetic and explosive hits, Stunned from energy and stun. [COS-CRIT-05]"""
    combatant = context.state[target]
    kinds = {"bleeding": "Bleeding 1", "stunned": "Stunned"}
    options = tuple(
        Choice(kind, label, refused=f"{combatant.name} is immune." if is_immune(combatant, kind) else "")
        for kind, label in kinds.items()
    )
    usual = "bleeding" if weapon.data["type"] in ("kinetic", "explosive") else "stunned"
    able = [option.value for option in options if not option.refused]
    if not able:
        context.emit(e.Said("log.immune", target), "COS-CRIT-05")
        return
    default = usual if usual in able else able[0]
    chosen = context.ask(attacker, "Which condition?", options, rule="COS-CRIT-05", default=default)
    afflict(context, target, chosen)


def _equipment(context: RuleContext, attacker: str, target: str) -> None:
    """One item loses a point until it is repaired. [COS-CRIT-06]"""
    things = find_breakable(context.state, context.state[target])
    if not things:
        context.emit(e.Said("log.nothing_breaks", target), "COS-CRIT-06")
        return
    options = tuple(Choice(item.id, item.name) for item in things)
    chosen = context.ask(
        attacker, "Which piece is damaged?", options, rule="COS-CRIT-06", default=options[0].value
    )
    item = next(item for item in things if item.id == chosen)
    broken = replace(item, marks={**item.marks, "damaged": int(item.marks.get("damaged", 0)) + 1})
    context.emit(e.ItemChanged(target, broken, "item_is.damaged"), "COS-CRIT-06")


def find_breakable(state: State, combatant: Combatant) -> list[Item]:
    """Worn armor with protection left, and weapons with a bonus left that are not reliable."""
    worn = worn_armor(combatant)
    armor = [worn] if worn and armor_points(state, worn) else []
    weapons = [item for item in combatant.items if item.kind == "weapon" and equipment_bonus(item)]
    return [*armor, *(item for item in weapons if not has_tag(item.data, "reliable"))]


def _injury(context: RuleContext, target: str) -> None:
    """The GM picks the injury, which may be death. [COS-CRIT-07] [COS-DEATH-12]"""
    name = context.state[target].name
    chosen = context.ask(GM, f"Severe injury of {name}: which?", INJURIES, rule="COS-CRIT-07", default="arm")
    if chosen == "dead":
        die(context, target, "why.a_critical_hit", "COS-DEATH-12")
        return
    add_condition(context, target, "injury", label=INJURY_LABELS[chosen])


# Coup de grace: finishing off a helpless target.


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
    spend(context, command.actor, {"standard": 1}, on="Coup de grace", rule="COS-COND-37")
    return Then(_strike_dead, command)


def _strike_dead(context: RuleContext, command: Strike) -> None:
    """Without gravity it lacks footing like any blow. [COS-ZG-09]"""
    state, aim = context.state, context.state[command.target].at
    loose = is_loose(state, state[command.actor], find_weapon(state, command))
    _finish(context, command)
    if context.state[command.target].tracks["hp"] <= 0:
        die(context, command.target, "why.coup_de_grace", "COS-COND-37")
    if loose:
        recoil(context, command.actor, aim, melee=True)


def _finish(context: RuleContext, command: Strike) -> None:
    """Deal maximum damage; armor counts as usual."""
    state, weapon = context.state, find_weapon(context.state, command)
    target = state[command.target]
    roll = roll_damage(context, command.actor, weapon, effect=MAXIMUM, target=target)
    bonus = damage_bonus(state, command, weapon)
    armor = armor_against(state, target, weapon)
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


def finish_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a coup de grace: the helpless enemies within reach. [COS-COND-35]"""
    near = {f.id for f in find_helpless(state, actor)}
    options = tuple(choice for choice in targets(state, actor) if choice.value in near)
    field = Field("target", "Target", "target", options=options, value=options[0].value if options else "")
    return (field, weapon_field(state, actor, melee=True))


ACTIONS = (
    act(
        "attack",
        with_recoil(attack),
        check_attacks,
        fields=attack_fields,
        preview=preview_attack,
        brief=partial(name_weapon, is_built_in),
    ),
    act("coup_de_grace", coup_de_grace, check_attacks, check_helpless, fields=finish_fields),
)
