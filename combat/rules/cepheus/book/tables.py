"""The figures of the chapter, and the content of data/*.toml by id.

Content is read at first use and shared: never write to a returned value. records.py has the shapes of its
records.
"""

from __future__ import annotations

from pathlib import Path

from combat.rules.core.basics.data import load_table, table_of

from . import records

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
SQUARE_METERS = 1.5  # CE-MINOR-16
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


# ---------------------------------------------------------------- people

characteristics = table_of(
    DATA / "people.toml", records.Characteristic, "characteristic"
)  # in the order of a profile
characteristic_dms = table_of(
    DATA / "people.toml", records.CharacteristicDM, "characteristic_dm"
)  # lowest scores first


def dm_of(score: int) -> int:
    """The DM of a score; below 0 that of 0, beyond the table that of its end.  RULING R58"""
    for row in characteristic_dms().values():  # the last one counts for all above it
        if score <= row.high:
            break
    return row.dm


difficulties = table_of(DATA / "people.toml", records.Difficulty, "difficulty")  # easiest first
cascades = table_of(DATA / "people.toml", records.Cascade, "cascade")  # families of skills
spreads = table_of(DATA / "people.toml", records.Spread, "spread")  # ready distributions of characteristics
skills = table_of(DATA / "people.toml", records.Skill, "skill")
nerves = table_of(DATA / "people.toml", records.Nerve, "nerve")  # who does not care about suppression fire


# ---------------------------------------------------------------- goods

weapons = table_of(DATA / "weapons.toml", records.Weapon, "weapon")  # personal ones, bare hands included
grenades = table_of(DATA / "weapons.toml", records.Grenade, "grenade")  # thrown or launched
explosives = table_of(DATA / "weapons.toml", records.Explosive, "explosive")  # demolition charges
ammo = table_of(DATA / "weapons.toml", records.Ammunition, "ammunition")  # magazines and power packs
accessories = table_of(DATA / "weapons.toml", records.Accessory, "accessory")
vehicle_weapons = table_of(DATA / "weapons.toml", records.VehicleWeapon, "vehicle_weapon")
armors = table_of(DATA / "gear.toml", records.Armor, "armor")
gear = table_of(DATA / "gear.toml", records.Gear, "gear")
medicines = table_of(DATA / "gear.toml", records.Medicine, "medicine")  # what drugs work as
doses = table_of(DATA / "gear.toml", records.Dose, "dose")  # drugs timed by the clock, by their condition


# ---------------------------------------------------------------- machines, opponents, hazards

vehicles = table_of(DATA / "machines.toml", records.Vehicle, "vehicle")  # of both series.  RULING R57
robots = table_of(DATA / "machines.toml", records.Robot, "robot")  # drones too
npcs = table_of(DATA / "npcs.toml", records.Npc, "npc")  # people and animals
hazards = table_of(DATA / "hazards.toml", records.Hazard, "hazard")


# ---------------------------------------------------------------- tables of a fight

RANGE_BANDS = load_table(DATA / "ranges.toml", records.RangeBand, "range_band")
RANGE_TYPES = load_table(DATA / "ranges.toml", records.RangeType, "range_type")
SHORT_RANGE_TYPES = load_table(DATA / "ranges.toml", records.RangeType, "short_range_type")  # RULING R62
BURSTS = tuple(load_table(DATA / "ranges.toml", records.Burst, "burst").values())  # fewest rounds first
COVERS = load_table(DATA / "ranges.toml", records.Cover, "cover")


def _count_dms(rows: dict[str, records.RangeType]) -> dict[str, dict[str, int]]:
    """[weapon type][band]: the DM of its difficulty; a missing entry is out of range."""
    hard = difficulties()
    return {row.id: {band: hard[word].dm for band, word in row.difficulty.items()} for row in rows.values()}


RANGE_DM = _count_dms(RANGE_TYPES)
SHORT_RANGE_DM = _count_dms(SHORT_RANGE_TYPES)


def find_burst(rounds: int) -> records.Burst:
    """The largest row up to the number of rounds fired.  RULING R15"""
    return [row for row in BURSTS if row.rounds <= max(1, rounds)][-1]
