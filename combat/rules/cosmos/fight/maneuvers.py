"""Maneuvers: disarm and trip."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Command, Field, Preview, Targeted
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.map.bodies import is_concealed_from
from combat.rules.core.space import away_from, on_ground, stop_below
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Item, State, has_condition, present, replace
from combat.rules.core.turn.hands import drop
from combat.rules.core.turn.turns import add_condition, spend

from ..body.damage import is_droppable
from ..book.options import find_option
from ..characters.conditions import KINDS
from ..characters.inventory import check_hands
from ..characters.sheet import attribute_terms, half_skill, skill
from ..dice import DICE, table_terms
from ..hazards.drift import with_recoil
from ..world.acting import act, target_field
from ..world.reach import check_within, is_within
from ..world.sight_lines import stop_at_walls
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
    size_terms,
    sum_up,
)
from .attack import CRITICAL, MISS, after_shot, can_go_on, finds_target, roll_attack
from .situation import situation_fields, using_field, weapon_field
from .weapons import check_attacks, check_may_attack

DISARM = -2  # COS-MANV-07
FUMBLE_BY = 5  # COS-MANV-10


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
    spot = on_ground(context.state.scene, stop_below(context.state.scene, target.at, spot))
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


ACTIONS = (
    act("disarm", with_recoil(disarm), check_attacks, fields=disarm_fields, preview=preview_disarm),
    act("trip", trip, check_attacks, check_near, fields=trip_fields, preview=preview_trip),
)
