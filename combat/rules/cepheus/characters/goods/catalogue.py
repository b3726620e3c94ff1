"""The catalogue of the game for lists and forms: kinds, columns, entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combat.rules.core.basics.checking import Problem
from combat.rules.core.sheets.catalogue import (
    SPENDS,
    Catalogue,
    Column,
    Kind,
    Wear,
    choice_column,
    choices_of,
    dice_column,
    flag_column,
    many_column,
    number_column,
)

from ...book import tables
from ...book.records import (
    Accessory,
    Ammunition,
    Armor,
    Explosive,
    Gear,
    Goods,
    Grenade,
    VehicleWeapon,
    Weapon,
)

MONEY, FLECHETTE = "Cr", "flechette"
HIGHEST_TL = 16
UNARMED = "unarmed_strike"
DAMAGE_TYPES = {
    "": "none",
    "B": "bludgeoning",
    "P": "piercing",
    "S": "slashing",
    "P/S": "either",
    "E": "energy",
}
GROUPS = {"melee": "Melee", "ranged": "Ranged", "heavy": "Heavy", "natural": "Natural"}


SKILLS = {row.id: row.name for row in tables.skills().values()}
RANGES = {row.id: row.name for row in tables.RANGE_TYPES.values()}
LAUNCHERS = {row.id: row.name for row in tables.accessories().values() if row.grenades}
GUNS = {"": "none", **{row.id: row.name for row in tables.weapons().values() if row.magazine}, **LAUNCHERS}
DRUGS = {
    "": "no drug",
    **{row.id: row.name for row in tables.medicines().values()},
    **{row.id: row.name for row in tables.doses().values()},
    "told": "Drug, as its words say",
}
TL = number_column("tl", "TL", 0, 33)
COST = number_column("cost", "Price", 0, high=1_000_000_000, unit=MONEY)
LAW = number_column("law_level", "Forbidden from Law Level", 0, 99, plain=99)
ENERGY = flag_column("energy", "Energy weapon")
ELECTRIC = flag_column("electric", "High-power electrics")
TEXT = Column(key="text", label="What it does", required=True)
NOTES = Column(key="notes", label="Notes", plain="")
ARM = (
    many_column("range_types", "Range", choices_of(RANGES), required=True),
    many_column("skills", "Skill", choices_of(SKILLS), required=True),
)
WEAPON = (
    choice_column("group", "Group", choices_of(GROUPS)),
    dice_column("damage", "Damage", "such as 3d6", plain=""),
    choice_column("damage_type", "Type", choices_of(DAMAGE_TYPES), ""),
    *ARM,
    number_column("magazine", "Magazine", 0, high=9999, unit="rounds"),
    number_column("draw_minor", "Ready", 0, high=20, unit="minor actions", plain=1),
    number_column("reload_minor", "Reload", 0, high=20, unit="minor actions", plain=1),
    number_column("min_strength", "Least Strength", 0, 33),
    flag_column("recoil", "Recoil"),
    flag_column("laser", "Laser"),
    ENERGY,
    ELECTRIC,
    flag_column("two_handed", "Both hands"),
    TL,
    COST,
    LAW,
    NOTES,
)
GRENADE = (
    dice_column("damage", "Damage", plain=""),
    *ARM,
    Column(
        key="radius_m", label="Radius", kind="number", low=1, high=999, unit="m", required=True, plain=None
    ),
    flag_column("stuns", "Stuns"),
    number_column("attack_dm", "DM inside", -9, 0),
    dice_column("rounds_dice", "Cloud lasts", "rounds, such as 1d6", plain=""),
    number_column("rounds_times", "Rounds times", 1, 99, plain=1),
    TL,
    COST,
    LAW,
    NOTES,
)
EXPLOSIVE = (
    dice_column("damage", "Damage", plain="", required=True),
    dice_column("radius", "Radius in m", plain="", required=True),
    number_column("times", "Times", 1, 99, plain=1),
    TL,
    COST,
    LAW,
    NOTES,
)
AMMO = (
    choice_column("weapon", "For", choices_of(GUNS)),
    number_column("rounds", "Rounds", 1, 9999, plain=None),
    dice_column("damage_beyond_short", "Damage beyond Short", plain=""),
    TL,
    COST,
)
ACCESSORY = (
    TEXT,
    number_column("aimed_dm", "DM on aimed attacks", 0, 6),
    number_column("recoil_dm", "Recoil DM", -6, 0),
    flag_column("laser_sight", "Laser-assisted"),
    TL,
    COST,
)
VEHICLE_WEAPON = (
    dice_column("damage", "Damage", plain="", required=True),
    *ARM,
    flag_column("laser", "Laser"),
    ENERGY,
    flag_column("recoil", "Recoil"),
    TL,
    COST,
    NOTES,
)
ARMOR = (
    number_column("ar", "Armor", 0, 99, plain=None),
    number_column("ar_laser", "Armor against lasers", 0, 99, plain=None),
    choice_column("required_skill", "Needs", choices_of({"": "none", **SKILLS}), ""),
    flag_column("over_other", "Over other armor"),
    flag_column("ablates", "Wears off by lasers"),
    number_column("str_bonus", "Strength", 0, 20),
    number_column("dex_bonus", "Dexterity", 0, 20),
    number_column("sealed_hours", "Sealed", 0, high=999, unit="h"),
    flag_column("unshaken", "Never suppressed"),
    TL,
    COST,
    NOTES,
)
GEAR = (
    TEXT,
    choice_column("works", "As a drug", choices_of(DRUGS), ""),
    ELECTRIC,
    number_column("reach_m", "Reach", 0, high=10_000_000, unit="m"),
    TL,
    COST,
)


WORN_OFF = "ablated"  # mark of armor: laser points it has lost


def find_armor_wear(record: Mapping[str, Any]) -> tuple[Wear, ...]:
    """RULING R75: the laser points that ablative armor has lost."""
    most = int(record.get("ar_laser", 0))
    return (Wear(WORN_OFF, "Points lost against lasers", most),) if record.get("ablates") else ()


def find_facts(row: Any) -> dict[str, Any]:
    """The Tech Level and price of a record's entry, and the weapon that ammunition feeds."""
    price = getattr(row, "cost", 0) or None
    return {"age": f"TL {getattr(row, 'tl', 0)}", "price": price, "spare_for": _find_fed(row)}


