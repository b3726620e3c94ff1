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
    """An item for sale: its Tech Level, its price in Cr and its weight in kg."""

    tl: TechLevel = 0
    cost: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    weight_kg: Annotated[float, Meta(ge=0, le=1_000_000)] = 0.0


# ---------------------------------------------------------------- people


class Characteristic(Named, frozen=True, kw_only=True):
    """One of the seven characteristics; `position` is its place in a profile."""

    physical: bool
    position: int
    optional: bool = False


class CharacteristicDM(Sourced, frozen=True, kw_only=True):
    """The DM of a span of scores."""

    id: str
    low: int
    high: int
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
    combat: bool = False


class Spread(Named, frozen=True, kw_only=True):
    """A ready distribution of characteristics, for use instead of rolling."""

    scores: dict[str, int]


# ---------------------------------------------------------------- weapons


class Ring(Part, frozen=True, kw_only=True):
    """A ring of a blast: its damage, up to a distance in meters."""

    to_m: float
    damage: Notation


class Arm(Goods, frozen=True, kw_only=True):
    """The base of every weapon. `range_types` are rows of the range table, best first.

    `rate_of_fire` lists the numbers of rounds an attack may fire; `magazine` 0 needs no rounds.
    """

    range_types: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    damage: Notation = ""
    rate_of_fire: tuple[int, ...] = ()
    recoil: bool = False
    laser: bool = False
    energy: bool = False
    radius_m: float = 0.0
    adds_effect: bool = True
    law_level: Law = 99
    notes: str = ""


class Weapon(Arm, frozen=True, kw_only=True):
    """A weapon of a person. `draw_minor` and `reload_minor` are in minor actions.

    `fires` is "grenade" if the damage depends on the load; `thrown_skill` is for throwing it.
    """

    group: Literal["melee", "ranged", "heavy", "natural"]
    damage_type: str = ""
    thrown_skill: str = ""
    two_handed: bool = False
    magazine: Annotated[int, Meta(ge=0, le=9999)] = 0
    draw_minor: Annotated[int, Meta(ge=0, le=20)] = 1
    reload_minor: Annotated[int, Meta(ge=0, le=20)] = 1
    min_strength: Annotated[int, Meta(ge=0, le=33)] = 0
    fires: Literal["", "grenade"] = ""
    back_blast: Notation = ""
    back_blast_m: float = 0.0


class Grenade(Arm, frozen=True, kw_only=True):
    """A grenade. Smoke and aerosol last `rounds_dice` x `rounds_times` rounds; one that `stuns` does not
    wound."""

    rings: tuple[Ring, ...] = ()
    stuns: bool = False
    attack_dm: int = 0
    laser_attack_dm: int = 0
    laser_damage: int = 0
    blocks_laser_comms: bool = False
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
    """A full magazine or power pack for a weapon; `flechette` shells spread over `spread_m`."""

    weapon: str
    rounds: int
    kind: Literal["magazine", "power_pack", "flechette"] = "magazine"
    other_rounds: int = 0
    damage_beyond_short: Notation = ""
    attack_dm_beyond_short: int = 0
    spread_m: float = 0.0


class Accessory(Goods, frozen=True, kw_only=True):
    """A weapon accessory: DM on aimed attacks, DM instead of the recoil's, Model of a computer."""

    text: str
    aimed_dm: int = 0
    laser_sight: bool = False
    recoil_dm: int = 0
    detect_dm: int = 0
    model: int | None = None
    grenades: int = 0
    reload_minor: int = 0
    range_type: str = ""


class VehicleWeapon(Arm, frozen=True, kw_only=True):
    """A weapon of a vehicle; one attack fires any number of its `barrels` at one target."""

    barrels: int = 1


# ---------------------------------------------------------------- gear


class Armor(Goods, frozen=True, kw_only=True):
    """Armor: `ar` counts against everything but lasers, `ar_laser` against lasers.

    `over_other` armor is worn over other armor; armor that `ablates` loses a laser point to each laser hit;
    the bonuses affect checks, never the damage track.
    """

    ar: Annotated[int, Meta(ge=0, le=99)]
    ar_laser: Annotated[int, Meta(ge=0, le=99)] = 0
    required_skill: str = ""
    over_other: bool = False
    ablates: bool = False
    str_bonus: int = 0
    dex_bonus: int = 0
    sealed_hours: int = 0
    notes: str = ""


class Gear(Goods, frozen=True, kw_only=True):
    """Other gear: its purpose in words, and its kind of sensor or radio."""

    group: str
    text: str = ""
    comms: Literal["", "radio", "hardlink", "laser", "maser", "meson"] = ""
    sensor: Literal[
        "", "infrared", "light_intensification", "metal", "radiation", "electromagnetic", "densitometer",
        "bioscanner", "neural", "motion", "inertial",
    ] = ""  # fmt: skip
    reach_m: int = 0


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
    takes_gun: bool = False
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
    `poison`."""

    text: str
    damage: str
    poison: bool = False


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
