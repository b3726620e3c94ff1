"""The tables of the combat page for its rulebook, built from the values that the rules use."""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.book.printed import (
    BookTable,
    listed,
    make_ruled_table,
    make_table,
    signed,
    table_of_actions,
    table_of_conditions,
    table_of_things,
)
from combat.rules.core.book.rulebook import load_rulebook

from .actions import ACTIONS
from .book import tables
from .book.options import DEFAULTS
from .book.tables import (
    CHALLENGE,
    CHECK_FROM,
    COMA_MARGIN,
    DEFENSIVES,
    VALUE_ATTRIBUTES,
    VALUE_RULES,
    VALUES,
)
from .characters.catalogue import CATALOGUE
from .characters.conditions import KINDS

CHARACTERS = "Tables for characters"
OPPONENTS = "Tables for opponents"


def print_tables() -> tuple[BookTable, ...]:
    """Every table, in the order of its section."""
    return (
        _difficulties(),
        _actions(),
        _free_actions(),
        table_of_things(CATALOGUE, "weapon", "SS-ATK-01"),
        _maneuvers(),
        _general_maneuvers(),
        _values(),
        _defensives(),
        table_of_things(CATALOGUE, "armor", "SS-DEF-07"),
        table_of_things(CATALOGUE, "consumable", "SS-OTHER-23"),
        table_of_things(CATALOGUE, "item", "SS-OTHER-02"),
        _falls(),
        table_of_conditions(KINDS.values(), "SS-COND-01"),
        _grounds(),
        _attributes(),
        _skills(),
        _features(),
        _distributions(),
        _blocks(),
    )


# ---------------------------------------------------------------- checks and actions


def _difficulties() -> BookTable:
    """Every fixed number of a check on the page."""
    rows = (
        ("Initiative", tables.INITIATIVE_DIFFICULTY, "SS-INIT-03"),
        ("Emergency Medicate", tables.DIFFICULTY, "SS-OTHER-11"),
        ("Rouse", tables.DIFFICULTY, "SS-UNC-06"),
        ("Skill Challenge", CHALLENGE[0], "SS-OTHER-17"),
        ("Leaving a zone with hostile combatants", tables.LEAVING_DIFFICULTY, "SS-ZONE-07"),
        ("Staying upright on slippery ground", tables.SLIPPERY_DIFFICULTY, "SS-ZONE-12"),
        ("Consciousness", f"total damage, from {CHECK_FROM} on", "SS-DMG-04"),
        ("Coma", "total damage", "SS-COMA-03"),
    )
    note = f"A consciousness check that fails by {COMA_MARGIN} or more is a coma."
    return make_ruled_table(
        "difficulties", "Difficulties", "SS-OTHER-01", columns="Check | Difficulty", rows=rows, note=note
    )


def _actions() -> BookTable:
    rows = (
        (row.name, row.roll, _rate(row.rate_option), row.per and f"each {row.per}")
        for row in tables.actions().values()
    )
    note = "Rates are counted where the table plays with them; these are the usual ones."
    heads = "Action | Needs dice | Rate | Counted for"
    return make_table("rates", "Actions and their Rates", "SS-RATE-01", columns=heads, rows=rows, note=note)


def _rate(option: str) -> int | str:
    """The usual Rate of an action; 0 means no limit of its own."""
    return int(DEFAULTS[option]) or "" if option else ""


def _free_actions() -> BookTable:
    free = (action for action in ACTIONS.values() if action.is_free)
    return table_of_actions(free, "SS-FREE-01", "Free actions")


# ---------------------------------------------------------------- attacks and values


def _maneuvers() -> BookTable:
    known = tables.maneuvers()
    rows = (
        (weapon.name, known[name].name, known[name].cost)
        for weapon in tables.weapons().values()
        for name in weapon.maneuvers
    )
    heads = "Weapon | Maneuver | Cost, maneuvers earned"
    return make_table("maneuvers", "Maneuvers of weapons", "SS-MANV-05", columns=heads, rows=rows)