def _find_fed(record: object) -> tuple[str, str] | None:
    """The weapon or launcher that ammunition belongs to as a spare; loose shells are carried as they are."""
    if not isinstance(record, Ammunition) or record.kind == FLECHETTE:
        return None
    return ("accessory" if record.weapon in LAUNCHERS else "weapon", record.weapon)


def _weigh(row: Goods) -> str:
    return f"{row.weight_kg:g} kg" if row.weight_kg else ""


def _weapon_words(weapon: Weapon) -> list[str]:
    rounds = max(weapon.rate_of_fire, default=1)
    return [
        weapon.damage or ("by grenade" if weapon.fires else ""),
        " or ".join(RANGES[name].casefold() for name in weapon.range_types),
        " or ".join(SKILLS[name] for name in weapon.skills),
        f"{weapon.magazine} rounds" if weapon.magazine > 1 else "",
        f"up to {rounds} an attack" if rounds > 1 else "",
        "both hands" if weapon.two_handed else "",
        _weigh(weapon),
    ]


def _blast_words(row: Grenade) -> list[str]:
    return [
        row.damage and f"{row.damage}{' stun' if row.stuns else ''}",
        f"{row.radius_m:g} m" if row.radius_m else "",
        _weigh(row),
    ]


def _charge_words(row: Explosive) -> list[str]:
    return [f"{row.damage} × {row.times}" if row.times > 1 else row.damage, f"within {row.radius} m"]


def _ammo_words(row: Ammunition) -> list[str]:
    return [
        GUNS.get(row.weapon, ""),
        f"{row.rounds} rounds",
        _weigh(row),
    ]


def _armor_words(armor: Armor) -> list[str]:
    skill = SKILLS.get(armor.required_skill, "")
    lasers = f"{armor.ar_laser} against lasers" if armor.ar_laser != armor.ar else ""
    return [f"Armor {armor.ar}", lasers, f"needs {skill}" if skill else "", _weigh(armor)]


def _text_words(row: Accessory | Gear) -> list[str]:
    return [row.text.rstrip("."), _weigh(row)]


