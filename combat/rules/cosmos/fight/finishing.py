"""Coup de grace: finishing off a helpless target."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, add_up
from combat.rules.core.basics.words import say
from combat.rules.core.commands.commands import Field
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, State, has_condition, present
from combat.rules.core.turn.turns import spend

from ..body.damage import armor_against, count_damage, die, hurt
from ..book.options import find_option
from ..characters.conditions import KINDS
from ..hazards.drift import is_loose, recoil
from ..world.acting import act, targets
from ..world.reach import is_within
from ..world.scene import check_reach, is_melee, longest_reach
from . import critical
from .aim import Strike, find_weapon
from .attack import damage_bonus, roll_damage
from .situation import weapon_field
from .weapons import check_attacks, check_may_attack, check_weapon

AT_MERCY = KINDS.tagged("at mercy")  # COS-COND-35


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
    roll = roll_damage(context, command.actor, weapon, effect=critical.MAXIMUM, target=target)
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


ACTIONS = (act("coup_de_grace", coup_de_grace, check_attacks, check_helpless, fields=finish_fields),)
