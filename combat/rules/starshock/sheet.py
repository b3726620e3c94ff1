"""The sheet as pages need it: current numbers and attacks, and how a character is created."""

from __future__ import annotations

from typing import Any

from combat.rules.core.basics.data import load_table
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.basics.modifiers import Derived, Modifier, Modifiers, add_up
from combat.rules.core.basics.words import say_typed
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
    SheetAttack,
    SheetPlan,
    Stat,
    Traits,
    sheet_check,
)
from combat.rules.core.state.state import Combatant, Item, State, replace

from .body.damage import consciousness_terms
from .book import tables
from .book.tables import INITIATIVE_DIFFICULTY, VALUES, ZONE_METERS, Feature, Weapon
from .characters import catalogue
from .characters.conditions import KINDS
from .characters.sheet import (
    ATTRIBUTES,
    HIGHEST,
    LOWEST,
    attribute_terms,
    damage_of,
    read_weapon,
    value_terms,
)
from .dice import DICE, action_penalty, made_up_terms, roll_check, skill_terms
from .fight.aim import attack_attribute, describe_modes, feature_terms
from .turn.checks import Check, check_check, check_fields, name_check, preview_check, terms_for_check
from .turn.rounds import Start, initiative_terms

CHECKS_PAGE = "Checks"
ATTRIBUTE_POINTS = 7
ATTRIBUTE_MAX = 3  # of a new character
ATTRIBUTE_PRICES = {value: value for value in range(ATTRIBUTE_MAX + 1)}
MONEY_TO_BEGIN = 200  # TSI: our own
XP, MAX_XP = "xp", 999
# What a body may withstand: conditions, and maneuvers that do something else to it
BROUGHT = ("prone", "blinded", "stunned", "paralyzed", "hindered", "woozy", "unconscious")
MANEUVERS = {"push": "Being pushed", "destroy_item": "Losing an item", "destroy_limb": "Losing a limb"}
IMMUNE = Traits(
    key="immune",
    label="Immune to",
    options=(
        *(Choice(kind, KINDS[kind].label) for kind in BROUGHT),
        *(Choice(key, label) for key, label in MANEUVERS.items()),
    ),
)


def describe_combatant(state: State, combatant: Combatant) -> tuple[Derived, ...]:
    """Armor, Resistance, damage with its next check, and the Action Penalty, each with its terms.

    [SS-DEF-01] [SS-DMG-03] [SS-PEN-05]
    """
    damage = damage_of(combatant)
    return (
        replace(_derived("Armor", value_terms(state, combatant, "armor"), "SS-DEF-03"), shield=True),
        _derived("Resistance", value_terms(state, combatant, "resistance"), "SS-DEF-05"),
        Derived("Damage Taken", damage, (Modifier("term.total_damage", damage, "SS-DMG-02"),), "SS-DMG-03"),
        _derived("Consciousness check", consciousness_terms(combatant), "SS-DMG-05", signed=True),
        _derived("Action Penalty", action_penalty(state, combatant), "SS-PEN-05", signed=True),
    )


def _derived(label: str, terms: Modifiers, rule: str, *, signed: bool = False) -> Derived:
    return Derived(label, add_up(terms), terms, rule, signed=signed)


def find_attacks(state: State, combatant: Combatant) -> tuple[SheetAttack, ...]:
    """Every weapon, those in hand first. [SS-ATK-03]"""
    weapons = [item for item in combatant.items if item.kind == "weapon"]
    weapons.sort(key=lambda item: item.place != "held")
    return tuple(_view(state, combatant, weapon) for weapon in weapons)


def _view(state: State, combatant: Combatant, item: Item) -> SheetAttack:
    weapon = read_weapon(item)
    terms = (
        *attribute_terms(combatant, attack_attribute(combatant, weapon), "SS-ATK-04"),
        *skill_terms(combatant, *weapon.skills),
        *made_up_terms(state, combatant),
        *feature_terms(combatant, weapon, weapon.modes[0]),
    )
    return SheetAttack(
        item=item,
        terms=terms,
        dice=DICE,
        rule="SS-ATK-03",
        damage=weapon.damage,
        reach=_say_reach(weapon),
        how=f"{describe_modes(weapon.modes)}, vs {VALUES[weapon.versus]}",
        magazine=weapon.magazine or None if item.loaded is not None else None,
    )


def _say_reach(weapon: Weapon) -> str:
    """How far it reaches, or how far each step of its range is. [SS-RANGE-02] [SS-RANGE-03]"""
    if set(weapon.modes) == {"melee"}:
        return "melee"
    if weapon.max_zones:
        return f"{weapon.max_zones * ZONE_METERS} m"
    return f"\N{MINUS SIGN}1 per {weapon.zones_per_penalty * ZONE_METERS} m"


# Character creation: attributes, skills by category, a background; and the sheet for pages. The combat page
# starts with finished characters, so the limits cite the game's page on checks.


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
        why=say_typed(command.why),
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
        for name in catalogue.find_backgrounds()
    )


def _declare_one(combatant: Combatant) -> Combatant:
    """Someone who declared one action for their turn. [SS-ACT-01]"""
    return replace(combatant, marks={**combatant.marks, "declared": 1})


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
            mends=True,
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
    find_problems=catalogue.find_problems,
    derive=derive,
    find_attacks=find_attacks,
    summarize=summarize,
    money=Money(key="money", label="TSI", start=MONEY_TO_BEGIN, source="Our own: money to begin with"),
    lasting=catalogue.LASTING,
    traits=(IMMUNE,),
    take_turn=_declare_one,
    named={"weapons": [], "wears": "", "gear": []},
    named_for={"weapon": "weapons", "armor": "wears", "consumable": "gear", "item": "gear"},
    checks={action.name: action for action in CHECKS},
    offers=(Offer("Initiative", "initiative"), Offer("Any check…", "check")),
)