def _general_maneuvers() -> BookTable:
    rows = ((row.name, row.cost) for row in tables.maneuvers().values() if row.general)
    note = "Not from the game: added by this table, and played only where the table allows them."
    heads = "Maneuver | Cost, maneuvers earned"
    return make_table(
        "general-maneuvers", "Maneuvers of any weapon", "SS-MANV-03", columns=heads, rows=rows, note=note
    )


def _values() -> BookTable:
    names = {key: row.name for key, row in tables.attributes().items()}
    rows = (
        (VALUES[key], tables.BASE_VALUE, " or ".join(names[name] for name in pair), VALUE_RULES[key])
        for key, pair in VALUE_ATTRIBUTES.items()
    )
    heads = "Value | Base | Plus the higher of"
    return make_ruled_table("values", "Armor and Resistance", "SS-DEF-01", columns=heads, rows=rows)


def _defensives() -> BookTable:
    rows = (
        (row.name, VALUES[row.value], signed(tables.DEFENSIVE_BONUS), row.rule) for row in DEFENSIVES.values()
    )
    heads = "Action | Raises | By"
    return make_ruled_table("defensives", "Defensive actions", "SS-OTHER-20", columns=heads, rows=rows)


# ---------------------------------------------------------------- places and falls


def _falls() -> BookTable:
    rows = ((row.name, row.metres, row.rule) for row in tables.GRAVITIES.values())
    note = "The same distance is the longest drop on purpose that does no damage."
    heads = "Gravity | Each 1d6 of damage, m"
    return make_ruled_table("falls", "Falls", "SS-FALL-05", columns=heads, rows=rows, note=note)


def _grounds() -> BookTable:
    rules = load_rulebook(Path(__file__).parent)
    rows = ((row.name, rules.find(row.rule).text, row.rule) for row in tables.GROUNDS.values())
    return make_ruled_table(
        "grounds", "Properties of zones", "SS-ZONE-11", columns="Zone | What it does", rows=rows
    )


# ---------------------------------------------------------------- people


def _attributes() -> BookTable:
    rows = ((row.name, VALUES[row.defends]) for row in tables.attributes().values())
    return make_table(
        "attributes",
        "Attributes",
        "SS-ATK-04",
        columns="Attribute | A base of",
        rows=rows,
        section=CHARACTERS,
    )


def _skills() -> BookTable:
    untrained = signed(tables.UNTRAINED_SPECIALIST)
    rows = (
        (row.name, row.category, untrained if row.specialist else "", row.needs_sight)
        for row in tables.skills().values()
    )
    heads = "Skill | Category | Without it | Needs sight"
    return make_table("skills", "Skills", "SS-ATK-05", columns=heads, rows=rows, section=CHARACTERS)


def _features() -> BookTable:
    rows = ((row.name, row.background, row.text) for row in tables.features().values())
    heads = "Feature | Background | What it does"
    title = "Backgrounds, implants and trainings"
    return make_table("features", title, "SS-ATK-03", columns=heads, rows=rows, section=CHARACTERS)


def _distributions() -> BookTable:
    rows = (
        (row.name, listed(map(str, row.spread)), signed(row.armor), signed(row.resistance))
        for row in tables.distributions().values()
    )
    heads = "Kind | Attributes, best first | Armor | Resistance"
    return make_table("spreads", "Ready attributes", "SS-ATK-04", columns=heads, rows=rows, section=OPPONENTS)


def _blocks() -> BookTable:
    rows = (
        (
            row.name,
            row.group,
            *row.attributes.values(),
            row.armor,
            row.resistance,
            ", ".join(dict.fromkeys(tables.weapons()[weapon].name for weapon in row.weapons)),
        )
        for row in tables.npcs().values()
    )
    names = " | ".join(row.name for row in tables.attributes().values())
    heads = f"Opponent | Group | {names} | Armor | Resistance | Weapons"
    return make_table("blocks", "Stat blocks", "SS-DMG-10", columns=heads, rows=rows, section=OPPONENTS)
