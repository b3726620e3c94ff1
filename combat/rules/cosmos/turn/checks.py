"""Checks outside a fight, rolled from the sheet: the usual sums, but no actions are spent."""

from __future__ import annotations

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.errors import Refused
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.commands.commands import Command, Field, Preview
from combat.rules.core.commands.context import RuleContext, Then
from combat.rules.core.commands.forms import number_field
from combat.rules.core.sheets.sheets import Offer, sheet_check
from combat.rules.core.state.state import State

from ..book.tables import TARGET_NUMBERS
from ..characters.sheet import ATTRIBUTES
from ..dice import DICE, initiative_terms, name_save, roll_check, save_terms, table_terms
from .initiative import roll_initiative
from .skills import Check, check_skill, preview_skill, skill_fields, use_skill

RULE = "R4"  # the chapter mentions no save of this kind; the ruling does
INITIATIVE = Offer("Initiative", "initiative")


class Save(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A save of an attribute against a target number."""

    attribute: str
    tn: int = 14
    why: str = ""


def check(context: RuleContext, command: Check) -> Then:
    """A skill or attribute check. [COS-ACT-03]  RULING R5."""
    check_skill(context.state, command)
    return Then(use_skill, command)


def check_save(command: Save) -> None:
    """Refuse unknown attributes and impossible numbers."""
    if command.attribute not in ATTRIBUTES:
        raise Refused("bad_value", f"Choose one of {', '.join(ATTRIBUTES)}.")
    if not 2 <= command.tn <= 60:
        raise Refused("bad_value", "A target number is 2 to 60.")


def find_save_terms(state: State, command: Save) -> Modifiers:
    """The attribute alone, and the table's own modifier.  RULING R4."""
    terms = save_terms(state, state[command.actor], command.attribute, RULE)
    return (*terms, *table_terms(command, RULE))


def save(context: RuleContext, command: Save) -> None:
    """2d10 and the attribute against the target number.  RULING R4."""
    check_save(command)
    terms = find_save_terms(context.state, command)
    what = name_save(command.attribute)
    roll_check(context, command.actor, terms, target=command.tn, rule=RULE, what=what, why=command.why[:100])


def preview_save(state: State, command: Save) -> Preview:
    """The sums of a save."""
    check_save(command)
    target = (Modifier("term.target_number", command.tn, RULE),)
    return Preview(find_save_terms(state, command), target, "against.tn", DICE)


def save_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of a save."""
    numbers = ", ".join(f"{word} {tn}" for word, tn in TARGET_NUMBERS.items())
    options = tuple(Choice(key, name) for key, name in ATTRIBUTES.items())
    return (
        Field("attribute", "Attribute", "choice", options=options, value="RES"),
        number_field("tn", "Target number", 14, low=2, high=60, help=numbers),
        Field("why", "Against what", "text", required=False),
    )


def initiative(context: RuleContext, command: Command) -> None:
    """1d10 + Awareness. [COS-INIT-01]"""
    roll_initiative(context, command.actor)


def preview_initiative(state: State, command: Command) -> Preview:
    """The sums of initiative. [COS-INIT-01]"""
    return Preview(initiative_terms(state[command.actor]), (), "", "1d10")


CHECKS = (
    sheet_check(
        "check",
        "Skill or attribute check",
        Check,
        run=check,
        rule="COS-ACT-03",
        preview=preview_skill,
        fields=skill_fields,
        text="Any skill or attribute against a number, rolled from the sheet.",
    ),
    sheet_check(
        "save",
        "Save",
        Save,
        run=save,
        rule=RULE,
        preview=preview_save,
        fields=save_fields,
        text="Someone rolls 2d10 and an attribute against a number you name.",
    ),
    sheet_check(
        "initiative",
        "Initiative",
        Command,
        run=initiative,
        rule="COS-INIT-01",
        preview=preview_initiative,
        text="1d10 and Awareness, rolled from the sheet.",
    ),
)
