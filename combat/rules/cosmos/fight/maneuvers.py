"""Maneuvers: disarm, trip, grapple; what a holder does, breaking free, and the end of holds."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Field, Preview, Targeted
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.declaration.system import system_of
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.map.moving import Course
from combat.rules.core.space import away_from, plan_distance, stop_below
from combat.rules.core.state import events as e
from combat.rules.core.state.events import make_checked
from combat.rules.core.state.state import Combatant, Condition, Item, State, has_condition, present, replace
from combat.rules.core.turn.hands import drop
from combat.rules.core.turn.turns import add_condition, remove_condition, spend

from ..body.damage import armor_terms, count_damage, hurt, is_droppable, release_holds
from ..book.options import find_option
from ..book.tables import UNARMED
from ..characters.catalogue import check_hands
from ..characters.conditions import KINDS
from ..characters.sheet import attribute_terms, half_skill, skill
from ..dice import DICE, OUTCOMES, action_penalties, default_tn, did_succeed, roll_check, table_terms
from ..hazards.drift import with_recoil
from ..world.acting import act, target_field
from ..world.heights import rest_at, settle
from ..world.scene import find_held
from ..world.sight_lines import check_within, is_within, stop_at_walls
from .aim import (
    Aim,
    Strike,
    Sums,
    body_terms,
    check_strike,
    defense_against,
    defense_terms,
    height_terms,
    modifiers_for_attack,
    prepare,
    situation_fields,
    size_terms,
    sum_up,
    using_field,
    weapon_field,
)
from .attack import CRITICAL, MISS, after_shot, can_go_on, damage_bonus, finds_target, roll_attack
from .weapons import check_attacks, check_may_attack

DISARM = -2  # COS-MANV-07
FUMBLE_BY = 5  # COS-MANV-10
THROW_M = 2  # COS-MANV-06
HOLD_CHECKS = {"damage": "check.hold_damage", "pin": "check.hold_pin", "throw": "check.hold_throw"}
HOLDS = KINDS.tagged("hold")


class Trip(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A trip; `using` is the attribute that the attacker chooses."""

    target: str
    using: Literal["MIG", "COO"] = "MIG"


