"""The figures of the chapter, the shapes of the records in data/*.toml, and their content by id.

Content is read at first use and shared: never write to a returned value.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from combat.rules.core.basics.data import convert, load_table, read_toml, table_of

# The shapes of the records in data/*.toml. Damage is in dice, prices in Cr, weight in kg, lengths in
# meters, speed in km/h, armor in points. `origin` says where a record comes from, `house_fields` which of
# its figures are ours.


# 3d6, or with a bonus 2d6+2  [CS-DMG-02]
Notation = Annotated[str, Meta(pattern=r"^(|\d{1,3}|\d{1,2}d\d{1,3}([+-]\d{1,3})?)$")]
TechLevel = Annotated[int, Meta(ge=0, le=33)]
Law = Annotated[int, Meta(ge=0, le=99)]
Mount = Literal["fixed", "turret", "ring", "front", "rear", "left", "right"]

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
BEYOND, STEP = 31, 3  # the last printed row, and the width of each row in points


class Sourced(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A record that names the source of its figures."""

    origin: str = ""
    house_fields: tuple[str, ...] = ()


class Named(Sourced, frozen=True, kw_only=True):
    """A record with a name, found by its id."""

    id: str
    name: str


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a record."""


class Goods(Named, frozen=True, kw_only=True):
    """An item for sale: its Tech Level, its price in Cr and its weight in kg.

    One of a table's own may name a counter that each use of it `spends` (core/gm/counters.py).
    """

    spends: Annotated[str, Meta(max_length=30)] = ""
    tl: TechLevel = 0
    cost: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    weight_kg: Annotated[float, Meta(ge=0, le=1_000_000)] = 0.0


# ---------------------------------------------------------------- people


class Characteristic(Named, frozen=True, kw_only=True):
    """One of the seven characteristics."""


class CharacteristicDM(Sourced, frozen=True, kw_only=True):
    """The DM of a span of scores; the last one goes on."""

    id: str
    low: int
    high: int = 999
    dm: int


class Difficulty(Named, frozen=True, kw_only=True):
    """How hard a check is, as a DM."""

    dm: int


class Cascade(Named, frozen=True, kw_only=True):
    """A family of skills: a person who knows one of them knows the others at level 0."""

    group: str
    specialities: tuple[str, ...]
    parent: str = ""


class Skill(Named, frozen=True, kw_only=True):
    """A skill, the cascade it belongs to, and the characteristics that usually go with it."""

    group: str
    cascade: str = ""
    usual: tuple[str, ...] = ()


class Spread(Named, frozen=True, kw_only=True):
    """A ready distribution of characteristics, for use instead of rolling."""

    scores: dict[str, int]


class Nerve(Named, frozen=True, kw_only=True):
    """Why someone does not care about suppression fire, and the rule that says so: a tag of a sheet, or what
    the GM says of them."""

    rule: str


# ---------------------------------------------------------------- weapons


class Ring(Part, frozen=True, kw_only=True):
    """A ring of a blast: its damage, up to a distance in meters."""

    to_m: float
    damage: Notation


class Arm(Goods, frozen=True, kw_only=True):
    """The base of every weapon. `range_types` are rows of the range table, best first.

    `rate_of_fire` lists the numbers of rounds an attack may fire; `magazine` 0 needs no rounds. Detectors
    find what is `electric`.
    """

    range_types: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    damage: Notation = ""
    rate_of_fire: tuple[int, ...] = ()
    recoil: bool = False
    laser: bool = False
    energy: bool = False
    electric: bool = False
    radius_m: float = 0.0
    law_level: Law = 99
    notes: str = ""


class Weapon(Arm, frozen=True, kw_only=True):
    """A weapon of a person. `draw_minor` and `reload_minor` are in minor actions.

    `fires` is the grenade it holds unless another is loaded: its damage is that of the load.
    """

    group: Literal["melee", "ranged", "heavy", "natural"]
    damage_type: str = ""
    two_handed: bool = False
    magazine: Annotated[int, Meta(ge=0, le=9999)] = 0
    draw_minor: Annotated[int, Meta(ge=0, le=20)] = 1
    reload_minor: Annotated[int, Meta(ge=0, le=20)] = 1
    min_strength: Annotated[int, Meta(ge=0, le=33)] = 0
    fires: str = ""
    back_blast: Notation = ""
    back_blast_m: float = 0.0


class Grenade(Arm, frozen=True, kw_only=True):
    """A grenade. Smoke and aerosol last `rounds_dice` x `rounds_times` rounds; one that `stuns` does not
    wound."""

    rings: tuple[Ring, ...] = ()
    stuns: bool = False
    attack_dm: int = 0
    laser_damage: int = 0
    rounds_dice: Notation = ""
    rounds_times: int = 1


class Explosive(Goods, frozen=True, kw_only=True):
    """A charge: its damage, multiplied by `times`, and its `radius` in meters; both are dice."""

    damage: Notation
    radius: Notation
    times: int = 1
    skills: tuple[str, ...] = ("demolitions",)
    law_level: Law = 1
    notes: str = ""


class Ammunition(Goods, frozen=True, kw_only=True):
    """A full magazine or power pack for a weapon; shells of another `kind` are loaded as such."""

    weapon: str
    rounds: int
    kind: Literal["", "flechette"] = ""
    damage_beyond_short: Notation = ""
    attack_dm_beyond_short: int = 0


class Accessory(Goods, frozen=True, kw_only=True):
    """A weapon accessory: DM on aimed attacks, DM instead of the recoil's, Model of a computer."""

    text: str
    aimed_dm: int = 0
    laser_sight: bool = False
    recoil_dm: int = 0
    model: int | None = None
    grenades: int = 0
    fired_like: str = ""
    reload_minor: int = 0
    range_type: str = ""


