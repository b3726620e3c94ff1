"""The catalogue of the game for lists and forms: kinds, columns, entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from combat.rules.core.basics.checking import Problem
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.sheets.catalogue import (
    SPENDS,
    Catalogue,
    Column,
    Kind,
    choice_column,
    choices_of,
    dice_column,
    find_figure_problems,
    flag_column,
    many_column,
    number_column,
)

from ..book import tables
from ..book.records import Armor, Consumable, Thing, Weapon
from ..book.tables import VALUES
from . import conditions

MONEY = "TSI"


MANEUVER_OPTIONS = choices_of({row.id: row.name for row in tables.maneuvers().values() if not row.general})
ATTRIBUTE_OPTIONS = choices_of({row.id: row.name for row in tables.attributes().values()})
SKILL_OPTIONS = choices_of({name: name for name in tables.skills()})
LASTING_OPTIONS = choices_of({row.id: row.name for row in tables.lasting().values()})
NONE = Choice("", "none")
MODES = choices_of({"melee": "Melee", "ranged": "Ranged", "thrown": "Thrown"})
VALUE = number_column("value", "Price", 0, high=10_000_000, unit=MONEY)
RESTRICTED = flag_column("restricted", "Restricted")
WEAPON = (
    dice_column("damage", "Damage", "such as 4 or 1d6"),
    choice_column("versus", "Against", choices_of(VALUES)),
    many_column("modes", "Use", MODES, required=True),
    many_column("attributes", "Attribute", ATTRIBUTE_OPTIONS, required=True),
    many_column("skills", "Skill", SKILL_OPTIONS),
    Column(key="hands", label="Hands", kind="number", high=2, required=True),
    number_column("magazine", "Shots", 0, high=1000, unit="", hint="0: no ammunition needed"),
    Column(key="zones_per_penalty", label="Zones per −1", kind="number", low=1, high=10, plain=1),
    number_column("near_penalty", "Modifier in the same zone", -5, 0),
    number_column("max_zones", "Greatest range", 0, high=20, unit="zones", hint="0: no limit"),
    number_column("armor", "Armor while held", 0, 5),
    flag_column("ignores_action_penalty", "No Action Penalty"),
    flag_column("takes_payload", "Takes a payload"),
    many_column("maneuvers", "Maneuvers", MANEUVER_OPTIONS),
    VALUE,
)
ARMOR = (
    Column(key="armor", label="Armor", kind="number", high=5, required=True),
    Column(key="resistance", label="Resistance", kind="number", high=5, required=True),
    many_column("raises", "Older attributes", ATTRIBUTE_OPTIONS),
    flag_column("lost_when_unconscious", "Lost when the wearer passes out"),
    VALUE,
)
CONSUMABLE = (
    flag_column("beneficial", "Beneficial"),
    dice_column("heal", "Heals", plain="0"),
    choice_column("heal_skill", "+1 with", (NONE, *SKILL_OPTIONS), ""),
    dice_column("damage", "Damage", plain="0"),
    choice_column("minus", "Reduced by", (NONE, *ATTRIBUTE_OPTIONS), ""),
    choice_column("gives", "Leaves behind", (NONE, *LASTING_OPTIONS), ""),
    RESTRICTED,
    VALUE,
)
THING = (
    Column(key="text", label="What it does", required=True),
    flag_column("medical", "Counts as a Medical Kit"),
    flag_column("single_use", "One use"),
    number_column("radius_m", "Radius", 0, high=100, unit="m"),
    many_column("bonus_skills", "+1 with", SKILL_OPTIONS),
    RESTRICTED,
    VALUE,
)


def _weapon_words(weapon: Weapon) -> list[str]:
    return [
        f"{weapon.damage} against {VALUES[weapon.versus]}",
        " or ".join(weapon.modes),
        "both hands" if weapon.hands > 1 else "",
        f"{weapon.magazine} shot{'s' if weapon.magazine > 1 else ''}" if weapon.magazine else "",
        "; ".join(tables.maneuvers()[name].name for name in weapon.maneuvers),
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


def find_armor_problems(record: dict[str, Any]) -> tuple[Problem, ...]:
    """The problems of the dice for a resistance that is rolled."""
    rolled = (dice_column("rolled_resistance", "Resistance", plain=""),)
    return find_figure_problems(rolled, {**record, "name": "-"})


def find_check_problems(record: dict[str, Any]) -> Iterator[Problem]:
    """The problems of the check that a dose or device asks for: conditions that do not exist."""
    for outcome in ("fail", "success"):
        kind = (record.get("check") or {}).get(outcome)
        if kind and kind not in conditions.KINDS:
            yield Problem(f"check.{outcome}", f"there is no condition “{kind}”")


def is_built_in(kind: str, record: Mapping[str, Any]) -> bool:
    """Whether an item is a part of a body: a weapon that takes no hand."""
    return kind == "weapon" and not record.get("hands", 1)


def is_limb(kind: str, record: Mapping[str, Any]) -> bool:
    """Whether an item is a part of a body that strikes, such as claws: the guns of a robot are none."""
    return is_built_in(kind, record) and "ranged" not in record.get("modes", ())


KINDS = (
    Kind(key="weapon", label="Weapon", plural="Weapons", record=Weapon, columns=(*WEAPON, SPENDS),
         find_rows=tables.weapons, hidden=tables.UNARMED, sum_up=_weapon_words, ready="held",
         load="magazine"),
    Kind(key="armor", label="Armor", plural="Armor", record=Armor, columns=ARMOR, find_rows=tables.armors,
         sum_up=_armor_words, ready="worn", only=True, find_problems=find_armor_problems),
    Kind(key="consumable", label="Consumable", plural="Consumables", record=Consumable,
         columns=(*CONSUMABLE, SPENDS), find_rows=tables.consumables,
         sum_up=_dose_words, find_problems=find_check_problems),
    Kind(key="item", label="Other gear", plural="Other gear", record=Thing, columns=(*THING, SPENDS),
         find_rows=tables.things, sum_up=lambda thing: [thing.text.rstrip(".")],
         find_problems=find_check_problems),
)  # fmt: skip
CATALOGUE = Catalogue(
    kinds=KINDS,
    money=MONEY,
    find_facts=lambda row: {"price": getattr(row, "value", 0) or None},
    is_built_in=is_built_in,
)
