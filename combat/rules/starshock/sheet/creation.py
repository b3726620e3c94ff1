"""Character creation: attributes, skills by category, a background; and the sheet for pages.

The combat page starts with finished characters, so the limits cite the game's page on checks.
"""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.data import load_table
from combat.rules.core.basics.modifiers import Modifier
from combat.rules.core.commands.commands import Command, Preview
from combat.rules.core.commands.context import RuleContext
from combat.rules.core.sheets.sheets import (
    Archetype,
    Budget,
    Creation,
    DerivedGroup,
    Draft,
    Money,
    Offer,
    Option,
    Selection,
    SheetPlan,
    Stat,
    sheet_check,
)
from combat.rules.core.state.state import Combatant, State

from ..book import tables
from ..book.records import Feature
from ..book.tables import INITIATIVE_DIFFICULTY, MAX_REASON
from ..characters import inventory
from ..characters.sheet import ATTRIBUTES, HIGHEST, LOWEST
from ..dice import DICE, roll_check
from ..turn.checks import Check, check_check, check_fields, name_check, preview_check, terms_for_check
from ..turn.rounds import Start, initiative_terms
from .wording import describe_combatant, find_attacks

CHECKS_PAGE = "Checks"
ATTRIBUTE_POINTS = 7
ATTRIBUTE_MAX = 3  # of a new character
ATTRIBUTE_PRICES = {value: value for value in range(ATTRIBUTE_MAX + 1)}
MONEY_TO_BEGIN = 200  # TSI: our own
XP, MAX_XP = "xp", 999


# ---------------------------------------------------------------- checks outside a fight


def check(context: RuleContext, command: Check) -> None:
    """Roll any check from the sheet, without spending an action. [SS-OTHER-01]"""
    check_check(command)
    roll_check(
        context,
        command.actor,
        terms_for_check(context.state, command),
        command.difficulty,
        rule="SS-OTHER-01",
        what=name_check(command),
        why=command.why[:MAX_REASON],
        chances=False,
    )


def initiative(context: RuleContext, command: Command) -> None:
    """Roll the Dex check against 10. [SS-INIT-01]"""
    terms = initiative_terms(context.state, context.state[command.actor], Start())
    what, rule = "check.initiative", "SS-INIT-01"
    roll_check(context, command.actor, terms, INITIATIVE_DIFFICULTY, rule=rule, what=what, chances=False)


def preview_initiative(state: State, command: Command) -> Preview:
    """The sums of initiative. [SS-INIT-01]"""
    number = (Modifier("term.difficulty", INITIATIVE_DIFFICULTY, "SS-INIT-03"),)
    return Preview(initiative_terms(state, state[command.actor], Start()), number, "against.difficulty", DICE)


CHECKS = (
    sheet_check(
        "check", "Check", Check, run=check, rule="SS-OTHER-01", preview=preview_check, fields=check_fields
    ),
    sheet_check(
        "initiative", "Initiative", Command, run=initiative, rule="SS-INIT-01", preview=preview_initiative
    ),
)


# ---------------------------------------------------------------- sheets and drafts


def find_budgets(bought: Draft) -> tuple[Budget, ...]:
    """The budget of attribute points."""
    spent = sum(max(0, value) for value in bought.attributes.values())
    return (
        Budget(
            key="attributes",
            label="Attribute points",
            spent=spent,
            terms=(Modifier("term.new_character", ATTRIBUTE_POINTS),),
            source=CHECKS_PAGE,
        ),
    )


def read(sheet: dict[str, Any]) -> Draft:
    """The decisions in a sheet."""
    trained, features = sheet.get("skills", ()), sheet.get("features", ())
    skills = {name: int(name in trained) for name in tables.skills()}
    skills |= {name: int(name in features) for name in _find_acquired()} | {XP: int(sheet.get(XP, 0))}
    chosen = {"background": sheet.get("background", "")}
    return Draft(attributes=dict(sheet["attributes"]), skills=skills, chosen=chosen)


def write(sheet: dict[str, Any], draft: Draft) -> dict[str, Any]:
    """A sheet with the decisions of a draft."""
    acquired, has = _find_acquired(), [name for name, value in draft.skills.items() if value]
    others = [name for name in sheet.get("features", ()) if name not in acquired]
    return {
        **sheet,
        "attributes": dict(draft.attributes),
        "skills": [name for name in has if name in tables.skills()],
        "features": [*others, *(name for name in has if name in acquired)],
        XP: draft.skills.get(XP, 0),
        "background": draft.chosen.get("background", ""),
    }


