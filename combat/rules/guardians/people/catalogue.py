"""The catalogue of the game for lists and forms: kinds, columns, entries."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.sheets.catalogue import (
    Catalogue,
    Column,
    Entry,
    Kind,
    Wear,
    choices_of,
    find_figure_problems,
    list_entries,
    make_entry,
    number_column,
    read_record,
)

from ..book import tables
from ..book.records import Armor, Shield, Thing, Weapon
from ..book.tables import PLACES
from .values import BROKEN

TAGS = {
    "severs": "may sever a limb",
    "can_throw": "can be thrown",
    "disarms_on_7": "may disarm on a 7",
    "reach_5": "reaches 5 yards",
}
ATTACK_KINDS = {"melee": "Melee", "unarmed": "Unarmed", "thrown": "Thrown", "missile": "Missile"}
MAX_ARMOR = 99


SKILLS = tuple(Choice(key, row.name) for key, row in tables.skills().items())
WEAPON = (
    Column(key="damage", label="Damage", kind="dice", required=True, help="dice such as 2d6"),
    Column(
        key="damage_attribute",
        label="Adds ranks of",
        kind="choice",
        options=choices_of({"body": "Body", "coordination": "Coordination"}),
        required=True,
    ),
    Column(
        key="skill", label="Skill", options=SKILLS, required=True, help="such as blades, or one of your own"
    ),
    Column(key="kind", label="Use", kind="choice", options=choices_of(ATTACK_KINDS), required=True),
    Column(key="hands", label="Hands", kind="number", high=2, required=True),
    number_column("range_yards", "Range step", 0, 2000, "yd", "0: hand to hand"),
    Column(key="tags", label="Properties", kind="many", options=choices_of(TAGS), plain=()),
)
ARMOR = tuple(number_column(place, tables.locations()[place].name, 0, MAX_ARMOR) for place in PLACES)
SHIELD = (
    Column(key="hands", label="Hands", kind="number", high=2, required=True),
    number_column("block_bonus_ranks", "Ranks added to blocking", -20, 20),
)
THING = (
    Column(key="text", label="What it does", plain=""),
    number_column("first_aid_bonus_ranks", "Ranks added to First Aid", -20, 20),
    number_column("torso_penalty_becomes", "Torso penalty becomes", -5, 0, "ranks", "0: no painkiller"),
)


def find_wear(record: Mapping[str, Any]) -> tuple[Wear, ...]:
    """The parts where armor may be broken. [CG-SPEC-03]"""
    covered = (place for place in PLACES if record.get(place))
    return tuple(
        Wear(BROKEN + place, f"No armor left: {tables.locations()[place].name}", 1) for place in covered
    )


KINDS_OF_THINGS = (
    Kind(key="weapon", label="Weapon", plural="Weapons", record=Weapon, columns=WEAPON, ready="held"),
    Kind(
        key="armor",
        label="Armor",
        plural="Armor",
        record=Armor,
        columns=ARMOR,
        ready="worn",
        find_wear=find_wear,
    ),
    Kind(
        key="shield", label="Shield", plural="Shields", record=Shield, columns=SHIELD, ready="held", only=True
    ),
    Kind(key="item", label="Other gear", plural="Other gear", record=Thing, columns=THING),
)


def find_records(kind: str) -> Mapping[str, Any]:
    """The records of a kind by id, without fists, which everyone has."""
    known: dict[str, Mapping[str, Any]] = {
        "weapon": {key: weapon for key, weapon in tables.weapons().items() if key != "fist"},
        "armor": tables.armors(),
        "shield": tables.shields(),
        "item": tables.things(),
    }
    return known.get(kind, {})


@cache
def find_entries() -> tuple[Entry, ...]:
    """All entries of the catalogue, kind by kind, in the order of the data."""
    return list_entries(KINDS_OF_THINGS, find_records, describe)


def describe(kind: str, record: dict[str, Any]) -> Entry:
    """The catalogue entry of a valid record."""
    full: Any = read_record(KINDS_OF_THINGS, kind, record)
    return make_entry(kind, full, SUMMARIES[kind](full), traits=tuple(getattr(full, "tags", ())))


def _weapon_words(weapon: Weapon) -> list[str]:
    skill = tables.skills().get(weapon.skill)
    return [
        f"{weapon.damage} + {weapon.damage_attribute.capitalize()}",
        skill.name if skill else weapon.skill,
        f"{weapon.range_yards} yd a step" if weapon.range_yards else "",
        "both hands" if weapon.hands > 1 else "",
        *(TAGS.get(tag, tag) for tag in weapon.tags),
    ]


def _armor_words(armor: Armor) -> list[str]:
    """Each part that armor protects; parts with the same armor together."""
    rows: dict[int, list[str]] = {}
    for place in PLACES:
        points = int(getattr(armor, place))
        if points:
            rows.setdefault(points, []).append(tables.locations()[place].name.lower())
    return [f"{points} {' and '.join(names)}" for points, names in rows.items()]


def _shield_words(shield: Shield) -> list[str]:
    bonus = shield.block_bonus_ranks
    return ["to block with", f"{bonus:+} rank{'s' if abs(bonus) > 1 else ''}" if bonus else ""]


def _thing_words(thing: Thing) -> list[str]:
    return [thing.text.rstrip(".")]


SUMMARIES: dict[str, Any] = {
    "weapon": _weapon_words,
    "armor": _armor_words,
    "shield": _shield_words,
    "item": _thing_words,
}


def count_capacity(kind: str, record: Mapping[str, Any]) -> int | None:
    """None: this game does not count rounds of ammunition."""
    return None


def find_problems(kind: str, record: dict[str, Any]) -> tuple[Problem, ...]:
    """The problems that a record's type does not catch: figures out of range, unknown words."""
    columns = next(k for k in KINDS_OF_THINGS if k.key == kind).columns
    needed = kind == "weapon" and not str(record.get("skill", "")).strip()
    missing = [Problem("skill", "must name a skill")] if needed else []
    return (*find_figure_problems(columns, record), *missing)


def is_built_in(kind: str, record: Mapping[str, Any]) -> bool:
    """Whether an item is a part of a body: a weapon that takes no hand."""
    return kind == "weapon" and not record.get("hands", 1)


CATALOGUE = Catalogue(
    kinds=KINDS_OF_THINGS,
    ages=(),
    age_label="",
    money="",
    traits={choice.value: choice for choice in choices_of(TAGS)},
    find_entries=find_entries,
    describe=describe,
    find_problems=find_problems,
    capacity=count_capacity,
    is_built_in=is_built_in,
)
