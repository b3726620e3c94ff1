"""Reactions: dodging and parrying, asked of the target before the dice are rolled."""

from __future__ import annotations

from functools import partial

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused, allows
from combat.rules.core.basics.modifiers import Modifier, Modifiers, add_up
from combat.rules.core.basics.words import say_number
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition
from combat.rules.core.turn.turns import remove_conditions

from ..body.drugs import count_free_dodges, dodge_freely
from ..book.options import find_option
from ..book.tables import REACTION_COST
from ..characters.conditions import KINDS, is_busy
from ..characters.goods import UNARMED
from ..characters.machinery import check_limbs, find_skilled, is_stalled, limb_terms
from ..characters.values import find_best_skill, find_skill, is_vehicle
from ..dice import is_weightless, lose_aim
from ..vehicles.gunnery import check_works
from ..world.cover import find_cover
from ..world.order import check_reaction, pay_reaction, pays_at_once
from ..world.scene import OBSTACLES, has_terrain
from ..world.senses import is_aware
from .checks import check_weapon

NONE, DODGE, PARRY, DIVE = "none", "dodge", "parry", "dive"
SAID = {DODGE: "log.dodges", PARRY: "log.parries", DIVE: "log.dives"}
DODGE_DM, DODGE_BEHIND = -1, -2
WORDS = {"melee": "blow", "thrown": "throw", "ram": "ram"}  # for an attack, by its mode; others are shots
NATURAL = "natural_weapons"


def check_react(state: State, who: str, attacker: str) -> None:
    """Refuse reactions that someone cannot make. [CE-VACT-02] A vehicle never dodges.

    [CE-REACT-07] Only attacks the target is aware of allow one. [CE-GRAP-14] Not while grappled.
    [CE-REACT-04] The purse is the only limit. [CE-VACT-02] Vehicles do not dodge. [CE-VLOC-50] Nor do robots
    that are shut down.  RULING R73 R83
    """
    combatant = state[who]
    if is_stalled(state, combatant):
        raise Refused("not_allowed", f"{combatant.name} cannot react: it has no power, or is shut down.")
    if is_vehicle(combatant) or combatant.gone or KINDS.loses(combatant, "reactions"):
        raise Refused("not_allowed", f"{combatant.name} cannot react.")
    KINDS.check(combatant, "react")
    if attacker and not is_aware(state, who, attacker):
        raise Refused("not_allowed", f"{combatant.name} does not see it coming.")
    check_reaction(state, who)


def can_react(state: State, who: str, attacker: str) -> bool:
    """Whether someone may react to an attacker."""
    return allows(check_react, state, who, attacker)


def find_reactions(state: State, who: str, attacker: str, mode: str, cover: str = "") -> tuple[Choice, ...]:
    """The options against one attack, at most one of them: nothing, dodge or parry. [CE-REACT-05]

    The prone cannot dodge [CE-STANCE-06], but they can parry. [CE-STANCE-08] Only melee is parried
    [CE-REACT-11], and not by a robot that has lost its limbs. [CE-VLOC-40]
    """
    if not can_react(state, who, attacker):
        return ()
    combatant, found = state[who], [Choice(NONE, "No reaction")]
    if not KINDS.loses(combatant, "dodging"):
        points = dodge_terms(state, who, attacker, cover)[0].value
        found.append(Choice(DODGE, _name("Dodge", points, mode), _say_price(state, who, DODGE)))
    if mode == "melee" and allows(check_limbs, state, combatant):
        points = -count_parry(state, combatant)
        found.append(Choice(PARRY, _name("Parry", points, mode), _say_price(state, who, PARRY)))
    return tuple(found) if len(found) > 1 else ()


def _say_price(state: State, who: str, reaction: str) -> str:
    """The costs of a reaction: Initiative, now or in the next round, and what is lost with it."""
    combatant, warning = state[who], warn_of_loss(state[who])
    if reaction == DODGE and count_free_dodges(state, combatant):
        price = "costs no Initiative"
    elif pays_at_once(state, who):
        now = combatant.initiative or 0
        price = f"your Initiative {say_number(now)} → {say_number(now - REACTION_COST)}"
    else:
        price = f"{say_number(-REACTION_COST)} Initiative next round"
    return f"{price}; {warning}" if warning else price