def _find_acquired() -> dict[str, Feature]:
    """The implants and trainings that no background has."""
    return {name: row for name, row in tables.features().items() if not row.background}


def summarize(sheet: dict[str, Any]) -> str:
    """Background, XP and what its stat block notes in one line."""
    xp = sheet.get("xp", 0)
    words = (sheet.get("background", ""), f"{xp} XP" if xp else "", *sheet.get("notes", ()))
    return ", ".join(word for word in words if word)


def derive(state: State, combatant: Combatant) -> tuple[DerivedGroup, ...]:
    """The derived numbers of a sheet, each with its sum. [SS-DEF-01] [SS-DMG-03]"""
    return (DerivedGroup("", describe_combatant(state, combatant)),)


# ---------------------------------------------------------------- the plan


def _attribute_stats() -> tuple[Stat, ...]:
    return tuple(
        Stat(
            key=row.id,
            label=row.name,
            short=ATTRIBUTES[row.id],
            low=LOWEST,
            high=HIGHEST,
            first_low=0,
            first_high=ATTRIBUTE_MAX,
            usual=1,
            text=f"A base of {tables.VALUES[row.defends]}",
            offers=(Offer("Check", "check", {"attribute": row.id, "skill": ""}),),
            source=f"{CHECKS_PAGE}: 0 to {ATTRIBUTE_MAX} for a new character",
        )
        for row in tables.attributes().values()
    )


def _skill_stats() -> tuple[Stat, ...]:
    return tuple(
        Stat(
            key=row.id,
            label=row.name,
            group=row.category,
            low=0,
            high=1,
            first_low=0,
            first_high=1,
            text="\N{MINUS SIGN}1 without it" if row.specialist else "+1 with it",
            offers=tuple(
                Offer(label, "check", {"skill": row.id, "attribute": key})
                for key, label in ATTRIBUTES.items()
            ),
            rule="SS-ATK-05",
            source=CHECKS_PAGE,
        )
        for row in tables.skills().values()
    )


def _experience_stats() -> tuple[Stat, ...]:
    """Gains of play: XP, which decide on death in a coma; implants, training, psionics. [SS-COMA-06]"""
    text = "a coma is deadly with more damage than this"
    acquired = (
        Stat(
            key=key,
            label=row.name,
            group="Implants, training and psionics",
            high=1,
            first_high=0,
            text=row.text,
            source=row.origin.removeprefix("game: ").capitalize(),
        )
        for key, row in _find_acquired().items()
    )
    xp = Stat(key=XP, label="XP", group="Experience", high=MAX_XP, first_high=0, text=text, rule="SS-COMA-06")
    return (xp, *acquired)


def _background_options() -> tuple[Option, ...]:
    rows = tables.features().values()
    return tuple(
        Option(
            key=name,
            label=name,
            text=", ".join(row.name.removeprefix(f"{name}: ") for row in rows if row.background == name),
            abilities=tuple(f"{row.name}: {row.text}" for row in rows if row.background == name),
            source="Backgrounds",
        )
        for name in inventory.find_backgrounds()
    )


PLAN = SheetPlan(
    attributes=_attribute_stats(),
    skills=(*_skill_stats(), *_experience_stats()),
    selections=(
        Selection(
            key="background",
            label="Background",
            options=_background_options(),
            required=False,
            source="Backgrounds",
        ),
    ),
    creation=Creation(
        attribute_prices=ATTRIBUTE_PRICES,
        find_budgets=find_budgets,
        archetypes=tuple(load_table(tables.DATA / "archetypes.toml", Archetype).values()),
        source=CHECKS_PAGE,
    ),
    read=read,
    write=write,
    find_problems=inventory.find_problems,
    derive=derive,
    find_attacks=find_attacks,
    summarize=summarize,
    money=Money(key="money", label="TSI", start=MONEY_TO_BEGIN, source="Our own: money to begin with"),
    lasting=inventory.LASTING,
    named={"weapons": [], "wears": "", "gear": []},
    named_for={"weapon": "weapons", "armor": "wears", "consumable": "gear", "item": "gear"},
    checks={action.name: action for action in CHECKS},
    offers=(Offer("Initiative", "initiative"), Offer("Any check…", "check")),
)
