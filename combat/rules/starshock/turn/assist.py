"""Assist: help for someone's next check, offered to one person once."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.words import possessive, say
from combat.rules.core.commands.commands import Command, Field
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.state.state import Combatant, State, Until, present
from combat.rules.core.turn.turns import add_condition

from ..book import tables
from ..book.options import find_option
from ..book.tables import ASSIST_MIN
from ..characters.sheet import ATTRIBUTES, attribute, has_skill, is_conscious, read_weapon
from ..world.acting import act, attribute_options, skill_field, target_field
from ..world.economy import pay

# The book's checks with these skills: Dex + Medicate; Dex + Move, or Str where a Move needs a check
USES = {"Medicate": ("dex",), "Move": ("dex", "str")}  # SS-OTHER-11, SS-ZONE-07, SS-OTHER-08


class Assist(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Help for someone's check with this attribute and skill. [SS-OTHER-09]"""

    target: str
    attribute: Literal["str", "dex", "int", "prs"]
    skill: str = ""


def assist(context: RuleContext, command: Assist) -> None:
    """Give +1 to someone else's check, if the helper is good at it. [SS-OTHER-09] [SS-OTHER-10]"""
    check_assist(context.state, command)
    who = command.actor
    pay(context, who, "assist", on="Assisting", rule="SS-OTHER-09")
    label = say("term.help", by=who)
    marks = {"attribute": command.attribute, "skill": command.skill}
    add_condition(
        context, command.target, "assisted", label=label, by=who, marks=marks, until=Until(who, "start")
    )


def check_assist(state: State, command: Assist) -> None:
    """Refuse wasted help: for a check with help already, or with an attribute that it does not use.

    [SS-OTHER-10] Refuse a helper who is not good at it.  RULING R22
    """
    combatant, target = state[command.actor], state[command.target]
    if command.skill and command.skill not in tables.skills():
        raise Refused("bad_value", f"There is no skill “{command.skill}”.")
    check_taker(state, command.actor, target)
    _check_same_check(target, command.attribute)
    _check_use(target, command.attribute, command.skill)
    good = attribute(combatant, command.attribute) >= ASSIST_MIN
    if not good and not (command.skill and has_skill(combatant, command.skill)):
        label = ATTRIBUTES[command.attribute]
        needs = f"{label} {ASSIST_MIN}" + (f" or {command.skill}" if command.skill else "")
        raise Refused("not_allowed", f"{combatant.name} cannot help with that: it takes {needs}.")


def check_taker(state: State, actor: str, target: Combatant) -> None:
    """Refuse a target who can make no check, or whose next check has help.  RULING R22"""
    if target.id == actor:
        raise Refused("bad_target", "Assist is for someone else's check.")
    if not is_conscious(target):
        raise Refused("bad_target", f"{target.name} cannot make checks now: choose someone else.")
    if is_helped(target) and find_option(state, "assist_stacks") == "no":
        raise Refused("bad_target", f"{possessive(target.name)} next check already has help.")


def is_helped(target: Combatant) -> bool:
    """Whether someone's next check has help."""
    return any(held.kind == "assisted" for held in target.conditions)


def check_can_help(state: State, actor: str) -> None:
    """Refuse if no one can be helped."""
    others = [f for f in present(state) if f.id != actor and is_conscious(f)]
    if not others:
        raise Refused("bad_target", "There is no one else to help.")
    if all(is_helped(f) for f in others) and find_option(state, "assist_stacks") == "no":
        raise Refused("bad_target", "Everyone's next check already has help.")


def _check_same_check(target: Combatant, key: str) -> None:
    """Refuse help for a second check: several helpers all help the same one."""
    waiting = {str(c.marks.get("attribute", key)) for c in target.conditions if c.kind == "assisted"}
    if waiting - {key}:
        label = ATTRIBUTES[min(waiting)]
        text = f"{possessive(target.name)} next check is helped with {label}: help with that."
        raise Refused("not_allowed", text)


def _check_use(target: Combatant, key: str, skill: str) -> None:
    uses = find_uses(target, skill)
    if uses and key not in uses:
        label = " or ".join(ATTRIBUTES[use] for use in uses)
        text = f"{possessive(target.name)} {skill} check uses {label}, not {ATTRIBUTES[key]}: help with that."
        raise Refused("not_allowed", text)


def find_uses(target: Combatant, skill: str) -> tuple[str, ...]:
    """The attributes of someone's checks with a skill; empty if any attribute may be used.

    [SS-ATK-04] For weapon skills, those of the weapons carried, or of any weapon with this skill.
    """
    if skill in USES:
        return USES[skill]
    own = [read_weapon(item) for item in target.items if item.kind == "weapon"]
    fitting = [w for w in own if skill in w.skills] or [
        w for w in tables.weapons().values() if skill in w.skills
    ]
    return tuple(key for key in ATTRIBUTES if any(key in weapon.attributes for weapon in fitting))


def assist_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The person to help, and their check. [SS-OTHER-09]"""
    combatant = state[actor]
    target = target_field(state, actor, foes=False, check=lambda other: check_taker(state, actor, other))
    skill = next(iter(combatant.sheet["skills"]), "")
    uses = find_uses(state[target.value], skill) if target.value else ()
    best = max(uses or ATTRIBUTES, key=lambda key: combatant.sheet["attributes"][key])
    help_text = f"takes {ATTRIBUTES[best]} 3 or the skill"
    return (
        target,
        Field(
            "attribute",
            "Their check uses",
            "choice",
            options=attribute_options(),
            value=best,
            help=help_text,
            rule="SS-OTHER-10",
        ),
        skill_field(state, actor, skill),
    )


ACTIONS = (act("assist", assist, check_can_help, fields=assist_fields),)