def warn_of_loss(combatant: Combatant) -> str:
    """The costs of a reaction besides Initiative: [CE-MINOR-08] aim for the kill, [CE-OTHER-06] a task."""
    if is_busy(combatant):
        return "the extended action is given up"
    return "aim for the kill is lost" if has_condition(combatant, "aiming_kill") else ""


def _name(reaction: str, points: int, mode: str) -> str:
    attack = WORDS.get(mode, "shot")
    return f"{reaction}: {say_number(points, signed=True) if points else 0} to the {attack}"


def dodge_terms(state: State, who: str, attacker: str, cover: str = "") -> Modifiers:
    """A dodge is DM -1 for the attacker [CE-REACT-08] [CE-MOD-07]; -2 from cover or among obstacles.
    [CE-REACT-10] `cover` is what the GM says for this attack."""
    combatant = state[who]
    behind = bool(find_cover(state, attacker, who, cover).key) or has_terrain(state, combatant, OBSTACLES)
    if behind:
        return (Modifier("term.dodge_behind", DODGE_BEHIND, "CE-REACT-10"),)
    return (Modifier("term.dodge", DODGE_DM, "CE-REACT-08"),)


def parry_skill(state: State, combatant: Combatant) -> str:
    """The parry skill: the melee skill for the weapon in hand, Natural Weapons without one that could strike.
    [CE-REACT-12]  RULING R12"""
    skills = [
        skill
        for item in combatant.items
        if item.kind == "weapon" and item.data.get("group") == "melee" and item.data.get("id") != UNARMED
        for skill in item.data.get("skills", ())
        if allows(check_weapon, combatant, item) and allows(check_works, state, combatant, item)
    ]
    return find_best_skill(combatant, tuple(skills)) or NATURAL


def count_parry(state: State, combatant: Combatant) -> int:
    """The skill level that a parry takes off, at least the table's minimum. [CE-REACT-12] [CE-MOD-08]

    In zero gravity no more than that of Zero-G. [CE-ZG-01] Damaged limbs parry worse. [CE-VLOC-39]
    RULING R12 R43 R47 R67
    """
    able = find_skilled(state, combatant)
    level = find_skill(able, parry_skill(state, combatant))
    if is_weightless(state, combatant):
        level = min(level, find_skill(able, "zero_g"))
    level += add_up(limb_terms(state, combatant))
    return max(int(find_option(state, "parry_minimum")), level)


def react(context: RuleContext, who: str, attacker: str, mode: str, cover: str = "") -> Modifiers:
    """Ask the target for a reaction; pays for it and returns its DM on the attack. [CE-REACT-01] [CE-ATK-03]

    Each reaction costs Initiative -2 and DM -1 on own skill checks. [CE-REACT-02] [CE-REACT-09] [CE-REACT-13]
    `cover` is what the GM says for this attack.  RULING R5
    """
    options = partial(find_reactions, context.state, who, attacker, mode, cover)
    question = f"{context.state.combatants[attacker].name} attacks: do you react?"
    chosen = context.ask(who, question, options, rule="CE-REACT-01", default=NONE)
    if chosen == NONE:
        return ()
    terms = dodge_terms(context.state, who, attacker, cover)
    if chosen == PARRY:
        points = count_parry(context.state, context.state[who])
        terms = (Modifier("term.parry", -points, "CE-REACT-12"),)
    make_reaction(context, who, chosen)
    return terms


def make_reaction(context: RuleContext, who: str, kind: str) -> None:
    """Pay for a reaction and log it; dodging and parrying end an aim.

    [CE-OTHER-06] [CE-OTHER-07] RULING R42: an extended action has to end first.
    """
    remove_conditions(context, who, *KINDS.ended_by("reaction"), why="why.reacts", rule="CE-OTHER-07")
    rule = {DODGE: "CE-REACT-08", PARRY: "CE-REACT-12", DIVE: "CE-EXPL-02"}[kind]
    context.emit(e.Said(SAID[kind], who), rule)
    lose_aim(context, who, "why.reacts")
    if kind != DODGE or not dodge_freely(context, who):
        pay_reaction(context, who)
