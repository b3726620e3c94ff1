"""Uses of a skill against a number; checks that need a sense."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Command, Field, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import number_field
from combat.rules.core.state import events as e
from combat.rules.core.state.state import Combatant, Condition, State
from combat.rules.core.turn.turns import spend

from ..book.tables import TARGET_NUMBERS, skills
from ..characters.conditions import KINDS
from ..characters.sheet import ATTRIBUTE_WORDS, ATTRIBUTES, skill
from ..dice import DICE, check_terms, describe_some_uses, roll_check, table_terms
from ..world.acting import act

SENSES = (Choice("", "no"), Choice("sight", "by sight"), Choice("hearing", "by hearing"))


FAILS = {"sight": "note.no_sight", "hearing": "note.no_hearing"}


class Check(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A full use of a skill against a target number. `sense` is the only sense that can do it."""

    attribute: str
    skill: str = ""
    tn: int = 14
    why: str = ""
    sense: Literal["", "sight", "hearing"] = ""


def skill_check(context: RuleContext, command: Check) -> Then:
    """A full use of a skill, a Standard Action. [COS-ACT-03]  RULING R5."""
    check_skill(context.state, command)
    spend(context, command.actor, {"standard": 1}, on="Full skill use", rule="COS-ACT-03")
    return Then(use_skill, command)


def check_skill(state: State, command: Check) -> None:
    """Refuse unknown attributes and skills, and impossible numbers."""
    if command.attribute not in ATTRIBUTES:
        raise Refused("bad_value", f"Choose one of {', '.join(ATTRIBUTES)}.")
    if command.skill and command.skill not in skills():
        raise Refused("bad_value", f"There is no skill “{command.skill}”.")
    if not 2 <= command.tn <= 60:
        raise Refused("bad_value", "A target number is 2 to 60.")


def skill_terms(state: State, command: Check) -> Modifiers:
    """The terms of the check, with the table's own modifier."""
    terms = check_terms(state, state[command.actor], command.attribute, command.skill)
    return (*terms, *table_terms(command, "COS-ACT-03"))


def use_skill(context: RuleContext, command: Check) -> None:
    """Make the check; it fails without a roll if it needs a lost sense. [COS-COND-05] [COS-COND-09]"""
    what = command.skill or ATTRIBUTE_WORDS[command.attribute]
    lost = find_lost_sense(context.state[command.actor], command.sense)
    if lost:
        fails = describe_lost_sense(context.state[command.actor], command.sense)
        told = e.Said("log.fails", command.actor, args={"what": what, "why": fails})
        context.emit(told, lost[1])
        return
    terms = skill_terms(context.state, command)
    roll_check(
        context, command.actor, terms, target=command.tn, rule="COS-ACT-03", what=what, why=command.why[:100]
    )


def preview_skill(state: State, command: Check) -> Preview:
    """The sums of a skill check."""
    check_skill(state, command)
    target = (Modifier("term.target_number", command.tn, "COS-ACT-03"),)
    fails = describe_lost_sense(state[command.actor], command.sense)
    notes = (*((fails,) if fails else ()), *describe_some_uses(state[command.actor], command.skill))
    return Preview(skill_terms(state, command), target, "against.tn", dice=DICE, notes=notes)


def skill_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a skill check, with the combatant's own skills first."""
    combatant = state[actor]
    known = sorted(skills(), key=lambda name: (-skill(combatant, name), name))
    options = tuple(Choice(name, f"{name} {skill(combatant, name)}") for name in known)
    numbers = ", ".join(f"{word} {tn}" for word, tn in TARGET_NUMBERS.items())
    attributes = tuple(Choice(key, name) for key, name in ATTRIBUTES.items())
    return (
        Field("attribute", "Attribute", "choice", options=attributes, value="INT"),
        Field(
            "skill",
            "Skill",
            "choice",
            options=(Choice("", "none"), *options),
            value=options[0].value,
            required=False,
        ),
        number_field("tn", "Target number", 14, low=2, high=60, help=numbers),
        Field("why", "For what", "text", required=False),
        Field(
            "sense",
            "By one sense alone",
            "choice",
            options=SENSES,
            value="",
            rule="COS-COND-05",
            required=False,
        ),
    )


def describe_lost_sense(combatant: Combatant, sense: str) -> Label:
    """Why a check by this sense alone fails; empty if it does not."""
    lost = find_lost_sense(combatant, sense)
    return say(FAILS[sense], condition=lost[0].label) if lost else ""


def find_lost_sense(combatant: Combatant, sense: str) -> tuple[Condition, str] | None:
    """The condition that takes this sense from a combatant, with its rule; None if none does.

    [COS-COND-05] [COS-COND-09] Things that can only be seen or heard are then missed without a roll.
    """
    return KINDS.find_loss(combatant, sense) if sense else None


ACTIONS = (act("skill", skill_check, fields=skill_fields, preview=preview_skill),)