def _mount_words(row: VehicleWeapon) -> list[str]:
    return [row.damage, " or ".join(SKILLS[name] for name in row.skills), row.notes]


def find_rate_problems(record: dict[str, Any]) -> list[Problem]:
    """The problems of a weapon's rate of fire."""
    return [Problem("rate_of_fire", "must be 1 or more") for n in record.get("rate_of_fire", ()) if n < 1]


def find_weapon_problems(record: dict[str, Any]) -> list[Problem]:
    """The problems of a weapon's rate of fire, and of a launcher of grenades that nobody knows."""
    unknown = record.get("fires") and record["fires"] not in tables.grenades()
    found = [Problem("fires", "must be a grenade of the catalogue")] if unknown else []
    return found + find_rate_problems(record)


def find_accessory_problems(record: dict[str, Any]) -> list[Problem]:
    """The problem of a launcher that is fired like a weapon that is none."""
    like = record.get("fired_like")
    if not like or (like in tables.weapons() and tables.weapons()[like].fires and record.get("grenades")):
        return []
    return [Problem("fired_like", "must be a grenade launcher of the catalogue, with its number of grenades")]


def find_grenade_problems(record: dict[str, Any]) -> list[Problem]:
    """The problems of a grenade that reaches nobody, or would neither hurt nor leave a cloud."""
    found = find_rate_problems(record)
    if not record.get("rings") and not record.get("radius_m"):
        found.append(Problem("radius_m", "must be 1 or more"))
    if not record.get("damage") and not record.get("rounds_dice"):
        found.append(Problem("damage", "is missing: give damage, or the rounds of a cloud"))
    return found


def is_built_in(kind: str, record: Mapping[str, Any]) -> bool:
    """Whether an item is a part of a body, or a gun in its mount."""
    return kind == "mount" or record.get("group") == "natural" or record.get("id") == UNARMED


def weigh(record: Mapping[str, Any]) -> float:
    """What an item weighs, in kg."""
    return float(record.get("weight_kg", 0))


KINDS_OF_THINGS = (
    Kind(key="weapon", label="Weapon", plural="Weapons", record=Weapon, columns=(*WEAPON, SPENDS),
         find_rows=tables.weapons, hidden=UNARMED, sum_up=_weapon_words, ready="held", load="magazine",
         find_problems=find_weapon_problems),
    Kind(key="armor", label="Armor", plural="Armor", record=Armor, columns=ARMOR, find_rows=tables.armors,
         sum_up=_armor_words, ready="worn", find_wear=find_armor_wear),
    Kind(key="grenade", label="Grenade", plural="Grenades", record=Grenade, columns=(*GRENADE, SPENDS),
         find_rows=tables.grenades, sum_up=_blast_words, find_problems=find_grenade_problems),
    Kind(key="explosive", label="Explosive", plural="Explosives", record=Explosive,
         columns=(*EXPLOSIVE, SPENDS), find_rows=tables.explosives, sum_up=_charge_words),
    Kind(key="ammo", label="Ammunition", plural="Ammunition", record=Ammunition, columns=AMMO,
         find_rows=tables.ammo, sum_up=_ammo_words),
    Kind(key="accessory", label="Accessory", plural="Accessories", record=Accessory, columns=ACCESSORY,
         find_rows=tables.accessories, sum_up=_text_words, ready="worn", comes_full=True, load="grenades",
         find_problems=find_accessory_problems),
    Kind(key="gear", label="Other gear", plural="Other gear", record=Gear, columns=(*GEAR, SPENDS),
         find_rows=tables.gear, sum_up=_text_words),
    Kind(key="mount", label="Vehicle weapon", plural="Vehicle weapons", record=VehicleWeapon,
         columns=VEHICLE_WEAPON, find_rows=tables.vehicle_weapons, sum_up=_mount_words, ready="held",
         find_problems=find_rate_problems),
)  # fmt: skip
CATALOGUE = Catalogue(
    kinds=KINDS_OF_THINGS,
    ages=tuple(f"TL {level}" for level in range(HIGHEST_TL)),
    age_label="Tech Level",
    money=MONEY,
    find_facts=find_facts,
    is_built_in=is_built_in,
    weigh=weigh,
)