class VehicleWeapon(Arm, frozen=True, kw_only=True):
    """A weapon of a vehicle."""


# ---------------------------------------------------------------- gear


class Armor(Goods, frozen=True, kw_only=True):
    """Armor: `ar` counts against everything but lasers, `ar_laser` against lasers.

    `over_other` armor is worn over other armor; armor that `ablates` loses a laser point to each laser hit;
    the bonuses affect checks, never the damage track. Nobody `unshaken` minds suppression fire.
    """

    ar: Annotated[int, Meta(ge=0, le=99)]
    ar_laser: Annotated[int, Meta(ge=0, le=99)] = 0
    required_skill: str = ""
    over_other: bool = False
    ablates: bool = False
    str_bonus: int = 0
    dex_bonus: int = 0
    sealed_hours: int = 0
    unshaken: bool = False
    notes: str = ""


class Gear(Goods, frozen=True, kw_only=True):
    """Other gear: its purpose in words, its kind of sensor or radio, and how it works as a drug.

    `works` is a row of the medicines, a row of the doses, or "told" for a drug that the GM plays.
    """

    text: str = ""
    works: str = ""
    electric: bool = False
    comms: Literal["", "radio", "hardlink", "laser", "maser", "meson"] = ""
    sensor: Literal[
        "", "infrared", "light_intensification", "metal", "radiation", "electromagnetic", "densitometer",
        "bioscanner", "neural", "motion", "inertial",
    ] = ""  # fmt: skip
    reach_m: int = 0


class Medicine(Named, frozen=True, kw_only=True):
    """What a drug may work as, in words; `care/medicines.py` plays it by its id."""


class Dose(Named, frozen=True, kw_only=True):
    """A drug timed by the clock: the condition of its name begins after some rounds and lasts some minutes;
    `afterwards` is the damage when it ends. `conditions.toml` has its effects meanwhile."""

    delay_rounds: int
    lasts_minutes: int
    afterwards: Notation = ""


# ---------------------------------------------------------------- machines, opponents, hazards


class Mounted(Part, frozen=True, kw_only=True):
    """A weapon of a vehicle and its mount: a turret or ring has every arc."""

    weapon: str
    mount: Mount = "front"


class Vehicle(Named, frozen=True, kw_only=True):
    """A vehicle. With Hull 0 when new, every hit goes inside. `size_dm` applies to attacks at it."""

    skill: str
    armor: int
    hull: int
    structure: int
    series: Literal["core", "design", "own"] = "own"
    tl: TechLevel = 0
    agility: int = 0
    speed_kph: float = 0
    crew: int = 1
    passengers: int = 0
    open: bool = False
    military: bool = False
    weapons: tuple[Mounted, ...] = ()
    lacks: tuple[Literal["sensors", "computer"], ...] = ()
    size_dm: int = 0
    cost: int = 0


class Robot(Named, frozen=True, kw_only=True):
    """A robot or drone: it acts as a person and takes damage as a vehicle."""

    scores: dict[str, int]
    hull: int
    structure: int
    armor: int
    tl: TechLevel = 0
    drone: bool = False
    lacks: tuple[Literal["sensors", "computer"], ...] = ()
    limbs: Annotated[int, Meta(ge=0, le=12)] = 4
    attack: str = ""
    damage: Notation = ""
    skills: dict[str, int] = {}
    size_dm: int = 0
    cost: int = 0
    notes: str = ""


class NaturalAttack(Part, frozen=True, kw_only=True):
    """A creature's natural weapon: teeth, claws, a sting."""

    name: str
    damage: Notation


class Npc(Named, frozen=True, kw_only=True):
    """A ready person or animal; `upp` is the profile in pseudo-hexadecimal digits."""

    group: str
    upp: str
    skills: dict[str, int] = {}
    weapons: tuple[str, ...] = ()
    armor: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    natural_attacks: tuple[NaturalAttack, ...] = ()
    natural_armor: int = 0
    move_m: int = 6
    mass_kg: int = 0


