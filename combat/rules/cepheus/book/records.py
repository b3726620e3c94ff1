"""The shapes of the records in data/*.toml.

Damage is in dice, prices in Cr, weight in kg, lengths in meters, speed in km/h, armor in points. `origin`
says where a record comes from, `house_fields` which of its figures are ours.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

# 3d6, or with a bonus 2d6+2  [CS-DMG-02]
Notation = Annotated[str, Meta(pattern=r"^(|\d{1,3}|\d{1,2}d\d{1,3}([+-]\d{1,3})?)$")]
TechLevel = Annotated[int, Meta(ge=0, le=33)]
Law = Annotated[int, Meta(ge=0, le=99)]
Mount = Literal["fixed", "turret", "ring", "front", "rear", "left", "right"]


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

    from_m: float
    to_m: float
    squares_low: int
    squares_high: int


class RangeType(Named, frozen=True, kw_only=True):
    """A row of the range table: the difficulty at each band; a missing band is out of reach."""

    difficulty: dict[str, str]


class Burst(Sourced, frozen=True, kw_only=True):
    """A burst of n rounds: its DM on the roll, and its extra damage dice."""

    id: str
    rounds: int
    attack_dm: int
    extra_damage: str


class Cover(Named, frozen=True, kw_only=True):
    """A degree of cover, and the DM of attacks against it."""

    dm: int
