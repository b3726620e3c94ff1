"""The figures of the chapter, and the content of data/*.toml by id.

Content is read at first use and shared: never write to a returned value. records.py has the shapes of its
records.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TypeVar

from combat.rules.core.basics.data import Record, load_table

from . import records

R = TypeVar("R", bound=Record)
DATA = Path(__file__).parents[1] / "data"

# ---------------------------------------------------------------- rounds and checks

ROUND_SECONDS = 6  # CE-ROUND-01
MINUTE_SECONDS, HOUR_SECONDS, DAY_SECONDS = 60, 3600, 86_400
TARGET = 8
UNSKILLED = -3  # RULING R55
EXCEPTIONAL = 6
AWARE_ROLL = 12  # CE-SEQ-03
REACTION_COST = 2  # CE-REACT-02
HASTE = 2  # CE-ROUND-15
MAX_AIM = 6  # CE-MINOR-05
KILL_DAMAGE, MAX_KILL = 2, 6  # CE-MINOR-07, CE-MINOR-10
SQUARE_METRES = 1.5  # CE-MINOR-16
MINORS_FOR_SIGNIFICANT = 2  # CE-SIG-04
HIGHEST_SCORE = 33  # the pseudo-hexadecimal digits end there
MAX_SHEET_SCORE = 999  # of a sheet: large animals are stronger than any digit says
DIGITS = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"

PHYSICAL = ("str", "dex", "end")
MENTAL = ("int", "edu")
SCORES = ("str", "dex", "end", "int", "edu", "soc")
PSIONIC = "psi"
BANDS = ("personal", "close", "short", "medium", "long", "very_long", "distant")
EXTREME = "extreme"


def _load(file: str, record: type[R], table: str) -> dict[str, R]:
    return load_table(DATA / f"{file}.toml", record, table)


# ---------------------------------------------------------------- people


@cache
def characteristics() -> dict[str, records.Characteristic]:
    """The seven characteristics by short name, in the order of a profile."""
    return _load("people", records.Characteristic, "characteristic")


@cache
def characteristic_dms() -> dict[str, records.CharacteristicDM]:
    """The DM of each span of scores, lowest first."""
    return _load("people", records.CharacteristicDM, "characteristic_dm")


@cache
def dm_of(score: int) -> int:
    """The DM of a score; below 0 that of 0, beyond the table that of its end.  RULING R58"""
    rows = tuple(characteristic_dms().values())
    return next((row.dm for row in rows if score <= row.high), rows[-1].dm)


@cache
def difficulties() -> dict[str, records.Difficulty]:
    """The difficulties of checks, easiest first."""
    return _load("people", records.Difficulty, "difficulty")


@cache
def cascades() -> dict[str, records.Cascade]:
    """The families of skills."""
    return _load("people", records.Cascade, "cascade")


@cache
def spreads() -> dict[str, records.Spread]:
    """Ready distributions of characteristics."""
    return _load("people", records.Spread, "spread")


@cache
def skills() -> dict[str, records.Skill]:
    """The skills by id."""
    return _load("people", records.Skill, "skill")


# ---------------------------------------------------------------- goods


@cache
def weapons() -> dict[str, records.Weapon]:
    """Personal weapons, bare hands included."""
    return _load("weapons", records.Weapon, "weapon")


@cache
def grenades() -> dict[str, records.Grenade]:
    """Grenades, thrown or launched."""
    return _load("weapons", records.Grenade, "grenade")


@cache
def explosives() -> dict[str, records.Explosive]:
    """Demolition charges."""
    return _load("weapons", records.Explosive, "explosive")


@cache
def ammo() -> dict[str, records.Ammunition]:
    """Magazines and power packs."""
    return _load("weapons", records.Ammunition, "ammunition")


@cache
def accessories() -> dict[str, records.Accessory]:
    """Weapon accessories."""
    return _load("weapons", records.Accessory, "accessory")


@cache
def vehicle_weapons() -> dict[str, records.VehicleWeapon]:
    """Weapons of vehicles."""
    return _load("weapons", records.VehicleWeapon, "vehicle_weapon")


@cache
def armors() -> dict[str, records.Armor]:
    """Personal armor."""
    return _load("gear", records.Armor, "armor")


@cache
def gear() -> dict[str, records.Gear]:
    """Other gear."""
    return _load("gear", records.Gear, "gear")


# ---------------------------------------------------------------- machines, opponents, hazards


@cache
def vehicles() -> dict[str, records.Vehicle]:
    """Vehicles of both series.  RULING R57"""
    return _load("machines", records.Vehicle, "vehicle")


@cache
def robots() -> dict[str, records.Robot]:
    """Robots and drones."""
    return _load("machines", records.Robot, "robot")


@cache
def npcs() -> dict[str, records.Npc]:
    """Ready people and animals."""
    return _load("npcs", records.Npc, "npc")


@cache
def hazards() -> dict[str, records.Hazard]:
    """Hazards of the surroundings."""
    return _load("hazards", records.Hazard, "hazard")


# ---------------------------------------------------------------- tables of a fight

RANGE_BANDS = _load("ranges", records.RangeBand, "range_band")
RANGE_TYPES = _load("ranges", records.RangeType, "range_type")
SHORT_RANGE_TYPES = _load("ranges", records.RangeType, "short_range_type")  # RULING R62
BURSTS = tuple(_load("ranges", records.Burst, "burst").values())  # fewest rounds first
COVERS = _load("ranges", records.Cover, "cover")


def _count_dms(rows: dict[str, records.RangeType]) -> dict[str, dict[str, int]]:
    """[weapon type][band]: the DM of its difficulty; a missing entry is out of range."""
    hard = difficulties()
    return {row.id: {band: hard[word].dm for band, word in row.difficulty.items()} for row in rows.values()}


RANGE_DM = _count_dms(RANGE_TYPES)
SHORT_RANGE_DM = _count_dms(SHORT_RANGE_TYPES)


@cache
def find_burst(rounds: int) -> records.Burst:
    """The largest row up to the number of rounds fired.  RULING R15"""
    return next(row for row in reversed(BURSTS) if row.rounds <= max(1, rounds))
