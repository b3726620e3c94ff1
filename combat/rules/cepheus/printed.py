"""The tables of the rulebook page, made from the data that the rules read."""

from __future__ import annotations

from combat.rules.core.book.conditions import ConditionKind
from combat.rules.core.book.printed import (
    NOTHING,
    BookTable,
    listed,
    make_ruled_table,
    make_table,
    signed,
    table_of_conditions,
    table_of_things,
)

from .book import tables
from .book.tables import BEYOND, STEP, TABLES, Difficulty, RangeType, Vehicle
from .characters.conditions import KINDS, SHORT_KINDS
from .characters.goods import CATALOGUE, SKILLS
from .characters.values import PERSON

CHARACTERS = "Tables for characters"
OPPONENTS = "Tables for opponents"
GEAR = "Tables of equipment"
MACHINES = "Tables of vehicles and robots"
SIZES = {1: "Single", 2: "Double", 3: "Triple"}


def print_tables() -> tuple[BookTable, ...]:
    """All tables, in the order in which each section shows its own."""
    return (*_make_tables(tables.RANGE_TYPES, KINDS), _hits(), _locations())


def print_short_tables() -> tuple[BookTable, ...]:
    """The same with the tables of the quick rules.  RULING R62, RULING R66"""
    return (*_make_tables(tables.SHORT_RANGE_TYPES, SHORT_KINDS), _flat_locations())


def _make_tables(ranges: dict[str, RangeType], kinds: dict[str, ConditionKind]) -> tuple[BookTable, ...]:
    return (
        _bands(),
        _ranges(ranges),
        _bursts(),
        _covers(),
        table_of_conditions(kinds.values(), "CE-DMG-10"),
        _dms(),
        _difficulties(),
        _skills(),
        _spreads(),
        *_things(),
        *_machines(),
        _hazards(),
        _blocks(),
    )


# ---------------------------------------------------------------- a fight


def _bands() -> BookTable:
    """The bands; the lower one includes its upper edge. [CE-RANGE-01]  RULING R31"""
    rows = [
        (row.name, f"{row.from_m:g}", f"{row.to_m:g}", f"{row.squares_low} to {row.squares_high}")
        for row in tables.RANGE_BANDS.values()
    ]
    heads = "Range | From, m | To, m | Squares of 1.5 m"
    return make_table(
        "ranges",
        "Range bands",
        "CE-RANGE-01",
        columns=heads,
        rows=rows,
        rules=tuple(row.rule for row in tables.RANGE_BANDS.values()),
    )


def _ranges(ranges: dict[str, RangeType]) -> BookTable:
    """Difficulty by type of weapon and band; a dash means out of range. [CE-RANGE-09] [CE-RANGE-11]"""
    bands, hard = tables.RANGE_BANDS.values(), tables.difficulties()
    rows = (
        (row.name, *(_name_difficulty(hard, row.difficulty.get(band.id)) for band in bands), row.rule)
        for row in ranges.values()
    )
    heads = " | ".join(("Weapon", *(band.name for band in bands)))
    return make_ruled_table("attacks", "Attack difficulty by range", "CE-RANGE-09", columns=heads, rows=rows)


def _name_difficulty(hard: dict[str, Difficulty], key: str | None) -> str:
    return f"{hard[key].name} {signed(hard[key].dm) if hard[key].dm else '+0'}" if key else NOTHING


def _bursts() -> BookTable:
    """The DM of a burst on the roll, and its extra damage. [CE-BURST-02]  RULING R15"""
    rows = ((row.rounds, signed(row.attack_dm), f"+{row.extra_damage}", row.rule) for row in tables.BURSTS)
    heads = "Rounds | Sprayed: attack DM | Grouped: damage"
    return make_ruled_table("bursts", "Bursts", "CE-BURST-02", columns=heads, rows=rows)


def _covers() -> BookTable:
    """The DM on attacks at a target behind each cover. [CE-COVER-02]"""
    rows = ((row.name, signed(row.dm), row.rule) for row in tables.COVERS.values())
    return make_ruled_table("covers", "Cover", "CE-COVER-02", columns="Cover | Attack DM", rows=rows)


# ---------------------------------------------------------------- characters


def _dms() -> BookTable:
    """The DM of each span of scores.  RULING R58"""
    rows = [(_span(row.low, row.high), signed(row.dm)) for row in tables.characteristic_dms().values()]
    digits = "10 is written A, 11 is B and so on, without I and O."
    heads = "Score | DM"
    return make_table(
        "dms", "Characteristics", "CE-INIT-01", columns=heads, rows=rows, section=CHARACTERS, note=digits
    )


def _span(low: int, high: int) -> str:
    return f"{low} or more" if high > tables.HIGHEST_SCORE else f"{low} to {high}"


def _difficulties() -> BookTable:
    rows = [(row.name, signed(row.dm)) for row in tables.difficulties().values()]
    return make_table(
        "difficulties", "Difficulties", "CE-ATK-05", columns="Difficulty | DM", rows=rows, section=CHARACTERS
    )


def _skills() -> BookTable:
    """The skills, their cascades, and their usual characteristics.  RULING R55"""
    families = {row.id: row.name for row in tables.cascades().values()}
    scores = {row.id: row.name for row in tables.characteristics().values()}
    rows = [
        (row.name, families.get(row.cascade, ""), ", ".join(scores[key] for key in row.usual))
        for row in tables.skills().values()
    ]
    note = "One skill of a cascade gives the others at level 0; untrained is \N{MINUS SIGN}3."
    heads = "Skill | Cascade | Usually with"
    return make_table(
        "skills", "Skills", "CE-ATK-04", columns=heads, rows=rows, section=CHARACTERS, note=note
    )