class Hazard(Named, frozen=True, kw_only=True):
    """A hazard of the surroundings: its trigger in words, and its effect; an antidote protects from a
    `poison`. Lack of air is `kept_out_by` a sealed suit that is worn, or by a carried item of this id."""

    text: str
    damage: str
    poison: bool = False
    kept_out_by: tuple[Literal["sealed", "oxygen_tanks"], ...] = ()


# ---------------------------------------------------------------- tables of a fight


class RangeBand(Named, frozen=True, kw_only=True):
    """A range of distances; the lower band includes its upper edge.  RULING R31"""

    rule: str
    from_m: float
    to_m: float
    squares_low: int
    squares_high: int


class RangeType(Named, frozen=True, kw_only=True):
    """A row of the range table: the difficulty at each band; a missing band is out of reach."""

    rule: str
    difficulty: dict[str, str]


class Burst(Sourced, frozen=True, kw_only=True):
    """A burst of n rounds: its DM on the roll, and its extra damage dice."""

    id: str
    rule: str
    rounds: int
    attack_dm: int
    extra_damage: str


class Cover(Named, frozen=True, kw_only=True):
    """A degree of cover, and the DM of attacks against it."""

    rule: str
    dm: int


DATA = Path(__file__).parents[1] / "data"

# ---------------------------------------------------------------- rounds and checks


# ---------------------------------------------------------------- people

characteristics = table_of(
    DATA / "people.toml", Characteristic, "characteristic"
)  # in the order of a profile
characteristic_dms = table_of(
    DATA / "people.toml", CharacteristicDM, "characteristic_dm"
)  # lowest scores first


def dm_of(score: int) -> int:
    """The DM of a score; below 0 that of 0, beyond the table that of its end.  RULING R58"""
    for row in characteristic_dms().values():  # the last one counts for all above it
        if score <= row.high:
            break
    return row.dm


difficulties = table_of(DATA / "people.toml", Difficulty, "difficulty")  # easiest first
cascades = table_of(DATA / "people.toml", Cascade, "cascade")  # families of skills
spreads = table_of(DATA / "people.toml", Spread, "spread")  # ready distributions of characteristics
skills = table_of(DATA / "people.toml", Skill, "skill")
nerves = table_of(DATA / "people.toml", Nerve, "nerve")  # who does not care about suppression fire

# ---------------------------------------------------------------- goods

weapons = table_of(DATA / "weapons.toml", Weapon, "weapon")  # personal ones, bare hands included
grenades = table_of(DATA / "weapons.toml", Grenade, "grenade")  # thrown or launched
explosives = table_of(DATA / "weapons.toml", Explosive, "explosive")  # demolition charges
ammo = table_of(DATA / "weapons.toml", Ammunition, "ammunition")  # magazines and power packs
accessories = table_of(DATA / "weapons.toml", Accessory, "accessory")
vehicle_weapons = table_of(DATA / "weapons.toml", VehicleWeapon, "vehicle_weapon")
armors = table_of(DATA / "gear.toml", Armor, "armor")
gear = table_of(DATA / "gear.toml", Gear, "gear")
medicines = table_of(DATA / "gear.toml", Medicine, "medicine")  # what drugs work as
doses = table_of(DATA / "gear.toml", Dose, "dose")  # drugs timed by the clock, by their condition

# ---------------------------------------------------------------- machines, opponents, hazards

vehicles = table_of(DATA / "machines.toml", Vehicle, "vehicle")  # of both series.  RULING R57
robots = table_of(DATA / "machines.toml", Robot, "robot")  # drones too
npcs = table_of(DATA / "npcs.toml", Npc, "npc")  # people and animals
hazards = table_of(DATA / "hazards.toml", Hazard, "hazard")

# ---------------------------------------------------------------- tables of a fight

RANGE_BANDS = load_table(DATA / "ranges.toml", RangeBand, "range_band")
RANGE_TYPES = load_table(DATA / "ranges.toml", RangeType, "range_type")
SHORT_RANGE_TYPES = load_table(DATA / "ranges.toml", RangeType, "short_range_type")  # RULING R62
BURSTS = tuple(load_table(DATA / "ranges.toml", Burst, "burst").values())  # fewest rounds first
COVERS = load_table(DATA / "ranges.toml", Cover, "cover")


def _count_dms(rows: dict[str, RangeType]) -> dict[str, dict[str, int]]:
    """[weapon type][band]: the DM of its difficulty; a missing entry is out of range."""
    hard = difficulties()
    return {row.id: {band: hard[word].dm for band, word in row.difficulty.items()} for row in rows.values()}


RANGE_DM = _count_dms(RANGE_TYPES)
SHORT_RANGE_DM = _count_dms(SHORT_RANGE_TYPES)


def find_burst(rounds: int) -> Burst:
    """The largest row up to the number of rounds fired.  RULING R15"""
    return [row for row in BURSTS if row.rounds <= max(1, rounds)][-1]


# The tables of damage to machines: the number of hits, their locations, their effects.


FILE = Path(__file__).parents[1] / "data" / "hits.toml"
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
