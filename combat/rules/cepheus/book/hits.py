"""The tables of damage to machines: the number of hits, their locations, their effects."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from combat.rules.core.basics.data import read_toml
from combat.rules.core.basics.typed import convert

from .records import Part

FILE = Path(__file__).parents[1] / "data" / "hits.toml"
BEYOND, STEP = 31, 3  # the last printed row, and the width of each row in points
Place = Literal[
    "hull",
    "structure",
    "armor",
    "drive",
    "weapon",
    "sensors",
    "power",
    "limb",
    "computer",
    "passengers",
    "cargo",
    "cockpit",
]


class DamageRow(Part, frozen=True, kw_only=True):
    """A row of the damage table, from `low` points past armor; each number in `hits` is n hits on one
    location."""

    low: int
    hits: tuple[int, ...]
    rule: str


class LocationRow(Part, frozen=True, kw_only=True):
    """The location of a hit on a roll of 2D6, in each of the columns."""

    roll: int
    external: Place
    internal: Place
    robot: Place
    flat: Place
    rule: str
    flat_rule: str


class EffectRow(Part, frozen=True, kw_only=True):
    """The effect of a numbered hit on a part: `speed` is percent of what is left, `control` and `dm` are DMs.

    A part that is `off` does not work until it is repaired, one that is `lost` needs a workshop. `follows`
    names the immediate consequence.
    """

    part: Place
    hit: int
    rule: str
    speed: int = 100
    control: int = 0
    dm: int = 0
    off: bool = False
    lost: bool = False
    follows: Literal["", "stall", "shutdown", "hull_hits"] = ""


class HitTables(Part, frozen=True, kw_only=True):
    """The whole file."""

    damage: tuple[DamageRow, ...]
    location: tuple[LocationRow, ...]
    effect: tuple[EffectRow, ...]
    flat_effect: tuple[EffectRow, ...]
    spill: dict[Place, Place]
    spill_rules: dict[Place, str]


NO_EFFECT = EffectRow(part="hull", hit=0, rule="")


TABLES = convert(read_toml(FILE), HitTables)


def find_hits(points: int) -> tuple[int, ...]:
    """The hits that n points past armor cause, as the number on each location. [CE-VDMG-06]

    None for 0 or less. [CE-VDMG-09] [CE-VDMG-10] [CE-VDMG-11] [CE-VDMG-12] [CE-VDMG-13] [CE-VDMG-14]
    [CE-VDMG-15] [CE-VDMG-16] [CE-VDMG-17] [CE-VDMG-18] [CE-VDMG-19] [CE-VDMG-20] are the printed rows. Beyond
    them each 3 points add a Single Hit, each 6 a Double Hit instead of two Singles. [CE-VDMG-21] [CE-VDMG-22]
    RULING R23
    """
    rows = [row for row in TABLES.damage if points >= row.low]
    if not rows:
        return ()
    bands = max(0, (points - BEYOND) // STEP)
    return (*rows[-1].hits, *((2,) * (bands // 2)), *((1,) * (bands % 2)))


def find_damage_rule(points: int) -> str:
    """The rule of the row for n points."""
    if points >= BEYOND + STEP:
        return "CE-VDMG-22" if (points - BEYOND) // STEP > 1 else "CE-VDMG-21"
    rows = [row for row in TABLES.damage if points >= row.low]
    return rows[-1].rule if rows else "CE-VDMG-09"


def find_location(roll: int) -> LocationRow:
    """The row of a roll of 2D6. [CE-VDMG-07]"""
    return next(row for row in TABLES.location if row.roll == roll)


def find_effect(part: str, hit: int, flat: bool) -> EffectRow:
    """The effect of the hit of this number on a part; no effect for hit 0."""
    rows = TABLES.flat_effect if flat else TABLES.effect
    return next((row for row in rows if (row.part, row.hit) == (part, hit)), NO_EFFECT)


def count_most(part: str, flat: bool) -> int:
    """How many hits a part can take before they spill over; 0 if it is not a part."""
    rows = TABLES.flat_effect if flat else TABLES.effect
    return len([row for row in rows if row.part == part])