def _spreads() -> BookTable:
    keys = tables.SCORES
    rows = [(row.name, *(row.scores[key] for key in keys)) for row in tables.spreads().values()]
    heads = " | ".join(("Distribution", *(tables.characteristics()[key].name for key in keys)))
    note = "Not from the game, added by this table."
    return make_table(
        "spreads",
        "Ready distributions",
        "CE-INIT-01",
        columns=heads,
        rows=rows,
        section=CHARACTERS,
        note=note,
    )


# ---------------------------------------------------------------- equipment and machines


def _things() -> tuple[BookTable, ...]:
    rules = {
        "weapon": "CE-DMG-01",
        "armor": "CE-ARMOR-01",
        "grenade": "CE-EXPL-01",
        "explosive": "CE-EXPL-01",
        "ammo": "CE-MINOR-13",
        "accessory": "CE-MOD-05",
        "gear": "CE-COMMS-04",
        "mount": "CE-VMOUNT-01",
    }
    return tuple(table_of_things(CATALOGUE, key, rule, section=GEAR) for key, rule in rules.items())


def _machines() -> tuple[BookTable, ...]:
    core = [row for row in tables.vehicles().values() if row.series == "core"]
    later = [row for row in tables.vehicles().values() if row.series != "core"]
    return (
        _vehicles("vehicles", "Vehicles", core),
        _vehicles("design-vehicles", "Vehicles of the design appendix", later),
        _robots(),
    )


def _vehicles(key: str, title: str, rows: list[Vehicle]) -> BookTable:
    """The vehicles by series. [CE-VDMG-01]  RULING R57"""
    cells = [
        (
            row.name,
            row.tl,
            SKILLS[row.skill],
            f"{row.agility:+d}".replace("-", "\N{MINUS SIGN}"),
            f"{row.speed_kph:g}",
            row.crew,
            row.passengers,
            row.armor,
            row.hull,
            row.structure,
            listed(tables.vehicle_weapons()[mount.weapon].name for mount in row.weapons),
            row.cost,
        )
        for row in rows
    ]
    heads = (
        "Vehicle | TL | Skill | Agility | Speed, km/h | Crew | Passengers | Armor | Hull | Structure | "
        "Weapons | Price, Cr"
    )
    return make_table(key, title, "CE-VDMG-01", columns=heads, rows=cells, section=MACHINES)


def _robots() -> BookTable:
    """Robots and drones.  RULING R74"""
    rows = [
        (
            row.name,
            row.tl,
            row.scores["str"],
            row.scores["dex"],
            row.armor,
            row.hull,
            row.structure,
            row.damage,
            row.notes,
            row.cost,
        )
        for row in tables.robots().values()
    ]
    heads = "Robot | TL | Strength | Dexterity | Armor | Hull | Structure | Damage | Notes | Price, Cr"
    return make_table("robots", "Robots and drones", "CE-VLOC-01", columns=heads, rows=rows, section=MACHINES)


def _hits() -> BookTable:
    """The number of hits that points past armor cause. [CE-VDMG-06]  RULING R23"""
    rows = TABLES.damage
    ends = [str(row.low - 1) for row in rows[1:]] + [str(BEYOND + STEP - 1)]
    cells = [
        (f"{row.low} to {end}", ", ".join(f"{SIZES[size]} Hit" for size in row.hits), row.rule)
        for row, end in zip(rows, ends, strict=True)
    ]
    note = "Beyond, each 3 points are a Single Hit more, and each 6 a Double Hit instead of two Single ones."
    heads = "Damage | Hits"
    return make_ruled_table("hits", "Damage to machines", "CE-VDMG-06", columns=heads, rows=cells, note=note)


def _locations() -> BookTable:
    """Where a hit lands on 2d6. [CE-VDMG-07]"""
    cells = (
        (row.roll, *(part.capitalize() for part in (row.external, row.internal, row.robot)), row.rule)
        for row in TABLES.location
    )
    heads = "2d6 | External | Internal | Robots and drones"
    return make_ruled_table("locations", "Hit locations", "CE-VDMG-07", columns=heads, rows=cells)


def _flat_locations() -> BookTable:
    """The location of an attack's one hit in the quick rules.  RULING R66"""
    cells = ((row.roll, row.flat.capitalize(), row.flat_rule) for row in TABLES.location)
    return make_ruled_table("locations", "Hit locations", "CE-VDMG-07", columns="2d6 | Hit", rows=cells)


# ---------------------------------------------------------------- opponents and hazards


def _hazards() -> BookTable:
    rows = [(row.name, row.damage, row.text) for row in tables.hazards().values()]
    heads = "Hazard | Damage | When"
    return make_table("hazards", "Hazards", "CE-MOD-03", columns=heads, rows=rows, section=OPPONENTS)


def _blocks() -> BookTable:
    """Ready people and animals."""
    rows = [
        (
            row.name,
            row.upp,
            ", ".join(f"{SKILLS[key]} {level}" for key, level in row.skills.items()),
            ", ".join(
                (*(tables.weapons()[w].name for w in row.weapons), *(a.name for a in row.natural_attacks))
            ),
            ", ".join(tables.armors()[a].name for a in row.armor) or (row.natural_armor or ""),
        )
        for row in tables.npcs().values()
    ]
    heads = "Name | Profile | Skills | Weapons | Armor"
    return make_table(PERSON, "Ready opponents", "CE-SEQ-01", columns=heads, rows=rows, section=OPPONENTS)
