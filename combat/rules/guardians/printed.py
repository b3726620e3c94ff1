"""The tables of the combat page for its rulebook, built from the values that the rules use."""

from __future__ import annotations

from combat.rules.core.book.printed import (
    BookTable,
    make_ruled_table,
    make_table,
    signed,
    table_of_actions,
    table_of_conditions,
    table_of_things,
)

from .actions.every_action import ACTIONS
from .book import tables
from .book.tables import (
    ARMOR_ROW,
    EXTREMITIES,
    FALL_ROW,
    HEAD,
    PERCENT_PER_RANK,
    PLACES,
    ROWS,
    SLEEP_ROW,
    SPECIAL_ROWS,
    TORSO,
)
from .characters.catalogue import CATALOGUE
from .characters.conditions import KINDS

CHARACTERS = "Tables for characters"
OPPONENTS = "Tables for opponents"
MAX_RANKS = 20  # the ranks that never fail
HALF = {
    "unconscious": "unconscious",
    "torso_wound": "\N{MINUS SIGN}5 ranks on everything",
    "disabled": "disabled",
}
ZERO = {"dead": "dead", "destroyed": "destroyed, bleeds"}
LOCATION_RULES = {
    "left_arm": "CG-LOC-03",
    "right_arm": "CG-LOC-04",
    TORSO: "CG-LOC-05",
    "left_leg": "CG-LOC-06",
    "right_leg": "CG-LOC-07",
}


def print_tables() -> tuple[BookTable, ...]:
    """Every table, in the order of its section."""
    own = tuple(action for action in ACTIONS.values() if action.who == "seat")
    return (
        _chances(),
        table_of_actions(own, "CG-ACT-02"),
        _defenses(),
        _locations(),
        _extremities(),
        _parts(),
        table_of_conditions(KINDS.values(), "CG-STUN-01"),
        table_of_things(CATALOGUE, "weapon", "CG-REF-05"),
        table_of_things(CATALOGUE, "armor", "CG-REF-08"),
        table_of_things(CATALOGUE, "shield", "CG-DEF-04"),
        table_of_things(CATALOGUE, "item", "CG-BLEED-03"),
        _attributes(),
        _aspects(),
        _skills(),
        _blocks(),
    )


def _chances() -> BookTable:
    """Ranks and the number they must roll within. [CG-ATK-02]"""
    rows = tuple((ranks, PERCENT_PER_RANK * ranks) for ranks in range(MAX_RANKS + 1))
    note = "More ranks never fail, none never succeed."
    return make_table(
        "chances", "Ranks and chances", "CG-ATK-02", columns="Ranks | d100 within", rows=rows, note=note
    )


def _defenses() -> BookTable:
    """The three defenses. [CG-DEF-02] [CG-DEF-03] [CG-DEF-04]"""
    names = {key: row.name for key, row in tables.skills().items()}
    melee = [row.name for row in tables.skills().values() if row.attack_kind == "melee"]
    rows = (
        ("Dodge", f"Coordination or {names['acrobatics']}, the higher", "CG-DEF-02"),
        ("Parry", f"the skill of a melee weapon in hand: {', '.join(melee)}", "CG-DEF-03"),
        ("Block", f"{names['unarmed_combat']}, or {names['shield']} with a shield, the higher", "CG-DEF-04"),
    )
    return make_ruled_table("defenses", "Defenses", "CG-DEF-01", columns="Defense | Rolled with", rows=rows)


def _locations() -> BookTable:
    """The d12, row by row. [CG-LOC-01]"""
    names = {place: tables.locations()[place].name for place in PLACES}
    others = {
        1: (f"{names[HEAD]} (house: the page has no 1)", "CG-LOC-02"),
        ARMOR_ROW: ("Armor or Toughness; a whip or flail may disarm", "CG-LOC-08"),
        FALL_ROW: ("Prone and/or stunned", "CG-LOC-09"),
        SLEEP_ROW: ("Unconscious", "CG-LOC-10"),
        **dict.fromkeys(SPECIAL_ROWS, ("Disarmed, shield destroyed, or the GM's choice", "CG-LOC-11")),
    }
    known = {row: (names[place], LOCATION_RULES[place]) for row, place in ROWS.items()} | others
    rows = ((number, *known[number]) for number in sorted(known))
    return make_ruled_table(
        "locations", "Hit locations", "CG-LOC-01", columns="d12 | What is struck", rows=rows
    )


def _extremities() -> BookTable:
    """The d6 on a 7. [CG-SPEC-02]"""
    rows = tuple((face, tables.locations()[place].name) for face, place in EXTREMITIES.items())
    return make_table("extremities", "The part struck on a 7", "CG-SPEC-02", columns="d6 | Part", rows=rows)


def _parts() -> BookTable:
    """The parts of a body, their points and the effects of losses. [CG-ATK-04]"""
    rows = tuple(
        (row.name, row.mortality_percent, HALF[row.half], ZERO[row.zero])
        for row in tables.locations().values()
    )
    heads = "Part | Mortality Points, % of Health | Half lost | All lost"
    return make_table("parts", "Parts of the body", "CG-ATK-04", columns=heads, rows=rows)


def _attributes() -> BookTable:
    rows = tuple((row.name, row.use) for row in tables.attributes().values())
    return make_table(
        "attributes", "Attributes", "CG-ATK-02", columns="Attribute | For", rows=rows, section=CHARACTERS
    )


def _aspects() -> BookTable:
    rows = tuple((row.name,) for row in tables.aspects().values())
    note = "Fatigue does not lower them, a torso wound does."
    return make_table(
        "aspects", "Aspects", "CG-TORSO-01", columns="Aspect", rows=rows, section=CHARACTERS, note=note
    )


def _skills() -> BookTable:
    rows = tuple(
        (
            row.name,
            row.category,
            row.attack_kind,
            "parry" if row.attack_kind == "melee" else row.defends,
            row.start_ranks or "",
        )
        for row in tables.skills().values()
    )
    heads = "Skill | Category | Attacks | Defends | Everybody starts with"
    return make_table("skills", "Skills", "CG-ATK-01", columns=heads, rows=rows, section=CHARACTERS)


def _blocks() -> BookTable:
    names = [row.name for row in tables.attributes().values()]
    rows = tuple(
        (
            row.name,
            row.group,
            *(row.attributes[key] for key in tables.attributes()),
            signed(row.trait_initiative),
            ", ".join(tables.weapons()[weapon].name for weapon in row.weapons),
            tables.armors()[row.armor].name if row.armor else "",
        )
        for row in tables.npcs().values()
    )
    heads = f"Opponent | Group | {' | '.join(names)} | Traits | Weapons | Armor"
    return make_table("blocks", "Stat blocks", "CG-REF-05", columns=heads, rows=rows, section=OPPONENTS)