class Disarm(Strike, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A disarm of `item`; if empty, of the first weapon in the target's hands.  [COS-MANV-07]"""

    item: str = ""


def find_other(state: State, command: Targeted | Trip, what: str) -> Combatant:
    """The living target of a maneuver within reach; Refused if it cannot be attacked this way."""
    combatant, target = state[command.actor], state[command.target]
    check_may_attack(combatant)
    if combatant.id == target.id or has_condition(target, "dead"):
        raise Refused("bad_target", "Choose someone else who is alive.")
    check_within(state, combatant, target, what)
    return target


def is_hit(context: RuleContext, command: Targeted | Trip, terms: Modifiers, why: str) -> bool:
    """Whether a roll with these terms gets past the target's defense in melee."""
    against = defense_terms(context.state, context.state[command.target], melee=True)
    strike = Strike(actor=command.actor, target=command.target, weapon="")
    return roll_attack(context, strike, sum_up(terms, against), why)[1] != MISS


def find_disarm_sums(state: State, command: Disarm, aim: Aim) -> Sums:
    """The sums of the normal attack roll at -2. [COS-MANV-07]  RULING R33."""
    terms = (*modifiers_for_attack(state, command, aim), Modifier("term.disarm", DISARM, "COS-MANV-07"))
    return sum_up(terms, defense_against(state, command, aim))


def check_disarm(state: State, command: Disarm, aim: Aim) -> Item:
    """The weapon that a disarm aims at; Refused if the hands are empty or do not hold it."""
    check_strike(state, command, aim)
    target = state[command.target]
    held = find_weapons_to_lose(target)
    if not held:
        raise Refused("bad_target", f"{target.name} holds no weapon.")
    found = next((item for item in held if item.id == command.item), None)
    if found is None and command.item:
        names = " or ".join(item.name for item in held)
        raise Refused("bad_value", f"{target.name} does not hold that weapon: choose {names}.")
    return found or held[0]


def find_weapons_to_lose(combatant: Combatant) -> tuple[Item, ...]:
    """The weapons that can be knocked out of a combatant's hands."""
    held = (item for item in combatant.items if item.kind == "weapon" and item.place == "held")
    return tuple(item for item in held if is_droppable(item))


def disarm(context: RuleContext, command: Disarm) -> Then:
    """A Standard Action to knock a weapon away. [COS-ACT-04]"""
    check_disarm(context.state, command, prepare(context.state, command))
    spend(context, command.actor, {"standard": 1}, on="Disarm", rule="COS-ACT-04")
    return Then(_knock, command)


def _knock(context: RuleContext, command: Disarm) -> Then | None:
    """Roll a disarm.  [COS-MANV-10] Failing by 5 or more costs the attacker's own weapon."""
    if not can_go_on(context.state, command):
        return None
    aim = prepare(context.state, command)
    if not finds_target(context, command, aim):
        return None
    item = check_disarm(context.state, command, aim)
    sums = find_disarm_sums(context.state, command, aim)
    roll, outcome = roll_attack(context, command, sums, what="check.disarm", fumble=FUMBLE_BY)
    after_shot(context, command, aim.weapon, roll)
    if outcome != MISS:
        return Then(_lose_weapon, command, item.id, outcome == CRITICAL)
    if sums.defense - (roll.total + sums.bonus) >= FUMBLE_BY:
        _drop_own(context, command)
    return None


def _drop_own(context: RuleContext, command: Strike) -> None:
    """Drop the attacker's weapon, if it can fall and is still in hand. [COS-MANV-10]"""
    for item in context.state[command.actor].items:
        if item.id == command.weapon and item.place == "held" and is_droppable(item):
            drop(context, command.actor, item, "COS-MANV-10")


def _lose_weapon(context: RuleContext, command: Disarm, lost: str, critical: bool) -> None:
    """The weapon flies 1d6 m [COS-MANV-08]; a critical within arm's reach catches it. [COS-MANV-09]

    RULING R59: without a free hand it falls at the attacker's feet. No damage.
    """
    attacker, target = context.state[command.actor], context.state[command.target]
    item = next(item for item in target.items if item.id == lost)
    if critical and is_within(context.state, attacker, target):
        if not allows(check_hands, attacker, item):
            drop(context, target.id, item, rule="COS-MANV-09", how="how.loses", at=attacker.at)
            return
        context.emit(e.ItemLost(target.id, replace(item, place="taken"), "how.loses"), "COS-MANV-09")
        context.emit(e.ItemGained(attacker.id, item, "how.catches"), "COS-MANV-09")
        return
    meters = context.roll("1d6", by=attacker.id, rule="COS-MANV-08", why="roll.weapon_flies")
    spot = stop_at_walls(context.state, target.at, away_from(target.at, attacker.at, meters.total))
    spot = settle(context.state.scene, stop_below(context.state.scene, target.at, spot))
    fallen = replace(item, place="ground", at=spot)
    flies = say("item_is.flies", metres=meters.total)
    context.emit(e.ItemLost(target.id, fallen, flies), "COS-MANV-08")


def preview_disarm(state: State, command: Disarm) -> Preview:
    """The sums of a disarm."""
    aim = prepare(state, command)
    check_disarm(state, command, aim)
    sums = find_disarm_sums(state, command, aim)
    return Preview(sums.terms, sums.against, "against.defense", DICE)


def trip_terms(state: State, command: Trip) -> Modifiers:
    """Might or Coordination alone [COS-MANV-11]; 2 for each size step. [COS-MANV-14]

    RULING R33: all that is said of attacks counts.
    """
    combatant, target = state[command.actor], state[command.target]
    key = command.using
    terms = attribute_terms(combatant, key, "COS-MANV-11")
    share = find_option(state, "trip_combat")
    if share != "none":
        points = skill(combatant, "Combat")
        points = points if share == "full" else half_skill(points, state)
        terms.append(Modifier("term.combat", points, "COS-MANV-11"))
    terms += size_terms(combatant, target)
    terms += [*body_terms(state, combatant, melee=True), *height_terms(combatant, target)]
    return (*terms, *table_terms(command, "COS-MANV-11"))


def check_trip(state: State, command: Trip) -> None:
    """Refuse to trip a prone target."""
    target = find_other(state, command, "a trip")
    if bar := KINDS.find_bar(target, "fall"):
        raise Refused("bad_target", bar)


def trip(context: RuleContext, command: Trip) -> Then:
    """Knock down a target within reach. [COS-ACT-04] [COS-MANV-11]"""
    check_trip(context.state, command)
    spend(context, command.actor, {"standard": 1}, on="Trip", rule="COS-ACT-04")
    return Then(_topple, command)


def _topple(context: RuleContext, command: Trip) -> None:
    """Success makes the target prone. [COS-MANV-12]"""
    if is_hit(context, command, trip_terms(context.state, command), "check.trip"):
        add_condition(context, command.target, "prone", rule="COS-MANV-12")


def preview_trip(state: State, command: Trip) -> Preview:
    """The sums of a trip."""
    check_trip(state, command)
    against = defense_terms(state, state[command.target], melee=True)
    return Preview(trip_terms(state, command), against, "against.defense", DICE)


def check_near(state: State, actor: str) -> None:
    """Refuse a grapple or a trip with nobody within arm's reach, to gray out an action."""
    one = state[actor]
    if not any(is_within(state, one, other) for other in present(state) if other.id != actor):
        raise Refused("out_of_range", "Nobody is within reach: move next to someone first.")


def disarm_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a disarm."""
    return (
        target_field(state, actor),
        *_lost_field(state, actor),
        weapon_field(state, actor),
        *using_field(state, actor),
        *situation_fields(state, actor),
    )


def _lost_field(state: State, actor: str) -> tuple[Field, ...]:
    """The weapon to knock away, if the target holds several. [COS-MANV-07]"""
    one = state[actor]
    foes = [foe for foe in present(state) if foe.side != one.side and not is_concealed_from(state, one, foe)]
    several = [foe for foe in foes if len(find_weapons_to_lose(foe)) > 1]
    if not several:
        return ()
    named = [Choice(i.id, f"{i.name} of {foe.name}") for foe in several for i in find_weapons_to_lose(foe)]
    options = (Choice("", "the first one in hand"), *named)
    return (
        Field("item", "Knock away", "choice", options=options, value="", rule="COS-MANV-07", required=False),
    )


def trip_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a trip."""
    combatant = state[actor]
    better = max(("MIG", "COO"), key=lambda key: combatant.sheet["attributes"][key])
    options = (Choice("MIG", "Might"), Choice("COO", "Coordination"))
    target = target_field(state, actor, check=lambda f: check_trip(state, Trip(actor=actor, target=f.id)))
    return (target, Field("using", "With", "choice", options=options, value=better))


# Holds: grapple, what a holder does, breaking free, and the end of holds.


class Hold(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The holder's action with a held target after winning the contest."""

    target: str
    effect: Literal["damage", "pin", "throw"] = "damage"


def grapple_terms(state: State, command: Targeted) -> Modifiers:
    """Might and the whole Combat skill; all that is said of attacks counts. [COS-MANV-01]  RULING R32."""
    combatant = state[command.actor]
    points = skill(combatant, "Combat")
    if find_option(state, "grapple_combat") == "half":
        points = half_skill(points, state)
    terms = [
        *attribute_terms(combatant, "MIG", "COS-MANV-01"),
        Modifier("term.combat", points, "COS-MANV-01"),
        *body_terms(state, combatant, melee=True),
        *height_terms(combatant, state[command.target]),
    ]
    return (*terms, *table_terms(command, "COS-MANV-01"))


def check_grapple(state: State, command: Targeted) -> None:
    """Refuse to grapple a target already held, or on Total Defense."""
    target = find_other(state, command, "a grapple")
    if target in find_held(state, command.actor):
        raise Refused("bad_target", f"{target.name} is in your hold already.")


def grapple(context: RuleContext, command: Targeted) -> Then:
    """Seize a target within 1 m. [COS-ACT-04] [COS-MANV-01]"""
    check_grapple(context.state, command)
    spend(context, command.actor, {"standard": 1}, on="Grapple", rule="COS-ACT-04")
    return Then(_seize, command)


def _seize(context: RuleContext, command: Targeted) -> None:
    """Success holds the target, besides any who hold it already. [COS-MANV-02]  RULING R32."""
    if is_hit(context, command, grapple_terms(context.state, command), "check.grapple"):
        add_condition(context, command.target, "grappled", by=command.actor)


def preview_grapple(state: State, command: Targeted) -> Preview:
    """The sums of a grapple."""
    check_grapple(state, command)
    against = defense_terms(state, state[command.target], melee=True)
    return Preview(grapple_terms(state, command), against, "against.defense", DICE)


def might_terms(state: State, combatant: Combatant) -> Modifiers:
    """The Might and the penalties of one side of a contest. [COS-MANV-03]"""
    penalties = action_penalties(state, combatant, physical=True)
    return (*attribute_terms(combatant, "MIG", "COS-MANV-03"), *penalties)


def contest(context: RuleContext, active: str, passive: str, what: str, own: Modifiers = ()) -> bool:
    """Roll opposed Might: whether the active side wins; a tie changes nothing. [COS-MANV-03]

    `own` are further terms of the active side.
    """
    totals = {}
    for who in (active, passive):
        terms = might_terms(context.state, context.state[who]) + (own if who == active else ())
        roll = context.roll(DICE, by=who, rule="COS-MANV-03", why=say("roll.opposed", what=what))
        totals[who] = (roll, terms, roll.total + add_up(terms))
    won = totals[active][2] > totals[passive][2]
    roll, terms, _ = totals[active]
    against = (Modifier("term.dice", totals[passive][0].total, "COS-MANV-03"), *totals[passive][1])
    context.emit(
        make_checked(
            active,
            what,
            roll,
            terms,
            words=OUTCOMES,
            against=totals[passive][2],
            against_terms=against,
            against_label="against.opposed_might",
            target=passive,
            good=won,
        ),
        "COS-MANV-03",
    )
    return won


def preview_contest(state: State, active: str, passive: str, command: Command) -> Preview:
    """The sums of both sides; each rolls 2d10."""
    own = might_terms(state, state[active]) + table_terms(command, "COS-MANV-03")
    notes = ("note.both_roll",)
    return Preview(own, might_terms(state, state[passive]), "against.opposed_might", dice=DICE, notes=notes)


def find_holders(state: State, actor: str) -> tuple[str, ...]:
    """Who holds this combatant, "" for a hold without a holder; Refused if nothing holds it."""
    holds = [held.by for held in state[actor].conditions if held.kind in HOLDS]
    if not holds:
        raise Refused("not_allowed", f"{state[actor].name} is not held by anyone.")
    return tuple(dict.fromkeys(holds))


def preview_break_free(state: State, command: Command) -> Preview:
    """The sums of breaking free from the first hold, with or without a holder."""
    holder, *others = find_holders(state, command.actor)
    notes = ("note.each_hold",) if others else ()
    if has_holder(state, holder):
        shown = preview_contest(state, command.actor, holder, command)
        return replace(shown, notes=(*shown.notes, *notes))
    terms = might_terms(state, state[command.actor]) + table_terms(command, "COS-MANV-03")
    target = (Modifier("term.target_number", default_tn(state), "COS-MANV-03"),)
    return Preview(terms, target, "against.tn", dice=DICE, notes=notes)


def has_holder(state: State, holder: str) -> bool:
    """Whether there is a holder who is present."""
    return bool(holder) and not state.combatants[holder].gone


def check_held(state: State, actor: str) -> None:
    """Refuse to break free without a hold to break."""
    find_holders(state, actor)


def break_free(context: RuleContext, command: Command) -> Then:
    """A Standard Action and opposed Might. [COS-MANV-03]"""
    holders = find_holders(context.state, command.actor)
    spend(context, command.actor, {"standard": 1}, on="Breaking free", rule="COS-ACT-04")
    return Then(_struggle, command, holders)


def _struggle(context: RuleContext, command: Command, holders: tuple[str, ...]) -> Then | None:
    """Break free from each holder in turn, or against a number if the holder is gone.  RULING R32 R52."""
    who, holder, own = command.actor, holders[0], table_terms(command, "COS-MANV-03")
    if has_holder(context.state, holder):
        free = contest(context, who, holder, what="check.break_free", own=own)
    else:
        terms = might_terms(context.state, context.state[who]) + own
        roll_check(
            context, who, terms, target=default_tn(context.state), rule="COS-MANV-03", what="check.break_free"
        )
        free = did_succeed(context)
    if free:
        _end_hold(context, who, holder, why="why.breaks_free", rule="COS-MANV-03")
    return Then(_struggle, command, holders[1:]) if holders[1:] else None


def _end_hold(context: RuleContext, who: str, holder: str, why: str, rule: str) -> None:
    for held in context.state[who].conditions:
        if held.kind in HOLDS and held.by == holder:
            remove_condition(context, who, held, why=why, rule=rule)


def check_holding(state: State, actor: str) -> None:
    """Refuse to squeeze or let go if nobody is held."""
    if not find_held(state, actor):
        raise Refused("not_allowed", f"{state[actor].name} holds no one.")


def squeeze(context: RuleContext, command: Hold) -> Then:
    """The holder's contest, then damage, a pin or a throw. [COS-MANV-03]"""
    check_squeeze(context.state, command)
    spend(context, command.actor, {"standard": 1}, on="Grappling on", rule="COS-ACT-04")
    return Then(_press, command)


def check_squeeze(state: State, command: Hold) -> None:
    """Refuse to squeeze a target not held, or on Total Defense."""
    check_may_attack(state[command.actor])
    if command.target not in {held.id for held in find_held(state, command.actor)}:
        raise Refused("bad_target", "Choose someone in your hold.")


def preview_squeeze(state: State, command: Hold) -> Preview:
    """The sums of the holder's contest."""
    check_squeeze(state, command)
    return preview_contest(state, command.actor, command.target, command)


def _press(context: RuleContext, command: Hold) -> Then | None:
    own = table_terms(command, "COS-MANV-03")
    won = contest(context, command.actor, command.target, what=HOLD_CHECKS[command.effect], own=own)
    return Then(_use_hold, command) if won else None


def _use_hold(context: RuleContext, command: Hold) -> None:
    """A pin [COS-MANV-05], a throw [COS-MANV-06] or damage, for the winner. [COS-MANV-04]"""
    target = context.state[command.target]
    if command.effect == "pin":
        if not any(held.kind == "pinned" and held.by == command.actor for held in target.conditions):
            add_condition(context, command.target, "pinned", by=command.actor)
        return
    _unarmed_damage(context, command)
    if command.effect == "throw":
        _throw(context, command)


def _throw(context: RuleContext, command: Hold) -> None:
    """Throw the target 2 m or up to a wall; it falls prone and the hold ends. [COS-MANV-06]

    One thrown over an edge, or to a place over a hole, of 3 m or more falls.  RULING R32 R60
    """
    state = context.state
    thrown, here, there = state[command.target], state[command.actor].at, state[command.target].at
    free, mover = away_from(there, here, THROW_M), system_of(context).turn.mover
    edge = mover.find_stop(state, thrown.id, there, free, "throw")
    _end_hold(context, command.target, command.actor, why="why.thrown", rule="COS-MANV-06")
    meters = THROW_M if (edge.x, edge.y) == (free.x, free.y) else round(plan_distance(there, edge), 3)
    if not has_condition(thrown, "prone"):
        add_condition(context, command.target, "prone", rule="COS-MANV-06")
    path = (there, *rest_at(state.scene, edge))
    mover.go(context, Course(thrown.id, path, "throw", "COS-MANV-06", "how.is_thrown", meters=meters))


def _unarmed_damage(context: RuleContext, command: Hold) -> None:
    """Deal unarmed damage; armor counts. [COS-MANV-04]"""
    combatant = context.state[command.actor]
    fists = next(i for i in combatant.items if i.data.get("id") == UNARMED)
    strike = Strike(actor=command.actor, target=command.target, weapon=fists.id)
    dice = str(fists.data["damage"])
    roll = context.roll(dice, by=combatant.id, rule="COS-MANV-04", why="roll.unarmed_damage")
    bonus = damage_bonus(context.state, strike, fists)
    armor = armor_terms(context.state, context.state[command.target], "kinetic")
    lost = count_damage(context.state, roll.total + add_up(bonus), armor)
    terms = (Modifier(say("term.damage", dice=dice), roll.total, "COS-MANV-04"), *bonus, *armor)
    hurt(
        context,
        command.target,
        lost,
        why="why.thrown_down" if command.effect == "throw" else "why.crushed",
        rule="COS-MANV-04",
        terms=terms,
        roll=roll,
        by=combatant.id,
    )


def let_go(context: RuleContext, command: Command) -> None:
    """Let the held target go, as a free action. [COS-COND-21]"""
    release_holds(context, command.actor, "why.let_go")


def end_out_of_reach(context: RuleContext, before: State) -> None:
    """End the holds of those who no longer reach each other, or have a shut door between them. [COS-COND-21]

    RULING R32: after any change of place. A hold that the GM gave from afar stays.
    """
    for combatant in present(context.state):
        for held in combatant.conditions:
            if held.kind in HOLDS and _is_lost(context.state, before, combatant, held):
                remove_condition(context, combatant.id, held, "why.out_of_reach")


def _is_lost(state: State, before: State, held: Combatant, hold: Condition) -> bool:
    """Whether the source of a hold reaches the combatant no more, and did so before if the hold is older."""
    holder = state.combatants.get(hold.by)
    if holder is None or is_within(state, holder, held):
        return False
    was = before.combatants.get(held.id)
    if was is None or hold.id not in {one.id for one in was.conditions}:
        return True
    return is_within(before, before[holder.id], was)


def grapple_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The target of a grapple, enemies first. [COS-MANV-01]"""

    def check(target: Combatant) -> None:
        check_grapple(state, Targeted(actor=actor, target=target.id))

    return (target_field(state, actor, check=check),)


def hold_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of the holder's contest."""
    held = tuple(Choice(f.id, f.name) for f in find_held(state, actor))
    effects = (
        Choice("damage", "Unarmed damage"),
        Choice("pin", "Pin"),
        Choice("throw", "Throw 2 m, prone, unarmed damage"),
    )
    return (
        Field("target", "Held", "target", options=held, value=held[0].value if held else ""),
        Field("effect", "On success", "choice", options=effects, value="damage"),
    )


def find_pressing(state: State, combatant: Combatant) -> tuple[str, ...]:
    """Breaking free comes first for someone held, who cannot move. [COS-COND-22]"""
    return ("break_free",) if has_condition(combatant, *HOLDS) else ()


ACTIONS = (
    act("disarm", with_recoil(disarm), check_attacks, fields=disarm_fields, preview=preview_disarm),
    act("trip", trip, check_attacks, check_near, fields=trip_fields, preview=preview_trip),
    act("grapple", grapple, check_attacks, check_near, fields=grapple_fields, preview=preview_grapple),
    act("squeeze", squeeze, check_attacks, check_holding, fields=hold_fields, preview=preview_squeeze),
    act("break_free", break_free, check_held, preview=preview_break_free, pinned=True),
    act("let_go", let_go, check_holding),
)
