"""Saves that the GM asks for, caused by a place, a weapon or an event."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.commands import Field, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import number_field
from combat.rules.core.gm.decisions import GmCommand
from combat.rules.core.state.state import State

from ..people.sheet import ATTRIBUTES
from .rolls import DICE, default_tn, name_save, roll_check, save_terms, table_terms

RULE = "COS-TERR-07"


class AskSave(GmCommand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A save of `target` with an attribute; `tn` 0 is the table's usual number."""

    target: str
    attribute: str = "COO"
    tn: int = 0
    why: str = ""


def ask_save(context: RuleContext, command: AskSave) -> Then:
    """2d10 + attribute against a number the GM names. [COS-TERR-07]  RULING R4 R52."""
    check_save(context.state, command)
    return Then(_roll, command)


def check_save(state: State, command: AskSave) -> None:
    """Refuse unknown attributes and impossible numbers."""
    combatant = state[command.target]
    if command.attribute not in ATTRIBUTES:
        raise Refused("bad_value", f"{combatant.name} saves with one of {', '.join(ATTRIBUTES)}.")
    if command.tn and not 2 <= command.tn <= 60:
        raise Refused("bad_value", "A target number is 2 to 60, or 0 for the usual one.")


def asked_terms(state: State, command: AskSave) -> Modifiers:
    """The attribute and the table's own modifier."""
    terms = save_terms(state, state[command.target], command.attribute, RULE)
    return (*terms, *table_terms(command, RULE))


def _roll(context: RuleContext, command: AskSave) -> None:
    why = " ".join(command.why.split())[:100]
    what = name_save(command.attribute)
    tn = command.tn or default_tn(context.state)
    roll_check(context, command.target, asked_terms(context.state, command), tn, RULE, what, why)


def preview_save(state: State, command: AskSave) -> Preview:
    """The sums of the save."""
    check_save(state, command)
    target = (Modifier("term.target_number", command.tn or default_tn(state), RULE),)
    return Preview(asked_terms(state, command), target, "against.tn", DICE)


def save_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a save, after the field for the combatant."""
    attributes = tuple(Choice(key, name) for key, name in ATTRIBUTES.items())
    usual = f"0: default ({default_tn(state)})"
    return (
        Field("attribute", "Attribute", "choice", attributes, "COO", rule=RULE),
        number_field("tn", "Target number", 0, 0, 60, help=usual, required=False),
        Field("why", "Against what", "text", required=False),
    )
