"""Checks from a sheet, outside of a fight: any skill with any characteristic, and Initiative."""

from __future__ import annotations

from typing import Literal

from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.modifiers import Modifier, Modifiers
from combat.rules.core.basics.words import Label, say
from combat.rules.core.commands.commands import Command, Field, Preview, adjusted
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.sheets.sheets import sheet_check
from combat.rules.core.state.checked import make_checked
from combat.rules.core.state.state import State

from ..book import tables
from ..book.tables import TARGET
from ..dice.rolls import (
    DICE,
    characteristic_terms,
    difficulty_terms,
    find_cuts,
    modifiers_for_check,
    name_skill,
    roll_terms,
)

RULE = "CE-SIG-05"
MAX_REASON = 100  # characters
Characteristic = Literal["str", "dex", "end", "int", "edu", "soc", "psi"]
Difficulty = Literal["simple", "easy", "routine", "average", "difficult", "very_difficult", "formidable"]


class SheetCheck(Command, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """2D6 with a characteristic and, optionally, a skill, against 8."""

    characteristic: Characteristic = "dex"
    skill: str = ""
    difficulty: Difficulty = "average"
    why: str = ""


def check(context: RuleContext, command: SheetCheck) -> None:
    """Roll any check from the sheet; this spends no action. [CE-SIG-05]"""
    terms = terms_for_check(context.state, command)
    what, why = name_check(command), command.why[:MAX_REASON]
    roll_terms(
        context, command.actor, terms, what=what, rule=RULE, target="", why=why, cuts=find_cuts(terms, "all")
    )


def terms_for_check(state: State, command: SheetCheck) -> Modifiers:
    """Skill, characteristic, difficulty and an additional modifier."""
    own = modifiers_for_check(state, command.actor, command.skill, command.characteristic)
    return adjusted(command, (*own, *difficulty_terms(command.difficulty, RULE)), RULE)


def name_check(command: SheetCheck) -> Label:
    """The label of the check: the skill, or the characteristic alone."""
    name = name_skill(command.skill) if command.skill else f"term.{command.characteristic}"
    return say("check.of", what=name)


def preview_check(state: State, command: SheetCheck) -> Preview:
    """The sum of a check before it is rolled."""
    need = (Modifier("term.target", TARGET, RULE),)
    return Preview(terms_for_check(state, command), need, "against.eight", DICE)


def check_fields(state: State, actor: str) -> tuple[Field, ...]:
    """The form of any check."""
    scores = tuple(Choice(row.id, row.name) for row in tables.characteristics().values())
    skills = (Choice("", "none"), *(Choice(row.id, row.name) for row in tables.skills().values()))
    grades = tuple(Choice(row.id, row.name) for row in tables.difficulties().values())
    return (
        Field("characteristic", "Characteristic", "choice", options=scores, value="dex"),
        Field("skill", "Skill", "choice", options=skills, value="", required=False),
        Field("difficulty", "Difficulty", "choice", options=grades, value="average"),
        Field("why", "For what", "text", required=False),
    )


def initiative(context: RuleContext, command: Command) -> None:
    """Roll 2D6 + Dexterity DM. [CE-INIT-01]"""
    who, rule, what = command.actor, "CE-INIT-01", "check.initiative"
    terms = initiative_terms(context.state, command)
    roll = context.roll(DICE, by=who, rule=rule, why=what)
    context.emit(make_checked(who, what, roll, terms, outcome="outcome.rolled"), rule)


def initiative_terms(state: State, command: Command) -> Modifiers:
    """The Dexterity DM. [CE-INIT-01]"""
    return adjusted(command, characteristic_terms(state[command.actor], "dex"), "CE-INIT-01")


def preview_initiative(state: State, command: Command) -> Preview:
    """The sum of Initiative before it is rolled."""
    return Preview(initiative_terms(state, command), (), "", DICE)


CHECKS = (
    sheet_check(
        "check", "Check", SheetCheck, run=check, rule=RULE, preview=preview_check, fields=check_fields
    ),
    sheet_check(
        "initiative", "Initiative", Command, run=initiative, rule="CE-INIT-01", preview=preview_initiative
    ),
)
