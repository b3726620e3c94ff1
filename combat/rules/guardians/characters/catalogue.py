"""The catalogue of the game for lists and forms: kinds, columns, entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combat.rules.core.basics.data import as_plain
from combat.rules.core.basics.dice.requests import Choice
from combat.rules.core.sheets.catalogue import (
    SPENDS,
    Catalogue,
    Column,
    Kind,
    Wear,
    choice_column,
    choices_of,
    dice_column,
    many_column,
    number_column,
)

from ..book import tables
from ..book.records import Armor, Shield, Thing, Weapon
from ..book.tables import PLACES, UNARMED
from .values import BROKEN

TRAITS = {key: row.name.format_map(as_plain(row)) for key, row in tables.traits().items()}
ATTACK_KINDS = {"melee": "Melee", "unarmed": "Unarmed", "thrown": "Thrown", "missile": "Missile"}
DAMAGE_ATTRIBUTES = {"body": "Body", "coordination": "Coordination"}
MAX_ARMOR = 99


SKILLS = tuple(Choice(key, row.name) for key, row in tables.skills().items())
WEAPON = (
    dice_column("damage", "Damage", "dice such as 2d6"),
    choice_column("damage_attribute", "Adds ranks of", choices_of(DAMAGE_ATTRIBUTES)),
    Column(
        key="skill", label="Skill", options=SKILLS, required=True, help="such as blades, or one of your own"
    ),
    choice_column("kind", "Use", choices_of(ATTACK_KINDS)),
    Column(key="hands", label="Hands", kind="number", high=2, required=True),
    number_column("range_yards", "Range step", 0, high=2000, unit="yd", hint="0: hand to hand"),
    many_column("tags", "Properties", choices_of(TRAITS)),
)
ARMOR = tuple(number_column(place, tables.locations()[place].name, 0, MAX_ARMOR) for place in PLACES)
SHIELD = (
    Column(key="hands", label="Hands", kind="number", high=2, required=True),
    number_column("block_bonus_ranks", "Ranks added to blocking", -20, 20),
)
THING = (
    Column(key="text", label="What it does", plain=""),
    number_column("first_aid_bonus_ranks", "Ranks added to First Aid", -20, 20),
    number_column(
        "torso_penalty_becomes", "Torso penalty becomes", -5, high=0, unit="ranks", hint="0: no painkiller"
    ),
)


def find_wear(record: Mapping[str, Any]) -> tuple[Wear, ...]:
    """The parts where armor may be broken. [CG-SPEC-03]"""
    covered = (place for place in PLACES if record.get(place))
    return tuple(
        Wear(BROKEN + place, f"No armor left: {tables.locations()[place].name}", 1) for place in covered
    )


def _weapon_words(weapon: Weapon) -> list[str]:
    skill = tables.skills().get(weapon.skill)
    return [
        f"{weapon.damage} + {weapon.damage_attribute.capitalize()}",
        skill.name if skill else weapon.skill,
        f"{weapon.range_yards} yd a step" if weapon.range_yards else "",
        "both hands" if weapon.hands > 1 else "",
        *(TRAITS.get(tag, tag) for tag in weapon.tags),
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


def is_built_in(kind: str, record: Mapping[str, Any]) -> bool:
    """Whether an item is a part of a body: a weapon that takes no hand."""
    return kind == "weapon" and not record.get("hands", 1)


KINDS = (
    Kind(key="weapon", label="Weapon", plural="Weapons", record=Weapon, columns=(*WEAPON, SPENDS),
         find_rows=tables.weapons, hidden=UNARMED, sum_up=_weapon_words, ready="held"),
    Kind(key="armor", label="Armor", plural="Armor", record=Armor, columns=ARMOR, find_rows=tables.armors,
         sum_up=_armor_words, ready="worn", find_wear=find_wear),
    Kind(key="shield", label="Shield", plural="Shields", record=Shield, columns=SHIELD,
         find_rows=tables.shields, sum_up=_shield_words, ready="held", only=True),
    Kind(key="item", label="Other gear", plural="Other gear", record=Thing, columns=(*THING, SPENDS),
         find_rows=tables.things, sum_up=lambda thing: [thing.text.rstrip(".")]),
)  # fmt: skip
CATALOGUE = Catalogue(
    kinds=KINDS,
    traits={choice.value: choice for choice in choices_of(TRAITS)},
    find_facts=lambda row: {"traits": tuple(getattr(row, "tags", ()))},
    is_built_in=is_built_in,
)
