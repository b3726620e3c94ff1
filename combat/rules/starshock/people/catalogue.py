"""The catalogue of the game for lists and forms: kinds, columns, entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.sheets.catalogue import (
    Catalogue,
    Column,
    Entry,
    Kind,
    choices_of,
    find_figure_problems,
    list_entries,
    make_entry,
    number_column,
    read_record,
)

from ..book import tables
from ..book.records import Armor, Consumable, Thing, Weapon
from ..book.tables import VALUES

MONEY = "TSI"


def _flag(key: str, label: str) -> Column:
    return Column(key=key, label=label, kind="flag", plain=False)


def _dice(key: str, label: str, required: bool = False, hint: str = "") -> Column:
    plain = None if required else "0"
    return Column(key=key, label=label, kind="dice", required=required, help=hint, plain=plain)


AMOUNT = _dice("amount", "Amount")
ATTRIBUTE_OPTIONS = choices_of({row.id: row.name for row in tables.attributes().values()})
SKILL_OPTIONS = choices_of({name: name for name in tables.skills()})
MODES = choices_of({"melee": "Melee", "ranged": "Ranged", "thrown": "Thrown"})
VALUE = number_column("value", "Price", 0, 10_000_000, MONEY)
WEAPON = (
    Column(key="damage", label="Damage", kind="dice", required=True, help="such as 4 or 1d6"),
    Column(key="versus", label="Against", kind="choice", options=choices_of(VALUES), required=True),
    Column(key="modes", label="Use", kind="many", options=MODES, required=True, plain=()),
    Column(
        key="attributes", label="Attribute", kind="many", options=ATTRIBUTE_OPTIONS, required=True, plain=()
    ),
    Column(key="skills", label="Skill", kind="many", options=SKILL_OPTIONS, plain=()),
    Column(key="hands", label="Hands", kind="number", high=2, required=True),
    number_column("magazine", "Shots", 0, 1000, "", "0: no ammunition needed"),
    Column(key="zones_per_penalty", label="Zones per −1", kind="number", low=1, high=10, plain=1),
    number_column("near_penalty", "Modifier in the same zone", -5, 0),
    number_column("max_zones", "Greatest range", 0, 20, "zones", "0: no limit"),
    number_column("armor", "Armor while held", 0, 5),
    _flag("ignores_action_penalty", "No Action Penalty"),
    _flag("takes_payload", "Takes a payload"),
    VALUE,
)
ARMOR = (
    Column(key="armor", label="Armor", kind="number", high=5, required=True),
    Column(key="resistance", label="Resistance", kind="number", high=5, required=True),
    Column(key="raises", label="Older attributes", kind="many", options=ATTRIBUTE_OPTIONS, plain=()),
    _flag("lost_when_unconscious", "Lost when the wearer passes out"),
    VALUE,
)
CONSUMABLE = (
    _flag("beneficial", "Beneficial"),
    _dice("heal", "Heals"),
    Column(
        key="heal_skill",
        label="+1 with",
        kind="choice",
        options=(Choice("", "none"), *SKILL_OPTIONS),
        plain="",
    ),
    _dice("damage", "Damage"),
    Column(
        key="minus",
        label="Reduced by",
        kind="choice",
        options=(Choice("", "none"), *ATTRIBUTE_OPTIONS),
        plain="",
    ),
    Column(
        key="gives",
        label="Leaves behind",
        kind="choice",
        options=(Choice("", "none"), *choices_of({row.id: row.name for row in tables.lasting().values()})),
        plain="",
    ),
    VALUE,
)
THING = (
    Column(key="text", label="What it does", required=True),
    _flag("medical", "Counts as a Medical Kit"),
    _flag("single_use", "One use"),
    number_column("radius_m", "Radius", 0, 100, "m"),
    VALUE,
)
KINDS_OF_THINGS = (
    Kind(key="weapon", label="Weapon", plural="Weapons", record=Weapon, columns=WEAPON, ready="held"),
    Kind(key="armor", label="Armor", plural="Armor", record=Armor, columns=ARMOR, ready="worn", only=True),
    Kind(key="consumable", label="Consumable", plural="Consumables", record=Consumable, columns=CONSUMABLE),
    Kind(key="item", label="Other gear", plural="Other gear", record=Thing, columns=THING),
)


def find_records(kind: str) -> Mapping[str, Any]:
    """The records of a kind by id, without bare hands, which everyone has."""
    known: dict[str, Mapping[str, Any]] = {
        "weapon": {key: weapon for key, weapon in tables.weapons().items() if key != "unarmed"},
        "armor": tables.armors(),
        "consumable": tables.consumables(),
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
    return make_entry(kind, full, SUMMARIES[kind](full), price=getattr(full, "value", 0) or None)


def _weapon_words(weapon: Weapon) -> list[str]:
    return [
        f"{weapon.damage} against {VALUES[weapon.versus]}",
        " or ".join(weapon.modes),
        "both hands" if weapon.hands > 1 else "",
        f"{weapon.magazine} shot{'s' if weapon.magazine > 1 else ''}" if weapon.magazine else "",
        "; ".join(maneuver.name for maneuver in weapon.maneuvers),
    ]


def _armor_words(armor: Armor) -> list[str]:
    return [
        f"+{armor.armor} Armor" if armor.armor else "",
        f"+{armor.resistance} Resistance" if armor.resistance else "",
        f"Resistance 7 + {armor.rolled_resistance}" if armor.rolled_resistance else "",
    ]


def _dose_words(dose: Consumable) -> list[str]:
    return [
        f"heals {dose.heal}" if dose.heal != "0" else "",
        f"{dose.damage} damage" if dose.damage != "0" else "",
        tables.lasting()[dose.gives].name if dose.gives else "",
        f"{dose.check.attribute.capitalize()} check or {dose.check.fail}" if dose.check else "",
    ]


def _thing_words(thing: Thing) -> list[str]:
    return [thing.text.rstrip(".")]


SUMMARIES: dict[str, Any] = {
    "weapon": _weapon_words,
    "armor": _armor_words,
    "consumable": _dose_words,
    "item": _thing_words,
}


def count_capacity(kind: str, record: Mapping[str, Any]) -> int | None:
    """The shots of a full weapon; None if it needs no ammunition."""
    return int(record.get("magazine", 0)) or None if kind == "weapon" else None


def find_problems(kind: str, record: dict[str, Any]) -> tuple[Problem, ...]:
    """The problems that a record's type does not catch: figures out of range, unknown words."""
    columns = next(k for k in KINDS_OF_THINGS if k.key == kind).columns
    needed = ("modes", "attributes") if kind == "weapon" else ()
    missing = [Problem(key, "must name at least one") for key in needed if not record.get(key)]
    if record.get("rolled_resistance"):
        columns = (*columns, _dice("rolled_resistance", "Resistance"))
    return (*find_figure_problems(columns, record), *missing, *_effect_problems(record))


def _effect_problems(record: dict[str, Any]) -> Iterator[Problem]:
    """The problems of a weapon's maneuvers: dice out of range, checks without an attribute."""
    for number, maneuver in enumerate(record.get("maneuvers", ())):
        for place, effect in enumerate(maneuver["effects"]):
            where = f"maneuvers[{number}].effects[{place}]"
            for problem in find_figure_problems((AMOUNT,), {"name": maneuver["name"], **effect}):
                yield Problem(f"{where}.{problem.place}", problem.message)
            if effect["type"] == "check_or" and not effect.get("attribute"):
                yield Problem(f"{where}.attribute", "must name the attribute of the check")


def is_built_in(kind: str, record: Mapping[str, Any]) -> bool:
    """Whether an item is a part of a body: a weapon that takes no hand."""
    return kind == "weapon" and not record.get("hands", 1)


CATALOGUE = Catalogue(
    kinds=KINDS_OF_THINGS,
    ages=(),
    age_label="",
    money=MONEY,
    traits={},
    find_entries=find_entries,
    describe=describe,
    find_problems=find_problems,
    capacity=count_capacity,
    is_built_in=is_built_in,
)
