"""The catalogue of the game for lists and forms: kinds, columns, entries."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from combat.rules.core.basics.checking import Problem
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

from ...book import tables
from ...book.records import Accessory, Ammunition, Armor, Explosive, Gear, Grenade, VehicleWeapon, Weapon
from .launchers import count_grenades

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


def _flag(key: str, label: str, plain: bool = False) -> Column:
    return Column(key=key, label=label, kind="flag", plain=plain)


def _dice(key: str, label: str, required: bool = False, hint: str = "") -> Column:
    return Column(
        key=key, label=label, kind="dice", required=required, help=hint, plain=None if required else ""
    )


def _choice(key: str, label: str, values: Mapping[str, str], plain: str | None = None) -> Column:
    return Column(
        key=key, label=label, kind="choice", options=choices_of(values), required=plain is None, plain=plain
    )


def _many(key: str, label: str, values: Mapping[str, str]) -> Column:
    return Column(key=key, label=label, kind="many", options=choices_of(values), required=True, plain=())


SKILLS = {row.id: row.name for row in tables.skills().values()}
RANGES = {row.id: row.name for row in tables.RANGE_TYPES.values()}
LAUNCHERS = {row.id: row.name for row in tables.accessories().values() if row.grenades}
GUNS = {"": "none", **{row.id: row.name for row in tables.weapons().values() if row.magazine}, **LAUNCHERS}
TL = number_column("tl", "TL", 0, 33)
COST = number_column("cost", "Price", 0, 1_000_000_000, MONEY)
LAW = number_column("law_level", "Forbidden from Law Level", 0, 99, plain=99)
TEXT = Column(key="text", label="What it does", required=True)
NOTES = Column(key="notes", label="Notes", plain="")
ARM = (
    _many("range_types", "Range", RANGES),
    _many("skills", "Skill", SKILLS),
)
WEAPON = (
    _choice("group", "Group", GROUPS),
    Column(key="damage", label="Damage", kind="dice", help="such as 3d6", plain=""),
    _choice("damage_type", "Type", DAMAGE_TYPES, ""),
    *ARM,
    number_column("magazine", "Magazine", 0, 9999, "rounds"),
    number_column("draw_minor", "Ready", 0, 20, "minor actions", plain=1),
    number_column("reload_minor", "Reload", 0, 20, "minor actions", plain=1),
    number_column("min_strength", "Least Strength", 0, 33),
    _flag("recoil", "Recoil"),
    _flag("laser", "Laser"),
    _flag("two_handed", "Both hands"),
    TL,
    COST,
    LAW,
    NOTES,
)
GRENADE = (
    Column(key="damage", label="Damage", kind="dice", plain=""),
    *ARM,
    number_column("attack_dm", "DM inside", -9, 0),
    TL,
    COST,
    NOTES,
)
EXPLOSIVE = (
    _dice("damage", "Damage", True),
    _dice("radius", "Radius in m", True),
    number_column("times", "Times", 1, 99, plain=1),
    TL,
    COST,
    NOTES,
)
AMMO = (
    _choice("weapon", "For", GUNS),
    number_column("rounds", "Rounds", 1, 9999, plain=None),
    _dice("damage_beyond_short", "Damage beyond Short"),
    TL,
    COST,
)
ACCESSORY = (
    TEXT,
    number_column("aimed_dm", "DM on aimed attacks", 0, 6),
    number_column("recoil_dm", "Recoil DM", -6, 0),
    TL,
    COST,
)
VEHICLE_WEAPON = (
    _dice("damage", "Damage", True),
    *ARM,
    _flag("laser", "Laser"),
    _flag("recoil", "Recoil"),
    TL,
    COST,
    NOTES,
)
ARMOR = (
    number_column("ar", "Armor", 0, 99, plain=None),
    number_column("ar_laser", "Armor against lasers", 0, 99, plain=None),
    _choice("required_skill", "Needs", {"": "none", **SKILLS}, ""),
    _flag("over_other", "Over other armor"),
    _flag("ablates", "Wears off by lasers"),
    number_column("str_bonus", "Strength", 0, 20),
    number_column("dex_bonus", "Dexterity", 0, 20),
    number_column("sealed_hours", "Sealed", 0, 999, "h"),
    TL,
    COST,
    NOTES,
)
GEAR = (TEXT, number_column("reach_m", "Reach", 0, 10_000_000, "m"), TL, COST)


WORN_OFF = "ablated"  # mark of armor: laser points it has lost


def find_armor_wear(record: Mapping[str, Any]) -> tuple[Wear, ...]:
    """RULING R75: the laser points that ablative armor has lost."""
    most = int(record.get("ar_laser", 0))
    return (Wear(WORN_OFF, "Points lost against lasers", most),) if record.get("ablates") else ()


KINDS_OF_THINGS = (
    Kind(key="weapon", label="Weapon", plural="Weapons", record=Weapon, columns=WEAPON, ready="held"),
    Kind(
        key="armor",
        label="Armor",
        plural="Armor",
        record=Armor,
        columns=ARMOR,
        ready="worn",
        find_wear=find_armor_wear,
    ),
    Kind(key="grenade", label="Grenade", plural="Grenades", record=Grenade, columns=GRENADE),
    Kind(key="explosive", label="Explosive", plural="Explosives", record=Explosive, columns=EXPLOSIVE),
    Kind(key="ammo", label="Ammunition", plural="Ammunition", record=Ammunition, columns=AMMO),
    Kind(
        key="accessory",
        label="Accessory",
        plural="Accessories",
        record=Accessory,
        columns=ACCESSORY,
        ready="worn",
        comes_full=True,
    ),
    Kind(key="gear", label="Other gear", plural="Other gear", record=Gear, columns=GEAR),
    Kind(
        key="mount",
        label="Vehicle weapon",
        plural="Vehicle weapons",
        record=VehicleWeapon,
        columns=VEHICLE_WEAPON,
        ready="held",
    ),
)


def find_records(kind: str) -> Mapping[str, Any]:
    """The records of a kind by id, except bare hands, which everyone has."""
    known: dict[str, Mapping[str, Any]] = {
        "weapon": {key: weapon for key, weapon in tables.weapons().items() if key != UNARMED},
        "armor": tables.armors(),
        "grenade": tables.grenades(),
        "explosive": tables.explosives(),
        "ammo": tables.ammo(),
        "accessory": tables.accessories(),
        "gear": tables.gear(),
        "mount": tables.vehicle_weapons(),
    }
    return known.get(kind, {})


@cache
def find_entries() -> tuple[Entry, ...]:
    """Everything of the catalogue, kind by kind, in the order of the data."""
    return list_entries(KINDS_OF_THINGS, find_records, describe)


def describe(kind: str, record: dict[str, Any]) -> Entry:
    """A sound record as an entry."""
    full: Any = read_record(KINDS_OF_THINGS, kind, record)
    age, price = f"TL {getattr(full, 'tl', 0)}", getattr(full, "cost", 0) or None
    return make_entry(kind, full, SUMMARIES[kind](full), age=age, price=price, spare_for=_find_fed(full))


def _find_fed(record: object) -> tuple[str, str] | None:
    """The weapon or launcher that ammunition belongs to as a spare; loose shells are carried as they are."""
    if not isinstance(record, Ammunition) or record.kind == FLECHETTE:
        return None
    return ("accessory" if record.weapon in LAUNCHERS else "weapon", record.weapon)


def _weapon_words(weapon: Weapon) -> list[str]:
    rounds = max(weapon.rate_of_fire, default=1)
    return [
        weapon.damage or ("by grenade" if weapon.fires else ""),
        " or ".join(RANGES[name].casefold() for name in weapon.range_types),
        " or ".join(SKILLS[name] for name in weapon.skills),
        f"{weapon.magazine} rounds" if weapon.magazine > 1 else "",
        f"up to {rounds} an attack" if rounds > 1 else "",
        "both hands" if weapon.two_handed else "",
    ]


def _blast_words(row: Grenade) -> list[str]:
    return [
        row.damage and f"{row.damage}{' stun' if row.stuns else ''}",
        f"{row.radius_m:g} m" if row.radius_m else "",
    ]


def _charge_words(row: Explosive) -> list[str]:
    return [f"{row.damage} × {row.times}" if row.times > 1 else row.damage, f"within {row.radius} m"]


def _ammo_words(row: Ammunition) -> list[str]:
    return [
        GUNS.get(row.weapon, ""),
        f"{row.rounds} rounds",
    ]


def _armor_words(armor: Armor) -> list[str]:
    skill = SKILLS.get(armor.required_skill, "")
    lasers = f"{armor.ar_laser} against lasers" if armor.ar_laser != armor.ar else ""
    return [f"Armor {armor.ar}", lasers, f"needs {skill}" if skill else ""]


def _text_words(row: Accessory | Gear) -> list[str]:
    return [row.text.rstrip(".")]


def _mount_words(row: VehicleWeapon) -> list[str]:
    return [row.damage, " or ".join(SKILLS[name] for name in row.skills), row.notes]


SUMMARIES: dict[str, Any] = {
    "weapon": _weapon_words,
    "armor": _armor_words,
    "grenade": _blast_words,
    "explosive": _charge_words,
    "ammo": _ammo_words,
    "accessory": _text_words,
    "gear": _text_words,
    "mount": _mount_words,
}


def count_capacity(kind: str, record: Mapping[str, Any]) -> int | None:
    """Rounds in a full weapon; None for one without ammunition."""
    if kind == "weapon":
        return int(record.get("magazine", 0)) or None
    return count_grenades(kind, record) or None


def find_problems(kind: str, record: dict[str, Any]) -> tuple[Problem, ...]:
    """Problems beyond the type of a record: figures out of reason, unknown words."""
    columns = next(k for k in KINDS_OF_THINGS if k.key == kind).columns
    needed = ("range_types", "skills") if kind in ("weapon", "grenade", "mount") else ()
    missing = [Problem(key, "must name at least one") for key in needed if not record.get(key)]
    rates = [Problem("rate_of_fire", "must be 1 or more") for n in record.get("rate_of_fire", ()) if n < 1]
    sound = {key: value for key, value in record.items() if value != ""}
    return (*find_figure_problems(columns, sound), *missing, *rates)


def is_built_in(kind: str, record: Mapping[str, Any]) -> bool:
    """Whether an item is a part of a body, or a gun in its mount."""
    return kind == "mount" or record.get("group") == "natural" or record.get("id") == UNARMED


CATALOGUE = Catalogue(
    kinds=KINDS_OF_THINGS,
    ages=tuple(f"TL {level}" for level in range(HIGHEST_TL)),
    age_label="Tech Level",
    money=MONEY,
    traits={},
    find_entries=find_entries,
    describe=describe,
    find_problems=find_problems,
    capacity=count_capacity,
    is_built_in=is_built_in,
)
